"""The body of an entry: its levels, and the sections that are fields."""

from __future__ import annotations

from minutebook.ground.markdown import headings
from minutebook.ground.memory_type import section_field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from minutebook.ground.memory_type import MemoryType


def levels(text: str) -> tuple[str, str]:
    """(L1, L2) of a body: the section named Overview, or else the first paragraph; and the rest."""
    parts: tuple[list[str], list[str]] = ([], [])
    inside, at = False, 0
    for heading in headings(text):
        if heading.level <= 2:
            parts[inside].append(text[at : heading.start])
            inside = heading.heading.lower() == "overview"
            at = heading.end if inside else heading.start
    parts[inside].append(text[at:])
    body = "".join(parts[False]).strip()
    return "".join(parts[True]).strip() or _first_paragraph(body), body


def _first_paragraph(body: str) -> str:
    for part in body.split("\n\n"):
        kept = "\n".join(line for line in part.split("\n") if not line.lstrip().startswith("#")).strip()
        if kept:
            return kept
    return ""


def sections(text: str, start: int, mtype: MemoryType) -> Iterator[tuple[str, str, int]]:
    """(field, value, where its heading starts) of the sections that the type names, after `start`."""
    wanted = {section_field(section) for section in mtype.sections}
    if not wanted:
        return
    marks = [(section_field(each.heading), each.start, each.end) for each in headings(text, start) if each.level <= 2]
    ends = [*(at for _, at, _ in marks[1:]), len(text)]
    for (name, at, first), end in zip(marks, ends, strict=False):
        if name in wanted and (value := text[first:end].strip()):
            yield name, value, at
