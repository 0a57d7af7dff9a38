"""The grammar of cue sentences: how people say that something holds from now on. One table, the first fit wins."""

import re
from typing import Literal

from minutebook.extract.phrases import choice, phrases
from minutebook.ground.frozen import frozen

Kind = Literal["adoption", "rejection", "rule", "preference", "correction", "fact"]
TYPE_OF: dict[Kind, str] = {
    "adoption": "decision",
    "rejection": "decision",
    "rule": "pattern",
    "preference": "preference",
    "correction": "pattern",
    "fact": "entity",
}
_TAKE = choice(
    *("us(?:e|ing)", "go(?:ing)? with", "stick(?:ing)? (?:with|to)"),
    *("adopt(?:ing)?", "switch(?:ing)? to", "mov(?:e|ing) to"),
    *("standardi[sz](?:e|ing) on", "keep using", "settl(?:e|ing) on"),
    *("pick(?:ing)?", "choos(?:e|ing)", "default(?:ing)? to"),
)  # fmt: skip
_WE = choice(
    *("let'?s", "let us", "we'?ll", "we will", "we'?re going to", "we are going to", "we're", "we are", "i want us to"),
    "we want to",
)
_NOT = choice("let'?s not", "we won'?t", "we will not", "we(?:'re| are) not going to", "we should(?:n'?t| not)")
_NEW = choice(
    *("use", "using", "adopt", "go with", "support", "rely on", "relying on", "depend on", "need", "introduce"),
    *("bring in", "hard-?code", "mock"),
)
_SUBJECT = r"(?P<subject>(?!(?:it|this|that|they|you|we|there|i|these|those)\b)[\w`'\"./@ -]{2,70}?)"
_OWES = choice(
    *("gets?", "must", "should(?! we)", "shall", "needs?", "ha(?:s|ve) to", "may not", "can't", "cannot", "goes", "go"),
    *("lives?", "stays?"),
)
_STATE = choice("deprecated", "removed", "opt-in", "opt-out", "optional", "required", "the default", r"\w+ by default")
_PRAISED = choice(
    *("that", "it(?! when)", "this", "how", "your", "these", "those", "to see"),
    "the (?:idea|approach|plan|look|name|first|second|third|direction|way|sound|new)",
)
_STYLE = choice("spelling", "english", "tone", "emojis?", "answers", "replies", "explanations", "summaries")
_RULE: tuple[tuple[float, str], ...] = (
    (0.9, r"^(?:from now on|going forward|in (?:the )?future|as a rule|by convention)\b[,:]?\s+(?P<value>.+)"),
    (0.8, r"^(?:please\s+)?(?:always|never)\s+(?!(?:mind|again|been|had|seen|before)\b)(?P<value>[a-z].+)"),
    (0.8, r"\b(?:we|you|must|should|shall)\s+(?:should\s+|must\s+)?(?:always|never)\s+(?P<value>[a-z].+)"),
    (0.75, rf"^(?:every|each|all|any|no|new)\s+(?!(?:of|time)\b)[\w`'\"./ -]{{2,60}}?\s+{_OWES}\s+(?P<value>.+)"),
    (0.75, r"^we\s+should\s+(?:be\s+)?(?P<value>.+\b(?:where(?:ver)? (?:we|you) can|everywhere|across the \w+)\b.*)"),
    (0.7, r"^(?:in|for) (?:this|our) (?:repo(?:sitory)?|project|code ?base|team)\b,?\s+(?:we\s+)?(?P<value>.+)"),
    (0.65, rf"^{_SUBJECT}\s+must\s+(?:not\s+|never\s+|always\s+)?(?P<value>[a-z]+\b.+)"),
    (0.65, r"^(?:please\s+)?remember\s*:?,?\s+(?:to|that)\s+(?P<value>.+)"),
    (0.6, r"^let'?s\s+avoid\s+(?P<value>.+)"),
)
_ADOPTION: tuple[tuple[float, str], ...] = (
    (0.8, rf"^{_WE}\s+(?:\w+ly\s+|just\s+|all\s+)?{_TAKE}\s+(?P<value>.+)"),
    (0.7, r"^let'?s go (?!(?:ahead|for|back|through|over|on|to|and)\b)(?P<value>.+)"),
    (0.7, rf"^we should\s+(?:be\s+)?(?:\w+ly\s+|just\s+)?{_TAKE}\s+(?P<value>.+)"),
    (
        0.75,
        r"^(?:use|go with|stick with|adopt|pick|choose|switch to|store)\s+(?P<value>[^,;]{2,120}?),?\s+"  # noqa: ISC004
        r"(?:instead of|rather than|over|not)\s+[\w`\"'].*",
    ),
    (0.85, r"^(?:we|i)(?:'ve| have)?\s+(?:decided|agreed|settled)\s+(?:to|on|that|we)\s+(?!not\b)(?P<value>.+)"),
    (0.85, r"^(?:the |our )?decision(?: is)?\s*[:—-]\s*(?:to\s+)?(?P<value>.{8,})"),
    (0.7, rf"^{_SUBJECT}\s+(?:should|will|can)\s+be\s+(?P<value>(?:hard[- ]?|soft[- ]?)?{_STATE}\b.*)"),
)
_REJECTION: tuple[tuple[float, str], ...] = (
    (0.8, rf"^{_NOT}\s+(?:be\s+)?{_NEW}\s+(?P<value>.+)"),
    (0.85, r"^(?:we|i)(?:'ve| have)?\s+(?:decided|agreed)\s+(?:not to|against)\s+(?P<value>.+)"),
    (0.75, rf"^(?:please\s+)?(?:do not|don'?t|stop|avoid)\s+(?:ever\s+)?{_NEW}\s+(?P<value>.+)"),
    (0.6, r"^we (?:don'?t|do not|no longer) (?:need|want|support)\s+(?!to\b)(?P<value>.+)"),
)
_PREFERENCE: tuple[tuple[float, str], ...] = (
    (0.8, r"^i(?:'d| would)?\s+(?:really\s+|strongly\s+|much\s+|generally\s+)?prefer\s+(?P<value>.+)"),
    (0.8, r"^my preference is\s+(?P<value>.+)"),
    (0.65, r"^(?:please\s+)?prefer\s+(?P<value>.+)"),
    (0.65, rf"^i\s+(?:really\s+|don'?t\s+)?(?:like|love|hate|dislike)\s+(?!{_PRAISED}\b)(?P<value>.+)"),
    (
        0.65,
        r"^(?:please\s+)?(?:use|write(?: in)?|answer(?: in)?|reply(?: in)?|keep)\s+(?:the\s+|a\s+|your\s+)?"  # noqa: ISC004
        rf"(?P<value>(?:\w+\s+){{0,3}}{_STYLE}\b.*)",
    ),
)
_FACT: tuple[tuple[float, str], ...] = (
    (0.6, r"^(?:it\s+)?turns out\s+(?:that\s+)?(?P<value>.+)"),
    (0.6, r"^the (?:root cause|real reason|actual cause|culprit)\s+(?:is|was)\s+(?P<value>.+)"),
    (0.55, r"^(?:for the record|fyi|heads[- ]up|just so you know)\b[,:]?\s+(?:that\s+)?(?P<value>.+)"),
)
_TABLE: tuple[tuple[Kind, tuple[tuple[float, str], ...]], ...] = (
    ("rule", _RULE),
    ("adoption", _ADOPTION),
    ("rejection", _REJECTION),
    ("preference", _PREFERENCE),
    ("fact", _FACT),
)
_COMPILED = tuple((kind, weight, re.compile(text, re.IGNORECASE)) for kind, rows in _TABLE for weight, text in rows)
_CORRECTION = re.compile(
    r"(?:no|nope|wrong|actually|that'?s (?:wrong|not right|incorrect)|"
    r"not quite)\b[,.!:;\s—–-]+(?:actually\b[,\s]+)?(?=\S)",
    re.IGNORECASE,
)
_CONTRAST = phrases("not", "instead of", "rather than", "instead", "never")
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
_PASSING = phrases(
    *("skills?", "sub-?agents?", r"the \w+ tool", "tools? to", "workmux"),
    *("browser tab", "slash command", "worktree", "todo list"),
    *("this (?:session|conversation|chat)", "plan mode", "web ?search"),
)  # fmt: skip
ABOUT_WORK: frozenset[Kind] = frozenset({"adoption", "rejection", "rule"})


