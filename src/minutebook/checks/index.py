"""The map of memory is the map of this memory."""

from collections.abc import Iterator

from minutebook.checks.judgement import Case
from minutebook.ground.entry import decode
from minutebook.ground.memory import INDEX
from minutebook.ground.problem import Problem, Severity
from minutebook.pages.index_page import MARKER, index_page


def index(case: Case) -> Iterator[Problem]:
    """`index.md` lists what is in memory now. Out of step is a warning, since two branches that both regenerate it
    would conflict at every merge; `index: strict` in the config makes it an error. An index without minutebook's
    marker was made by hand and is left alone."""
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
    if MARKER in text and text != index_page(memory):
        yield Problem(path, 0, "index", "the index is out of step with memory", "minutebook index", severity=severity)
