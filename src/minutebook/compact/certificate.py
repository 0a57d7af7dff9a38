"""The certificate of a compaction: for each claim of the originals, the line of the summary that carries it, or why it
stayed behind in the archive.

It is made again from the originals and the summary whenever somebody checks: nothing in it has to be believed. A line
of a summary is a sentence of its originals, or one of their details with clauses left out, and stands under the heading
that the sentence belongs under: what was open is no decision. So a line that no original says is a fault, and so is a
sentence that binds and that no line carries.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from minutebook.compact.claims import BINDING, Claim, atoms, claims, difference
from minutebook.compact.cues import STATE, is_unread
from minutebook.compact.lines import MOST_TERMS, ORIGINALS, Fault, Line, read_summary, title_in_line
from minutebook.compact.shortened import shortened
from minutebook.compact.statements import ASIDE, FIELD, HIDDEN, Statement, key, statements
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import cut
from minutebook.ground.words import terms

NOT_CHOSEN = "detail that was not chosen"
UNREAD = "detail, as far as can be told: no negation and no modal of its alphabet is known"
_NO_LINE = (ASIDE, FIELD, HIDDEN)
_WORD = re.compile(r"[^\W_]+")
_JOINED = re.compile("[-_.]")
_Name = tuple[str, tuple[str, ...]]


@frozen
class Row:
    """A claim of original `of` (from 1), and the line that carries it; where that is 0, `left` says why."""

    of: int
    claim: Claim
    line: int
    left: str


@frozen
class Certificate:
    """What the originals and the summary come to."""

    rows: tuple[Row, ...]
    faults: tuple[Fault, ...]


@frozen
class _Told:
    """What an original says: its statements, the title first, and by group and key those that a line may carry."""

    number: int
    original: Entry
    statements: tuple[Statement, ...]
    names: Mapping[_Name, Statement]

    @property
    def title(self) -> tuple[str, ...]:
        return key(self.statements[0].text)


def certify(originals: Sequence[Entry], summary: Entry, expunged: Collection[int] = ()) -> Certificate:
    """The certificate of a summary, and what keeps it from being one. Of originals that were `expunged` (their numbers)
    nobody can tell what they said: they are left aside, and no other is."""
    lines, faults = read_summary(summary, list(map(title_in_line, originals)))
    told_by = [_told(number, original) for number, original in enumerate(originals, 1)]
    rows: dict[tuple[int, Claim], Row] = {}
    carried = {(at, line.section, key(line.text)): line.number for line in reversed(lines) for at in line.of}
    held = {(at, claim): line.number for line in reversed(lines) for at in line.of for claim in atoms(line.text)}
    for told in told_by:
        for at, each in enumerate(told.statements if told.number not in expunged else ()):
            line = _carrier(told, each, carried, is_title=at == 0)
            if each.binds and not line:
                faults.append(Fault(0, _lost(told, each, lines)))
            for claim in claims(each):
                beside = 0 if claim.kind in BINDING else held.get((told.number, claim), 0)
                _account(rows, told.number, claim, line or beside, each)
    for said in lines:
        known = [told_by[at - 1] for at in said.of if 1 <= at <= len(told_by) and at not in expunged]
        faults += [fault for told in known for fault in _invented(said, told)]
    return Certificate(tuple(rows.values()), tuple(sorted(faults, key=lambda fault: (fault.line, fault.message))))


def _told(number: int, original: Entry) -> _Told:
    found = statements(original)
    names = {(each.group, key(each.text)): each for each in reversed(found) if each.aside not in _NO_LINE}
    return _Told(number, original, found, names)


def _carrier(
    told: _Told, each: Statement, carried: Mapping[tuple[int, str, tuple[str, ...]], int], *, is_title: bool
) -> int:
    """The line that says it under its own heading; a title, and a detail that says no more, by the note's own line."""
    name = key(each.text)
    line = carried.get((told.number, each.group, name), 0)
    return line or (carried.get((told.number, ORIGINALS, name), 0) if is_title or not each.binds else 0)


def _account(rows: dict[tuple[int, Claim], Row], number: int, claim: Claim, line: int, each: Statement) -> None:
    known = rows.get((number, claim))
    if known is None or (line and not known.line):
        rows[number, claim] = Row(number, claim, line, "" if line else each.aside or _why_left(each))


def _why_left(each: Statement) -> str:
    return UNREAD if is_unread(each.text) else NOT_CHOSEN


def _invented(line: Line, told: _Told) -> Iterator[Fault]:
    """What the line says that this original, which it names, doesn't."""
    name = key(line.text)
    if line.section == ORIGINALS:
        if name != told.title:
            how = f"its title is {cut(told.original.title, 80)}"
            yield Fault(line.number, f"original {told.number} doesn't say so: {how}")
        yield from _strange_terms(line, told.original)
    elif (line.section, name) not in told.names and not _is_shorter(line, told):
        group = next((group for group, known in told.names if known == name), "")
        how = f"it says so under {group}" if group else difference(line.text, [each.text for each in told.statements])
        yield Fault(line.number, f"original {told.number} doesn't say so: {how or cut(line.text, 80)}")


def _is_shorter(line: Line, told: _Told) -> bool:
    """Whether it is a detail of the original with clauses left out."""
    details = (each.text for each in told.names.values() if not each.binds and not each.aside)
    return line.section == STATE and shortened(line.text, details) != ""


def _strange_terms(line: Line, original: Entry) -> Iterator[Fault]:
    strange = [term for term in line.terms if not term.isalnum()] or list(_not_in(line.terms, original.text))
    if strange or len(line.terms) > MOST_TERMS:
        yield Fault(line.number, f"{original.id} doesn't speak of {cut(', '.join(strange or line.terms), 60)}")


def _not_in(found: Sequence[str], text: str) -> Iterator[str]:
    """Those that aren't among the terms of the text. Most stand in it as they are, and the terms cost time."""
    plain = text.lower() if found else ""
    words = {*_WORD.findall(plain), *_WORD.findall(_JOINED.sub("", plain))}
    away = [term for term in found if term not in words]
    known = set(terms(text)) if away else frozenset[str]()
    yield from (term for term in away if term not in known)


def _lost(told: _Told, each: Statement, lines: Sequence[Line]) -> str:
    mine = [line.text for line in lines if told.number in line.of]
    close = [text for text in mine if (how := difference(text, [each.text])) and not how.startswith("it said")]
    how = f" ({difference(close[0], [each.text])})" if close else ""
    return f"no line carries what binds in {told.original.id}{how}: {cut(each.text, 120)}"
