"""New entries: their dates, what they supersede, and whether a merge brought them in by itself."""

from collections.abc import Iterator
from datetime import date, timedelta

from minutebook.checks.judgement import Case
from minutebook.checks.pairing import Pairing, promised_files
from minutebook.checks.parts import sealed_text
from minutebook.ground.entry import Entry
from minutebook.ground.memory import Memory
from minutebook.ground.problem import Problem

_RULE = "append-only"


def newcomers(pairing: Pairing, case: Case) -> Iterator[Problem]:
    """What is odd about the entries that the base doesn't have."""
    if not pairing.new or case.base is None:
        return
    yield from _from_nowhere(pairing, case)
    yield from _dates(pairing, case.base, case.today)
    yield from _supersedes(pairing, case.base)


def _from_nowhere(pairing: Pairing, case: Case) -> Iterator[Problem]:
    """Entries that no side of a merge holds. One that got a new id, since both sides had used the old, is known."""
    if not case.parents:
        return
    sides = [*case.parents, case.base] if case.base is not None else case.parents
    held = [entry for side in sides for file in promised_files(side) for entry in file.entries]
    known, texts = {entry.id for entry in held}, {_body(entry) for entry in held}
    for entry in pairing.new:
        if entry.id not in known and _body(entry) not in texts:
            message = f"{entry.id} is new in the merge itself: neither side holds it"
            yield Problem(
                entry.path, entry.line, _RULE, message, "commit the merge first, then the new entry", entry.id
            )


def _body(entry: Entry) -> tuple[str, str]:
    return entry.title, sealed_text(entry.body)


def _dates(pairing: Pairing, base: Memory, today: date) -> Iterator[Problem]:
    newest: dict[str, str] = {}
    for file in promised_files(base):
        newest[file.type] = max([newest.get(file.type, ""), *(_day(entry) for entry in file.entries)])
    # A day of grace: it's tomorrow already for whoever lives east of here.
    latest = (today + timedelta(days=1)).isoformat()
    for entry in pairing.new:
        day = _day(entry)
        if day and day > latest:
            yield _odd(entry, f"{entry.id} is dated {day}, which is in the future")
        elif day and day < newest.get(entry.type, ""):
            yield _odd(entry, f"{entry.id} is new and dated {day}, before the newest published {newest[entry.type]}")


def _day(entry: Entry) -> str:
    day = entry.day("date", "created")
    return day.isoformat() if day is not None else ""


def _odd(entry: Entry, message: str) -> Problem:
    return Problem(entry.path, entry.line_of("date"), _RULE, message, "", entry.id, "warning")


def _supersedes(pairing: Pairing, base: Memory) -> Iterator[Problem]:
    wanted = {name for entry in pairing.new for name in entry.ids("supersedes")}
    if not wanted:
        return
    closed = {
        entry.id: entry.ids("superseded_by")
        for file in promised_files(base)
        for entry in file.entries
        if entry.id in wanted and base.is_closed(entry)
    }
    for entry in pairing.new:
        for name in entry.ids("supersedes"):
            if name in closed and entry.id not in closed[name]:
                message = f"{entry.id} supersedes {name}, which no longer holds already"
                line = entry.line_of("supersedes")
                yield Problem(entry.path, line, _RULE, message, "supersede what replaced it", entry.id, "warning")
