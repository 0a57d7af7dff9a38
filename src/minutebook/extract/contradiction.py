"""Whether two statements can't both hold, as far as their words tell.

`conflict` is sure. The same purpose with another choice is one only where one job takes one choice: the two are known
rivals (tabs, spaces), or the purpose is a role (“the session store”), or one says “only”. Otherwise both may hold
(pytest and hypothesis, for tests), and `doubt` says what a person is to be asked. Statements with other purposes, or of
another kind (“add A”, “write B”), are compatible, whatever words they share.
"""

from functools import lru_cache

from minutebook.extract.rivals import ROLES, are_opposites, are_rivals, usual
from minutebook.extract.stance import Stance, overlap
from minutebook.ground.frozen import replace

_ALIKE = 0.6
_NEARLY = 0.75
_LONGEST_CHOICE = 4


def conflict(new: Stance, old: Stance) -> str:
    """How `new` contradicts `old`, in words; "" when it doesn't, as far as this can tell for sure."""
    return judged(new, old)[0]


def doubt(new: Stance, old: Stance) -> str:
    """Why the two may contradict each other, where nobody can tell from their words; "" when they don't, or surely
    do."""
    return judged(new, old)[1]


def is_same(new: Stance, old: Stance) -> bool:
    """Whether `new` chooses what `old` does, for the same, and says nothing more than that and why."""
    one, other = _usual(new), _usual(old)
    plain = new.choice and old.choice and new.negative == old.negative and new.reasoned and not new.alone > old.alone
    nothing_new = not one.replaced or one.replaced == other.replaced
    return plain and nothing_new and bool(one.value) and (one.value, one.purpose) == (other.value, other.purpose)


@lru_cache(maxsize=16384)
def judged(new: Stance, old: Stance) -> tuple[str, str]:
    """What `conflict` says, and what `doubt` says."""
    new, old = _usual(new), _usual(old)
    if new.negative != old.negative:
        return _opposed(new, old)
    if new.negative:
        return "", ""
    if why := _replaces(new, old) or _antonyms(new, old):
        return why, ""
    if _counts_otherwise(new, old):
        return "it gives another number", ""
    return ("", "") if new.added or old.added else _chosen_apart(new, old)


def _opposed(new: Stance, old: Stance) -> tuple[str, str]:
    """One is for what the other is against. A ban in general excludes each use; one use beside a ban in general, or a
    ban of one use beside a general one, may be an exception."""
    same = bool(new.value) and new.value == old.value
    if same and (old.purpose < new.purpose or (new.purpose < old.purpose and old.negative)):
        return "", "it may say the opposite"
    share = overlap(new.all, old.all)
    within = bool(new.value) and (new.value <= old.value or old.value <= new.value)
    opposite = (same and new.purpose <= old.purpose) or share >= _NEARLY or (share >= _ALIKE and within)
    return ("it says the opposite", "") if new.value and opposite else ("", "")


def _counts_otherwise(new: Stance, old: Stance) -> bool:
    """Whether the two give other numbers for one thing."""
    mine, theirs = (frozenset(word for word in one.all if word[:1].isdigit()) for one in (new, old))
    if not mine or not theirs or mine & theirs:
        return False
    one, other = new.all - mine, old.all - theirs
    share = overlap(one, other)
    return share >= _NEARLY or (share >= _ALIKE and (one <= other or other <= one))


def _replaces(new: Stance, old: Stance) -> str:
    apart = bool(new.purpose and old.purpose and not new.purpose & old.purpose)
    known = old.value if not new.purpose & old.all else old.all
    if new.replaced and not apart and _covers(known, new.replaced) and not old.value <= new.value:
        return "it replaces what that entry chose"
    if old.replaced and not apart and old.replaced == new.value and new.choice:
        return "it chooses what that entry turned down"
    return ""


def _antonyms(new: Stance, old: Stance) -> str:
    more, less = new.all - old.all, old.all - new.all
    both = new.all & old.all
    turned = any(are_opposites(one, other) for one in more for other in less)
    return "it says the opposite" if turned and _rest(both, more, less) else ""


def _rest(both: frozenset[str], more: frozenset[str], less: frozenset[str]) -> bool:
    """Whether two statements are alike but for the one word in which they are opposites."""
    return bool(both) and len(both) >= _ALIKE * (len(both) + len(more) + len(less) - 2)


def _chosen_apart(new: Stance, old: Stance) -> tuple[str, str]:
    """Another choice for the same purpose."""
    more, less = new.value - old.value, old.value - new.value
    rivals = any(are_rivals(one, other) for one in more for other in less)
    same_aim = bool(new.purpose) and (new.purpose == old.purpose or _alike(new.purpose, old.purpose))
    said = "it chooses something else for the same purpose"
    both = new.choice and old.choice
    if same_aim and rivals and (both or (len(more), len(less)) == (1, 1)):
        return said, ""
    one_job = new.alone or old.alone or bool(new.purpose & old.purpose & ROLES)
    short = 0 < len(new.value) <= _LONGEST_CHOICE and 0 < len(old.value) <= _LONGEST_CHOICE
    if same_aim and more and less and short and (both or (new.alone and old.alone)):
        if not new.value & old.value:
            return (said, "") if one_job else ("", f"{said}, and both may hold")
        return "", ""
    if rivals and both and not (new.purpose and old.purpose):
        return "", "it chooses another of the same kind"
    if rivals and not new.purpose and not old.purpose and (len(more), len(less)) == (1, 1) and new.value & old.value:
        return said, ""
    return "", ""


@lru_cache(maxsize=16384)
def _usual(one: Stance) -> Stance:
    """With each word as its usual name."""
    return replace(one, value=usual(one.value), purpose=usual(one.purpose), replaced=usual(one.replaced))


def _alike(first: frozenset[str], second: frozenset[str]) -> bool:
    return overlap(first, second) >= _ALIKE


def _covers(outer: frozenset[str], inner: frozenset[str]) -> bool:
    return bool(inner) and len(outer & inner) >= min(len(inner), 2)
