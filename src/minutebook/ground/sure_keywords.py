"""Keywords of JSON Schema that look at a value alone, each as a function from its argument to a judge."""

from __future__ import annotations

from math import inf

from minutebook.ground.patterns import finder
from minutebook.ground.schema_values import LONGEST_MATCHED, is_unique, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Judge = Callable[[Any], "bool | None"]
    """True: the value fits. False: it doesn't. None: not known."""


def unsure(_: Any) -> None:
    """The judge of what we don't read."""
    return


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_list(value: Any) -> bool:
    return isinstance(value, list)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: dict[str, Callable[[Any], bool]] = {
    "string": is_text,
    "array": is_list,
    "object": lambda value: isinstance(value, dict),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": is_number,
    "integer": lambda value: is_number(value) and (isinstance(value, int) or value.is_integer()),
}


def text(schema: Mapping[str, Any]) -> Judge:
    """Most fields are texts: `type: string` and its keywords in one go."""
    least, most, pattern = schema.get("minLength", 0), schema.get("maxLength", inf), schema.get("pattern", "")
    if not (is_number(least) and is_number(most) and isinstance(pattern, str)):
        return unsure
    if not pattern:
        return lambda value: isinstance(value, str) and least <= len(value) <= most
    longest, is_found = min(most, LONGEST_MATCHED), finder(pattern)
    return lambda value: isinstance(value, str) and least <= len(value) <= longest and is_found(value)


def _type(argument: Any) -> Judge:
    names = [argument] if isinstance(argument, str) else argument
    if not isinstance(names, list) or not all(isinstance(name, str) and name in _TYPES for name in names):
        return unsure
    tests = [_TYPES[name] for name in names]
    return tests[0] if len(tests) == 1 else lambda value: any(test(value) for test in tests)


def _enum(argument: Any) -> Judge:
    if not isinstance(argument, list):
        return unsure
    known = frozenset(map(same, argument))
    return lambda value: same(value) in known


def _const(argument: Any) -> Judge:
    known = same(argument)
    return lambda value: same(value) == known


def _pattern(argument: Any) -> Judge:
    if not isinstance(argument, str):
        return unsure
    is_found = finder(argument)
    return lambda value: not isinstance(value, str) or (len(value) <= LONGEST_MATCHED and is_found(value))


def _unique(argument: Any) -> Judge:
    if not isinstance(argument, bool):
        return unsure
    return lambda value: not (argument and isinstance(value, list)) or is_unique(value)


def _required(argument: Any) -> Judge:
    if not isinstance(argument, list):
        return unsure
    return lambda value: not isinstance(value, dict) or all(name in value for name in argument)


def _bound(is_measured: Callable[[Any], bool], keeps: Callable[[Any, Any], bool]) -> Callable[[Any], Judge]:
    def keyword(argument: Any) -> Judge:
        if not is_number(argument):
            return unsure
        return lambda value: not is_measured(value) or keeps(value, argument)

    return keyword


KEYWORDS: dict[str, Callable[[Any], Judge]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "pattern": _pattern,
    "minLength": _bound(is_text, lambda value, least: len(value) >= least),
    "maxLength": _bound(is_text, lambda value, most: len(value) <= most),
    "minItems": _bound(is_list, lambda value, least: len(value) >= least),
    "maxItems": _bound(is_list, lambda value, most: len(value) <= most),
    "uniqueItems": _unique,
    "minimum": _bound(is_number, lambda value, least: value >= least),
    "maximum": _bound(is_number, lambda value, most: value <= most),
    "required": _required,
}
