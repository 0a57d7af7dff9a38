"""A log: many entries in one file, each under a heading with its id, with labels as people write them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from minutebook.ground import front_matter
from minutebook.ground.entry import Entry, MemoryFile
from minutebook.ground.frozen import frozen
from minutebook.ground.log_lines import (
    MARKER,
    entry_heading,
    id_prefix,
    read_label,
    split_list,
    unescaped,
    unescaped_title,
)
from minutebook.ground.markdown import Line, first_sentence, read_lines
from minutebook.ground.memory_type import MemoryType, section_field
from minutebook.ground.problem import Problem
from minutebook.ground.strict_yaml import Plain, StrictYamlError, load, typed

_LISTS = ("tags", "anchors")
_RELATIONS = {"related": "related_to", "derived_from": "derived_from", "contradicts": "contradicts"}
_ALIASES = {"sources": "source", "relations": "related", "related_to": "related"}
_ONE_LINE = frozenset({"date", "status", "supersedes", "superseded_by", "source", *_LISTS, *_RELATIONS})
_NONE = frozenset({"none", "n/a", "-", "—", "null"})
_NOT_TEXT = frozenset({"integer", "number", "boolean", "array"})
_RULE = re.compile(r"\s*([-*_])[ \t]*(?:\1[ \t]*){2,}")
_SOURCE = re.compile(
    r"session\s+(?P<session>[^,\s]{1,200})(?:,\s*turn\s+(?P<turn>[0-9]{1,9}))?(?:,\s*(?P<role>user|assistant|tool))?"
    r"(?:,\s*sha256\s+(?P<sha256>[0-9a-f]{64}))?"
)

Lines = dict[tuple[str | int, ...], int]


@frozen
class _Span:
    heading: Line
    match: re.Match[str]
    rows: list[Line]


@frozen
class _Log:
    """A log cut up: what stands before the first entry, the entries, the headings with text that is in none."""

    head: list[str]
    spans: list[_Span]
    loose: list[Line]


def read_log(path: str, text: str, mtype: MemoryType) -> MemoryFile:
    """A log file; whatever can't be read is a problem on its line, and the entries around it are still read."""
    problems: list[Problem] = []
    found = front_matter.split(text)
    if front_matter.unclosed(text):
        problems.append(Problem(path, 1, "yaml", "front matter is opened with --- and never closed", fix="---"))
    if found is not None:
        try:
            load(found[0], first_line=2)
        except StrictYamlError as error:
            problems.append(Problem(path, error.line, "yaml", str(error), error.hint))
    body, first = (found[1], found[2]) if found else (text, 1)
    log = _cut(body, first, id_prefix(mtype.id))
    head = text[: len(text) - len(body)] + "".join(log.head)
    entries = tuple(_read(path, span, mtype) for span in log.spans)
    for row in log.loose:
        message = f"text under “{row.heading}” belongs to no entry"
        fix = f"{'#' * row.level} {id_prefix(mtype.id)}… — {row.heading}"
        problems.append(Problem(path, row.number, "loose-text", message, fix=fix, severity="warning"))
    return MemoryFile(path, mtype.name, text, head, entries, tuple(problems), log=True)


def _cut(body: str, first: int, prefix: str) -> _Log:
    """An entry ends at the next heading of its own level or above; where none is open, a heading of any level may
    open one (logs are grouped by year or month under headings of their own)."""
    log = _Log([], [], [])
    current: _Span | None = None
    group: Line | None = None
    for row in read_lines(body, first):
        outside = current is None or row.level <= current.heading.level
        match = entry_heading(row, prefix) if row.level and outside else None
        if match:
            current, group = _Span(row, match, [row]), None
            log.spans.append(current)
        elif row.level and outside and log.spans:
            current, group = None, row
        elif current is not None:
            current.rows.append(row)
        elif not log.spans:
            log.head.append(row.text)
        elif group is not None and row.live and row.text.strip() and not _RULE.fullmatch(row.text.rstrip("\r\n")):
            log.loose.append(group)
            group = None
    return log


