"""Trees and blobs as git holds them, in and out: never the work tree, never a filter, many in one process."""

from __future__ import annotations

import os
from sys import intern

from minutebook.edges import git, git_batch, git_trees
from minutebook.ground.change import SUBMODULE, File
from minutebook.ground.errors import CannotJudge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


def tree_question(rev: str, *paths: str) -> tuple[str, ...]:
    """What `list_tree` asks git."""
    return ("ls-tree", "-r", "-z", "--full-tree", "--end-of-options", rev, *paths)


def list_tree(top: Path | str, rev: str, *paths: str) -> Iterator[tuple[str, str, str]]:
    """(path, mode, id) of every file of a commit or tree, or of those at and beneath `paths`."""
    known = git_trees.listed(top, rev, paths) if paths else None
    if known is not None:
        yield from known
        return
    for record in git.run(top, *tree_question(rev, *paths)).split(b"\0"):
        if record:
            head, _, path = record.partition(b"\t")
            mode, _, oid = head.decode().split(" ", 2)
            yield os.fsdecode(path), intern(mode), oid


def list_index(top: Path | str) -> Iterator[tuple[str, str, str]]:
    """(path, mode, id) of every file staged; an unmerged path raises CannotJudge; intent-to-add counts as absent."""
    for record in git.run(top, "ls-files", "--stage", "-z", "--full-name").split(b"\0"):
        if record:
            head, _, path = record.partition(b"\t")
            mode, oid, stage = head.decode().split(" ")
            if stage != "0":
                raise CannotJudge(f"{os.fsdecode(path)} has merge conflicts", "resolve them and `git add` the file")
            yield os.fsdecode(path), intern(mode), oid


def diff_question(old: str, new: str | None) -> tuple[str, ...]:
    """What `diff` asks git."""
    how = ("diff-tree", "-r") if new is not None else ("diff-index", "--cached")
    flags = ("--raw", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "--no-abbrev")
    return (*how, *flags, "--end-of-options", old, *([new] if new is not None else ()))


def staged_since_head(top: Path | str, said: bytes) -> None:
    """Tell what git said to `diff_question("HEAD", None)` a moment ago: it needn't be asked again."""
    head = git.commit_id(top, "HEAD")
    for name in ("HEAD", head) if head is not None else ():
        git.answered(top, diff_question(name, None), said)


def diff(top: Path | str, old: str, new: str | None) -> tuple[git.RawChange, ...]:
    """What differs between two commits or trees, or (with None) between a tree and the index."""
    fields = git.run(top, *diff_question(old, new)).split(b"\0")
    found = []
    for head, path in zip(fields[0::2], fields[1::2], strict=False):
        _, new_mode, _, new_id, status = head.decode().lstrip(":").split(" ")
        if status == "U":
            raise CannotJudge(f"{os.fsdecode(path)} has merge conflicts", "resolve them and `git add` the file")
        found.append(git.RawChange(os.fsdecode(path), intern(new_mode), new_id))
    return tuple(found)


def read_files(top: Path | str, listed: Iterable[tuple[str, str, str]]) -> dict[str, File]:
    """The files named by (path, mode, id), by one `cat-file --batch`. A submodule has no bytes.

    Raises CannotJudge when an object is missing (a partial clone).
    """
    wanted = list(listed)
    blobs = read_blobs(top, dict.fromkeys(oid for _, mode, oid in wanted if mode != SUBMODULE))
    return {path: File(blobs.get(oid, b""), mode) for path, mode, oid in wanted}


def read_blobs(top: Path | str, ids: Iterable[str]) -> dict[str, bytes]:
    """The bytes of each object, by id, in one process."""
    wanted = list(ids)
    found: dict[str, bytes] = {}
    for oid, each in zip(wanted, git_batch.objects(top, wanted) if wanted else (), strict=True):
        if each is None:
            raise git_batch.missing(oid)
        found[oid] = each[2]
    return found


def blob_sizes(top: Path | str, ids: Iterable[str]) -> dict[str, int]:
    """The size in bytes of each object that is here, by id, in one process."""
    wanted = "".join(f"{oid}\n" for oid in ids).encode()
    rows = git.run(top, "cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=wanted).decode().split("\n")
    pairs = (row.split(" ") for row in rows if row)
    return {oid: int(size) for oid, size in pairs if size.isdigit()}
