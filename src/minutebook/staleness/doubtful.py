"""Which entries a change can make doubtful, or true again: told by their marks, without reading them."""

from collections.abc import Collection, Iterable, Mapping

from minutebook.edges.code_words import scan, words_in
from minutebook.edges.entry_rows import Row, marked, marks_on, naming_nobody, rows_called, rows_of
from minutebook.edges.memory_history import absent, changes
from minutebook.refresh.reach import reach_of
from minutebook.refresh.vocabulary import spots_in
from minutebook.staleness.past import scans_of
from minutebook.staleness.recall import GONE, MENTIONS, REPLACES
from minutebook.staleness.then_and_now import Ground, commit_of


def doubted_by_code(ground: Ground, old: str) -> set[int]:
    """The numbers of the entries of which the code may say other things at the head than it did at `old`."""
    if old == ground.head:
        return set()
    before, after = changes(ground.top, old, ground.head, ground.roots)
    connection = ground.cached.connection
    names = scans_of([*before.items(), *after.items()])
    scan(ground.top, connection, names, (), spots_in)
    if ground.cached.said("state", "scanned") == old:
        ground.cached.note("state", {"scanned": ground.head})
    found = marked(connection, reach_of(before, words_in(connection, names)).marks)
    # Memory is read as it lies there, and compared from the first commit after the one that an entry speaks of.
    found |= naming_nobody(connection, MENTIONS, "name ")
    return found | _doubted_by_what_is_new(ground, before, after)


def _doubted_by_what_is_new(ground: Ground, before: Mapping[str, str], after: Mapping[str, str]) -> set[int]:
    """Where something that is gone may have gone to hangs on all files that weren't there when the entry was touched,
    and on all that were there then and no more."""
    numbers = marked(ground.cached.connection, [GONE]) if before else set()
    if not numbers or any(not blob for blob in (*before.values(), *after.values())):
        return numbers
    rows = rows_of(ground.cached.connection, numbers)
    lacking = absent(ground.top, {commit_of(row) for row in rows}, before.keys())
    return {row.number for row in rows if commit_of(row) in lacking and row.number is not None}


def ids_around(ground: Ground, rows: Collection[Row]) -> set[str]:
    """The ids of these entries, and those that they name."""
    numbers = [row.number for row in rows if row.number is not None]
    return {row.id for row in rows} | marks_on(ground.cached.connection, numbers, MENTIONS)


def that_name(ground: Ground, ids: Iterable[str]) -> list[Row]:
    """The entries that have one of these ids, or name one."""
    listed = list(ids)
    connection = ground.cached.connection
    naming = rows_of(connection, marked(connection, [f"{MENTIONS}{name}" for name in listed]))
    return [*rows_called(connection, listed), *naming]


def judged_with(ground: Ground, rows: Collection[Row]) -> list[Row]:
    """The entries that a judgement of these looks at: those that they name, and what supersedes one of all these."""
    ids = list(ids_around(ground, rows))
    connection = ground.cached.connection
    replacing = rows_of(connection, marked(connection, [f"{REPLACES}{name}" for name in ids]))
    return [*rows_called(connection, ids), *replacing]
