"""A log that was read before and has changed since: only what changed is cut up again."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, repeat
from operator import attrgetter

from minutebook.ground.alike import same_end, same_start
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from minutebook.ground.entry import MemoryFile


@frozen
class Kept:
    """What is taken over: the `first` entries as they are, and the `last`, of which the first now starts at `end`.
    Between them the text is cut up from `start` on."""

    first: tuple[Entry, ...]
    start: int
    last: tuple[Entry, ...]
    end: int


NOTHING_KEPT = Kept((), 0, (), 0)


def kept_of(earlier: MemoryFile, text: str) -> Kept | None:
    """What of a log read before still stands at the beginning and at the end; None where it has to be read anew.

    What a heading at the start of a line begins is read in the same way whatever stands above it, as long as it is
    read as a heading at all: it ends lists, and stands in no fence and no comment.
    """
    old, entries = earlier.text, earlier.entries
    sizes = [len(entry.text) for entry in entries]
    if not entries or len(earlier.head) + sum(sizes) != len(old):  # there is text in between
        return None
    starts = list(accumulate(sizes, initial=len(earlier.head)))[:-1]
    most = min(len(old), len(text))
    head = same_start(old, text, most)
    tail = same_end(old, text, most - head)
    first = max(0, bisect_right(starts, head) - 1)
    while first and (old[starts[first]] != "#" or line_end(old, starts[first]) > head):
        first -= 1
    last = max(first, bisect_right(starts, len(old) - tail))
    while last < len(starts) and old[starts[last]] != "#":
        last += 1
    start = starts[first] if first else 0
    return Kept(entries[:first], start, entries[last:], len(text) - len(old) + [*starts, len(old)][last])


def moved(entries: tuple[Entry, ...], down: int) -> tuple[Entry, ...]:
    """The entries, so many lines further down."""
    if not down:
        return entries
    same = (map(attrgetter(name), entries) for name in ("id", "type", "path"))
    lines = (each.line + down for each in entries)
    texts, readers = (map(attrgetter(name), entries) for name in ("text", "reader"))
    return tuple(map(Entry, *same, lines, texts, readers, repeat(True)))


def line_end(text: str, at: int) -> int:
    return text.find("\n", at) + 1 or len(text)
