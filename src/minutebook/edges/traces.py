"""Where in a repository a text still is: in which blobs, since which commits, and what keeps those."""

from __future__ import annotations

import os

from minutebook.edges import git, git_objects
from minutebook.ground.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

_SLICE = 32_000_000  # bytes of blobs read at once
_LARGEST = 50_000_000


@frozen
class Arrival:
    """A commit that brought the text in, its day (YYYY-MM-DD), and the refs that contain it: none when only a reflog
    does."""

    commit: str
    day: str
    refs: tuple[str, ...]


@frozen
class Traces:
    """`arrivals` come parents last; `paths` is where the text stood in any commit. `loose` counts blobs that no commit
    names, and `unread` those that are too large to be looked into."""

    arrivals: tuple[Arrival, ...]
    paths: tuple[str, ...]
    loose: int
    unread: int


def blobs_with(top: Path, pieces: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """(id, bytes) of every blob in the object database, named by a commit or not, that holds one of the pieces."""
    wanted = [piece.encode("utf-8", "surrogateescape") for piece in pieces]
    for some in _slices([(oid, size) for oid, size in _blobs(top) if size <= _LARGEST]):
        for oid, data in git_objects.read_blobs(top, some).items():
            if any(piece in data for piece in wanted):
                yield oid, data


def traces_of(top: Path, blobs: Collection[str]) -> Traces:
    """What leads to these blobs, over all refs and reflogs."""
    since: dict[str, str] = {}
    paths: dict[str, None] = {}
    seen: set[str] = set()
    for commit, day, old, new, path in _edits(top):
        if new in blobs:
            seen.add(new)
            paths[path] = None
            if old not in blobs:
                since[commit] = day
    arrivals = tuple(Arrival(commit, day, tuple(_containing(top, commit))) for commit, day in since.items())
    unread = sum(size > _LARGEST for _, size in _blobs(top))
    return Traces(arrivals, tuple(paths), len(set(blobs) - seen), unread)


def cached_files(git_dir: Path, pieces: Sequence[str]) -> list[Path]:
    """Files of ours in the git directory that hold one of the pieces, or an index made from such texts."""
    wanted = [piece.encode("utf-8", "surrogateescape") for piece in pieces]
    files = [path for path in sorted((git_dir / "minutebook").glob("**/*")) if path.is_file() and not path.is_symlink()]
    return [path for path in files if ".sqlite" in path.name or any(piece in path.read_bytes() for piece in wanted)]


def _blobs(top: Path) -> list[tuple[str, int]]:
    form = "--batch-check=%(objectname) %(objecttype) %(objectsize)"
    out = git.run(top, "cat-file", "--batch-all-objects", "--unordered", form).decode()
    rows = (row.split(" ") for row in out.split("\n"))
    return [(row[0], int(row[2])) for row in rows if len(row) == 3 and row[1] == "blob"]


def _slices(sized: Sequence[tuple[str, int]]) -> Iterator[list[str]]:
    some: list[str] = []
    total = 0
    for oid, size in sized:
        if some and total + size > _SLICE:
            yield some
            some, total = [], 0
        some.append(oid)
        total += size
    if some:
        yield some


def _edits(top: Path) -> Iterator[tuple[str, str, str, str, str]]:
    """(commit, day, old blob, new blob, path) of everything that any commit changed against any of its parents."""
    flags = (
        "--all",
        "--reflog",
        "--topo-order",
        "--root",
        "-m",
        "--raw",
        "-z",
        "--no-renames",
        "--no-ext-diff",
        "--no-abbrev",
    )
    fields = iter(git.run(top, "log", *flags, "--format=%x01%H%x00%cs").split(b"\0"))
    commit = day = ""
    for field in fields:
        head = field.lstrip(b"\n")
        if head.startswith(b"\1"):
            commit, day = head[1:].decode(), next(fields).decode()
        elif head.startswith(b":"):
            _, _, old, new, _ = head[1:].decode().split(" ")
            yield commit, day, old, new, os.fsdecode(next(fields))


def _containing(top: Path, commit: str) -> list[str]:
    out = git.run(top, "for-each-ref", "--contains", commit, "--format=%(refname)")
    return out.decode("utf-8", "surrogateescape").split("\n")[:-1]
