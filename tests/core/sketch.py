"""Work trees without a disk: the gate's core takes trees and gives problems, wherever the trees came from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol

from conftest import MEMORY, TODAY
from minutebook.checks.append_only import append_only
from minutebook.checks.cases import Side, cases
from minutebook.checks.modes import modes
from minutebook.checks.scope import scope
from minutebook.ground.change import EXECUTABLE, LINK, REGULAR, SUBMODULE, File
from minutebook.ground.memory import tree_config
from minutebook.ground.problem import Problem

RULES = (append_only, scope, modes)


class WorkTree(Protocol):
    """What an edit may do, in a real work tree and in one without a disk."""

    def write(self, path: str, text: str) -> object: ...

    def read(self, path: str) -> str: ...

    def move(self, source: str, target: str) -> object: ...

    def remove(self, path: str) -> object: ...

    def link(self, path: str, target: str) -> object: ...

    def submodule(self, path: str) -> object: ...

    def make_executable(self, path: str) -> object: ...


Edit = Callable[[WorkTree], object]


@dataclass(frozen=True, slots=True)
class Sketch:
    """A tree of files that can be edited."""

    files: dict[str, File] = field(default_factory=dict)

    def write(self, path: str, text: str) -> None:
        mode = self.files[path].mode if path in self.files else REGULAR
        self.files[path] = File(text.encode("utf-8", "surrogateescape"), mode)

    def read(self, path: str) -> str:
        return self.files[path].data.decode("utf-8", "surrogateescape")

    def move(self, source: str, target: str) -> None:
        self.files[target] = self.files.pop(source)

    def remove(self, path: str) -> None:
        inside = [each for each in self.files if each == path or each.startswith(f"{path}/")]
        assert inside, path
        for each in inside:
            del self.files[each]

    def link(self, path: str, target: str) -> None:
        self.remove(path)
        self.files[path] = File(target.encode(), LINK)

    def submodule(self, path: str) -> None:
        self.remove(path)
        self.files[path] = File(b"", SUBMODULE)

    def make_executable(self, path: str) -> None:
        self.files[path] = File(self.files[path].data, EXECUTABLE)

    def after(self, *edits: Edit) -> "Sketch":
        """A copy with the edits made to it."""
        copy = Sketch(dict(self.files))
        for edit in edits:
            edit(copy)
        return copy

    @property
    def side(self) -> Side:
        return Side(self.files, tree_config(self.files))


def memory(*edits: Edit) -> Sketch:
    """The memory that the tests on real git start from, with the edits made to it."""
    start = Sketch()
    for path, text in MEMORY.items():
        start.write(path, text)
    return start.after(*edits)


def judged(
    before: Sketch | None,
    after: Sketch,
    parents: Sequence[Sketch] = (),
    merged: Sequence[Sketch] = (),
    forks: Sequence[Sketch] = (),
    today: str = TODAY,
) -> list[Problem]:
    """What the promise, the scope and the modes say of a change, sorted as they are shown."""
    old = before.side if before is not None else None
    held, between, parted = ([each.files for each in group] for group in (parents, merged, forks))
    found = cases(old, after.side, date.fromisoformat(today), held, between, parted)
    return sorted({problem for case in found for rule in RULES for problem in rule(case)})
