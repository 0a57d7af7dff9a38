"""One memory: its fields, its three levels, its exact text; and the files that hold one or many."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from minutebook.ground import front_matter
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import first_sentence, read_lines
from minutebook.ground.memory_type import MemoryType, section_field
from minutebook.ground.problem import Problem
from minutebook.ground.strict_yaml import StrictYamlError

Lines = Mapping[tuple[str | int, ...], int]
KNOWN_TRUE = ("verified", "updated", "date", "created")
"""The fields that say when an entry was last known to be true, the one that counts first."""


@frozen
class Entry:
    """`path` is from the top of the repository, `line` the 1-based first line there; `text` is exact.

    `fields` are the front matter or the labels, and the sections that the type names; `lines` lead from a field
    (or a deeper path in it) to its line. `abstract`, `overview` and `body` are the levels L0, L1 and L2.
    """

    id: str
    type: str
    path: str
    line: int
    fields: Mapping[str, Any]
    abstract: str
    overview: str
    body: str
    text: str
    lines: Lines
    in_log: bool = False

    @property
    def title(self) -> str:
        return str(self.fields.get("title", self.id))

    @property
    def status(self) -> str:
        return str(self.fields.get("status", "")).lower()

    def ids(self, field: str) -> tuple[str, ...]:
        """The ids in `supersedes` or `superseded_by`, or in a relation such as `related_to`."""
        value = self.fields.get(field)
        if value is None:
            relations = self.fields.get("relations")
            value = relations.get(field) if isinstance(relations, dict) else None
        if isinstance(value, str):
            return tuple(part for piece in value.split(",") if (part := _bare(piece)))
        return tuple(str(item) for item in value) if isinstance(value, list) else ()

    def day(self, *names: str) -> date | None:
        """The day in the first of these fields that holds one."""
        return next((day for name in names if (day := day_of(str(self.fields.get(name, ""))))), None)

    def line_of(self, field: str) -> int:
        return self.lines.get((field,), self.line)


@frozen
class MemoryFile:
    """A file of memory as read. In a log, `head` stands before the first entry; head and entries joined are the
    text, but for what stands under headings that are no entries (those of a year, say)."""

    path: str
    type: str
    text: str
    head: str
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...] = ()
    log: bool = False


def _bare(piece: str) -> str:
    """`DEC-1` of `**DEC-1** (in part)` or `[DEC-1](#dec-1)`: people write ids with what Markdown has to offer."""
    words = piece.strip().lstrip("[*`").split(maxsplit=1)
    return re.split(r"[\]*`(]", words[0], maxsplit=1)[0] if words else ""


def day_of(text: str) -> date | None:
    """The day that a date field begins with, or None when it's none."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def encode(text: str) -> bytes:
    """The bytes that `decode` read."""
    return text.encode("utf-8", "surrogateescape")


def decode(data: bytes) -> str:
    """Bytes as text; what is no UTF-8 is kept as lone surrogates, so that `encode` gives the same bytes."""
    return data.decode("utf-8", "surrogateescape")


def read_entry(path: str, text: str, mtype: MemoryType, stem: str) -> tuple[Entry | None, tuple[Problem, ...]]:
    """A file that holds one entry. Without front matter the first heading is its title and `stem` its id."""
    if front_matter.unclosed(text):
        return None, (Problem(path, 1, "yaml", "front matter is opened with --- and never closed", fix="---"),)
    yaml_text, rest, first = front_matter.split(text) or ("", text, 1)
    try:
        fields, lines = front_matter.read_fields(yaml_text, mtype)
    except StrictYamlError as error:
        return None, (Problem(path, error.line, "yaml", str(error), error.hint),)
    for name, value, line in _sections(rest, first, mtype):
        fields.setdefault(name, value)
        lines.setdefault((name,), line)
    heading = next((line for line in read_lines(rest, first) if line.level), None)
    if "title" not in fields and heading is not None and heading.level == 1:
        fields["title"] = heading.heading
    overview, body = levels(rest)
    abstract = str(fields.get("abstract") or first_sentence(overview) or fields.get("title", ""))
    entry_id = str(fields.get("id") or stem)
    return Entry(entry_id, mtype.name, path, 1, fields, abstract, overview, body, text, lines), ()


def levels(text: str) -> tuple[str, str]:
    """(L1, L2) of a body: the section named Overview, or else the first paragraph; and the rest."""
    overview: list[str] = []
    rest: list[str] = []
    inside = False
    for row in read_lines(text):
        if row.level and row.level <= 2:
            inside = row.heading.lower() == "overview"
            if inside:
                continue
        (overview if inside else rest).append(row.text)
    body = "".join(rest).strip()
    return "".join(overview).strip() or _first_paragraph(body), body


def _first_paragraph(body: str) -> str:
    for part in body.split("\n\n"):
        kept = "\n".join(line for line in part.split("\n") if not line.lstrip().startswith("#")).strip()
        if kept:
            return kept
    return ""


def _sections(text: str, first: int, mtype: MemoryType) -> Iterator[tuple[str, str, int]]:
    wanted = {section_field(section) for section in mtype.sections}
    name, line, parts = "", 0, list[str]()
    for row in read_lines(text, first):
        if row.level and row.level <= 2:
            if name in wanted and "".join(parts).strip():
                yield name, "".join(parts).strip(), line
            name, line, parts = section_field(row.heading), row.number, []
        else:
            parts.append(row.text)
    if name in wanted and "".join(parts).strip():
        yield name, "".join(parts).strip(), line
