"""The memory tree kept as a git commit under a ref of its own.

A snapshot holds every file beneath the root as it lies in the work tree, untracked and ignored ones and private owner
spaces (`users/`) included, byte for byte, with executable bits, symlinks as symlinks; where the config maps memory from
beside the roots, the first root's snapshot holds that too, and the config, which says what is mapped. It is made
without touching HEAD, the index or the work tree, and no hook of the repository runs. Refs under `refs/minutebook/` are
pushed only when somebody names them (a plain `git push`, `--all` and `--tags` leave them; `--mirror` does not), so a
private space doesn't leave the machine by accident; `push` is how somebody names one. Deleting a snapshot is
`git update-ref -d REF`, and of one that was pushed `git push REMOTE :REF` too.
"""

import os
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from minutebook.edges import git, git_objects
from minutebook.edges.work_tree import usual_roots
from minutebook.ground.change import EXECUTABLE, LINK, REGULAR, File, Tree
from minutebook.ground.config import CONFIG
from minutebook.ground.errors import CannotJudge, OutsideFailed
from minutebook.ground.fast_import import commit_stream
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.memory import tree_config
from minutebook.ground.unseen import one_line
from minutebook.ground.uris import slug

PREFIX = "refs/minutebook/snapshots/"
_SUBJECT = "snapshot of "
_TRIES = 100
# What follows may destroy the memory, so the snapshot is on the disk before it, refs too (git syncs objects alone).
_OURS = ("-c", f"core.hooksPath={os.devnull}", "-c", "core.fsync=committed,loose-object,reference")


@frozen
class Snapshot:
    """`name` is the ref without its prefix; `reused` says that the same tree had been kept before."""

    name: str
    commit: str
    tree: str
    when: datetime
    root: str
    reused: bool = False

    @property
    def ref(self) -> str:
        return PREFIX + self.name


def take(repo: git.Repository, root: str, label: str, when: datetime, files: Tree | None = None) -> Snapshot:
    """Keep the memory of `root`, or `files`. A tree that an earlier snapshot of this root holds is not kept twice.

    Raises CannotJudge when a file can't be kept, or git can't write.
    """
    rows = sorted((present(repo, root) if files is None else files).items())
    known = list_snapshots(repo, root)
    moment = when.astimezone(UTC)
    name = _stored(
        repo, f"{moment:%Y%m%dT%H%M%SZ}" + (f"-{slug(label, 40)}" if label.strip() else ""), rows, root, moment
    )
    made = find(repo, root, name)
    same = next((each for each in known if each.tree == made.tree), None)
    if same is None:
        return made
    git.run(repo.top, *_OURS, "update-ref", "-d", made.ref, made.commit)
    return replace(same, reused=True)


def list_snapshots(repo: git.Repository, root: str | None = None) -> tuple[Snapshot, ...]:
    """The snapshots of this root, or of every root, oldest first."""
    found = [
        Snapshot(
            ref.ref.removeprefix(PREFIX),
            ref.commit,
            ref.tree,
            datetime.fromtimestamp(ref.when, UTC),
            ref.subject.removeprefix(_SUBJECT),
        )
        for ref in git.list_refs(repo.top, PREFIX)
        if ref.subject.startswith(_SUBJECT) and root in (None, ref.subject.removeprefix(_SUBJECT))
    ]
    return tuple(sorted(found, key=lambda each: (each.when, each.name)))


def find(repo: git.Repository, root: str | None, name: str) -> Snapshot:
    """The snapshot of that name. Raises CannotJudge with the names that there are."""
    known = {each.name: each for each in list_snapshots(repo, root)}
    if name not in known:
        there = ", ".join(map(one_line, list(known)[-10:])) or "there are none yet: minutebook snapshot"
        raise CannotJudge(f"no snapshot is called {name!r}", f"one of: {there}" if known else there)
    return known[name]


def present(repo: git.Repository, root: str) -> dict[str, File]:
    """The files beneath `root`, and those that are mapped from beside it, with their modes; nothing of a git directory
    that lies in there. A root that isn't there has none.

    Raises CannotJudge for what can't be read or is no file: a snapshot with a hole in it would be believed.
    """
    found: dict[str, File] = {}
    place = repo.top
    for part in Path(root).parts:
        place = place / part
        if place.is_symlink():
            raise CannotJudge(f"{place.relative_to(repo.top)} is a symlink; a memory root is a folder")
    for folder, folders, names in os.walk(place, onerror=_unreadable) if place.exists() else ():
        folders[:] = sorted(name for name in folders if name != ".git")
        links = [name for name in folders if Path(folder, name).is_symlink()]
        for name in sorted([*(name for name in names if name != ".git"), *links]):
            path = Path(folder, name)
            found[path.relative_to(repo.top).as_posix()] = _file(path)
    return found | {path: _file(repo.top / path) for path in _beside(repo, root)}


