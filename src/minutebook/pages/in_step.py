"""The generated index kept in step with a plan, where the config makes anything else an error."""

from minutebook.ground.change import Change, File, Plan, Tree, joined, with_changes
from minutebook.ground.entry import decode, encode
from minutebook.ground.memory import INDEX, Memory, read_memory
from minutebook.pages.index_page import index_page, is_generated


def with_index(plan: Plan, memory: Memory, tree: Tree) -> Plan:
    """The plan, with `index.md` rewritten for what it leaves when the config says `index: strict`.

    An index that was made by hand, or isn't there, is left alone. Otherwise the plan stays as it is: a branch doesn't
    have to carry the index, since two branches that both rewrite it conflict.
    """
    after = with_changes(tree, plan.changes)
    if not plan.changes or memory.config.index != "strict" or memory.outer(INDEX) not in after:
        return plan
    change = index_change(read_memory(after, memory.root, memory.config), after)
    return joined(plan, Plan((change,))) if change is not None else plan


def index_change(memory: Memory, tree: Tree) -> Change | None:
    """`index.md` made, or rewritten, for the entries of `memory`, which was read from `tree`; None when it is in step
    or was made by hand."""
    path = memory.outer(INDEX)
    old = tree.get(path)
    if old is not None and not is_generated(decode(old.data)):
        return None
    new = File(encode(index_page(memory)))
    return Change(path, old, new, "in step with the entries") if new != old else None
