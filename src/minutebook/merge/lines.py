"""Three-way merge of lines, and of single values."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import takewhile

from minutebook.ground.frozen import frozen, replace
from minutebook.ground.markdown import split_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeVar

    Value = TypeVar("Value")

OURS, THEIRS, NEITHER = 0, 1, -1
_MOST = 1_000_000  # pairs of lines; comparing more would take for ever, and the part that differs counts as one change


@frozen
class Way:
    """How two sides are joined. `marker` is the length of conflict markers; `both_at_end` when what both sides put
    after the last line is kept from both; `first` is the side whose words come first there, OURS or THEIRS."""

    marker: int = 7
    both_at_end: bool = False
    first: int = 0


@frozen
class Lines:
    """Merged text. `clean` is False when it holds conflict markers."""

    text: str
    clean: bool = True


@frozen
class _Hunk:
    """Lines `start` to `end` of the base become `lines`."""

    start: int
    end: int
    lines: tuple[str, ...]


def settled(base: Value, ours: Value, theirs: Value) -> tuple[Value] | None:
    """The value where at most one side changed it, or both to the same; None when it's in conflict."""
    if ours == theirs or theirs == base:
        return (ours,)
    return (theirs,) if ours == base else None


def conflict(ours: str, theirs: str, way: Way) -> str:
    """Both texts between conflict markers."""
    newline = "\r\n" if (ours or theirs).partition("\n")[0].endswith("\r") else "\n"
    parts = (f"{'<' * way.marker} ours", _ended(ours, newline), f"{'=' * way.marker}", _ended(theirs, newline))
    return f"{parts[0]}{newline}{parts[1]}{parts[2]}{newline}{parts[3]}{'>' * way.marker} theirs{newline}"


def merged_lines(base: str, ours: str, theirs: str, way: Way) -> Lines:
    """Merge line by line. Changes that only touch each other are no conflict: a line that one side changed and a line
    that the other put after it both stay."""
    known = settled(base, ours, theirs)
    if known is not None:
        return Lines(known[0])
    old, mine, other = split_lines(base), split_lines(ours), split_lines(theirs)
    sides = (_hunks(old, mine, way), _hunks(old, other, way))
    out: list[str] = []
    clean, at, left = True, 0, [0, 0]
    while left[0] < len(sides[0]) or left[1] < len(sides[1]):
        start, end, groups = _region(sides, left)
        out += old[at:start]
        texts = [_applied(old, start, end, group) for group in groups]
        if not groups[0] or not groups[1] or texts[0] == texts[1]:
            out += texts[1] if not groups[0] else texts[0]
        elif way.both_at_end and start == len(old) > 0:
            out += _both(texts[0], texts[1], way)
        else:
            clean = False
            out += _marked(texts[0], texts[1], way)
        at = end
    return Lines("".join(out + old[at:]), clean)


def _hunks(old: Sequence[str], new: Sequence[str], way: Way) -> list[_Hunk]:
    found = _differences(old, new)
    last = found[-1] if found else _Hunk(0, 0, ())
    replaced = last.end - last.start
    if way.both_at_end and last.end == len(old) and 0 < replaced < len(last.lines):
        # The last lines were changed and more was put after them: the latter is an addition like any other.
        found[-1:] = [replace(last, lines=last.lines[:replaced]), _Hunk(len(old), len(old), last.lines[replaced:])]
    return found


def _differences(old: Sequence[str], new: Sequence[str]) -> list[_Hunk]:
    head = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    rest = zip(reversed(old[head:]), reversed(new[head:]), strict=False)
    tail = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], rest))
    before, after = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(before) * len(after) > _MOST:
        return [_Hunk(head, len(old) - tail, tuple(after))]
    found = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [
        _Hunk(head + i1, head + i2, tuple(after[j1:j2])) for tag, i1, i2, j1, j2 in found if tag != "equal"
    ]  # fmt: skip


def _region(
    sides: tuple[list[_Hunk], list[_Hunk]], left: list[int]
) -> tuple[int, int, tuple[list[_Hunk], list[_Hunk]]]:
    """The next lines of the base that are changed, and either side's changes that overlap there; `left` moves on."""
    heads = [(sides[side][at], side) for side, at in enumerate(left) if at < len(sides[side])]
    start, end, side = min((hunk.start, hunk.end, side) for hunk, side in heads)
    groups: tuple[list[_Hunk], list[_Hunk]] = ([sides[side][left[side]]], [])
    groups = groups if side == 0 else ([], groups[0])
    left[side] += 1
    grew = True
    while grew:
        grew = False
        for each in (0, 1):
            while left[each] < len(sides[each]) and _overlaps(start, end, sides[each][left[each]]):
                groups[each].append(sides[each][left[each]])
                end = max(end, sides[each][left[each]].end)
                left[each] += 1
                grew = True
    return start, end, groups


def _overlaps(start: int, end: int, hunk: _Hunk) -> bool:
    return hunk.start < end or (start == end == hunk.start == hunk.end)


def _applied(old: Sequence[str], start: int, end: int, hunks: Sequence[_Hunk]) -> list[str]:
    out: list[str] = []
    for hunk in hunks:
        out += [*old[start : hunk.start], *hunk.lines]
        start = hunk.end
    return out + list(old[start:end])


def _both(ours: list[str], theirs: list[str], way: Way) -> list[str]:
    """What both sides added at the end; where one side's is the beginning of the other's, it's the same addition."""
    first, second = (theirs, ours) if way.first == THEIRS else (ours, theirs)
    for short, long in ((first, second), (second, first)):
        if [line.rstrip() for line in long[: len(short)]] == [line.rstrip() for line in short]:
            return long
    first = [*first[:-1], _ended(first[-1], "\r\n" if second[0].endswith("\r\n") else "\n")]
    return first + second


def _marked(ours: list[str], theirs: list[str], way: Way) -> list[str]:
    """Markers around what differs; what both sides say alike stands outside of them."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(ours, theirs, strict=False)))
    most = min(len(ours), len(theirs)) - same
    pairs = zip(reversed(ours), reversed(theirs), strict=False)
    last = min(most, sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs)))
    mine, other = ours[same : len(ours) - last], theirs[same : len(theirs) - last]
    return [*ours[:same], conflict("".join(mine), "".join(other), way), *ours[len(ours) - last :]]


def _ended(text: str, newline: str) -> str:
    return text if not text or text.endswith("\n") else text + newline
