"""Sentences as statements: what of a sentence binds, to which group it belongs, and when two of them say the same."""

import re
from collections.abc import Iterator
from functools import lru_cache

from minutebook.compact import cues
from minutebook.compact.cues import STATE
from minutebook.ground.frozen import frozen

ASIDE = "in a code block"
HIDDEN = "in an HTML comment, which nobody is shown"
ABOUT = "says only how much was read"
FRAGMENT = "a fragment of one or two words"
_ABOUT_THE_NOTE = re.compile(
    r"An? \S+ session: [0-9]+ turns? read, [0-9]+ of them by a person\.|No entry came of it\.|"
    r"Nothing new was read; a person accepted what had been held back\.|Read again on [0-9-]{10}, all [0-9]+ records?"
)
_ABBREVIATED = re.compile(
    r"\b(?:e\.g|i\.e|z\.B|d\.h|Dr|Mr|Mrs|Ms|No|Nr|St|vs|cf|ca|etc|bzw|Fig|Sec|approx|incl|max|min)\.$"
)
_END = re.compile(r"[.!?…](?:[)”*_]|\*\*)?\s+(?=[A-Z`\"“(])")
_BACK_FIRST = frozenset({"so", "therefore", "hence", "thus", "that", "this", "these", "those"})
_BACK_LAST = frozenset({"that", "this", "it", "those", "these", "them", "so"})
_WORD = re.compile(r"\w+")
_COMMENT = re.compile(r"(?:^|\s)(?:#+|//+|--|/\*+|\*)\s+(?P<said>\S.{0,600})|^(?:\"\"\"|''')(?P<doc>\S.{0,600})")
_VALUE = re.compile(r"[\w .-]{1,40}:\s+[\w\"'][^(){}=;<>\[\]]{10,600}")
_MARK = 3  # signs of a comment before its words  # signs of a comment before its words
_PLAINLY = re.compile(r"(?i)\b(?:we|never|always|must|do not|don['’]t|shall|only)\b")
_SENTENCE = re.compile(r"[A-Z][^(){}=;<>\[\]]{10,600}[.!?]")
_ARTICLES = frozenset({"a", "an", "the"})
_NO_NOUNS = frozenset({
    "", "is", "are", "was", "were", "be", "must", "may", "can", "cannot", "could", "should", "shall", "will", "would",
    "might", "has", "have", "had", "do", "does", "did", "not", "never", "and", "or", "but", "to", "in", "on", "of",
    "at", "by", "with", "from", "for", "as", "than", "then",
})  # fmt: skip  # fmt: skip
_MOST_CODE = 300
_REFERS_IN = 10
_LONGEST_ABBREVIATED = 8
_LONGEST = 600


@frozen
class Statement:
    """`text` is on one line and as it stands in the note, but that the words which govern it, its `before`, stand in
    front of it; `group` is one of GROUPS. `binds` says that a compaction has to carry it, `aside` why no summary holds
    it ("" when one may)."""

    text: str
    group: str
    binds: bool
    aside: str = ""
    before: str = ""

    @property
    def own(self) -> str:
        """The text without what governs it: as it stands in the note, in one piece."""
        return self.text[len(self.before) :]


@frozen
class Over:
    """What governs a statement: the words to be said before it, the group it is of, whether it binds."""

    before: str = ""
    group: str = ""
    binding: bool = False


UNGOVERNED = Over()


@lru_cache(maxsize=1 << 15)
def key(text: str) -> tuple[str, ...]:
    """What two sentences that say the same have in common: their words in order, without articles, the stop at the
    end and the capital at the beginning. All else counts: a comma, a tense, a name such as `A`, an `a` before
    a verb."""
    words = text.split()
    if words and words[0][1:].islower():
        words[0] = words[0].lower()
    if words:
        words[0] = words[0].lower() if words[0] == "A" else words[0]
        words[-1] = words[-1].rstrip(".,;:!")
    after = (*words[1:], "")
    return tuple(word for word, follows in zip(words, after, strict=True) if word and not _is_article(word, follows))


def _is_article(word: str, follows: str) -> bool:
    return word in _ARTICLES and not (word == "a" and follows.lower() in _NO_NOUNS)


def negations(text: str) -> tuple[str, ...]:
    """Every word of a text that negates, in order."""
    return tuple(match[0].lower() for match in cues.NEGATION.finditer(cues.readable(text)))


def modals(text: str) -> tuple[str, ...]:
    """Every modal of a text that asks, allows or forbids, in order."""
    return tuple(match[0].lower() for match in cues.MODAL.finditer(cues.readable(text)))


def sentences(text: str, above: Over) -> Iterator[Statement]:
    """The sentences of a text; one that binds and only points to the one before it stands with that."""
    waiting = ""
    for part in parted(" ".join(text.split())):
        if 0 < len(waiting) < _LONGEST and _points_back(part):
            waiting = f"{waiting} {part}"
            continue
        yield from _sentence(waiting, above)
        waiting = part
    yield from _sentence(waiting, above)


def parted(text: str) -> Iterator[str]:
    """The sentences of a text as they stand; none ends with an abbreviation."""
    start = 0
    for match in _END.finditer(text):
        at = match.start()
        if text[at] != "." or not _ABBREVIATED.search(text, max(0, at - _LONGEST_ABBREVIATED), at + 1):
            yield text[start : match.end()].rstrip()
            start = match.end()
    yield text[start:]


def _points_back(part: str) -> bool:
    words = part.split(None, _REFERS_IN)
    if not 0 < len(words) <= _REFERS_IN:
        return False
    points = words[0].strip("*_(").lower() in _BACK_FIRST or words[-1].rstrip(".!").lower() in _BACK_LAST
    return points and cues.binds(cues.readable(part))


def _sentence(part: str, above: Over) -> Iterator[Statement]:
    if part.startswith("<!--"):
        yield Statement(part, STATE, binds=False, aside=HIDDEN)
    elif _WORD.search(part):
        yield statement_of(part, above)


def statement_of(text: str, above: Over) -> Statement:
    own = " ".join(text.split())
    line = above.before + own
    if _ABOUT_THE_NOTE.fullmatch(own):
        return Statement(line, STATE, binds=False, aside=ABOUT, before=above.before)
    plain = cues.readable(own)
    telling = cues.is_telling(plain)
    group = above.group or next((group for group, cue in cues.CUES if telling and cue.search(plain)), STATE)
    binds = above.binding or group != STATE or (telling and cues.binds(plain))
    short = not binds and len(line.split(None, 6)) < 6 and len(_WORD.findall(line)) < 3
    return Statement(line, group, binds, FRAGMENT if short else "", above.before)


def code_line(line: str) -> Iterator[Statement]:
    """A line of code; a sentence in it that binds is one like others, with the code that it stands behind."""
    comment = _COMMENT.search(line)
    found = next((each for each in comment.group("said", "doc") if each), "") if comment else ""
    words = found.removesuffix("*/").removesuffix('"""').removesuffix("'''").strip()
    if not words and (_SENTENCE.fullmatch(line) or (_VALUE.fullmatch(line) and _PLAINLY.search(line))):
        words = line
    told = statement_of(words, UNGOVERNED)
    if told.binds and len(_WORD.findall(words)) > 2:
        behind = comment is not None and comment.start("said") > _MARK and len(line) <= _MOST_CODE
        yield statement_of(line, UNGOVERNED) if behind else told
    else:
        yield Statement(line, STATE, binds=False, aside=ASIDE)
