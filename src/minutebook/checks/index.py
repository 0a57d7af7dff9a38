"""The map of memory is the map of this memory."""

from __future__ import annotations

from minutebook.ground.entry import decode
from minutebook.ground.frozen import replace
from minutebook.ground.memory import INDEX
from minutebook.ground.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from minutebook.checks.judgement import Case
    from minutebook.ground.memory import Memory
    from minutebook.ground.problem import Severity


def index(case: Case) -> Iterator[Problem]:
    """`index.md` lists what is in memory now.

    Two branches that both regenerate it would conflict at every merge, so a branch doesn't have to. An index without
    minutebook's marker was made by hand and is left alone. Where a change leaves the page as it is, only the rows of
    the entries that it touches are looked for; `--all` compares the whole page.

    Severity: warning; error with `index: strict` in the config.
    """
    memory = case.result
    inside = f"{memory.root}/"
    if case.base is not None and not any(path.startswith(inside) for path in case.changed_paths):
        return
    path = memory.outer(INDEX)
    severity: Severity = "error" if memory.config.index == "strict" else "warning"
    file = case.tree.get(path)
    if file is None:
        if next(memory.entries(), None) is not None:
            yield Problem(path, 0, "index", "there is no index", "minutebook index", severity=severity)
        return
    text = decode(file.data).replace("\r\n", "\n")
    if not _in_step(text, case, whole=path in case.changed_paths or severity == "error"):
        yield Problem(path, 0, "index", "the index is out of step with memory", "minutebook index", severity=severity)


def _in_step(text: str, case: Case, *, whole: bool) -> bool:
    from minutebook.pages.index_page import MARKER, index_page

    if MARKER not in text:
        return True
    if whole or case.base is None:
        return text == index_page(case.result)
    left = {entry.id for entry in case.result.entries()}
    gone = {entry.id for entry in case.base.entries()} - left
    rows = set(text.split("\n"))
    changed = {entry.id for entry in case.judged}
    return _rows(_only(case.result, changed)) <= rows and not _rows(_only(case.base, gone)) & rows


def _only(memory: Memory, names: set[str]) -> Memory:
    """The memory with no entries but those of these ids."""
    files = {}
    for path, file in memory.files.items():
        kept = tuple(entry for entry in file.entries if entry.id in names)
        if kept:
            files[path] = replace(file, entries=kept)
    return replace(memory, files=files)


def _rows(memory: Memory) -> set[str]:
    """The rows of its index that stand for entries."""
    from minutebook.pages.index_page import index_page

    rows = {line for line in index_page(memory).split("\n") if line.startswith("| ")}
    return rows - {"| id | title | abstract | file |"}
