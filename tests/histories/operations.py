"""What people and tools do to memory: each turns one state into the next, or is None where it can't be done."""

from histories.additions import append, backdated, copy, duplicate, insert, new_file, supersede
from histories.alterations import (
    addendum,
    change_day,
    change_id,
    edit,
    edit_addendum,
    edit_draft,
    line_ends,
    mark,
    mode,
    preamble,
    rewrap,
    seal,
    space,
    status,
    unmark,
)  # fmt: skip
from histories.given import Given, Operation
from histories.model import State
from histories.moves import archive, cut, delete, delete_file, move, rename, rename_and_edit, reorder, split


def unchanged(given: Given) -> State | None:
    return given.state


OPERATIONS: dict[str, Operation] = {
    each.__name__: each
    for each in (
        append, insert, new_file, backdated, edit, rewrap, change_id, change_day, space, line_ends, mark, unmark,
        status, seal, edit_draft, addendum, edit_addendum, delete, delete_file, cut, reorder, split, move, archive,
        rename, rename_and_edit, supersede, duplicate, copy, mode, preamble, unchanged,
    )
}  # fmt: skip
