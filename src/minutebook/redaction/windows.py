"""The stretches of a text that are looked at again: around what was taken out of it, or is written otherwise."""

from __future__ import annotations

from minutebook.ground.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    from minutebook.redaction.finding import Finding

WALL = "\n\0\n"
"""Between texts that are scanned as one: no pattern reaches across it."""
_NEAR = 1024
"""How far a word that tells of a secret may stand from it."""
STRIDE = 1024
MOST = 1 << 18
_FAR = 16_384
"""Where a window is so long that it is parted, how far both parts reach beyond that: no token is longer."""


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


def windows(text: str, spans: Iterable[tuple[int, int]], reach: int, most: int = 0) -> Iterator[Window]:
    """Windows with `reach` characters around each of the spans, which are in order. No two overlap but those that
    would be one with more than `most` characters; none goes beyond a wall, where they don't stand closer than texts."""
    first = last = -1
    before, walls = reach, _walls(text)
    for start, end in spans:
        if first < 0:
            first = start
        elif start - last > 2 * reach or (walls > 0 and text.find(WALL, last, start) >= 0):
            yield _around(text, first, last, before, reach)
            first, before, walls = start, reach, walls - 1
        elif most and start - first > most:
            yield _around(text, first, start, before, _FAR)
            first, before = start, _FAR
        last = max(last, end)
    if first >= 0:
        yield _around(text, first, last, before, reach)


def stretches(text: str, find: Callable[[int], tuple[int, int] | None]) -> Iterator[tuple[int, int]]:
    """Stretches that begin where `find`, asked from some place on, finds something: what begins within the one before
    is left out, so that a text made of nothing else has few. None goes beyond a wall."""
    size, walls = len(text), _walls(text)
    found = find(0)
    while found is not None:
        start, end = found[0], min(size, max(found[1], found[0] + STRIDE))
        wall = text.find(WALL, start, end) if walls > 0 else -1
        if wall >= 0:
            end, walls = max(wall, start + 1), walls - 1
        yield start, end
        found = find(end)


def searching(pattern: re.Pattern[str], text: str) -> Callable[[int], tuple[int, int] | None]:
    """Where the pattern matches next."""

    def find(at: int) -> tuple[int, int] | None:
        match = pattern.search(text, at)
        return match.span() if match is not None else None

    return find


def _walls(text: str) -> int:
    """How many walls a text has at most, if it is one of texts as people write them."""
    return 1000 + len(text) // 64


def _around(text: str, first: int, last: int, reach: int, beyond: int) -> Window:
    floor, ceiling = max(0, first - reach), min(len(text), last + beyond)
    before, after = text.rfind(WALL, floor, first), text.find(WALL, last, ceiling)
    return Window(before + len(WALL) if before >= 0 else floor, after if after >= 0 else ceiling, first, last)
