"""The certificate of a compaction: for each claim of the originals, the line of the summary that carries it, or why it
stayed behind in the archive.

It is written as JSON lines and made again from the originals and the summary whenever somebody checks: nothing in it
has to be believed. A summary's lines are sentences of its originals, so a line that no original says is a fault, and so
is a sentence that binds and that no line carries.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

from minutebook.compact.claims import BINDING, Claim, atoms, claims, difference
from minutebook.compact.statements import ASIDE, FIELD, GROUPS, Statement, key, said, statements
from minutebook.ground import front_matter
from minutebook.ground.entry import Entry, encode
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import cut, read_lines
from minutebook.ground.nouns import counted
from minutebook.ground.tokens import tokens
from minutebook.ground.words import terms

FOLDER = "archive/ledgers/"
ORIGINALS = "Originals"
NUMBERED = "Numbers in brackets count the entries of `derived_from`; the originals are in the archive, byte for byte."
NOTHING = "The notes hold no sentence that could be carried over."
NOT_CHOSEN = "detail that was not chosen"
_VERSION = 1
_CARRIES = re.compile(r"- (?P<text>.+) \[(?P<numbers>[0-9]{1,3}(?:, [0-9]{1,3}){0,199})\]")
_NAMES = re.compile(r"- \[(?P<number>[0-9]{1,3})\] (?P<title>.+?)(?: · (?P<terms>[^·]+))?")


@frozen
class Fault:
    """What is wrong with a summary or its ledger; `line` is of the summary's file, 0 where none is meant."""

    line: int
    message: str


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
class _Line:
    number: int
    text: str
    of: tuple[int, ...]


def certify(originals: Sequence[Entry], summary: Entry) -> Certificate:
    """The certificate of a summary, and what keeps it from being one."""
    lines, faults = _lines(originals, summary)
    carried = {(number, key(line.text)): line for line in reversed(lines) for number in line.of}
    held = {
        (number, claim): line.number for line in reversed(lines) for number in line.of for claim in atoms(line.text)
    }
    told_by = [statements(original) for original in originals]
    rows: dict[tuple[int, Claim], Row] = {}
    for number, (original, told) in enumerate(zip(originals, told_by, strict=True), 1):
        for each in told:
            line = carried.get((number, key(each.text)))
            if each.binds and line is None:
                faults.append(Fault(0, _lost(original, each, lines, number)))
            for claim in claims(each):
                at = (
                    line.number
                    if line is not None
                    else held.get((number, claim), 0)
                    if claim.kind not in BINDING
                    else 0
                )
                left = "" if at else each.aside or NOT_CHOSEN
                known = rows.get((number, claim))
                if known is None or (at and not known.line):
                    rows[number, claim] = Row(number, claim, at, left)
    keys = [{key(each.text) for each in told if each.aside not in (ASIDE, FIELD)} for told in told_by]
    for each_line in lines:
        faults += _invented(each_line, told_by, keys)
    return Certificate(tuple(rows.values()), tuple(sorted(faults, key=lambda fault: (fault.line, fault.message))))


def _lines(originals: Sequence[Entry], summary: Entry) -> tuple[list[_Line], list[Fault]]:
    """The lines of the summary that carry something, those that name an original among them; and as faults the lines
    that are of no such form."""
    found = front_matter.split(summary.text)
    body, first = (found[1], found[2]) if found is not None else (summary.text, 1)
    lines: list[_Line] = []
    faults: list[Fault] = []
    section = ""
    for row in read_lines(body, first):
        text = row.text.rstrip("\n")
        if row.level:
            section = row.heading
            if section not in (*GROUPS, ORIGINALS):
                faults.append(Fault(row.number, f"no compaction writes a section {cut(section, 60)!r}"))
        elif not text.strip() or text in (NUMBERED, NOTHING):
            continue
        elif section == ORIGINALS and (name := _NAMES.fullmatch(text)):
            faults += _misnamed(originals, row.number, name)
            lines.append(_Line(row.number, name["title"], (int(name["number"]),)))
        elif section != ORIGINALS and (match := _CARRIES.fullmatch(text)):
            lines.append(_Line(row.number, match["text"], tuple(int(each) for each in match["numbers"].split(", "))))
        else:
            faults.append(Fault(row.number, f"it doesn't say which original it comes from: {cut(text, 80)}"))
    return lines, faults


def _misnamed(originals: Sequence[Entry], line: int, name: re.Match[str]) -> Iterator[Fault]:
    number = int(name["number"])
    if not 1 <= number <= len(originals):
        yield Fault(line, f"there is no original {number}")
        return
    entry = originals[number - 1]
    known = set(terms(entry.text))
    strange = [term for term in (name["terms"] or "").split(", ") if term and term not in known]
    if strange:
        yield Fault(line, f"{entry.id} doesn't speak of {cut(strange[0], 60)}")


