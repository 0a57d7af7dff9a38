"""Whether what was found before a compaction is still found after it.

Each note gives three questions: its title, its abstract, and its most distinctive terms. A question finds a note when
the note, or the summary that stands for it, is among the best entries that fit the budget as `retrieve` spends it: half
of it goes to abstracts, in order. `compact` asks the search itself; `ranking` here is the same formula without SQLite,
for `check`, which needs nothing installed and writes nothing: BM25 (Robertson and Zaragoza 2009; k1 = 1.2, b = 0.75) as
FTS5 computes it, with the search's weight for each column, but for its stemming, in place of which a plural s goes.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from math import log

from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import Memory
from minutebook.ground.nouns import singular
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import ARCHIVE
from minutebook.ground.words import own_fields, terms

DELTA = 0.02
"""The share of questions that a compaction may lose."""
DISTINCTIVE = 5
Place = tuple[str, str]
"""Path and id of an entry."""
Ranked = Callable[[str], Sequence[Place]]
"""The live entries for a text, the best first."""
Search = Callable[[Memory], Ranked]
_K1, _B = 1.2, 0.75
_LEAST_WEIGHT = 1e-6
_HEAD = 4000  # characters of a body that count in full
_LONGEST = 20_000  # characters of a body
_LONGEST_TERM = 24
_HASH = re.compile(r"(?=[a-f]*[0-9])[0-9a-f]{7,}")
_AROUND = 40  # tokens of the heading, the line of facts and the fences around an abstract


@frozen
class Corpus:
    """The entries of a memory, the archived ones too, ready to be searched: by term the entries (their positions) with
    how much it counts in each, and the length of each in terms."""

    entries: tuple[Entry, ...]
    live: tuple[bool, ...]
    postings: Mapping[str, Sequence[tuple[int, float]]]
    lengths: tuple[int, ...]

    def weight(self, term: str) -> float:
        """Inverse document frequency, as FTS5 has it."""
        count = len(self.postings.get(singular(term), ()))
        return max(_LEAST_WEIGHT, log((len(self.entries) - count + 0.5) / (count + 0.5)))


@frozen
class Recall:
    """How many questions were asked, and how many found what they are about before and after."""

    asked: int = 0
    before: int = 0
    after: int = 0

    def and_of(self, other: "Recall") -> "Recall":
        return Recall(self.asked + other.asked, self.before + other.before, self.after + other.after)

    @property
    def lost(self) -> bool:
        """Whether more is lost than may be."""
        return self.before - self.after > DELTA * self.asked


def corpus(memory: Memory) -> Corpus:
    """The corpus of a memory."""
    entries = tuple(memory.entries(archived=True))
    postings: dict[str, list[tuple[int, float]]] = {}
    lengths = []
    for at, entry in enumerate(entries):
        counted, length = _counted(entry)
        lengths.append(length)
        for term, count in counted.items():
            postings.setdefault(term, []).append((at, count))
    live = tuple(not memory.inner(entry.path).startswith(ARCHIVE) for entry in entries)
    return Corpus(entries, live, postings, tuple(lengths))


def ranking(memory: Memory) -> Ranked:
    """The search of a memory, without SQLite."""
    return ranked(corpus(memory))


def ranked(known: Corpus) -> Ranked:
    """The search of a corpus."""
    mean = sum(known.lengths) / max(1, len(known.lengths))

    def ask(text: str) -> Sequence[Place]:
        scores: dict[int, float] = {}
        for term in dict.fromkeys(map(singular, terms(text))):
            weight = known.weight(term)
            for at, count in known.postings.get(term, ()):
                norm = _K1 * (1 - _B + _B * known.lengths[at] / mean)
                scores[at] = scores.get(at, 0.0) + weight * count * (_K1 + 1) / (count + norm)
        best = sorted(scores, key=lambda at: (-scores[at], known.entries[at].path, known.entries[at].line))
        return [(known.entries[at].path, known.entries[at].id) for at in best if known.live[at]]

    return ask


def distinctive(entry: Entry, known: Corpus) -> tuple[str, ...]:
    """The terms that tell the entry from the others, the best first: by tf-idf, numbers and short words aside."""
    counted = Counter(filter(_is_word, terms(_whole(entry))))
    best = sorted(counted, key=lambda term: (-(1 + log(counted[term])) * known.weight(term), term))
    return tuple(best[:DISTINCTIVE])


def telling(entry: Entry, known: Corpus) -> tuple[str, ...]:
    """The terms by which its questions find the entry: in turn the rarest of its whole and of its abstract."""
    abstract = filter(_is_word, dict.fromkeys(terms(entry.abstract)))
    of_abstract = sorted(abstract, key=lambda term: (-known.weight(term), term))
    pairs = zip(distinctive(entry, known), [*of_abstract, *[""] * DISTINCTIVE], strict=False)
    return tuple(dict.fromkeys(term for pair in pairs for term in pair if term))


def _is_word(term: str) -> bool:
    """Whether anybody would ask for it: no number, no hash, nothing short."""
    return 3 < len(term) <= _LONGEST_TERM and not term.isdigit() and not _HASH.fullmatch(term)


def questions(entry: Entry, known: Corpus) -> tuple[str, ...]:
    """What somebody may ask who wants this entry."""
    asked = (entry.title, entry.abstract, " ".join(distinctive(entry, known)))
    return tuple(dict.fromkeys(text for text in asked if terms(text)))


def found(best: Sequence[Place], wanted: Collection[str], costs: Mapping[Place, int], budget: int) -> bool:
    """Whether an entry of one of these ids is among the best that fit `budget` tokens; the best one always fits."""
    spent = 0
    for rank, place in enumerate(best):
        spent += costs.get(place, 0)
        if spent > budget // 2 and rank:
            return False
        if place[1] in wanted:
            return True
    return False


def costs_of(memory: Memory) -> Mapping[Place, int]:
    """What the abstract of each entry costs in tokens, as it is printed."""
    return {(e.path, e.id): tokens(f"{e.id} {e.title} {e.abstract}") + _AROUND for e in memory.entries()}


@frozen
class Sought:
    """A memory that can be asked: its search, and what its entries cost."""

    ask: Ranked
    costs: Mapping[Place, int]
    budget: int

    def finds(self, text: str, wanted: Collection[str]) -> bool:
        return found(self.ask(text), wanted, self.costs, self.budget)


def sought(memory: Memory, search: Search = ranking) -> Sought:
    """The memory, ready to be asked."""
    return Sought(search(memory), costs_of(memory), memory.config.budget)


def recall(notes: Iterable[Entry], known: Corpus, before: Sought, after: Sought, summary: str) -> Recall:
    """How many of the questions of these notes, which are made from `known`, find them before, and them or their
    summary after."""
    asked = then = now = 0
    for note in notes:
        for text in questions(note, known):
            asked += 1
            then += before.finds(text, (note.id,))
            now += after.finds(text, (note.id, summary))
    return Recall(asked, then, now)


def _columns(entry: Entry) -> Iterator[tuple[float, str]]:
    """The parts of an entry as search holds them, each with its weight."""
    tags = [str(tag) for field in ("tags", "anchors") for tag in _listed(entry.fields.get(field))]
    yield 6.0, entry.id
    yield 3.0, entry.title
    yield 2.0, " ".join(tags)
    yield 1.5, entry.abstract
    yield 1.0, f"{entry.overview}\n{own_fields(entry)}"
    yield 1.0, entry.body[:_HEAD]
    yield 0.3, entry.body[_HEAD:_LONGEST]


def _counted(entry: Entry) -> tuple[dict[str, float], int]:
    """(by term how much it counts, how many terms there are)."""
    counted: dict[str, float] = {}
    length = 0
    for weight, text in _columns(entry):
        found_here = terms(text)
        length += len(found_here)
        for term in map(singular, found_here):
            counted[term] = counted.get(term, 0.0) + weight
    return counted, length


def _whole(entry: Entry) -> str:
    return "\n".join((entry.title, entry.abstract, entry.overview, entry.body[:_LONGEST], own_fields(entry)))


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [] if value is None else [value]
