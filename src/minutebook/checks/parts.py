"""A sealed entry taken apart: the lines that stay for ever, and what was set on it later."""

from __future__ import annotations

from minutebook.ground import front_matter
from minutebook.ground.frozen import frozen
from minutebook.ground.lazy import lazy
from minutebook.ground.log_lines import MARKER, read_label
from minutebook.ground.markdown import read_lines
from minutebook.ground.record import record_amendments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from minutebook.ground.entry import Entry
    from minutebook.ground.memory_type import MemoryType

SPACE = " \t\r\v\f"
BREAK = lazy(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_KEY = lazy(r"([\"']?)([A-Za-z][A-Za-z0-9_-]*)\1[ \t]*:")
MARKERS = "supersession marker"


@frozen
class Row:
    """A line that stays for ever. `blanks` stand before it; `loose` when an amendment stands there too."""

    text: str
    number: int
    blanks: int
    loose: bool


@frozen
class Parts:
    """An entry taken apart: the lines that stay for ever, and by field what was set on it later."""

    rows: tuple[Row, ...]
    amended: Mapping[str, tuple[str, ...]]
    front: Mapping[str, Any]


def sealed_text(text: str) -> str:
    """What must stay: LF line ends, no trailing white space, no blank lines or thematic breaks at the end.

    A log separates its entries by blank lines and `---`: these belong to the neighbourhood, not to the entry.
    """
    lines = [line.rstrip(SPACE) for line in text.split("\n")]
    while lines and (not lines[-1] or BREAK.fullmatch(lines[-1])):
        lines.pop()
    return "\n".join(lines)


def sealed_hash(text: str) -> str:
    """Hex sha256 of what must stay: what a tombstone names."""
    from hashlib import sha256

    return sha256(sealed_text(text).encode("utf-8", "surrogateescape")).hexdigest()


def parts(entry: Entry, mtype: MemoryType) -> Parts:
    """Take an entry apart. Only fields that the type lets amend, and markers, are amendments."""
    amended: dict[str, list[str]] = {}
    lines: list[tuple[str, int, bool]] = []
    front: dict[str, Any] = {}
    body, first = entry.text, 0
    found = None if entry.in_log else front_matter.split(entry.text)
    if found is not None:
        _, body, start = found
        first = start - 1
        for field, value in entry.fields.items():
            if entry.lines.get((field,), start) >= start:
                continue  # a section of the body: its lines are compared there
            if field in mtype.amend:
                amended[field] = [str(value)]
            else:
                front[field] = value
        lines.extend(_front_lines(entry.text.split("\n")[:first], mtype.amend))
    for line, number, name, value in _body_lines(sealed_text(body), first, entry, mtype):
        if name and value is not None:
            amended.setdefault(name, []).append(value)
        lines.append((line, number, bool(name)))
    return Parts(tuple(_rows(lines)), {key: tuple(values) for key, values in amended.items()}, front)


def _front_lines(rows: list[str], amend: tuple[str, ...]) -> list[tuple[str, int, bool]]:
    """(line, its number from 0, whether it is an amendment) of front matter with its fences."""
    flags: list[bool] = []
    inside = False
    for row in rows[1:-1]:
        key = _KEY.match(row)
        inside = key[2] in amend if key else inside and row.startswith((" ", "-", "\t"))
        flags.append(inside)
    # Front matter that holds nothing but amendments may be added as a whole, its fences with it.
    bare = all(flags)
    return [(row.rstrip(SPACE), n, flag) for n, (row, flag) in enumerate(zip(rows, [bare, *flags, bare], strict=True))]


def _body_lines(text: str, first: int, entry: Entry, mtype: MemoryType) -> Iterator[tuple[str, int, str, str | None]]:
    """(line, its number from 0, the amended field or "", its value; None where another line has it). Quoted evidence
    holds no markers."""
    quote, marker = False, False
    said = record_amendments(entry, mtype, text, first)
    for row in read_lines(text, first):
        line = row.text.rstrip("\n")
        if row.number in said:
            yield line, row.number, *said[row.number]
            continue
        label = read_label(line) if row.live and entry.in_log else None
        quoted = line.lstrip().startswith(">")
        if label:
            quote, marker = label[0] == "source", False
            amends = label[0] in mtype.amend
            yield line, row.number, label[0] if amends else "", label[1]
        elif row.live and not quote and MARKER.match(line):
            marker = True
            yield line, row.number, MARKERS, line.strip()
        elif marker and quoted:
            yield line, row.number, MARKERS, line.strip()
        else:
            quote, marker = quote and quoted, False
            yield line, row.number, "", ""


def _rows(lines: list[tuple[str, int, bool]]) -> Iterator[Row]:
    blanks, loose = 0, False
    for text, number, is_amendment in lines:
        if is_amendment:
            loose = True
        elif not text:
            blanks += 1
        else:
            yield Row(text, number, blanks, loose)
            blanks, loose = 0, False
