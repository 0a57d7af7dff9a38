"""What a sealed entry may still become: the same text, with markers and declared fields set once, and addenda."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from minutebook.checks.word_diff import word_diff
from minutebook.ground import front_matter
from minutebook.ground.entry import Entry
from minutebook.ground.log_entry import MARKER, read_label
from minutebook.ground.markdown import read_lines
from minutebook.ground.memory_type import MemoryType, section_field

_SPACE = " \t\r\v\f"
_BREAK = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_KEY = re.compile(r"([\"']?)([A-Za-z][A-Za-z0-9_-]*)\1[ \t]*:")
_MARKUP = re.compile(r"[\s*_+|`\\#>-]+")
_STAGES = ("draft", "sealed", "closed")
_MARKERS = "supersession marker"


@dataclass(frozen=True, slots=True)
class Breach:
    """One way in which a sealed entry was changed. `offset` is the line in the entry, from 0. A `slight` one is a
    change in white space alone, `at_end` when it is where the next entry's neighbourhood begins."""

    message: str
    offset: int = 0
    slight: bool = False
    at_end: bool = False


@dataclass(frozen=True, slots=True)
class _Row:
    """A line that stays for ever. `blanks` stand before it; `loose` when an amendment stands there too."""

    text: str
    number: int
    blanks: int
    loose: bool


@dataclass(frozen=True, slots=True)
class Parts:
    """An entry taken apart: the lines that stay for ever, and by field what was set on it later."""

    rows: tuple[_Row, ...]
    amended: Mapping[str, tuple[str, ...]]
    front: Mapping[str, Any]


def sealed_text(text: str) -> str:
    """What must stay: LF line ends, no trailing white space, no blank lines or thematic breaks at the end.

    A log separates its entries by blank lines and `---`: these belong to the neighbourhood, not to the entry.
    """
    lines = [line.rstrip(_SPACE) for line in text.split("\n")]
    while lines and (not lines[-1] or _BREAK.fullmatch(lines[-1])):
        lines.pop()
    return "\n".join(lines)


def stage(entry: Entry, mtype: MemoryType) -> str:
    """draft, sealed or closed. `Superseded by DEC-…` is read by its first word."""
    status = entry.status
    words = status.split()
    known = any(status in names for names in mtype.status.values())
    return mtype.stage(status if known or not words else words[0].strip(".,:;"))


def is_closed(entry: Entry, mtype: MemoryType) -> bool:
    """Whether it says that it no longer holds: by status, by `superseded_by`, or by a marker."""
    return stage(entry, mtype) == "closed" or bool(entry.ids("superseded_by")) or bool(_marked(entry, mtype))


def breaches(old: Entry, new: Entry, mtype: MemoryType) -> Iterator[Breach]:
    """Every way in which `new` breaks what the sealed entry `old` promises; nothing when it is lawful."""
    if old.text == new.text:
        return
    if sealed_text(old.text) == sealed_text(new.text):
        if _without_end(old.text) != _without_end(new.text):
            yield Breach("only white space changed", slight=True)
        else:
            yield Breach("only white space changed", slight=True, at_end=True)
        return
    if old.id != new.id:
        yield Breach(f"its id was changed to {new.id}")
        return
    before, after = parts(old, mtype), parts(new, mtype)
    found = [*_amended(before, after, old, new, mtype), *_kept(before, after, mtype)]
    yield from found or _read_otherwise(old, new, mtype)


def survives(old: Entry, new: Entry, mtype: MemoryType) -> bool:
    """Whether every lasting line of `old` still stands in `new`, in order: for a merge of two lawful versions."""
    rest = iter([row.text for row in parts(new, mtype).rows])
    return all(row.text in rest for row in parts(old, mtype).rows)


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
        if name:
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
    return [(row.rstrip(_SPACE), n, flag) for n, (row, flag) in enumerate(zip(rows, [bare, *flags, bare], strict=True))]


def _body_lines(text: str, first: int, entry: Entry, mtype: MemoryType) -> Iterator[tuple[str, int, str, str]]:
    """(line, its number from 0, the amended field or "", its value). Quoted evidence holds no markers."""
    quote, marker = False, False
    for row in read_lines(text, first):
        line = row.text.rstrip("\n")
        label = read_label(line) if row.live and entry.in_log else None
        quoted = line.lstrip().startswith(">")
        if label:
            quote, marker = label[0] == "source", False
            amends = label[0] in mtype.amend
            yield line, row.number, label[0] if amends else "", label[1]
        elif row.live and not quote and MARKER.match(line):
            marker = True
            yield line, row.number, _MARKERS, line.strip()
        elif marker and quoted:
            yield line, row.number, _MARKERS, line.strip()
        else:
            quote, marker = quote and quoted, False
            yield line, row.number, "", ""


