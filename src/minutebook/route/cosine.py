"""How alike a few statements are to those in memory: the cosine of `similar`, reckoned without its imports.

The same weights (Salton and Buckley 1988): counts damped (1 + ln tf), rarity smoothed (1 + ln (1 + n) / (1 + df)), rows
of length 1. A session has fifteen candidates at most; scikit-learn takes a second to be imported, and in a memory of
thousands of entries a tenth of that is enough.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log, sqrt

from minutebook.ground.nouns import singular
from minutebook.ground.words import terms

_DIGITS = 4


def cosines(first: Sequence[str], second: Sequence[str]) -> list[list[float]]:
    """Cosine of every text of `first` (rows) with every text of `second`; weights are fitted on both together."""
    if not first or not second:
        return [[] for _ in first]
    held_by = Counter(word for text in (*first, *second) for word in _damped(text))
    count = len(first) + len(second)
    rarity = {word: 1 + log((1 + count) / (1 + held)) for word, held in held_by.items()}
    columns = [_row(text, rarity) for text in second]
    return [[_dot(row, column) for column in columns] for row in (_row(text, rarity) for text in first)]


@lru_cache(maxsize=1 << 15)
def _damped(text: str) -> Mapping[str, float]:
    return {word: 1 + log(times) for word, times in Counter(map(singular, terms(text))).items()}


def _row(text: str, rarity: Mapping[str, float]) -> dict[str, float]:
    row = {word: damped * rarity[word] for word, damped in _damped(text).items()}
    length = sqrt(sum(weight * weight for weight in row.values())) or 1.0
    return {word: weight / length for word, weight in row.items()}


def _dot(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return min(1.0, round(sum(weight * other[word] for word, weight in one.items() if word in other), _DIGITS))
