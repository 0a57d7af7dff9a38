"""Entries have the fields that their type asks for."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from minutebook.checks.judged import entries_before, is_adopted
from minutebook.ground.frozen import replace
from minutebook.ground.log_lines import MOST_FIELDS
from minutebook.ground.memory_type import section_field
from minutebook.ground.problem import Problem
from minutebook.ground.schema import fits, violations
from minutebook.ground.tombstone import read_tombstone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from minutebook.checks.judgement import Case
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory_type import MemoryType
    from minutebook.ground.problem import Severity

_THEIRS = frozenset({"category", "created_at", "updated_at"})
_MOST = 200
_MOST_NAMES = 20
_LONGEST_NAME = 40
_MOST_COMPARED = 10_000


def schema(case: Case) -> Iterator[Problem]:
    """Every changed entry has the fields that the schema of its type asks for, in the form that it asks for.

    A log's entry writes its fields as labels (`**Date:** 2026-11-02`); in a file of its own they stand in the front
    matter, and those that the type names as sections may stand under headings. `type:` agrees with the place of the
    file. A field that the schema doesn't know is fine, unless it says otherwise; more than 1000 fields aren't.

    Of a file with more than 200 such problems the first are told; of the entries after them it is said how many there
    are.

    Severity: error. A warning: in a GAAI tree or file (`category:` in its front matter), or in a decision record that
    the config maps, until the entry is edited; what an old entry of an append-only type lacked already, since nobody
    may mend it there; a field whose name is nearly that of a known one. A tombstone has no fields.
    """
    olds = entries_before(case)
    names = _Names()
    told: Counter[str] = Counter()
    untold: Counter[tuple[str, str, Severity]] = Counter()
    for entry in case.changed_entries():
        if read_tombstone(entry) is not None:
            continue
        mtype = case.result.type_of(entry)
        old = olds.get((entry.type, entry.id))
        if told[entry.path] >= _MOST:
            if len(entry.fields) > MOST_FIELDS or not fits(dict(entry.fields), mtype.schema):
                untold[entry.path, mtype.name, _severity_untold(case, entry, old, mtype)] += 1
            continue
        had = frozenset(_faults(old, mtype)) if old is not None and mtype.append_only else frozenset()
        adopted = is_adopted(case, entry, old)
        for problem in _problems(entry, mtype, str(case.today), names):
            told[entry.path] += 1
            lenient = adopted or problem.message in had
            yield replace(problem, severity="warning") if lenient else problem
    for (path, name, severity), number in untold.items():
        # The number is part of the message: one more is another problem, and no baseline holds it.
        message = f"beside those listed, {number} entries haven't what the schema of type {name} asks for"
        yield Problem(path, 0, "schema", message, "mend those first", "", severity)


def _severity_untold(case: Case, entry: Entry, old: Entry | None, mtype: MemoryType) -> Severity:
    lacked_before = old is not None and mtype.append_only and dict(old.fields) == dict(entry.fields)
    return "warning" if lacked_before or is_adopted(case, entry, old) else "error"


def _faults(entry: Entry, mtype: MemoryType) -> Iterator[str]:
    for found in violations(dict(entry.fields), mtype.schema):
        yield found.message


def _problems(entry: Entry, mtype: MemoryType, today: str, names: _Names) -> Iterator[Problem]:
    if len(entry.fields) > MOST_FIELDS:
        message = f"it has more than {MOST_FIELDS} fields"
        yield Problem(entry.path, entry.line, "schema", message, "write some of them as text", entry.id)
    for found in violations(dict(entry.fields), mtype.schema):
        line = entry.line if found.keyword == "required" and not found.path else found.line(entry.lines, entry.line)
        fix = _fix(found.field, entry, mtype, today)
        yield Problem(entry.path, line, "schema", found.message, fix, entry.id)
    named = entry.fields.get("type")
    if named is not None and not entry.in_log and named not in (entry.type, "memory"):
        message = f"`type: {named!s:.60}` stands in the place of type {entry.type} ({mtype.place})"
        yield Problem(entry.path, entry.line_of("type"), "schema", message, f"type: {entry.type}", entry.id)
    known = {*mtype.schema["properties"], *(section_field(section) for section in mtype.sections), *_THEIRS}
    free = known - entry.fields.keys()
    for name in islice((name for name in entry.fields if name not in known), _MOST_NAMES):
        close = names.nearest(name, free)
        if close:
            message = f"`{name}` is no field of type {mtype.name}; did you mean `{close}`?"
            fix = _fix(close, entry, mtype, today)
            yield Problem(entry.path, entry.line_of(name), "schema", message, fix, entry.id, "warning")


class _Names:
    """Finds the name that somebody meant; it compares so many, and then no more: it is only a hint."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = _MOST_COMPARED

    def nearest(self, name: str, known: set[str]) -> str:
        if len(name) > _LONGEST_NAME or self.left <= 0:
            return ""
        self.left -= len(known)
        from difflib import get_close_matches

        return next(iter(get_close_matches(name, sorted(known), 1, 0.8)), "")


def _fix(field: str, entry: Entry, mtype: MemoryType, today: str) -> str:
    """The line that would mend the field, in the form in which this entry writes it."""
    if not field:
        return ""
    section = next((section for section in mtype.sections if section_field(section) == field), None)
    value = _example(field, entry, mtype.schema, today)
    if entry.in_log and field == "title":
        return f"### {entry.id} — {value}"
    if entry.in_log:
        label = section or field.replace("_", " ").capitalize()
        return f"**{label}:** {value}"
    return f"## {section}\n{value}" if section else f"{field}: {value}"


def _example(field: str, entry: Entry, described: Mapping[str, Any], today: str) -> str:
    if field == "id":
        return entry.id
    if field == "type":
        return entry.type
    spec = described["properties"].get(field)
    spec = spec if isinstance(spec, dict) else {}
    if spec.get("$ref") == "#/$defs/date":
        return today
    if isinstance(spec.get("enum"), list):
        return " | ".join(str(choice) for choice in spec["enum"])
    if spec.get("type") == "array":
        return "…, …" if entry.in_log else "[…]"
    if spec.get("type") == "integer":
        return str(spec.get("minimum", 1))
    return f"{spec['description']}…" if isinstance(spec.get("description"), str) else "…"
