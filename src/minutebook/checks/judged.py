"""What the rules share: which files and lines are under judgement, and which entry a line belongs to."""

from __future__ import annotations

from bisect import bisect_right

from minutebook.ground.alike import same_end, same_start
from minutebook.ground.config import CONFIG
from minutebook.ground.entry import decode
from minutebook.ground.lazy import lazy
from minutebook.ground.markdown import split_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from minutebook.checks.judgement import Case
    from minutebook.ground.change import File
    from minutebook.ground.entry import Entry, MemoryFile
    from minutebook.ground.memory import Memory

_CATEGORY = lazy(r"(?m)^category:")


def judged_files(case: Case) -> Iterator[tuple[str, File]]:
    """The regular files beneath the root, those of memory that lie elsewhere, and the config: what of it is under
    judgement and still there."""
    inside = f"{case.result.root}/"
    for path in sorted(case.tree if case.base is None else case.changed_paths):
        file = case.tree.get(path)
        ours = path.startswith(inside) or path == CONFIG or path in case.result.files
        if file is not None and file.is_regular and ours:
            yield path, file


def text_of(path: str, file: File, memory: Memory | None) -> str:
    """The text of the file, which memory has decoded already where it holds entries."""
    read = memory.files.get(path) if memory is not None else None
    return read.text if read is not None and read.text else decode(file.data)


def appears(case: Case, path: str) -> bool:
    """Whether the path is new, or everything is judged."""
    return case.base is None or (path in case.changed_paths and path not in case.base_tree)


def old_lines(case: Case) -> frozenset[str]:
    """Every line that a changed file had before: what moves or stays isn't new."""
    old = (change.old for change in case.changes if change.old is not None)
    return frozenset(line.rstrip("\r\n") for file in old for line in split_lines(decode(file.data)))


def changed_part(old: str, new: str, around: int) -> tuple[int, int]:
    """Where `new` differs from `old` between what both begin and end with, and `around` characters on either side,
    in whole lines: (start, end)."""
    most = min(len(old), len(new))
    head = same_start(old, new, most)
    tail = same_end(old, new, most - head)
    start = new.rfind("\n", 0, max(0, head - around)) + 1
    end = new.find("\n", min(len(new), len(new) - tail + around))
    return start, end if end >= 0 else len(new)


def entry_finder(file: MemoryFile | None) -> Callable[[int], str]:
    """Tells the id of the entry in which a line of the file stands; "" in a head or in a file of another kind."""
    entries = sorted(file.entries, key=lambda entry: entry.line) if file is not None else []
    starts = [entry.line for entry in entries]
    ends: dict[int, int] = {}

    def entry_at(line: int) -> str:
        at = bisect_right(starts, line) - 1
        if at >= 0 and at not in ends:
            ends[at] = starts[at] + entries[at].text.count("\n")
        return entries[at].id if at >= 0 and line <= ends[at] else ""

    return entry_at


def entries_before(case: Case) -> Mapping[tuple[str, str], Entry]:
    """By type and id, the entries of the base that the entries under judgement were."""
    if case.base is None:
        return {}
    names = {entry.id for entry in case.judged}
    return {(entry.type, entry.id): entry for entry in case.base.entries(archived=True) if entry.id in names}


def is_adopted(case: Case, entry: Entry, old: Entry | None) -> bool:
    """Whether the entry stands as it came from elsewhere: in a GAAI tree or file, and not edited since `old`."""
    if old is not None and old.text.rstrip() != entry.text.rstrip():
        return False
    if case.result.config.mapped_as(entry.path):
        return True
    head = case.result.files[entry.path].head
    return case.result.adopted or "category" in entry.fields or _CATEGORY.search(head) is not None
