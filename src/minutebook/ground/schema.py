"""JSON Schema 2020-12, answered by jsonschema and never by the network."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from minutebook.ground.frozen import frozen

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

_LONGEST_MATCHED = 10_000
_MOST_KEPT = 64
_VALIDATORS: "dict[int, tuple[Mapping[str, Any], Draft202012Validator]]" = {}
_ENDS = re.compile(r"(?<!\\)(?:\\\\)*\$\Z")
_NESTED_REPEAT = re.compile(
    r"\([^()]*(?:[+*|]|\{[0-9]*,)[^()]*\)(?:[+*]|\{[0-9]*,)|\([^()]*\([^()]*\)[^()]*\)(?:[+*]|\{[0-9]*,)"
)


@frozen
class Violation:
    """One way in which a value breaks a schema. `path` leads to the value, `keyword` is the schema's."""

    path: tuple[str | int, ...]
    keyword: str
    message: str
    field: str

    def line(self, lines: Mapping[tuple[str | int, ...], int], default: int = 1) -> int:
        """The line of the value, or of the nearest thing around it that has one."""
        for end in range(len(self.path), 0, -1):
            if self.path[:end] in lines:
                return lines[self.path[:end]]
        return lines.get((), default)


def violations(value: Any, schema: Mapping[str, Any]) -> Iterator[Violation]:
    """Every violation, in a stable order. Nothing is fetched: a `$ref` that leaves the schema is a violation."""
    from referencing.exceptions import Unresolvable

    errors = _validator(schema).iter_errors(value)
    try:
        found = sorted(errors, key=lambda error: ([str(step) for step in error.absolute_path], str(error.validator)))
    except Unresolvable as outside:
        yield Violation((), "$ref", f"the schema refers to something outside itself: {outside}", "")
        return
    except RecursionError:
        yield Violation((), "$ref", "the schema refers to itself without end", "")
        return
    for error in found:
        path = tuple(error.absolute_path)
        yield Violation(path, str(error.validator), _words(error), _field(error, path))


def _words(error: Any) -> str:
    where = ".".join(str(step) for step in error.absolute_path)
    prefix = f"`{where}`: " if where else ""
    if error.validator == "required":
        missing = error.message.split("'")[1]
        return f"{prefix}`{missing}` is missing"
    if error.validator == "pattern" and "title" in error.schema:
        return f"{prefix}{error.instance!r:.80} is not {error.schema['title']}"
    text = error.message if len(error.message) < 200 else f"{error.message[:140]}… ({error.validator})"
    return prefix + text


def _field(error: Any, path: tuple[str | int, ...]) -> str:
    if error.validator == "required" and not path:
        return str(error.message.split("'")[1])
    return str(path[0]) if path else ""


def schema_fault(schema: Any) -> str:
    """Why a schema that somebody wrote can't be used, or "": it is no JSON Schema, it refers outside of itself, or
    it holds a pattern that could take for ever."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return str(error.message)
    return next((fault for node in _objects(schema) if (fault := _node_fault(node))), "")


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for item in value.values():
            yield from _objects(item)
    elif isinstance(value, list):
        for item in value:
            yield from _objects(item)


def _node_fault(node: Mapping[str, Any]) -> str:
    reference = node.get("$ref", "#")
    if isinstance(reference, str) and not reference.startswith("#"):
        return f"it refers to {reference}; nothing is fetched"
    properties = node.get("patternProperties")
    patterns = [node.get("pattern"), *(properties if isinstance(properties, dict) else ())]
    for pattern in patterns:
        if isinstance(pattern, str) and _NESTED_REPEAT.search(pattern):
            return f"{pattern!r} repeats a repetition; that can take for ever"
    return ""


def _validator(schema: Mapping[str, Any]) -> "Draft202012Validator":
    """By identity: a schema is read once and never changed, and writing it out to compare it costs as much as judging
    an entry does. What is kept keeps its schema alive, so an id is never another's."""
    kept = _VALIDATORS.get(id(schema))
    if kept is not None:
        return kept[1]
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend
    from referencing import Registry

    checked = extend(Draft202012Validator, {"pattern": _pattern})  # type: ignore[no-untyped-call]
    validator: Draft202012Validator = checked(schema, registry=Registry())
    if len(_VALIDATORS) >= _MOST_KEPT:
        _VALIDATORS.clear()
    _VALIDATORS[id(schema)] = (schema, validator)
    return validator


def _pattern(_validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[Any]:
    """`pattern` as JSON Schema means it: `$` is the end of the text, not the place before a last line end."""
    from jsonschema.exceptions import ValidationError

    if not isinstance(instance, str):
        return
    anchored = pattern[:-1] + r"\Z" if _ENDS.search(pattern) else pattern
    if len(instance) > _LONGEST_MATCHED or not re.search(anchored, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")
