"""The branch minutebook/state: what the people of a repository told minutebook, apart from memory and from code.

An orphan branch with files of lines that are only ever added to. Commits are made without touching work tree, index or
HEAD, and the ref is moved only while it is the one that was seen; who loses that race joins both and tries again. So
do two clones: the lines of both are kept.
"""

import os
import re
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from minutebook.edges import git, git_objects
from minutebook.ground.change import REGULAR, File
from minutebook.ground.errors import CannotJudge, OutsideFailed, Refused
from minutebook.ground.frozen import frozen
from minutebook.ground.unseen import one_line

BRANCH = "minutebook/state"
REF = f"refs/heads/{BRANCH}"
_NO_HOOKS = ("-c", f"core.hooksPath={os.devnull}")
"""A hook of the repository (`reference-transaction`, `pre-push`) has no say here, and isn't run."""
_JOINED = "Join what two clones know\n"
_MOST_BYTES = 16 << 20
_TRIES = 200
_PUSHES = 5
_LONGEST_PAUSE = 0.05


@frozen
class Lines:
    """The lines of one file, of this clone and of the remote as it was last fetched; `trouble` says what of it can't be
    read."""

    lines: tuple[bytes, ...] = ()
    trouble: str = ""


def read_lines(top: Path, name: str) -> Lines:
    """The lines of the file `name`; none when there is no such branch yet."""
    return _read(top, _tips(top), name)


def add_line(top: Path, name: str, line: bytes, message: str) -> None:
    """Add a line to the file, in a commit of its own by whoever git's config names.

    Raises CannotJudge when nobody is named there, or when the ref can't be moved; Refused when the branch is checked
    out, or when what stands there is no file of lines.
    """
    _must_not_be_checked_out(top)
    for attempt in range(_TRIES):
        tips = _tips(top)
        lines = _readable(top, tips, name).lines
        if _moved(top, _commit(top, tips.commits, name, (*lines, line), message), tips.seen):
            return
        time.sleep(min(_LONGEST_PAUSE, 0.001 * (attempt + 1)))
    raise _stuck()


def push_lines(top: Path, remote: str, name: str) -> None:
    """Push the branch; where the remote has lines of its own, join them first. Raises OutsideFailed."""
    for _ in range(_PUSHES):
        words = _failed(top, *_NO_HOOKS, "push", "--quiet", "--no-verify", "--", remote, f"{REF}:{REF}")
        if not words:
            return
        if not any(sign in words for sign in ("fetch first", "non-fast-forward", "cannot lock ref")):
            raise OutsideFailed(f"git push {remote}: {words}", "check the remote's address, and whether you may write")
        words = _failed(
            top, *_NO_HOOKS, "fetch", "--quiet", "--no-tags", "--", remote, f"+{REF}:refs/remotes/{remote}/{BRANCH}"
        )
        if words:
            raise OutsideFailed(f"git fetch {remote}: {words}", "check the network and the remote's address")
        _join(top, remote, name)
    raise OutsideFailed(f"{BRANCH} keeps moving on {remote}", "somebody else is pushing to it: run again")


def remote_named(top: Path, name: str) -> str:
    """The remote of that name. Raises CannotJudge when there is none."""
    if name.startswith("-") or not git.asked(top, "remote", "get-url", "--push", "--", name):
        raise CannotJudge(f"no remote is called {name!r}", "git remote add origin URL")
    return name


def _join(top: Path, remote: str, name: str) -> None:
    """A merge of this clone's branch and the remote's, with the lines of both."""
    _must_not_be_checked_out(top)
    for _ in range(_TRIES):
        tips = _tips(top, remote)
        if tips.commits == (tips.seen,):
            return
        lines = _readable(top, tips, name).lines
        joined = len(tips.commits) > 1
        commit = _commit(top, tips.commits, name, lines, _JOINED) if joined else tips.commits[0]
        if _moved(top, commit, tips.seen):
            return
    raise _stuck()


@frozen
class _Tips:
    """What this clone's ref names ("" for nothing), and the commits to start from."""

    seen: str
    commits: tuple[str, ...]


