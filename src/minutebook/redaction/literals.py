"""Where words stand in a text: all of them by one look at it, with ahocorasick-rs (Aho and Corasick 1975) where that is
installed. It is asked for long texts alone, as transcripts are; a hook has none."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterator

    _Find = Callable[[bytes], list[tuple[int, int, int]]]

LEAST = 1 << 14
"""Characters of a text for which it pays to import a library."""
_AT_ONCE = 1 << 17
_SELDOM = 32


def every(word: bytes, text: bytes, first: int = 0) -> Iterator[int]:
    """Where a word starts in a text, one place after the other, from the first on."""
    find, at = text.find, text.find(word, first)
    while at >= 0:
        yield at
        at = find(word, at + 1)


def all_places(words: tuple[bytes, ...], text: bytes) -> dict[bytes, array[int]] | None:
    """Where each of the words that are in the text starts, also inside of another; None where there is nothing to find
    them all with, or where they are more than in any text that people write: each place that is told of costs more
    than a look of one's own."""
    known = _finder(words)
    if known is None:
        return None
    from array import array

    find, longest = known
    left = _AT_ONCE // _SELDOM
    found: dict[int, array[int]] = defaultdict(lambda: array("I"))
    for floor in range(0, len(text), _AT_ONCE):
        start = max(0, floor - longest + 1)
        seen = floor - start
        places = find(text[start : floor + _AT_ONCE])
        left += _AT_ONCE // _SELDOM - len(places)
        if left < 0:
            return None
        for word, at, end in places:
            if end > seen:  # what ends before has been found in the part before this one
                found[word].append(start + at)
    return {words[word]: places for word, places in found.items()}


@lru_cache(maxsize=4)
def _finder(words: tuple[bytes, ...]) -> tuple[_Find, int] | None:
    """What finds the words, and how long they are at most."""
    try:
        import ahocorasick_rs
    except ImportError:
        return None
    dense = ahocorasick_rs.Implementation.DFA
    search = ahocorasick_rs.BytesAhoCorasick(words, implementation=dense).find_matches_as_indexes
    return lambda text: search(text, overlapping=True), max(map(len, words))
