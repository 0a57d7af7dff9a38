"""Finds what a change is compared with. An unknown base is never a pass: it raises CannotJudge."""

from __future__ import annotations

import os

from minutebook.edges import git, git_objects
from minutebook.edges.published import BRANCHES, FETCH_ALL, published
from minutebook.ground.config import CONFIG, USUAL_ROOTS, Config
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen
from minutebook.ground.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_COMMIT = lazy(r"[0-9a-f]{40}|[0-9a-f]{64}")
FIND_DEFAULT = f"git fetch origin {BRANCHES} && git remote set-head origin --auto    # or `published:` in {CONFIG}"


@frozen
class Base:
    """`commit` is None when there is nothing to compare with; `why` says in words what it is.

    `rewritten` when the published history that `commit` names is no longer part of what is judged.
    """

    commit: str | None
    why: str
    rewritten: bool = False


def staged_bases(repo: git.Repository) -> tuple[Base, ...]:
    """What the index is compared with: where HEAD left each published branch; without one, HEAD itself.

    In a merge it's where the commit to be will have left it: what the other side brings may be published already.
    """
    head = git.commit_id(repo.folder, "HEAD")
    config, refs = published(repo.folder, head)
    if head is None:
        # An orphan branch: it shares nothing with the history that is there, so it may only be without memory.
        if not _holds_memory(repo.folder, None, config):
            return (Base(None, "nothing: there is no memory here"),)
        refs = refs or tuple(ref for ref in ("refs/heads/main", "refs/heads/master") if git.commit_id(repo.folder, ref))
        return tuple(_tip(repo.folder, ref) for ref in refs) or (Base(None, "nothing: there is no commit yet"),)
    heads = merge_parents(repo) or (head,)
    if "commit" in config.seal:
        return (Base(head, "HEAD, since the config says `seal: commit`"),)
    if not refs:
        return (Base(head, "HEAD, since no published branch is known"),)
    return tuple(base for ref in refs for base in _forked(repo.folder, ref, *heads))


def bases_since(repo: git.Repository, rev: str, head: str, *, exact: bool = False) -> tuple[Base, ...]:
    """What `head` is compared with: where it left `rev`, or with `exact` `rev` itself.

    An all-zero id (the first push of a ref) means the published branches, or nothing.
    """
    if rev and not rev.strip("0") and len(rev) >= 40:
        return _first_push(repo, head)
    start = git.commit_id(repo.folder, rev)
    if start is None:
        hint = FETCH_ALL if git.is_shallow(repo.folder) else f"git fetch origin {_refspec(rev)}"
        raise CannotJudge(f"{rev} is not in this clone, so there is nothing to compare with", hint)
    if not exact:
        return _forked(repo.folder, rev, head)
    if git.is_ancestor(repo.folder, start, head):
        return (Base(start, f"{rev}"),)
    if git.is_shallow(repo.folder):
        raise CannotJudge(f"this clone is too shallow to tell whether {rev} is part of the history", FETCH_ALL)
    return (Base(start, f"{rev}", rewritten=True),)


def bases_pushed(repo: git.Repository, old: str, head: str, ref: str) -> tuple[Base, ...]:
    """What a push to the remote's `ref` is compared with.

    A published branch may not be rewritten: its old tip counts. Any other may: what it was there before doesn't
    bind, so it's compared with the published branches, or with where it left its old tip when none is known.
    """
    _, refs = published(repo.folder, head)
    if is_published(repo, ref):
        if not refs and not old.strip("0"):
            # The remote itself says so, and no other published branch is known: a fetch would bring nothing more.
            return (Base(None, f"nothing: the remote has no {_short(ref)} yet"),)
        return bases_since(repo, old, head, exact=True)
    return _first_push(repo, head) if refs else bases_since(repo, old, head)


def bases_deleted(repo: git.Repository, head: str, ref: str) -> tuple[Base, ...]:
    """What there is to say when a push deletes the remote's `ref`: nothing, but for a published branch. `head` is what
    is checked out: nothing in it is judged."""
    if is_published(repo, ref):
        return (Base(head, f"{_short(ref)}, which would be deleted,", rewritten=True),)
    return (Base(head, f"itself: {_short(ref)} is deleted"),)


def is_published(repo: git.Repository, ref: str) -> bool:
    """Whether a remote's ref (refs/heads/main) is one of the protected branches."""
    config, refs = published(repo.folder, git.commit_id(repo.folder, "HEAD"))
    name = ref.removeprefix("refs/heads/")
    if not config.published and not refs:
        return name in git.USUAL_BRANCHES
    return name in config.published or any(known.endswith(f"/{name}") for known in refs)


