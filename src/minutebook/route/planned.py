"""What a plan that was printed as JSON says of one candidate. Pure."""

import json
from collections.abc import Iterator
from typing import Any

from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen


@frozen
class Statement:
    """What a candidate or an entry says, and on whose words. `quotes` are verbatim."""

    id: str
    type: str
    text: str
    quotes: tuple[str, ...]


def statement_in(plan: bytes, name: str) -> Statement | None:
    """The statement of the candidate (or of the entry) with this id; None when the plan has no such one. Raises
    CannotJudge for what is no plan."""
    try:
        document = json.loads(plan)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or not isinstance(document.get("changes"), list):
        raise CannotJudge("this is no plan", "minutebook extract SOURCE --dry-run --format json > PLAN.json")
    return next((found for found in _statements(document) if found.id == name), None)


def _statements(document: dict[str, Any]) -> Iterator[Statement]:
    for change in _rows(document["changes"]):
        for entry in _rows(change.get("entries")):
            quotes = tuple(str(each.get("quote", "")) for each in _rows(entry.get("evidence")))
            for key in ("candidate", "id"):
                yield Statement(
                    str(entry.get(key, "")), str(entry.get("type", "")), str(entry.get("title", "")), quotes
                )
    for each in _rows(document.get("refusals")):
        quote = str(each.get("quote", ""))
        yield Statement(str(each.get("id", "")), str(each.get("type", "")), str(each.get("what", "")), (quote,))


def _rows(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