def _tips(top: Path, remote: str = "") -> _Tips:
    """This clone's commit, and the remote's (origin's, or the only one's) where it isn't part of that."""
    local = git.commit_id(top, REF)
    names = (git.asked(top, *git.REMOTES) or "").split("\n")
    remote = remote or (names[0] if len(names) == 1 and names[0] else "origin")
    theirs = git.commit_id(top, f"refs/remotes/{remote}/{BRANCH}")
    seen = local or ""
    if theirs is None or (local is not None and git.is_ancestor(top, theirs, local)):
        return _Tips(seen, (local,) if local is not None else ())
    if local is None or git.is_ancestor(top, local, theirs):
        return _Tips(seen, (theirs,))
    return _Tips(seen, (local, theirs))


def _read(top: Path, tips: _Tips, name: str) -> Lines:
    return _joined([_lines_at(top, commit, name) for commit in tips.commits])


def _readable(top: Path, tips: _Tips, name: str) -> Lines:
    found = _read(top, tips, name)
    if found.trouble:
        raise Refused(f"{BRANCH}: {found.trouble}", f"look at it: git log --all -- {name}")
    return found


def _lines_at(top: Path, commit: str, name: str) -> Lines:
    row = next((each for each in git_objects.list_tree(top, commit, name)), None)
    if row is None:
        return Lines()
    if row[1] != REGULAR or row[0] != name:
        return Lines(trouble=f"{name} is no regular file")
    if git_objects.blob_sizes(top, [row[2]]).get(row[2], 0) > _MOST_BYTES:
        return Lines(trouble=f"{name} is larger than {_MOST_BYTES >> 20} MB")
    data = git_objects.read_files(top, [row])[name].data
    return Lines(tuple(filter(None, data.split(b"\n"))))


def _joined(found: Iterable[Lines]) -> Lines:
    parts = list(found)
    lines = dict.fromkeys(line for part in parts for line in part.lines)
    return Lines(tuple(lines), "; ".join(dict.fromkeys(part.trouble for part in parts if part.trouble)))


def _commit(top: Path, tips: Sequence[str], name: str, lines: Iterable[bytes], message: str) -> str:
    """A commit on the tips, with the file as these lines and every other file of the first tip as it is."""
    file = File(b"".join(line + b"\n" for line in dict.fromkeys(lines)))
    flags = ("hash-object", "-w", "-t", "blob", "--stdin", "--no-filters")
    blob = git.run(top, *flags, stdin=file.data).strip()
    listed = git.run(top, "ls-tree", "-z", "--full-tree", tips[0]).split(b"\0") if tips else []
    kept = [row for row in listed if row and row.partition(b"\t")[2] != os.fsencode(name)]
    rows = [*kept, b"100644 blob " + blob + b"\t" + os.fsencode(name)]
    tree = git.run(top, "mktree", "-z", stdin=b"".join(row + b"\0" for row in rows)).decode().strip()
    parents = [part for tip in tips for part in ("-p", tip)]
    try:
        made = git.run(top, "commit-tree", tree, *parents, "-F", "-", stdin=message.encode())
    except git.GitFailed as error:
        if "tell me who you are" in error.stderr or "empty ident" in error.stderr or "auto-detect" in error.stderr:
            raise CannotJudge("git doesn't know who you are", "git config user.name NAME, user.email ADDRESS") from None
        raise
    return made.decode().strip()


def _moved(top: Path, commit: str, seen: str) -> bool:
    """Whether the ref names the commit now; not when it moved meanwhile, or when somebody else is moving it."""
    old = seen or "0" * len(commit)
    try:
        git.run(top, *_NO_HOOKS, "update-ref", "--no-deref", REF, commit, old)
    except git.GitFailed as error:
        if "cannot lock ref" in error.stderr and "exists; cannot create" not in error.stderr:
            return False
        raise
    return True


def _stuck() -> CannotJudge:
    return CannotJudge(f"{BRANCH} can't be moved", f"look for a lock that a killed git left: {REF}.lock")


def _must_not_be_checked_out(top: Path) -> None:
    where = git.asked(top, "for-each-ref", "--format=%(worktreepath)", REF)
    if where:
        raise Refused(f"{BRANCH} is checked out in {one_line(where)}", "switch to another branch there")


def _failed(top: Path, *arguments: str) -> str:
    """Nothing when git does it, else its words on one line, without a password that an address may hold."""
    try:
        git.run(top, *arguments)
    except git.GitFailed as error:
        return one_line(re.sub(r"//[^/@\s]{1,400}@", "//***@", error.stderr))[:400] or "no reason given"
    return ""
