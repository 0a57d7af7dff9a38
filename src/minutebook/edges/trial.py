"""A merge on trial: what `git merge` would make of HEAD and a revision, and nothing of it left behind."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from minutebook.edges import git, git_batch, git_objects, git_process, spawn
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_OLDEST = (2, 38)
_GITHEAD = "GITHEAD_"
# As a server merges: it has no driver of ours, and whether this clone has one must not decide what is found.
_AS_A_SERVER = ("-c", "merge.minutebook.driver=git merge-file --marker-size=%L -q %A %O %B")
_NOBODY = ("-c", "user.name=minutebook", "-c", "user.email=minutebook")


@frozen
class Conflict:
    """A file that git alone can't merge: its bytes in the common past, in HEAD and in the other commit; None where
    there is no such file."""

    path: str
    base: bytes | None
    ours: bytes | None
    theirs: bytes | None


@frozen
class Trial:
    """The tree of the merge, with conflict markers where there are `conflicts`; `theirs` is the other commit."""

    tree: str
    theirs: str
    conflicts: tuple[Conflict, ...]


@contextmanager
def on_trial(repo: git.Repository, rev: str) -> Iterator[Trial]:
    """Merge `rev` into HEAD. While it lasts, git finds the objects that this makes, and to everybody who asks a merge
    with `rev` is under way, as `git merge` tells its hooks; then all of it is gone.

    Raises CannotJudge with a git that is too old, in the middle of a merge, and for what can't be merged at all.
    """
    _must_be_new_enough(repo.top)
    theirs = git.commit_id(repo.top, rev)
    if theirs is None or git.commit_id(repo.top, "HEAD") is None:
        raise CannotJudge(f"{rev if theirs is None else 'HEAD'} is no commit of this clone", "git fetch")
    if (repo.git_dir / "MERGE_HEAD").exists():
        raise CannotJudge("a merge is under way here", "commit it, or `git merge --abort`")
    objects = git.run(repo.top, "rev-parse", "--path-format=absolute", "--git-path", "objects").decode().rstrip("\n")
    before = dict(os.environ)
    with TemporaryDirectory(prefix="minutebook-") as scratch:
        known = [_quoted(objects), *filter(None, [before.get("GIT_ALTERNATE_OBJECT_DIRECTORIES")])]
        for name in [name for name in before if name.startswith(_GITHEAD)]:
            del os.environ[name]
        os.environ |= {
            "GIT_OBJECT_DIRECTORY": scratch,
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.pathsep.join(known),
            f"{_GITHEAD}{theirs}": rev,
        }
        try:
            with git_batch.Batch(repo.top):  # one that was open before doesn't know the new objects
                yield _tried(repo.top, theirs)
        finally:
            os.environ.clear()
            os.environ |= before


def merge_commit(top: Path, trial: Trial, files: Mapping[str, bytes]) -> str:
    """The commit that the merge would make, with these files in place of what git made of them."""
    tree = trial.tree
    if files:
        with TemporaryDirectory(prefix="minutebook-") as scratch:
            env = git.environment() | {"GIT_INDEX_FILE": str(Path(scratch, "index"))}
            git.run(top, "read-tree", tree, env=env)
            modes = {path: mode for path, mode, _ in git_objects.list_tree(top, tree)}
            rows = []
            for path, data in files.items():
                oid = git.run(top, "hash-object", "-w", "--no-filters", "--stdin", stdin=data).strip()
                rows.append(modes[path].encode() + b" " + oid + b"\t" + os.fsencode(path) + b"\0")
            git.run(top, "update-index", "-z", "--index-info", stdin=b"".join(rows), env=env)
            tree = git.run(top, "write-tree", env=env).decode().strip()
    sides = ("-p", "HEAD", "-p", trial.theirs)
    return git.run(top, *_NOBODY, "commit-tree", tree, *sides, "-m", "on trial").decode().strip()


def _must_be_new_enough(top: Path) -> None:
    version = git.run(top, "version").decode().strip()
    found = re.search(r"([0-9]+)\.([0-9]+)", version)
    if found is None or (int(found[1]), int(found[2])) < _OLDEST:
        raise CannotJudge(f"{version} can't try a merge", "install git 2.38 or newer")


def _tried(top: Path, theirs: str) -> Trial:
    asked = ("merge-tree", "--write-tree", "-z", "--no-messages", "HEAD", theirs)
    command = ["git", "-C", str(top), *git_process.SAFE, *_AS_A_SERVER, *asked]
    code, out, err = spawn.run(command, git_process.environment())
    if code not in (0, 1):
        words = err.decode("utf-8", "replace").strip()
        hint = "git fetch --unshallow    # in CI: `fetch-depth: 0` for actions/checkout" if git.is_shallow(top) else ""
        raise CannotJudge(f"git can't merge the two: {words or f'exit {code}'}", hint)
    tree, *rows = out.split(b"\0")
    stages: dict[str, dict[int, str]] = {}
    for row in rows:
        head, _, path = row.partition(b"\t")
        if path:
            _, oid, stage = head.decode().split(" ")
            stages.setdefault(os.fsdecode(path), {})[int(stage)] = oid
    return Trial(tree.decode(), theirs, tuple(_conflict(top, path, found) for path, found in stages.items()))


def _conflict(top: Path, path: str, stages: Mapping[int, str]) -> Conflict:
    blobs = git_objects.read_blobs(top, stages.values())
    found = [blobs[stages[stage]] if stage in stages else None for stage in (1, 2, 3)]
    return Conflict(path, found[0], found[1], found[2])


def _quoted(path: str) -> str:
    """A path for a list of paths: git reads one that starts with a quote in C style."""
    if os.pathsep not in path and not path.startswith('"'):
        return path
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
