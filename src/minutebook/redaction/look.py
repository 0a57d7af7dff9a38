"""A text as the search for secrets sees it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array

WORD = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
_AS_RUNS = bytes(0x61 if byte in WORD else 0x20 for byte in range(256))
LEAST_LONG = 24


class Look:
    """A text, and the same in bytes, one for each character, what is no Latin-1 as `?`: places are the same, and
    searching is fast. `lower` is in lower case, `marks` has an `a` for each word character and a blank for every other.
    `known` says where the words stand that were looked for all at once, if they were; `packed` are the long runs that
    may be texts in base64 or hex, which whoever goes over the runs notes here."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.plain = text.encode("latin-1", "replace")
        self.lower = self.plain.lower()
        self.marks = self.plain.translate(_AS_RUNS)
        self.known: dict[bytes, array[int]] | None = None
        self.packed: list[tuple[int, int]] = []
