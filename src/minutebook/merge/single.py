"""A file that holds one entry, in three versions into one."""

from __future__ import annotations

from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import replace
from minutebook.merge.entries import Sides, adds_at_end, disagree, settled_side, trouble_with
from minutebook.merge.lines import conflict
from minutebook.merge.log import Merged
from minutebook.merge.page import merged_page
from minutebook.merge.pieces import ended

TYPE_CHECKING = False
if TYPE_CHECKING:
    from minutebook.ground.entry import Entry, MemoryFile
    from minutebook.ground.memory_type import MemoryType
    from minutebook.merge.lines import Way
    from minutebook.merge.log import Known


def merged_single(files: tuple[MemoryFile, ...], mtype: MemoryType, known: Known, way: Way) -> Merged:
    """Fields by the type's rules, the body line by line. Of what is sealed there are never two versions: what isn't
    a mark or an addendum and was changed on both sides is a conflict."""
    base, ours, theirs = (_only(file) for file in files)
    if ours is None or theirs is None:
        raise CannotJudge("it holds no entry on one side")
    sides = Sides(base, ours, theirs)
    side = settled_side(sides, mtype)
    if side is not None:
        return Merged(side.text)
    how = replace(way, both_at_end=adds_at_end(mtype), first=known.first(sides, mtype))
    # A last line without its newline would run into what the other side put behind it.
    texts = [ended(entry.text) if entry is not None else "" for entry in (base, ours, theirs)]
    found = merged_page(texts[0], texts[1], texts[2], mtype, how)
    if base is None and mtype.append_only:
        why = "both sides made it, and it isn't the same: give one of them another name and id"
        return Merged(conflict(ours.text, theirs.text, way), ((ours.id, why),))
    if found.clean and disagree(sides, mtype):
        return Merged(conflict(ours.text, theirs.text, way), ((ours.id, trouble_with(sides, mtype)),))
    return Merged(found.text, () if found.clean else ((ours.id, trouble_with(sides, mtype)),))


def _only(file: MemoryFile) -> Entry | None:
    return file.entries[0] if file.entries else None
