"""A large memory is judged in parts, so that it is never held at once: files are read, judged and let go a few thousand
at a time, and of each entry stays what the rules about the whole of memory ask for."""

from __future__ import annotations

from collections.abc import Mapping

from minutebook.checks import RULES, judge
from minutebook.checks.baseline import compared, unused_rows, without_known
from minutebook.checks.judgement import Case
from minutebook.ground.change import File
from minutebook.ground.entry import Entry, Known, MemoryFile
from minutebook.ground.frozen import EMPTY, frozen
from minutebook.ground.lazy import lazy
from minutebook.ground.memory import BASELINE, INDEX, TYPES, Memory, read_file, read_memory, without_registry
from minutebook.ground.uris import ARCHIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import date
    from typing import Any

    from minutebook.ground.change import Tree
    from minutebook.ground.config import Config
    from minutebook.ground.entry import Lines
    from minutebook.ground.memory_type import MemoryType
    from minutebook.ground.problem import Problem

SIZE = 2000
_WHOLE = ("ids", "relations", "names", "index")
"""The rules that look at all files at once; any other looks at one file, and at the config and the types."""
_ARCHIVED = "certificate"
"""The rule that looks at the texts of the archive and of what stands for it at once."""
_LINKS = ("supersedes", "superseded_by", "relations", "related_to", "derived_from", "contradicts", "related")
_CLOSING = lazy("(?i)supersede|retract|obsolete|expunge|deprecate")
_LEFT_OUT = File(b"")


@frozen
class Source:
    """A memory root of which nothing is compared: its files by path, `read` a few at a time."""

    root: str
    paths: Sequence[str]
    config: Config
    read: Callable[[Sequence[str]], Tree]


@frozen
class Found:
    """`new` problems, and how many more a baseline accepts; `entries` is how many were judged."""

    new: tuple[Problem, ...]
    known: int
    entries: int


def judged_in_parts(
    source: Source, today: date, only: Sequence[str] = (), *, no_baseline: bool = False, size: int = SIZE
) -> Found:
    """What `judge` finds, and a baseline doesn't accept, in a case with no base that holds all of it."""
    rules = tuple(name for name in RULES if not only or name in only)
    whole = _Whole(source, today, rules)
    for at in range(0, len(whole.others), size):
        whole.take(whole.others[at : at + size])
    case = whole.case()
    outer = tuple(name for name in rules if name in _WHOLE)
    problems = {*whole.problems, *(judge(case, outer) if outer else ())}
    baseline = None if no_baseline else case.baseline
    if baseline is not None:  # it knows some problems by the bytes of their files
        whole.fetch({problem.path for problem in problems})
    if baseline is not None and len(rules) == len(RULES):
        problems.update(unused_rows(compared(problems, baseline), case))
    new, known = without_known(problems, baseline)
    return Found(tuple(new), known, len(case.judged))


