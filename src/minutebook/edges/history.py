"""A whole history of memory: its commits in one walk, what each changed in a second, its blobs from one stream."""

from __future__ import annotations

import os
from collections import OrderedDict
from contextlib import ExitStack

from minutebook.edges import git, git_objects
from minutebook.edges.git_batch import Batch
from minutebook.ground.change import SUBMODULE
from minutebook.ground.commits import NO_FILE, Commit, Edit, Listed, Named
from minutebook.ground.config import CONFIG
from minutebook.ground.errors import CannotJudge

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without the import
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import Self

UNSHALLOW = "git fetch --unshallow    # in GitHub Actions: actions/checkout with fetch-depth: 0"
_KEPT = 16 << 20
_RAW = (
    "--raw",
    "-z",
    "-r",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=none",
    "--no-abbrev",
)


def commits(top: Path, head: str) -> tuple[Commit, ...]:
    """Every commit that `head` reaches, parents before children."""
    flags = ("--topo-order", "--reverse", "--parents", "--timestamp")
    rows = git.run(top, "rev-list", *flags, "--end-of-options", head).decode().split("\n")
    words = (row.split(" ") for row in rows if row)
    return tuple(Commit(row[1], tuple(row[2:]), int(row[0])) for row in words)


def reached(top: Path, rev: str) -> frozenset[str]:
    """The ids of `rev` and of everything that it reaches."""
    return frozenset(git.run(top, "rev-list", "--end-of-options", rev).decode().split())


def edges_of_clone(top: Path) -> frozenset[str]:
    """The commits at which a shallow clone ends: their parents exist and aren't here."""
    place = git.asked(top, "rev-parse", "--git-path", "shallow")
    file = top / place if place else None
    return frozenset(file.read_text("ascii").split()) if file is not None and file.is_file() else frozenset()


def config_blobs(top: Path, head: str) -> tuple[str, ...]:
    """The ids of every version of the config that the history of `head` holds, on whatever branch."""
    flags = ("--format=", "--full-history", "-m", "--root", *_RAW)
    out = git.run(top, "log", *flags, "--end-of-options", head, "--", f":(top,literal){CONFIG}")
    found = (edit.blob for edits in _edits(out) for edit in edits[1] if edit.mode not in (NO_FILE, SUBMODULE))
    return tuple(dict.fromkeys(found))


def edits(top: Path, walked: Iterable[Commit], folders: tuple[str, ...]) -> dict[str, tuple[Edit, ...]]:
    """What each commit changed at or beneath the folders ("" is everything), against its first parent."""
    pairs = "".join(f"{' '.join((commit.id, *commit.parents[:1]))}\n" for commit in walked)
    where = [f":(top,literal){folder}" for folder in folders] if "" not in folders else []
    out = git.run(top, "diff-tree", "--stdin", "--root", *_RAW, "--", *where, stdin=pairs.encode())
    return dict(_edits(out))


def _edits(out: bytes) -> Iterator[tuple[str, tuple[Edit, ...]]]:
    """(commit id or "", its edits) of raw diffs."""
    commit, found = "", list[Edit]()
    fields = iter(out.split(b"\0"))
    for field in fields:
        head = field.lstrip(b"\n")
        if head.startswith(b":"):
            _, mode, _, blob, _ = head[1:].decode().split(" ")
            found.append(Edit(os.fsdecode(next(fields)), mode, blob))
        elif head:
            if found:
                yield commit, tuple(found)
            commit, found = head.decode().strip(), []
    if found:
        yield commit, tuple(found)


def listed_at(top: Path, commit: str, folders: tuple[str, ...]) -> Listed:
    """The files of a commit at and beneath the folders."""
    paths = folders if "" not in folders else ()
    return {path: (mode, blob) for path, mode, blob in git_objects.list_tree(top, commit, *paths)}


def named(top: Path, ids: Iterable[str]) -> dict[str, Named]:
    """How people know these commits."""
    wanted = "".join(f"{each}\n" for each in ids).encode()
    if not wanted:
        return {}
    out = git.run(top, "log", "--no-walk=unsorted", "--stdin", "-z", "--format=%H%n%cs%n%s", stdin=wanted)
    rows = (row.split("\n", 2) for row in out.decode("utf-8", "replace").split("\0") if row)
    return {row[0]: Named(row[1], row[2]) for row in rows}


class Blobs:
    """Blobs by id. Those that are expected come from one stream, in their order, so that git reads ahead while we
    judge; what is asked again after it was dropped, or out of order, comes from a second process."""

    def __init__(self, top: Path, kept: int = _KEPT) -> None:
        self._top = top
        self._ahead = set[str]()
        self._known: OrderedDict[str, bytes] = OrderedDict()
        self._most, self._size = kept, 0
        self._open = ExitStack()
        self._again: Batch | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def expect(self, order: Iterable[str]) -> None:
        """Say, once, which blobs will be asked for, and in what order."""
        ids = tuple(dict.fromkeys(order))
        self._ahead.update(ids)
        self._stream = zip(ids, self._open.enter_context(Batch(self._top)).objects(ids), strict=True)

    def __call__(self, blob: str) -> bytes:
        """The bytes of a blob. Raises CannotJudge when it isn't in this clone."""
        found = self._known.get(blob)
        if found is not None:
            self._known.move_to_end(blob)
            return found
        while blob in self._ahead:
            each, answer = next(self._stream)
            self._ahead.discard(each)
            if answer is None and each != blob:
                continue  # nobody asked for it yet, and perhaps nobody will
            self._keep(each, _bytes(each, answer))
            if each == blob:
                return self._known[each]
        if self._again is None:
            self._again = self._open.enter_context(Batch(self._top))
        (answer,) = self._again.objects([blob])
        self._keep(blob, _bytes(blob, answer))
        return self._known[blob]

    def _keep(self, blob: str, data: bytes) -> None:
        self._known[blob] = data
        self._size += len(data)
        while self._size > self._most and len(self._known) > 2:
            _, dropped = self._known.popitem(last=False)
            self._size -= len(dropped)


def _bytes(blob: str, answer: tuple[str, str, bytes] | None) -> bytes:
    if answer is None:
        raise CannotJudge(f"object {blob[:12]} is not in this clone", "git fetch && git fetch --refetch --no-filter")
    return answer[2]
