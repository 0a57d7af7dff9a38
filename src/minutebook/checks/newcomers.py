"""New entries: their dates, what they supersede, and whether a merge brought them in by itself."""

from __future__ import annotations

from minutebook.checks.pairing import promised_files, unnamed
from minutebook.ground.lazy import lazy
from minutebook.ground.problem import Problem
from minutebook.ground.standing import closed_as, says_superseded
from minutebook.ground.tombstone import read_tombstone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from minutebook.checks.judgement import Case
    from minutebook.checks.pairing import Pairing
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory import Memory

_RULE = "append-only"
_DAY = lazy(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SINCE_2000 = lazy(r"2[0-9]{3}-[0-9]{2}-[0-9]{2}")  # a digit to look for makes it twelve times as fast


def newcomers(pairing: Pairing, case: Case) -> Iterator[Problem]:
    """What is odd about the entries that the base doesn't have."""
    if not pairing.new or case.base is None:
        return
    yield from _from_nowhere(pairing, case)
    yield from _dates(pairing, case.base, case.today)
    yield from _supersedes(pairing, case.base)
    for entry in pairing.new:
        if read_tombstone(entry) is not None:
            message = f"{entry.id} is a tombstone, and nothing of that id was published: there is nothing to expunge"
            yield Problem(entry.path, entry.line, _RULE, message, "take it out", entry.id, "warning")


def _from_nowhere(pairing: Pairing, case: Case) -> Iterator[Problem]:
    """Entries that no side of a merge holds. One that got a new id, since both sides had used the old, is known."""
    if not case.parents:
        return
    sides = [*case.parents, case.base] if case.base is not None else case.parents
    held = [entry for side in sides for file in promised_files(side) for entry in file.entries]
    known = {entry.id for entry in held}
    fresh = [entry for entry in pairing.new if entry.id not in known]
    texts = {text for entry in held for text in unnamed(entry)} if fresh else set()
    for entry in fresh:
        if texts.isdisjoint(unnamed(entry)):
            message = f"{entry.id} is new in the merge itself: neither side holds it"
            yield Problem(
                entry.path, entry.line, _RULE, message, "commit the merge first, then the new entry", entry.id
            )


def _dates(pairing: Pairing, base: Memory, today: date) -> Iterator[Problem]:
    days = [(entry, day) for entry in pairing.new if (day := _day(entry))]
    earlier = [(entry, day) for entry, day in days if day < today.isoformat()]  # today's is the newest that may be
    newest = {
        name: _newest(base, name, min(day for entry, day in earlier if entry.type == name))
        for name in {entry.type for entry, _ in earlier}
    }
    latest = _day_after(today)
    for entry, day in days:
        if day > latest:
            yield _odd(entry, f"{entry.id} is dated {day}, which is in the future")
        elif newest.get(entry.type, "") > day:
            yield _odd(entry, f"{entry.id} is new and dated {day}, before the newest published {newest[entry.type]}")


def _newest(base: Memory, name: str, after: str) -> str:
    """The newest date of a published entry of the type, if it is later than `after`. Only entries that hold such a
    date anywhere are read."""
    newest, dates = after, _SINCE_2000 if after > "2" else _DAY
    for file in promised_files(base):
        if file.type == name and max(dates.findall(file.text), default="") > newest:
            for entry in file.entries:
                if max(dates.findall(entry.text), default="") > newest:
                    newest = max(newest, _day(entry))
    return newest


def _day(entry: Entry) -> str:
    days = (_DAY.match(str(entry.fields.get(name, ""))) for name in ("date", "created"))
    return next((day[0] for day in days if day is not None), "")


def _day_after(today: date) -> str:
    """A day of grace: it's tomorrow already for whoever lives east of here."""
    return today.fromordinal(today.toordinal() + 1).isoformat()


def _odd(entry: Entry, message: str) -> Problem:
    return Problem(entry.path, entry.line_of("date"), _RULE, message, "", entry.id, "warning")


def _supersedes(pairing: Pairing, base: Memory) -> Iterator[Problem]:
    """Nothing supersedes silently what no longer holds: because it says so itself, or another entry, published or
    just as new, has taken its place already."""
    wanted: dict[str, list[Entry]] = {}
    for entry in pairing.new:
        for name in entry.ids("supersedes"):
            wanted.setdefault(name.casefold(), []).append(entry)
    if not wanted:
        return
    held = [entry for file in promised_files(base) for entry in file.entries]
    closed = {entry.id.casefold(): entry for entry in held if entry.id.casefold() in wanted}
    closed = {name: entry for name, entry in closed.items() if closed_as(entry, base.type_of(entry))}
    takers = {name: each.id for each in held for name in says_superseded(each, wanted)}
    for name, entries in wanted.items():
        for entry in entries:
            old = closed.get(name)
            rival = takers.get(name) or next((each.id for each in entries if each is not entry), "")
            if old is not None and entry.id not in old.ids("superseded_by"):
                message = f"{entry.id} supersedes {old.id}, which no longer holds already"
            elif old is None and rival:
                message = f"{entry.id} supersedes {_spelled(entry, name)}, and so does {rival}"
            else:
                continue
            fix = "supersede what replaced it"
            yield Problem(entry.path, entry.line_of("supersedes"), _RULE, message, fix, entry.id, "warning")


def _spelled(entry: Entry, name: str) -> str:
    return next(each for each in entry.ids("supersedes") if each.casefold() == name)
