"""The candidates of a session, gathered in the order of the talk: the last word counts, saying it twice is once."""

from minutebook.extract.phrases import choice, phrases
from minutebook.extract.stance import conflict, overlap, stance, words
from minutebook.ground.frozen import replace
from minutebook.ground.session import Candidate, Turn

_SAME = 0.7
_COMPARED = 16
_A_MOMENT = 12
_LOOKED_AT = 2000
_MARKED = frozenset({"answer", "plan-approved", "plan-corrected"})
_IDEA = choice("plan", "idea", "approach", "design", "proposal", "change", "feature", "whole thing")
_RETRACTED = phrases(
    *("scratch that", "never ?mind", "forget (?:that|it|about it|what i said)", "on second thoughts?"),
    *("changed my mind", "ignore (?:that|my last)", "(?:undo|revert) (?:that|this)", "i take (?:that|it) back"),
    *("wait,? no", "strike that", "i was wrong", "(?:i(?:'m| was| am) )?(?:just |only )?(?:kidding|joking)", "jk"),
)
_DROPPED = phrases(
    rf"(?:drop|scrap|abandon|forget|ditch|discard|cancel|bin|kill)(?: about)? (?:the|that|this) (?:whole )?{_IDEA}",
    r"(?:not|don'?t|won'?t|stop)\b.{0,20}\b(?:do|doing|go with|going with|want)\b.{0,10} "
    rf"(?:that|this|the) {_IDEA}",
    *("start over", "back to the drawing board", "abandon (?:it|this|that)", "scrap (?:it|this|that)"),
    rf"go back to (?:the|our) (?:original|old|previous|first) {_IDEA}",
)


def is_retracted(text: str) -> bool:
    """Whether somebody takes back what they said a moment ago."""
    return _RETRACTED.search(text[:_LOOKED_AT]) is not None


def is_dropped(text: str) -> bool:
    """Whether somebody gives up a plan that was agreed on earlier."""
    return _DROPPED.search(text[:_LOOKED_AT]) is not None


class Gathered:
    """At most `most` candidates, each unlike the others."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: list[Candidate] = []

    def add(self, new: Candidate) -> None:
        """Take one more: what it contradicts goes, and of two that say the same the better stays."""
        self._kept = [each for each in self._kept if not _against(new, each)]
        same = next((each for each in self._kept if _says_the_same(each, new)), None)
        if same is None:
            self._kept.append(new)
        else:
            first, second = (same, new) if same.score >= new.score else (new, same)
            self._kept[self._kept.index(same)] = _said_again(first, second)
        if len(self._kept) > 2 * _COMPARED:  # each is compared with all before: without a bound, quadratic
            self._kept = _best(self._kept, _COMPARED)

    def take_back(self, turn: Turn, *, plan: bool, last: bool) -> None:
        """A retraction in this turn takes back what the last turn with a candidate said, if that was a moment ago; a
        plan that is dropped goes, however long ago it was approved."""
        if plan:
            agreed = max((e.turn.number for e in self._kept if e.turn.kind == "plan-approved"), default=0)
            self._kept = [each for each in self._kept if each.turn.number != agreed]
        if plan or last:
            latest = max((_heard(each) for each in self._kept), default=0)
            if turn.number - latest <= _A_MOMENT:
                self._kept = [each for each in self._kept if _heard(each) != latest]

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
    return new.turn.number != old.turn.number and bool(conflict(stance(new.abstract), stance(old.abstract)))


def _says_the_same(old: Candidate, new: Candidate) -> bool:
    one_turn = _heard(old) == _heard(new)
    if one_turn and (old.quote in new.quote or new.quote in old.quote):
        return True
    return overlap(words(old.abstract), words(new.abstract)) >= _SAME


def _said_again(kept: Candidate, other: Candidate) -> Candidate:
    if _heard(kept) == _heard(other):
        return kept
    return replace(kept, why=(*kept.why, f"said again in turn {_heard(other)}"))
