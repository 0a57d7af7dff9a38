"""What values are to JSON Schema: which are equal, which a pattern may be asked about, and which texts are days."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping
    from typing import Any

LONGEST_MATCHED = 10_000
"""A text that is longer fits no pattern."""


def same(value: Any) -> Hashable:
    """What is equal for two values that are equal to JSON Schema: 1 and 1.0 are, 1 and true aren't."""
    if isinstance(value, bool):
        return "bool", value
    if isinstance(value, list):
        return "list", tuple(map(same, value))
    if isinstance(value, dict):
        return "dict", frozenset((key, same(item)) for key, item in value.items())
    return value  # type: ignore[no-any-return]


def is_day(text: str) -> bool:
    """Whether the text starts with a day that the calendar has, as YYYY-MM-DD."""
    from datetime import date

    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True


def means_days(schema: Mapping[str, Any]) -> bool:
    """Whether `#/$defs/date` is the day of `entry.schema.json`, and not somebody's own definition of that name."""
    definitions = schema.get("$defs")
    described = definitions.get("date") if isinstance(definitions, dict) else None
    return isinstance(described, dict) and str(described.get("title", "")).startswith("a day ")


def is_unique(items: list[Any]) -> bool:
    """Whether no two items are equal to JSON Schema, in time linear in their size."""
    return len(set(map(same, items))) == len(items)
