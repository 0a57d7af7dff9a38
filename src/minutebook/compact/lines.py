"""The form of a summary: a line a note, then under each heading of `GROUPS` lines that say which notes they come from.

    ## Originals
    - [1] Work on the uploader · bandwidth, chunks

    ## Constraints
    - Uploads must never exceed 90 MB. [1, 3]

Nothing else may stand in it: what has no number behind it was said by nobody.
"""

import re
from collections import Counter
from collections.abc import Sequence

from minutebook.compact.cues import GROUPS
from minutebook.ground import front_matter
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import cut, read_lines

ORIGINALS = "Originals"
NUMBERED = "Numbers in brackets count the entries of `derived_from`; the originals are in the archive, byte for byte."
NOTHING = "The notes hold no sentence that could be carried over."
MOST_TERMS = 4
"""Terms behind a note's title, by which the note is still found."""
_CARRIES = re.compile(r"- (?P<text>.+) \[(?P<numbers>[0-9]{1,3}(?:, [0-9]{1,3}){0,199})\]")
_NAMES = re.compile(r"- \[(?P<number>[0-9]{1,3})\] (?P<said>.+)")
_BEHIND = " · "


@frozen
class Fault:
    """What is wrong with a summary or its ledger; `line` is of the summary's file, 0 where none is meant."""

    line: int
    message: str


@frozen
class Line:
    """A line that carries something: its number in the file, the heading it stands under, what it says, the notes that
    say so, from 1. A line under ORIGINALS says a note's title, and `terms` are those behind it."""

    number: int
    section: str
    text: str
    of: tuple[int, ...]
    terms: tuple[str, ...] = ()


def body_starts(summary: Entry) -> int:
    """The line of the file where what stands below the front matter begins."""
    found = front_matter.split(summary.text)
    return found[2] if found is not None else 1


def title_in_line(note: Entry) -> str:
    """The title of a note on one line."""
    return " ".join(note.title.split())


def read_summary(summary: Entry, titles: Sequence[str]) -> tuple[list[Line], list[Fault]]:
    """The lines of a summary of notes with these titles, and as faults those that are of no such form."""
    found = front_matter.split(summary.text)
    body, first = (found[1], found[2]) if found is not None else (summary.text, 1)
    lines: list[Line] = []
    faults: list[Fault] = []
    section = ""
    for row in read_lines(body, first):
        text = row.text.rstrip("\n")
        line = None
        if row.level:
            section = row.heading
            if section not in (*GROUPS, ORIGINALS):
                faults.append(Fault(row.number, f"no compaction writes a section {cut(section, 60)!r}"))
        elif not text.strip() or text in (NUMBERED, NOTHING):
            continue
        elif row.live and (line := _line(row.number, section, text, titles)) is not None:
            lines.append(line)
            faults += [Fault(row.number, f"there is no original {at}") for at in line.of if not 1 <= at <= len(titles)]
        else:
            faults.append(Fault(row.number, f"it doesn't say which original it comes from: {cut(text, 80)}"))
    return lines, faults + _miscounted(lines, len(titles))


def _line(number: int, section: str, text: str, titles: Sequence[str]) -> Line | None:
    if section == ORIGINALS and (name := _NAMES.fullmatch(text)):
        at = int(name["number"])
        title = titles[at - 1] if 1 <= at <= len(titles) else ""
        said, behind = name["said"], ""
        if said != title:
            said, _, behind = said.rpartition(_BEHIND) if _BEHIND in said else (said, "", "")
        return Line(number, section, said, (at,), tuple(behind.split(", ")) if behind else ())
    if section in GROUPS and (match := _CARRIES.fullmatch(text)):
        return Line(number, section, match["text"], tuple(int(each) for each in match["numbers"].split(", ")))
    return None


def _miscounted(lines: Sequence[Line], notes: int) -> list[Fault]:
    """The notes that no line of their own names, or more than one."""
    named = Counter(line.of[0] for line in lines if line.section == ORIGINALS)
    wrong = [at for at in range(1, notes + 1) if named[at] != 1]
    return [
        Fault(0, f"original {at} has {named[at] or 'no'} lines of its own, and should have one") for at in wrong[:5]
    ]
