"""What git knows while it merges: the types that count, what is published, what a side holds."""

from __future__ import annotations

import os

from minutebook.edges import git, git_objects
from minutebook.ground.config import CONFIG
from minutebook.ground.frozen import replace
from minutebook.ground.memory import TYPES, Memory, read_memory, tree_config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from minutebook.ground.change import Tree
    from minutebook.ground.entry import Entry

_GITHEAD = "GITHEAD_"


def memory_for(top: Path, path: str) -> Memory | None:
    """The root in which `path` lies, with the config and the types of HEAD and without entries; None beside all roots.

    Raises CannotJudge for a broken config.
    """
    head = git.commit_id(top, "HEAD")
    config = tree_config(_files(top, head, CONFIG))
    root = max((root for root in config.places if path.startswith(f"{root}/")), key=len, default="")
    if not root:
        root = config.places[0] if config.mapped_as(path) else ""
    return read_memory(_files(top, head, f"{root}/{TYPES}".rstrip("/")), root, config) if root else None


def published_versions(top: Path, refs: tuple[str, ...], path: str) -> tuple[bytes, ...]:
    """The file as each of these branches has it; empty bytes where one lacks it."""
    found = (_files(top, ref, path).get(path) for ref in refs)
    return tuple(file.data if file is not None else b"" for file in found)


def entries_beside(top: Path, rev: str | None, memory: Memory, path: str) -> Mapping[str, Entry]:
    """By id (casefolded) the entries that a commit's other files of memory hold, in the archive too."""
    found = read_memory(_files(top, rev, memory.root), memory.root, memory.config)
    types = replace(found, types=memory.types)
    return {entry.id.casefold(): entry for entry in types.entries(archived=True) if entry.path != path}


def merge_head(environ: Mapping[str, str] | None = None) -> str | None:
    """The commit that `git merge` is joining to HEAD, when it is one: it says so to what it runs. No other command
    does."""
    known = os.environ if environ is None else environ
    found = [name.removeprefix(_GITHEAD) for name in known if name.startswith(_GITHEAD)]
    return found[0] if len(found) == 1 else None


def theirs_is_first(top: Path, refs: tuple[str, ...], theirs: str | None) -> bool:
    """Whether what `git merge` joins to HEAD (the commit `theirs`) is to be published before what HEAD adds.

    A branch that takes another in goes onto it later. The published branches (`refs`) take in what comes after them;
    and a rebase, a cherry-pick or a stash, which name no commit, put something onto HEAD. Without a published branch
    it's HEAD that stays.
    """
    if theirs is None or not refs:
        return False
    branch = git.asked(top, "symbolic-ref", "--quiet", "HEAD") or ""
    name = branch.removeprefix("refs/heads/")
    here = {branch, *(ref for ref in refs if ref.startswith("refs/remotes/") and ref.split("/", 3)[3] == name)}
    return here.isdisjoint(refs)


def _files(top: Path, rev: str | None, place: str) -> Tree:
    """The files of a commit at this path, or beneath it."""
    return git_objects.read_files(top, git_objects.list_tree(top, rev, place)) if rev is not None else {}
