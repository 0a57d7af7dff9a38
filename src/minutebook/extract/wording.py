"""Titles and reasons out of what somebody said, without adding a word that they didn't say."""

import re

from minutebook.extract.phrases import opening, phrases
from minutebook.extract.prose import plain_line

_LEAD = opening(
    *("ok(?:ay)?", "yes", "yeah", "yep", "yup", "sure", "so", "and", "also", "well", "hmm+", "right", "good", "great"),
    *("cool", "alright", "fine", "perfect", "please", "pls", "btw", "oh", "then", "but", "thanks", "in that case"),
    *(
        "one more thing",
        "sounds good",
        r"[abc][.)]",
        "q(?=:)",
        "i think",
        "i suggest",
        "i'd say",
        "i would say",
        "i feel like",
    ),
)
_HEDGE = phrases("i think", "i suggest", "i'd say", "i would say", "i feel", "probably", "i believe")
_OPENING = opening(
    *("let'?s", "let us", "we'?ll", "we will", "we'?re going to", "we are going to", "i want (?:us )?to"),
    *("we(?:'ve| have)? (?:decided|agreed) (?:to|that)", "i(?:'ve| have)? decided (?:to|that)", "from now on"),
    *("going forward", "in (?:the )?future", "as a rule", "(?:the )?decision(?: is)?(?: to)?", "nope", "actually"),
    *("remember (?:to|that)", "please", r"no(?=[,.!:;—–-])"),
)
_REASON = re.compile(
    r"(?:[,;—–-]\s*|\s\(|\s)"
    r"(?:(?:because|since(?!\s+(?:last|this|yesterday|then|early|late|\d|v\d|mon|tues|wednes|thurs|fri|satur|sun|"
    r"jan|feb|march|april|may\b|june|july|aug|sept|oct|nov|dec))|so that|as it|as we|given that|"
    r"the reason (?:is|being))\b\s*|"
    r"(?=it (?:leaves|lets|gives|keeps|allows|makes|saves)\b|this (?:will|would|lets|keeps|makes)\b|otherwise\b))",
    re.IGNORECASE,
)
_PARENTHESES = re.compile(r"\s*\([^()]{0,200}\)")
_FACE = re.compile("(?:^|\\s+)(?:[:;]-?[)(DPp/]|[\U0001f300-\U0001faff\u2600-\u27bf])+(?=\\s|$)")
_EMPHASIS = re.compile(r"\*\*|(?<!\w)__|__(?!\w)")
_LIMIT = 80
_EARLIEST = 8


def without_lead(text: str) -> str:
    """The sentence without “ok, so, I think …” before it: always an end of `text`."""
    match = _LEAD.match(text)
    rest = text[match.end() :] if match else text
    return rest or text


def is_hedged(text: str) -> bool:
    return _HEDGE.search(text) is not None


def statement(text: str) -> tuple[str, str]:
    """(what is said, why) of a sentence; the reason is "" when none is given. Both on one line."""
    core = _FACE.sub("", plain_line(without_lead(text))).strip()
    match = _OPENING.match(core)
    if match and match.end() < len(core):
        core = core[match.end() :]
    reason = _REASON.search(core, _EARLIEST)
    why = ""
    if reason:
        why, core = core[reason.end() :].strip(" .)"), core[: reason.start()]
    return capital(core.strip(" ,;:—–-")), capital(why)


def title_of(text: str, limit: int = _LIMIT) -> str:
    """A line of at most `limit` characters, cut at a word, with no punctuation at its end."""
    line = _EMPHASIS.sub("", _FACE.sub("", plain_line(text))).strip()
    if len(line) > limit:
        line = _PARENTHESES.sub("", line)
    if len(line) > limit:
        line = line[:limit].rsplit(" ", 1)[0]
    line = line.rstrip(" .,;:!?…—–-#(*_")
    return capital(line.replace("`", "") if line.count("`") % 2 else line)


def full_stop(text: str) -> str:
    """The text as a sentence."""
    bare = text.rstrip(" ,;:—–-")
    return bare if not bare or bare[-1] in ".!?…" else f"{bare}."


def capital(text: str) -> str:
    """First letter in upper case, unless the first word is a name that isn't written so (`gh`, snake_case)."""
    word = re.split(r"[\s,:]", text, maxsplit=1)[0]
    return text[:1].upper() + text[1:] if word.isalpha() and word.islower() else text
