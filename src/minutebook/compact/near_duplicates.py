"""Texts that are nearly the same, among many: found in time and memory that grow with their number.

Method: three words in a row are a shingle (Broder 1997); a text's sketch is the smallest hash in each of 64 bins (one
permutation hashing, Li, Owen and Zhang 2012; an empty bin takes over from the next one, Shrivastava and Li 2014). Texts
whose sketches agree in one of 16 bands of four are compared by the Jaccard index of their shingles.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from zlib import crc32

ALIKE = 0.8
"""Jaccard index of the shingles from which two texts are near-duplicates."""
_BINS = 64
_ROWS = 4
_WORD = re.compile(r"\w+")
_EMPTY = 1 << 60
_MASK = (1 << 48) - 1
_LONGEST = 20_000  # characters: who reads more of a note than that?


def clusters(texts: Sequence[str]) -> list[list[int]]:
    """The positions of texts that are near-duplicates of one another, two at least, each group in order.

    A text is compared with the first one of each group that it may belong to: ten thousand copies cost ten thousand
    comparisons.
    """
    first: dict[tuple[int, tuple[int, ...]], int] = {}
    leader = list(range(len(texts)))
    for at, text in enumerate(texts):
        bands = list(_bands(_shingles(text)))
        tried: set[int] = set()
        for band in bands:
            other = leader[first.setdefault(band, at)]
            if other != leader[at] and other not in tried:
                tried.add(other)
                if _jaccard(text, texts[other]) >= ALIKE:
                    leader[at] = other
    groups: dict[int, list[int]] = {}
    for at, head in enumerate(leader):
        groups.setdefault(head, []).append(at)
    return [group for group in groups.values() if len(group) > 1]


def _jaccard(one: str, other: str) -> float:
    first, second = _shingles(one), _shingles(other)
    return len(first & second) / len(first | second) if first and second else float(one == other)


@lru_cache(maxsize=2048)
def _shingles(text: str) -> frozenset[int]:
    words = [_hash(word) for word in _WORD.findall(text[:_LONGEST])]
    if len(words) < 3:
        return frozenset(words)
    return frozenset(
        (a * 2654435761 ^ b * 40503 ^ c) * 0x9E3779B97F4A7C15 >> 16 & _MASK
        for a, b, c in zip(words, words[1:], words[2:], strict=False)
    )


@lru_cache(maxsize=1 << 16)
def _hash(word: str) -> int:
    return crc32(word.lower().encode("utf-8", "surrogatepass"))


def _bands(shingles: frozenset[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The bands of the sketch, each with its place; none of a text without words."""
    if not shingles:
        return
    bins = [_EMPTY] * _BINS
    for value in shingles:
        at = value % _BINS
        if value < bins[at]:
            bins[at] = value
    filled = bins
    for _ in range(_BINS):
        if _EMPTY not in filled:
            break
        filled = [value if value != _EMPTY else filled[(at + 1) % _BINS] for at, value in enumerate(filled)]
    for start in range(0, _BINS, _ROWS):
        yield start, tuple(filled[start : start + _ROWS])
