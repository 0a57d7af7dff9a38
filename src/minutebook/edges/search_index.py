"""Full-text search over the entries of one memory: SQLite FTS5 in the git directory, made from the files alone.

The index is a cache. It is brought up to date each time it is opened, made anew when it is missing, corrupt or of
another version, and held in memory where the git directory can't be written. Ranking is BM25 as FTS5 computes it
(Robertson and Zaragoza, 2009; k1 = 1.2, b = 0.75) with a weight for each column. Only the first part of a long body
has full weight: what a long text is about, it says at its beginning.
"""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path

from minutebook.ground.entry import Entry, encode
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import Memory
from minutebook.ground.nouns import counted
from minutebook.ground.uris import ARCHIVE
from minutebook.ground.words import own_fields, terms

VERSION = 2
_WEIGHTS = {"id": 6.0, "title": 3.0, "tags": 2.0, "abstract": 1.5, "overview": 1.0, "head": 1.0, "tail": 0.3}
_HEAD = 4000  # characters
_TERMS = 800  # of a query, so that a pasted file doesn't take for ever
_WAIT_SECONDS = 5.0
_REPLACEABLE = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_MISMATCH})
_SCHEMA = f"""
CREATE TABLE entry (
  row INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, id TEXT NOT NULL, type TEXT NOT NULL, path TEXT NOT NULL,
  line INTEGER NOT NULL, archived INTEGER NOT NULL);
CREATE VIRTUAL TABLE word USING fts5({", ".join(_WEIGHTS)}, tokenize = 'porter unicode61');
PRAGMA user_version = {VERSION};
"""


@frozen
class Hit:
    """An entry that was found; the higher the score, the better. Scores of different queries don't compare."""

    id: str
    type: str
    path: str
    line: int
    score: float
    archived: bool


@frozen
class Index:
    """An index that is up to date with `memory`. `path` is None when it is held in memory, `why` then says why;
    `added` and `removed` count what opening it changed."""

    connection: sqlite3.Connection
    memory: Memory
    path: Path | None
    added: int
    removed: int
    why: str = ""

    def close(self) -> None:
        self.connection.close()

    def summary(self) -> str:
        """What opening it came to, in a few words."""
        where = f", in memory only ({self.why})" if self.path is None else ""
        changed = f"{self.added} added, {self.removed} removed" if self.added or self.removed else "up to date"
        return f"{counted(sum(1 for _ in self.memory.entries(archived=True)), 'entry')}, {changed}{where}"


def open_index(git_dir: Path | None, memory: Memory) -> Index:
    """The index of this memory's root, brought up to date. Raises CannotJudge when SQLite lacks FTS5."""
    if git_dir is None:
        return _in_memory(memory, "no git directory")
    # One file a root, so that two roots of one repository don't push each other out.
    name = (
        "index.sqlite" if memory.root == ".memory" else f"index-{sha256(memory.root.encode()).hexdigest()[:8]}.sqlite"
    )
    path = git_dir / "minutebook" / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return _in_memory(memory, f"the git directory can't be written: {error.strerror}")
    try:
        return _opened(path, memory)
    except sqlite3.DatabaseError as error:
        if not _replaceable(error):
            return _in_memory(memory, f"{path.name}: {error}")
    try:
        _discard(path)
        return _opened(path, memory)
    except (sqlite3.DatabaseError, OSError) as error:
        return _in_memory(memory, f"{path.name}: {error}")


def find(index: Index, text: str, limit: int, *, type_name: str = "", archived: bool = False) -> list[Hit]:
    """At most `limit` entries for a text, the best first. Whatever the text holds, it is words and no query syntax."""
    wanted = terms(text)[:_TERMS]
    if not wanted:
        return []
    try:
        return list(_found(index.connection, wanted, limit, type_name, archived))
    except sqlite3.DatabaseError as error:
        # The pages that a query reads are not all read when the file is opened: damage may show only now.
        fresh = _in_memory(index.memory, "damaged")
        if index.path is not None and _replaceable(error):
            index.close()
            with contextlib.suppress(OSError):
                _discard(index.path)
        with contextlib.closing(fresh):
            return list(_found(fresh.connection, wanted, limit, type_name, archived))


