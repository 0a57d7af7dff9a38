"""What is mended leaves the baseline by itself, with the next plan that writes anything."""

from __future__ import annotations

from minutebook.checks import judge
from minutebook.checks.baseline import Baseline, baseline_bytes, compared
from minutebook.checks.judgement import Case
from minutebook.ground.change import Change, File, Plan, joined, with_changes
from minutebook.ground.errors import CannotJudge
from minutebook.ground.memory import BASELINE, Memory, read_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date

    from minutebook.ground.change import Tree


def shared_case(memory: Memory, tree: Tree, today: date) -> Case:
    """All of memory that git would hold, with nothing to compare it with, and no baseline: what a baseline is about."""
    path = memory.outer(BASELINE)
    shared = {name: file for name, file in tree.items() if not memory.is_private(name) and name != path}
    return Case(read_memory(shared, memory.root, memory.config), shared, None, {}, (), today)


def without_mended(plan: Plan, memory: Memory, tree: Tree, today: date) -> Plan:
    """The plan, and in it the baseline without the rows that what the plan leaves needs no more.

    Nothing is ever added. A baseline that can't be read is left for `minutebook baseline` to make anew.
    """
    path, after = memory.outer(BASELINE), with_changes(tree, plan.changes)
    old = after.get(path)
    if not plan.changes or old is None or any(change.path == path for change in plan.changes):
        return plan
    case = shared_case(memory, after, today)
    try:
        found = compared(judge(case), Baseline(old.data, case))
    except CannotJudge:
        return plan
    if not found.unused:
        return plan
    data = baseline_bytes(found.known, case)
    change = Change(path, old, File(data) if data is not None else None, "what is mended leaves it")
    return joined(plan, Plan((change,)))
