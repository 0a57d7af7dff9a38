"""How often what nobody looked at for half a year is stale: what an age alone is worth."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from documents import documents
from pairs import Row, rows_of
from releases import fetch, read_release

_LINES = 12
"""Lines of a passage, blank ones not counted: about what an entry has."""
_DAYS = 180
"""The time to live of a decision or a pattern."""


def passages(folder: Path, name: str) -> Iterator[bool]:
    """Of each passage of the older documentation that names something that was there, whether a thing that it names is
    confirmed stale in a release of more than half a year later."""
    found: dict[tuple[str, str, int], list[Row]] = defaultdict(list)
    lines: dict[str, dict[str, list[str]]] = {}
    for row in rows_of(folder, name):
        old = row.pair.partition("..")[0]
        if row.label in ("stale", "fresh") and row.days > _DAYS:
            if old not in lines:
                lines[old] = _lines(folder, name, old)
            found[row.pair, row.document, lines[old][row.document].index(row.line) // _LINES].append(row)
    for rows in found.values():
        yield any(row.label == "stale" for row in rows)


def _lines(folder: Path, name: str, version: str) -> dict[str, list[str]]:
    place = fetch(folder, name, version)
    docs = documents(read_release(place)) if place is not None else {}
    return {path: [line for line in entry.text.split("\n") if line.strip()] for path, entry in docs.items()}