def _opened(path: Path, memory: Memory) -> Index:
    connection = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        added, removed = _bring_up_to_date(connection, memory)
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return Index(connection, memory, path, added, removed)


def _in_memory(memory: Memory, why: str) -> Index:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        added, removed = _bring_up_to_date(connection, memory)
    except sqlite3.OperationalError as error:
        connection.close()
        raise CannotJudge(f"this Python's SQLite can't search: {error}", "use a Python whose SQLite has FTS5") from None
    return Index(connection, memory, None, added, removed, why)


def _bring_up_to_date(connection: sqlite3.Connection, memory: Memory) -> tuple[int, int]:
    """(entries added, entries removed). Nothing is written when nothing differs."""
    wanted = dict(_keyed(memory.entries(archived=True)))
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version == VERSION and _lines(connection) == {key: entry.line for key, entry in wanted.items()}:
        return 0, 0
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        # Another run may have been quicker: judge again, now that nobody else writes.
        if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            _create(connection)
        present = _lines(connection)
        gone = [key for key in present if key not in wanted]
        for key in gone:
            row = connection.execute("DELETE FROM entry WHERE key = ? RETURNING row", (key,)).fetchone()
            connection.execute("DELETE FROM word WHERE rowid = ?", row)
        new = [key for key in wanted if key not in present]
        for key in new:
            _insert(connection, memory, key, wanted[key])
        moved = [(entry.line, key) for key, entry in wanted.items() if present.get(key, entry.line) != entry.line]
        connection.executemany("UPDATE entry SET line = ? WHERE key = ?", moved)
    return len(new), len(gone)


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("DROP TABLE IF EXISTS word")
    connection.execute("DROP TABLE IF EXISTS entry")
    for statement in _SCHEMA.split(";"):
        connection.execute(statement)


def _lines(connection: sqlite3.Connection) -> dict[str, int]:
    return dict(connection.execute("SELECT key, line FROM entry"))


def _keyed(entries: Iterable[Entry]) -> Iterator[tuple[str, Entry]]:
    """Entries by what identifies them: place and text; twins are numbered."""
    seen: dict[str, int] = {}
    for entry in entries:
        key = sha256(encode("\0".join((entry.type, entry.path, entry.id, entry.text)))).hexdigest()
        seen[key] = seen.get(key, 0) + 1
        yield f"{key}-{seen[key]}", entry


def _insert(connection: sqlite3.Connection, memory: Memory, key: str, entry: Entry) -> None:
    tags = " ".join(str(tag) for field in ("tags", "anchors") for tag in _listed(entry.fields.get(field)))
    archived = memory.inner(entry.path).startswith(ARCHIVE)
    row = connection.execute(
        "INSERT INTO entry (key, id, type, path, line, archived) VALUES (?, ?, ?, ?, ?, ?)",
        (key, entry.id, entry.type, entry.path, entry.line, archived),
    ).lastrowid
    overview = f"{entry.overview}\n{own_fields(entry)}"
    plain = [entry.id, entry.title, tags, entry.abstract, overview, entry.body[:_HEAD], entry.body[_HEAD:]]
    connection.execute(
        f"INSERT INTO word (rowid, {', '.join(_WEIGHTS)}) VALUES (?{', ?' * len(_WEIGHTS)})",
        [row, *(" ".join(terms(text)) for text in plain)],
    )


def _found(
    connection: sqlite3.Connection, wanted: list[str], limit: int, type_name: str, archived: bool
) -> Iterator[Hit]:
    weights = ", ".join(map(str, _WEIGHTS.values()))
    rows = connection.execute(
        f"""SELECT entry.id, type, path, line, archived, -bm25(word, {weights}) AS score
            FROM word JOIN entry ON entry.row = word.rowid
            WHERE word MATCH ? AND (? = '' OR type = ?) AND archived <= ?
            ORDER BY score DESC, path, line LIMIT ?""",
        (" OR ".join(f'"{word}"' for word in wanted), type_name, type_name, archived, limit),
    )
    for entry_id, type_, path, line, kept, score in rows:
        yield Hit(entry_id, type_, path, line, score, bool(kept))


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _replaceable(error: sqlite3.DatabaseError) -> bool:
    return (error.sqlite_errorcode & 0xFF) in _REPLACEABLE


def _discard(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
