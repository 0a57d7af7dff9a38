"""Entries keep their order within a log, and new ones stand at its open end."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence

from minutebook.checks.pairing import Pairing
from minutebook.ground.entry import Entry
from minutebook.ground.memory import Memory
from minutebook.ground.problem import Problem

_RULE = "append-only"
_NAMED = 5


def displaced(pairing: Pairing, base: Memory) -> Iterator[Problem]:
    """The fewest sealed entries whose move explains a changed order. Order counts among the entries that went from
    one file to one file, so a log may be split."""
    lines: dict[tuple[str, str], list[tuple[int, Entry]]] = defaultdict(list)
    for old, new in pairing.kept:
        if old.in_log and new.in_log and base.type_of(old).stage(old.status) != "draft":
            lines[old.path, new.path].append((old.line, new))
    for moved in lines.values():
        moved.sort(key=lambda item: item[1].line)
        kept = _longest_rising([was for was, _ in moved])
        away = [new for at, (_, new) in enumerate(moved) if at not in kept]
        for new in away[:_NAMED]:
            message = f"{new.id} is sealed and was moved within its log"
            yield Problem(new.path, new.line, _RULE, message, "leave the entries in their order", new.id)
        for new in away[_NAMED : _NAMED + 1]:
            message = f"{len(away) - _NAMED} more sealed entries were moved within this log"
            yield Problem(new.path, new.line, _RULE, message, "leave the entries in their order", new.id)


def misplaced(pairing: Pairing, result: Memory, witnesses: Sequence[Memory]) -> Iterator[Problem]:
    """New entries that don't stand at the open end: sealed entries of the same file come before them.

    `witnesses` are the sides of merges. Where one of them holds the new entry and not the old one, the new entry
    was at the open end when it was written, and the merge put it where it is: in either order that's lawful.
    """
    sealed = {
        (new.path, new.id)
        for old, new in pairing.kept
        if old.path == new.path and result.type_of(old).stage(old.status) != "draft"
    }
    known = [{entry.id for entry in witness.entries(archived=True)} for witness in witnesses]
    newcomers: dict[str, set[str]] = defaultdict(set)
    for entry in pairing.new:
        if entry.in_log:
            newcomers[entry.path].add(entry.id)
    for path, ids in newcomers.items():
        order = result.order(result.types[result.files[path].type])
        entries = result.files[path].entries
        before: list[str] = []
        for entry in entries if order == "newest-first" else reversed(entries):
            if (path, entry.id) in sealed:
                before.append(entry.id)
            elif entry.id in ids:
                first = next((old for old in before if not _explained(entry.id, old, known)), None)
                if first is not None:
                    where = "top" if order == "newest-first" else "end"
                    message = f"{entry.id} is new and stands past {first}: new entries go to the {where} of this log"
                    yield Problem(path, entry.line, _RULE, message, f"move it to the {where} of {path}", entry.id)


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
