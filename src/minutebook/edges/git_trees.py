"""Trees read object by object from the batch that is open: no process for each listing."""

from __future__ import annotations

import os

from minutebook.edges import git_batch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_FOLDER = "040000"


def listed(top: Path | str, rev: str, paths: Sequence[str]) -> Iterator[tuple[str, str, str]] | None:
    """(path, mode, id) of the files at and beneath `paths`, as `git ls-tree -r` has them; None where no batch is open,
    or `rev` names no tree that is here."""
    if git_batch.open_batch(top) is None:
        return None
    (root,) = git_batch.objects(top, [f"{rev}^{{tree}}"])
    return _walked(top, root, paths) if root is not None and root[1] == "tree" else None


def _walked(top: Path | str, root: git_batch.Found, paths: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    level = [("", root)]
    while level:
        folders: list[tuple[str, str]] = []
        for place, (oid, _, data) in level:
            for name, mode, entry in _entries(data, len(oid) // 2):
                path = place + name
                inside = any(path == wanted or path.startswith(f"{wanted}/") for wanted in paths)
                if mode != _FOLDER and inside:
                    yield path, mode, entry
                elif mode == _FOLDER and (inside or any(wanted.startswith(f"{path}/") for wanted in paths)):
                    folders.append((f"{path}/", entry))
        found = git_batch.objects(top, [oid for _, oid in folders]) if folders else ()
        level = []
        for (place, oid), tree in zip(folders, found, strict=True):
            if tree is None:
                raise git_batch.missing(oid)
            level.append((place, tree))


def _entries(data: bytes, size: int) -> Iterator[tuple[str, str, str]]:
    """(name, mode, id) of what stands in a tree: `<mode> <name>\\0<id>` each."""
    at = 0
    while at < len(data):
        blank = data.index(b" ", at)
        end = data.index(b"\0", blank)
        yield os.fsdecode(data[blank + 1 : end]), _mode(data[at:blank]), data[end + 1 : end + 1 + size].hex()
        at = end + 1 + size


def _mode(said: bytes) -> str:
    """The mode as git means it: trees of old have others, such as 100664."""
    mode = int(said, 8)
    kind = mode & 0o170000
    if kind == 0o100000:
        return "100755" if mode & 0o100 else "100644"
    return {0o040000: _FOLDER, 0o120000: "120000"}.get(kind, "160000")
