"""What refresh knows of each entry, as rows of its cache: found by their place, and by what can make them doubtful."""

import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from minutebook.ground.entry import decode, encode
from minutebook.ground.frozen import as_tuple, frozen

_AT_ONCE = 500
_TOUCH = re.compile(r"[0-9a-f]{40,64} \d{4,}-\d\d-\d\d")
_COLUMNS = "path, id, archived, key, named, claimed, disputed, touch, heard, finding, quiet, number"


@frozen
class Row:
    """One entry. `key` is the digest of what was read of it; as JSON `named` is what it refers to, `claimed` what it
    claims, `disputed` what contradicts it. `touch` is `COMMIT DAY` of the commit that it speaks of, "" for none.
    `heard` is what the code says of it, `finding` what was found in all, as JSON, "" for nothing; None is what isn't
    known any more. `quiet` is the first and the last day that this holds for."""

    path: str
    id: str
    archived: bool
    key: str
    named: str = "[]"
    claimed: str = "[]"
    disputed: str = "[]"
    touch: str | None = None
    heard: str | None = None
    finding: str | None = None
    quiet: str = ""
    number: int | None = None

    @property
    def place(self) -> tuple[str, str]:
        return self.path, self.id


def numbers_of(rows: Iterable[Row]) -> set[int]:
    return {row.number for row in rows if row.number is not None}


def rows_at(connection: sqlite3.Connection, paths: Collection[str]) -> list[Row]:
    """The entries of these files."""
    return list(_selected(connection, "path", [encode(path) for path in paths]))


def rows_of(connection: sqlite3.Connection, numbers: Collection[int]) -> list[Row]:
    return list(_selected(connection, "number", list(numbers)))


def rows_called(connection: sqlite3.Connection, ids: Collection[str]) -> list[Row]:
    """The entries of these ids, those of the archive too."""
    return list(_selected(connection, "id", [encode(name) for name in ids]))


def every_row(connection: sqlite3.Connection) -> Iterator[Row]:
    yield from map(_row, connection.execute(f"SELECT {_COLUMNS} FROM entry"))


def all_ids(connection: sqlite3.Connection) -> frozenset[str]:
    return frozenset(decode(name) for (name,) in connection.execute("SELECT DISTINCT id FROM entry"))


def holds_id(connection: sqlite3.Connection, name: str) -> bool:
    return connection.execute("SELECT 1 FROM entry WHERE id = ? LIMIT 1", (encode(name),)).fetchone() is not None


