"""What is found in a text, and what may be spent on finding it."""

from __future__ import annotations

from minutebook.ground.frozen import as_tuple, frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

CROWDED = "crowded"
"""The kind of a stretch with so many near misses that they can't be judged one by one: all of it is taken for one."""
_REACH = 400
HIT, LOOK, TRIAL, RUN_TRIAL, WEIGHED = 1, 2, 6, 16, 50
_MOST = 600_000
"""What is spent on a hit, on a look at what is near it, on a pattern that is tried (beside half of what it matches), on
a run, on weighing whether it is random; and what every text may spend, beside one for eight characters. One is about
half a microsecond."""


_AGAIN, _ONCE_MORE = 6, 1 << 20


@frozen
class Finding:
    """A secret of `kind` at text[start:end]."""

    start: int
    end: int
    kind: str

    def __lt__(self, other: Finding) -> bool:
        return as_tuple(self) < as_tuple(other)


class Effort:
    """What may still be spent on a text: enough for any that people write, and linear in its length. `further` is for
    what is read in place of its stretches, of which there may be `unread` more characters."""

    def __init__(self, length: int, further: bool = True) -> None:
        self.left = _MOST + length // 8
        self.unread = _ONCE_MORE + _AGAIN * length
        self.further = Effort(length, further=False) if further else self


def crowd(text: str, at: int, others: Iterable[int]) -> Finding:
    """All from the near miss at `at` to the last of the others."""
    last = at
    for place in others:
        last = place
    return Finding(max(0, at - _REACH), min(len(text), last + _REACH), CROWDED)
