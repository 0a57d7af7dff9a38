"""The memory tree kept as a git commit under a ref of its own, and the plan that brings it back.

A snapshot holds every file beneath the root as it lies in the work tree, private owner spaces (`users/`) included,
byte for byte. It is made without touching HEAD, the index or the work tree. Refs under `refs/minutebook/` are pushed
only when somebody names them (a plain `git push`, `--all` and `--tags` leave them; `--mirror` does not), so a private
space doesn't leave the machine by accident; `push` is how somebody names one. Deleting a snapshot is
`git update-ref -d REF`, and of one that was pushed `git push REMOTE :REF` too.
"""

import os
from datetime import UTC, datetime

from minutebook.edges import git, git_objects
from minutebook.edges.work_tree import work_files
from minutebook.ground.change import EXECUTABLE, LINK, Change, File, Plan, Refusal, Tree, changes_between
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.uris import slug

PREFIX = "refs/minutebook/snapshots/"
_SUBJECT = "snapshot of "


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


def take(repo: git.Repository, root: str, label: str, when: datetime) -> Snapshot:
    """Keep the files beneath `root`. A tree that an earlier snapshot of this root holds is not kept twice."""
    known = list_snapshots(repo, root)
    taken = {each.ref for each in git.list_refs(repo.top, PREFIX)}
    moment = when.astimezone(UTC)
    wanted = f"{moment:%Y%m%dT%H%M%SZ}" + (f"-{slug(label, 40)}" if label.strip() else "")
    name, number = wanted, 1
    while PREFIX + name in taken:
        number += 1
        name = f"{wanted}-{number}"
    files = sorted(present(repo, root).items())
    seconds = int(moment.timestamp())
    commit = git_objects.store_tree(repo.top, PREFIX + name, files, f"{_SUBJECT}{root}\n", seconds)
    made = next(each for each in list_snapshots(repo, root) if each.name == name)
    same = next((each for each in known if each.tree == made.tree), None)
    if same is None:
        return made
    git.delete_ref(repo.top, made.ref, commit)
    return replace(same, reused=True)


def list_snapshots(repo: git.Repository, root: str) -> tuple[Snapshot, ...]:
    """The snapshots of this root, oldest first."""
    found = [
        Snapshot(ref.ref.removeprefix(PREFIX), ref.commit, ref.tree, datetime.fromtimestamp(ref.when, UTC), root)
        for ref in git.list_refs(repo.top, PREFIX)
        if ref.subject == _SUBJECT + root
    ]
    return tuple(sorted(found, key=lambda each: (each.when, each.name)))


def find(repo: git.Repository, root: str, name: str) -> Snapshot:
    """The snapshot of that name. Raises CannotJudge with the names that there are."""
    known = {each.name: each for each in list_snapshots(repo, root)}
    if name not in known:
        there = ", ".join(list(known)[-10:]) or "there are none yet: minutebook snapshot"
        raise CannotJudge(f"no snapshot is called {name!r}", f"one of: {there}" if known else there)
    return known[name]


def present(repo: git.Repository, root: str) -> dict[str, File]:
    """The files beneath `root` with their modes; nothing of a git directory that lies in there."""
    found = work_files(repo.top, root)
    return {path: _with_mode(repo, path, file) for path, file in found.items() if ".git" not in path.split("/")}


def kept(repo: git.Repository, snapshot: Snapshot) -> dict[str, File]:
    """The files that the snapshot holds. Raises CannotJudge when one lies outside of its root."""
    files = git_objects.read_files(repo.top, git_objects.list_tree(repo.top, snapshot.commit))
    for path in files:
        if not path.startswith(f"{snapshot.root}/"):
            raise CannotJudge(f"{snapshot.name} holds {path}, which is outside of {snapshot.root}/")
    return files


def push(repo: git.Repository, snapshot: Snapshot, remote: str) -> None:
    """Push the snapshot's ref, under its own name, and nothing else. Raises CannotJudge with what git said."""
    if remote.startswith("-") or "::" in remote or not remote:
        raise CannotJudge(f"{remote!r} is no remote", "git remote")
    refspec = f"{snapshot.commit}:{snapshot.ref}"
    try:
        git.run(repo.top, "push", "--quiet", "--no-verify", "--no-follow-tags", "--", remote, refspec)
    except git.GitFailed as error:
        said = " ".join(error.stderr.split())
        raise CannotJudge(f"{snapshot.name} could not be pushed to {remote}: {said:.300}", "git remote -v") from None


def beneath(tree: Tree, path: str) -> dict[str, File]:
    """The files at and beneath `path`, a file or a folder from the top."""
    return {each: file for each, file in tree.items() if each == path or each.startswith(f"{path}/")}


def restore_plan(now: Tree, then: Tree, name: str) -> Plan:
    """The plan that makes the root exactly what the snapshot holds; files that came later are removed.

    Symlinks are no memory and aren't written; an executable bit isn't brought back, since memory is written as
    regular files. Both are said.
    """
    changes: list[Change] = []
    refusals: list[Refusal] = []
    notes: list[str] = []
    for change in changes_between(now, then, f"as in snapshot {name}"):
        sides = [side for side in (change.old, change.new) if side is not None]
        if any(side.mode == LINK for side in sides):
            refusals.append(Refusal(change.path, "it is a symlink there or here; minutebook writes none"))
        elif len(sides) == 2 and sides[0].data == sides[1].data:
            refusals.append(Refusal(change.path, "only its mode differs (memory is written as regular files)"))
        else:
            changes.append(change)
            if change.new is not None and change.new.mode == EXECUTABLE:
                notes.append(f"{change.path} was executable; it is written as a regular file")
    return Plan(tuple(changes), tuple(refusals), tuple(notes), {"files restored": len(changes)} if changes else {})


def _with_mode(repo: git.Repository, path: str, file: File) -> File:
    runs = os.name != "nt" and file.mode != LINK and (repo.top / path).stat().st_mode & 0o100
    return File(file.data, EXECUTABLE) if runs else file
