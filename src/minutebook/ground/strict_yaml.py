"""YAML read strictly: no duplicate keys, anchors, aliases, tags or non-string keys; bounded size and depth.

Plain scalars come back as `Plain` (a str), so that the schema decides what they are: `no`, `012`, `1e3` and
dates stay strings where the schema says string. See `typed`.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen

MAX_BYTES = 1 << 20
MAX_DEPTH = 32
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"[-+]?([0-9]{1,18}(\.[0-9]{0,18})?|\.[0-9]{1,18})([eE][-+]?[0-9]{1,3})?")
_OTHER_BREAKS = re.compile("[\x85\u2028\u2029]")


class Plain(str):
    """An unquoted scalar: what it means is for the schema to say."""

    __slots__ = ()


_QUOTE = 'put the value in quotes where it holds a colon, a # or a quote: title: "…"'


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
    if len(text) > MAX_BYTES:
        raise StrictYamlError(f"more than {MAX_BYTES} characters of YAML", first_line)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise StrictYamlError("not UTF-8", first_line + text.count("\n", 0, error.start)) from None
    reader = _Reader(text, first_line)
    try:
        return reader.document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = reader.line(mark) if mark else first_line
        raise StrictYamlError(f"not YAML: {error.problem or error.context}", line, _QUOTE) from None
    except yaml.YAMLError as error:
        reason = str(error).split("\n", 1)[0]
        at = getattr(error, "position", 0)
        raise StrictYamlError(f"not YAML: {reason}", first_line + text.encode()[:at].count(b"\n")) from None


class _Reader:
    def __init__(self, text: str, first_line: int) -> None:
        self.text = text
        self.first_line = first_line
        self.lines: dict[tuple[str | int, ...], int] = {}
        # libyaml counts U+0085, U+2028 and U+2029 as line ends; editors and git don't.
        self.breaks = [i for i, c in enumerate(text) if c == "\n"] if _OTHER_BREAKS.search(text) else None

    def line(self, mark: Any) -> int:
        if self.breaks is None:
            return self.first_line + int(mark.line)
        return self.first_line + bisect_right(self.breaks, int(mark.index) - 1)

    def document(self) -> Document:
        events: Iterator[yaml.Event] = yaml.parse(self.text, Loader=yaml.CSafeLoader)
        value: Any = {}
        documents = 0
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise StrictYamlError(
                        "more than one YAML document", self.line(event.start_mark), "take out the ---"
                    )
            elif isinstance(event, yaml.NodeEvent):
                value = self.node(event, events, ())
        if isinstance(value, str) and value in _NULLS:
            value = {}
        if not isinstance(value, dict):
            raise StrictYamlError("expected `key: value` lines", self.first_line, "title: …")
        return Document(value, self.lines)

    def node(self, event: Any, events: Iterator[yaml.Event], path: tuple[str | int, ...]) -> Any:
        line = self.line(event.start_mark)
        self.lines.setdefault(path, line)
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise StrictYamlError("YAML anchors and aliases are not read here; write the value out", line)
        if event.tag is not None and event.tag != "!":
            raise StrictYamlError(f"YAML tags are not read here: {event.tag}", line, "take the tag out")
        if len(path) > MAX_DEPTH:
            raise StrictYamlError(f"nested deeper than {MAX_DEPTH} levels", line)
        if isinstance(event, yaml.ScalarEvent):
            return Plain(event.value) if event.implicit[0] else event.value
        if isinstance(event, yaml.SequenceStartEvent):
            return self.sequence(events, path)
        return self.mapping(events, path)

    def sequence(self, events: Iterator[yaml.Event], path: tuple[str | int, ...]) -> list[Any]:
        items: list[Any] = []
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            items.append(self.node(event, events, (*path, len(items))))
        return items

    def mapping(self, events: Iterator[yaml.Event], path: tuple[str | int, ...]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for event in events:
            if isinstance(event, yaml.MappingEndEvent):
                break
            line = self.line(event.start_mark)
            if not isinstance(event, yaml.ScalarEvent):
                raise StrictYamlError("a key must be a string", line)
            key = self.node(event, events, (*path, "?"))
            self.lines.pop((*path, "?"), None)
            if isinstance(key, Plain) and (key in _NULLS or key in _BOOLS or key == "<<" or _NUMBER.fullmatch(key)):
                raise StrictYamlError(f"a key must be a string; quote it: '{key}'", line)
            if key in found:
                raise StrictYamlError(f"`{key}` stands twice", line, f"keep one `{key}:` line")
            self.lines[(*path, str(key))] = line
            found[str(key)] = self.node(next(events), events, (*path, str(key)))
        return found


def typed(value: Any, schema: Mapping[str, Any]) -> Any:
    """Give plain scalars the type that `schema` (JSON Schema) asks for; without a word from it, YAML 1.2's
    booleans, canonical integers and null are read, and all else stays text. A `$ref` is followed into `$defs`."""
    definitions = schema.get("$defs")
    return _typed(value, schema, definitions if isinstance(definitions, dict) else {})


def _typed(value: Any, described: Any, definitions: Mapping[str, Any]) -> Any:
    if not isinstance(value, Plain | dict | list):
        return value
    branches = list(_branches(described, definitions, set()))
    if isinstance(value, Plain):
        return _scalar(value, frozenset[str]().union(*(_types(branch) for branch in branches)))
    if isinstance(value, dict):
        return {key: _typed(item, _property(branches, key), definitions) for key, item in value.items()}
    items: Any = next((branch["items"] for branch in branches if "items" in branch), {})
    return [_typed(item, items, definitions) for item in value]


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
    if value in _NULLS:
        return None
    if "string" in types or (types and types <= {"array", "object"}):
        return str(value)
    if (not types or "boolean" in types) and value in _BOOLS:
        return _BOOLS[value]
    if (not types or types & {"integer", "number"}) and _INTEGER.fullmatch(value):
        return int(value)
    if "number" in types and _NUMBER.fullmatch(value):
        return float(value)
    return str(value)
