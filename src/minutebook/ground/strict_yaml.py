"""YAML read strictly: no duplicate keys, anchors, aliases, tags or non-string keys; bounded size and depth.

Plain scalars come back as `Plain` (a str), so that the schema decides what they are: `no`, `012`, `1e3` and
dates stay strings where the schema says string. See `typed`.
"""

from __future__ import annotations

from functools import cache

from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping
    from typing import Any

MAX_BYTES = 1 << 20
MAX_DEPTH = 32
MAX_NODES = 10_000
NULLS = frozenset({"", "~", "null", "Null", "NULL"})
BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_LONGEST_INTEGER = 18
_MOST_KEPT = 64
_KEPT: dict[int, tuple[Mapping[str, Any], _Typer]] = {}


class Plain(str):
    """An unquoted scalar: what it means is for the schema to say."""

    __slots__ = ()


class StrictYamlError(CannotJudge):
    """Not the YAML we read. `line` is 1-based."""

    def __init__(self, message: str, line: int, hint: str = "") -> None:
        super().__init__(message, hint)
        self.line = line


@frozen
class Document:
    """A mapping at the top, and the line of each key or item by its path from the top."""

    value: dict[str, Any]
    lines: Mapping[tuple[str | int, ...], int]


def load(text: str, first_line: int = 1) -> Document:
    """Read one document whose top is a mapping; an empty text is an empty mapping.

    `first_line` is the line of the file on which `text` starts. Raises StrictYamlError with that file's line.
    """
    from minutebook.ground.plain_yaml import read_plain

    if len(text) > MAX_BYTES:
        raise StrictYamlError(f"more than {MAX_BYTES} characters of YAML", first_line)
    lines: dict[tuple[str | int, ...], int] = {}
    value = read_plain(text, lines, first_line)
    if value is not None:
        return Document(value, lines)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise StrictYamlError("not UTF-8", first_line + text.count("\n", 0, error.start)) from None

    from minutebook.ground import libyaml

    return libyaml.read(text, first_line)


def typed(value: Any, schema: Mapping[str, Any]) -> Any:
    """Give plain scalars the type that `schema` (JSON Schema) asks for; without a word from it, YAML 1.2's
    booleans, canonical integers and null are read, and all else stays text. A `$ref` is followed into `$defs`."""
    kept = _KEPT.get(id(schema))
    if kept is None:
        # By identity: a schema is never changed. What is kept keeps it alive, so that an id is never another's.
        definitions = schema.get("$defs")
        kept = schema, _Typer(schema, definitions if isinstance(definitions, dict) else {})
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        _KEPT[id(schema)] = kept
    return kept[1].typed(value)


class _Typer:
    """What one part of a schema makes of a value; worked out once, and its parts when they are met."""

    __slots__ = ("branches", "definitions", "items", "properties", "types")

    def __init__(self, described: Any, definitions: Mapping[str, Any]) -> None:
        self.definitions = definitions
        self.branches = list(_branches(described, definitions, set()))
        self.types = frozenset[str]().union(*(_types(branch) for branch in self.branches))
        self.properties: dict[str, _Typer] = {}
        self.items: _Typer | None = None

    def typed(self, value: Any) -> Any:
        kind = value.__class__
        if kind is Plain:
            return _scalar(value, self.types)
        if kind is dict:
            return {key: self.of_key(key).typed(item) for key, item in value.items()}
        if kind is list:
            if self.items is None:
                items: Any = next((branch["items"] for branch in self.branches if "items" in branch), {})
                self.items = _Typer(items, self.definitions)
            return [self.items.typed(item) for item in value]
        return value

    def of_key(self, key: str) -> _Typer:
        known = self.properties.get(key)
        if known is None:
            known = _Typer(_property(self.branches, key), self.definitions)
            if len(self.properties) < _MOST_KEPT:
                self.properties[key] = known
        return known


def _branches(described: Any, definitions: Mapping[str, Any], seen: set[str]) -> Iterator[Mapping[str, Any]]:
    """The schemas that may describe a value: this one, what it refers to, and its alternatives."""
    if not isinstance(described, dict):
        return
    yield described
    reference = described.get("$ref")
    if isinstance(reference, str) and reference not in seen:
        seen.add(reference)
        yield from _branches(definitions.get(reference.removeprefix("#/$defs/")), definitions, seen)
    for keyword in ("anyOf", "oneOf", "allOf"):
        branches = described.get(keyword)
        for branch in branches if isinstance(branches, list) else ():
            yield from _branches(branch, definitions, seen)


def _property(branches: list[Mapping[str, Any]], key: str) -> Any:
    for branch in branches:
        properties = branch.get("properties")
        if isinstance(properties, dict) and key in properties:
            return properties[key]
    return next((branch["additionalProperties"] for branch in branches if "additionalProperties" in branch), {})


def _types(schema: Mapping[str, Any]) -> frozenset[str]:
    named = schema.get("type")
    if isinstance(named, str):
        return frozenset({named})
    if isinstance(named, list):
        return frozenset(named)
    if "enum" in schema or "const" in schema or "pattern" in schema:
        return frozenset({"string"})
    return frozenset()


def _scalar(value: Plain, types: frozenset[str]) -> Any:
    if value in NULLS:
        return None
    if "string" in types or (types and types <= {"array", "object"}):
        return str(value)
    if (not types or "boolean" in types) and value in BOOLS:
        return BOOLS[value]
    if (not types or "integer" in types or "number" in types) and _is_integer(value):
        return int(value)
    if "number" in types and is_number(value):
        return float(value)
    return str(value)


def _is_integer(text: str) -> bool:
    """Canonical: `0`, or digits that don't start with one, and perhaps a sign."""
    digits = text[1:] if text[0] in "+-" else text
    short = digits.isascii() and digits.isdecimal() and len(digits) <= _LONGEST_INTEGER
    return short and (digits[0] != "0" or digits == "0")


def is_number(text: str) -> bool:
    """Whether a plain scalar looks like a number to some reader of YAML."""
    return _number().fullmatch(text) is not None


@cache
def _number() -> re.Pattern[str]:
    import re

    return re.compile(r"[-+]?([0-9]{1,18}(\.[0-9]{0,18})?|\.[0-9]{1,18})([eE][-+]?[0-9]{1,3})?")
