"""How much a compaction may take out of the live memory before somebody has to say so."""

from collections.abc import Sequence

from minutebook.compact.grouping import Group
from minutebook.ground.change import Plan, Tree
from minutebook.ground.frozen import replace
from minutebook.ground.memory import Memory, memory_after
from minutebook.ground.uris import ARCHIVE

MOST_SHARE = 0.5
"""The share of the live entries, or of their bytes, that one plan may take away."""
FEW = 25
"""So few entries may leave in one plan, whatever their share."""


def too_much(plan: Plan, memory: Memory, tree: Tree) -> str:
    """Why nobody should apply the plan unseen: it takes away too much; "" when it doesn't.

    What goes to the archive counts too: the clean-ups that destroyed a memory were all within their rights, and nobody
    had looked.
    """
    after = memory_after(memory, tree, plan.changes) if plan.changes else memory
    left, kept = _live(memory), _live(after)
    gone = left.keys() - kept.keys()
    if len(gone) <= FEW:
        return ""
    taken, total = sum(left[each] for each in gone), max(1, sum(left.values()))
    if len(gone) <= MOST_SHARE * len(left) and taken <= MOST_SHARE * total:
        return ""
    return (
        f"it would take {len(gone)} of {len(left)} entries ({100 * taken // total} % of the bytes) out of the live "
        f"memory, and {MOST_SHARE:.0%} is the most: look at it with --dry-run --force, then --force"
    )


def part_of(groups: Sequence[Group], memory: Memory) -> tuple[tuple[Group, ...], int]:
    """(as many of the groups, the oldest first, as one plan may take away, how many notes are left for the next one).

    A job that runs by itself must not wait for somebody to say --force: each of its plans takes a part that a person
    can look at, and is guarded like any other.
    """
    live = _live(memory)
    entries, size = _leaving(memory)
    chosen: list[Group] = []
    for group in sorted(groups, key=lambda each: each.title.rpartition(" ")[2]):
        notes = []
        for note in group.notes:
            entries, size = entries + 1, size + len(note.text)
            if entries > FEW and (entries > MOST_SHARE * len(live) or size > MOST_SHARE * sum(live.values())):
                break
            notes.append(note)
        if notes:
            chosen.append(replace(group, notes=tuple(notes)))
        if len(notes) < len(group.notes):
            break
    taken = sum(len(group.notes) for group in chosen)
    return tuple(chosen), sum(len(group.notes) for group in groups) - taken


def _leaving(memory: Memory) -> tuple[int, int]:
    """How many closed entries of append-only types leave for the archive beside the notes, and their bytes."""
    closed = [
        entry
        for entry in memory.entries()
        if memory.type_of(entry).append_only and memory.is_closed(entry) and not memory.is_private(entry.path)
    ]
    return len(closed), sum(len(entry.text) for entry in closed)


def _live(memory: Memory) -> dict[tuple[str, str], int]:
    """The bytes of each entry outside of the archive, by type and id."""
    return {
        (entry.type, entry.id): len(entry.text)
        for entry in memory.entries()
        if not memory.inner(entry.path).startswith(ARCHIVE)
    }