def _rows(lines: list[tuple[str, int, bool]]) -> Iterator[_Row]:
    blanks, loose = 0, False
    for text, number, is_amendment in lines:
        if is_amendment:
            loose = True
        elif not text:
            blanks += 1
        else:
            yield _Row(text, number, blanks, loose)
            blanks, loose = 0, False


def _marked(entry: Entry, mtype: MemoryType) -> tuple[str, ...]:
    return parts(entry, mtype).amended.get(_MARKERS, ())


def _without_end(text: str) -> str:
    lines = text.split("\n")
    while lines and (not lines[-1].strip(_SPACE) or _BREAK.fullmatch(lines[-1].rstrip(_SPACE))):
        lines.pop()
    return "\n".join(lines)


def _amended(before: Parts, after: Parts, old: Entry, new: Entry, mtype: MemoryType) -> Iterator[Breach]:
    for name in sorted({*before.amended, *after.amended}):
        was, now = before.amended.get(name, ()), after.amended.get(name, ())
        if was == now:
            continue
        offset = max(0, new.line_of("status" if name == _MARKERS else name) - new.line)
        said, says = " / ".join(was), " / ".join(now)
        if not now:
            yield Breach(f"its {name} `{said}` was taken away", offset)
        elif name == "status" and len(now) == 1:
            yield from _forward(said, says, old, new, mtype, offset)
        elif was:
            yield Breach(f"its {name} is set already and was set again: {word_diff(said, says)}", offset)
        elif name != _MARKERS and len(now) > 1:
            yield Breach(f"its {name} is set twice: {says}", offset)


def _read_otherwise(old: Entry, new: Entry, mtype: MemoryType) -> Iterator[Breach]:
    """Every old line stands, but what was put beside them makes readers take the entry for something else."""
    if _STAGES.index(stage(new, mtype)) < _STAGES.index(stage(old, mtype)):
        offset = max(0, new.line_of("status") - new.line)
        yield Breach(f"it is {stage(old, mtype)} and would count as {stage(new, mtype)}", offset)
    for name in _voices(new, mtype)[:1]:
        if name not in _voices(old, mtype)[:1]:
            offset = max(0, new.line_of(name) - new.line)
            yield Breach(f"an addendum can't give it another {name}: that would be read in place of its own", offset)
    for name, value in old.fields.items() if old.in_log else ():
        said, says = (" ".join(str(each).split()) for each in (value, new.fields.get(name, "")))
        if isinstance(value, str) and name not in mtype.amend and not says.startswith(said):
            yield Breach(f"its {name} is cut short by what was put into it", max(0, new.line_of(name) - new.line))


def _voices(entry: Entry, mtype: MemoryType) -> list[str]:
    """The parts that speak for an entry where it is shown in short, the one that counts first."""
    if not entry.in_log:
        headings = (row.heading.lower() for row in read_lines(entry.text) if row.level in (1, 2))
        return ["overview"] if "overview" in headings else []
    names = ("abstract", "decision", *(section_field(section) for section in mtype.sections))
    return [name for name in names if name in entry.fields]


def _forward(said: str, says: str, old: Entry, new: Entry, mtype: MemoryType, offset: int) -> Iterator[Breach]:
    was, now = _STAGES.index(stage(old, mtype)), _STAGES.index(stage(new, mtype))
    if now == 0:
        yield Breach(f"it was turned back into a draft (`{says}`)", offset)
    elif now < was:
        yield Breach(f"it was closed and reopened: {word_diff(said, says)}", offset)
    elif now == was and said:
        yield Breach(f"its status is set already and was set again: {word_diff(said, says)}", offset)


def _kept(before: Parts, after: Parts, mtype: MemoryType) -> Iterator[Breach]:
    more = len(after.rows) - len(before.rows)
    pairs = list(zip(before.rows, after.rows, strict=False))
    differs = next((now.number for was, now in pairs if not _alike(was, now)), None)
    if differs is None and more >= 0 and before.front == after.front:
        if more and mtype.addenda != "end":
            added = after.rows[len(before.rows)].number
            yield Breach(f"text was added to it, and a {mtype.name} takes no addenda", added)
        return
    at = differs if differs is not None else after.rows[-1].number if after.rows else 0
    was, now = (" ".join(row.text for row in each.rows) for each in (before, after))
    if was.split() == now.split():
        yield Breach("its words are the same, its lines are wrapped anew: a formatter probably did it", at)
    elif _MARKUP.sub("", was) == _MARKUP.sub("", now):
        yield Breach(f"only its markup changed, a formatter probably did it: {word_diff(was, now)}", at)
    else:
        yield Breach(f"its text was changed: {word_diff(was, now)}", at)


def _alike(old: _Row, new: _Row) -> bool:
    return old.text == new.text and (old.blanks == new.blanks or old.loose or new.loose)
