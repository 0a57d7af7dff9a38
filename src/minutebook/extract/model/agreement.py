"""Whether a statement says what the words that back it say: for or against, how much, and who does what to whom.

Words in common can't tell “always” from “never”, 30 days from 3, or Alice reviewing Mallory from Mallory reviewing
Alice. What disagrees is refused, in words that the model can mend it by; what can't be told waits for a person.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from minutebook.extract.model.numbers import numbers_in, unsaid
from minutebook.extract.model.polarity import Marks, sentences_of, signs
from minutebook.extract.phrases import phrases
from minutebook.extract.stance import words
from minutebook.ground.frozen import frozen

_HALF = 0.5
_LEAST = 1 / 3
"""Share of the content words of one sentence that the talk has to have, and of a statement that the quote has to."""
_FEW = 3
_NAME = re.compile(r"[A-Za-z][\w]*(?:[.+#/_-]\w+)*")
_PATH = re.compile(r"[/_.]|[a-z][A-Z]|[A-Za-z][0-9]")
_JOINED = re.compile(r"\s*(?:,|and|or|&|,\s*and|/)\s*", re.IGNORECASE)
_TOLD_APART = frozenset({"alternatives", "rejected", "options", "problem"})
"""Fields that tell what isn't so, or no longer."""
_STATES = phrases(
    *("us(?:e|es|ed|ing)", "always", "never", "we", "i", "should", "must", "will", "can", "do", "run", "keep", "put"),
    *(
        "prefer",
        "only",
        "every",
        "all",
        "is",
        "are",
        "be",
        "let",
        "go(?:es)?",
        "stay",
        "add",
        "make",
        "write",
        "release",
    ),
    *("release", "merge", "deploy", "store", "move", "drop", "avoid", "no", "not", "without"),
)
_PIECE = re.compile(r"[,;.](?=\s|$)|\band\b|\bbut\b|\n", re.IGNORECASE)
_OPPOSITES = tuple(
    (phrases(one), phrases(other))
    for one, other in (
        ("at least", "at most"),
        ("before", "after"),
        ("more than", "less than"),
        ("minimum", "maximum"),
        ("allow", "forbid"),
        ("enable", "disable"),
        ("include", "exclude"),
        ("increase", "decrease"),
        ("public", "private"),
        ("required", "optional"),
        ("mandatory", "optional"),
        ("opt-in", "opt-out"),
        ("shown", "hidden"),
        ("show", "hide"),
    )
)
_MOST_NAMES = 40


@frozen
class Heard:
    """What a statement is judged by: the `quote`, the sentences `around` it with the question that they answer, the
    turn that backs it, the talk near it, and what the page says that it would be written over (`page`)."""

    quote: str
    around: str
    turn: str
    near: str
    page: str = ""

    @property
    def tiers(self) -> tuple[str, str, str]:
        """From the nearest to the farthest."""
        return self.around, self.turn, self.known

    @property
    def known(self) -> str:
        """All that may be said without being quoted."""
        return f"{self.near}\n{self.page}"


def contradiction(head: Sequence[str], rest: Mapping[str, str], heard: Heard) -> str:
    """Why the statement (`head`: title and abstract; `rest`: its other texts by field) says something else; ""."""
    for at, text in enumerate(head):
        wrong, of, _ = _turned(text, heard)
        if of and wrong >= _HALF * of and not (at == 0 and _names_only(head)):
            return _polarity_of(text, heard)
        if opposite := _opposite(text, heard.around):
            return f"it says “{opposite[0]}” where the words that back it say “{opposite[1]}”"
        near = f"{heard.quote}\n{heard.page}" if any(map(str.isdigit, heard.quote)) else heard.known
        if number := unsaid(text, near):
            known = not unsaid(number, heard.known)
            return f"the quote doesn't say {number}" + (": quote the words that do" if known else "")
    for name, text in rest.items():
        for sentence in sentences_of(text) if name not in _TOLD_APART else ():
            wrong, of, _ = _turned(sentence, heard)
            if of > 1 and wrong >= _HALF * of:
                return f"`{name}`: {_polarity_of(sentence, heard)}"
    return ""


def doubtful(head: Sequence[str], rest: Mapping[str, str], heard: Heard) -> str:
    """Why nobody can tell whether the statement says what was said; ""."""
    for at, text in enumerate(head):
        wrong, _, contrast = _turned(text, heard)
        if wrong and not contrast and not (at == 0 and _names_only(head)):
            return "some of its words are said with a “not” or an “only” in one place and without it in the other"
        if number := _elsewhere(text, heard.around):
            return f"{number} is said of something else in the words that back it"
        if swapped := _swapped(text, heard.around):
            return f"{swapped[0]} and {swapped[1]} stand in another order than in the words that back it"
    if number := next((each for text in rest.values() if (each := unsaid(text, heard.known))), ""):
        return f"it gives a number that nobody said: {number}"
    return _beyond(head, rest, heard)


