"""What somebody takes back: of what was said a moment ago (“scratch that”), or by its name, however long ago it was
(“drop Postgres”, “Postgres is out”, “switch from Postgres to SQLite”).
"""

import re
from collections.abc import Iterator

from minutebook.extract import guard
from minutebook.extract.phrases import choice, phrases
from minutebook.extract.prose import Sentence, sentences, unmarked
from minutebook.extract.stance import stance, words
from minutebook.ground.frozen import frozen
from minutebook.ground.session import Candidate, Turn

_LOOKED_AT = 2000
_MOST_SENTENCES = 60
_MOST_NAMED = 8
_IDEA = choice("plan", "idea", "approach", "design", "proposal", "change", "feature", "whole thing")
_UNDO = choice("scratch", "undo", "revert", "cancel", "scrap", "ditch", "strike", "forget", "never ?mind", "disregard")
_RETRACTED = phrases(
    *("never ?mind", "forget (?:about it|what i said)", rf"{_UNDO} (?:that|this|it)(?! (?:\w+ )?{_IDEA})"),
    *("on second thoughts?", "changed my mind", "ignore (?:that|my last)", "i take (?:that|it) back"),
    *("(?:for|with) (?:it|that|this) instead",),
    *("wait,? no", "(?:that|this|it) (?:was|is|'s) a (?:bad|terrible|stupid|dumb) (?:idea|choice|call|plan)"),
    *("i was wrong", "(?<!if )not serious", "(?:i(?:'m| was| am) )?(?:just |only )?(?:kidding|joking)", "jk"),
    *("change of (?:plans?|mind|heart)", "change the plan", "new plan", "i(?:'ve| have)? reconsidered"),
)
_RATHER = re.compile(
    r"[\w`.+#-]{2,40}(?: [\w`.+#-]{1,40})? (?:instead|it is)(?: then)?(?:,? please)?[.!]?", re.IGNORECASE
)
_DROPPED = phrases(
    rf"(?:drop|scrap|abandon|forget|ditch|discard|cancel|bin|kill)(?: about)? (?:the|that|this) (?:whole )?{_IDEA}",
    r"(?:not|don'?t|won'?t|stop)\b.{0,20}\b(?:do|doing|go with|going with|want)\b.{0,10} "
    rf"(?:that|this|the) {_IDEA}",
    *("start over", "back to the drawing board", "abandon (?:it|this|that)", "scrap (?:it|this|that)"),
    *("change of plans?", rf"go back to (?:the|our) (?:original|old|previous|first) {_IDEA}"),
)
_NAME = r"(?P<name>[^,;:.!?()\s](?:[^,;:!?()]|(?<=\w)[.:](?=\w)){0,60})"
_VERBS = choice(
    *(
        "scrap",
        "drop",
        "undo",
        "cancel",
        "ditch(?:ing)?",
        "abandon(?:ing)?",
        "forget(?: about)?",
        "kill",
        "bin",
        "dump",
    ),
    *("dropping", "scrapping", "dumping", "removing", "discard", "revert", "lose", "reject", "remove", "delete"),
    *(
        "get(?:ting)? rid of",
        "rip(?:ping)? out",
        "throw(?:ing)? out",
        "back out(?: of)?",
        "take back",
        "changed my mind about",
    ),
    "(?:ignore|forget|disregard|never mind|scratch)(?: what (?:i|we) (?:said|decided|agreed)(?: about| on)?)?",
)
_AWAY = choice(
    *(
        "mov(?:e|ing) away from",
        "away from",
        "instead of",
        "rather than",
        "in place of",
        "no longer",
        "no more",
        "without",
    ),
    *("replac(?:e|ing)", "(?:switch|mov|migrat|chang)(?:e|ing|ed)? (?:over )?from"),
)
_NEGATIVE = choice(
    *("do not", "don'?t", "won'?t", "will not", "should(?:n'?t| not)", "stop", "cannot", "can'?t", "let'?s not", "not"),
    *("never", "no longer"),
)
_TAKEN = choice(
    *(
        "us(?:e|ing)",
        "need(?:ing)?",
        "want(?:ing)?",
        "adopt(?:ing)?",
        "pick",
        "choose",
        "go(?:ing)? (?:with|for)",
        "do(?:ing)?",
    ),
    *("keep(?:ing)?", "take", "like", "support", "rely(?:ing)? on", "depend(?:ing)? on", "stay (?:on|with)"),
)
_OUT = (
    r"(?:\bis|\bare|'s|\bwas)\s+(?:really |now |just |simply |definitely )?"
    r"(?:out\b(?! of scope)|off(?: the table)?\b|"
    r"gone\b|dead\b|overkill\b|dropped\b|cancel+ed\b|scrapped\b|no longer\b|not (?:needed|an option|what we)\b|"
    r"a (?:bad|terrible|wrong|dead)\b|a mistake\b|the wrong\b|too \w+|history\b)"
)
_FAILS = (
    r"(?:(?:won'?t|didn'?t) (?:work|do|fly|fit|scale)|doesn'?t (?:work|fit|scale|cut it)|"
    r"is(?:n'?t| not) (?:going to work|"
    r"an option|it|the right|right|needed))\b"
)
_BEFORE = rf"(?:^|[,;:]\s+|\b(?:and|but|so)\s+)(?:the |our )?{_NAME}?"
_GATED = tuple(
    (re.compile(gate, re.IGNORECASE), re.compile(whole, re.IGNORECASE))
    for gate, whole in (
        (
            rf"\b(?:{_VERBS}|{_NEGATIVE}|{_AWAY}|no)\s",
            rf"\b(?:{_VERBS}|{_NEGATIVE}\s+(?:really |actually |even |be )?{_TAKEN}|{_AWAY}|{_NEGATIVE}|no)\s+{_NAME}",
        ),
        (_OUT, rf"{_BEFORE}\s*{_OUT}"),
        (_FAILS, rf"{_BEFORE}\s+{_FAILS}"),
        (
            r"\bback to\b",
            rf"\b(?:go|switch|move|return|revert)(?:ing)? back to [^,;.:!?]{{2,40}}? for (?:the |our )?{_NAME}",
        ),
    )
)
"""What every match of a pattern holds, and the pattern: to look for a name before each comma costs a hundred times as
much."""
_ENDS_IT = phrases(
    *(
        r"fre[ez]\w+",
        r"froze\w*",
        r"deprecat\w+",
        r"retir\w+",
        "sunset",
        r"phas\w+ out",
        r"replac\w+",
        r"remov\w+",
        r"delet\w+",
    ),
    r"migrat\w+ (?:away )?from",
)
_END = re.compile(
    r"\s(?:for|in|as|on|to|by|with|at|because|since|so|and|but|then|we|let'?s|use|after all|any ?more|any longer|now|"
    r"at all|altogether|entirely|completely|again|please|here|instead|is|was)\b|\s[–—-]\s",
    re.IGNORECASE,
)
_PURPOSE = re.compile(r"\s*(?:for|in|as|on)\s+(?P<purpose>[^.;,()]{3,60})", re.IGNORECASE)
_KEPT = re.compile(
    r"\b(?:don'?t|do not|never|not)\s+(?:forget|drop|lose|remove|ditch|scrap|abandon|kill)\b", re.IGNORECASE
)
_VAGUE = frozenset(
    ("thing", "stuff", "idea", "plan", "part", "bit", "choice", "decision", "proposal", "approach", "whole", "after")
)
_BIG = re.compile(r"(?<=\s)[A-Z][\w.+#-]*|\b\w+[A-Z_.\d][\w.+#-]*|`[^`]{2,60}`")
_MOST, _MOST_OF_RULE = 0.5, 0.75


