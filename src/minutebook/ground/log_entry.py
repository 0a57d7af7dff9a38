"""A log: many entries in one file, each under a heading with its id. Cut up here; `log_fields` reads an entry."""

from __future__ import annotations

from minutebook.ground import front_matter
from minutebook.ground.entry import Entry, MemoryFile
from minutebook.ground.frozen import frozen
from minutebook.ground.log_fields import LogReader
from minutebook.ground.log_lines import entry_heading, id_prefix
from minutebook.ground.markdown import headings, read_lines
from minutebook.ground.problem import Problem
from minutebook.ground.strict_yaml import StrictYamlError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from minutebook.ground.markdown import Heading
    from minutebook.ground.memory_type import MemoryType

_RULES = frozenset("-*_")


@frozen
class _Log:
    """A log cut up: (id, start, end) of each entry, and the headings with text that is in none."""

    spans: list[tuple[str, int, int]]
    loose: list[Heading]


def read_log(path: str, text: str, mtype: MemoryType, *, mapped: bool = False) -> MemoryFile:
    """A log file; whatever can't be read is a problem on its line, and the entries around it are still read."""
    problems: list[Problem] = []
    found = front_matter.bounds(text)
    if found is None and front_matter.opens(text):
        problems.append(Problem(path, 1, "yaml", "front matter is opened with --- and never closed", fix="---"))
    if found is not None:
        try:
            front_matter.read_values(text[found[0] : found[1]], mtype)
        except StrictYamlError as error:
            problems.append(Problem(path, error.line, "yaml", str(error), error.hint))
    prefix = id_prefix(mtype.id)
    log = _cut(text, found[2] if found is not None else 0, prefix)
    entries: list[Entry] = []
    reader = LogReader(mtype, mapped)
    for line, (name, start, end) in zip(_numbers(text, [span[1] for span in log.spans]), log.spans, strict=True):
        entries.append(Entry(name, mtype.name, path, line, text[start:end], reader, True))
    for line, row in zip(_numbers(text, [row.start for row in log.loose]), log.loose, strict=True):
        message = f"text under “{row.heading}” belongs to no entry"
        fix = f"{'#' * row.level} {prefix}… — {row.heading}"
        problems.append(Problem(path, line, "loose-text", message, fix=fix, severity="warning"))
    head = text[: log.spans[0][1]] if log.spans else text
    return MemoryFile(path, mtype.name, text, head, tuple(entries), tuple(problems), log=True)


def _numbers(text: str, places: list[int]) -> Iterator[int]:
    """The numbers of the lines that start at these places, in order."""
    number, before = 1, 0
    for at in places:
        number += text.count("\n", before, at)
        before = at
        yield number


def _cut(text: str, start: int, prefix: str) -> _Log:
    """An entry ends at the next heading of its own level or above; where none is open, a heading of any level may
    open one (logs are grouped by year or month under headings of their own)."""
    log = _Log([], [])
    name, level, since = "", 0, 0
    group: Heading | None = None
    for heading in headings(text, start):
        if name and heading.level > level:
            continue
        if name:
            log.spans.append((name, since, heading.start))
        elif group is not None and _is_loose(text[group.end : heading.start]):
            log.loose.append(group)
        match = entry_heading(heading, prefix)
        if match:
            name, level, since, group = match["id"], heading.level, heading.start, None
        else:
            name, group = "", heading if log.spans else None
    if name:
        log.spans.append((name, since, len(text)))
    elif group is not None and _is_loose(text[group.end :]):
        log.loose.append(group)
    return log


def _is_loose(text: str) -> bool:
    """Whether there is text in it that a reader sees: no comment, no example in a fence, no horizontal rule."""
    return bool(text.strip()) and any(
        row.live and row.text.strip() and not _is_rule(row.text.rstrip("\r\n").lstrip()) for row in read_lines(text)
    )


def _is_rule(line: str) -> bool:
    marks = line.replace(" ", "").replace("\t", "")
    return len(marks) >= 3 and line[0] in _RULES and marks == line[0] * len(marks)
