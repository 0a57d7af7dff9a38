"""Which of many texts is most like another one: cosine of TF-IDF vectors (Salton and Buckley 1988), with scikit-learn's
formula (smoothed idf over all of them and the one that is asked about, 1 + log tf, unit length).

The many are weighed once and asked about often: a question costs what it has in common with them, and says what a fit
of its own would say.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from math import fsum, log, sqrt

from minutebook.ground.frozen import cached, frozen

Counts = Mapping[str, int]
"""The terms of a text with their counts, as `drifted.counts_of` gives them."""


@frozen
class Corpus:
    """`texts` leads from a name to the counts of its text, in the order in which equals are preferred."""

    texts: Mapping[str, Counts]

    @cached
    def held(self) -> Mapping[str, int]:
        """How many of the texts hold a term."""
        found: Counter[str] = Counter()
        for counts in self.texts.values():
            found.update(counts.keys())
        return found

    @cached
    def lengths(self) -> Mapping[str, float]:
        """Of each text the square of its length, beside a question that has nothing in common with it."""
        rare = [self.rarity(held) for held in range(len(self.texts) + 1)]
        return {name: _squares(counts, {term: rare[self.held[term]] for term in counts})
                for name, counts in self.texts.items()}  # fmt: skip

    def rarity(self, held: int) -> float:
        """The idf of a term that so many texts hold, the question among all of them."""
        return log((2 + len(self.texts)) / (1 + held)) + 1


@frozen
class Compared:
    """What is kept while things that are gone are compared with what is new at one commit: the files that are `new`
    since a commit, by its id and their suffix; the counts of `files` and of the `names` in each, by path; what was
    `defined` in a file, by blob; and the `corpora` made of them, by what is in them."""

    new: dict[tuple[str, str], tuple[str, ...]]
    files: dict[str, Counts]
    names: dict[str, Mapping[str, Counts]]
    defined: dict[str, frozenset[str]]
    corpora: dict[tuple[str, ...], Corpus]


def most_like(asked: Counts, corpus: Corpus, without: Collection[str] = ()) -> tuple[str, float]:
    """The name of the text most like the one that is asked about, and its cosine, 0 to 1; ("", 0) where there is none.
    Sums are exact, so that no order of terms shows in them."""
    held = corpus.held
    rare = {term: corpus.rarity(held.get(term, 0) + 1) for term in asked}
    length = sqrt(_squares(asked, rare))
    best = ("", 0.0)
    for name, counts in corpus.texts.items():
        shared = asked.keys() & counts.keys()
        if not shared or name in without:
            continue
        weights = [(term, _damped(counts[term])) for term in shared]
        product = fsum(weight * _damped(asked[term]) * rare[term] ** 2 for term, weight in weights)
        more = fsum(weight**2 * (rare[term] ** 2 - corpus.rarity(held[term]) ** 2) for term, weight in weights)
        score = min(1.0, round(product / (length * sqrt(corpus.lengths[name] + more)), 4))
        best = (name, score) if score > best[1] else best
    return best


def _squares(counts: Counts, rare: Mapping[str, float]) -> float:
    return fsum((_damped(count) * rare[term]) ** 2 for term, count in counts.items())


def _damped(count: int) -> float:
    return 1 + log(count)
