"""The one place that writes memory: a Plan is applied whole or not at all.

A plan is first written to a journal in the git directory (temporary file, fsync, rename, fsync of the folder: the
commit point), then file by file to its places in the same way, then the journal is removed. A run that was killed
before the commit point left the old state; after it, `recover` finishes the new one. The scheme is SQLite's, with
a redo journal in place of the rollback journal.
"""

import os
import stat
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath

from filelock import FileLock, Timeout

from minutebook.edges.git import Repository
from minutebook.ground.change import Change, File, Plan
from minutebook.ground.errors import CannotJudge, Refused
from minutebook.ground.frozen import frozen
from minutebook.ground.journal import Journal, Row, journal_of, read_journal, runs_after, written

_WAIT_SECONDS = 30


@frozen
class Store:
    """Opened for one memory root (or, with `within` empty, for the whole work tree): no path outside can be named."""

    repo: Repository
    within: str

    @property
    def journal(self) -> Path:
        return self.repo.git_dir / "minutebook" / "journal.json"

    @property
    def draft(self) -> Path:
        """The journal before its rename: what it says was never begun."""
        return self.journal.with_suffix(".draft")


@frozen
class Recovery:
    """What was done about a run that had been killed: `finished`, with the paths that were `written` to that end, or
    `dropped`, since it had changed nothing yet."""

    finished: bool = False
    written: tuple[str, ...] = ()
    dropped: bool = False


def apply(store: Store, plan: Plan) -> tuple[str, ...]:
    """Write every change of the plan; the paths written, none when all is as planned already.

    Raises Refused when a file is neither as the plan found it nor as the plan leaves it, and CannotJudge for a
    path outside of the store, through a symlink, or when another run holds the lock.
    """
    going = frozenset(change.path for change in plan.changes if change.new is None)
    targets = {change.path: _target(store, change.path, going) for change in plan.changes}
    with _locked(store):
        _finish_journal(store)
        todo = [change for change in plan.changes if not _is_done(targets[change.path], change)]
        for change in todo:
            if _read(targets[change.path]) not in (_bytes(change.old), _bytes(change.new)):
                raise Refused(f"{change.path} changed since this was planned", "run the command again")
        if todo:
            _commit_to(store, journal_of(store.within, todo))
            _finish_journal(store)
    return tuple(change.path for change in todo)


def recover(store: Store) -> Recovery:
    """Finish what a killed run had committed to. Drops what it had not."""
    if not store.journal.parent.is_dir():
        return Recovery()
    if not store.journal.exists() and not store.draft.exists():
        return Recovery()
    with _locked(store):
        begun, drafted = store.journal.exists(), store.draft.exists()
        return Recovery(begun, _finish_journal(store), drafted and not begun)


@contextmanager
def _locked(store: Store) -> Iterator[None]:
    """The lock is the system's, which ends with the process that holds it: a file that a killed run left is none."""
    folder = store.journal.parent
    lock = FileLock(folder / "lock", timeout=_WAIT_SECONDS)
    try:
        _make_folder(folder)
        lock.acquire()
    except Timeout:
        raise CannotJudge("another minutebook run is writing this memory", "wait for it, then run again") from None
    except OSError as error:
        raise CannotJudge(f"the git directory can't be written: {error.strerror}") from None
    try:
        yield
    finally:
        lock.release()


def _commit_to(store: Store, journal: Journal) -> None:
    """Write the journal. Raises CannotJudge when the git directory doesn't take it, a full disk for one."""
    try:
        _write_synced(store.draft, written(journal), store.journal)
        _replace(store.draft, store.journal)
    except OSError as error:
        with suppress(OSError):
            store.draft.unlink(missing_ok=True)
        words = f"the git directory can't be written: {error.strerror or error}"
        raise CannotJudge(words, "nothing was changed") from None


def _finish_journal(store: Store) -> tuple[str, ...]:
    store.draft.unlink(missing_ok=True)
    if not store.journal.exists():
        return ()
    journal = read_journal(store.journal.read_bytes())
    if journal is None:  # the rename made it whole, so it was damaged from outside
        raise CannotJudge(
            "the journal of an interrupted run is damaged",
            f"look at the memory (git status, git diff), then delete {store.journal}",
        )
    opened = Store(store.repo, journal.within)
    ours = (PurePosixPath(row.path) for row in journal.rows)
    paths = frozenset(str(each) for path in ours for each in (path, path.with_name(_draft_name(path.name))))
    done = tuple(row.path for row in journal.rows if _finish(opened, row, paths))
    store.journal.unlink()
    _sync_folder(store.journal.parent)  # or a power cut brings it back, and it undoes what came later
    return done