class _Whole:
    """What stays of the parts that were taken: problems, and what the rules about all of memory need."""

    def __init__(self, source: Source, today: date, rules: Sequence[str]) -> None:
        self.source = source
        self.today = today
        self.inner = tuple(name for name in rules if name not in _WHOLE and name != _ARCHIVED)
        self.certified = _ARCHIVED in rules
        inside = f"{source.root}/"
        shared = (f"{inside}{TYPES}", f"{inside}{BASELINE}", f"{inside}{INDEX}")
        self.common = dict(source.read([path for path in source.paths if _is_shared(path, inside, shared)]))
        self.kinds = {path: file for path, file in self.common.items() if path.startswith(shared[0])}
        self.others = sorted(set(source.paths) - self.common.keys())
        self.indexed = "index" in rules and f"{source.root}/{INDEX}" in self.common
        self.tree: dict[str, File] = dict.fromkeys(self.others, _LEFT_OUT)
        self.files: dict[str, MemoryFile] = {}
        self.logs: dict[str, MemoryFile] = {}
        self.problems: set[Problem] = set()
        memory = read_memory(self.kinds, source.root, source.config)
        self.types = memory.types
        self._judged({}, self.common, memory.problems)

    def take(self, paths: Sequence[str]) -> None:
        """Judge some files but for the logs among them, whose rows may point to files that come later."""
        tree = self.source.read(paths)
        memory = read_memory({**self.kinds, **tree}, self.source.root, self.source.config, self._read)
        alone = {path: file for path, file in memory.files.items() if path not in self.logs}
        rest = {path: file for path, file in tree.items() if path not in self.logs}
        found = self._judged(alone, rest, memory.problems)
        told = {problem.path for problem in found}
        for path, file in alone.items():
            self.files[path] = file if path in told else self._slim(file)
        self.tree.update((path, file) for path, file in tree.items() if path in told or path in self.logs)

    def case(self) -> Case:
        """The case of all of memory, once its parts were taken and its logs are judged too."""
        again = self._read_again()
        files = self.files | again | self.logs
        if self.logs:
            files = without_registry(files, self.source.root)
        logs = {path: files[path] for path in self.logs}
        tree = {path: file for path, file in self.tree.items() if path in logs}
        self._judged(logs, tree, tuple(problem for file in logs.values() for problem in file.problems))
        if self.certified:
            self._judge_archive(files)
        ordered = {path: files[path] for path in sorted(files)}
        memory = Memory(self.source.root, self.source.config, self.types, ordered)
        self.tree.update(self.common)
        return Case(memory, self.tree, None, {}, (), self.today)

    def _judge_archive(self, files: Mapping[str, MemoryFile]) -> None:
        """Judge what lies in the archive beside what may stand for it: what names another entry was kept."""
        inside = f"{self.source.root}/{ARCHIVE}"
        linked = (path for path, file in files.items() if any(map(_is_linked, file.entries)))
        paths = {*(path for path in self.others if path.startswith(inside)), *linked}
        if any(path.startswith(inside) for path in paths):
            tree = {**self.kinds, **self.source.read(sorted(paths))}
            memory = read_memory(tree, self.source.root, self.source.config)
            self.problems.update(judge(Case(memory, tree, None, {}, (), self.today), (_ARCHIVED,)))

    def fetch(self, paths: set[str]) -> None:
        """Read what the case was made without."""
        lacking = sorted(path for path in paths if self.tree.get(path) is _LEFT_OUT)
        self.tree.update(self.source.read(lacking) if lacking else {})

    def _judged(self, files: dict[str, MemoryFile], tree: Tree, problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
        memory = Memory(self.source.root, self.source.config, self.types, files, problems)
        found = judge(Case(memory, tree, None, {}, (), self.today), self.inner) if self.inner else ()
        self.problems.update(found)
        return found

    def _read(self, path: str, file: File, mtype: MemoryType, config: Config) -> MemoryFile:
        found = read_file(path, file, mtype, config)
        if found.log:
            self.logs[path] = found
        return found

    def _slim(self, file: MemoryFile) -> MemoryFile:
        entries = tuple(each if _is_linked(each) else self._bare(each) for each in file.entries)
        kept = any(entry.text for entry in entries)
        return file if kept else MemoryFile(file.path, file.type, "", "", entries)

    def _bare(self, entry: Entry) -> Entry:
        return Entry(entry.id, entry.type, entry.path, entry.line, "", _Shown(entry) if self.indexed else _UNREAD)

    def _read_again(self) -> dict[str, MemoryFile]:
        """The files of entries that share an id: where it stands in them is said."""
        paths: dict[str, set[str]] = {}
        for file in (*self.files.values(), *self.logs.values()):
            for entry in file.entries:
                paths.setdefault(entry.id.casefold(), set()).add(file.path)
        again = sorted({path for several in paths.values() if len(several) > 1 for path in several} - self.logs.keys())
        if not again:
            return {}
        self.tree.update(self.source.read(again))
        tree = self.kinds | {path: self.tree[path] for path in again}
        return dict(read_memory(tree, self.source.root, self.source.config).files)


class _Shown(Mapping["str", "Any"]):
    """The reader of an entry of which the index alone will ask something, and its fields at once: a dict for each would
    take as much as all the rest does."""

    __slots__ = ("shown", "status", "title")

    def __init__(self, entry: Entry) -> None:
        self.title, self.status, self.shown = entry.title, entry.status, entry.abstract

    def __getitem__(self, name: str) -> str:
        if name in ("title", "status"):
            return str(getattr(self, name))
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(("title", "status"))

    def __len__(self) -> int:
        return 2

    def fields(self, _: Entry) -> Mapping[str, Any]:
        return self

    def lines(self, _: Entry) -> Lines:
        return {}

    def abstract(self, _: Entry) -> str:
        return self.shown

    def levels(self, _: Entry) -> tuple[str, str]:
        return "", ""


def _is_shared(path: str, inside: str, shared: tuple[str, ...]) -> bool:
    return not path.startswith(inside) or path.startswith(shared)


_UNREAD = Known(EMPTY, {}, "", ("", ""))


def _is_linked(entry: Entry) -> bool:
    """Whether it points to others, or may say of itself that it no longer holds."""
    return _CLOSING.search(entry.text) is not None or any(name in entry.fields for name in _LINKS)
