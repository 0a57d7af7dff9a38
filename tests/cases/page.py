"""The table of cases and ways, as the test run prints it."""

from collections.abc import Iterable, Mapping

from cases.table import NOT_APPLICABLE
from cases.ways import COLUMNS

WRONG, RIGHT = "✗", "✓"


def table(results: Iterable[tuple[int, Mapping[str, str]]]) -> list[str]:
    """Lines: a row a case, a column a way, over all of its scenes; `results` are (case, way to ✓, ✗ or a letter)."""
    cells: dict[int, dict[str, set[str]]] = {}
    scenes: dict[int, int] = {}
    for case, ways in results:
        scenes[case] = scenes.get(case, 0) + 1
        for way, cell in ways.items():
            cells.setdefault(case, {}).setdefault(way, set()).add(cell)
    heads = ("case", "scenes", *COLUMNS)
    rows = [(str(case), str(scenes[case]), *(_cell(cells[case][way]) for way in COLUMNS)) for case in sorted(cells)]
    lines = ["  ".join(text.ljust(len(head)) for text, head in zip(row, heads, strict=True)) for row in (heads, *rows)]
    met = {letter for ways in cells.values() for found in ways.values() for letter in found if RIGHT not in found}
    legend = [f"  {letter}: n/a, {why}" for letter, why in NOT_APPLICABLE.items() if letter in met]
    return [*(line.rstrip() for line in lines), *legend]


def _cell(found: set[str]) -> str:
    """Wrong in one scene is wrong; where no scene applies, the letters that say why."""
    return next((mark for mark in (WRONG, RIGHT) if mark in found), " ".join(sorted(found)))
