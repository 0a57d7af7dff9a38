"""Objects by name from one `git cat-file --batch`: a process of its own for each would cost a hundred times as much."""

from __future__ import annotations

import os

from minutebook.edges import spawn
from minutebook.edges.git_process import SAFE, environment, not_installed
from minutebook.ground.errors import CannotJudge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

Found = tuple[str, str, bytes]
"""Id, type and bytes of an object."""
_OPEN: dict[str, Batch] = {}


class Batch:
    """A `cat-file --batch` in one repository. While it is entered, all that asks for objects there asks it."""

    __slots__ = ("_before", "_dialogue", "_top")

    def __init__(self, top: Path | str, started: tuple[int, int, int] | None = None) -> None:
        """`started` is one that runs already: its process, and the pipes that one asks and is answered by."""
        command = ["git", "-C", os.fspath(top), *SAFE, "cat-file", "--batch"]
        self._top = os.fspath(top)
        self._before: Batch | None = None
        if started is not None:
            self._dialogue = spawn.Dialogue.of(*started)
            return
        try:
            self._dialogue = spawn.Dialogue.start(command, environment() | {"GIT_NO_LAZY_FETCH": "1"})
        except FileNotFoundError:
            raise not_installed() from None

    def __enter__(self) -> Batch:
        self._before = _OPEN.get(self._top)
        _OPEN[self._top] = self
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            _OPEN[self._top] = self._before
        else:
            del _OPEN[self._top]
        self._dialogue.close()

    def objects(self, names: Iterable[str]) -> Iterator[Found | None]:
        """The object of each name, in order; None where there is none. To be read to its end before more is asked.

        A name is an id, or anything else that `git rev-parse` knows, on one line.
        """
        for lines in _chunks(names):
            self._dialogue.ask(b"".join(lines))
            for line in lines:
                yield self._answer(os.fsdecode(line[:-1]))

    def _answer(self, name: str) -> Found | None:
        pipe = self._dialogue.answers
        line = pipe.readline()
        head = line.split()
        if not line.endswith(b"\n"):  # git gave up: it couldn't fetch what it lacks, or the object is broken
            raise missing(name)
        if len(head) != 3 or not head[2].isdigit():  # `… missing`, `… ambiguous`
            return None
        size = int(head[2])
        data = pipe.read(size)
        if len(data) < size or not pipe.read(1):
            raise missing(name)
        return head[0].decode(), head[1].decode(), data


def objects(top: Path | str, names: Iterable[str]) -> Iterator[Found | None]:
    """As `Batch.objects`, by the batch that is open there, or by one of its own."""
    batch = _OPEN.get(os.fspath(top))
    if batch is not None:
        yield from batch.objects(names)
        return
    with Batch(top) as batch:
        yield from batch.objects(names)


def open_batch(top: Path | str) -> Batch | None:
    return _OPEN.get(os.fspath(top))


def missing(name: str) -> CannotJudge:
    return CannotJudge(f"object {name[:12]} is not in this clone", "git fetch && git fetch --refetch --no-filter")


def _chunks(names: Iterable[str]) -> Iterator[list[bytes]]:
    """The names as lines, so many at a time as a pipe takes at once: what is asked while git waits for somebody to
    read its answers would wait for ever."""
    lines: list[bytes] = []
    size = 0
    for name in names:
        line = os.fsencode(name) + b"\n"
        if size + len(line) > spawn.AT_ONCE and lines:
            yield lines
            lines, size = [], 0
        lines.append(line)
        size += len(line)
    if lines:
        yield lines