def _beyond(head: Sequence[str], rest: Mapping[str, str], heard: Heard) -> str:
    """A sentence or clause of which the talk has next to nothing, or a statement of which the quote has next to
    nothing: the words of a turn can be put together to say what nobody did."""
    known = words(heard.known) | words(heard.turn) | words(heard.around)
    for text in head:
        for sentence in sentences_of(text):
            wanted = words(sentence)
            if len(wanted) >= _FEW and len(wanted & known) < _LEAST * len(wanted):
                return f"it says more than the talk: “{sentence[:80]}”"
    title, quoted = words(head[0]), words(heard.around)
    covered = words(" ".join((*head, *rest.values()))) & quoted
    if len(title) >= _FEW and len(title & quoted) <= _LEAST * len(title) and len(covered) < _HALF * len(quoted):
        return "it says something else than the words that it quotes"
    return ""


def _turned(text: str, heard: Heard) -> tuple[int, int, bool]:
    """(how many words stand under other marks than where they were said, how many could be compared, whether both the
    statement and the words that back it set one thing against another)."""
    own, tiers = signs(text), [signs(tier) for tier in heard.tiers]
    wrong = compared = 0
    for word, marks in own.items():
        said = next((tier[word] for tier in tiers if word in tier), None)
        if said is not None:
            compared += 1
            wrong += not marks & said
    return wrong, compared, _contrasts(own) and _contrasts(tiers[0])


def _names_only(head: Sequence[str]) -> bool:
    """Whether the title only names what it is about: then the abstract says it, and is judged."""
    return len(words(head[0])) <= _FEW and not _STATES.search(head[0]) and head[0].strip(".") != head[1].strip(".")


def _opposite(text: str, around: str) -> tuple[str, str] | None:
    """(what the text says, its opposite that was said) of a pair such as “at least” and “at most”; None."""
    for pair in _OPPOSITES:
        for one, other in (pair, pair[::-1]):
            if one.search(text) and not one.search(around) and other.search(around) and not other.search(text):
                return one.pattern[5:-3], other.pattern[5:-3]
    return None


def _elsewhere(text: str, around: str) -> str:
    """The first number of the text that was said of what another number is said of here; ""."""
    heard = _numbered(around)
    for value, named in _numbered(text).items():
        if value in heard:
            others = frozenset[str]().union(*(each for number, each in heard.items() if number != value))
            if named & (others - heard[value]) and not named & (heard[value] - others):
                return value
    return ""


def _numbered(text: str) -> dict[str, frozenset[str]]:
    """By number, the words of its clause."""
    found: dict[str, frozenset[str]] = {}
    for piece in _PIECE.split(text):
        for value, _ in numbers_in(piece):
            found[value] = found.get(value, frozenset()) | {word for word in words(piece) if not word[0].isdigit()}
    return found


def _contrasts(found: Mapping[str, frozenset[Marks]]) -> bool:
    against = {"not" in marks for every in found.values() for marks in every}
    return len(against) > 1


def _polarity_of(text: str, heard: Heard) -> str:
    return (
        f"“{' '.join(text.split())[:80]}” has a “not” or an “only” where the words that back it have none, or the "
        f"other way round: “{' '.join(heard.around.split())[:80]}”"
    )


def _swapped(text: str, around: str) -> tuple[str, str] | None:
    """Two names of one kind, under the same marks, that stand in the other order; None. Those that are only listed
    (“A and B”) have no order."""
    first, second = _names(text), _names(around)
    common = {name for name in first if name in second and name in (_capitals(text) | _capitals(around))}
    order = [name for name in first if name in common][:_MOST_NAMES]
    mine, theirs = signs(text), signs(around)
    for at, one in enumerate(order):
        for other in order[at + 1 :]:
            turned = second[one][0] > second[other][0] and _kind(one, around) == _kind(other, around)
            if turned and _marks(one, mine) == _marks(other, mine) and _marks(one, theirs) == _marks(other, theirs):
                between = around[second[other][1] : second[one][0]]
                if not _JOINED.fullmatch(between):
                    return one, other
    return None


def _marks(name: str, found: Mapping[str, frozenset[Marks]]) -> frozenset[Marks]:
    return frozenset[Marks]().union(*(found.get(word, frozenset()) for word in words(name)))


@lru_cache(maxsize=1024)
def _names(text: str) -> Mapping[str, tuple[int, int]]:
    """Every word in small letters with the first place where it stands."""
    found: dict[str, tuple[int, int]] = {}
    for match in _NAME.finditer(text):
        found.setdefault(match[0].lower(), match.span())
    return found


@lru_cache(maxsize=1024)
def _capitals(text: str) -> frozenset[str]:
    """The words that are written like a name, in small letters: a capital that no sentence begins with, or a path."""
    return frozenset(_named(text))


def _named(text: str) -> Iterator[str]:
    for sentence in sentences_of(text):
        for match in _NAME.finditer(sentence):
            begins = not any(map(str.isalnum, sentence[: match.start()]))
            if (match[0][0].isupper() and not begins and match[0] != "I") or _PATH.search(match[0]):
                yield match[0].lower()


def _kind(name: str, around: str) -> bool:
    start, end = _names(around)[name]
    return _PATH.search(around[start:end]) is not None and not around[start:end].isalpha()
