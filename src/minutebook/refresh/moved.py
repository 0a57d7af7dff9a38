"""Paths of a text that lie elsewhere now, put right."""

import re
from collections.abc import Iterable, Mapping

from minutebook.ground import front_matter
from minutebook.ground.markdown import read_lines
from minutebook.refresh.findings import Signal


def moves_of(signals: Iterable[Signal]) -> dict[str, str]:
    """From a path as it is named to where it lies now."""
    return dict(each.moved for each in signals if each.moved is not None)


def with_moves(text: str, moves: Mapping[str, str]) -> str:
    """The text with the new paths, in lines that speak for themselves: no quotation, no example, no comment."""
    if not moves:
        return text
    longest = sorted(moves, key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w./@-])(?:\./)?({'|'.join(map(re.escape, longest))})(?![\w-]|\.\w)")
    rows = []
    for row in read_lines(text):
        speaks = row.live and not row.text.lstrip().startswith(">")
        rows.append(pattern.sub(lambda match: moves[match[1]], row.text) if speaks else row.text)
    return "".join(rows)


def moved_below(text: str, moves: Mapping[str, str]) -> str:
    """The file's text with the new paths beneath its front matter; that is written by fields."""
    found = front_matter.bounds(text)
    return text if found is None else text[: found[2]] + with_moves(text[found[2] :], moves)
