"""Which of the words that memory names each file of code holds, by its bytes: read once, kept in the cache of refresh.

A scan is named after the blob and the suffix of its path (`ID.py`): the same bytes are read in another way as another
language. Every scan that is known was searched for every word that is known.
"""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TypeVar

from minutebook.edges import git, git_batch, git_objects
from minutebook.ground.entry import decode, encode

Spots = Mapping[str, Mapping[str, int]]
"""The name of a scan to word to what it is there, in bits."""
Finder = Callable[[str, str, Collection[str]], dict[str, int]]
"""From the text of a file, its suffix and the words that are asked for to those it holds."""
_CHUNK = 256
_AT_ONCE = 500
_FEW = 32
_LARGEST = 1 << 20
T = TypeVar("T")


def scan_name(path: str, blob: str) -> str:
    stem, dot, suffix = path.rpartition("/")[2].rpartition(".")
    return f"{blob}.{suffix.lower()}" if dot and stem else f"{blob}."


def scan(top: Path, connection: sqlite3.Connection, names: Iterable[str], asked: Collection[str], find: Finder) -> None:
    """Search these scans for the `asked` words, and for all that others asked for.

    What is known is searched again only for words that aren't. What is larger than 1 MiB, or is no text, holds none.
    """
    wanted = list(dict.fromkeys(names))
    words = frozenset(word for (word,) in connection.execute("SELECT word FROM word"))
    new = frozenset(asked) - words
    if new:
        known = [name for (name,) in connection.execute("SELECT blob FROM blob")]
        _keep(connection, _read(top, known, new, find))
        connection.executemany("INSERT INTO word VALUES (?)", ((word,) for word in new))
    there = _known(connection, wanted)
    fresh = [name for name in wanted if name not in there]
    _keep(connection, _read(top, fresh, words | new, find))
    connection.executemany("INSERT INTO blob VALUES (?)", ((name,) for name in fresh))


def _known(connection: sqlite3.Connection, names: list[str]) -> set[str]:
    if len(names) < _AT_ONCE:
        return {name for (name,) in _rows(connection, "SELECT blob FROM blob WHERE blob IN ({})", names)}
    return {name for (name,) in connection.execute("SELECT blob FROM blob")}


def words_in(connection: sqlite3.Connection, names: Iterable[str]) -> frozenset[str]:
    """The words that these scans hold, together."""
    rows = _rows(connection, "SELECT DISTINCT word FROM spot WHERE blob IN ({})", list(dict.fromkeys(names)))
    return frozenset(word for (word,) in rows)


def holders(connection: sqlite3.Connection, word: str) -> dict[str, int]:
    """The scans that hold the word, each with its bits."""
    return dict(connection.execute("SELECT blob, bits FROM spot WHERE word = ?", (word,)))


def _keep(connection: sqlite3.Connection, found: Iterable[tuple[str, dict[str, int]]]) -> None:
    rows = ((word, name, bits) for name, spots in found for word, bits in spots.items())
    connection.executemany("INSERT INTO spot VALUES (?, ?, ?)", rows)


def _rows(connection: sqlite3.Connection, query: str, values: list[str]) -> Iterator[tuple[str]]:
    for start in range(0, len(values), _AT_ONCE):
        some = values[start : start + _AT_ONCE]
        yield from connection.execute(query.format(",".join("?" * len(some))), some)


def _read(top: Path, names: list[str], words: Collection[str], find: Finder) -> Iterator[tuple[str, dict[str, int]]]:
    if not names or not words:
        return
    sizes = git_objects.blob_sizes(top, dict.fromkeys(name.partition(".")[0] for name in names))
    few = [encode(word) for word in words] if len(words) < _FEW else []
    small = [name for name in names if sizes.get(name.partition(".")[0], _LARGEST + 1) <= _LARGEST]
    with nullcontext() if git_batch.open_batch(top) else git.Batch(top):
        for start in range(0, len(small), _CHUNK):
            some = small[start : start + _CHUNK]
            texts = git_objects.read_blobs(top, dict.fromkeys(name.partition(".")[0] for name in some))
            for name in some:
                blob, _, suffix = name.partition(".")
                data = texts[blob]
                if b"\0" in data[:8192] or (few and not any(word in data for word in few)):
                    continue
                if spots := find(decode(data), suffix, words):
                    yield name, spots