def _finish(store: Store, row: Row, paths: Collection[str]) -> bool:
    """Bring one file to where the journal wants it; False when it is there. Raises CannotJudge when it holds neither
    what the plan found nor what it leaves, or can't be written."""
    target = _target(store, row.path, paths)
    now = _read(target)
    if now == row.new and (row.runs is None or _runs(target) == row.runs):
        return False
    if now != row.new and (sha256(now).hexdigest() if now is not None else "") != row.old:
        raise CannotJudge(
            f"{row.path} was edited while an interrupted run was half done",
            f"move your edit aside and run again, or give up the run: delete {store.journal}",
        )
    try:
        _put(target, row)
    except OSError as error:
        with suppress(OSError):  # half of it would fill the disk further
            target.with_name(_draft_name(target.name)).unlink(missing_ok=True)
        raise CannotJudge(
            f"{row.path} can't be written: {error.strerror or error}",
            f"mend that and run again to finish, or give up the run: delete {store.journal}",
        ) from None
    return True


def _target(store: Store, path: str, going: Collection[str]) -> Path:
    """Where a path lies. A file in the place of a folder above it, or a folder in its own place, may be there when the
    plan makes them go: `going` are the paths that do."""
    pure = PurePosixPath(path)
    unsafe = pure.is_absolute() or ".." in pure.parts or "\\" in path or ":" in path or "\0" in path
    if unsafe or not pure.parts or any(map(_is_git, pure.parts)) or str(pure) != path:
        raise CannotJudge(f"{path!r} is no path that minutebook writes")
    if store.within and not path.startswith(f"{store.within}/"):
        raise CannotJudge(f"{path} is outside of {store.within}/")
    top, place = store.repo.top, store.repo.top
    for part in pure.parts:
        if place.is_file() and place.relative_to(top).as_posix() not in going:
            raise CannotJudge(f"{place.relative_to(top)} is a file, and {path} would lie beneath it")
        place = place / part
        if place.is_symlink():
            raise CannotJudge(f"{place.relative_to(top)} is a symlink; minutebook writes through none")
    if place.is_dir():
        beneath = (each.relative_to(top).as_posix() for each in place.rglob("*") if not _is_folder(each))
        if any(each not in going for each in beneath):
            raise CannotJudge(f"{path} is a folder")
    elif place.exists() and not place.is_file():
        raise CannotJudge(f"{path} is no regular file")
    return place


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _is_git(part: str) -> bool:
    """Whether some file system takes this name for git's own folder."""
    return part.lower().rstrip(". ") in (".git", "git~1")


def _put(target: Path, row: Row) -> None:
    if row.new is None:
        target.unlink(missing_ok=True)
        _sync_folder(target.parent)
        return
    _make_folder(target.parent)
    if target.is_dir():  # what was in it is gone by now, but for folders
        for each in sorted((*target.rglob("*"), target), reverse=True):
            each.rmdir()
    draft = target.with_name(_draft_name(target.name))
    _write_synced(draft, row.new, target, row.runs)
    _replace(draft, target)


def _draft_name(name: str) -> str:
    return f".{name}.minutebook-draft"


def _keep_mode(draft: Path, target: Path, runs: bool | None) -> None:
    """Give the draft the permissions of the file that it will replace, with or without the executable bit as asked."""
    if os.name == "nt":
        return
    mode = stat.S_IMODE((target if target.exists() else draft).stat().st_mode)
    if runs is not None:
        mode = mode | (mode & 0o444) >> 2 if runs else mode & ~0o111
    draft.chmod(mode)


def _runs(target: Path) -> bool:
    return os.name != "nt" and bool(target.stat().st_mode & 0o100)


def _make_folder(folder: Path) -> None:
    """Make a folder and those above it; each new name is synced, or a power cut takes all that was put into it."""
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    _sync_folder(folder.parent)


def _write_synced(path: Path, data: bytes, target: Path, runs: bool | None = None) -> None:
    # A file of that name is left from a killed run, or was put there: a symlink in its place must not be followed.
    path.unlink(missing_ok=True)
    with path.open("xb") as out:
        _keep_mode(path, target, runs)  # before there is anything in it to be read
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


def _is_done(target: Path, change: Change) -> bool:
    if _read(target) != _bytes(change.new):
        return False
    runs = runs_after(change)
    return runs is None or os.name == "nt" or _runs(target) == runs


def _read(path: Path) -> bytes | None:
    if path.is_dir():
        return None
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _bytes(file: File | None) -> bytes | None:
    return file.data if file is not None else None
