"""Three versions of one entry into one."""

from __future__ import annotations

from minutebook.checks.parts import MARKERS, parts, sealed_text
from minutebook.checks.sealed import breaches
from minutebook.ground.frozen import frozen, replace
from minutebook.merge.lines import NEITHER, OURS, THEIRS, Lines, Way, conflict, merged_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from minutebook.ground.entry import Entry
    from minutebook.ground.memory_type import MemoryType


@frozen
class Sides:
    """One entry in three versions; `base` is None where both sides have it and their common past didn't."""

    base: Entry | None
    ours: Entry
    theirs: Entry


def same(one: Entry, other: Entry) -> bool:
    """Whether the two say the same: line ends, and white space at the ends of lines and of the entry, don't count."""
    return one.text == other.text or sealed_text(one.text) == sealed_text(other.text)


def settled_side(sides: Sides, mtype: MemoryType) -> Entry | None:
    """The version that holds all that was said: the one that was changed, or that goes on where the other ends."""
    if same(sides.ours, sides.theirs) or (sides.base is not None and same(sides.base, sides.theirs)):
        return sides.ours
    if sides.base is not None and same(sides.base, sides.ours):
        return sides.theirs
    if continues(sides.ours, sides.theirs, mtype):
        return sides.theirs
    return sides.ours if continues(sides.theirs, sides.ours, mtype) else None


def continues(old: Entry, new: Entry, mtype: MemoryType) -> bool:
    """Whether `new` is what a sealed `old` may become: the same words, with marks and addenda."""
    return mtype.append_only and not any(breaches(old, new, mtype))


def published_side(sides: Sides, published: Entry | None, mtype: MemoryType) -> int:
    """OURS or THEIRS, whichever alone is published: that stays as it is, and the other gives way. Else NEITHER."""
    held = [published is not None and continues(side, published, mtype) for side in (sides.ours, sides.theirs)]
    return NEITHER if held[OURS] == held[THEIRS] else OURS if held[OURS] else THEIRS


def merged_entry(sides: Sides, texts: tuple[str, str, str], mtype: MemoryType, way: Way) -> Lines:
    """An entry that both sides changed, line by line. `texts` are the versions without what belongs to their
    neighbourhood. Both sides' addenda are kept; one mark set to two values is a conflict."""
    base, ours, theirs = texts
    found = merged_lines(base, ours, theirs, replace(way, both_at_end=adds_at_end(mtype)))
    if found.clean and disagree(sides, mtype):
        return Lines(conflict(ours, theirs, way), clean=False)
    return found


def adds_at_end(mtype: MemoryType) -> bool:
    """Whether what both sides put after an entry's text is kept from both."""
    return mtype.addenda == "end" or mtype.merge.get("body") == "append"


def disagree(sides: Sides, mtype: MemoryType) -> bool:
    """Whether both sides set the same field or marker, and not to the same value; or one sealed a draft that the
    other went on writing: nobody has accepted the words that this would make."""
    if sides.base is None:
        return False
    stages = [mtype.stage(entry.status) for entry in (sides.base, sides.ours, sides.theirs)]
    if mtype.append_only and stages[0] == "draft" and stages != ["draft"] * 3:
        return True
    return any(_set_twice(sides, mtype))


def trouble_with(sides: Sides, mtype: MemoryType) -> str:
    """What both sides did to an entry that can't be merged, and the way out where there is one."""
    said = []
    for name, mine, other in _set_twice(sides, mtype):
        one = "marker" if name == MARKERS else name
        way = f"keep one {one}"
        if name in (MARKERS, "superseded_by"):
            way += "; let the other entry supersede that one"
        said.append(f"both sides set its {one}, “{mine}” (ours) and “{other}” (theirs): {way}")
    return "; ".join(said) or "both sides changed it"


def _set_twice(sides: Sides, mtype: MemoryType) -> Iterator[tuple[str, str, str]]:
    """(field or marker, what it is on our side, and on theirs) where that isn't the same, and neither is as it was."""
    if sides.base is None:
        return
    was, mine, other = (parts(entry, mtype).amended for entry in (sides.base, sides.ours, sides.theirs))
    for name in sorted({*mine, *other}):
        if mine.get(name) != was.get(name) != other.get(name) != mine.get(name):
            yield name, " ".join(mine.get(name, ())), " ".join(other.get(name, ()))
