"""Entries have the fields that their type asks for."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from minutebook.checks.judged import entries_before, is_adopted
from minutebook.checks.judgement import Case
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import replace
from minutebook.ground.memory_type import MemoryType, section_field
from minutebook.ground.problem import Problem
from minutebook.ground.schema import violations

_THEIRS = frozenset({"category", "created_at", "updated_at"})


def schema(case: Case) -> Iterator[Problem]:
    """Every changed entry has the fields that the schema of its type asks for, in the form that it asks for.

    In a GAAI tree or file (`category:` in its front matter) it is a warning until the entry is edited. What an old
    entry of an append-only type lacked already is a warning too: nobody may mend it there. A field whose name is
    nearly that of a known one is a warning.
    """
    olds = entries_before(case)
    for entry in case.changed_entries():
        mtype = case.result.type_of(entry)
        old = olds.get((entry.type, entry.id))
        had = frozenset(_faults(old, mtype)) if old is not None and mtype.append_only else frozenset()
        adopted = is_adopted(case, entry, old)
        for problem in _problems(entry, mtype, str(case.today)):
            lenient = adopted or problem.message in had
            yield replace(problem, severity="warning") if lenient else problem


def _faults(entry: Entry, mtype: MemoryType) -> Iterator[str]:
    for found in violations(dict(entry.fields), mtype.schema):
        yield found.message


def _problems(entry: Entry, mtype: MemoryType, today: str) -> Iterator[Problem]:
    for found in violations(dict(entry.fields), mtype.schema):
        line = entry.line if found.keyword == "required" and not found.path else found.line(entry.lines, entry.line)
        fix = _fix(found.field, entry, mtype, today)
        yield Problem(entry.path, line, "schema", found.message, fix, entry.id)
    named = entry.fields.get("type")
    if named is not None and not entry.in_log and named not in (entry.type, "memory"):
        message = f"`type: {named}` stands in the place of type {entry.type} ({mtype.place})"
        yield Problem(entry.path, entry.line_of("type"), "schema", message, f"type: {entry.type}", entry.id)
    known = {*mtype.schema["properties"], *(section_field(section) for section in mtype.sections), *_THEIRS}
    for name in entry.fields:
        close = get_close_matches(name, known - set(entry.fields), 1, 0.8) if name not in known else []
        if close:
            message = f"`{name}` is no field of type {mtype.name}; did you mean `{close[0]}`?"
            fix = _fix(close[0], entry, mtype, today)
            yield Problem(entry.path, entry.line_of(name), "schema", message, fix, entry.id, "warning")


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
