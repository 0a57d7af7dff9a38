"""What a sentence is recognised as by the grammar: which row it fits, where, and what it is about."""

import re

from minutebook.extract.errands import WEAK
from minutebook.extract.grammar import SURE, Kind
from minutebook.extract.phrases import choice, phrases
from minutebook.ground.frozen import frozen

TYPE_OF: dict[Kind, str] = {
    "adoption": "decision",
    "rejection": "decision",
    "rule": "pattern",
    "preference": "preference",
    "correction": "pattern",
    "fact": "entity",
}
_COMPILED = tuple(
    (kind, name, sure, re.compile(text, re.IGNORECASE))
    for sure, rows in ((True, SURE), (False, WEAK))
    for kind, name, text in rows
)
_CORRECTION = re.compile(
    r"(?:no(?=[,.!:;—–-]|\s(?:we|it|the|this|that|use|i|you|our|actually|don'?t)\b)|nope|wrong|actually|"
    r"that'?s (?:wrong|not right|incorrect)|not quite)\b[,.!:;\s—–-]+(?:actually\b[,\s]+)?(?=\S)",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"(?:since|as of|starting|effective)\s+(?:yesterday|today|(?:last|this)\s+\w+|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)|v?\d[\w.-]*)\b,?\s+"
    r"(?=we\b|the\b|our\b|all\b|every\b|each\b)",
    re.IGNORECASE,
)
_CONTRAST = phrases("not", "instead of", "rather than", "instead", "never", "don'?t", "isn'?t")
_FACT_OF_HERE = re.compile(r"(?:we|our|the|use|it'?s|this|don'?t|do not)\b.+", re.IGNORECASE)
_POINTER = choice(
    *("it", "this", "that", "these", "those", "them", "him", "her"),
    *("here", "there", "one", "both", "all", "same", "first"),
    *("second", "third", "latter", "former", "other", "new", "option"),
    *("mine", "yours", "me", "you", "what", "whatever"),
)  # fmt: skip
_DEICTIC = re.compile(
    rf"(?:(?:be|the|a|just|on|doing|do|to|with|using)\s+)?(?:{_POINTER}|option [A-D1-9]|[A-D1-9])"
    r"(?:\s+(?:one|option|approach|two|way|thing|version|again|then|now|instead|please))?"
    r"\s*(?:$|[.,;:!?)(—-]|\b(?:for|in|as|because|since|so|and|but|here|is|to)\b)",
    re.IGNORECASE,
)
_NAMELESS = re.compile(r"\b(?:the|an?|our)\s*[(\[,.;:]", re.IGNORECASE)
"""An article without its noun: the thing was pasted, or lost on the way."""
_PASSING = phrases(
    *("skills?", "sub-?agents?", r"the \w+ tool", "tools? to", "workmux"),
    *("browser tab", "slash command", "worktree", "todo list"),
    *("this (?:session|conversation|chat)", "plan mode", "web ?search"),
)  # fmt: skip
ABOUT_WORK: frozenset[Kind] = frozenset({"adoption", "rejection", "rule"})


@frozen
class Cue:
    """What a sentence was recognised as. `name` is the row of the grammar and `sure` whether that row is a sure one,
    `at` is where the cue starts in the sentence, `value` what it is about."""

    kind: Kind
    name: str
    at: int
    value: str
    sure: bool = True


def find_cue(core: str, *, weak: bool = True) -> Cue | None:
    """The cue in a sentence from which the lead-in (“ok, so …”) has been taken; None when there is none, or when what
    it is about can't be told from the sentence alone (“let's use that one”). Without `weak`, sure rows alone."""
    corrected = _CORRECTION.match(core)
    offset = corrected.end() if corrected else 0
    since = _SINCE.match(core, offset)
    offset = since.end() if since else offset
    rest = core[offset:]
    for kind, name, sure, pattern in _COMPILED:
        match = pattern.search(rest) if sure or weak else None
        if match:
            value = match["value"]
            if (
                _DEICTIC.match(value.strip())
                or _NAMELESS.search(value)
                or (sure and kind in ABOUT_WORK and is_passing(rest))
            ):
                return None
            if not sure and corrected and _sets_right(rest):
                break
            return Cue(kind, name, offset + match.start(), value, sure)
    if corrected and _sets_right(rest):
        return Cue("correction", "correction", offset, rest)
    return None


def is_correction(core: str) -> bool:
    """Whether the sentence opens by setting something right (“no, actually …”)."""
    return _CORRECTION.match(core) is not None


def is_passing(core: str) -> bool:
    """Whether it is about how the agent works just now (its tools, skills, helpers), not about the project."""
    return _PASSING.search(core) is not None


def _sets_right(rest: str) -> bool:
    fits = _CONTRAST.search(rest) and _FACT_OF_HERE.match(rest) and not _DEICTIC.match(rest)
    return bool(fits)