def merge_parents(repo: git.Repository, environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The commits that a merge under way joins, HEAD first; empty when none is.

    git names the other side in MERGE_HEAD, and before that file exists (pre-merge-commit) in GITHEAD_<id>.
    """
    known = os.environ if environ is None else environ
    others = [name.removeprefix("GITHEAD_") for name in sorted(known) if name.startswith("GITHEAD_")]
    merging = f"{repo.git_folder}/MERGE_HEAD"
    if os.path.isfile(merging):  # noqa: PTH113
        with open(merging, encoding="ascii") as file:  # noqa: PTH123
            others += file.read().split()
    head = git.commit_id(repo.folder, "HEAD")
    if not others or head is None:
        return ()
    found = [git.commit_id(repo.folder, other) for other in dict.fromkeys(others)]
    if None in found:
        raise CannotJudge("the commit that is being merged is not in this clone", "git fetch")
    return (head, *(commit for commit in found if commit is not None and commit != head))


def parted(repo: git.Repository, parents: tuple[str, ...]) -> tuple[str, ...]:
    """Where the sides of a merge parted."""
    return git.merge_bases(repo.folder, *parents) if parents else ()


def merged_sides(repo: git.Repository, base: str | None, head: str | None) -> tuple[str, ...]:
    """The parents of the merges that lie between the base and `head` (HEAD when None)."""
    end = head or git.commit_id(repo.folder, "HEAD")
    if base is None or end is None or end == base:
        return ()
    rows = git.run(repo.folder, "rev-list", "--merges", "--parents", "--end-of-options", end, f"^{base}")
    return tuple(dict.fromkeys(parent for row in rows.decode().split("\n") for parent in row.split()[1:]))


@frozen
class Range:
    """What the caller's environment asks to judge: `head` is None for HEAD; `ref` is the remote's ref, if known;
    `holds` a commit that must be part of what is judged."""

    base: str
    head: str | None
    ref: str
    holds: str = ""


def asked_range(environ: Mapping[str, str]) -> Range | None:
    """The refs that pre-commit was given (`--from-ref`, or those of a push); None when it was given none."""
    start = environ.get("PRE_COMMIT_FROM_REF")
    if not start:
        return None
    return Range(start, environ.get("PRE_COMMIT_TO_REF"), environ.get("PRE_COMMIT_REMOTE_BRANCH", ""))


def must_hold(repo: git.Repository, asked: Range, head: str) -> None:
    """Raises CannotJudge where the pull request isn't checked out (pull_request_target): its base alone is fine."""
    if asked.holds and not git.is_ancestor(repo.folder, asked.holds, head):
        way = f"git fetch origin {asked.holds} && minutebook check --since {asked.base} --head {asked.holds}"
        raise CannotJudge("the pull request's commit is no part of what is checked out", way)


def event_range(environ: Mapping[str, str]) -> Range | None:
    """What the event holds that a GitHub workflow runs for; None elsewhere, or when it names no base."""
    path = environ.get("GITHUB_EVENT_PATH")
    if not path or environ.get("GITHUB_ACTIONS") != "true":
        return None
    import json
    from pathlib import Path

    try:
        event = json.loads(Path(path).read_bytes())
    except (OSError, ValueError):
        raise CannotJudge("GITHUB_EVENT_PATH names no event that can be read") from None
    pull, group = event.get("pull_request") or {}, event.get("merge_group") or {}
    base = (pull.get("base") or {}).get("sha") or group.get("base_sha")
    if base:
        return Range(str(base), None, "", str((pull.get("head") or {}).get("sha") or ""))
    before = event.get("before")
    return Range(str(before), None, str(event.get("ref", ""))) if before else None


def _tip(top: Path | str, ref: str) -> Base:
    return Base(git.commit_id(top, ref), f"the tip of {_short(ref)}")


def _first_push(repo: git.Repository, head: str) -> tuple[Base, ...]:
    config, refs = published(repo.folder, head)
    if not any(git.merge_bases(repo.folder, ref, head) for ref in refs) and not _holds_memory(
        repo.folder, head, config
    ):
        return (Base(None, "nothing: there is no memory there"),)
    if not refs and git.is_shallow(repo.folder):
        raise CannotJudge("this clone is too shallow to know a published branch", FETCH_ALL)
    if not refs and git.knows_a_remote(repo.folder):
        raise CannotJudge("no published branch is known, so there is nothing to compare with", FIND_DEFAULT)
    found = tuple(base for ref in refs for base in _forked(repo.folder, ref, head))
    return found or (Base(None, "nothing: this is the first push"),)


def _holds_memory(top: Path | str, head: str | None, config: Config) -> bool:
    """Whether a commit, or the index (None), has memory, in a root or where `places:` maps it: web pages have none."""
    roots = (*config.roots, *USUAL_ROOTS)
    places = () if "" in config.folders else (*roots, *config.folders)  # "" is anywhere
    listed = git_objects.list_tree(top, head, *places) if head is not None else git_objects.list_index(top)
    beneath = tuple(f"{root}/" for root in roots)
    return any(path.startswith(beneath) or config.mapped_as(path) for path, _, _ in listed)


def _forked(top: Path | str, ref: str, *heads: str) -> tuple[Base, ...]:
    """Where a merge of `heads` left `ref`. Branches that were merged crosswise left each other at several commits, and
    what any of these holds is published."""
    found = git.merge_bases(top, ref, *heads)
    if found:
        here = git.commit_id(top, "HEAD")
        who = "HEAD" if heads[0] == here else short(heads[0])
        return tuple(Base(each, f"{short(each)}, where {who} left {_short(ref)}") for each in found)
    if git.is_shallow(top):
        raise CannotJudge(f"this clone is too shallow to know where the history left {_short(ref)}", FETCH_ALL)
    raise CannotJudge(
        f"the history shares no commit with {_short(ref)}", f"rebase onto {_short(ref)}, or judge with --all"
    )


def _refspec(rev: str) -> str:
    """What to fetch so that `rev` names a commit here."""
    if _COMMIT.fullmatch(rev):
        return rev
    if rev.startswith("origin/"):
        branch = rev.removeprefix("origin/")
        return f"+refs/heads/{branch}:refs/remotes/origin/{branch}"
    return f"{rev}:{rev}"


def short(commit: str) -> str:
    """The start of a commit's id, as people are shown it."""
    return commit[:10]


def _short(ref: str) -> str:
    return ref.removeprefix("refs/remotes/").removeprefix("refs/heads/")
