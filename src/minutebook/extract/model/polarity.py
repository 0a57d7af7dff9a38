"""For or against: which words of a text stand under a “not”, and which under an “only”.

A statement and the words that back it can share every content word and say the opposite; the small words between tell.
The scope of a negation is taken to be its clause, that of “without” and “instead of” what follows them.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from minutebook.extract.phrases import phrases
from minutebook.extract.stance import words

PLAIN: frozenset[str] = frozenset()
_LONGEST = 20_000
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_HELPERS = re.findall(
    r"\w+", "is are be was were do does did should must will would can could has have may to or and but"
)
_NOT_THAT = "".join(rf"(?<!\b{word})" for word in _HELPERS) + r"(?<=\w)\s(?=not\s)"
"""Before the “not” of “30 s not 10 s”, which stands over what follows alone."""
_CLAUSE = re.compile(
    r"[,:()]+(?=\s|$)|\s[-–—]+\s|—|\b(?:but|because|since|although|so that)\b|"
    r"\band\s+(?=(?:use|always|never|don'?t|do not|let'?s|we|i|only|not)\b)|" + _NOT_THAT,
    re.IGNORECASE,
)
_NOT = phrases(
    *(
        "never",
        r"not(?! only| just)",
        "no(?! one\\b)",
        "none",
        "nothing",
        "nobody",
        "no one",
        "neither",
        "nor",
        "cannot",
    ),
    *(r"(?:do|does|did|is|are|was|were|wo|ca|could|should|would|must|has|have|had|need|ai)n['’]?t", "stop(?:ped|s)?"),
    *("avoid(?:s|ed|ing)?", "forbid(?:s|den)?", "ban(?:s|ned)?", "refuse[sd]?", "reject(?:s|ed)?", "prohibit(?:s|ed)?"),
    *("drop(?:s|ped|ping)?", "remov(?:e|es|ed|ing)", "forget", "scrap(?:ped)?", "ditch(?:ed)?", "abandon(?:ed)?"),
    *("rip out", "get rid of", "against", "hate", "disallow(?:s|ed)?", "skip(?:s|ped|ping)?", "disabl(?:e|es|ed|ing)"),
    *(
        "no longer",
        "no more",
        "opposed to",
        "(?:bad|terrible|stupid|silly|wrong) idea",
        "(?:wrong|silly|stupid|mistake) to",
        "doubt",
    ),
)
_BARE = re.compile(r"\W*(?:(?:no|nope|nah)\W*)+", re.IGNORECASE)
_AFTER = phrases(
    *("without", "instead of", "rather than", "in place of", "except(?: for)?", "excluding", "other than"),
    *(r"replac(?:e|es|ed|ing)", r"(?:mov|switch|migrat)(?:e|es|ed|ing)?(?: [\w-]+){0,5}?(?: away)? from"),
    r"(?:prefer|favou?r|choose|chose|pick|like)(?:s|red|ed)?(?: [\w.+-]+){1,4}? over",
)
_UNTIL = phrases("with", "by", "to", "for", "in", "on")
_ONLY = phrases(r"(?<!not )only", "solely", "exclusively", "nothing but")
_CUES = re.compile("|".join(each.pattern for each in (_NOT, _AFTER, _ONLY)), re.IGNORECASE)
_WITHOUT = phrases("without")
_OR = re.compile(r"\s*(?:n?or)\b", re.IGNORECASE)
_MOVING = frozenset(
    ("move", "moved", "moving", "switch", "switched", "switching", "migrate", "migrated", "migrating", "away")
)
_BETWEEN = ("mov", "switch", "migrat", "prefer", "favo", "cho", "pick", "like")
Marks = frozenset[str]


def sentences_of(text: str) -> list[str]:
    """The text cut at its sentences and lines."""
    return [piece for piece in _SENTENCE.split(text[:_LONGEST]) if piece.strip()]


def is_against(text: str) -> bool:
    """Whether a text denies, forbids or rules out anything."""
    return any("not" in marks for found in signs(text).values() for marks in found) or bool(_NOT.search(text))


@lru_cache(maxsize=4096)
def signs(text: str) -> Mapping[str, frozenset[Marks]]:
    """By content word, the marks under which it stands: `not`, `only`, both, or none."""
    found: dict[str, frozenset[Marks]] = {}
    for sentence in sentences_of(text):
        for word, marks in _of_a_sentence(sentence):
            found[word] = found.get(word, frozenset()) | {marks}
    return found


def _of_a_sentence(sentence: str) -> Iterator[tuple[str, Marks]]:
    over, last = PLAIN, PLAIN
    for clause in _CLAUSE.split(sentence):
        own = _marks(clause)
        marks = own | over | (last if _OR.match(clause) else PLAIN)
        if not words(_CUES.sub(" ", clause)):  # “never, ever, use it”: what is said so stands over the rest
            over = over if _BARE.fullmatch(clause) else over | own
            continue
        last = marks
        yield from _of_a_clause(clause, marks)


def _marks(clause: str) -> Marks:
    """What stands over a whole clause. “Never … without” is two of them, each with its own scope."""
    found = {"not"} if _NOT.search(clause) else set[str]()
    return frozenset(found | ({"only"} if _ONLY.search(clause) else set()))


def _of_a_clause(clause: str, marks: Marks) -> Iterator[tuple[str, Marks]]:
    """Words after “without” and its like stand under the opposite of what stands over their clause."""
    at = 0
    if "not" in marks and _WITHOUT.search(clause):  # “never A without B” is “A with B”, too
        yield from ((word, marks - {"not"}) for word in words(_CUES.sub(" ", _WITHOUT.split(clause)[0])))
    for match in _AFTER.finditer(clause):
        end = _UNTIL.search(clause, match.end())
        stop = end.start() if end else len(clause)
        yield from ((word, marks) for word in words(_CUES.sub(" ", clause[at : match.start()])))
        yield from ((word, marks ^ {"not"}) for word in words(_CUES.sub(" ", clause[match.end() : stop])))
        if match[0].lower().startswith(_BETWEEN):
            yield from ((word, marks) for word in words(match[0]) - _MOVING)
        at = stop
    yield from ((word, marks) for word in words(_CUES.sub(" ", clause[at:])))
