"""What a change makes doubtful: entries are compared with the commit that it started from, whatever it did to them."""

from collections.abc import Collection, Mapping
from datetime import date

from minutebook.edges import git
from minutebook.edges.entry_rows import Row, every_row
from minutebook.edges.memory_history import commits_since, texts_at
from minutebook.ground.change import File
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import replace
from minutebook.ground.memory import Memory, read_file
from minutebook.refresh.anchors import references
from minutebook.refresh.findings import Finding, Signal
from minutebook.refresh.stale import find_stale
from minutebook.staleness.held import only
from minutebook.staleness.past import shipped_model
from minutebook.staleness.recall import Place, naming, place_of, references_in, signals_in, with_signals
from minutebook.staleness.then_and_now import Ground, commit_of, drifting, past_of


def by_change(around: Ground, memory: Memory, today: date, start: str) -> list[Finding]:
    """What the change from `start` on makes doubtful: what an entry named there already is compared with what `start`
    held, so that only what changed from there on shows, and an entry that the change itself touched isn't silent. What
    came into the entry later is compared with the commit that it came in by."""
    later = commits_since(around.top, start, around.head)
    day = git.asked(around.top, "log", "-1", "--format=%cs", start) or ""
    rows = {row.place: row for row in every_row(around.cached.connection)}
    active = {place: row for place, row in rows.items() if not row.archived}
    touched = {place: row for place, row in active.items() if not row.touch or commit_of(row) in later}
    stood = _named_at(around, only(memory, touched), start)
    from_start = {place: replace(row, touch=f"{start} {day}", heard=None) for place, row in active.items()}
    for place, row in touched.items():
        said = [each for each in references_in(row) if each.text in stood.get(place, ())]
        rest = [each for each in references_in(row) if each.text not in stood.get(place, ())]
        from_start[place] = naming(replace(from_start[place], touch=from_start[place].touch if said else ""), said)
        touched[place] = naming(replace(row, heard=None), rest)
    heard = _heard(around, memory, from_start, today)
    for place, signals in _heard(around, memory, touched, today).items():
        heard[place] = (*heard.get(place, ()), *signals)
    for place, row in active.items():
        rows[place] = with_signals(row, heard.get(place, ()))
    return _found(around, memory, rows, (), today)


def _heard(around: Ground, memory: Memory, rows: dict[Place, Row], today: date) -> dict[Place, tuple[Signal, ...]]:
    """What the code says of these entries, each compared with the commit that its row names."""
    _found(around, only(memory, rows), rows, rows, today)
    return {place: signals_in(row) or () for place, row in rows.items()}


def _found(
    around: Ground, memory: Memory, rows: dict[Place, Row], places: Collection[Place], today: date
) -> list[Finding]:
    past = past_of(around, memory, rows, places)
    return find_stale(memory, past, today, drifting(around.top, around.cached), shipped_model(), by_change=True)


def _named_at(around: Ground, memory: Memory, start: str) -> Mapping[Place, frozenset[str]]:
    """What each of these entries named at `start`; those that weren't there are missing."""
    entries = {place_of(entry): entry for entry in memory.entries()}
    before = texts_at(around.top, start, around.head, {path for path, _ in entries})
    files = {
        path: read_file(path, File(data), memory.types[memory.files[path].type], memory.config)
        for path, data in before.items()
    }
    found = {}
    for place, entry in entries.items():
        was = _same(entry, files[entry.path].entries) if entry.path in files else None
        if was is not None:
            found[place] = frozenset(each.text for each in references(was))
    return found


def _same(entry: Entry, entries: Collection[Entry]) -> Entry | None:
    """The entry as it was: in a log that of its id; a file's one entry, whatever its id was then."""
    return next((each for each in entries if each.id == entry.id or not entry.in_log), None)
