"""A text as the search for secrets sees it."""

from __future__ import annotations

from functools import cached_property

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

WORD = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
_AS_RUNS = bytes(0x61 if byte in WORD else 0x20 for byte in range(256))
LEAST_LONG = 24
_LONG = b"a" * LEAST_LONG


class Look:
    """A text, and the same in bytes, one for each character, what is no Latin-1 as `?`: places are the same, and
    searching is fast. `lower` is in lower case, `marks` has an `a` for each word character and a blank for every other.
    `known` says where the words stand that were looked for all at once, if they were."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.plain = text.encode("latin-1", "replace")
        self.lower = self.plain.lower()
        self.marks = self.plain.translate(_AS_RUNS)
        self.known: dict[bytes, array[int]] | None = None

    @cached_property
    def long_runs(self) -> list[tuple[int, int]]:
        """Where runs of at least 24 word characters start and end."""
        found: list[tuple[int, int]] = []
        find, at = self.marks.find, self.marks.find(_LONG)
        while at >= 0:
            end = find(b" ", at + LEAST_LONG)
            if end < 0:
                end = len(self.marks)
            found.append((at, end))
            at = find(_LONG, end)
        return found
