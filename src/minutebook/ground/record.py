"""Decision records that exist already: one a file, as Nygard's template and MADR have it, read as they stand.

`# 9. Title` or `# Title`; the status in the front matter, under a heading `Status`, in a line such as `- Status: …`,
or in a row of a table; the id is the file's stem, since numbers collide in real repositories.
"""

from __future__ import annotations

import re

from minutebook.ground import front_matter
from minutebook.ground.entry import Entry, Known
from minutebook.ground.frozen import frozen
from minutebook.ground.lazy import lazy
from minutebook.ground.log_lines import read_label
from minutebook.ground.markdown import first_sentence, read_lines
from minutebook.ground.memory_type import section_field
from minutebook.ground.problem import Problem
from minutebook.ground.sections import levels
from minutebook.ground.strict_yaml import StrictYamlError

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without the import
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from minutebook.ground.markdown import Line
    from minutebook.ground.memory_type import MemoryType

LAST = -1
"""`(field, LAST)` leads to the last line of what a record says of the field in its body; no front matter has such a
path."""
_KNOWN = ("status", "date", "supersedes", "superseded_by")
_NONE = frozenset({"", "none", "n/a", "-", "—", "null", "nothing"})
_ROW = lazy(r" {0,3}\|?[ \t]*\**([A-Za-z][A-Za-z ]{2,30}?)\**:?\**[ \t]*\|[ \t]*([^|\n]*)")
_LABEL = lazy(r" {0,3}(?:[-*+] {1,3}|> ?)?\**([A-Za-z][A-Za-z ]{2,30}?)\**:\**[ \t]*(\S[^\n]*)?")
_NUMBER = lazy(r"(?i)(?:ADR[- ]?)?[0-9]{1,6}[.:][ \t]+")
_PHRASE = lazy(r"[A-Za-z][A-Za-z'-]*(?: [A-Za-z'-]+)*")
_ENDS_PHRASE = lazy(r"(?i) (?:by|on|since|with|for|as of|see|and|then)\b.*")
_MARKUP = lazy(r"[*_`\[\]~>|]+")
_SECTIONS = {"context_and_problem_statement": "context", "decision_outcome": "decision", "consequences": "impact"}
_TEMPLATE = lazy(
    r"(?:.*[-_])?0{2,}[-_].*template|_?(?:m?adr|nygard|decision|decision-record)?[-_]?template"
    r"(?:[-_](?:m?adr|nygard|short|long|minimal|bare|full))*|readme|_?index"
)


@frozen
class Said:
    """What the body of a record says of a field, on the lines `first` to `last`. `text` is all of it."""

    field: str
    text: str
    first: int
    last: int


def is_record(name: str) -> bool:
    """Whether a file of this name in a place of records is one: templates, README and index files aren't."""
    stem = name.lower().removesuffix(".md")
    return name.lower().endswith(".md") and not stem.endswith(".example") and _TEMPLATE.fullmatch(stem) is None


def read_record(path: str, text: str, mtype: MemoryType) -> tuple[Entry, tuple[Problem, ...]]:
    """The entry of the file. Front matter that can't be read is a warning: nobody may be made to rewrite the file."""
    problems: tuple[Problem, ...] = ()
    fields: dict[str, Any] = {}
    lines: dict[tuple[str | int, ...], int] = {}
    found = front_matter.split(text)
    body, first = (found[1], found[2]) if found is not None else (text, 1)
    if found is not None:
        try:
            fields, lines = front_matter.read_fields(found[0], mtype)
        except StrictYamlError as error:
            problems = (Problem(path, error.line, "yaml", str(error), error.hint, severity="warning"),)
    stem = path.rsplit("/", 1)[-1].removesuffix(".md")
    fields["id"] = stem
    lines["id", LAST] = 1
    heading = next((row for row in read_lines(body, first) if row.level), None)
    if "title" not in fields and heading is not None:
        fields["title"] = _NUMBER.sub("", heading.heading) or stem
        lines["title",] = heading.number
    for each in statements(body, first):
        lines.setdefault((each.field, LAST), each.last)
        if each.field not in fields and _plain(each.text).lower() not in _NONE:
            fields[each.field] = _phrase(each.text) if each.field == "status" else _plain(each.text)
            lines[each.field,] = each.first
    for name, value, line in _sections(body, first, mtype):
        fields.setdefault(name, value)
        lines.setdefault((name,), line)
    _day(fields)
    overview, rest = levels(body)
    main = str(fields.get("decision") or overview)
    abstract = str(fields.get("abstract") or first_sentence(main) or fields.get("title", stem))
    return Entry(stem, mtype.name, path, 1, text, Known(fields, lines, abstract, (overview, rest))), problems


