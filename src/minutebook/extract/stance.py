"""What a statement is for or against, so that two of them can be seen to disagree.

A statement is read as slots: whether it rules something out, what it chooses, what for, what that takes the place of.
`conflict` is sure: two that can't both hold. The same purpose with another choice is that only where one job takes one
choice: the two are known rivals (tabs, spaces), or the purpose is a role (“the session store”), or one says “only”.
Otherwise both may hold (pytest and hypothesis, for tests), and `doubt` says what a person is to be asked. Statements
with other purposes, or of another kind (“add A”, “write B”), are compatible, whatever words they share.
"""

import re
from functools import lru_cache

from minutebook.extract.rivals import ROLES, are_opposites, are_rivals, usual
from minutebook.ground.frozen import frozen, replace
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
_ALIKE = 0.6
_NEARLY = 0.75
_LONGEST_CHOICE = 4
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
def words(text: str) -> frozenset[str]:
    """Content words: lower case, common words and plural s dropped."""
    found = (match[0].lower() for match in _WORD.finditer(text))
    return frozenset(singular(word) for word in found if word not in _COMMON)


def overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """Jaccard index of two sets of words; 0 when both are empty."""
    return len(first & second) / len(first | second) if first | second else 0.0


@lru_cache(maxsize=16384)
def _usual(one: Stance) -> Stance:
    """With each word as its usual name."""
    return replace(one, value=usual(one.value), purpose=usual(one.purpose), replaced=usual(one.replaced))


def _alike(first: frozenset[str], second: frozenset[str]) -> bool:
    return overlap(first, second) >= _ALIKE


def _covers(outer: frozenset[str], inner: frozenset[str]) -> bool:
    return bool(inner) and len(outer & inner) >= min(len(inner), 2)