def keep(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """Write the rows in place of those of the same number, or of the same place."""
    values = [(encode(row.path), encode(row.id), *as_tuple(row)[2:]) for row in rows]
    connection.executemany(f"INSERT OR REPLACE INTO entry ({_COLUMNS}) VALUES ({','.join('?' * 12)})", values)


def drop(connection: sqlite3.Connection, numbers: Collection[int]) -> None:
    """Forget these entries."""
    ones = [(number,) for number in numbers]
    connection.executemany("DELETE FROM entry WHERE number = ?", ones)
    connection.executemany("DELETE FROM mark WHERE number = ?", ones)
    connection.executemany("DELETE FROM claim WHERE number = ?", ones)


def mark(connection: sqlite3.Connection, marks: Mapping[tuple[str, str], Collection[str]]) -> None:
    """Set the marks of the entries at these places, in place of those that they had."""
    rows = {(path, name): number for path, name, number in _numbers(connection, {path for path, _ in marks})}
    known = [(rows[place], found) for place, found in marks.items() if place in rows]
    connection.executemany("DELETE FROM mark WHERE number = ?", [(number,) for number, _ in known])
    pairs = ((encode(each), number) for number, found in known for each in found)
    connection.executemany("INSERT OR IGNORE INTO mark VALUES (?, ?)", pairs)


def marked(connection: sqlite3.Connection, marks: Iterable[str]) -> set[int]:
    """The numbers of the entries that have one of these marks."""
    query = "SELECT number FROM mark WHERE mark IN ({})"
    return {number for (number,) in _in(connection, query, [encode(each) for each in marks])}


def marks_on(connection: sqlite3.Connection, numbers: Collection[int], kind: str) -> set[str]:
    """The marks of these entries that start with `kind`, without it."""
    found = (decode(each) for (each,) in _in(connection, "SELECT mark FROM mark WHERE number IN ({})", list(numbers)))
    return {each.removeprefix(kind) for each in found if each.startswith(kind)}


def naming_nobody(connection: sqlite3.Connection, kind: str, known: str) -> set[int]:
    """The numbers of the entries with a mark of this kind whose rest is no entry's id, nor anything that a mark of the
    kind `known` speaks of: a name of the code isn't an entry that can't be read just now."""
    held = {name for (name,) in connection.execute("SELECT id FROM entry")}
    held |= {mark.removeprefix(encode(known)) for mark, _ in _of_kind(connection, known)}
    first = encode(kind)
    return {number for mark, number in _of_kind(connection, kind) if mark.removeprefix(first) not in held}


def _of_kind(connection: sqlite3.Connection, kind: str) -> Iterator[tuple[bytes, int]]:
    first = encode(kind)
    query = "SELECT mark, number FROM mark WHERE mark >= ? AND mark < ?"
    yield from connection.execute(query, (first, first[:-1] + bytes([first[-1] + 1])))


def _numbers(connection: sqlite3.Connection, paths: Collection[str]) -> Iterator[tuple[str, str, int]]:
    query = "SELECT path, id, number FROM entry WHERE path IN ({})"
    for path, name, number in _in(connection, query, [encode(path) for path in paths]):
        yield decode(path), decode(name), number


def _selected(connection: sqlite3.Connection, column: str, values: Sequence[object]) -> Iterator[Row]:
    return map(_row, _in(connection, f"SELECT {_COLUMNS} FROM entry WHERE {column} IN ({{}})", values))


def _in(connection: sqlite3.Connection, query: str, values: Sequence[object]) -> Iterator[tuple[Any, ...]]:
    for start in range(0, len(values), _AT_ONCE):
        some = values[start : start + _AT_ONCE]
        yield from connection.execute(query.format(",".join("?" * len(some))), tuple(some))


def _row(columns: tuple[Any, ...]) -> Row:
    path, name, archived, *rest = columns
    row = Row(decode(path), decode(name), bool(archived), *rest)
    if row.touch and not _TOUCH.fullmatch(row.touch):
        raise sqlite3.DatabaseError("a row of the cache is damaged")
    return row


def set_mark(connection: sqlite3.Connection, each: str, on: Collection[int], off: Collection[int]) -> None:
    """Give one mark to some entries, and take it from others."""
    connection.executemany("DELETE FROM mark WHERE mark = ? AND number = ?", ((encode(each), number) for number in off))
    connection.executemany("INSERT OR IGNORE INTO mark VALUES (?, ?)", ((encode(each), number) for number in on))


def count(connection: sqlite3.Connection) -> int:
    found: int = connection.execute("SELECT count(*) FROM entry").fetchone()[0]
    return found


def to_judge(connection: sqlite3.Connection, today: str) -> list[Row]:
    """The entries of which isn't known what there is to find, or only for other days."""
    stale = "finding IS NULL OR ? NOT BETWEEN substr(quiet, 1, 10) AND substr(quiet, 12)"
    query = f"SELECT {_COLUMNS} FROM entry WHERE archived = 0 AND ({stale})"
    return [_row(columns) for columns in connection.execute(query, (today,))]


def untouched(connection: sqlite3.Connection) -> list[Row]:
    """The entries of which isn't known when they were touched."""
    return [
        _row(columns)
        for columns in connection.execute(f"SELECT {_COLUMNS} FROM entry WHERE touch IS NULL AND archived = 0")
    ]


def findings(connection: sqlite3.Connection) -> list[str]:
    """All that was found."""
    rows = connection.execute("SELECT finding FROM entry WHERE finding != '' AND archived = 0")
    return [text for (text,) in rows]


def doubt(connection: sqlite3.Connection, numbers: Collection[int]) -> None:
    """Forget what the code says of these entries, and what was found."""
    query = "UPDATE entry SET heard = NULL, finding = NULL WHERE number = ?"
    connection.executemany(query, [(number,) for number in numbers])


def forget_all(connection: sqlite3.Connection) -> None:
    """Forget the entries, and the files that they were read from."""
    for table in ("entry", "mark", "claim", "file"):
        connection.execute(f"DELETE FROM {table}")


def state_claims(connection: sqlite3.Connection, claims: Mapping[int, Collection[tuple[int, int]]]) -> None:
    """Set what these entries claim, as numbers for subject and value, in place of what they claimed."""
    connection.executemany("DELETE FROM claim WHERE number = ?", [(number,) for number in claims])
    rows = ((subject, value, number) for number, pairs in claims.items() for subject, value in pairs)
    connection.executemany("INSERT OR IGNORE INTO claim VALUES (?, ?, ?)", rows)


def disputable(connection: sqlite3.Connection, numbers: Collection[int], values: int, parties: int) -> set[int]:
    """The subjects of these entries of which at least two different things are said, but at most so many `values` by so
    many `parties`."""
    of = _in(connection, "SELECT DISTINCT subject FROM claim WHERE number IN ({})", list(numbers))
    query = "SELECT subject FROM claim WHERE subject IN ({}) GROUP BY subject "
    query += f"HAVING count(DISTINCT value) BETWEEN 2 AND {values:d} AND count(*) <= {parties:d}"
    return {subject for (subject,) in _in(connection, query, [subject for (subject,) in of])}


def parties_to(connection: sqlite3.Connection, subjects: Collection[int]) -> set[int]:
    """The entries that claim something of these subjects."""
    return {number for (number,) in _in(connection, "SELECT number FROM claim WHERE subject IN ({})", list(subjects))}
