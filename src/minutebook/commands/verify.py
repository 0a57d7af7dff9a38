"""`minutebook verify ID`: somebody looked, and it is true."""

from difflib import get_close_matches

import click

from minutebook.commands import options
from minutebook.ground.errors import CannotJudge
from minutebook.refresh.verified import plan_verified
from minutebook.settle import settle
from minutebook.workspace import open_workspace, today_or


@click.command()
@click.argument("names", metavar="ID...", nargs=-1, required=True)
@options.dry_run
@options.form()
@options.root
@options.today
def verify(names: tuple[str, ...], dry_run: bool, form: str, root: str | None, today: str | None) -> int:
    """Say that the entries were looked at today and are true: their `verified` date becomes today, and a `stale:`
    note leaves them.

    Nothing else advances that date: no refresh, no rewrite, no merge. A decision isn't edited; it gets the day as an
    addendum.
    """
    workspace = open_workspace(root)
    day = today_or(today)
    known = {entry.id for entry in workspace.memory.entries()}
    for name in names:
        if name not in known:
            close = get_close_matches(name, sorted(known), 1)
            raise CannotJudge(f"no entry {name!r}", f"did you mean {close[0]}?" if close else "minutebook search WORDS")
    plan = plan_verified(workspace.memory, workspace.tree, names, day)
    code = settle(workspace, plan, day, dry_run=dry_run, form=form)
    return code or (1 if plan.refusals else 0)
