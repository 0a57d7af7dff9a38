"""The one place that writes memory: a Plan is applied whole or not at all.

A plan is first written to a journal in the git directory (temporary file, fsync, rename, fsync of the folder: the
commit point), then file by file to its places in the same way, then the journal is removed. A run that was killed
before the commit point left the old state; after it, `recover` finishes the new one, or `take_back` undoes it. The
scheme is SQLite's, with both of its journals in one. Every file is looked at before one is touched, and what the plan
adds is written before anything goes, so that each text is in some file at every moment.
"""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath

from filelock import FileLock, Timeout

from minutebook.edges.durable import draft_of, make_folder, replace, sync_folder, write_synced
from minutebook.edges.git import Repository
from minutebook.edges.places import place_of
from minutebook.ground.change import Change, File, Plan
from minutebook.ground.errors import CannotJudge, MinutebookError, Refused
from minutebook.ground.frozen import frozen
from minutebook.ground.journal import (
    FILE,
    NEXT,
    Journal,
    Row,
    journal_of,
    read_journal,
    runs_after,
    undoing,
    written,
)

_WAIT_SECONDS = 30


@frozen
class Store:
    """Opened for one memory root (or, with `within` empty, for the whole work tree): no path outside can be named."""

    repo: Repository
    within: str

    @property
    def journal(self) -> Path:
        return self.repo.git_dir / FILE

    @property
    def draft(self) -> Path:
        """The journal before its rename: what it says was never begun."""
        return self.journal.with_suffix(".draft")


@frozen
class Recovery:
    """What was done about a run that had been killed: `finished`, with the paths that were `written` to that end;
    `dropped`, since it had changed nothing yet; or `undone`, with the paths that are `written` as they were before and
    those that somebody `edited` since, which are left alone."""

    finished: bool = False
    written: tuple[str, ...] = ()
    dropped: bool = False
    undone: bool = False
    edited: tuple[str, ...] = ()


class Interrupted(MinutebookError):
    """Ctrl-C while a plan was being written, and what became of it."""

    exit_code = 130


def apply(store: Store, plan: Plan) -> tuple[str, ...]:
    """Write every change of the plan; the paths written, none when all is as planned already.

    Raises Refused when a file is neither as the plan found it nor as the plan leaves it, CannotJudge for a path
    outside of the store, through a symlink, when another run holds the lock or a file can't be written, and
    Interrupted on Ctrl-C: what was written by then is taken back.
    """
    going = frozenset(change.path for change in plan.changes if change.new is None)
    targets = {change.path: place_of(store.repo.top, store.within, change.path, going) for change in plan.changes}
    with _locked(store):
        _finish_left(store)
        todo = [change for change in plan.changes if not _is_done(targets[change.path], change)]
        for change in todo:
            if _read(targets[change.path]) not in (_bytes(change.old), _bytes(change.new)):
                raise Refused(f"{change.path} changed since this was planned", "run the command again")
        if todo:
            _carry_out_or_back(store, journal_of(store.within, todo))
    return tuple(change.path for change in todo)


def recover(store: Store) -> Recovery:
    """Finish what a killed run had committed to. Drops what it had not, and what no file shows a sign of: it was undone
    by hand, or never came so far."""
    if not is_left(store) and not store.draft.exists():
        return Recovery()
    with _locked(store):
        return _finish_left(store)


def take_back(store: Store) -> Recovery:
    """Undo what a killed run had written, in every file that nobody edited since, and forget its plan."""
    if not is_left(store):
        return recover(store)
    with _locked(store):
        journal = _left(store)
        return _undo(store, journal) if journal is not None else Recovery()


def is_left(store: Store) -> bool:
    """Whether a run has committed to a plan that isn't written whole."""
    return store.journal.exists()


@contextmanager
def _locked(store: Store) -> Iterator[None]:
    """The lock is the system's, which ends with the process that holds it: a file that a killed run left is none."""
    folder = store.journal.parent
    lock = FileLock(folder / "lock", timeout=_WAIT_SECONDS)
    try:
        make_folder(folder)
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
        write_synced(store.draft, written(journal), store.journal)
        replace(store.draft, store.journal)
    except OSError as error:
        with suppress(OSError):
            store.draft.unlink(missing_ok=True)
        words = f"the git directory can't be written: {error.strerror or error}"
        raise CannotJudge(words, "nothing was changed") from None


def _left(store: Store) -> Journal | None:
    """The plan that a killed run had committed to, if there is one; what it had not is gone."""
    store.draft.unlink(missing_ok=True)
    if not store.journal.exists():
        return None
    journal = read_journal(store.journal.read_bytes())
    if journal is None:  # the rename made it whole, so it was damaged from outside
        words = "the journal of an interrupted run is damaged"
        raise CannotJudge(words, f"look at the memory (git status, git diff), then delete {store.journal}")
    return journal


def _finish_left(store: Store) -> Recovery:
    drafted = store.draft.exists()
    journal = _left(store)
    if journal is None:
        return Recovery(dropped=drafted)
    found = _states(store, journal)
    if "new" not in found.values():  # what somebody edited since is theirs
        _forget(store, journal)
        return Recovery(dropped=True)
    return Recovery(finished=True, written=_carry_out(store, journal))


