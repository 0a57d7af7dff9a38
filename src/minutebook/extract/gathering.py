"""The candidates of a session, gathered in the order of the talk: the last word counts, saying it twice is once."""

from collections.abc import Sequence

from minutebook.extract.contradiction import conflict
from minutebook.extract.retraction import Rejected, ends_something, takes_back
from minutebook.extract.stance import overlap, stance, words
from minutebook.ground.frozen import replace
from minutebook.ground.session import Candidate, Turn

_SAME = 0.7
_COMPARED = 16
_A_MOMENT = 12
_BRIEF = 6
"""Content words up to which two statements can contradict each other without a word in common (tabs, spaces)."""
_MARKED = frozenset({"answer", "plan-approved", "plan-corrected"})


class Gathered:
    """At most `most` candidates, each unlike the others."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: list[Candidate] = []
        self._latest = 0
        self._chosen: frozenset[str] | None = None

    @property
    def chosen(self) -> frozenset[str]:
        """The words of what they choose, and what for: what could be taken back by its name."""
        if self._chosen is None:
            self._chosen = frozenset[str]().union(*(stance(each.abstract).all for each in self._kept))
        return self._chosen

    def said_in(self, turn: Turn) -> bool:
        """Whether one of them is from this turn."""
        return self._latest == turn.number

    @property
    def holds_any(self) -> bool:
        """Whether there is anything that could be taken back."""
        return bool(self._kept)

    def may_name(self, text: str) -> bool:
        """Whether a text has a word of any of them; quick, and never False where one of them is named."""
        low = text.lower()
        return any(word.removesuffix("y") in low for word in self.chosen)

    def add(self, new: Candidate) -> None:
        """Take one more: what it contradicts goes, and of two that say the same the better stays."""
        self._latest, self._chosen = _heard(new), None
        self._kept = [each for each in self._kept if not _against(new, each)]
        same = next((each for each in self._kept if _says_the_same(each, new)), None)
        if same is None:
            self._kept.append(new)
        else:
            first, second = (same, new) if same.score >= new.score else (new, same)
            self._kept[self._kept.index(same)] = _said_again(first, second)
        if len(self._kept) > 2 * _COMPARED:  # each is compared with all before: without a bound, quadratic
            self._kept = _best(self._kept, _COMPARED)

    def take_back(
        self, turn: Turn, *, plan: bool, last: bool, since: Sequence[int] = (), before: Sequence[int] = ()
    ) -> list[Candidate]:
        """A retraction in this turn takes back what the last turn with a candidate said, if that was a moment ago, or
        was one of the last that the person took (`since`), however long the agent worked then; a plan that is dropped
        goes, however long ago it was approved. What went.

        What was said `before` those may be meant, or something else: it stays, but in quarantine, and is returned so.
        """
        plans = [each.turn.number for each in self._kept if each.turn.kind == "plan-approved"] if plan else []
        gone = {*plans[-1:]}
        if plan or last:
            latest = max((_heard(each) for each in self._kept if each.turn.number not in gone), default=0)
            gone |= {latest} if turn.number - latest <= _A_MOMENT or latest in since else set()
            if last and latest in before and not gone:
                return self._held_back(latest, turn)
        if not gone:
            return []
        return self._without([each for each in self._kept if {each.turn.number, _heard(each)} & gone])

    def _held_back(self, heard: int, turn: Turn) -> list[Candidate]:
        why = f"in turn {turn.number} the person takes something back and doesn't say what"
        self._kept = [
            replace(each, quarantine=each.quarantine or why) if _heard(each) == heard else each for each in self._kept
        ]
        return [each for each in self._kept if _heard(each) == heard]

    def drop(self, turn: Turn, rejected: Sequence[Rejected]) -> list[Candidate]:
        """What this turn speaks against by its name goes, however long ago it was said. What went."""
        if not rejected:
            return []
        return self._without([old for old in self._kept if any(takes_back(each, turn, old) for each in rejected)])

    def _without(self, gone: list[Candidate]) -> list[Candidate]:
        if gone:
            self._chosen = None
            self._kept = [each for each in self._kept if not any(each is other for other in gone)]
        return gone

    def best(self) -> list[Candidate]:
        """The best of them, in the order of the talk."""
        return _best(self._kept, self._most)


def _best(kept: list[Candidate], most: int) -> list[Candidate]:
    best = sorted(kept, key=lambda each: (each.turn.kind not in _MARKED, -each.score, each.turn.number))[:most]
    chosen = {id(each) for each in best}
    return [each for each in kept if id(each) in chosen]


def _heard(candidate: Candidate) -> int:
    """The number of the person's turn: theirs, or the one that accepted the agent's."""
    return (candidate.accepted or candidate.turn).number


def _against(new: Candidate, old: Candidate) -> bool:
    mine, its = words(new.abstract), words(old.abstract)
    if new.turn.number == old.turn.number or (max(len(mine), len(its)) > _BRIEF and not mine & its):
        return False
    said, known = stance(new.abstract), stance(old.abstract)
    confirmed = bool(said.negative or said.replaced) and ends_something(old.abstract)
    return not confirmed and bool(conflict(said, known))


def _says_the_same(old: Candidate, new: Candidate) -> bool:
    one_turn = _heard(old) == _heard(new)
    if one_turn and (old.quote in new.quote or new.quote in old.quote):
        return True
    return overlap(words(old.abstract), words(new.abstract)) >= _SAME


def _said_again(kept: Candidate, other: Candidate) -> Candidate:
    if _heard(kept) == _heard(other):
        return kept
    return replace(kept, why=(*kept.why, f"said again in turn {_heard(other)}"))