def _invented(
    line: _Line, told_by: Sequence[Sequence[Statement]], keys: Sequence[set[tuple[str, ...]]]
) -> Iterator[Fault]:
    """What the line says that an original which it names doesn't."""
    for number in line.of:
        if not 1 <= number <= len(told_by):
            yield Fault(line.number, f"there is no original {number}")
        elif key(line.text) not in keys[number - 1]:
            how = difference(line.text, [each.text for each in told_by[number - 1]])
            yield Fault(line.number, f"original {number} doesn't say so: {how or cut(line.text, 80)}")


def _lost(original: Entry, each: Statement, lines: Sequence[_Line], number: int) -> str:
    mine = [line.text for line in lines if number in line.of]
    close = [text for text in mine if (how := difference(text, [each.text])) and not how.startswith("it said")]
    how = f" ({difference(close[0], [each.text])})" if close else ""
    return f"no line carries what binds in {original.id}{how}: {cut(each.text, 120)}"


def abstract_of(notes: Sequence[Entry]) -> str:
    """The abstract of a summary of these notes."""
    days = sorted(str(note.fields.get("date") or note.fields.get("created") or "")[:10] for note in notes)
    span = (
        f" from {days[0]} to {days[-1]}" if days[0] and days[0] != days[-1] else f" of {days[-1]}" if days[-1] else ""
    )
    titles = "; ".join(cut(note.title, 60) for note in notes[:5])
    return f"What {counted(len(notes), 'note')}{span} came to: {titles}."


def abstract_faults(originals: Sequence[Entry], summary: Entry) -> Iterator[Fault]:
    """What the title or the abstract of a summary claims beyond what compaction writes and the originals say."""
    if summary.abstract == abstract_of(originals):
        return
    text = "\n".join((abstract_of(originals), *(each.text for each in originals)))
    known = {claim.text for claim in atoms(" ".join(text.split()))}
    strange = [claim.text for claim in atoms(summary.abstract) if claim.text not in known]
    line = summary.line_of("abstract")
    if strange:
        yield Fault(line, f"no original says {cut(strange[0], 60)} of the abstract")
    keys = {key(each.text) for original in originals for each in statements(original)}
    for each in said(summary.abstract):
        if each.binds and key(each.text) not in keys:
            yield Fault(line, f"the abstract rules something in or out that no original does: {cut(each.text, 80)}")


@frozen
class Head:
    """What a ledger says beside its rows: the summary's id, tokens of originals and summary, why that is more than
    a fifth ("" when it isn't), and of how many questions the originals were found by before, and the summary after."""

    summary: str
    before: int
    after: int
    why: str
    questions: tuple[int, int, int]


def ledger_text(head: Head, originals: Sequence[Entry], found: Certificate) -> str:
    """The ledger as JSON lines: one for the whole, one an original, one a claim."""
    asked, before, after = head.questions
    recall = {"questions": asked, "found before": before, "found after": after}
    whole: dict[str, object] = {"ledger": _VERSION, "summary": head.summary, "tokens": [head.before, head.after]}
    whole |= {"why": head.why} if head.why else {}
    rows: list[dict[str, object]] = [whole | recall]
    for number, entry in enumerate(originals, 1):
        rows.append({"original": number, "id": entry.id, "sha256": hash_of(entry), "tokens": tokens(entry.text)})
    rows += [_row(row) for row in found.rows]
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)


def _row(row: Row) -> dict[str, object]:
    place: dict[str, object] = {"line": row.line} if row.line else {"left in the archive": row.left}
    return {"of": row.of, row.claim.kind: row.claim.text} | place


def hash_of(entry: Entry) -> str:
    """Hex sha256 of the bytes of an entry that has its file for itself."""
    return sha256(encode(entry.text)).hexdigest()


@frozen
class Ledger:
    """A ledger as read: its first line, by id of an original its hash, and the lines of the claims as they stand."""

    head: Mapping[str, object]
    originals: Mapping[str, str]
    rows: tuple[str, ...]


def read_ledger(text: str) -> Ledger | None:
    """The ledger in a text; None when it is none: a line that is no JSON, no first line, an original without a hash."""
    lines = text.split("\n")
    try:
        values = [json.loads(line) for line in lines if line]
    except (ValueError, RecursionError):
        return None
    if not values or not all(isinstance(value, dict) for value in values) or values[0].get("ledger") != _VERSION:
        return None
    named = [value for value in values[1:] if "original" in value]
    if not all(isinstance(value.get("id"), str) and isinstance(value.get("sha256"), str) for value in named):
        return None
    rows = tuple(line for line, value in zip(filter(None, lines), values, strict=True) if "of" in value)
    return Ledger(values[0], {value["id"]: value["sha256"] for value in named}, rows)


def unaccounted(ledger: Ledger, found: Certificate) -> Iterator[Fault]:
    """Where the ledger and what the originals and the summary come to differ."""
    wanted = {json.dumps(_row(row), ensure_ascii=False, separators=(",", ":")): row for row in found.rows}
    there = set(ledger.rows)
    for text, row in wanted.items():
        if text not in there:
            yield Fault(row.line, f"the ledger doesn't account for {row.claim.kind} {cut(row.claim.text, 80)!r}")
    for text in ledger.rows:
        if text not in wanted:
            yield Fault(0, f"the ledger says what the originals and the summary don't: {cut(text, 120)}")
