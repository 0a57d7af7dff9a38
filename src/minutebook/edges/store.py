"""The one place that writes memory: a Plan is applied whole or not at all.

A plan is first written to a journal in the git directory (temporary file, fsync, rename: the commit point), then
file by file to its places, each by temporary file and rename, then the journal is removed. A run that was killed
before the commit point left the old state; after it, `recover` finishes the new one. The scheme is SQLite's, with
a redo journal in place of the rollback journal.
"""

import base64
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from filelock import FileLock, Timeout

from minutebook.edges.git import Repository
from minutebook.ground.change import Change, File, Plan, digest
from minutebook.ground.errors import CannotJudge, Refused
from minutebook.ground.frozen import frozen

_WAIT_SECONDS = 30


@frozen
class Store:
    """Opened for one memory root (or, with `within` empty, for the whole work tree): no path outside can be named."""

    repo: Repository
    within: str

    @property
    def journal(self) -> Path:
        return self.repo.git_dir / "minutebook" / "journal.json"


def apply(store: Store, plan: Plan) -> tuple[str, ...]:
    """Write every change of the plan; the paths written, none when all is as planned already.

    Raises Refused when a file is neither as the plan found it nor as the plan leaves it, and CannotJudge for a
    path outside of the store, through a symlink, or when another run holds the lock.
    """
    targets = {change.path: _target(store, change.path) for change in plan.changes}
    with _locked(store):
        _finish_journal(store)
        todo = [change for change in plan.changes if _read(targets[change.path]) != _bytes(change.new)]
        for change in todo:
            if _read(targets[change.path]) != _bytes(change.old):
                raise Refused(f"{change.path} changed since this was planned", "run the command again")
        if todo:
            try:
                _write_journal(store, todo)
            except OSError as error:
                words = f"the git directory can't be written: {error.strerror or error}"
                raise CannotJudge(words, "nothing was changed") from None
            _finish_journal(store)
    return tuple(change.path for change in todo)


def recover(store: Store) -> tuple[str, ...]:
    """Finish what a killed run had committed to; the paths written. Drops what it had not."""
    if not store.journal.parent.is_dir():
        return ()
    if not store.journal.exists() and not _draft(store).exists():
        return ()
    with _locked(store):
        return _finish_journal(store)


def _draft(store: Store) -> Path:
    return store.journal.with_suffix(".draft")


@contextmanager
def _locked(store: Store) -> Iterator[None]:
    folder = store.journal.parent
    lock = FileLock(folder / "lock", timeout=_WAIT_SECONDS)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise CannotJudge("another minutebook run is writing this memory", "wait for it, then run again") from None
    except OSError as error:
        raise CannotJudge(f"the git directory can't be written: {error.strerror}") from None
    try:
        yield
    finally:
        lock.release()


def _write_journal(store: Store, changes: list[Change]) -> None:
    rows = [
        {
            "path": change.path,
            "old": digest(change.old),
            "new": base64.b64encode(change.new.data).decode() if change.new is not None else None,
        }
        for change in changes
    ]
    draft = _draft(store)
    _write_synced(draft, json.dumps({"within": store.within, "changes": rows}).encode())
    _replace(draft, store.journal)


def _finish_journal(store: Store) -> tuple[str, ...]:
    _draft(store).unlink(missing_ok=True)
    if not store.journal.exists():
        return ()
    within, rows = _read_journal(store)
    opened = Store(store.repo, within)
    written = []
    for row in rows:
        target = _target(opened, row["path"])
        new = base64.b64decode(row["new"]) if row["new"] is not None else None
        now = _read(target)
        if now == new:
            continue
        if (sha256(now).hexdigest() if now is not None else "") != row["old"]:
            raise CannotJudge(
                f"{row['path']} was edited while an interrupted run was half done",
                f"move your edit aside and run again, or give up the run: delete {store.journal}",
            )
        try:
            _put(target, new)
        except OSError as error:
            raise CannotJudge(
                f"{row['path']} can't be written: {error.strerror or error}",
                f"mend that and run again to finish, or give up the run: delete {store.journal}",
            ) from None
        written.append(row["path"])
    store.journal.unlink()
    return tuple(written)


def _read_journal(store: Store) -> tuple[str, list[dict[str, Any]]]:
    """(the root that the plan was for, its rows); the rename that made the journal made it whole, so one that can't be
    read was damaged from outside."""
    text = store.journal.read_bytes()
    try:
        journal = json.loads(text)
    except ValueError:
        journal = None
    rows = journal.get("changes") if isinstance(journal, dict) else None
    if not isinstance(journal, dict) or not isinstance(journal.get("within"), str) or not _are_rows(rows):
        raise CannotJudge(
            "the journal of an interrupted run is damaged",
            f"look at the memory (git status, git diff), then delete {store.journal}",
        )
    return journal["within"], rows or []


def _are_rows(rows: object) -> bool:
    return isinstance(rows, list) and all(
        isinstance(row, dict)
        and isinstance(row.get("path"), str)
        and isinstance(row.get("old"), str)
        and ("new" in row and isinstance(row["new"], str | None))
        for row in rows
    )


def _target(store: Store, path: str) -> Path:
    pure = PurePosixPath(path)
    unsafe = pure.is_absolute() or ".." in pure.parts or "\\" in path or ":" in path or "\0" in path
    if unsafe or not pure.parts or any(map(_is_git, pure.parts)) or str(pure) != path:
        raise CannotJudge(f"{path!r} is no path that minutebook writes")
    if store.within and not path.startswith(f"{store.within}/"):
        raise CannotJudge(f"{path} is outside of {store.within}/")
    place = store.repo.top
    for part in pure.parts:
        if place.is_file():
            raise CannotJudge(f"{place.relative_to(store.repo.top)} is a file, and {path} would lie beneath it")
        place = place / part
        if place.is_symlink():
            raise CannotJudge(f"{place.relative_to(store.repo.top)} is a symlink; minutebook writes through none")
    if place.is_dir():
        raise CannotJudge(f"{path} is a folder")
    if place.exists() and not place.is_file():
        raise CannotJudge(f"{path} is no regular file")
    return place


def _is_git(part: str) -> bool:
    """Whether some file system takes this name for git's own folder."""
    return part.lower().rstrip(". ") in (".git", "git~1")


def _put(target: Path, data: bytes | None) -> None:
    if data is None:
        target.unlink(missing_ok=True)
        _sync_folder(target.parent)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.minutebook-draft")
    _write_synced(draft, data)
    _replace(draft, target)


def _write_synced(path: Path, data: bytes) -> None:
    # A file of that name is left from a killed run, or was put there: a symlink in its place must not be followed.
    path.unlink(missing_ok=True)
    with path.open("xb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())


def _replace(draft: Path, target: Path) -> None:
    # Windows can't replace a file that somebody has open; readers are quick, so a few tries suffice.
    for attempt in range(20):
        try:
            draft.replace(target)
            break
        except PermissionError:
            if attempt == 19:
                raise
            time.sleep(0.05)
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # folders can't be synced there: a power cut may undo the rename, never tear the file
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _bytes(file: File | None) -> bytes | None:
    return file.data if file is not None else None
