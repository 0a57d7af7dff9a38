"""What git says of repositories, commits and refs: `-z`, bytes until decoded on purpose, no guesses."""

from __future__ import annotations

import os

from minutebook.edges.git_batch import Batch as Batch
from minutebook.edges.git_batch import objects, open_batch
from minutebook.edges.git_process import SAFE as SAFE
from minutebook.edges.git_process import GitFailed as GitFailed
from minutebook.edges.git_process import ahead as ahead
from minutebook.edges.git_process import answered as answered
from minutebook.edges.git_process import asked as asked
from minutebook.edges.git_process import environment as environment
from minutebook.edges.git_process import is_asked
from minutebook.edges.git_process import run as run
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import cached, frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

USUAL_BRANCHES = ("main", "master")
WHERE = ("rev-parse", "--show-toplevel", "--absolute-git-dir")
"""The question that tells where the repository is."""
_DEFAULT = ("symbolic-ref", "--quiet", "refs/remotes/origin/HEAD")
ALL_AT_ONCE = (*WHERE, "--symbolic-full-name", "--glob=refs/remotes/origin/HEA[D]")
"""The same, and which branch is the default of origin, if that is known."""
REMOTES = ("remote",)
_LONGEST_NAME = 1000


@frozen
class Repository:
    """`folder` is the work tree's top folder, `git_folder` its own git directory (of a linked worktree, the linked
    one). They are plain names: pathlib costs a hook more than git does."""

    folder: Path | str
    git_folder: Path | str

    @cached
    def top(self) -> Path:
        from pathlib import Path

        return Path(self.folder)

    @cached
    def git_dir(self) -> Path:
        from pathlib import Path

        return Path(self.git_folder)


@frozen
class RawChange:
    """One line of a raw diff; the mode is 000000 and the id all zero where there is no file any more."""

    path: str
    new_mode: str
    new_id: str


def repository(folder: Path | str) -> Repository:
    """The repository around `folder`. Raises CannotJudge outside of one, in a bare one, or when git refuses."""
    try:
        question = ALL_AT_ONCE if is_asked(folder, ALL_AT_ONCE) else WHERE
        answer = run(folder, *question).decode("utf-8", "surrogateescape")
    except GitFailed as error:
        if "dubious ownership" in error.stderr or "safe.directory" in error.stderr:
            hint = f"git config --global --add safe.directory {folder}"
            raise CannotJudge("git does not trust this folder's owner", hint) from None
        raise CannotJudge(f"not in a git work tree: {folder}", "git init") from None
    top, git_dir, default = answer.split("\n")[:3]
    if default and default != _DEFAULT[-1]:
        answered(top, _DEFAULT, os.fsencode(default))
    return Repository(top, git_dir)


