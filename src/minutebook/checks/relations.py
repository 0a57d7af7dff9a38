"""What an entry points to is there."""

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from minutebook.checks.judged import entries_before, is_adopted
from minutebook.checks.judgement import Case
from minutebook.ground.entry import Entry
from minutebook.ground.log_lines import looks_like_id
from minutebook.ground.problem import Problem, Severity

_RELATIONS = ("related_to", "derived_from", "contradicts")
_FIELDS = ("supersedes", "superseded_by", *_RELATIONS)
_MOST_CYCLES = 20


def relations(case: Case) -> Iterator[Problem]:
    """`supersedes`, `superseded_by` and the ids under `relations` name entries that exist, in the archive or not, and
    never the entry itself; `supersedes` goes round in no circle.

    An entry that a change removes may have been pointed to from elsewhere: that is reported where it is pointed from.
    Words in a log's `Related` that are no id are left alone.
    """
    known = {entry.id.casefold() for entry in case.result.entries(archived=True)}
    gone = {entry.id.casefold() for entry in case.base.entries(archived=True)} - known if case.base else set[str]()
    changed = {(entry.path, entry.line) for entry in case.changed_entries()}
    olds = entries_before(case)
    for entry in case.result.entries(archived=True):
        is_new = (entry.path, entry.line) in changed
        for field, target in _targets(entry):
            folded = target.casefold()
            if folded == entry.id.casefold():
                message = f"`{field}` of {entry.id} names the entry itself"
            elif folded not in known and (is_new or folded in gone):
                message = f"`{field}` names {target}, and there is no such entry"
            else:
                continue
            if is_new or folded in gone:
                adopted = is_adopted(case, entry, olds.get((entry.type, entry.id)))
                fix = f"minutebook search {target}" if folded != entry.id.casefold() else f"take it out of `{field}`"
                severity: Severity = "warning" if adopted else "error"
                yield Problem(entry.path, _line(entry, field), "relations", message, fix, entry.id, severity)
    yield from _cycles(case, changed)


def _targets(entry: Entry) -> Iterator[tuple[str, str]]:
    for field in _FIELDS:
        for target in entry.ids(field):
            if field not in _RELATIONS or not entry.in_log or looks_like_id(target):
                yield field, target


def _line(entry: Entry, field: str) -> int:
    for path in ((field,), ("relations", field), ("related",)):
        if path in entry.lines:
            return entry.lines[path]
    return entry.line


def _cycles(case: Case, changed: set[tuple[str, int]]) -> Iterator[Problem]:
    entries = {entry.id.casefold(): entry for entry in case.result.entries(archived=True)}
    graph: dict[str, set[str]] = {name: set() for name in entries}
    for name, entry in entries.items():
        for older in map(str.casefold, entry.ids("supersedes")):
            if older in entries and older != name:
                graph[name].add(older)
        for newer in map(str.casefold, entry.ids("superseded_by")):
            if newer in entries and newer != name:
                graph[newer].add(name)
    for _ in range(_MOST_CYCLES):
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle = [entries[name] for name in error.args[1][:-1]]
        else:
            return
        touched = [entry for entry in circle if (entry.path, entry.line) in changed]
        if touched:
            at = touched[0]
            names = " → ".join(sorted(entry.id for entry in circle))
            message = f"these supersede one another in a circle: {names}"
            fix = "an older entry can't supersede a newer one: take one `supersedes` away"
            yield Problem(at.path, _line(at, "supersedes"), "relations", message, fix, at.id)
        for entry in circle:
            graph[entry.id.casefold()] = set()
