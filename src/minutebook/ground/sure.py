"""A small judge in front of jsonschema: it says of a value that it surely fits a schema, or surely not, or nothing.

It knows some keywords and reads them as JSON Schema 2020-12 does: `true` is no integer, `1.0` is one, what stands
beside a `$ref` counts. Whatever else a schema says makes it unsure, and then jsonschema decides.
"""

from __future__ import annotations

from minutebook.ground.schema_values import is_day, means_days
from minutebook.ground.sure_keywords import KEYWORDS, text, unsure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from minutebook.ground.sure_keywords import Judge

_OF_TEXT = frozenset({"type", "minLength", "maxLength", "pattern"})
_SAYS_NOTHING = frozenset(
    {"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "format",
     "$comment", "$defs", "$schema"}
)  # fmt: skip


def judge_of(schema: Mapping[str, Any]) -> Judge:
    """The judge of a schema, whose `$ref`s lead into it. A value that goes round in it for ever is not known."""
    inner = _compile(schema, _Whole(schema))

    def judge(value: Any) -> bool | None:
        try:
            return inner(value)
        except RecursionError:
            return None

    return judge


class _Whole:
    """A schema, and the judges of what is referred to in it."""

    __slots__ = ("definitions", "judges", "schema")

    def __init__(self, schema: Mapping[str, Any]) -> None:
        definitions = schema.get("$defs")
        self.schema = schema
        self.definitions = definitions if isinstance(definitions, dict) else {}
        self.judges: dict[str, Judge] = {}


class _Named(dict[str, "Judge"]):
    """The judges of fields by name, each made when it is first asked for: most entries have few of them."""

    def __init__(self, named: Mapping[str, Any], others: Judge, whole: _Whole) -> None:
        self.named = named
        self.others = others
        self.whole = whole

    def __missing__(self, name: str) -> Judge:
        if name not in self.named:
            return self.others
        made = self[name] = _compile(self.named[name], self.whole)
        return made


def _compile(schema: Any, whole: _Whole) -> Judge:
    if isinstance(schema, bool):
        return lambda _: schema
    if not isinstance(schema, dict):
        return unsure
    if schema.get("type") == "string" and schema.keys() <= _OF_TEXT | _SAYS_NOTHING:
        return text(schema)
    parts: list[Judge] = []
    for keyword, argument in schema.items():
        if keyword == "properties" and "additionalProperties" in schema:
            continue  # that keyword's judge looks at both
        if keyword in KEYWORDS:
            parts.append(KEYWORDS[keyword](argument))
        elif keyword in _APPLIED:
            parts.append(_APPLIED[keyword](argument, schema, whole))
        elif keyword not in _SAYS_NOTHING:
            parts.append(unsure)
    return _all(parts)


def _all(parts: list[Judge]) -> Judge:
    if len(parts) == 1:
        return parts[0]

    def judge(value: Any) -> bool | None:
        sure: bool | None = True
        for part in parts:
            verdict = part(value)
            if verdict is not True:
                if verdict is False:
                    return False
                sure = None
        return sure

    return judge


def _together(verdicts: Iterable[bool | None]) -> bool | None:
    found = list(verdicts)
    return False if False in found else None if None in found else True


def _any(verdicts: list[bool | None]) -> bool | None:
    return True if True in verdicts else None if None in verdicts else False


def _one(verdicts: list[bool | None]) -> bool | None:
    if verdicts.count(True) > 1:
        return False
    return None if None in verdicts else True in verdicts


def _properties(_argument: Any, schema: Any, whole: _Whole) -> Judge:
    named = schema.get("properties", {})
    if not isinstance(named, dict) or "patternProperties" in schema:
        return unsure
    judges = _Named(named, _compile(schema.get("additionalProperties", True), whole), whole)

    def judge(value: Any) -> bool | None:
        if not isinstance(value, dict):
            return True
        sure: bool | None = True
        for name, item in value.items():
            verdict = judges[name](item)
            if verdict is not True:
                if verdict is False:
                    return False
                sure = None
        return sure

    return judge


def _property_names(argument: Any, _schema: Any, whole: _Whole) -> Judge:
    inner = _compile(argument, whole)
    return lambda value: _together(map(inner, value)) if isinstance(value, dict) else True


def _items(argument: Any, schema: Any, whole: _Whole) -> Judge:
    if "prefixItems" in schema:
        return unsure
    inner = _compile(argument, whole)
    return lambda value: _together(map(inner, value)) if isinstance(value, list) else True


def _branches(join: Callable[[list[bool | None]], bool | None]) -> Callable[[Any, Any, _Whole], Judge]:
    def keyword(argument: Any, _schema: Any, whole: _Whole) -> Judge:
        if not isinstance(argument, list) or not argument:
            return unsure
        judges = [_compile(branch, whole) for branch in argument]
        return lambda value: join([judge(value) for judge in judges])

    return keyword


def _not(argument: Any, _schema: Any, whole: _Whole) -> Judge:
    inner = _compile(argument, whole)

    def judge(value: Any) -> bool | None:
        verdict = inner(value)
        return None if verdict is None else not verdict

    return judge


def _reference(argument: Any, _schema: Any, whole: _Whole) -> Judge:
    name = argument.removeprefix("#/$defs/") if isinstance(argument, str) else ""
    if argument != "#" and (name == argument or name not in whole.definitions or set(name) & set("/~%")):
        return unsure
    judges = whole.judges
    if argument not in judges:
        judges[argument] = lambda value: judges[argument](value)  # until it is made: what it holds may refer to it
        judges[argument] = _compile(whole.schema if argument == "#" else whole.definitions[name], whole)
    judge = judges[argument]
    if argument != "#/$defs/date" or not means_days(whole.schema):
        return judge
    return lambda value: judge(value) and (not isinstance(value, str) or is_day(value))


_APPLIED: dict[str, Callable[[Any, Any, _Whole], Judge]] = {
    "properties": _properties,
    "additionalProperties": _properties,
    "propertyNames": _property_names,
    "items": _items,
    "allOf": _branches(_together),
    "anyOf": _branches(_any),
    "oneOf": _branches(_one),
    "not": _not,
    "$ref": _reference,
}
