"""What an entry of a log says of itself: the labels as people write them."""

from __future__ import annotations

import re
from functools import cache

from minutebook.ground.frozen import cached, frozen
from minutebook.ground.log_lines import (
    MARKER,
    MOST_FIELDS,
    entry_heading,
    id_prefix,
    read_label,
    split_list,
    unescaped,
    unescaped_title,
)
from minutebook.ground.markdown import first_sentence, headings, read_rows
from minutebook.ground.memory_type import section_field
from minutebook.ground.record import LAST, log_statements, said_status
from minutebook.ground.strict_yaml import Plain, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from minutebook.ground.entry import Entry
    from minutebook.ground.memory_type import MemoryType

    Lines = dict[tuple[str | int, ...], int]

_LISTS = ("tags", "anchors")
_RELATIONS = {"related": "related_to", "derived_from": "derived_from", "contradicts": "contradicts"}
_ALIASES = {"sources": "source", "relations": "related", "related_to": "related"}
_ONE_LINE = frozenset({"date", "status", "supersedes", "superseded_by", "source", *_LISTS, *_RELATIONS})
_NONE = frozenset({"none", "n/a", "-", "—", "null"})
_NOT_TEXT = frozenset({"integer", "number", "boolean"})
_LABEL_SIGNS = frozenset("*-+")
_MOST_SOURCES = 10_000  # more are refused, however many they are
_AS_IS = frozenset({"id", "title", "sources", *_RELATIONS})


@frozen
class LogReader:
    """The reader of the entries of a log. One that is `mapped` is other people's: a status may stand there as records
    have it."""

    mtype: MemoryType
    mapped: bool = False

    def fields(self, entry: Entry) -> Mapping[str, Any]:
        return _finished(self._read(entry)[1], self.forms)

    def lines(self, entry: Entry) -> Lines:
        return self._read(entry)[2]

    @cached
    def newest(self) -> list[tuple[Entry, dict[str, Any], Lines]]:
        """What was read last: who asks for the fields of an entry often asks for their lines next."""
        return []

    def _read(self, entry: Entry) -> tuple[Entry, dict[str, Any], Lines]:
        if not self.newest or self.newest[0][0] is not entry:
            self.newest[:] = [(entry, *_labels(entry, self.mtype, self.mapped))]
        return self.newest[0]

    @cached
    def forms(self) -> dict[str, Mapping[str, Any] | None]:
        """The fields that aren't text, with their schemas; None for a list of words."""
        properties: Mapping[str, Any] = self.mtype.schema["properties"]
        wanted = {name: spec["type"] for name, spec in properties.items() if isinstance(spec, dict) and "type" in spec}
        forms = {name: properties[name] for name, kind in wanted.items() if isinstance(kind, str) and kind in _NOT_TEXT}
        lists = {name: None for name, kind in wanted.items() if kind == "array"}
        found = forms | lists | dict.fromkeys(_LISTS)
        return {name: spec for name, spec in found.items() if name not in _AS_IS}

    def abstract(self, entry: Entry) -> str:
        return str(entry.fields.get("abstract") or first_sentence(self._main(entry)) or entry.fields["title"])

    def levels(self, entry: Entry) -> tuple[str, str]:
        context = str(entry.fields.get("context", ""))
        return "\n".join(filter(None, (context, self._main(entry)))), _body(entry.text)

    def _main(self, entry: Entry) -> str:
        fields = entry.fields
        if fields.get("decision"):
            return str(fields["decision"])
        names = (section_field(section) for section in self.mtype.sections)
        return next((str(fields[name]) for name in names if name in fields), _body(entry.text))


def _body(text: str) -> str:
    return text.partition("\n")[2].strip()


