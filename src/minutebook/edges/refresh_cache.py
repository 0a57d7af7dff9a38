"""What refresh knows from the run before, so that a run looks again only at what changed: SQLite in the git directory.

A cache alone: made anew when it is missing, damaged or of another version, held in memory where the git directory
can't be written or another run holds it. Whatever SQLite makes of a damaged file, no run fails for it.
No text of the code is kept, only which of the words that memory names it holds.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen

VERSION = 2
_WAIT_SECONDS = 5.0
_TABLES = ("note", "file", "entry", "mark", "claim", "word", "blob", "spot")
_SCHEMA = f"""
CREATE TABLE note (what TEXT NOT NULL, key TEXT NOT NULL, said TEXT NOT NULL, PRIMARY KEY (what, key)) WITHOUT ROWID;
CREATE TABLE file (path BLOB PRIMARY KEY, stamp TEXT NOT NULL, digest TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entry (
    number INTEGER PRIMARY KEY, path BLOB NOT NULL, id BLOB NOT NULL, archived INTEGER NOT NULL, key TEXT NOT NULL,
    named TEXT NOT NULL, claimed TEXT NOT NULL, disputed TEXT NOT NULL, touch TEXT, heard TEXT, finding TEXT,
    quiet TEXT NOT NULL,
    UNIQUE (path, id));
CREATE INDEX entry_id ON entry (id);
CREATE TABLE mark (mark BLOB NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (mark, number)) WITHOUT ROWID;
CREATE INDEX mark_number ON mark (number);
CREATE TABLE claim (
    subject INTEGER NOT NULL, value INTEGER NOT NULL, number INTEGER NOT NULL,
    PRIMARY KEY (subject, number, value)) WITHOUT ROWID;
CREATE INDEX claim_number ON claim (number);
CREATE TABLE word (word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE blob (blob TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE spot (
    word TEXT NOT NULL, blob TEXT NOT NULL, bits INTEGER NOT NULL, PRIMARY KEY (word, blob)) WITHOUT ROWID;
CREATE INDEX spot_blob ON spot (blob);
PRAGMA user_version = {VERSION};
"""
_REPLACEABLE = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_MISMATCH})
DAMAGE = (sqlite3.Error, UnicodeDecodeError)
"""What a damaged file may raise wherever it is read: SQLite quotes its bytes in an error's words, and Python's module
can't always decode them."""
T = TypeVar("T")


@frozen
class Cache:
    """`note` holds texts by what they are about and a key; `file` what the files of memory were when they were read,
    `entry`, `mark` and `claim` what is known of their entries; `word`, `blob` and `spot` which asked words each
    scanned file of code holds."""

    connection: sqlite3.Connection

    def made_by(self, rules: str) -> None:
        """Forget everything, unless it was read by the same rules."""
        if self.notes("rules").get("", "") != rules:
            for table in _TABLES:
                self.connection.execute(f"DELETE FROM {table}")
            self.note("rules", {"": rules})

    def notes(self, what: str) -> dict[str, str]:
        """All that is noted about it, by key."""
        return dict(self.connection.execute("SELECT key, said FROM note WHERE what = ?", (what,)))

    def said(self, what: str, key: str) -> str | None:
        """What is noted about it under one key."""
        row = self.connection.execute("SELECT said FROM note WHERE what = ? AND key = ?", (what, key)).fetchone()
        return row[0] if row is not None else None

    def note(self, what: str, rows: Mapping[str, str]) -> None:
        pairs = ((what, *row) for row in rows.items())
        self.connection.executemany("INSERT OR REPLACE INTO note VALUES (?, ?, ?)", pairs)


def with_cache(git_dir: Path, root: str, work: Callable[[Cache], T]) -> T:
    """What `work` makes of the cache of a memory root. Damage may show only when a page is read: the file is discarded
    then, and the work done again without it. What a run that fails has learned is dropped.

    Raises CannotJudge where it fails without the file too: then git, and not the cache, is broken.
    """
    path = _place(git_dir, root)
    try:
        with open_cache(git_dir, root) as cache:
            return work(cache)
    except DAMAGE:
        with contextlib.suppress(OSError):
            _discard(path)
    with _held(_opened(None), None) as cache:
        try:
            return work(cache)
        except DAMAGE as error:
            raise CannotJudge(f"what git said can't be kept in mind: {error}", "git fsck") from None


def open_cache(git_dir: Path, root: str) -> contextlib.AbstractContextManager[Cache]:
    """The cache of a memory root; in memory where its file can't be had."""
    path = _place(git_dir, root)
    return _held(_connected(path), path)


@contextlib.contextmanager
def _held(connection: sqlite3.Connection, path: Path | None) -> Iterator[Cache]:
    try:
        yield Cache(connection)
    except BaseException:
        with contextlib.suppress(*DAMAGE):
            connection.rollback()
        raise
    finally:
        kept = _committed(connection)
        connection.close()
    if not kept and path is not None:
        with contextlib.suppress(OSError):
            _discard(path)


def _committed(connection: sqlite3.Connection) -> bool:
    """Whether what was learned is kept; a run doesn't fail because its cache can't be written."""
    try:
        connection.commit()
    except DAMAGE as error:
        return not _is_damage(error)
    return True


def _place(git_dir: Path, root: str) -> Path:
    return git_dir / "minutebook" / f"refresh-{sha256(root.encode()).hexdigest()[:8]}.sqlite"


def _connected(path: Path) -> sqlite3.Connection:
    """A file that is no database is made anew; one that another run holds, or that can't be written, is left alone."""
    for _ in range(2):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            return _opened(path)
        except OSError:
            break
        except DAMAGE as error:
            if not _is_damage(error):
                break
        try:
            _discard(path)
        except OSError:
            break
    return _opened(None)


def _is_damage(error: Exception) -> bool:
    """Whether the file itself is at fault, and not another run that holds it, or a disk that is full or read-only."""
    return (getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF) in _REPLACEABLE


def _discard(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _opened(path: Path | None) -> sqlite3.Connection:
    """Raises one of DAMAGE for a file that is no database, is damaged, or that another run holds."""
    connection = sqlite3.connect(path if path is not None else ":memory:", timeout=_WAIT_SECONDS)
    try:
        connection.execute("PRAGMA secure_delete = ON")  # what was expunged from memory must not linger here
        if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                connection.execute(f'DROP TABLE IF EXISTS "{table}"')
            connection.executescript(_SCHEMA)
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("SELECT count(*) FROM note").fetchone()
    except DAMAGE:
        connection.close()
        raise
    return connection
