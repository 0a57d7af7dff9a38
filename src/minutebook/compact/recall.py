"""Whether what was found before a compaction is still found after it, without a search engine at hand.

Each note gives three questions: its title, its abstract, and its most distinctive terms. A question finds a note when
the note, or the summary that stands for it, is among the best entries that fit the budget as `retrieve` spends it: half
of it goes to abstracts, in order. Ranking is BM25 (Robertson and Zaragoza 2009; k1 = 1.2, b = 0.75), as in search; the
title counts three times, the abstract twice.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log

from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import Memory
from minutebook.ground.tokens import tokens
from minutebook.ground.words import own_fields, terms

DELTA = 0.02
"""The share of questions that a compaction may lose."""
DISTINCTIVE = 5
_K1, _B = 1.2, 0.75
_LONGEST = 20_000  # characters of a body
_AROUND = 40  # tokens of the heading, the line of facts and the fences around an abstract


@frozen
class Corpus:
    """The live entries of a memory, ready to be searched: by term the entries (their positions) and how often it is in
    each, the length of each in terms, and what its abstract costs in tokens."""

    entries: tuple[Entry, ...]
    postings: Mapping[str, Sequence[tuple[int, int]]]
    lengths: tuple[int, ...]
    costs: tuple[int, ...]

    def weight(self, term: str) -> float:
        """Inverse document frequency, as BM25 has it."""
        count = len(self.postings.get(term, ()))
        return log(1 + (len(self.entries) - count + 0.5) / (count + 0.5))


@frozen
class Recall:
    """How many questions were asked, and how many found what they are about before and after."""

    asked: int = 0
    before: int = 0
    after: int = 0

    @property
    def lost(self) -> bool:
        """Whether more is lost than may be."""
        return self.before - self.after > DELTA * self.asked


def corpus(memory: Memory) -> Corpus:
    """The corpus of the entries outside of the archive."""
    entries = tuple(memory.entries())
    postings: dict[str, list[tuple[int, int]]] = {}
    lengths = []
    for at, entry in enumerate(entries):
        counted = Counter(_words(entry))
        lengths.append(sum(counted.values()))
        for term, count in counted.items():
            postings.setdefault(term, []).append((at, count))
    return Corpus(entries, postings, tuple(lengths), tuple(map(_cost, entries)))


def distinctive(entry: Entry, known: Corpus) -> tuple[str, ...]:
    """The terms that tell the entry from the others, the best first: by tf-idf, numbers and short words aside."""
    counted = Counter(term for term in _words(entry) if len(term) > 3 and not term.isdigit())
    ranked = sorted(counted, key=lambda term: (-(1 + log(counted[term])) * known.weight(term), term))
    return tuple(ranked[:DISTINCTIVE])


def questions(entry: Entry, known: Corpus) -> tuple[str, ...]:
    """What somebody may ask who wants this entry."""
    asked = (entry.title, entry.abstract, " ".join(distinctive(entry, known)))
    return tuple(dict.fromkeys(text for text in asked if terms(text)))


def finds(known: Corpus, text: str, wanted: Collection[str], budget: int) -> bool:
    """Whether an entry of one of these ids is among the best that fit `budget` tokens; the best one always fits."""
    mean = sum(known.lengths) / max(1, len(known.lengths))
    scores: dict[int, float] = {}
    for term in dict.fromkeys(terms(text)):
        weight = known.weight(term)
        for at, count in known.postings.get(term, ()):
            norm = _K1 * (1 - _B + _B * known.lengths[at] / mean)
            scores[at] = scores.get(at, 0.0) + weight * count * (_K1 + 1) / (count + norm)
    spent = 0
    for rank, at in enumerate(sorted(scores, key=lambda at: (-scores[at], at))):
        spent += known.costs[at]
        if spent > budget // 2 and rank:
            return False
        if known.entries[at].id in wanted:
            return True
    return False


def recall(notes: Iterable[Entry], before: Corpus, after: Corpus, summary: str, budget: int) -> Recall:
    """How many of the questions of these notes find them before, and them or their summary after."""
    asked = found = kept = 0
    for note in notes:
        for text in questions(note, before):
            asked += 1
            found += finds(before, text, (note.id,), budget)
            kept += finds(after, text, (note.id, summary), budget)
    return Recall(asked, found, kept)


def _cost(entry: Entry) -> int:
    return tokens(f"{entry.id} {entry.title} {entry.abstract}") + _AROUND


def _words(entry: Entry) -> list[str]:
    body = "\n".join((entry.overview, entry.body[:_LONGEST], own_fields(entry)))
    return [*terms(entry.title) * 3, *terms(entry.abstract) * 2, *terms(body)]
