"""How far the files of an anchor have moved, as far as it concerns the entry.

Cosine of TF-IDF vectors of the two texts, with scikit-learn's formula (smoothed idf over the two, 1 + log tf, unit
length) over counts that are kept by blob, so that nothing is read twice and scikit-learn needn't be loaded.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import log, sqrt

from minutebook.ground.frozen import frozen
from minutebook.ground.nouns import singular
from minutebook.ground.words import terms

_IDF_ONE, _IDF_BOTH = log(3 / 2) + 1, 1.0
_MOST = 4000


@frozen
class Drift:
    """`far` is 0 for the same text and 1 for texts with nothing in common; `lost` is how much of what the entry and
    the file both spoke of has left the file, the rarer in the file the weightier; `words` are what left."""

    far: float
    lost: float
    words: tuple[str, ...] = ()


UNMOVED = Drift(0.0, 0.0)


def counts_of(text: str) -> dict[str, int]:
    """The terms of a text with their counts, identifiers split, comments kept; of very many the commonest."""
    return dict(Counter(singular(term) for term in terms(text)).most_common(_MOST))


def drift_between(old: Mapping[str, int], new: Mapping[str, int], said: Iterable[str]) -> Drift:
    """`said` are the terms of the entry."""
    if old == new:
        return UNMOVED
    spoken = {term: 1 / log(1 + old[term] + 1) for term in said if term in old}
    gone = {term: max(0, old[term] - new.get(term, 0)) / old[term] for term in spoken}
    whole = sum(spoken.values())
    lost = sum(weight * gone[term] for term, weight in spoken.items()) / whole if whole else 0.0
    left = sorted((term for term in spoken if gone[term] == 1), key=lambda term: (-spoken[term], term))
    return Drift(1 - _cosine(old, new), lost, tuple(left[:5]))


def summed(several: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The counts of several files as those of one."""
    found: Counter[str] = Counter()
    for counts in several:
        found.update(counts)
    return dict(found)


def _cosine(old: Mapping[str, int], new: Mapping[str, int]) -> float:
    lengths = [
        sqrt(sum(_weight(term, counts, other) ** 2 for term in counts)) for counts, other in ((old, new), (new, old))
    ]
    if not all(lengths):
        return 0.0
    shared = sum(_weight(term, old, new) * _weight(term, new, old) for term in old if term in new)
    return min(1.0, shared / (lengths[0] * lengths[1]))


def _weight(term: str, counts: Mapping[str, int], other: Mapping[str, int]) -> float:
    return (1 + log(counts[term])) * (_IDF_BOTH if term in other else _IDF_ONE)
