"""What a sealed entry may still become: the same text, with markers and declared fields set once, and addenda."""

from __future__ import annotations

from minutebook.checks.parts import BREAK, MARKERS, SPACE, parts, sealed_text
from minutebook.checks.word_diff import word_diff
from minutebook.ground.frozen import frozen
from minutebook.ground.lazy import lazy
from minutebook.ground.markdown import read_lines
from minutebook.ground.memory_type import section_field
from minutebook.ground.record import is_stated, says_more

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from minutebook.checks.parts import Parts, Row
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory_type import MemoryType

_MARKUP = lazy(r"[\s*_+|`\\#>-]+")
_STAGES = ("draft", "sealed", "closed")


@frozen
class Breach:
    """One way in which a sealed entry was changed. `offset` is the line in the entry, from 0. A `slight` one is a
    change in white space alone, `at_end` when it is where the next entry's neighbourhood begins."""

    message: str
    offset: int = 0
    slight: bool = False
    at_end: bool = False


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
    """Whether every lasting line of `old` still stands in `new`, in order, and what was set on it is set still, in the
    words of either side: for a merge of two lawful versions."""
    before, after = parts(old, mtype), parts(new, mtype)
    was, now = (_STAGES.index(mtype.stage(entry.status)) for entry in (old, new))
    if now < was or before.amended.keys() - after.amended.keys():
        return False
    rest = iter([row.text for row in after.rows])
    return all(row.text in rest for row in before.rows)


def _without_end(text: str) -> str:
    lines = text.split("\n")
    while lines and (not lines[-1].strip(SPACE) or BREAK.fullmatch(lines[-1].rstrip(SPACE))):
        lines.pop()
    return "\n".join(lines)


def _amended(before: Parts, after: Parts, old: Entry, new: Entry, mtype: MemoryType) -> Iterator[Breach]:
    for name in sorted({*before.amended, *after.amended}):
        was, now = before.amended.get(name, ()), after.amended.get(name, ())
        if was == now:
            continue
        offset = max(0, new.line_of("status" if name == MARKERS else name) - new.line)
        said, says = " / ".join(was), " / ".join(now)
        if not now:
            yield Breach(f"its {name} `{said}` was taken away", offset)
        elif name == "status" and len(now) == 1:
            yield from _forward(said, says, old, new, mtype, offset)
        elif was:
            yield Breach(f"its {name} is set already and was set again: {word_diff(said, says)}", offset)
        elif name != MARKERS and len(now) > 1:
            yield Breach(f"its {name} is set twice: {says}", offset)


def _read_otherwise(old: Entry, new: Entry, mtype: MemoryType) -> Iterator[Breach]:
    """Every old line stands, but what was put beside them makes readers take the entry for something else."""
    if _STAGES.index(mtype.stage(new.status)) < _STAGES.index(mtype.stage(old.status)):
        offset = max(0, new.line_of("status") - new.line)
        yield Breach(f"it is {mtype.stage(old.status)} and would count as {mtype.stage(new.status)}", offset)
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
    was, now = _STAGES.index(mtype.stage(old.status)), _STAGES.index(mtype.stage(new.status))
    if now == 0 or mtype.stage(says) == "draft":  # a marker outranks the status: both are looked at
        yield Breach(f"it was turned back into a draft (`{says}`)", offset)
    elif now < was:
        yield Breach(f"it was closed and reopened: {word_diff(said, says)}", offset)
    elif says_more(old, said, says, moved_on=now > was):
        return
    elif now > was and is_stated(old):
        yield Breach(f"what its status said beside it was changed: {word_diff(said, says)}", offset)
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
    if [row.text.split() for row in before.rows] == [row.text.split() for row in after.rows]:
        what = "blank lines between" if was == now else "spaces within"
        yield Breach(f"its words are the same, only the {what} its lines changed", at)
    elif was.split() == now.split():
        yield Breach("its words are the same, its lines are wrapped anew: a formatter probably did it", at)
    elif _MARKUP.sub("", was) == _MARKUP.sub("", now):
        yield Breach(f"only its markup changed, a formatter probably did it: {word_diff(was, now)}", at)
    else:
        yield Breach(f"its text was changed: {word_diff(was, now)}", at)


def _alike(old: Row, new: Row) -> bool:
    return old.text == new.text and (old.blanks == new.blanks or old.loose or new.loose)
