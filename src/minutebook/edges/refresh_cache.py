"""What refresh has read before, so that a run reads again only what changed: SQLite in the git directory.

A cache alone: made anew when it is missing, damaged or of another version, held in memory where the git directory
can't be written. What is known is known of bytes (a blob id, the digest of an entry's text), never of a path or a time.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from minutebook.edges import git, git_objects
from minutebook.ground.entry import decode
from minutebook.ground.frozen import frozen

Spots = Mapping[str, Mapping[str, int]]
"""Blob id to word to what it is there, in bits."""
Finder = Callable[[str, str, Collection[str]], dict[str, int]]
"""From the text of a file, its suffix and the words that are asked for to those it holds."""
VERSION = 1
_CHUNK = 256
_LARGEST = 1 << 20
_WAIT_SECONDS = 5.0
_SCHEMA = f"""
CREATE TABLE note (what TEXT NOT NULL, key TEXT NOT NULL, said TEXT NOT NULL, PRIMARY KEY (what, key)) WITHOUT ROWID;
CREATE TABLE word (word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE blob (blob TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE spot (blob TEXT NOT NULL, word TEXT NOT NULL, bits INTEGER NOT NULL);
PRAGMA user_version = {VERSION};
"""
_REPLACEABLE = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_MISMATCH})
T = TypeVar("T")
_TABLES = ("note", "word", "blob", "spot")


@frozen
class Cache:
    """`note` holds texts by what they are about and a key; `spot` which asked words each scanned blob of code holds."""

    connection: sqlite3.Connection

    def close(self) -> None:
        with contextlib.suppress(sqlite3.DatabaseError):
            self.connection.commit()
        self.connection.close()

    def made_by(self, rules: str) -> None:
        """Forget everything, unless it was read by the same rules."""
        if self.notes("rules").get("", "") != rules:
            for table in _TABLES:
                self.connection.execute(f"DELETE FROM {table}")
            self.note("rules", {"": rules})

    def notes(self, what: str) -> dict[str, str]:
        """All that is noted about it, by key."""
        return dict(self.connection.execute("SELECT key, said FROM note WHERE what = ?", (what,)))

    def note(self, what: str, rows: Mapping[str, str]) -> None:
        self.connection.executemany(
            "INSERT OR REPLACE INTO note VALUES (?, ?, ?)", ((what, *row) for row in rows.items())
        )

    def forget(self, what: str, keys: Iterable[str]) -> None:
        self.connection.executemany("DELETE FROM note WHERE what = ? AND key = ?", ((what, key) for key in keys))

    def keep_only(self, what: str, known: str) -> None:
        """Forget what is noted about keys of which nothing `known` is noted."""
        rest = "SELECT key FROM note WHERE what = ?"
        self.connection.execute(f"DELETE FROM note WHERE what = ? AND key NOT IN ({rest})", (what, known))

    def words(self) -> frozenset[str]:
        """The words that every scanned blob was searched for."""
        return frozenset(word for (word,) in self.connection.execute("SELECT word FROM word"))

    def blobs(self) -> frozenset[str]:
        """The blobs that were scanned."""
        return frozenset(blob for (blob,) in self.connection.execute("SELECT blob FROM blob"))

    def spots(self) -> dict[str, dict[str, int]]:
        """Blob to word to bits."""
        found: dict[str, dict[str, int]] = {}
        for blob, word, bits in self.connection.execute("SELECT blob, word, bits FROM spot"):
            found.setdefault(blob, {})[word] = bits
        return found

    def scanned(self, blobs: Collection[str], words: Collection[str], found: Mapping[str, Mapping[str, int]]) -> None:
        """Keep what a scan of all of these blobs for all of these words found."""
        rows = ((blob, word, bits) for blob, spots in found.items() for word, bits in spots.items())
        self.connection.executemany("INSERT INTO spot VALUES (?, ?, ?)", rows)
        self.connection.executemany("INSERT OR IGNORE INTO blob VALUES (?)", ((blob,) for blob in blobs))
        self.connection.executemany("INSERT OR IGNORE INTO word VALUES (?)", ((word,) for word in words))


def with_cache(git_dir: Path, root: str, work: Callable[[Cache], T]) -> T:
    """What `work` makes of the cache of a memory root. Damage may show only when a page is read: the file is discarded
    then, and the work done again without it. What a run that fails has learned is dropped."""
    path = _place(git_dir, root)
    try:
        with open_cache(git_dir, root) as cache:
            return work(cache)
    except sqlite3.DatabaseError:
        with contextlib.suppress(OSError):
            _discard(path)
    with _held(_opened(None)) as cache:
        return work(cache)


def open_cache(git_dir: Path, root: str) -> contextlib.AbstractContextManager[Cache]:
    """The cache of a memory root; in memory where its file can't be had."""
    return _held(_connected(_place(git_dir, root)))


@contextlib.contextmanager
def _held(connection: sqlite3.Connection) -> Iterator[Cache]:
    cache = Cache(connection)
    try:
        yield cache
    except BaseException:
        cache.connection.rollback()
        raise
    finally:
        cache.close()


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
        except sqlite3.DatabaseError as error:
            if (error.sqlite_errorcode & 0xFF) not in _REPLACEABLE:
                break
        try:
            _discard(path)
        except OSError:
            break
    return _opened(None)


def _discard(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _opened(path: Path | None) -> sqlite3.Connection:
    """Raises sqlite3.DatabaseError for a file that is no database, is damaged, or that another run holds."""
    connection = sqlite3.connect(path if path is not None else ":memory:", timeout=_WAIT_SECONDS)
    try:
        connection.execute("PRAGMA secure_delete = ON")  # what was expunged from memory must not linger here
        if connection.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            for table in _TABLES:
                connection.execute(f"DROP TABLE IF EXISTS {table}")
            connection.executescript(_SCHEMA)
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("SELECT count(*) FROM note").fetchone()
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


def scan(top: Path, cache: Cache, files: Mapping[str, str], asked: Collection[str], find: Finder) -> Spots:
    """What these blobs hold of the `asked` words; `files` leads from blob id to a path that it lies at.

    Blobs that the cache knows are read again only for words that it doesn't. What is larger than 1 MiB, or is no text,
    holds none.
    """
    known, words = cache.blobs(), cache.words()
    if any(word not in words for word in asked):
        new = frozenset(asked) - words
        cache.scanned((), new, _read(top, {blob: files.get(blob, "") for blob in known}, new, find))
        words |= new
    fresh = {blob: path for blob, path in files.items() if blob not in known}
    if fresh:
        cache.scanned(fresh, (), _read(top, fresh, words, find))
    return cache.spots()


def _read(top: Path, files: Mapping[str, str], words: Collection[str], find: Finder) -> dict[str, dict[str, int]]:
    if not files or not words:
        return {}
    sizes = git_objects.blob_sizes(top, files)
    small = [blob for blob in files if sizes.get(blob, _LARGEST + 1) <= _LARGEST]
    found: dict[str, dict[str, int]] = {}
    with git.Batch(top):
        for start in range(0, len(small), _CHUNK):
            for blob, data in git_objects.read_blobs(top, small[start : start + _CHUNK]).items():
                spots = {} if b"\0" in data[:8192] else find(decode(data), suffix_of(files[blob]), words)
                found |= {blob: spots} if spots else {}
    return found


def suffix_of(path: str) -> str:
    """`py` of `a/b.PY`; "" where there is none."""
    stem, dot, suffix = path.rpartition("/")[2].rpartition(".")
    return suffix.lower() if dot and stem else ""
