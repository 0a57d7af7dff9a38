"""A change of mind: a new entry that says what it supersedes, and the old one marked, in one plan."""

from __future__ import annotations

from minutebook.ground import front_matter
from minutebook.ground.change import Change, File, Plan, Proposal, joined, with_changes
from minutebook.ground.entry import decode, encode
from minutebook.ground.errors import Refused
from minutebook.ground.markdown import split_lines
from minutebook.ground.memory import memory_after
from minutebook.ground.standing import closed_as, successors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from minutebook.ground.change import Tree
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory import Memory
    from minutebook.ground.memory_type import MemoryType


def must_hold(memory: Memory, entry: Entry) -> None:
    """Raises Refused for an entry that nothing can supersede: one that may be edited, or that holds no more."""
    mtype = memory.type_of(entry)
    if not mtype.append_only or mtype.stage(entry.status) == "draft":
        what = "a draft" if mtype.append_only else f"a {mtype.name}"
        raise Refused(f"{entry.id} is {what}: just edit it", f"{entry.path}:{entry.line}")
    newest = _newest(memory, entry)
    if newest is not None:
        place = f"{newest.path}:{newest.line}"
        raise Refused(
            f"{entry.id} is superseded already, by {newest.id} ({place})", f"minutebook supersede {newest.id}"
        )
    if said := closed_as(entry, mtype):
        raise Refused(f"{entry.id} no longer holds: {said}", f"minutebook new {mtype.name}")


def plan_supersede(memory: Memory, tree: Tree, old: Entry, addition: Change, new_id: str) -> Plan:
    """The plan that adds the new entry and marks the old one, in one file or in two."""
    first = Plan((addition,))
    after = with_changes(tree, first.changes)
    there = next(
        entry for entry in memory_after(memory, tree, first.changes).entries(archived=True) if entry.id == old.id
    )
    file = after[there.path]
    text = _marked(decode(file.data), there, memory.type_of(old), new_id)
    reason = f"superseded by {new_id}"
    proposal = Proposal("edit", old.type, old.id, old.title, reason)
    marked = Change(there.path, file, File(encode(text), file.mode), reason, (proposal,))
    return joined(first, Plan((marked,)))


def _newest(memory: Memory, entry: Entry) -> Entry | None:
    """What stands in the entry's place today, through every step that was taken since."""
    entries = {each.id: each for each in memory.entries(archived=True)}
    sealed = [each for each in entries.values() if memory.type_of(each).stage(each.status) != "draft"]
    replaced = successors(sealed)
    seen = {entry.id}
    at = entry
    while True:
        named = next((each for each in at.ids("superseded_by") if each in entries), "")
        after = entries[named] if named else replaced.get(at.id)
        if after is None or after.id in seen:
            return at if at is not entry else None
        seen.add(after.id)
        at = after


def _marked(text: str, entry: Entry, mtype: MemoryType, new_id: str) -> str:
    """The file's text with the mark that readers and the gate know: a line under the heading in a log, fields of the
    front matter where the type lets them be set, else a line at the end."""
    marker = f"> SUPERSEDED by {new_id}"
    lines = split_lines(text)
    newline = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    if entry.in_log:
        below = lines[entry.line] if entry.line < len(lines) else ""
        heading = lines[entry.line - 1] if lines[entry.line - 1].endswith("\n") else lines[entry.line - 1] + newline
        # A line of text right under the marker would be read as part of its quotation.
        blank = "" if not below.strip() else newline
        return "".join([*lines[: entry.line - 1], heading, marker, newline, blank, *lines[entry.line :]])
    updates = {"superseded_by": new_id} if "superseded_by" in mtype.amend else {}
    if "status" in mtype.amend and "superseded" in mtype.status.get("closed", ()):
        updates["status"] = "superseded"
    if updates and front_matter.split(text) is not None:
        return front_matter.set_fields(text, updates)
    return f"{text.rstrip()}{newline}{newline}{marker}{newline}"