def _carry_out_or_back(store: Store, journal: Journal) -> None:
    """Write the files, or leave them as they were. Raises CannotJudge and Interrupted, which say which it is."""
    try:
        _commit_to(store, journal)
        _carry_out(store, journal)
    except (CannotJudge, KeyboardInterrupt) as stopped:
        if isinstance(stopped, CannotJudge) and not is_left(store):
            raise
        raise _taken_back(store, journal, stopped) from None


def _taken_back(store: Store, journal: Journal, stopped: CannotJudge | KeyboardInterrupt) -> MinutebookError:
    ending, way = "what was written is taken back", "run the command again"
    if not is_left(store):  # before the first file, or after the last
        store.draft.unlink(missing_ok=True)
        whole = "old" not in _states(store, journal).values()
        ending, way = ("all of it is written", "") if whole else ("nothing was changed", way)
        return Interrupted(f"interrupted; {ending}", way)
    try:
        _undo(store, journal)
    except (CannotJudge, KeyboardInterrupt, OSError):
        ending, way = "the run is half done", NEXT
    if isinstance(stopped, CannotJudge):
        return CannotJudge(f"{stopped}; {ending}", way)
    return Interrupted(f"interrupted; {ending}", way)


def _states(store: Store, journal: Journal) -> dict[str, str]:
    """Of each path whether it is `old`, as the plan found it, `new`, as it leaves it, or `other`. Raises CannotJudge
    for a path that can't be written."""
    return {row.path: _state(target, row) for row, target in _targets(store, journal)}


def _targets(store: Store, journal: Journal) -> Iterator[tuple[Row, Path]]:
    """Where each file lies, looked up when it is its turn."""
    paths = _paths(journal)
    for row in journal.rows:
        yield row, place_of(store.repo.top, journal.within, row.path, paths)


def _state(target: Path, row: Row) -> str:
    now = _read(target)
    if now == row.new and (row.runs is None or os.name == "nt" or _runs(target) == row.runs):
        return "new"
    was = (sha256(now).hexdigest() if now is not None else "") == row.old
    return "old" if was or now == row.new else "other"


def _paths(journal: Journal) -> frozenset[str]:
    """What may lie where the plan writes: its own files, and their drafts."""
    ours = (PurePosixPath(row.path) for row in journal.rows)
    return frozenset(str(each) for path in ours for each in (path, PurePosixPath(draft_of(Path(path)).as_posix())))


def _carry_out(store: Store, journal: Journal) -> tuple[str, ...]:
    """Write what isn't written, and forget the plan; the paths that were written. Raises CannotJudge before the first
    when somebody edited one of the files, and where one can't be written."""
    found = _states(store, journal)
    for path, state in found.items():
        if state == "other":
            way = f"put {path} back as it was, or move it aside, then: {NEXT}, your edit kept"
            raise CannotJudge(f"{path} was edited while an interrupted run was half done", way)
    return _write(store, journal, {path for path, state in found.items() if state == "old"})


def _undo(store: Store, journal: Journal) -> Recovery:
    """Bring the files that the plan has changed back to what they were, and forget it."""
    back = undoing(journal)
    if back is None:
        raise CannotJudge("an older minutebook left a run half done, and not what was there before", NEXT)
    found = _states(store, journal)
    done = _write(store, back, {path for path, state in found.items() if state == "new"})
    edited = tuple(path for path, state in found.items() if state == "other")
    return Recovery(undone=True, written=done, edited=edited)


def _write(store: Store, journal: Journal, todo: Collection[str]) -> tuple[str, ...]:
    """Write these files of the journal, in its order, and forget it; the paths."""
    done = []
    for row, target in _targets(store, journal):
        if row.path in todo:
            _write_one(target, row)
            done.append(row.path)
    _forget(store, journal)
    return tuple(done)


def _write_one(target: Path, row: Row) -> None:
    if _state(target, row) == "other":
        raise CannotJudge(f"{row.path} was edited just now", NEXT)
    try:
        _put(target, row)
    except OSError as error:
        with suppress(OSError):  # half of it would fill the disk further
            draft_of(target).unlink(missing_ok=True)
        words = f"{row.path} can't be written: {error.strerror or error}"
        raise CannotJudge(words, f"mend that, then: {NEXT}") from None


def _forget(store: Store, journal: Journal) -> None:
    """The plan is no more: its journal, and the drafts that a killed run left."""
    for _, target in _targets(store, journal):
        with suppress(OSError):
            draft_of(target).unlink(missing_ok=True)
    store.journal.unlink(missing_ok=True)
    sync_folder(store.journal.parent)  # or a power cut brings it back, and it undoes what came later


def _put(target: Path, row: Row) -> None:
    if row.new is None:
        target.unlink(missing_ok=True)
        sync_folder(target.parent)
        return
    make_folder(target.parent)
    if target.is_dir():  # what was in it is gone by now, but for folders
        for each in sorted((*target.rglob("*"), target), reverse=True):
            each.rmdir()
    draft = draft_of(target)
    write_synced(draft, row.new, target, row.runs)
    replace(draft, target)


def _runs(target: Path) -> bool:
    return os.name != "nt" and bool(target.stat().st_mode & 0o100)


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
