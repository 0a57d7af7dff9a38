"""The only module that runs git: argument lists, `-z`, bytes until decoded on purpose, no guesses.

Replace refs and grafts are ignored, no external diff or textconv runs, nothing prompts.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen

_OURS = {
    "GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": os.devnull, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}  # fmt: skip
SAFE = ("-c", "core.quotePath=off", "-c", "core.fsmonitor=false", "-c", "gc.auto=0")


USUAL_BRANCHES = ("main", "master")


@frozen
class Repository:
    """`top` is the work tree's top folder, `git_dir` its own git directory (of a linked worktree, the linked one)."""

    top: Path
    git_dir: Path


@frozen
class RawChange:
    """One line of a raw diff; the mode is 000000 and the id all zero where there is no file any more."""

    path: str
    new_mode: str
    new_id: str


class GitFailed(CannotJudge):
    """git answered with an error. `stderr` is its own words."""

    def __init__(self, message: str, stderr: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.stderr = stderr


def environment(*, foreign: bool = False) -> dict[str, str]:
    """The environment for git. Inside a hook GIT_DIR and GIT_INDEX_FILE are honoured; for a `foreign` repository
    every GIT_* variable of the caller is dropped."""
    kept = {name: value for name, value in os.environ.items() if not (foreign and name.startswith("GIT_"))}
    for name in ("GIT_EXTERNAL_DIFF", *(name for name in kept if name.endswith("_PATHSPECS"))):
        kept.pop(name, None)
    return kept | _OURS


def run(top: Path, *arguments: str, stdin: bytes | None = None, env: dict[str, str] | None = None) -> bytes:
    """The output of one git command. Raises GitFailed with git's own words."""
    try:
        done = subprocess.run(
            ["git", *SAFE, *arguments],
            cwd=top,
            input=stdin,
            capture_output=True,
            env=env or environment(),
            check=False,
        )
    except FileNotFoundError:
        raise CannotJudge("git is not installed, or not on PATH", "install git 2.38 or newer") from None
    if done.returncode:
        words = done.stderr.decode("utf-8", "replace").strip()
        raise GitFailed(f"git {arguments[0]}: {words or f'exit {done.returncode}'}", words)
    return done.stdout


def asked(top: Path, *arguments: str) -> str | None:
    """One line of answer, or None when git says no (a ref that isn't there, a key that isn't set)."""
    try:
        return run(top, *arguments).decode("utf-8", "surrogateescape").strip()
    except GitFailed:
        return None


def repository(folder: Path) -> Repository:
    """The repository around `folder`. Raises CannotJudge outside of one, in a bare one, or when git refuses."""
    try:
        answer = run(folder, "rev-parse", "--show-toplevel", "--absolute-git-dir").decode("utf-8", "surrogateescape")
    except GitFailed as error:
        if "dubious ownership" in error.stderr or "safe.directory" in error.stderr:
            hint = f"git config --global --add safe.directory {folder}"
            raise CannotJudge("git does not trust this folder's owner", hint) from None
        raise CannotJudge(f"not in a git work tree: {folder}", "git init") from None
    top, git_dir = answer.split("\n")[:2]
    return Repository(Path(top), Path(git_dir))


def commit_id(top: Path, rev: str) -> str | None:
    """The full id of a commit, or None when there is none. Names that start with `-` are never options."""
    return asked(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{rev}^{{commit}}") or None


def parents(top: Path, rev: str) -> tuple[str, ...]:
    """The parents' ids; in a shallow clone the commit at the edge has none that can be read."""
    answer = asked(top, "rev-list", "--parents", "--max-count=1", "--end-of-options", rev)
    return tuple((answer or "").split()[1:])


def empty_tree(top: Path) -> str:
    """The id of the tree without files, by the hash that the repository uses."""
    return run(top, "hash-object", "-t", "tree", "--stdin", stdin=b"").decode().strip()


def merge_bases(top: Path, ref: str, *heads: str) -> tuple[str, ...]:
    """The best common ancestors of `ref` and a merge of `heads`: several when the two were merged crosswise."""
    return tuple((asked(top, "merge-base", "--all", "--end-of-options", ref, *heads) or "").split())


def is_ancestor(top: Path, first: str, second: str) -> bool:
    return asked(top, "merge-base", "--is-ancestor", "--end-of-options", first, second) is not None


def is_shallow(top: Path) -> bool:
    return asked(top, "rev-parse", "--is-shallow-repository") == "true"


def published_branches(top: Path, named: tuple[str, ...]) -> tuple[str, ...]:
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


def _remote(top: Path) -> str:
    names = (asked(top, "remote") or "").split("\n")
    return names[0] if len(names) == 1 and names[0] else "origin"


def knows_a_remote(top: Path) -> bool:
    """Whether there is a branch that was fetched from somewhere."""
    return bool(asked(top, "for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes/"))


@frozen
class Step:
    """One commit of a first-parent history, newest first: what it changed against its first parent. `day` is the
    committer's date, YYYY-MM-DD."""

    commit: str
    day: str
    changes: tuple[RawChange, ...]


def history(top: Path, rev: str, folder: str = "", *, deletions: bool = False) -> Iterator[Step]:
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


def list_refs(top: Path, prefix: str) -> tuple[RefCommit, ...]:
    """The refs to commits beneath `prefix`, by name."""
    form = "%(refname)%00%(objectname)%00%(tree)%00%(committerdate:unix)%00%(contents:subject)%01"
    out = run(top, "for-each-ref", f"--format={form}", prefix).decode("utf-8", "replace")
    rows = (row.lstrip("\n").split("\0") for row in out.split("\1"))
    return tuple(RefCommit(row[0], row[1], row[2], int(row[3]), row[4]) for row in rows if len(row) == 5)


def delete_ref(top: Path, ref: str, commit: str) -> None:
    """Delete `ref` if it still names `commit`."""
    run(top, "update-ref", "-d", ref, commit)
