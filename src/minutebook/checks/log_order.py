"""Entries keep their order within a log, and new ones stand at its open end."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from itertools import pairwise

from minutebook.ground.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from minutebook.checks.pairing import Pairing
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory import Memory

_RULE = "append-only"
_NAMED = 5
_FIX = "restore their order"


def displaced(pairing: Pairing, base: Memory) -> Iterator[Problem]:
    """The fewest sealed entries whose move explains a changed order. Order counts among the entries that went from
    one file to one file, so a log may be split."""
    lines: dict[tuple[str, str], list[tuple[Entry, Entry]]] = defaultdict(list)
    for old, new in pairing.kept:
        if old.in_log and new.in_log:
            lines[old.path, new.path].append((old, new))
    for moved in lines.values():
        moved.sort(key=lambda item: item[1].line)
        if all(one[0].line < other[0].line for one, other in pairwise(moved)):
            continue
        sealed = [(old.line, new) for old, new in moved if _is_sealed(old, base)]
        kept = _longest_rising([was for was, _ in sealed])
        away = [new for at, (_, new) in enumerate(sealed) if at not in kept]
        for new in away[:_NAMED]:
            message = f"{new.id} is sealed and was moved within its log"
            yield Problem(new.path, new.line, _RULE, message, _FIX, new.id)
        for new in away[_NAMED : _NAMED + 1]:
            message = f"{len(away) - _NAMED} more sealed entries were moved within this log"
            yield Problem(new.path, new.line, _RULE, message, _FIX, new.id)


def misplaced(pairing: Pairing, result: Memory, witnesses: Sequence[Memory]) -> Iterator[Problem]:
    """New entries that don't stand at the open end: sealed entries of the same file come before them.

    `witnesses` are the sides of merges. Where one of them holds the new entry and not the old one, the new entry
    was at the open end when it was written, and the merge put it where it is: in either order that's lawful.
    """
    newcomers: dict[str, list[str]] = defaultdict(list)
    for entry in pairing.new:
        if entry.in_log:
            newcomers[entry.path].append(entry.id)
    if not newcomers:
        return
    known = [{entry.id for entry in witness.entries(archived=True)} for witness in witnesses]
    before = {(new.path, new.id): old for old, new in pairing.kept}
    copies = {(entry.path, entry.line) for entry, _ in pairing.twice}
    for path, ids in newcomers.items():
        order = result.order(result.types[result.files[path].type])
        entries = result.files[path].entries
        passed: list[Entry] = []
        left = len(ids)
        for entry in entries if order == "newest-first" else reversed(entries):
            if entry.id in ids:
                left -= 1
                olds = (old for old in passed if _is_sealed(old, result) and not _explained(entry.id, old.id, known))
                first = next(olds, None)
                if first is not None:
                    where = "top" if order == "newest-first" else "end"
                    message = f"{entry.id} is new and stands past {first.id}: new entries go to the {where} of this log"
                    yield Problem(path, entry.line, _RULE, message, f"move it to the {where} of {path}", entry.id)
            elif (entry.path, entry.line) not in copies:
                old = before.get((path, entry.id), entry)  # what isn't paired is as it was
                passed += [old] if old.path == path else []
            if not left:
                break


def _is_sealed(entry: Entry, memory: Memory) -> bool:
    return memory.type_of(entry).stage(entry.status) != "draft"


def _explained(new: str, old: str, known: Sequence[set[str]]) -> bool:
    return any(new in ids and old not in ids for ids in known)


def _longest_rising(values: Sequence[int]) -> set[int]:
    """The places of a longest strictly rising subsequence (patience sorting, O(n log n))."""
    tails: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for at, value in enumerate(values):
        rank = bisect_left(tails, value)
        previous.append(ends[rank - 1] if rank else -1)
        tails[rank : rank + 1] = [value]
        ends[rank : rank + 1] = [at]
    found: set[int] = set()
    at = ends[-1] if ends else -1
    while at >= 0:
        found.add(at)
        at = previous[at]
    return found
