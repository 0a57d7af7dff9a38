"""Texts larger than memory, redacted piece by piece as if they were one."""

from __future__ import annotations

from minutebook.ground.frozen import frozen
from minutebook.redaction.finding import CROWDED
from minutebook.redaction.redact import Finding, Redactor, find_secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

AHEAD = 1 << 16
"""Characters that are looked at beyond what is given out: no secret is longer."""
_BEHIND = 1024
"""Characters before a piece that rules look back at."""
_PIECE = 1 << 22
_NEAR = 4096


@frozen
class Place:
    """Where a secret of `kind` stands: line and column count from 1, column and length in characters."""

    line: int
    column: int
    kind: str
    length: int


@frozen
class Piece:
    """A stretch of redacted text and the places, in the text as it was, of what was redacted in it."""

    text: str
    places: tuple[Place, ...]


def redacted_pieces(texts: Iterable[str], redactor: Redactor) -> Iterator[Piece]:
    """The pieces of a text that comes in pieces of any size, redacted.

    What was given out is final: it ends before a secret or behind it, never inside, wherever the pieces that came were
    cut. Some five million characters are in memory.
    """
    held, behind, count = "", 0, _Count()
    for text in texts:
        held += text
        while len(held) - behind >= _PIECE + AHEAD:
            cut, found = _cut(held, behind)
            yield _piece(held, behind, cut, found, redactor, count)
            kept = max(0, cut - _BEHIND)
            held, behind = held[kept:], cut - kept
    found = _beyond(find_secrets(held), behind)
    yield _piece(held, behind, len(held), found, redactor, count)


def _cut(held: str, behind: int) -> tuple[int, list[Finding]]:
    """Where to end a piece, at a blank if there is one near, and what is to be redacted before it."""
    cut = len(held) - AHEAD
    for blank in "\n", " ":
        at = held.rfind(blank, max(behind + 1, cut - _NEAR), cut)
        if at > 0:
            cut = at + 1
            break
    found = _beyond(find_secrets(held), behind)
    across = next((each for each in found if each.start < cut < each.end), None)
    if across is not None and across.kind != CROWDED:
        cut = across.start if across.start > behind else across.end
    before = [each for each in found if each.start < cut]
    if before and before[-1].end > cut:
        before[-1] = Finding(before[-1].start, cut, CROWDED)
    return cut, before


def _beyond(found: list[Finding], behind: int) -> list[Finding]:
    """What of this is still to be given out: a crowded stretch may be cut, and what begins in it too."""
    return [Finding(max(each.start, behind), each.end, each.kind) for each in found if each.end > behind]


class _Count:
    """Lines and columns of what was passed so far."""

    def __init__(self) -> None:
        self.line = 1
        self.column = 1

    def past(self, text: str) -> None:
        breaks = text.count("\n")
        self.line += breaks
        self.column = len(text) - text.rfind("\n") if breaks else self.column + len(text)


def _piece(held: str, start: int, end: int, found: list[Finding], redactor: Redactor, count: _Count) -> Piece:
    places = []
    at = start
    for each in found:
        count.past(held[at : each.start])
        places.append(Place(count.line, count.column, each.kind, each.end - each.start))
        at = each.start
    count.past(held[at:end])
    moved = [Finding(each.start - start, each.end - start, each.kind) for each in found]
    text = held[start:end]
    # What is found only beside a placeholder is redacted as well, as everywhere.
    return Piece(redactor.rid(text, moved) if moved else text, tuple(places))
