"""A summary made of the notes' own sentences: extractive, deterministic, no model.

Method: sentences are grouped by the heading they stand under and by cue words. Decisions, constraints and open
questions are all carried, word for word. What describes the state is chosen by salience until the budget is spent,
without what a chosen sentence says already (Jaccard similarity of word sets: maximal marginal relevance, Carbonell
and Goldstein 1998, with a hard limit). Order is kept.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import read_lines
from minutebook.ground.tokens import tokens

STATE = "Current state"
GROUPS = ("Decisions", "Constraints", STATE, "Open questions")
Salience = Callable[[Sequence[str]], Sequence[float]]

_SAME = 0.8
_LONGEST = 600
_HEADINGS = (
    ("Decisions", re.compile(r"(?i)decision|decided|chosen|agreed|came of it")),
    ("Constraints", re.compile(r"(?i)constraint|rule|convention|preference|must")),
    ("Open questions", re.compile(r"(?i)open|question|todo|to do|next|unresolved|pending")),
)
_CUES = (
    ("Open questions", re.compile(r"(?i)\?$|^(?:todo|open|unclear|to be decided|not yet decided)\b")),
    ("Decisions", re.compile(r"(?i)\b(?:decided|chose|agreed|(?:we|let's) (?:will )?(?:use|go with)|instead of)\b")),
    ("Constraints", re.compile(r"(?i)\b(?:must|never|always|only|cannot|can't|don't|do not|may not|shall|should)\b")),
)
_ABOUT_THE_NOTE = re.compile(r"^An? \S+ session: [0-9]+ turns read\b")
_BULLET = re.compile(r"^\s*(?:[-*+]|[0-9]{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"“(])")
_WORD = re.compile(r"\w+")
_DECIDING = re.compile(r"(?i)[0-9][\w.]*|\b(?:not|no|never|without)\b|n't\b")


@frozen
class Sentence:
    """One sentence and the group it belongs to."""

    text: str
    group: str


def summarize(notes: Sequence[str], salience: Salience, budget: int) -> str:
    """The body of a summary of these notes, Markdown with one section a group.

    `budget` is in tokens and bounds what is chosen by salience; each line ends with the numbers of the notes, from 1,
    that say so. Empty when the notes say nothing.
    """
    said_by: dict[Sentence, list[int]] = {}
    for number, text in enumerate(notes, 1):
        for each in _read(text):
            numbers = said_by.setdefault(each, [])
            numbers += [number] if number not in numbers else []
    sentences = list(said_by)
    chosen = {each for each in sentences if each.group != STATE}
    left = budget - sum(map(_cost, chosen))
    weights = dict(zip(sentences, salience([each.text for each in sentences]), strict=True)) if sentences else {}
    state: list[Sentence] = []
    for each in sorted((each for each in sentences if each.group == STATE), key=lambda each: -weights[each]):
        same = next((other for other in state if _alike(each.text, other.text)), None)
        if same is not None:
            said_by[same] = sorted({*said_by[same], *said_by[each]})
        elif _cost(each) <= left:
            state.append(each)
            left -= _cost(each)
    chosen.update(state)
    out = []
    for group in GROUPS:
        kept = [each for each in sentences if each in chosen and each.group == group]
        if kept:
            lines = (f"- {each.text} [{', '.join(map(str, said_by[each]))}]" for each in kept)
            out.append(f"## {group}\n" + "\n".join(lines))
    return "\n\n".join(out)


def _cost(sentence: Sentence) -> int:
    return tokens(sentence.text) + 2


def _read(text: str) -> Iterator[Sentence]:
    under = ""
    paragraph: list[str] = []
    for row in read_lines(text):
        if row.level:
            yield from _sentences(paragraph, under)
            under, paragraph = next((group for group, cue in _HEADINGS if cue.search(row.heading)), ""), []
        elif not row.live or not row.text.strip() or row.text.lstrip().startswith((">", "|")):
            yield from _sentences(paragraph, under)
            paragraph = []
        elif _BULLET.match(row.text):
            yield from _sentences(paragraph, under)
            paragraph = [_BULLET.sub("", row.text)]
        else:
            paragraph.append(row.text)
    yield from _sentences(paragraph, under)


def _sentences(paragraph: list[str], under: str) -> Iterator[Sentence]:
    whole = " ".join(" ".join(paragraph).split())
    for part in _SENTENCE_END.split(whole):
        group = under or next((group for group, cue in _CUES if cue.search(part)), STATE)
        says = len(_WORD.findall(part)) > 2 and not _ABOUT_THE_NOTE.match(part)
        if says and (group != STATE or len(part) <= _LONGEST):
            yield Sentence(part, group)


def _alike(one: str, other: str) -> bool:
    """Whether the second sentence adds nothing. Those that differ in a number or a negation say different things,
    however alike they look."""
    first, second = set(_WORD.findall(one.lower())), set(_WORD.findall(other.lower()))
    return len(first & second) >= _SAME * len(first | second) and _DECIDING.findall(one) == _DECIDING.findall(other)
