"""What the rules share: which files and lines are under judgement, and which entry a line belongs to."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping

from minutebook.checks.judgement import Case
from minutebook.ground.change import File
from minutebook.ground.config import CONFIG
from minutebook.ground.entry import Entry, MemoryFile, decode
from minutebook.ground.markdown import split_lines

_CATEGORY = re.compile(r"^category:", re.MULTILINE)


def judged_files(case: Case) -> Iterator[tuple[str, File]]:
    """The regular files beneath the root, and the config, that are under judgement and still there."""
    inside = f"{case.result.root}/"
    for path in sorted(case.tree if case.base is None else case.changed_paths):
        file = case.tree.get(path)
        if file is not None and file.is_regular and (path.startswith(inside) or path == CONFIG):
            yield path, file


def appears(case: Case, path: str) -> bool:
    """Whether the path is new, or everything is judged."""
    return case.base is None or (path in case.changed_paths and path not in case.base_tree)


def old_lines(case: Case) -> frozenset[str]:
    """Every line that a changed file had before: what moves or stays isn't new."""
    old = (change.old for change in case.changes if change.old is not None)
    return frozenset(line.rstrip("\r\n") for file in old for line in split_lines(decode(file.data)))


def entry_finder(file: MemoryFile | None) -> Callable[[int], str]:
    """Tells the id of the entry in which a line of the file stands; "" in a head or in a file of another kind."""
    entries = sorted(file.entries, key=lambda entry: entry.line) if file is not None else []
    starts = [entry.line for entry in entries]

    def entry_at(line: int) -> str:
        at = bisect_right(starts, line) - 1
        inside = at >= 0 and line <= starts[at] + entries[at].text.count("\n")
        return entries[at].id if inside else ""

    return entry_at


def entries_before(case: Case) -> Mapping[tuple[str, str], Entry]:
    """The entries of the base by type and id."""
    if case.base is None:
        return {}
    return {(entry.type, entry.id): entry for entry in case.base.entries(archived=True)}


def is_adopted(case: Case, entry: Entry, old: Entry | None) -> bool:
    """Whether the entry stands as it came from elsewhere: in a GAAI tree or file, and not edited since `old`."""
    if old is not None and old.text.rstrip() != entry.text.rstrip():
        return False
    head = case.result.files[entry.path].head
    return case.result.adopted or "category" in entry.fields or _CATEGORY.search(head) is not None
