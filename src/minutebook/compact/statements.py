"""What a note says, statement by statement, and which of its statements bind.

Prose is cut into sentences, a list by its items, a table by its rows; a quote is read like prose. What binds is a
decision, a constraint, an open question, and every sentence with a negation or a modal: these may be moved by no
compaction, from under no heading to another. Code is detail, but for a sentence in it that binds, as in a comment;
an HTML comment is shown to nobody and stays where it is.
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
ASIDE = "in a code block"
HIDDEN = "in an HTML comment, which nobody is shown"
FIELD = "a field of the note"
ABOUT = "says only how much was read"
FRAGMENT = "a fragment of one or two words"

_NEGATION = re.compile(
    r"(?i)\b(?:not|no|never|none|nobody|nothing|neither|nor|nowhere|without|cannot|unable|refuse[sd]?|"
    r"forbid(?:s|den)?|prohibit(?:s|ed)?|disallow(?:s|ed)?|avoid(?:s|ed|ing)?|unless|except|rarely|seldom|hardly|barely|"
    r"scarcely|(?:do|does|did|is|are|was|were|ca|wo|must|should|would|could|has|have|had)nt)\b|\b\w{1,12}n['’]t\b"
)
_RULING = re.compile(
    r"(?i)\b(?:must|shall|should|ought to|may|only|always|require[sd]?|mandatory|ha[sd] to|have to|needs? to|at most|"
    r"at least|allow(?:s|ed)?|permit(?:s|ted)?)\b"
)
_MODAL = re.compile(rf"{_RULING.pattern}|\b(?:can|could|might|will|would|needs?)\b|\w['’]ll\b")
_HEADINGS = (
    (DECISIONS, re.compile(r"(?i)decision|decided|chosen|agreed|came of it")),
    (CONSTRAINTS, re.compile(r"(?i)constraint|rule|convention|preference|must")),
    (QUESTIONS, re.compile(r"(?i)open|question|todo|to do|next|unresolved|pending")),
)
_CUES = (
    (QUESTIONS, re.compile(r"(?i)\?$|^(?:todo|open|unclear|to be decided|not yet decided)\b")),
    (
        DECISIONS,
        re.compile(
            r"(?i)^\W*decisions?\b\W|\b(?:decided|chose|agreed|(?:we|let['’]s) (?:will )?(?:use|go with)|instead of)\b"
        ),
    ),
    (CONSTRAINTS, re.compile(rf"(?i)^\W*(?:constraint|rule|convention|requirement)s?\b\W|{_RULING.pattern[4:]}")),
)
_TELLING = frozenset(
    re.findall(
        "[a-z]+",
        """
    not no never none nobody nothing neither nor nowhere without cannot unable refuse refused refuses forbid forbids
    forbidden prohibit prohibits prohibited disallow disallows disallowed avoid avoids avoided avoiding unless except
    rarely seldom hardly barely scarcely dont doesnt didnt isnt arent wasnt werent cant wont mustnt shouldnt wouldnt
    couldnt hasnt havent hadnt t ll must shall should ought may only always require requires required mandatory has had
    have need needs most least allow allows allowed permit permits permitted can could might will would todo open
    unclear decided decision decisions chose agreed we let instead constraint constraints rule rules convention
    conventions requirement requirements
    """,
    )
)
"""Every sentence that a cue, a negation or a modal is found in holds one of these words (`don't` is two of them)."""
_ABOUT_THE_NOTE = re.compile(
    r"An? \S+ session: [0-9]+ turns? read, [0-9]+ of them by a person\.|No entry came of it\.|"
    r"Nothing new was read; a person accepted what had been held back\.|Read again on [0-9-]{10}, [a-z0-9 ]{1,40}"
)
_BULLET = re.compile(r"^\s*(?:[-*+]|[0-9]{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+(?=[A-Z`\"“(])")
_RULE = re.compile(r"[\s|:-]*")
_WORD = re.compile(r"\w+")
_COMMENT = re.compile(r"(?:^|\s)(?:#+|//+|--|/\*+|\*)\s+(?P<said>\S.{0,600})")
_SENTENCE = re.compile(r"[A-Z][^(){}=;<>\[\]]{10,600}[.!?]")
_NOT_SAID = frozenset({"type", "id", "title", "abstract"})
_REFERENCES = ("sources", "relations", "evidence", "stale", "anchors", "tags")
_ARTICLES = frozenset({"a", "an", "the"})


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
    rest = [_field(name, value) for name, value in _flat(entry.fields) if name not in _NOT_SAID]
    return (*head, *said(body_of(entry)), *rest)


def body_of(entry: Entry) -> str:
    """The text beneath the front matter."""
    found = split(entry.text)
    return found[1] if found is not None else entry.text


def said(text: str) -> Iterator[Statement]:
    """The statements of a Markdown text, in its order."""
    under, depth = "", 0
    hidden = False
    paragraph: list[str] = []
    for row in read_lines(text):
        bare = row.text.strip()
        inner = bare.lstrip("> ") if bare.startswith(">") else bare
        if row.level:
            yield from _sentences(paragraph, under)
            paragraph = []
            own = _group_of_heading(row.heading)
            if own or row.level <= depth:  # a heading below `Decisions` parts them and is none of another group
                under, depth = own, row.level
            yield from _heading(row.heading)
        elif not row.live:
            yield from _sentences(paragraph, under)
            paragraph = []
            hidden = hidden or "<!--" in bare
            yield from _aside(bare, HIDDEN if hidden else ASIDE)
            hidden = hidden and "-->" not in bare
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
    """What two sentences that say the same have in common: their words in order, without articles, the stop at the
    end and the capital at the beginning. All else counts: a comma, a tense, a name such as `A`."""
    words = text.split()
    if words and words[0][1:].islower():
        words[0] = words[0].lower()
    if words:
        words[0] = words[0].lower() if words[0] == "A" else words[0]
        words[-1] = words[-1].rstrip(".,;:!")
    return tuple(word for word in words if word and word not in _ARTICLES)


def negations(text: str) -> tuple[str, ...]:
    """Every word of a text that negates, in order."""
    return tuple(match[0].lower() for match in _NEGATION.finditer(text))


def modals(text: str) -> tuple[str, ...]:
    """Every modal of a text that asks, allows or forbids, in order."""
    return tuple(match[0].lower() for match in _MODAL.finditer(text))


def _sentences(paragraph: list[str], under: str) -> Iterator[Statement]:
    whole = " ".join(" ".join(paragraph).split())
    for part in _SENTENCE_END.split(whole):
        if part.startswith("<!--"):
            yield Statement(part, STATE, binds=False, aside=HIDDEN)
        elif _WORD.search(part):
            yield _statement(part, under)


def _statement(text: str, under: str) -> Statement:
    line = " ".join(text.split())
    words = _WORD.findall(line.lower())
    telling = line.endswith("?") or not _TELLING.isdisjoint(words)  # the patterns below cost ten times as much
    group = under or next((group for group, cue in _CUES if telling and cue.search(line)), STATE)
    if _ABOUT_THE_NOTE.fullmatch(line):
        return Statement(line, STATE, binds=False, aside=ABOUT)
    binds = group != STATE or (telling and bool(_NEGATION.search(line) or _MODAL.search(line)))
    short = len(words) < 3 and not binds
    return Statement(line, group, binds, FRAGMENT if short else "")


def _heading(heading: str) -> Iterator[Statement]:
    """A heading that says something itself: what binds, or a number, in at least three words."""
    told = _statement(heading, "")
    if (told.binds or re.search(r"[0-9]", heading)) and len(_WORD.findall(heading)) > 2:
        yield told


def _aside(line: str, where: str) -> Iterator[Statement]:
    """A line of code or of an HTML comment; a sentence in code that binds is one like others."""
    comment = _COMMENT.search(line)
    words = comment["said"].removesuffix("*/").strip() if comment else line if _SENTENCE.fullmatch(line) else ""
    told = _statement(words, "")
    if where == ASIDE and told.binds and len(_WORD.findall(words)) > 3:
        yield told
    elif _WORD.search(line):
        yield Statement(line, STATE, binds=False, aside=where)


def _field(name: str, value: str) -> Statement:
    """A field of front matter; one that holds a sentence with a negation or a modal is one like others."""
    text = f"{name}: {value}"
    if name.partition(".")[0] not in _REFERENCES and len(_WORD.findall(value)) > 2:
        told = _statement(text, "")
        if told.binds and (_NEGATION.search(value) or _MODAL.search(value)):
            return told
    return Statement(text, STATE, binds=False, aside=FIELD)


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
