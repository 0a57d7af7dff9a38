"""Long blobs in pieces, straight from git: a blob is never held whole, and what a longer one begins with is known
without reading it twice."""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha1, sha256
from pathlib import Path
from typing import Any

from minutebook.edges import git
from minutebook.ground.errors import CannotJudge

_PIECE = 2**20


def pieces_of(top: Path | str, blobs: Sequence[str]) -> Iterator[bytes]:
    """The blobs one after the other, a line break between them, in pieces of at most 1 MiB. Nothing is fetched: raises
    CannotJudge when this clone lacks one."""
    for number, blob in enumerate(blobs):
        if number:
            yield b"\n"
        yield from _pieces(top, blob)


def _pieces(top: Path | str, blob: str) -> Iterator[bytes]:
    from subprocess import DEVNULL, PIPE, Popen

    command = ["git", "-C", str(top), *git.SAFE, "cat-file", "blob", blob]
    environment = git.environment() | {"GIT_NO_LAZY_FETCH": "1"}
    with Popen(command, env=environment, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL) as process:
        assert process.stdout is not None
        while piece := process.stdout.read(_PIECE):
            yield piece
    if process.returncode:
        raise CannotJudge(f"object {blob[:12]} is not in this clone", "git fetch --refetch --no-filter")


class Beginnings:
    """Tells which of some blobs (id to size) are the beginning of a longer text, while that one is read: by the id
    that git gives to those first bytes."""

    def __init__(self, shorter: Mapping[str, int]) -> None:
        self._waiting = [(size, blob, _started(blob, size)) for blob, size in shorter.items()]
        self._at = 0
        self.seen: set[str] = set()

    def watch(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """The same pieces; `seen` holds the ids of the blobs that were met so far."""
        for piece in pieces:
            waiting = []
            for size, blob, digest in self._waiting:
                digest.update(piece[: size - self._at])
                if size > self._at + len(piece):
                    waiting.append((size, blob, digest))
                elif digest.hexdigest() == blob:
                    self.seen.add(blob)
            self._waiting = waiting
            self._at += len(piece)
            yield piece


def _started(blob: str, size: int) -> Any:
    """The beginning of git's hash of a blob: SHA-1, or SHA-256 in repositories of that kind."""
    digest = sha1(usedforsecurity=False) if len(blob) == 40 else sha256()
    digest.update(b"blob %d\0" % size)
    return digest
