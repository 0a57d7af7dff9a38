"""A schema that somebody wrote, judged before it is used: it can't take for ever, and it leads nowhere outside."""

from __future__ import annotations

from minutebook.ground.patterns import fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_MOST_NODES = 1000
_MOST_PATTERNS = 20
_MOST_WORK = 500
_DEEPEST = 32
_REFERENCES = ("$ref", "$dynamicRef")
_LISTS = ("allOf", "anyOf", "oneOf")
_SAME_VALUE = ("not", "if", "then", "else")
_INNER = ("additionalProperties", "items", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties")
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NOT_READ = {
    "patternProperties": "name the fields in `properties`",
    "$schema": "it is JSON Schema 2020-12 always",
    "$id": "nothing outside refers to it",
}


def fault_of(schema: Any) -> str:
    """Why a schema that somebody wrote can't be used, or "": it is no JSON Schema, it refers outside of itself or
    round in circles, or it is such that judging a value could take for ever."""
    if isinstance(schema, dict) and schema.get("$schema") == _DIALECT:
        schema = {keyword: argument for keyword, argument in schema.items() if keyword != "$schema"}
    nodes = []
    for node in _objects(schema):
        nodes.append(node)
        if len(nodes) > _MOST_NODES:
            return f"it has more than {_MOST_NODES} parts"
    patterns = {node["pattern"] for node in nodes if isinstance(node.get("pattern"), str)}
    if len(patterns) > _MOST_PATTERNS:
        return f"it has more than {_MOST_PATTERNS} patterns"
    found = next(filter(None, map(fault, sorted(patterns))), "") or _no_schema(schema)
    return found or next(filter(None, map(_node_fault, nodes)), "") or _endless(schema)


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from _objects(item)
    elif isinstance(value, list):
        for item in value:
            yield from _objects(item)


def _no_schema(schema: Any) -> str:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return str(error.message)[:300]
    return ""


def _node_fault(node: Mapping[str, Any]) -> str:
    for keyword in _REFERENCES:
        reference = node.get(keyword, "#")
        if isinstance(reference, str) and not reference.startswith("#"):
            return f"it refers to {reference}; nothing is fetched"
        name = str(reference).removeprefix("#/$defs/")
        if reference != "#" and (name == reference or set(name) & set("/~%")):
            return f"it refers to {reference}; what is referred to stands in `$defs` at the top, by its name"
    return next((f"`{word}` is not read here: {why}" for word, why in _NOT_READ.items() if _stands(node, word)), "")


def _stands(node: Mapping[str, Any], word: str) -> bool:
    """Whether a keyword stands in a schema; as the name of a field it would hold a schema and be none."""
    return isinstance(node.get(word), str if word.startswith("$") else dict)


def _endless(schema: Any) -> str:
    """How often one part of a value can be judged is counted: alternatives that refer to alternatives multiply."""
    if not isinstance(schema, dict):
        return ""
    definitions = schema.get("$defs")
    counter = _Counter(schema, definitions if isinstance(definitions, dict) else {})
    try:
        most = counter.count(schema, _DEEPEST)
    except RecursionError:
        return "it refers to itself without end"
    return f"it judges one value more than {_MOST_WORK} times; that can take for ever" if most > _MOST_WORK else ""


class _Counter:
    """How often a part of a value may be judged, by schema and by how deep the value may still go."""

    def __init__(self, schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> None:
        self.schema = schema
        self.definitions = definitions
        self.known: dict[tuple[int, int], int] = {}

    def count(self, node: Any, depth: int) -> int:
        if not isinstance(node, dict):
            return 1
        key = (id(node), depth)
        if key not in self.known:
            here = 1 + sum(self.count(each, depth) for each in self.same_value(node))
            groups = _inner(node) if depth else ()
            below = sum(max((self.count(each, depth - 1) for each in group), default=0) for group in groups)
            self.known[key] = here + below
        return self.known[key]

    def same_value(self, node: Mapping[str, Any]) -> Iterator[Any]:
        for keyword in _LISTS:
            if isinstance(node.get(keyword), list):
                yield from node[keyword]
        yield from (node[keyword] for keyword in _SAME_VALUE if keyword in node)
        if isinstance(node.get("dependentSchemas"), dict):
            yield from node["dependentSchemas"].values()
        for keyword in _REFERENCES:
            reference = node.get(keyword)
            if reference == "#":
                yield self.schema
            elif isinstance(reference, str):
                yield self.definitions.get(reference.removeprefix("#/$defs/"))


def _inner(node: Mapping[str, Any]) -> Iterator[list[Any]]:
    if isinstance(node.get("properties"), dict):
        yield list(node["properties"].values())
    if isinstance(node.get("prefixItems"), list):
        yield node["prefixItems"]
    yield from ([node[keyword]] for keyword in _INNER if keyword in node)
