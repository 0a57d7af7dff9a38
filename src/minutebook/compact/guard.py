"""How much a compaction may take out of the live memory before somebody has to say so."""

from minutebook.ground.change import Plan, Refusal, Tree
from minutebook.ground.frozen import replace
from minutebook.ground.memory import Memory, memory_after
from minutebook.ground.uris import ARCHIVE

MOST_SHARE = 0.5
"""The share of the live entries, or of their bytes, that one plan may take away."""
FEW = 25
"""So few entries may leave in one plan, whatever their share."""


def guarded(plan: Plan, memory: Memory, tree: Tree) -> Plan:
    """The plan, or in its place the refusal of one that takes away too much: the clean-ups that destroyed a memory
    were all within their rights, and nobody had looked."""
    after = memory_after(memory, tree, plan.changes)
    left, kept = _live(memory), _live(after)
    gone = left.keys() - kept.keys()
    if len(gone) <= FEW:
        return plan
    taken, total = sum(left[each] for each in gone), max(1, sum(left.values()))
    if len(gone) <= MOST_SHARE * len(left) and taken <= MOST_SHARE * total:
        return plan
    words = (
        f"it would take {len(gone)} of {len(left)} entries ({100 * taken // total} % of the bytes) out of the live "
        f"memory, and {MOST_SHARE:.0%} is the most: look at it with --dry-run --force, then --force"
    )
    return replace(Plan(), refusals=(*plan.refusals, Refusal("compaction", words)), notes=plan.notes)


def _live(memory: Memory) -> dict[tuple[str, str], int]:
    """The bytes of each entry outside of the archive, by type and id."""
    return {
        (entry.type, entry.id): len(entry.text)
        for entry in memory.entries()
        if not memory.inner(entry.path).startswith(ARCHIVE)
    }
