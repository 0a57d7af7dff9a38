"""What refresh knows of the entries, brought up to what their files and their history are now."""

import json
from collections.abc import Mapping

from minutebook.edges.code_words import scan
from minutebook.edges.entry_rows import (
    Row,
    all_ids,
    disputable,
    doubt,
    drop,
    every_row,
    keep,
    mark,
    numbers_of,
    parties_to,
    rows_at,
    rows_called,
    rows_of,
    untouched,
)  # fmt: skip
from minutebook.edges.entry_touches import changed_since, last_touched
from minutebook.ground.frozen import replace
from minutebook.ground.memory import Memory
from minutebook.refresh.vocabulary import spots_in
from minutebook.staleness.disputes import MOST_PARTIES, MOST_VALUES, disputed, rivals, state
from minutebook.staleness.doubtful import ids_around, that_name
from minutebook.staleness.held import UNREAD, Held, only
from minutebook.staleness.past import words_of
from minutebook.staleness.recall import Place, marks_of_entry, place_of, references_in, row_of
from minutebook.staleness.then_and_now import Ground, id_heads

_FEW = 500


def reread(around: Ground, held: Held, *, all_of_it: bool) -> str:
    """Bring the rows of entries up to what their files are now. "" when entries can be found again by their place; else
    all of them have to be judged in every run."""
    cached, connection = around.cached, around.cached.connection
    memory = held.whole() if all_of_it else held.some(held.changed)
    cached.note("state", {UNREAD: json.dumps(sorted(_unread(around, held, memory)))})
    known = every_row(connection) if all_of_it else rows_at(connection, held.changed | held.gone)
    before = {row.place: row for row in known}
    entries = {place_of(entry): entry for entry in memory.entries(archived=True)}
    current = {place_of(entry) for entry in memory.entries()}
    after = {place: row_of(each, place not in current, before.get(place)) for place, each in entries.items()}
    fresh = {place: row for place, row in after.items() if row is not before.get(place)}
    left = [row for place, row in before.items() if place in fresh or place not in after]
    heads = id_heads(all_ids(connection), memory)
    ids, rivalling = ids_around(around, left), rivals(cached, numbers_of(left))
    drop(connection, numbers_of(row for row in left if row.place not in after))
    written = _written(around, memory, fresh)
    doubted = that_name(around, ids | ids_around(around, written.values()))
    if heads != id_heads(all_ids(connection), memory):
        doubted = list(every_row(connection))
    doubt(connection, numbers_of(doubted))
    _dispute(around, held, rivalling | numbers_of(written.values()))
    return _irregular(around, memory, len(after))


def _unread(around: Ground, held: Held, memory: Memory) -> set[str]:
    """The files of memory that can't be read: of those that were read now, and of the others what is known."""
    known = set(json.loads(around.cached.said("state", UNREAD) or "[]")) - held.changed - held.gone
    return known | {path for path, file in memory.files.items() if file.problems and not file.entries}


def _written(around: Ground, memory: Memory, fresh: Mapping[Place, Row]) -> dict[Place, Row]:
    """Keep new rows, with their marks and claims, and see to it that the code is searched for their words."""
    cached, connection = around.cached, around.cached.connection
    keep(connection, list(fresh.values()))
    written = {row.place: row for row in rows_at(connection, {path for path, _ in fresh}) if row.place in fresh}
    active = {place: row for place, row in written.items() if not row.archived}
    entries = {place_of(entry): entry for entry in memory.entries()}
    mark(connection, {place: marks_of_entry(entries[place], row) for place, row in active.items()})
    state(cached, memory, active)
    asked = {word for row in active.values() for word in words_of(references_in(row))}
    scan(around.top, connection, (), asked, spots_in)
    return written


def _dispute(around: Ground, held: Held, numbers: set[int]) -> None:
    """Work out anew which entries can't both hold, where these claim something else than before."""
    cached, connection = around.cached, around.cached.connection
    rows = rows_of(connection, numbers | rivals(cached, numbers))
    rows = rows_called(connection, {row.id for row in rows})
    subjects = disputable(connection, numbers_of(rows), MOST_VALUES, MOST_PARTIES)
    parties = rows_of(connection, parties_to(connection, subjects))
    memory = held.some({row.path for row in parties}) if len(parties) < _FEW else held.whole()
    found = disputed(memory, parties, subjects)
    changed = [row for row in rows if row.disputed != found.get(row.place, "[]")]
    keep(connection, [replace(row, disputed=found.get(row.place, "[]"), finding=None) for row in changed])


def _irregular(around: Ground, memory: Memory, places: int) -> str:
    """Whether two entries have one place, or a log may only point to entries that have a file: then what is read of a
    file hangs on others."""
    said = around.cached.said("state", "layouts")
    layouts = {f"{file.type}.{'log' if file.log else 'file'}" for file in memory.files.values() if file.entries}
    layouts |= set(said.split(" ")) if said else set()
    around.cached.note("state", {"layouts": " ".join(sorted(layouts))})
    mixed = any(f"{each.removesuffix('.log')}.file" in layouts for each in layouts if each.endswith(".log"))
    same = places != sum(1 for _ in memory.entries(archived=True))
    return "yes" if mixed or same else ""


def retouch(around: Ground, held: Held, before: str) -> None:
    """Find out when entries were touched: all of them, or those that commits since `before` changed or nobody knows."""
    connection = around.cached.connection
    rows = untouched(connection) if before else list(every_row(connection))
    if before:
        rows += rows_at(connection, changed_since(around.top, held.bare, before, around.head))
    waiting = {row.place: row for row in rows if not row.archived}
    if not waiting:
        return
    paths = {path for path, _ in waiting}
    memory = only(held.some(paths) if len(paths) < _FEW else held.whole(), waiting.keys())
    found = last_touched(around.top, memory, around.head, paths)
    said = {place: f"{found[place].commit} {found[place].day}" if place in found else "" for place in waiting}
    changed = [row for place, row in waiting.items() if row.touch != said[place]]
    keep(connection, [replace(row, touch=said[row.place], heard=None, finding=None) for row in changed])