@frozen
class Cue:
    """What a sentence was recognised as. `at` is where the cue starts in it, `value` what it is about."""

    kind: Kind
    at: int
    value: str
    weight: float


def find_cue(core: str) -> Cue | None:
    """The cue in a sentence from which the lead-in (“ok, so …”) has been taken; None when there is none, or when what
    it is about can't be told from the sentence alone (“let's use that one”)."""
    corrected = _CORRECTION.match(core)
    offset = corrected.end() if corrected else 0
    rest = core[offset:]
    for kind, weight, pattern in _COMPILED:
        match = pattern.search(rest)
        if match:
            value = match["value"]
            if _DEICTIC.match(value.strip()) or (kind in ABOUT_WORK and is_passing(rest)):
                return None
            return Cue(kind, offset + match.start(), value, weight + (0.05 if corrected else 0.0))
    if corrected and _CONTRAST.search(rest) and _FACT_OF_HERE.match(rest) and not _DEICTIC.match(rest):
        return Cue("correction", offset, rest, 0.65)
    return None


def is_correction(core: str) -> bool:
    """Whether the sentence opens by setting something right (“no, actually …”)."""
    return _CORRECTION.match(core) is not None


def is_passing(core: str) -> bool:
    """Whether it is about how the agent works just now (its tools, skills, helpers), not about the project."""
    return _PASSING.search(core) is not None