@frozen
class Rejected:
    """Something that a sentence speaks against by its name, and what for ("" where it doesn't say)."""

    named: frozenset[str]
    purpose: frozenset[str]
    start: int


def is_retracted(text: str) -> bool:
    """Whether somebody takes back what they said a moment ago."""
    return _RETRACTED.search(text[:_LOOKED_AT]) is not None or _RATHER.fullmatch(text.strip()) is not None


def is_dropped(text: str) -> bool:
    """Whether somebody gives up a plan that was agreed on earlier."""
    return _DROPPED.search(text[:_LOOKED_AT]) is not None


def ends_something(text: str) -> bool:
    """Whether a statement decides that a thing ends: to speak against that thing is to say it again."""
    return _ENDS_IT.search(text) is not None


def rejects(text: str) -> bool:
    """Whether a sentence speaks against anything at all, or takes something back: then what follows may replace it."""
    return is_retracted(text) or next(_named(text), None) is not None


def rejected_in(turn: Turn, known: frozenset[str] | None = None) -> tuple[Rejected, ...]:
    """What a person's turn speaks against in their own words, of what `known` words alone name, where they are
    given; questions and guesses take nothing back."""
    head = turn.text[: 4 * _LOOKED_AT]
    if not any(gate.search(head) for gate, _ in _GATED):
        return ()
    said = sentences(turn.text)[:_MOST_SENTENCES]
    named = ((each, found) for each in said for found in _of(each) if known is None or found.named <= known)
    return tuple(found for each, found in named if guard.doubt(each.text) in ("", "step"))


def _of(sentence: Sentence) -> Iterator[Rejected]:
    text = unmarked(sentence.text)
    for name, rest in _named(text):
        purpose = _PURPOSE.match(rest)
        yield Rejected(words(name) - _VAGUE, words(purpose["purpose"]) if purpose else frozenset(), sentence.start)


def _named(text: str) -> Iterator[tuple[str, str]]:
    """(what is spoken against, the words after it) in a sentence."""
    if _KEPT.search(text):
        return
    count = 0
    for gate, pattern in _GATED:
        for match in pattern.finditer(text) if gate.search(text) else ():
            name = match["name"] or ""
            end = _END.search(name)
            short = name[: end.start()] if end else name
            count += 1
            if count > _MOST_NAMED:
                return
            if words(short) - _VAGUE:
                yield short, text[match.start("name") + len(short) :]


def takes_back(rejected: Rejected, turn: Turn, old: Candidate) -> bool:
    """Whether `rejected`, said in `turn`, names what `old` chose: nothing but its words, and half of them or a name.

    What `old` itself rules out isn't chosen: to rule it out again takes nothing back. The same thing rejected for
    another purpose is another matter.
    """
    said = stance(old.abstract)
    if not rejected.named or not rejected.named <= said.all or said.negative or _ENDS_IT.search(old.abstract):
        return False
    if (old.accepted or old.turn).number == turn.number and rejected.start < turn.text.find(old.quote) + len(old.quote):
        return False
    if rejected.purpose and said.purpose and not rejected.purpose & said.purpose:
        return False
    moot = rejected.named <= said.purpose and len(rejected.named) >= _MOST * len(said.purpose)
    names = words(" ".join(_BIG.findall(f" {old.quote}"))) & said.value
    most = (_MOST if old.type == "decision" else _MOST_OF_RULE) * len(said.value)
    return moot or bool(rejected.named & names) or len(rejected.named & said.value) >= most > 0