def commit_id(top: Path | str, rev: str) -> str | None:
    """The full id of a commit, or None when there is none. Names that start with `-` are never options."""
    if open_batch(top) is not None and len(rev) < _LONGEST_NAME and "\n" not in rev and "\0" not in rev:
        found = next(iter(list(objects(top, [f"{rev}^{{commit}}"]))))
        return found[0] if found is not None else None
    return asked(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{rev}^{{commit}}") or None


def parents(top: Path | str, rev: str) -> tuple[str, ...]:
    """The parents' ids; in a shallow clone the commit at the edge has none that can be read."""
    answer = asked(top, "rev-list", "--parents", "--max-count=1", "--end-of-options", rev)
    return tuple((answer or "").split()[1:])


def empty_tree(top: Path | str) -> str:
    """The id of the tree without files, by the hash that the repository uses."""
    return run(top, "hash-object", "-t", "tree", "--stdin", stdin=b"").decode().strip()


def merge_bases(top: Path | str, ref: str, *heads: str) -> tuple[str, ...]:
    """The best common ancestors of `ref` and a merge of `heads`: several when the two were merged crosswise."""
    same = commit_id(top, ref) if open_batch(top) is not None and len(heads) == 1 else None
    if same is not None and same == commit_id(top, heads[0]):
        return (same,)
    return tuple((asked(top, "merge-base", "--all", "--end-of-options", ref, *heads) or "").split())


def is_ancestor(top: Path | str, first: str, second: str) -> bool:
    return asked(top, "merge-base", "--is-ancestor", "--end-of-options", first, second) is not None


def is_shallow(top: Path | str) -> bool:
    return asked(top, "rev-parse", "--is-shallow-repository") == "true"


def published_branches(top: Path | str, named: tuple[str, ...]) -> tuple[str, ...]:
    """Full refs of the protected branches that this clone knows: those named (by their remote-tracking refs, else
    the local ones), or by default the remote's default branch. The remote is origin, or the only one there is."""
    remote = f"refs/remotes/{_remote(top)}"
    if named:
        found = []
        for name in named:
            refs = (f"{remote}/{name}", f"refs/heads/{name}")
            found += [ref for ref in refs if commit_id(top, ref)][:1]
        return tuple(found)
    head = asked(top, "symbolic-ref", "--quiet", f"{remote}/HEAD")
    candidates = [head] if head else []
    candidates += [f"{remote}/{name}" for name in USUAL_BRANCHES]
    return tuple([ref for ref in candidates if commit_id(top, ref)][:1])


def _remote(top: Path | str) -> str:
    names = (asked(top, *REMOTES) or "").split("\n")
    return names[0] if len(names) == 1 and names[0] else "origin"


def knows_a_remote(top: Path | str) -> bool:
    """Whether there is a branch that was fetched from somewhere."""
    return bool(asked(top, "for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes/"))


@frozen
class Step:
    """One commit of a first-parent history, newest first: what it changed against its first parent. `day` is the
    committer's date, YYYY-MM-DD."""

    commit: str
    day: str
    changes: tuple[RawChange, ...]


def history(top: Path | str, rev: str, folder: str = "", *, deletions: bool = False) -> Iterator[Step]:
    """The steps that touched `folder` (everything when empty), in one walk; with `deletions` only what went away.

    A merge counts as one step, so that every step's files follow from the next one's.
    """
    flags = ["--first-parent", "-m", "--raw", "-z", "--no-renames", "--no-ext-diff", "--no-abbrev"]
    flags += ["--diff-filter=D"] if deletions else []
    where = [f":(top,literal){folder}"] if folder else []
    out = run(top, "log", *flags, "--format=%x01%H%x00%cs", "--end-of-options", rev, "--", *where)
    fields = iter(out.split(b"\0"))
    commit, day, changes = "", "", list[RawChange]()
    for record in fields:
        head = record.lstrip(b"\n")
        if head.startswith(b":"):
            _, new_mode, _, new_id, _ = head[1:].decode().split(" ")
            changes.append(RawChange(os.fsdecode(next(fields)), new_mode, new_id))
        elif head.startswith(b"\1"):
            if commit:
                yield Step(commit, day, tuple(changes))
            commit, day, changes = head[1:].decode(), next(fields).decode(), []
    if commit:
        yield Step(commit, day, tuple(changes))


@frozen
class RefCommit:
    """A ref and the commit it names; `when` is Unix time, `subject` the first line of its message."""

    ref: str
    commit: str
    tree: str
    when: int
    subject: str


def list_refs(top: Path | str, prefix: str) -> tuple[RefCommit, ...]:
    """The refs to commits beneath `prefix`, by name."""
    form = "%(refname)%00%(objectname)%00%(tree)%00%(committerdate:unix)%00%(contents:subject)%01"
    out = run(top, "for-each-ref", f"--format={form}", prefix).decode("utf-8", "replace")
    rows = (row.lstrip("\n").split("\0") for row in out.split("\1"))
    return tuple(RefCommit(row[0], row[1], row[2], int(row[3]), row[4]) for row in rows if len(row) == 5 and row[3])
