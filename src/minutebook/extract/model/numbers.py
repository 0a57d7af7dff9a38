"""The numbers that a text gives, with their units, so that 30 days aren't taken for 3, or for 30 hours."""

import re
from collections.abc import Iterator
from functools import lru_cache

_LONGEST = 60_000
_UNITS = {
    "ms": ("ms", "msec", "millisecond"),
    "s": ("s", "sec", "second"),
    "min": ("min", "minute"),
    "h": ("h", "hr", "hour"),
    "day": ("d", "day"),
    "week": ("week",),
    "month": ("month",),
    "year": ("year", "yr"),
    "kb": ("kb", "kib", "kilobyte"),
    "mb": ("mb", "mib", "megabyte"),
    "gb": ("gb", "gib", "gigabyte"),
    "%": ("%", "percent"),
}
_UNIT_OF = {name: unit for unit, names in _UNITS.items() for name in names}
_NAMED = {
    name: str(number)
    for number, name in enumerate(
        ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), start=2
    )
}
_NUMBER = re.compile(
    r"(?<![\w.#/-])(?P<value>[0-9][0-9,_]*(?:\.[0-9]+)*|" + "|".join(_NAMED) + r")(?![0-9])"
    r"(?P<thousand>k\b)?[ \t-]?(?P<unit>%|[a-z]+\b)?",
    re.IGNORECASE,
)
_NO_AMOUNT = re.compile(
    r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}\b(?:[T ][0-9:.]+Z?)?|\b[A-Z]{2,10}-[0-9][0-9A-Za-z-]*|^[ \t]*[0-9]{1,2}[.)][ \t]|"
    r"\[redacted:[a-z0-9-]+:[0-9]+\]",
    re.MULTILINE,
)
Number = tuple[str, str]
"""A value without separators, and its unit in one spelling; "" where the text gives none that is known."""


@lru_cache(maxsize=2048)
def numbers_in(text: str) -> tuple[Number, ...]:
    """The amounts in their order: no dates, ids, or digits within a name (`utf8`, `py-3`)."""
    return tuple(_found(_NO_AMOUNT.sub(" ", text[:_LONGEST])))


def _found(text: str) -> Iterator[Number]:
    for match in _NUMBER.finditer(text):
        value = _NAMED.get(match["value"].lower(), re.sub("[,_]", "", match["value"])) + (
            "000" if match["thousand"] else ""
        )
        name = (match["unit"] or "").lower()
        yield value, _UNIT_OF.get(name, _UNIT_OF.get(name.removesuffix("s"), ""))


def unsaid(said: str, heard: str) -> str:
    """The first number of `said` that `heard` doesn't give, as text; "" when it gives all of them."""
    known = numbers_in(heard)
    for value, unit in numbers_in(said):
        if not any(
            value == other and (not unit or not other_unit or unit == other_unit) for other, other_unit in known
        ):
            return f"{value} {unit}".strip()
    return ""