def _beside(repo: git.Repository, root: str) -> Iterator[str]:
    """What the config maps to this root, of what git tracks or would track and is reached without a symlink; and the
    config itself, where it maps anything."""
    place = repo.top / CONFIG
    config = tree_config({CONFIG: File(place.read_bytes())} if place.is_file() else {})
    if not config.mapped or (config.roots or usual_roots(repo.top) or (root,))[0] != root:
        return
    yield CONFIG
    where = [f":(top,literal){folder}" for folder in config.folders if folder]
    flags = ("-z", "--full-name", "--cached", "--others", "--exclude-standard")
    listed = git.run(repo.top, "ls-files", *flags, "--", *(() if "" in config.folders else where))
    for path in map(os.fsdecode, listed.split(b"\0")):
        direct = Path(os.path.realpath(repo.top / path)) == Path(os.path.realpath(repo.top)) / path
        if config.mapped_as(path) and (repo.top / path).is_file() and direct:
            yield path


def _file(path: Path) -> File:
    if path.is_symlink():
        return File(os.fsencode(path.readlink()), LINK)
    if not path.is_file():
        raise CannotJudge(f"{path} is neither a file nor a folder, and can't be kept", "move it out of the memory")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _unreadable(error) from None
    return File(data, EXECUTABLE if os.name != "nt" and path.stat().st_mode & 0o100 else REGULAR)


def _unreadable(error: OSError) -> CannotJudge:
    raise CannotJudge(f"{error.filename} can't be read, so it can't be kept: {error.strerror}", "mend its permissions")


def kept(repo: git.Repository, snapshot: Snapshot) -> dict[str, File]:
    """The files that the snapshot holds. Raises CannotJudge when one is no memory of its root: it may have come from a
    remote."""
    files = git_objects.read_files(repo.top, git_objects.list_tree(repo.top, snapshot.commit))
    config = tree_config(files)
    for path in files:
        if not path.startswith(f"{snapshot.root}/") and path != CONFIG and not config.mapped_as(path):
            raise CannotJudge(f"{snapshot.name} holds {one_line(path)}, which is outside of {snapshot.root}/")
    return files


def ignored(repo: git.Repository, files: Iterable[str]) -> tuple[str, ...]:
    """Which of the files git doesn't track and was told to ignore: somebody wants them to stay on this machine."""
    asked = b"".join(os.fsencode(path) + b"\0" for path in files)
    try:
        found = git.run(repo.top, "check-ignore", "-z", "--stdin", stdin=asked)
    except git.GitFailed as error:
        if error.stderr:
            raise
        return ()  # exit 1: none of them
    return tuple(os.fsdecode(path) for path in found.split(b"\0") if path)


def push(repo: git.Repository, snapshot: Snapshot, remote: str) -> None:
    """Push the snapshot's ref, under its own name, and nothing else.

    Raises CannotJudge when no remote is called so, OutsideFailed with git's words when it didn't take it.
    """
    if remote.startswith("-") or not git.asked(repo.top, "remote", "get-url", "--push", "--", remote):
        raise CannotJudge(f"no remote is called {remote!r}", "git remote add origin URL, or --remote NAME")
    flags = ("--quiet", "--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no")
    try:
        git.run(repo.top, *_OURS, "push", *flags, "--", remote, f"{snapshot.commit}:{snapshot.ref}")
    except git.GitFailed as error:
        words = one_line(re.sub(r"//[^/@\s]{1,400}@", "//***@", error.stderr))[:400]
    else:
        return
    way = f"it is kept here; when {remote} can be reached: git push {remote} {snapshot.ref}"
    raise OutsideFailed(f"{snapshot.name} could not be pushed to {remote}: {words}", way)


def _stored(repo: git.Repository, wanted: str, files: Iterable[tuple[str, File]], root: str, when: datetime) -> str:
    """Make a commit without parents of exactly these files, and a ref to it; its name is `wanted`, or that with a
    number after it. No filter, no index and no work tree take part (fast-import): the bytes are kept as they are."""
    rows = list(files)
    for number in range(1, _TRIES):
        name = wanted if number == 1 else f"{wanted}-{number}"
        if git.commit_id(repo.top, PREFIX + name) is not None:
            continue
        stream = commit_stream(PREFIX + name, rows, f"{_SUBJECT}{root}\n".encode(), int(when.timestamp()))
        try:
            git.run(repo.top, *_OURS, "fast-import", "--quiet", "--date-format=raw", stdin=stream)
        except git.GitFailed as error:
            if git.commit_id(repo.top, PREFIX + name) is None:
                words = one_line(error.stderr or f"fast-import{str(error).partition(':')[2]}")[:400]
                raise CannotJudge(f"no snapshot could be made: {words}", "nothing was changed") from None
        else:
            return name
    raise CannotJudge(f"{_TRIES} snapshots are called {wanted} already", "--label WORD")