def _read(path: str, span: _Span, mtype: MemoryType) -> Entry:
    fields, lines = _labels(span)
    _finish(fields, mtype)
    text = "".join(row.text for row in span.rows)
    body = "".join(row.text for row in span.rows[1:]).strip()
    sections = [section_field(section) for section in mtype.sections]
    main = str(fields.get("decision") or next((str(fields[key]) for key in sections if key in fields), body))
    overview = "\n".join(filter(None, (str(fields.get("context", "")), main)))
    abstract = str(fields.get("abstract") or first_sentence(main) or fields["title"])
    return Entry(
        fields["id"], mtype.name, path, span.heading.number, fields, abstract, overview, body, text, lines, True
    )


def _labels(span: _Span) -> tuple[dict[str, Any], Lines]:
    title = unescaped_title((span.match["title"] or "").strip())
    fields: dict[str, Any] = {"id": span.match["id"], "title": title}
    lines: Lines = {(): span.heading.number, ("id",): span.heading.number, ("title",): span.heading.number}
    if span.match["date"]:
        fields["date"] = span.match["date"]
        lines[("date",)] = span.heading.number
    name = ""
    for row in span.rows[1:]:
        label = read_label(row.text) if row.live else None
        quoted = row.live and name == "source" and row.text.lstrip().startswith(">")
        marker = MARKER.match(row.text) if row.live and not quoted else None
        if label:
            name = _ALIASES.get(label[0], label[0])
            if name == "source":
                lines.setdefault(("sources",), row.number)
                _add_source(fields, label[1])
            elif name in fields:
                name = ""
            else:
                lines.setdefault((name,), row.number)
                fields[name] = label[1]
        elif marker:
            name = ""
            _mark(fields, lines, marker, row.number)
        elif quoted:
            _add_quote(fields, row.text)
        elif row.level or name in _ONE_LINE:
            name = ""
        elif name:
            line = row.text.removesuffix("\n").removesuffix("\r")
            fields[name] = f"{fields[name]}\n{unescaped(line) if row.live else line}"
    return fields, lines


def _add_source(fields: dict[str, Any], value: str) -> None:
    match = _SOURCE.match(value)
    if match:
        source = {key: part for key, part in match.groupdict().items() if part}
        turn = {"turn": int(source["turn"])} if "turn" in source else {}
        fields.setdefault("sources", []).append({**source, **turn})


def _add_quote(fields: dict[str, Any], row: str) -> None:
    text = row.lstrip()[1:].removesuffix("\n").removesuffix("\r").removeprefix(" ")
    if fields.get("sources"):
        source = fields["sources"][-1]
        source["quote"] = f"{source['quote']}\n{text}" if "quote" in source else text


def _mark(fields: dict[str, Any], lines: Lines, marker: re.Match[str], number: int) -> None:
    fields["status"] = marker[1].lower()
    lines[("status",)] = number
    if marker[2]:
        fields["superseded_by"] = marker[2]
        lines[("superseded_by",)] = number


def _finish(fields: dict[str, Any], mtype: MemoryType) -> None:
    for key, value in list(_stripped(fields)):
        if not value and key != "title":
            del fields[key]
        else:
            fields[key] = value
    properties: Mapping[str, Any] = mtype.schema["properties"]
    for key in [key for key in fields if key not in ("id", "title", "sources", *_RELATIONS)]:
        described = properties.get(key)
        wanted = described.get("type") if isinstance(described, dict) else None
        if key in _LISTS or wanted == "array":
            fields[key] = split_list(str(fields[key]))
        elif isinstance(wanted, str) and wanted in _NOT_TEXT:
            fields[key] = typed(Plain(fields[key]), properties[key])
    relations = {name: split_list(str(fields.pop(label))) for label, name in _RELATIONS.items() if label in fields}
    if relations:
        fields["relations"] = relations
    for label in ("supersedes", "superseded_by"):
        if str(fields.get(label, "")).lower() in _NONE:
            del fields[label]


def _stripped(fields: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in fields.items():
        yield key, value.strip() if isinstance(value, str) else value
