"""The lines of a log as people write them: headings that open an entry, labels, markers; and how text that only
looks like one of these is written so that it stays text."""

import re
from collections.abc import Sequence

from minutebook.ground.markdown import Line, read_lines, split_lines
from minutebook.ground.memory_type import section_field

ID = r"[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)+"
_LONGEST_ID = 128
_ENTRY = re.compile(
    rf"(?P<id>{ID})(?:\s{{0,4}}[(\[](?P<date>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}})[)\]])?"
    r"(?:\s{0,4}(?:—|–|-|:)\s{0,4}(?P<title>\S.*)?)?"
)
_LABEL = re.compile(r" {0,3}(?:[-*+] {1,3})?\*\*([A-Za-z][^*:\n]{0,39}?)\s?(?::\*\*|\*\*\s?:)[ \t]*(.*)", re.DOTALL)
MARKER = re.compile(r" {0,3}>\s?\**(SUPERSEDED|RETRACTED|OBSOLETE)\b\**(?:\s+by\s+\**(" + ID + r"))?", re.IGNORECASE)
_SPECIAL = r"(?:#|\*\*|[-*+][ \t]|>|```|~~~|<!--)"
_LOOKS_ESCAPED = re.compile(rf"([ \t]*)(\\+{_SPECIAL})")
_ESCAPED = re.compile(rf"([ \t]*)\\(\\*{_SPECIAL})")
_INDENT = re.compile(r"[ \t]*")
_PROBE = "probe"


def entry_heading(line: Line, prefix: str = "") -> re.Match[str] | None:
    """The parts (id, date, title) of a heading that opens an entry: its id has a digit, or starts as the ids of the
    type do (`prefix`); so `Trade-offs: …` opens none."""
    match = _ENTRY.fullmatch(line.heading) if line.level else None
    if match is None or len(match["id"]) > _LONGEST_ID:
        return None
    known = bool(prefix) and match["id"].lower().startswith(prefix.lower())
    return match if known or any(character.isdigit() for character in match["id"]) else None


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
    return _ESCAPED.sub(r"\1\2", line, count=1) if "\\" in line else line


def escaped(text: str) -> str:
    """The text as a label's value that no reader takes for a heading, a label, a marker, or an open fence."""
    lines = split_lines(text)
    rows = list(read_lines(f"{text}\n{_PROBE}"))
    closed = rows[-1].live
    return "".join(_escaped(line) if row.live or not closed else line for line, row in zip(lines, rows, strict=False))


def opens_block(line: str) -> bool:
    """Whether a line would be a fence or a comment, were it alone."""
    return not next(read_lines(line)).live


def _escaped(line: str) -> str:
    row = next(read_lines(line))
    if not (row.level or not row.live or read_label(line) or MARKER.match(line) or _LOOKS_ESCAPED.match(line)):
        return line
    indent = _INDENT.match(line)
    at = indent.end() if indent else 0
    return f"{line[:at]}\\{line[at:]}"


def escaped_title(title: str) -> str:
    """One line whose closing `#` are part of it."""
    return re.sub(r"((?:^|[ \t])\\*|\\)(#+)$", r"\1\\\2", " ".join(title.split()))


def unescaped_title(title: str) -> str:
    return re.sub(r"\\(#+)$", r"\1", title) if title.endswith("#") else title


def joined_list(items: Sequence[str]) -> str:
    """Items with commas between them; one that holds a comma stands in backticks. None may hold a backtick."""
    return ", ".join(f"`{item}`" if "," in item else item for item in items)


def split_list(value: str) -> list[str]:
    """The items of a comma-separated value."""
    parts = (part.strip().strip("`").strip() for part in re.findall(r"\s*`[^`]*`|[^,]+", value))
    return [part for part in parts if part]


def looks_like_id(text: str) -> bool:
    """Whether a word has the form of an entry's id."""
    return re.fullmatch(ID, text) is not None and any(character.isdigit() for character in text)