def statements(body: str, first: int = 1) -> Iterator[Said]:
    """What a record's body says of its status, its date and its supersession, in the order of the lines: in the rows
    and labels before its first section, and under the heading `Status`."""
    opened, headings = 0, 0
    block: list[Line] = []
    for row in read_lines(body, first):
        if row.level:
            yield from _status(block)
            block = []
            headings += 1
            opened = row.number if section_field(row.heading) == "status" else 0
            if opened:
                block = [row]
        elif opened:
            block.append(row)
        elif headings < 2 and row.live:
            match = _ROW.match(row.text) or _LABEL.match(row.text)
            name = section_field(match[1]) if match else ""
            if match and name in _KNOWN:
                yield Said(name, (match[2] or "").strip(), row.number, row.number)
    yield from _status(block)


def log_statements(text: str, first: int = 1) -> tuple[Said, ...]:
    """What an entry of a log that the config maps says of its status in the ways of a record. Where a label of ours
    says it (`**Status:** …`) that counts, and all else is text; so is a quoted line of evidence."""
    rows = {row.number: row for row in read_lines(text, first)}
    labels = {number: label[0] for number, row in rows.items() if row.live and (label := read_label(row.text))}
    if "status" in labels.values():
        return ()
    return tuple(
        each
        for each in statements(text, first)
        if each.field == "status" and not _is_evidence(rows, labels, each.first)
    )


def _is_evidence(rows: dict[int, Line], labels: dict[int, str], number: int) -> bool:
    """Whether a quoted line belongs to the label `Source` above it."""
    while number in rows and rows[number].text.lstrip().startswith(">"):
        number -= 1
    return number + 1 in rows and rows[number + 1].text.lstrip().startswith(">") and labels.get(number) == "source"


def said_status(each: Said) -> str:
    """The word or words of a status; "" where it is said that there is none."""
    return _phrase(each.text) if _plain(each.text).lower() not in _NONE else ""


def is_stated(entry: Entry, field: str = "status") -> bool:
    """Whether the entry is a record, or of a log that the config maps, and its text says this; the id of every record
    is stated, by its file's name."""
    return (field, LAST) in entry.lines


def record_amendments(entry: Entry, mtype: MemoryType, body: str, first: int) -> dict[int, tuple[str, str | None]]:
    """By line of a body that is read as a record's, the field of which it speaks, if that may be amended, and on the
    first line of these what it says; None where it says that there is none, as templates have it."""
    found: dict[int, tuple[str, str | None]] = {}
    found_in = statements if is_stated(entry, "id") else log_statements if is_stated(entry) else None
    for each in found_in(body, first) if found_in is not None else ():
        if each.field in mtype.amend:
            found |= dict.fromkeys(range(each.first, each.last + 1), (each.field, None))
            if _plain(each.text).lower() not in _NONE:
                found[each.first] = (each.field, each.text)
    return found


def says_more(entry: Entry, said: str, says: str, *, moved_on: bool) -> bool:
    """Whether all that a record said of its status still stands, line by line, each perhaps continued after a whole
    word, with more beside it. Where the status moved on, the line that named it may be another one."""
    if not is_stated(entry):
        return False
    old, new = ([line.strip() for line in text.split("\n") if line.strip()] for text in (said, says))
    rest = iter(new[1:] if moved_on else new)
    return all(any(_goes_on(line, each) for each in rest) for line in (old[1:] if moved_on else old))


def _goes_on(line: str, longer: str) -> bool:
    """Whether a line is the beginning of the other, up to the end of a word: `ADR-1` doesn't go on as `ADR-12`."""
    return longer.startswith(line) and not (line[-1:].isalnum() and longer[len(line) : len(line) + 1].isalnum())


def _status(block: list[Line]) -> Iterator[Said]:
    """A section `Status` without its heading; blank lines at its end belong to nobody."""
    text = [row.text.rstrip() for row in block[1:]]
    while text and not text[-1]:
        text.pop()
    if text:
        yield Said("status", "\n".join(text).strip("\n"), block[1].number, block[0].number + len(text))


def _plain(text: str) -> str:
    return " ".join(_MARKUP.sub("", text).split())


def _phrase(text: str) -> str:
    """`superseded in part` of `Superseded in part by [ADR 12](…) for …`: what a type's status names can be set to."""
    line = _plain(next(filter(str.strip, text.split("\n")), ""))
    match = _PHRASE.match(line)
    return (_ENDS_PHRASE.sub("", match[0]) if match else line)[:60].strip()


def _sections(body: str, first: int, mtype: MemoryType) -> Iterator[tuple[str, str, int]]:
    wanted = {section_field(section) for section in mtype.sections}
    name, line, parts = "", 0, list[str]()
    for row in read_lines(body, first):
        if row.level in (1, 2):
            if name in wanted and "".join(parts).strip():
                yield name, "".join(parts).strip(), line
            heading = section_field(row.heading)
            name, line, parts = _SECTIONS.get(heading, heading), row.number, []
        else:
            parts.append(row.text)
    if name in wanted and "".join(parts).strip():
        yield name, "".join(parts).strip(), line


def _day(fields: dict[str, Any]) -> None:
    """A date that is none as we write it (`11-April-2023`) stays where it stands, in the text."""
    if not re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", str(fields.get("date", ""))):
        fields.pop("date", None)
    elif "date" in fields:
        fields["date"] = str(fields["date"])[:10]
