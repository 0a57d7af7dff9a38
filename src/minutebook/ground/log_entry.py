"""A log: many entries in one file, each under a heading with its id. Cut up here; `log_fields` reads an entry."""

from __future__ import annotations

from itertools import accumulate, islice, repeat

from minutebook.ground import front_matter
from minutebook.ground.entry import Entry, MemoryFile
from minutebook.ground.frozen import frozen
from minutebook.ground.log_again import NOTHING_KEPT, kept_of, line_end, moved
from minutebook.ground.log_fields import LogReader
from minutebook.ground.log_headings import plain_entries
from minutebook.ground.log_lines import entry_heading, id_prefix
from minutebook.ground.markdown import headings, read_lines
from minutebook.ground.problem import Problem
from minutebook.ground.strict_yaml import StrictYamlError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from minutebook.ground.log_again import Kept
    from minutebook.ground.markdown import Heading
    from minutebook.ground.memory_type import MemoryType

_RULES = frozenset("-*_")


@frozen
class _Log:
    """A log cut up: (id, start, end) of each entry, and the headings with text that is in none."""

    spans: list[tuple[str, int, int]]
    loose: list[Heading]


def read_log(
    path: str, text: str, mtype: MemoryType, *, mapped: bool = False, earlier: MemoryFile | None = None
) -> MemoryFile:
    """A log file; whatever can't be read is a problem on its line, and the entries around it are still read.

    `earlier` is the same file as it was read before a change, as the same type: what is still the same is taken over.
    """
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
    start, reader = found[2] if found is not None else 0, LogReader(mtype, mapped)
    kept, log = _recut(earlier, text, start, prefix) if earlier is not None else (None, None)
    if kept is None or log is None:
        kept, log = NOTHING_KEPT, _cut(text, start, prefix)
    between = _entries(log.spans, text, path, reader)
    last = moved(kept.last, between.pop().line - kept.last[0].line) if kept.last else ()
    entries = (*kept.first, *between, *last)
    for line, row in zip(_numbers(text, [row.start for row in log.loose]), log.loose, strict=True):
        message = f"text under “{row.heading}” belongs to no entry"
        fix = f"{'#' * row.level} {prefix}… — {row.heading}"
        problems.append(Problem(path, line, "loose-text", message, fix=fix, severity="warning"))
    head = text[: log.spans[0][1]] if log.spans else text
    if kept.first and earlier is not None:
        head = earlier.head
    return MemoryFile(path, mtype.name, text, head, entries, tuple(problems), log=True)


def _entries(spans: list[tuple[str, int, int]], text: str, path: str, reader: LogReader) -> list[Entry]:
    if not spans:
        return []
    # In C as far as it goes: there may be ten thousand of them.
    names, starts, ends = zip(*spans, strict=True)
    texts = map(text.__getitem__, map(slice, starts, ends))
    lines = _numbers(text, starts)
    return list(map(Entry, names, repeat(reader.mtype.name), repeat(path), lines, texts, repeat(reader), repeat(True)))


def _recut(earlier: MemoryFile, text: str, start: int, prefix: str) -> tuple[Kept | None, _Log | None]:
    """What is taken over, and what lies between, cut up, with the first of the last entries at its end."""
    kept = kept_of(earlier, text)
    if kept is None or (kept.first and start > len(earlier.head)):  # front matter may end further down by now
        return None, None
    if not kept.last:
        return kept, _cut(text, max(start, kept.start), prefix)
    log = _cut(text[: line_end(text, kept.end)], max(start, kept.start), prefix)
    follows = bool(log.spans) and log.spans[-1][:2] == (kept.last[0].id, kept.end)
    return (kept, log) if follows else (None, None)


def _numbers(text: str, places: Sequence[int]) -> Iterator[int]:
    """The numbers of the lines that start at these places, in order."""
    between = map(text.count, repeat("\n"), (0, *places), places)
    return islice(accumulate(between, initial=1), 1, None)


def _cut(text: str, start: int, prefix: str) -> _Log:
    """An entry ends at the next heading of its own level or above; where none is open, a heading of any level may
    open one (logs are grouped by year or month under headings of their own)."""
    plain = plain_entries(text, start, prefix)
    if plain is not None:
        names, starts = plain
        return _Log(list(zip(names, starts, [*starts[1:], len(text)][: len(starts)], strict=True)), [])
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
