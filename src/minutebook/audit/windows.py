"""A log that grew, judged by what differs: the entries around the difference are cut out of both versions and given
to the gate, the rest is skipped.

Why that is sound. Text before the first difference is read alike on both sides, so a heading that opened an entry there
opens the same entry in both, outside of any fence or comment; from it on, what follows is read without regard to what
stood before. And where the entry after the difference is read as it was, all that follows it is, too. Entries outside
of the window are then the same, in the same order, on both sides. What the gate knows of them beside that is their ids,
and whether a new entry stands past them: both are looked at here. Whatever isn't plain is left to the whole judgement.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from minutebook.ground import front_matter
from minutebook.ground.entry import decode
from minutebook.ground.frozen import frozen

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without the import
if TYPE_CHECKING:
    from minutebook.ground.entry import MemoryFile


@frozen
class Outline:
    """Where the entries of a log start, in bytes, and their ids in the same order. `known` are the ids that it or
    another lawful version of it has, one set for all of them: copying it at every commit would cost more than the rest.
    `twice` says that an id stands there more than once."""

    starts: tuple[int, ...]
    ids: tuple[str, ...]
    known: set[str]
    twice: bool


@frozen
class Window:
    """What differs between two versions of a log, in whole entries: the bytes `start` to `old_end` of the old version,
    and to `new_end` of the new one. `first` and `last` say which entries of the old version these are, by their
    numbers; the last is not among them. `above` says that it starts with an entry, and not at the top of the file;
    `below` that it ends with one that is the same in both."""

    start: int
    old_end: int
    new_end: int
    first: int
    last: int
    above: bool
    below: bool


def outline(data: bytes, file: MemoryFile) -> Outline:
    """The outline of a log as it was read."""
    starts: list[int] = []
    at, line = 0, 1
    for entry in file.entries:
        while line < entry.line:
            at = data.index(b"\n", at) + 1
            line += 1
        starts.append(at)
    ids = tuple(entry.id for entry in file.entries)
    known = set(ids)
    return Outline(tuple(starts), ids, known, len(known) < len(ids))


def window(old: bytes, new: bytes, known: Outline) -> Window:
    """The part of a log in which two versions differ; `known` is the old one's outline."""
    head = common_start(old, new)
    tail = common_end(old, new, min(len(old), len(new)) - head)
    starts = known.starts
    # It starts with the last entry whose heading line is the same in both, and ends with the first one that is the
    # same and followed by nothing that differs: what comes after an entry counts where its end is judged.
    first = bisect_right(starts, head) - 1
    if first >= 0 and not 0 <= old.find(b"\n", starts[first]) < head:
        first -= 1
    last = bisect_left(starts, len(old) - tail)
    above, below = first >= 0, last < len(starts)
    end = last + 1 if below else last
    old_end = starts[end] if end < len(starts) else len(old)
    start = starts[first] if above else 0
    return Window(start, old_end, len(new) - (len(old) - old_end), first if above else 0, end, above, below)


def is_whole(data: bytes, known: Outline, seen: Window, end: int) -> bool:
    """Whether the front matter of the log, if it opens any, is closed before its first entry or within the window at
    its top: where it's left open, a `---` anywhere below closes it, and swallows what stands before."""
    if not data.startswith(b"---"):
        return True
    return front_matter.split(decode(data[: known.starts[0] if seen.above else end])) is not None


def grown(known: Outline, seen: Window, was: MemoryFile, now: MemoryFile, new: bytes) -> Outline | None:
    """The new version's outline, when the windows were read as parts of the whole files would be, and no id that is
    new in the window stands outside of it; else None."""
    part = outline(new[seen.start : seen.new_end], now)
    inside = tuple(entry.id for entry in was.entries)
    shift = seen.new_end - seen.old_end
    if inside != known.ids[seen.first : seen.last] or not known.known.isdisjoint({*part.ids}.difference(inside)):
        return None
    if seen.above and (not part.starts or part.starts[0] or part.ids[0] != inside[0]):
        return None
    if seen.below:
        wanted = known.starts[seen.last - 1] + shift - seen.start
        if not part.starts or part.starts[-1] != wanted or now.entries[-1].text != was.entries[-1].text:
            return None
    starts = known.starts[: seen.first] + tuple(seen.start + at for at in part.starts)
    if seen.last < len(known.starts):
        starts += tuple([at + shift for at in known.starts[seen.last :]])
    ids = known.ids[: seen.first] + part.ids + known.ids[seen.last :]
    return Outline(starts, ids, known.known, part.twice)


def common_start(old: bytes, new: bytes) -> int:
    """How many bytes both begin with."""
    least, most = 0, min(len(old), len(new))
    if new.startswith(old[:most]):
        return most
    while most - least > 1:
        middle = (least + most) // 2
        if old[least:middle] == new[least:middle]:
            least = middle
        else:
            most = middle
    return least


def common_end(old: bytes, new: bytes, limit: int) -> int:
    """How many bytes both end with, at most `limit`."""
    least, most = 0, limit
    if most == 0 or new.endswith(old[len(old) - most :]):
        return most
    while most - least > 1:
        middle = (least + most) // 2
        if old[len(old) - middle : len(old) - least] == new[len(new) - middle : len(new) - least]:
            least = middle
        else:
            most = middle
    return least
