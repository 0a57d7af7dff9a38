"""What a note says, statement by statement, and which of its statements bind.

Prose is cut into sentences, a list by its items, a table by its rows; a quote is read like prose. What binds is a
decision, a constraint, an open question, and every sentence with a negation or a modal: these may be moved by no
compaction, from under no heading to another. Words above a statement that turn it round, limit it or date it (a
heading, a lead-in, a column head) are said before it. Code is detail, but for a sentence in it that binds, as in a
comment, and for what a lead-in forbids or asks; an HTML comment is shown to nobody and stays where it is.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from minutebook.compact import cues
from minutebook.compact.blocks import APART, CODE, COMMENT, HEADING, ITEM, PROSE, ROW, Block, blocks
from minutebook.compact.context import (
    NONE,
    Context,
    lead_in,
    names_something,
    of_heading,
    of_heads,
    of_title,
    of_words,
    over,
)
from minutebook.compact.cues import CONSTRAINTS, QUESTIONS, STATE
from minutebook.compact.sentences import (
    ABOUT,
    ASIDE,
    FRAGMENT,
    HIDDEN,
    UNGOVERNED,
    Over,
    Statement,
    code_line,
    key,
    modals,
    negations,
    parted,
    sentences,
    statement_of,
)
from minutebook.ground.entry import Entry
from minutebook.ground.front_matter import split
from minutebook.ground.frozen import replace

__all__ = [
    "ABOUT", "ASIDE", "FIELD", "FRAGMENT", "HIDDEN", "Statement", "body_of", "key", "modals", "negations", "said",
    "statements",
]  # fmt: skip
FIELD = "a field of the note"
_DAY = re.compile(r"[0-9TZ:.,+ -]*")
_FENCE = re.compile(r"[`~]{3,}")
_REFUSING = frozenset(
    re.findall(r"\S+", "✗ ✘ ❌ 🚫 ⛔ no nein non nee não never disabled off rejected forbidden denied nicht verboten")
)
_NOT_SAID = frozenset({"type", "id", "title", "abstract"})
_REFERENCES = ("sources", "relations", "evidence", "stale", "anchors", "tags")
_COLONS = (":", ":*", ":**", ":_", ":__")
_DONE, _TO_DO = "[x]", "[ ]"
_REFUSED = Context("", CONSTRAINTS, binding=True)
_WORD = re.compile(r"\w+")
_MOST_CODE = 300
_LONGEST = 600


def statements(entry: Entry) -> tuple[Statement, ...]:
    """What the note says: its title, its abstract, its body, and its other fields."""
    head = [statement_of(entry.title, UNGOVERNED)]
    head += sentences(cues.seen(entry.abstract), UNGOVERNED) if "abstract" in entry.fields else []
    rest = [_field(name, value) for name, value in _flat(entry.fields) if name not in _NOT_SAID]
    return (*head, *said(body_of(entry), entry.title), *rest)


def body_of(entry: Entry) -> str:
    """The text beneath the front matter."""
    found = split(entry.text)
    return found[1] if found is not None else entry.text


def said(text: str, title: str = "") -> Iterator[Statement]:
    """The statements of a Markdown text, in its order; the title is that of its note."""
    headings: list[tuple[int, Context]] = [(0, of_title(title))] if title else []
    parents: list[tuple[int, str]] = []
    lead, is_led = "", False
    for block in blocks(cues.seen(text)):
        if block.kind == HEADING:
            headings = [each for each in headings if each[0] < block.depth]
            dated = block.depth == 1 and _DAY.fullmatch(block.text)  # the day of the whole note
            headings.append((block.depth, NONE if dated else of_heading(block.text)))
            parents, lead, is_led = [], "", False
            yield from _heading(block.text)
        elif block.kind == COMMENT:
            yield from (Statement(line, STATE, binds=False, aside=HIDDEN) for line in _lines_of(block))
        elif block.kind != APART:
            parents = [each for each in parents if each[0] < block.depth]
            lead = "" if is_led and not parents and block.kind != ITEM else lead
            near = [of_words(each) for each in (lead, *(words for _, words in parents)) if each]
            if block.kind == PROSE and not parents:
                near = [replace(each, few=True) for each in near] if lead.endswith(_COLONS) else []
            yield from _KINDS[block.kind](block, [each for _, each in headings], near)
            *_, last = parted(block.text[-_LONGEST:])
            if block.kind == ITEM:
                parents.append((block.depth, last if last.endswith(_COLONS) else block.text))
                is_led = True
            elif not parents:
                lead, is_led = lead_in(last) if block.kind == PROSE else "", False


def _prose(block: Block, headings: Sequence[Context], near: Sequence[Context]) -> Iterator[Statement]:
    return sentences(block.text, _over([*headings, *near], in_prose=True))


def _item(block: Block, headings: Sequence[Context], near: Sequence[Context]) -> Iterator[Statement]:
    above = _over([*headings, *near], in_prose=False)
    if block.box == _TO_DO and not above.group:
        above = replace(above, group=QUESTIONS, binding=True)
    elif block.box == _DONE and above.group == QUESTIONS:
        above = replace(above, before=f"{above.before}{_DONE} ")
    return sentences(block.text, above)


def _row(block: Block, headings: Sequence[Context], near: Sequence[Context]) -> Iterator[Statement]:
    """A row of a table; where its heads turn it round, limit it or date it, or a cell refuses, with its heads."""
    own, heads = block.cells, of_heads(block.heads)
    refused = not _REFUSING.isdisjoint(each.lower() for each in own)
    above = _over([*headings, *near, heads, _REFUSED if refused else NONE], in_prose=False)
    named = block.heads and (refused or heads.said)
    text = " | ".join(map(_named, (*block.heads, *[""] * len(own)), own)) if named else block.text
    return sentences(text, above)


def _named(head: str, cell: str) -> str:
    return f"{head.strip('*_: ')}: {cell}" if head and cell else cell


def _code(block: Block, headings: Sequence[Context], near: Sequence[Context]) -> Iterator[Statement]:
    """Lines of code: what a lead-in forbids or asks in one piece, and those that hold a sentence that binds."""
    above = _over(near, in_prose=False)
    lines = _lines_of(block)
    whole = " ".join(" ".join(line for line in lines if not _FENCE.match(line)).split())
    if above.binding and 0 < len(whole) <= _MOST_CODE:
        yield Statement(f"{above.before}{whole}", above.group, binds=True, before=above.before)
    for line in lines:
        yield from code_line(line)


def _lines_of(block: Block) -> list[str]:
    return [line for line in block.text.split("\n") if _WORD.search(line)]


def _over(above: Sequence[Context], *, in_prose: bool) -> Over:
    return Over(*over(above, in_prose=in_prose)) if above else UNGOVERNED


def _heading(heading: str) -> Iterator[Statement]:
    """A heading that says something itself: what binds, in more words than those that govern what is below it, or a
    number, in at least three words."""
    told = statement_of(heading, UNGOVERNED)
    size = len(_WORD.findall(heading))
    if (size > 1 and told.binds and names_something(heading)) or (size > 2 and re.search(r"[0-9]", heading)):
        yield told


def _field(name: str, value: str) -> Statement:
    """A field of front matter; one that holds a sentence with a negation or a modal is one like others."""
    text = cues.seen(f"{name}: {value}")
    if name.partition(".")[0] not in _REFERENCES and len(_WORD.findall(value)) > 2:
        told = statement_of(text, UNGOVERNED)
        if told.binds and cues.binds(cues.readable(value)):
            return told
    return Statement(text, STATE, binds=False, aside=FIELD)


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


_KINDS: dict[str, Callable[[Block, Sequence[Context], Sequence[Context]], Iterator[Statement]]] = {
    PROSE: _prose, ITEM: _item, ROW: _row, CODE: _code,
}  # fmt: skip  # fmt: skip
