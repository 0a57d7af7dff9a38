"""Which files hold other bytes than when they were last read, told without reading them: by their size, times and
inode, as git's index does. A file that was written a moment before it was read might be written again without showing
other times ("racily clean" in git's words): it gets no stamp, and is read every time until it has aged."""

import os
import sqlite3
import stat
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from minutebook.ground.entry import decode, encode

_AGED = 2_000_000_000
"""Nanoseconds: the coarsest clock of a file system in use (FAT) ticks every two seconds."""


def stamps(top: Path, folder: str, others: Iterable[str] = ()) -> dict[str, str]:
    """Path from the top to stamp, "" for what may change without showing it, of each file beneath `folder` and of the
    `others`; symlinks left out."""
    now = time.time_ns()
    found = {path: _stamp(status, now) for path, status in _beneath(top, folder)}
    for path in others:
        status = os.lstat(top / path)
        if stat.S_ISREG(status.st_mode):
            found[path] = _stamp(status, now)
    return found


def known_files(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    """Path to stamp and digest of what was read."""
    rows = connection.execute("SELECT path, stamp, digest FROM file")
    return {decode(path): (stamp, digest) for path, stamp, digest in rows}


def keep_files(connection: sqlite3.Connection, files: Mapping[str, tuple[str, str]], gone: Collection[str]) -> None:
    rows = ((encode(path), *each) for path, each in files.items())
    connection.executemany("INSERT OR REPLACE INTO file VALUES (?, ?, ?)", rows)
    connection.executemany("DELETE FROM file WHERE path = ?", ((encode(path),) for path in gone))


def _beneath(top: Path, folder: str) -> Iterator[tuple[str, os.stat_result]]:
    waiting = [folder]
    while waiting:
        inner = waiting.pop()
        for entry in _listed(f"{top}/{inner}"):
            if entry.is_dir(follow_symlinks=False):
                waiting.append(f"{inner}/{entry.name}")
            elif entry.is_file(follow_symlinks=False):
                yield f"{inner}/{entry.name}", os.lstat(entry.path)


def _listed(folder: str) -> list[os.DirEntry[str]]:
    """What lies in the folder; nothing where it can't be looked into, as `os.walk` has it."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _stamp(status: os.stat_result, now: int) -> str:
    if max(status.st_mtime_ns, status.st_ctime_ns) > now - _AGED:
        return ""
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino} {status.st_dev}"
