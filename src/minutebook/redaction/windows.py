"""The stretches of a text that are looked at again: around what was taken out of it, or is written otherwise."""

from __future__ import annotations

from minutebook.ground.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from minutebook.redaction.finding import Finding

WALL = "\n\0\n"
"""Between texts that are scanned as one: no pattern reaches across it."""
_NEAR = 1024
"""How far a word that tells of a secret may stand from it."""


@frozen
class Window:
    """text[start:end], looked at for what stands in text[first:last]. Its ends may cut a word: what is found there and
    has nothing to do with that isn't new."""

    start: int
    end: int
    first: int
    last: int

    def concerns(self, finding: Finding) -> bool:
        return finding.start - _NEAR < self.last and finding.end + _NEAR > self.first


def windows(text: str, spans: Iterable[tuple[int, int]], reach: int) -> Iterator[Window]:
    """Windows with `reach` characters around each of the spans, which are in order; no two overlap, and none goes
    beyond a wall."""
    first = last = -1
    for start, end in spans:
        if first < 0:
            first = start
        elif start - last > 2 * reach or text.find(WALL, last, start) >= 0:
            yield _around(text, first, last, reach)
            first = start
        last = end
    if first >= 0:
        yield _around(text, first, last, reach)


def _around(text: str, first: int, last: int, reach: int) -> Window:
    floor, ceiling = max(0, first - reach), min(len(text), last + reach)
    before, after = text.rfind(WALL, floor, first), text.find(WALL, last, ceiling)
    return Window(before + len(WALL) if before >= 0 else floor, after if after >= 0 else ceiling, first, last)
