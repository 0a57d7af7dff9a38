"""Titles and reasons out of what somebody said, without adding a word that they didn't say."""

import re

from minutebook.extract.phrases import opening, phrases
from minutebook.extract.prose import plain_line, unmarked

_LEAD = opening(
    *("ok(?:ay)?", "yes", "yeah", "yep", "yup", "sure", "so", "and", "also", "well", "hmm+", "right", "good", "great"),
    *("hm+", "scratch that", "change of plans?", "on second thoughts?", "cancel that", "i changed my mind"),
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
_EMPHASIS = re.compile(r"(?<!\w)\*\*|\*\*(?!\w)|(?<!\w)__|__(?!\w)")
_CLAUSE_END = re.compile(
    r"[,;:.!?](?=\s)|\s[–—-]+\s|\s\((?=[^)]*$)|"
    r"\s(?=(?:because|since|so that|so it|so we|which|but|unless|otherwise|although|while|whereas)\b)"
)
_OPEN_END = re.compile(
    r"(?:a|an|the|and|or|but|nor|so|as|at|by|for|from|in|into|of|off|on|onto|out|over|per|than|that|to|under|up|upon|via|"
    r"with|without|within|is|are|was|were|be|been|being|has|have|had|do|does|did|can|could|will|would|shall|should|may|"
    r"might|must|not|no|never|always|only|just|also|very|too|its|it|it's|his|her|their|our|your|my|this|these|those|"
    r"we|i|you|they|he|she|if|when|where|which|who|whose|what|how|why|because|since|until|unless|while|after|before|"
    r"between|through|during|about|against|instead|rather|like|such|each|every|any|all|some|both|either|e\.g|i\.e|vs)\.?",
    re.IGNORECASE,
)
_SHORTEST_CLAUSE = 30
_ENDS = " .,;:!?…–—-#(*_"
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
    core = _FACE.sub("", plain_line(without_lead(unmarked(text)))).strip()
    match = _OPENING.match(core)
    if match and match.end() < len(core):
        core = core[match.end() :]
    reason = _REASON.search(core, _EARLIEST)
    why = ""
    if reason:
        why, core = core[reason.end() :].strip(" .)"), core[: reason.start()]
    return capital(core.strip(" ,;:—–-")), capital(why)


def title_of(text: str, limit: int = _LIMIT) -> str:
    """A line of at most `limit` characters with no punctuation at its end. What is longer ends with a clause where one
    ends late enough, else with the last whole phrase that fits and “…”."""
    line = _EMPHASIS.sub("", _FACE.sub("", plain_line(unmarked(text)))).strip()
    if len(line) > limit:
        line = _PARENTHESES.sub("", line)
    cut, more = _within(line, limit)
    cut = cut.rstrip(_ENDS)
    cut = (cut.replace("`", "") if cut.count("`") % 2 else cut).rstrip(_ENDS)
    return capital(cut) + more


def _within(line: str, limit: int) -> tuple[str, str]:
    """(the part of a line that a title has room for, what shows that it goes on)."""
    if len(line) <= limit:
        return line, ""
    ends = [stop.start() for stop in _CLAUSE_END.finditer(line, 0, limit + 1) if stop.start() >= _SHORTEST_CLAUSE]
    if ends:
        return line[: ends[-1]], ""
    cut = line[: limit - 1].rsplit(" ", 1)[0]
    while (last := cut.rpartition(" "))[0] and _OPEN_END.fullmatch(last[2].strip("`,;:()")):
        cut = last[0]
    return cut, "…"


def full_stop(text: str) -> str:
    """The text as a sentence."""
    bare = text.rstrip(" ,;:—–-")
    return bare if not bare or bare[-1] in ".!?…" else f"{bare}."


def capital(text: str) -> str:
    """First letter in upper case, unless the first word is a name that isn't written so (`gh`, snake_case)."""
    word = re.split(r"[\s,:]", text, maxsplit=1)[0]
    plain = word.replace("'", "").replace("\u2019", "")
    return text[:1].upper() + text[1:] if plain.isalpha() and word.islower() else text
