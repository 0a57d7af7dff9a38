"""JSON Schema 2020-12, answered by jsonschema and never by the network; and before it, by what is surely valid.

Importing jsonschema costs ten times what a bare interpreter does, so it comes in only when something may be wrong.
"""

from __future__ import annotations

from minutebook.ground.frozen import frozen
from minutebook.ground.patterns import finder
from minutebook.ground.schema_values import LONGEST_MATCHED, is_day, is_unique, means_days
from minutebook.ground.sure import judge_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from jsonschema import Draft202012Validator

    from minutebook.ground.sure_keywords import Judge

_DATE = "#/$defs/date"
_MOST_KEPT = 64
_MOST_VALUES = 10_000
_MOST_FOUND = 100
_SHOWN = 80
_JUDGES: dict[int, tuple[Mapping[str, Any], Judge]] = {}
_VALIDATORS: dict[int, tuple[Mapping[str, Any], Draft202012Validator]] = {}


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
    """Every violation, in a stable order; the first hundred when there are more. Nothing is fetched: a `$ref` that
    leaves the schema is a violation. So is a value of more parts than anybody writes: judging it takes for ever."""
    if _judge(schema)(value) is True:
        return
    if _parts(value, _MOST_VALUES) > _MOST_VALUES:
        yield Violation((), "maxItems", f"it holds more than {_MOST_VALUES} values", "")
        return
    from itertools import islice

    from referencing.exceptions import Unresolvable

    errors = islice(_validator(schema).iter_errors(value), _MOST_FOUND)
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


def schema_fault(schema: Any) -> str:
    """Why a schema that somebody wrote can't be used, or ""."""
    from minutebook.ground.foreign_schema import fault_of

    return fault_of(schema)


def fits(value: Any, schema: Mapping[str, Any]) -> bool:
    """Whether there is no violation; asked of many, that is cheaper than to find out which."""
    sure = _judge(schema)(value)
    return next(violations(value, schema), None) is None if sure is None else sure


def _parts(value: Any, most: int) -> int:
    """How many values there are in a value; counting ends beyond `most`."""
    waiting, count = [value], 0
    while waiting and count <= most:
        item = waiting.pop()
        count += 1
        if isinstance(item, dict | list):
            count += len(item)
            waiting += item.values() if isinstance(item, dict) else item
            count -= len(item)
    return count + len(waiting)


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


def _judge(schema: Mapping[str, Any]) -> Judge:
    """By identity: a schema is read once and never changed, and writing it out to compare it costs as much as judging
    an entry does. What is kept keeps its schema alive, so an id is never another's."""
    kept = _JUDGES.get(id(schema))
    if kept is not None:
        return kept[1]
    if len(_JUDGES) >= _MOST_KEPT:
        _JUDGES.clear()
    judge = judge_of(schema)
    _JUDGES[id(schema)] = (schema, judge)
    return judge


def _validator(schema: Mapping[str, Any]) -> Draft202012Validator:
    """By identity, as judges are."""
    kept = _VALIDATORS.get(id(schema))
    if kept is not None:
        return kept[1]
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend
    from referencing import Registry

    ours: dict[str, Any] = {"pattern": _pattern, "uniqueItems": _unique}
    if means_days(schema):
        ours["$ref"] = _reference
    checked = extend(Draft202012Validator, ours)  # type: ignore[no-untyped-call]
    # A `$schema` would bring jsonschema's own keywords back wherever a `$ref` leads to it.
    plain = {keyword: argument for keyword, argument in schema.items() if keyword != "$schema"}
    validator: Draft202012Validator = checked(plain, registry=Registry())
    if len(_VALIDATORS) >= _MOST_KEPT:
        _VALIDATORS.clear()
    _VALIDATORS[id(schema)] = (schema, validator)
    return validator


def _pattern(_validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[Any]:
    """`pattern` as JSON Schema means it: `$` is the end of the text, not the place before a last line end."""
    from jsonschema.exceptions import ValidationError

    if not isinstance(instance, str):
        return
    shown = repr(instance) if len(instance) <= _SHOWN else f"{instance[:_SHOWN]!r}…"
    if len(instance) > LONGEST_MATCHED:
        yield ValidationError(f"{shown} is longer than {LONGEST_MATCHED} characters: it fits no pattern")
    elif not finder(pattern)(instance):
        yield ValidationError(f"{shown} does not match {pattern!r}")


def _unique(_validator: Any, wanted: bool, instance: Any, _schema: Any) -> Iterator[Any]:
    from jsonschema.exceptions import ValidationError

    if wanted and isinstance(instance, list) and not is_unique(instance):
        yield ValidationError(f"{instance!r} has non-unique elements")


def _reference(validator: Any, reference: str, instance: Any, schema: Any) -> Iterator[Any]:
    """`$ref`; and what refers to a date is a day that the calendar has."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

    errors = list(Draft202012Validator.VALIDATORS["$ref"](validator, reference, instance, schema))
    yield from errors
    if reference == _DATE and isinstance(instance, str) and not errors and not is_day(instance):
        yield ValidationError(f"{instance!r:.80} is no day that the calendar has")
