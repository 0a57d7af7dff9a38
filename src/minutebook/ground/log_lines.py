"""The lines of a log as people write them: headings that open an entry, labels, markers; and how text that only
looks like one of these is written so that it stays text."""

from __future__ import annotations

import re
from functools import cache

from minutebook.ground.lazy import lazy
from minutebook.ground.markdown import read_lines, split_lines
from minutebook.ground.memory_type import section_field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from minutebook.ground.markdown import Heading, Line

ID = r"[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)+"
_LONGEST_ID = 128
_LONGEST_WORD = 2000
_MOST_ITEMS = 10_000
MOST_FIELDS = 1000
"""An entry with more is refused; in a log, what looks like a label after them is text."""
_NOT_IN_IDS = {ord(sign): None for sign in "-_."}
_ENTRY = lazy(
    rf"(?P<id>{ID})(?:\s{{0,4}}[(\[](?P<date>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})[)\]])?"
    r"(?:\s{0,4}(?:—|–|-|:)\s{0,4}(?P<title>\S.*)?)?"
)
_LABEL = lazy(r"(?s) {0,3}(?:[-*+] {1,3})?\*\*([A-Za-z][^*:\n]{0,39}?)\s?(?::\*\*|\*\*\s?:)[ \t]*(.*)")
_SHORT_ID = r"[A-Za-z][A-Za-z0-9]{0,127}(?:[-_.][A-Za-z0-9]{1,128}){1,64}"
MARKER = lazy(r" {0,3}>\s?\**((?i:SUPERSEDED|RETRACTED|OBSOLETE))\b\**(?:\s+(?i:by)\s+\**(" + _SHORT_ID + r"))?")
_SPECIAL = r"(?:#|\*\*|[-*+][ \t]|>|```|~~~|<!--|[0-9]{1,9}[.)][ \t][^\n]*(?:```|~~~|<!--))"
_PROBE = "probe"


def entry_heading(line: Line | Heading, prefix: str = "") -> re.Match[str] | None:
    """The parts (id, date, title) of a heading that opens an entry: its id has a digit, or starts as the ids of the
    type do (`prefix`); so `Trade-offs: …` opens none."""
    match = _ENTRY.fullmatch(line.heading) if line.level and line.heading and _starts_short(line.heading) else None
    if match is None or len(match["id"]) > _LONGEST_ID:
        return None
    name = match["id"]
    known = bool(prefix) and name.lower().startswith(prefix.lower())
    return match if known or any(map(str.isdigit, name)) else None


def _starts_short(heading: str) -> bool:
    """Whether it starts with no word like an id of thousands of characters: finding its end would take for ever."""
    if len(heading) <= _LONGEST_WORD:
        return True
    start = heading[:_LONGEST_WORD].translate(_NOT_IN_IDS)
    return not (start.isascii() and start.isalnum())


def id_prefix(id_rule: str) -> str:
    """What the ids of a type start with: `DEC-` of `DEC-{date}-{hash:4}`."""
    return id_rule.split("{", 1)[0]


def read_label(line: str) -> tuple[str, str] | None:
    """(field, first line of its value) when a line opens a label such as `**Date:** 2026-11-02`."""
    match = _LABEL.match(line)
    name = section_field(match[1]) if match else ""
    return (name, match[2].strip()) if match and name else None


def unescaped(line: str) -> str:
    """A line of a label's value without the backslash that kept it text."""
    match = _escape().match(line) if "\\" in line else None
    return f"{match[1]}{match[2]}{line[match.end() :]}" if match else line


def escaped(text: str) -> str:
    """The text as a label's value that no reader takes for a heading, a label, a marker, or an open fence."""
    lines = split_lines(text)
    rows = list(read_lines(f"{text}\n{_PROBE}"))
    if rows[-1].live:
        found = "".join(_escaped(line) if row.live else line for line, row in zip(lines, rows, strict=False))
        # A line that opened a list opens none any more: what stood in the list may read otherwise now.
        if [row.live for row in read_lines(f"{found}\n{_PROBE}")] == [row.live for row in rows]:
            return found
    return "".join(_escaped(line) for line in lines)


def opens_block(line: str) -> bool:
    """Whether a line would be a fence or a comment, were it alone."""
    return not next(read_lines(line)).live


def _escaped(line: str) -> str:
    row = next(read_lines(line))
    if not (row.level or not row.live or read_label(line) or MARKER.match(line) or _escape().match(line)):
        return line
    at = len(line) - len(line.lstrip(" \t"))
    return f"{line[:at]}\\{line[at:]}"


@cache
def _escape() -> re.Pattern[str]:
    return re.compile(rf"([ \t]*)\\(\\*{_SPECIAL})")


def escaped_title(title: str) -> str:
    """One line whose closing `#` are part of it."""
    return re.sub(r"((?:^|[ \t])\\*|\\)(#+)$", r"\1\\\2", " ".join(title.split()))


def unescaped_title(title: str) -> str:
    return re.sub(r"\\(#+)$", r"\1", title) if title.endswith("#") else title


def joined_list(items: Sequence[str]) -> str:
    """Items with commas between them; one that holds a comma stands in backticks. None may hold a backtick."""
    return ", ".join(f"`{item}`" if "," in item else item for item in items)


def split_list(value: str) -> list[str]:
    """The items of a comma-separated value; of more than ten thousand, all that follow them are one."""
    pieces: list[str] = []
    for match in re.finditer(r"\s*`[^`]*`|[^,]+", value):
        if len(pieces) == _MOST_ITEMS:
            pieces.append(value[match.start() :])
            break
        pieces.append(match[0])
    parts = (part.strip().strip("`").strip() for part in pieces)
    return [part for part in parts if part]


def looks_like_id(text: str) -> bool:
    """Whether a word has the form of an entry's id."""
    return (
        len(text) <= _LONGEST_ID
        and re.fullmatch(ID, text) is not None
        and any(character.isdigit() for character in text)
    )
