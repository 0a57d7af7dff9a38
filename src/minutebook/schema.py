"""JSON Schema 2020-12, answered by jsonschema and never by the network."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from json import dumps, loads
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator


@dataclass(frozen=True, slots=True)
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

    errors = _validator(dumps(schema, sort_keys=True)).iter_errors(value)
    try:
        found = sorted(errors, key=lambda error: ([str(step) for step in error.absolute_path], str(error.validator)))
    except Unresolvable as outside:
        yield Violation((), "$ref", f"the schema refers to something outside itself: {outside}", "")
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
    text = error.message if len(error.message) < 200 else f"{error.message[:140]}… ({error.validator})"
    return prefix + text


def _field(error: Any, path: tuple[str | int, ...]) -> str:
    if error.validator == "required" and not path:
        return str(error.message.split("'")[1])
    return str(path[0]) if path else ""


@lru_cache(maxsize=64)
def _validator(schema: str) -> "Draft202012Validator":
    from jsonschema import Draft202012Validator
    from referencing import Registry

    return Draft202012Validator(loads(schema), registry=Registry())
