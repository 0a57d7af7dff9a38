"""The generated index kept in step with a plan, where the config makes anything else an error."""

from minutebook.ground.change import Change, File, Plan, Tree, joined, with_changes
from minutebook.ground.entry import decode, encode
from minutebook.ground.memory import INDEX, Memory, memory_after
from minutebook.pages.index_page import index_page, is_generated


def with_index(plan: Plan, memory: Memory, tree: Tree) -> Plan:
    """The plan, with `index.md` rewritten for what it leaves when the config says `index: strict`.

    An index that was made by hand, or isn't there, is left alone. Otherwise the plan stays as it is: a branch doesn't
    have to carry the index, since two branches that both rewrite it conflict.
    """
    after = with_changes(tree, plan.changes)
    if not plan.changes or memory.config.index != "strict" or memory.outer(INDEX) not in after:
        return plan
    change = index_change(memory_after(memory, tree, plan.changes), after)
    return joined(plan, Plan((change,))) if change is not None else plan


def index_change(memory: Memory, tree: Tree) -> Change | None:
    """`index.md` made, or rewritten, for the entries of `memory`, which was read from `tree`; None when it is in step
    or was made by hand."""
    return page_change(memory.outer(INDEX), index_page(memory), tree)


def page_change(path: str, text: str, tree: Tree) -> Change | None:
    """A generated page made or rewritten; None when it is in step or was made by hand."""
    old, new = tree.get(path), File(encode(text))
    if old == new or by_hand(old):
        return None
    return Change(path, old, new, "in step with the entries")


def by_hand(page: File | None) -> bool:
    """Whether the page is somebody's own work, to be left alone."""
    return page is not None and not is_generated(decode(page.data))
