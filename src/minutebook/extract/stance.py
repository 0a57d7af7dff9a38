"""What a statement is for or against, read as slots: whether it rules something out, what it chooses, what for, what
that takes the place of. `contradiction` sees two of them disagree.
"""

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
        "want need there here when wherever can because since won isn aren doesn didn shouldn mustn wouldn ever",
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
_OVER = re.compile(
    r"\b(?:prefer|favou?r|choose|chose|pick|picked|like|use|want)\b.{1,80}?(?P<over>\sover\s)", re.IGNORECASE
)
_PURPOSE = re.compile(r"\b(?:for|as|in|on|to)\s+(?P<purpose>[^.;,()]{3,80})", re.IGNORECASE)
_TAIL = re.compile(r"\b(?:because|since|so that|instead of|rather than|as it|which)\b|[,;(—]|\s-\s|\.\s", re.IGNORECASE)
_REASON = re.compile(
    r"[\s,;(—-]*(?:because|since|so that|as it|it'?s|it is|they|that'?s|which (?:is|are)|[.!)\s]*$)", re.IGNORECASE
)
_FILLER = re.compile(
    r",?\s{0,3}\b(?:after all|anyway|at all|please|for now|from now on|going forward|right now|by the way|(?<!n)ever|"
    r"(?:on )?(?:this|our|the) (?:project|repo|repository|code ?base))\b",
    re.IGNORECASE,
)
_LEAD = (
    r"(?:(?:please|always|only|just|we|i|'ll|'d|'re|will|let'?s|let us|should|must|can|have|decided|agreed|chose|to|"
    r"are|is|be|going|now|so|ok|okay|then|and|but|would|need|want|everyone|you|actually|instead|all|never|don'?t|do|not|"
    r"won'?t|stop|no|longer|avoid)\b[\s,]*)*"
)
_TAKE = (
    r"(?:us(?:e|es|ing)|go(?:ing)? (?:back )?with|adopt(?:ing)?|pick|choose|switch(?:ing)? to|"
    r"stick(?:ing)? (?:with|to)|stay(?:ing)? (?:on|with)|prefer|mov(?:e|ing) to|migrat(?:e|ing) to|"
    r"standardi[sz]e on|settle on|rely on|keep using|default to|make it)"
)
_CHOICE = re.compile(rf"{_LEAD}{_TAKE}\b", re.IGNORECASE)
_AWAY = re.compile(
    r"(?:(?:actually|no|ok|so|please|let'?s|we|should|will|change of plan)[\s,:]+)*"
    r"(?:(?:do not|don'?t|won'?t|never|stop|no more|no longer|not|avoid|drop|scrap|undo|cancel|forget|ditch|remove|"
    r"kill)\s+"
    r"(?:(?:use|using|go with|going with|adopt|about|the)\s+)*(?P<left>[^.,;:—]{2,80}?)|"
    r"(?P<out>[^.,;:—]{2,40}?)\s+(?:is|are)\s+(?:out|gone|dead|off the table))"
    rf"\s*(?:[.,;:—]|\s-\s|\s(?:and|but)\s)\s*(?P<rest>{_LEAD}{_TAKE}\b.+)",
    re.IGNORECASE | re.DOTALL,
)
_FROM_TO = re.compile(
    r"\b(?:switch|move|migrate|change)(?:ing)?\s+(?:away\s+)?from\s+(?P<left>[^.,;]{2,60}?)\s+to\s+(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
_SUBJECT = re.compile(
    r"(?!(?:we|i|you|it|this|that|let'?s|use|using|don'?t|do|never|always|please|prefer|go|keep|add|make|run|write|no|not|"
    r"if|when|there|they|these|those|only|avoid|stop|from|switch|move)\b)(?P<subject>[\w`'/-]+(?: [\w`'/-]+){0,4}?)\s+"
    r"(?:(?:should|must|shall|will|may|can|now|always|only|to|be|is|are|not|never)\s+)*"
    r"(?:go(?:es)? (?:through|via|into)|lives? (?:in|on|under)|runs? (?:on|under)|uses?|defaults? to|"
    r"(?:stored|kept|hosted|written|deployed|built|published|served|managed|handled|cached|saved) "
    r"(?:in|on|to|with|by|as|at|from|through)|(?P<be>is|are|be))\s+(?P<value>.+)",
    re.IGNORECASE | re.DOTALL,
)
_ADDS = re.compile(
    rf"{_LEAD}(?:support|add|allow|accept|test|document|handle|export|import|implement|write|install|try|ignore|include|"
    r"mention|read|check|review|call|see|log|return)\b",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"\b(?:also|additionally|as well|too|both|in addition)\b", re.IGNORECASE)
_ALONE = re.compile(r"\b(?:only|exclusively|default|defaults|primary|sole)\b", re.IGNORECASE)
_LOOKED_AT = 2000
_SWITCHED = re.compile(
    r"(?P<verb>\b(?:be|is|are)\s)(?P<on>on|off)(?= by default| unless| everywhere|[.!]?$)", re.IGNORECASE
)


@frozen
class Stance:
    """`value` is what is chosen (or, with `negative`, rejected), `purpose` what for, `replaced` what it takes the
    place of; each as a set of content words. `choice` is whether it chooses a thing for a job, `alone` whether it says
    that there is one such thing, `added` whether it leaves room for others; `reasoned` is whether nothing but reasons
    follows what it says."""

    negative: bool
    value: frozenset[str]
    purpose: frozenset[str]
    replaced: frozenset[str]
    choice: bool = False
    alone: bool = False
    added: bool = False
    reasoned: bool = True

    @property
    def all(self) -> frozenset[str]:
        """Value and purpose."""
        return self.value | self.purpose


@lru_cache(maxsize=16384)
def stance(text: str) -> Stance:
    """Read a statement such as “Use SQLite for the cache instead of Redis”."""
    plain = _SWITCHED.sub(_as_state, _FILLER.sub("", text[:_LOOKED_AT]).strip())
    left, rest = _turned_down(plain)
    cut = _TAIL.search(rest)
    main, tail = (rest[: cut.start()], rest[cut.start() :]) if cut and cut.start() > 3 else (rest, "")
    named = _SUBJECT.match(main)
    said = named["value"] if named else main
    purpose = _PURPOSE.search(said)
    value = said[: purpose.start()] if purpose else said
    aim = f"{purpose['purpose'] if purpose else ''} {named['subject'] if named else ''}"
    gone = _PURPOSE.search(left)
    return Stance(
        negative=_NEGATIVE.search(main) is not None,
        value=words(value),
        purpose=words(aim) or (words(gone["purpose"]) if gone else frozenset()),
        replaced=words(left[: gone.start()] if gone else left),
        choice=bool(named and not named["be"]) or _CHOICE.match(main) is not None,
        alone=_ALONE.search(main) is not None,
        added=(_ADDS.match(main) or _BESIDE.search(text)) is not None,
        reasoned=_REASON.match(tail) is not None,
    )


def _as_state(match: re.Match[str]) -> str:
    return f"{match['verb']}{'enabled' if match['on'].lower() == 'on' else 'disabled'}"


def _turned_down(text: str) -> tuple[str, str]:
    """What a statement gives up, "" for nothing, and the rest of it."""
    away = _AWAY.match(text)
    if away:
        return away["left"] or away["out"], away["rest"]
    moved = _FROM_TO.search(text)
    if moved:
        return moved["left"], f"use {moved['rest']}"
    replaced = _REPLACED.search(text)
    if replaced:
        return replaced["replaced"], text[: replaced.start()] + text[replaced.end() :]
    over = _OVER.search(text)
    if over:
        left = re.split(r"[.;,()]|\s(?:for|in|as|on|to|because|since)\s", text[over.end() :], maxsplit=1)[0]
        return left, text[: over.start("over")] + text[over.end() + len(left) :]
    return "", text


@lru_cache(maxsize=16384)
def words(text: str) -> frozenset[str]:
    """Content words: lower case, common words and plural s dropped."""
    found = (match[0].lower() for match in _WORD.finditer(text))
    return frozenset(singular(word) for word in found if word not in _COMMON)


def overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """Jaccard index of two sets of words; 0 when both are empty."""
    return len(first & second) / len(first | second) if first | second else 0.0