def _labels(entry: Entry, mtype: MemoryType, mapped: bool) -> tuple[dict[str, Any], Lines]:
    """The labels, with lists of lines as their values, and where they stand."""
    number = entry.line
    first = next(headings(entry.text), None)
    match = entry_heading(first, id_prefix(mtype.id)) if first is not None else None
    title = unescaped_title((match["title"] or "").strip()) if match else ""
    fields: dict[str, Any] = {"id": [entry.id], "title": [title]}
    lines: Lines = {(): number, ("id",): number, ("title",): number}
    if match and match["date"]:
        fields["date"] = [match["date"]]
        lines[("date",)] = number
    name = ""
    stated = log_statements(entry.text, entry.line) if mapped else ()
    told = {number for each in stated for number in range(each.first, each.last + 1)}
    for number, (row, live, heading) in enumerate(read_rows(entry.text), entry.line):
        if number == entry.line:
            continue
        sign = row.lstrip(" ")[:1] if live else ""
        label = read_label(row) if sign in _LABEL_SIGNS and len(fields) <= MOST_FIELDS else None
        quoted = name == "source" and live and row.lstrip().startswith(">")
        marker = MARKER.match(row) if sign == ">" and not quoted else None
        if label:
            name = _ALIASES.get(label[0], label[0])
            if name == "source":
                lines.setdefault(("sources",), number)
                _add_source(fields, label[1])
            elif name in fields:
                name = ""
            else:
                lines.setdefault((name,), number)
                fields[name] = [label[1]]
        elif marker:
            name = ""
            _mark(fields, lines, marker, number)
        elif quoted:
            _add_quote(fields, row)
        elif heading or name in _ONE_LINE or number in told:
            name = ""
        elif name:
            line = row.removesuffix("\n").removesuffix("\r")
            fields[name].append(unescaped(line) if live else line)
    for each in stated:
        lines.setdefault(("status", LAST), each.last)
        if "status" not in fields and (status := said_status(each)):
            fields["status"] = [status]
            lines["status",] = each.first
    return fields, lines


def _add_source(fields: dict[str, Any], value: str) -> None:
    match = _source().match(value) if len(fields.get("sources", ())) <= _MOST_SOURCES else None
    if match:
        source: dict[str, Any] = {key: part for key, part in match.groupdict().items() if part}
        turn = {"turn": int(source["turn"])} if "turn" in source else {}
        fields.setdefault("sources", []).append({**source, **turn})


def _add_quote(fields: dict[str, Any], row: str) -> None:
    text = row.lstrip()[1:].removesuffix("\n").removesuffix("\r").removeprefix(" ")
    if fields.get("sources"):
        fields["sources"][-1].setdefault("quote", []).append(text)


def _mark(fields: dict[str, Any], lines: Lines, marker: re.Match[str], number: int) -> None:
    fields["status"] = [marker[1].lower()]
    lines[("status",)] = number
    if marker[2]:
        fields["superseded_by"] = [marker[2]]
        lines[("superseded_by",)] = number


def _finished(labels: Mapping[str, Any], forms: Mapping[str, Mapping[str, Any] | None]) -> dict[str, Any]:
    """The fields that the labels are, each in the form that the type asks for."""
    fields: dict[str, Any] = {}
    for name, value in labels.items():
        if name == "sources":
            fields[name] = [_quoting(source) for source in value]
        elif (text := "\n".join(value).strip()) or name == "title":
            fields[name] = text
    for name in fields.keys() & forms.keys():
        form = forms[name]
        fields[name] = split_list(fields[name]) if form is None else typed(Plain(fields[name]), form)
    relations = {name: split_list(fields.pop(label)) for label, name in _RELATIONS.items() if label in fields}
    if relations:
        fields["relations"] = relations
    for name in ("supersedes", "superseded_by"):
        if name in fields and str(fields[name]).lower() in _NONE:
            del fields[name]
    return fields


def _quoting(source: dict[str, Any]) -> dict[str, Any]:
    return {**source, "quote": "\n".join(source["quote"])} if "quote" in source else source


@cache
def _source() -> re.Pattern[str]:
    return re.compile(
        r"session\s+(?P<session>[^,\s]{1,200})(?:,\s*turn\s+(?P<turn>[0-9]{1,9}))?"
        r"(?:,\s*(?P<role>user|assistant|tool))?(?:,\s*at\s+(?P<at>[0-9][0-9A-Za-z:.+-]{9,39}))?"
        r"(?:,\s*sha256\s+(?P<sha256>[0-9a-f]{64}))?(?:,\s*extractor\s+(?P<extractor>[^,\s]{1,100}))?"
    )
