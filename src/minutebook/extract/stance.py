"""What a statement is for or against, so that two of them can be seen to disagree."""

import re
from functools import lru_cache

from minutebook.ground.frozen import frozen
from minutebook.ground.nouns import singular

_WORD = re.compile(r"[A-Za-z0-9]+(?:[._+#-][A-Za-z0-9]+)*\+*")
_COMMON = frozenset(
    re.findall(
        r"\w+",
        "a an the and or of to in on at by is are be it its this that these those we i you they our my your just "
        "all any as "
        "so will ll let s us should must always never not don t do use uses using used go going with stick adopt "
        "pick choose "
        "switch move keep from now every each have has get gets please only new decided instead rather than over "
        "no prefer "
        "want need there here when wherever can because since",
    )
)
_NEGATIVE = re.compile(
    r"\b(?:never|not|no|don't|do not|won't|will not|shouldn't|mustn't|can't|cannot|stop|avoid|drop|without|no longer|"
    r"no more|remove|reject)\b",
    re.IGNORECASE,
)
_REPLACED = re.compile(
    r"(?:\binstead of\b|\brather than\b|\bin place of\b|,\s*not\b|\breplac(?:es|ing|e)\b|\bno longer\b|"
    r"\b(?:switch|move|migrate)\s+(?:away\s+)?from\b)\s+(?P<replaced>(?:(?!\s(?:for|in|as|on|to|because|since)\b)[^.;,()]){2,80})",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r"\b(?:for|as|in|on|to)\s+(?P<purpose>[^.;,()]{3,80})", re.IGNORECASE)
_TAIL = re.compile(r"\b(?:because|since|so that|instead of|rather than|as it|which)\b|[,;(—]|\s-\s", re.IGNORECASE)

_ALIKE = 0.6


@frozen
class Stance:
    """`value` is what is chosen (or, with `negative`, rejected), `purpose` what for, `replaced` what it takes the
    place of; each as a set of content words."""

    negative: bool
    value: frozenset[str]
    purpose: frozenset[str]
    replaced: frozenset[str]


@lru_cache(maxsize=16384)
def stance(text: str) -> Stance:
    """Read a statement such as “Use SQLite for the cache instead of Redis”."""
    replaced = _REPLACED.search(text)
    rest = text[: replaced.start()] + text[replaced.end() :] if replaced else text
    cut = _TAIL.search(rest)
    main = rest[: cut.start()] if cut and cut.start() > 3 else rest
    purpose = _PURPOSE.search(main)
    value = main[: purpose.start()] if purpose else main
    return Stance(
        negative=_NEGATIVE.search(main) is not None,
        value=words(value),
        purpose=words(purpose["purpose"]) if purpose else frozenset(),
        replaced=words(replaced["replaced"]) if replaced else frozenset(),
    )


def conflict(new: Stance, old: Stance) -> str:
    """How `new` contradicts `old`, in words; "" when it doesn't, as far as this can tell."""
    if new.negative != old.negative and new.value and _alike(_all(new), _all(old)):
        return "it says the opposite"
    if new.negative or old.negative:
        return ""
    apart = bool(new.purpose and old.purpose and not new.purpose & old.purpose)
    known = old.value if not new.purpose & _all(old) else _all(old)
    if new.replaced and not apart and _covers(known, new.replaced) and not old.value <= new.value:
        return "it replaces what that entry chose"
    if len(new.purpose) > 1 and _alike(new.purpose, old.purpose) and new.value and not new.value & old.value:
        return "it chooses something else for the same purpose"
    if _numbers(new) and _numbers(old) and not _numbers(new) & _numbers(old):
        named = _all(new) - _numbers(new), _all(old) - _numbers(old)
        return "it gives another number" if _alike(*named) else ""
    return ""


@lru_cache(maxsize=16384)
def words(text: str) -> frozenset[str]:
    """Content words: lower case, common words and plural s dropped."""
    found = (match[0].lower() for match in _WORD.finditer(text))
    return frozenset(singular(word) for word in found if word not in _COMMON)


def overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """Jaccard index of two sets of words; 0 when both are empty."""
    return len(first & second) / len(first | second) if first | second else 0.0


def _all(one: Stance) -> frozenset[str]:
    return one.value | one.purpose


@lru_cache(maxsize=16384)
def _numbers(one: Stance) -> frozenset[str]:
    return frozenset(word for word in _all(one) if word[:1].isdigit())


def _alike(first: frozenset[str], second: frozenset[str]) -> bool:
    return overlap(first, second) >= _ALIKE


def _covers(outer: frozenset[str], inner: frozenset[str]) -> bool:
    return bool(inner) and len(outer & inner) >= min(len(inner), 2)
