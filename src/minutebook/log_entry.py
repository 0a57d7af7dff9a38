"""A log: many entries in one file, each under a heading with its id, with labels as people write them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from minutebook import front_matter
from minutebook.entry import Entry, MemoryFile
from minutebook.markdown import Line, first_sentence, read_lines
from minutebook.memory_type import MemoryType, section_field
from minutebook.problem import Problem
from minutebook.strict_yaml import StrictYamlError, load

_ID = r"[A-Za-z][A-Za-z0-9]{0,15}(?:-[A-Za-z0-9]{1,20}){1,8}"
_ENTRY = re.compile(
    rf"(?P<id>{_ID})(?:\s{{0,4}}[(\[](?P<date>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})[)\]])?"
    r"(?:\s{0,4}(?:—|–|-|:)\s{0,4}(?P<title>\S.{0,400})?)?"
)
_LABEL = re.compile(
    r"\s{0,3}(?:[-*+]\s{1,3})?\*\*([A-Za-z][A-Za-z _-]{0,38}?)\s?(?::\*\*|\*\*\s?:)[ \t]*(.*)", re.DOTALL
)
MARKER = re.compile(r"\s{0,3}>\s?\**(SUPERSEDED|RETRACTED|OBSOLETE)\b\**(?:\s+by\s+\**(" + _ID + r"))?", re.IGNORECASE)
_LISTS = {"tags": ("tags",), "anchors": ("anchors",), "related": ("relations", "related_to")}
_ONE_LINE = frozenset({"date", "status", "supersedes", "superseded_by", "tags", "anchors", "related", "source"})
_SOURCE = re.compile(
    r"session\s+(?P<session>[^,\s]{1,200})(?:,\s*turn\s+(?P<turn>[0-9]{1,9}))?(?:,\s*(?P<role>user|assistant|tool))?"
    r"(?:,\s*sha256\s+(?P<sha256>[0-9a-f]{64}))?"
)


@dataclass(frozen=True, slots=True)
class _Span:
    heading: Line
    match: re.Match[str]
    rows: list[Line]


def entry_heading(line: Line) -> re.Match[str] | None:
    """The parts (id, date, title) of a heading that opens an entry."""
    match = _ENTRY.fullmatch(line.heading) if line.level else None
    return match if match and any(character.isdigit() for character in match["id"]) else None


def read_label(line: str) -> tuple[str, str] | None:
    """(field, first line of its value) when a line opens a label such as `**Date:** 2026-11-02`."""
    match = _LABEL.match(line)
    return (section_field(match[1]), match[2].strip()) if match else None


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
            problems.append(Problem(path, error.line, "yaml", str(error)))
    body, first = (found[1], found[2]) if found else (text, 1)
    head, spans, loose = _spans(body, first)
    if found:
        head = text[: len(text) - len(body)] + head
    entries = tuple(_read(path, span, mtype) for span in spans)
    for row in loose:
        message = f"text under “{row.heading}” belongs to no entry"
        fix = f"### {mtype.id.split('{')[0]}… — {row.heading}"
        problems.append(Problem(path, row.number, "loose-text", message, fix=fix, severity="warning"))
    return MemoryFile(path, mtype.name, text, head, entries, tuple(problems), log=True)


def _spans(body: str, first: int) -> tuple[str, list[_Span], list[Line]]:
    head: list[str] = []
    spans: list[_Span] = []
    loose: list[Line] = []
    level, current = 0, None
    pending: Line | None = None
    for row in read_lines(body, first):
        ends = row.level and (not level or row.level <= level)
        match = entry_heading(row) if ends else None
        if match:
            current, level, pending = _Span(row, match, [row]), row.level, None
            spans.append(current)
        elif ends and level:
            current, level, pending = None, row.level, row
        elif current is not None:
            current.rows.append(row)
        elif not spans:
            head.append(row.text)
        elif pending is not None and row.text.strip():
            loose.append(pending)
            pending = None
    return "".join(head), spans, loose


def _read(path: str, span: _Span, mtype: MemoryType) -> Entry:
    fields: dict[str, Any] = {"id": span.match["id"], "title": (span.match["title"] or "").strip()}
    lines: dict[tuple[str | int, ...], int] = {(): span.heading.number, ("title",): span.heading.number}
    if span.match["date"]:
        fields["date"] = span.match["date"]
    name, quote = "", False
    for row in span.rows[1:]:
        label = read_label(row.text) if row.live else None
        marker = MARKER.match(row.text) if row.live and not quote else None
        if label:
            name, quote = label[0], label[0] == "source"
            lines.setdefault((name,), row.number)
            if name == "source":
                _add_source(fields, label[1])
            else:
                fields.setdefault(name, label[1])
        elif marker:
            name = ""
            _mark(fields, lines, marker, row.number)
        elif quote and row.text.lstrip().startswith(">"):
            _add_quote(fields, row.text.lstrip()[1:].strip())
        elif row.level:
            name, quote = "", False
        elif name and name not in _ONE_LINE:
            fields[name] = f"{fields[name]}\n{row.text.rstrip()}"
        else:
            quote = False
    text = "".join(row.text for row in span.rows)
    _finish(fields)
    body = "".join(row.text for row in span.rows[1:]).strip()
    main = str(fields.get("decision") or next((str(fields[key]) for key in _sections(mtype) if key in fields), body))
    overview = "\n".join(filter(None, (str(fields.get("context", "")), main)))
    abstract = str(fields.get("abstract") or first_sentence(main) or fields["title"])
    return Entry(
        fields["id"], mtype.name, path, span.heading.number, fields, abstract, overview, body, text, lines, True
    )


def _sections(mtype: MemoryType) -> list[str]:
    return [section_field(section) for section in mtype.sections]


def _add_source(fields: dict[str, Any], value: str) -> None:
    match = _SOURCE.match(value)
    if match:
        source = {key: part for key, part in match.groupdict().items() if part}
        turn = {"turn": int(source["turn"])} if "turn" in source else {}
        fields.setdefault("sources", []).append({**source, **turn})


def _add_quote(fields: dict[str, Any], text: str) -> None:
    if fields.get("sources"):
        source = fields["sources"][-1]
        source["quote"] = f"{source['quote']}\n{text}" if "quote" in source else text


def _mark(fields: dict[str, Any], lines: dict[tuple[str | int, ...], int], marker: re.Match[str], number: int) -> None:
    fields["status"] = marker[1].lower()
    lines[("status",)] = number
    if marker[2]:
        fields["superseded_by"] = marker[2]


def _finish(fields: dict[str, Any]) -> None:
    for key, value in list(fields.items()):
        if isinstance(value, str):
            fields[key] = value.strip()
        if fields[key] == "" and key != "title":
            del fields[key]
    for label, target in _LISTS.items():
        if label in fields:
            items = [part.strip().strip("`") for part in str(fields.pop(label)).split(",") if part.strip()]
            if len(target) == 1:
                fields[target[0]] = items
            else:
                fields[target[0]] = {target[1]: items}
    for label in ("supersedes", "superseded_by"):
        if str(fields.get(label, "")).lower() in {"none", "n/a", "-", "—", "null"}:
            del fields[label]


def compose_log_entry(fields: Mapping[str, Any], mtype: MemoryType, level: int = 3) -> str:
    """The text of a new log entry with labels in the type's order; what `read_log` gives back."""
    out = [f"{'#' * level} {fields['id']} — {fields['title']}"]
    for section in mtype.sections:
        text = str(fields.get(section_field(section), "")).strip()
        if text:
            out.append(f"**{section}:** {text}")
    for label in ("Date", "Status", "Supersedes"):
        value: Any = fields.get(label.lower())
        if value:
            out.append(f"**{label}:** {', '.join(value) if isinstance(value, list | tuple) else value}")
    related = fields.get("relations", {}).get("related_to", ())
    for label, items in (
        ("Tags", fields.get("tags", ())),
        ("Anchors", fields.get("anchors", ())),
        ("Related", related),
    ):
        if items:
            out.append(f"**{label}:** {', '.join(items)}")
    for source in fields.get("sources", ()):
        parts = [f"session {source['session']}"]
        parts += [f"turn {source['turn']}"] if "turn" in source else []
        parts += [source["role"]] if "role" in source else []
        parts += [f"sha256 {source['sha256']}"] if "sha256" in source else []
        out.append(f"**Source:** {', '.join(parts)}")
        out += [f"> {line}" for line in str(source.get("quote", "")).split("\n") if line.strip()]
    return "\n".join(out) + "\n"


def with_new_entry(file: MemoryFile | None, text: str, order: str, preamble: str = "") -> str:
    """The log's text with a new entry at its open end; every other byte stays."""
    old = file.text if file is not None else preamble
    ending = "" if not old or old.endswith("\n") else "\n"
    if file is None or not file.entries:
        return f"{old}{ending}\n{text}" if old else text
    if order == "oldest-first":
        return f"{old}{ending}\n{text}" if not old.endswith("\n\n") else f"{old}{text}"
    at = len(file.head)
    return f"{old[:at]}{text}\n{old[at:]}"
