"""What an entry points to is there."""

from __future__ import annotations

from collections import Counter

from minutebook.checks.judged import entries_before, is_adopted
from minutebook.ground.log_lines import looks_like_id
from minutebook.ground.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from minutebook.checks.judgement import Case
    from minutebook.ground.entry import Entry
    from minutebook.ground.problem import Severity

_RELATIONS = ("related_to", "derived_from", "contradicts")
_FIELDS = ("supersedes", "superseded_by", *_RELATIONS)
_MOST_CYCLES = 20
_MOST = 200


def relations(case: Case) -> Iterator[Problem]:
    """What an entry points to is there, isn't the entry itself, and supersession goes round in no circle.

    That holds for `supersedes`, `superseded_by` and the ids under `relations`; the archive counts. An entry that a
    change removes may have been pointed to from elsewhere: that is reported where it is pointed from. Words in a log's
    `Related` that have no form of an id are left alone, and so is what pointed to nothing before.

    Of a file with more than 200 such problems the first are told, and of the others how many there are.

    Severity: error. A warning in a GAAI tree or file, or in a decision record that the config maps, until the entry is
    edited.
    """
    ids = {entry.id for entry in case.result.entries(archived=True)}
    was = {entry.id for entry in case.base.entries(archived=True)} if case.base is not None else set[str]()
    missing = was - ids
    if not missing and not any(True for entry in case.judged for _ in _targets(entry)):
        return
    entries = {entry.id.casefold(): entry for entry in case.result.entries(archived=True)}
    gone = {name.casefold() for name in missing} - entries.keys()
    olds = entries_before(case) if case.judged else {}
    told: Counter[str] = Counter()
    untold: Counter[tuple[str, Severity]] = Counter()
    for entry in case.judged:
        adopted = is_adopted(case, entry, olds.get((entry.type, entry.id)))
        itself = entry.id.casefold()
        for field, target in _targets(entry):
            name = target.casefold()
            if name in entries and name != itself:
                continue
            told[entry.path] += 1
            if told[entry.path] > _MOST:
                untold[entry.path, "warning" if adopted else "error"] += 1
            elif name == itself:
                message = f"`{field}` of {entry.id} names the entry itself"
                yield _problem(entry, field, message, f"take it out of `{field}`", adopted=adopted)
            else:
                yield _lost(entry, field, target, adopted=adopted)
    for (path, severity), number in untold.items():
        # The number is part of the message: one more is another problem, and no baseline holds it.
        message = f"beside those listed, {number} relations lead nowhere"
        yield Problem(path, 0, "relations", message, "mend those first", "", severity)
    fresh = {(entry.path, entry.line) for entry in case.judged}
    for entry in case.result.entries(archived=True) if gone else ():
        text = entry.text.casefold()
        if (entry.path, entry.line) not in fresh and any(name in text for name in gone):
            for field, target in _targets(entry):
                if target.casefold() in gone:
                    yield _lost(entry, field, target, adopted=is_adopted(case, entry, entry))
    yield from _cycles(case, entries)


def _lost(entry: Entry, field: str, target: str, *, adopted: bool) -> Problem:
    message = f"`{field}` names {target:.128}, and there is no such entry"
    return _problem(entry, field, message, f"minutebook search {target:.128}", adopted=adopted)


def _problem(entry: Entry, field: str, message: str, fix: str, *, adopted: bool) -> Problem:
    severity: Severity = "warning" if adopted else "error"
    return Problem(entry.path, _line(entry, field), "relations", message, fix, entry.id, severity)


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


def _cycles(case: Case, entries: Mapping[str, Entry]) -> Iterator[Problem]:
    """Circles that the change closes: they go through an entry that says something of supersession."""
    speaking = [entry for entry in case.judged if _speaks(entry)]
    if not any(entry.ids(field) for entry in speaking for field in _FIELDS[:2]):
        return
    changed = {(entry.path, entry.line) for entry in case.judged}
    for circle in _circles(_newer_to_older(entries)):
        touched = [entries[name] for name in circle if (entries[name].path, entries[name].line) in changed]
        if touched:
            at = min(touched, key=lambda entry: (entry.path, entry.line))
            names = " → ".join(sorted(entries[name].id for name in circle))
            message = f"these supersede one another in a circle: {names}"
            fix = "an older entry can't supersede a newer one: take one `supersedes` away"
            yield Problem(at.path, _line(at, "supersedes"), "relations", message, fix, at.id)


def _speaks(entry: Entry) -> bool:
    """Whether it may supersede, or be superseded: most entries have no such word, and needn't be read further."""
    return "supersede" in entry.text.casefold()


def _newer_to_older(entries: Mapping[str, Entry]) -> dict[str, set[str]]:
    graph: dict[str, set[str]] = {}
    for name, entry in entries.items():
        if _speaks(entry):
            for older in map(str.casefold, entry.ids("supersedes")):
                if older in entries and older != name:
                    graph.setdefault(name, set()).add(older)
            for newer in map(str.casefold, entry.ids("superseded_by")):
                if newer in entries and newer != name:
                    graph.setdefault(newer, set()).add(name)
    return graph


def _circles(graph: dict[str, set[str]]) -> Iterator[list[str]]:
    """A few circles, found in one walk that goes on from no entry twice."""
    done: set[str] = set()
    left = _MOST_CYCLES
    for start in sorted(graph):
        places: dict[str, int] = {}  # on the way from `start` to where the walk is
        waiting = [(start, True)]
        while waiting:
            name, enters = waiting.pop()
            if not enters:
                del places[name]
                done.add(name)
            elif name in places:
                yield list(places)[places[name] :]
                left -= 1
                if not left:
                    return
            elif name not in done:
                places[name] = len(places)
                waiting.append((name, False))
                waiting += [(older, True) for older in sorted(graph.get(name, ()), reverse=True)]
