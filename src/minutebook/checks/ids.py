"""An id names one entry."""

from collections import defaultdict
from collections.abc import Iterator

from minutebook.checks.judgement import Case
from minutebook.ground.entry import Entry
from minutebook.ground.memory import Memory
from minutebook.ground.problem import Problem


def ids(case: Case) -> Iterator[Problem]:
    """An id stands once in the whole memory, over all files, logs, domains and the archive.

    The case of its letters doesn't count, and the same text twice is two entries all the same. Of two entries with one
    id the newer one is named; both, when both are new. What stood there twice before is left alone.

    Severity: error.
    """
    names = [entry.id.casefold() for entry in case.result.entries(archived=True)]
    if len(set(names)) == len(names):
        return
    before = _by_id(case.base) if case.base is not None else {}
    changed = {_place(entry) for entry in case.changed_entries()}
    for name, entries in _by_id(case.result).items():
        if len(entries) == 1:
            continue
        new = [entry for entry in entries if _place(entry) in changed]
        if not new and len(entries) > len(before.get(name, ())):
            new = entries[1:]
        places = {_place(entry) for entry in new}
        first = next((entry for entry in entries if _place(entry) not in places), entries[0])
        for entry in new:
            other = first if entry is not first else entries[1]
            if case.base is not None or entry is not first:
                yield _problem(entry, other)


def _place(entry: Entry) -> tuple[str, int]:
    return entry.path, entry.line


def _problem(entry: Entry, other: Entry) -> Problem:
    where = "twice in this file" if other.path == entry.path else f"in {other.path} too"
    spelled = f" (as {other.id})" if other.id != entry.id else ""
    fix = f"give this entry an id of its own: minutebook new {entry.type} picks a free one"
    return Problem(entry.path, entry.line_of("id"), "ids", f"{entry.id} stands {where}{spelled}", fix, entry.id)


def _by_id(memory: Memory) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in memory.entries(archived=True):
        found[entry.id.casefold()].append(entry)
    return found
