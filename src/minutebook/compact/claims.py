"""Atomic claims: the numbers with their units, versions, dates, names, paths and quotes in a text, and the sentences
that bind. They are what a compaction has to account for, told by patterns alone, so that no model is needed to tell
them again.

A fault in a summary is a change of one of these, and the way to see it is to compare what is left with what was there:
the idea of fact checking by units of meaning (Min et al. 2023, “FActScore”), with patterns in place of a model.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from minutebook.compact.cues import CONSTRAINTS, DECISIONS, QUESTIONS, is_unread
from minutebook.compact.statements import Statement, modals, negations
from minutebook.ground.frozen import frozen

_URL = r"(?P<url> https?://[^\s)>\]`\"]{1,300} )"
_PATH = r"(?P<path> (?<![\w./@~*-]) (?:[\w.@~*{}-]{1,80})? (?:/[\w.@*{}+-]{1,80}){1,20} /? )"
_FILE = r"""(?P<file> (?<![\w./-])[\w-]{1,80}
    \.(?:py|pyi|js|jsx|ts|tsx|go|rs|c|h|cpp|java|rb|sh|sql|md|rst|txt|json|jsonl|ya?ml|toml|cfg|ini|lock|env|css|html)
    (?![\w/]) )"""
_NUMBERED = r"""(?P<date> \b[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:]{5,8}Z?)?\b )
  | (?P<id> \b[A-Z][A-Z0-9]{1,9}-[0-9][\w-]{0,60} | (?<!\w)\#[0-9]{1,9}\b
      | \b(?=[0-9a-f]{0,39}[0-9])[0-9a-f]{7,40}\b )
  | (?P<version> \bv[0-9]{1,6}(?:\.[0-9]{1,6}){0,3}[\w.+-]{0,20}
      | \b[0-9]{1,6}(?:\.[0-9]{1,6}){2,3}(?:[-+][\w.]{1,20})? )
  | (?P<number> (?<![\w.]) [-+~<>≤≥=]{0,2} [$€£]? [0-9][0-9,_]{0,30} (?:\.[0-9]{1,20})?
      (?:\s?(?:%|[A-Za-zµ°][A-Za-z°%]{0,20}(?:/[a-z]{1,10})?))? )"""
_IDENTIFIER = r"""(?P<identifier> (?<!\w)--[a-z][\w-]{1,60} | \b[A-Za-z]\w{0,40}_\w{1,60} | \b[a-z]{1,30}[A-Z]\w{1,60}
      | \b[A-Z][a-z]{1,30}[A-Z]\w{1,60} | \b[A-Z]{2,20}\b )"""
_SPELLED = r"""(?P<spelled> \b(?i:(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-[a-z]{3,5})?
      | (?:thir|four|fif|six|seven|eigh|nine)teen | two|three|four|five|six|seven|eight|nine|ten|eleven|twelve
      | (?:hundred|thousand|million|billion|dozen|half|quarter|third) | twice|thrice
      | one(?=\s(?!of\b|and\b|that\b|who\b|by\b|is\b)[a-z]))\b (?:\s[A-Za-zµ°]{1,20})? )"""
_DIGIT = re.compile("[0-9]")
_QUOTING = re.compile('["“`]')
_AROUND = ".,;:!?()"
_NUMBER_WORDS = frozenset(
    re.findall(
        "[a-z]+",
        """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen half quarter
    third twice thrice
    """,
    )
)
_QUOTES = (("quote", re.compile(r"\"[^\"\n]{2,200}\"|“[^”\n]{2,200}”")), ("identifier", re.compile(r"`[^`\n]{1,200}`")))
_NO_UNIT = frozenset(
    re.findall("[a-z]+", "a an the of to in on at by for and or is are was were as with from per it than that")
)
_KIND = {"file": "path", "spelled": "number"}
_COUNTS = ("number", "spelled")
_KINDS = {DECISIONS: "decision", CONSTRAINTS: "constraint", QUESTIONS: "question"}
UNREAD = "unread"
"""The kind of a sentence in an alphabet in which nobody can tell here whether it binds."""
BINDING = frozenset({"decision", "constraint", "question", "negation", "modal"})


@frozen
class Claim:
    """`kind` is one of BINDING, or UNREAD, and `text` then the whole sentence, or the kind of an atom."""

    kind: str
    text: str


def claims(statement: Statement) -> tuple[Claim, ...]:
    """What a statement claims: itself where it binds, and its atoms."""
    found = [Claim(kind_of(statement), statement.text)] if statement.binds else []
    if not statement.binds and not statement.aside and is_unread(statement.text):
        found = [Claim(UNREAD, statement.text)]
    return (*found, *atoms(statement.text))


def kind_of(statement: Statement) -> str:
    """The kind of a sentence that binds."""
    if statement.group in _KINDS:
        return _KINDS[statement.group]
    return "negation" if negations(statement.text) else "modal" if modals(statement.text) else "detail"


@lru_cache(maxsize=1 << 15)
def atoms(text: str) -> tuple[Claim, ...]:
    """The atoms of a text in their order, each once."""
    return tuple(dict.fromkeys(_atoms(text)))


def _atoms(text: str) -> Iterator[Claim]:
    for kind, pattern in _QUOTES if _QUOTING.search(text) else ():
        for match in pattern.finditer(text):
            yield Claim(kind, match[0])
    for run in _runs(text):
        for match in _plain("/" in run, "." in run, _DIGIT.search(run) is not None).finditer(run):
            kind = match.lastgroup or ""
            yield Claim(_KIND.get(kind, kind), _number(match[0]) if kind in _COUNTS else match[0].rstrip(".,"))


def _runs(text: str) -> Iterator[str]:
    """The words in which an atom may begin, each run of them with the word after it, which may be a unit: most words
    are plain, and the patterns would try every letter of them."""
    run: list[str] = []
    for word in text.split():
        bare = word.strip(_AROUND)
        if not bare.isalpha() or not (bare[1:].islower() or len(bare) < 2) or bare.lower() in _NUMBER_WORDS:
            run.append(word)
        elif run:
            yield " ".join((*run, word))
            run = []
    if run:
        yield " ".join(run)


@lru_cache(maxsize=8)
def _plain(slash: bool, stop: bool, digit: bool) -> re.Pattern[str]:
    """The pattern of all that can stand in a text with these signs: each part is tried at every letter."""
    parts = [_URL, _PATH] if slash else []
    parts += [_FILE] if stop else []
    parts += [_NUMBERED] if digit else []
    return re.compile("(?x)" + "\n  | ".join((*parts, _IDENTIFIER, _SPELLED)))


def _number(text: str) -> str:
    """A number with the word after it, unless that is no unit; blanks between them are one."""
    match = re.fullmatch(r"(?s)(.*?[0-9,_.]+|(?:a )?[A-Za-z-]+)(\s?)([A-Za-zµ°%].*)?", text)
    if match is None or not match[3]:
        return text.rstrip(",.")
    return match[1].rstrip(",.") if match[3].lower() in _NO_UNIT else f"{match[1]}{' ' if match[2] else ''}{match[3]}"


def difference(now: str, then: Sequence[str]) -> str:
    """In words, how a line departs from the closest of these sentences: a claim that changed, a `not` that is gone;
    "" when none of them is close."""
    close = max(then, key=lambda each: _likeness(now, each), default="")
    if _likeness(now, close) < 0.5:
        return ""
    if negations(now) != negations(close):
        lost = [word for word in negations(close) if word not in negations(now)]
        return f"`{lost[0]}` is gone from it" if lost else f"`{negations(now)[-1]}` came into it"
    if modals(now) != modals(close):
        return f"`{' '.join(modals(close))}` became `{' '.join(modals(now))}`"
    old = [claim.text for claim in atoms(close) if claim not in atoms(now)]
    new = [claim.text for claim in atoms(now) if claim not in atoms(close)]
    if old and new:
        return f"{old[0]} became {new[0]}"
    return f"{old[0]} is gone from it" if old else f"{new[0]} came into it" if new else f"it said: {close}"


def _likeness(one: str, other: str) -> float:
    first, second = set(one.lower().split()), set(other.lower().split())
    return len(first & second) / max(1, len(first | second))
