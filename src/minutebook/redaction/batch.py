"""Many texts searched for secrets as one: a search has its price however little it searches."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from minutebook.redaction.search import SHORTEST, find_secrets
from minutebook.redaction.windows import WALL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from minutebook.redaction.finding import Finding

_AT_ONCE = 1 << 20
_LONG = 16_384


def suspects(texts: Sequence[str]) -> dict[int, list[Finding] | None]:
    """The indexes of the texts in which something would be found, and what, where it is known already. Texts beyond
    ASCII are scanned apart, so that they don't make the others wide."""
    found: dict[int, list[Finding] | None] = {}
    sizes = list(map(len, texts))
    held: tuple[list[int], list[int]] = [], []
    for index, (size, narrow) in enumerate(zip(sizes, map(str.isascii, texts), strict=True)):
        if SHORTEST <= size <= _LONG:
            held[narrow].append(index)
        elif size > _LONG and (secrets := find_secrets(texts[index])):
            found[index] = secrets
    for indexes in filter(None, held):
        for some in _batches(sizes, indexes):
            found.update(dict.fromkeys(_among(texts, some)))
    return found


def _batches(sizes: list[int], indexes: list[int]) -> Iterator[list[int]]:
    """The indexes, together as many as make a text of some size."""
    if sum(sizes) <= _AT_ONCE:
        yield indexes
        return
    sums = list(accumulate((sizes[index] for index in indexes), initial=0))
    first = 0
    while first < len(indexes):
        last = bisect_right(sums, sums[first] + _AT_ONCE) - 1
        yield indexes[first:last]
        first = last


def _among(texts: Sequence[str], indexes: list[int]) -> set[int]:
    """Which of the texts a secret stands in, when all of them are searched as one."""
    spans = find_secrets(WALL.join([texts[index] for index in indexes]))
    starts = list(accumulate((len(texts[index]) + len(WALL) for index in indexes), initial=0)) if spans else []
    found: set[int] = set()
    for span in spans:
        first, last = bisect_right(starts, span.start) - 1, bisect_right(starts, span.end - 1) - 1
        found.update(indexes[first : last + 1])
    return found
