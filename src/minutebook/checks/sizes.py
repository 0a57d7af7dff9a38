"""Memory stays small enough to be loaded."""

from collections.abc import Iterator

from minutebook.checks.judged import entries_before, is_adopted
from minutebook.checks.judgement import Case
from minutebook.ground.entry import Entry
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.problem import Problem, Severity
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import ARCHIVE


def sizes(case: Case) -> Iterator[Problem]:
    """Every level of an entry is small enough to be loaded.

    The type's `limits` count tokens (UTF-8 length / 4) of abstract, overview and body, by default 100, 500 and 5000,
    and, where the type says so, lines of the page. What lies in the archive is never loaded and may be of any size.

    Severity: warning over a limit, error over twice the limit. What came with a GAAI tree, or is a decision record that
    the config maps, stays a warning until it is edited.
    """
    olds = entries_before(case)
    for entry in case.changed_entries():
        if case.result.inner(entry.path).startswith(ARCHIVE):
            continue
        adopted = is_adopted(case, entry, olds.get((entry.type, entry.id)))
        mtype = case.result.type_of(entry)
        for level, limit, size, unit in _measured(entry, mtype):
            if size > limit:
                severity: Severity = "error" if size > 2 * limit and not adopted else "warning"
                message = f"the {level} is longer than {limit} {unit}" + (" by far" if size > 2 * limit else "")
                fix = f"shorten it ({size} {unit} now), or move what is not needed every time to an entry of its own"
                yield Problem(entry.path, _line(entry, level), "sizes", message, fix, entry.id, severity)


def _measured(entry: Entry, mtype: MemoryType) -> Iterator[tuple[str, int, int, str]]:
    for level, text in (("abstract", entry.abstract), ("overview", entry.overview), ("body", entry.body)):
        yield level, mtype.limits[level], tokens(text), "tokens"
    if "lines" in mtype.limits:
        yield "page", mtype.limits["lines"], entry.text.rstrip("\n").count("\n") + 1, "lines"


def _line(entry: Entry, level: str) -> int:
    return entry.line_of(level) if level == "abstract" else entry.line
