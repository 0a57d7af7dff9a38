"""What a note says, statement by statement, and which of its statements bind.

Prose is cut into sentences, a list by its items, a table by its rows; a quote is read like prose. What binds is a
decision, a constraint, an open question, and every sentence with a negation or with a modal that asks or forbids:
these may be moved by no compaction. Code blocks and comments are asides: what they hold is detail.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from minutebook.ground.entry import Entry
from minutebook.ground.front_matter import split
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import read_lines

DECISIONS, CONSTRAINTS, STATE, QUESTIONS = "Decisions", "Constraints", "Current state", "Open questions"
GROUPS = (DECISIONS, CONSTRAINTS, STATE, QUESTIONS)
ASIDE = "in a code block or a comment"
FIELD = "a field of the note"
ABOUT = "says only how much was read"
FRAGMENT = "a fragment of one or two words"

_NEGATION = re.compile(
    r"(?i)\b(?:not|no|never|none|nobody|nothing|neither|nor|nowhere|without|cannot|unable|refused?|forbid(?:s|den)?|"
    r"prohibited|disallowed)\b|\b\w{1,12}n['’]t\b"
)
_MODAL = re.compile(
    r"(?i)\b(?:must|shall|should|ought to|may|only|always|required?s?|mandatory|has to|have to|needs? to|at most|"
    r"at least|allowed|may not)\b"
)
_HEADINGS = (
    (DECISIONS, re.compile(r"(?i)decision|decided|chosen|agreed|came of it")),
    (CONSTRAINTS, re.compile(r"(?i)constraint|rule|convention|preference|must")),
    (QUESTIONS, re.compile(r"(?i)open|question|todo|to do|next|unresolved|pending")),
)
_CUES = (
    (QUESTIONS, re.compile(r"(?i)\?$|^(?:todo|open|unclear|to be decided|not yet decided)\b")),
    (DECISIONS, re.compile(r"(?i)\b(?:decided|chose|agreed|(?:we|let's) (?:will )?(?:use|go with)|instead of)\b")),
    (CONSTRAINTS, _MODAL),
)
_ABOUT_THE_NOTE = re.compile(r"^An? \S+ session: [0-9]+ turns read\b")
_BULLET = re.compile(r"^\s*(?:[-*+]|[0-9]{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"“(])")
_RULE = re.compile(r"[\s|:-]*")
_WORD = re.compile(r"\w+")
_SMALL = frozenset(re.findall("[a-z]+", "a an the that this is are was were be been we our it its"))


@frozen
class Statement:
    """`text` is on one line and as it stands in the note; `group` is one of GROUPS. `binds` says that a compaction has
    to carry it, `aside` why no summary holds it ("" when one may)."""

    text: str
    group: str
    binds: bool
    aside: str = ""


def statements(entry: Entry) -> tuple[Statement, ...]:
    """What the note says: its title, its abstract, its body, and its other fields."""
    head = [_statement(entry.title, "")]
    head += _sentences([entry.abstract], "") if "abstract" in entry.fields else []
    rest = [
        Statement(f"{name}: {value}", STATE, binds=False, aside=FIELD)
        for name, value in _flat(entry.fields)
        if name not in ("type", "id", "title", "abstract")
    ]
    return (*head, *said(body_of(entry)), *rest)


def body_of(entry: Entry) -> str:
    """The text beneath the front matter."""
    found = split(entry.text)
    return found[1] if found is not None else entry.text


def said(text: str) -> Iterator[Statement]:
    """The statements of a Markdown text, in its order."""
    under = ""
    paragraph: list[str] = []
    for row in read_lines(text):
        bare = row.text.strip()
        inner = bare.lstrip("> ") if bare.startswith(">") else bare
        if row.level:
            yield from _sentences(paragraph, under)
            under, paragraph = _group_of_heading(row.heading), []
            yield from _heading(row.heading)
        elif not row.live:
            yield from _sentences(paragraph, under)
            paragraph = []
            if _WORD.search(bare):
                yield Statement(bare, STATE, binds=False, aside=ASIDE)
        elif not inner or inner.startswith("|"):
            yield from _sentences(paragraph, under)
            paragraph = []
            if not _RULE.fullmatch(inner):
                yield from _sentences([inner.strip("| ")], under)
        elif _BULLET.match(inner) or bare.startswith(">"):
            yield from _sentences(paragraph, under)
            paragraph = [_BULLET.sub("", inner)]
        else:
            paragraph.append(inner)
    yield from _sentences(paragraph, under)


@lru_cache(maxsize=1 << 15)
def key(text: str) -> tuple[str, ...]:
    """What two sentences that say the same have in common: their words in order, without articles and forms of `be`,
    without stops and capitals of the first word. Numbers, units, names and negations are words like others."""
    words = (word.rstrip(".,;:!") for word in text.split())
    plain = (word.lower() if word[1:].islower() else word for word in words)
    return (*(word for word in plain if word and word.lower() not in _SMALL), *("?" if text.endswith("?") else ""))


def negations(text: str) -> tuple[str, ...]:
    """Every word of a text that negates, in order."""
    return tuple(match[0].lower() for match in _NEGATION.finditer(text))


def modals(text: str) -> tuple[str, ...]:
    """Every modal of a text that asks, allows or forbids, in order."""
    return tuple(match[0].lower() for match in _MODAL.finditer(text))


def _sentences(paragraph: list[str], under: str) -> Iterator[Statement]:
    whole = " ".join(" ".join(paragraph).split())
    for part in _SENTENCE_END.split(whole):
        if _WORD.search(part):
            yield _statement(part, under)


def _statement(text: str, under: str) -> Statement:
    line = " ".join(text.split())
    group = under or next((group for group, cue in _CUES if cue.search(line)), STATE)
    if _ABOUT_THE_NOTE.match(line):
        return Statement(line, STATE, binds=False, aside=ABOUT)
    binds = group != STATE or bool(_NEGATION.search(line) or _MODAL.search(line))
    short = len(_WORD.findall(line)) < 3 and not binds
    return Statement(line, group, binds, FRAGMENT if short else "")


def _heading(heading: str) -> Iterator[Statement]:
    """A heading that says something itself: a negation, a modal or a number in at least three words."""
    telling = _NEGATION.search(heading) or _MODAL.search(heading) or re.search(r"[0-9]", heading)
    if telling and len(_WORD.findall(heading)) > 2:
        yield _statement(heading, "")


def _group_of_heading(heading: str) -> str:
    return next((group for group, cue in _HEADINGS if cue.search(heading)), "")


def _flat(fields: object, name: str = "") -> Iterator[tuple[str, str]]:
    """(name, value) of every scalar of front matter, names joined by dots."""
    if isinstance(fields, dict):
        for inner, value in fields.items():
            yield from _flat(value, f"{name}.{inner}" if name else str(inner))
    elif isinstance(fields, list):
        for value in fields:
            yield from _flat(value, name)
    elif fields is not None:
        yield name, " ".join(str(fields).split())
