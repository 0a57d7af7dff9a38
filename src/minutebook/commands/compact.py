"""`minutebook compact`: distil session notes into summaries."""

import re
from collections.abc import Sequence
from datetime import date

import click

from minutebook.commands import options
from minutebook.commands.snapshot import said
from minutebook.compact.plan import plan_compact
from minutebook.compact.summarize import summarize
from minutebook.edges.snapshots import take
from minutebook.ground.change import Plan, Tree
from minutebook.ground.errors import CannotJudge
from minutebook.ground.memory import Memory
from minutebook.settle import settle
from minutebook.similar import salience
from minutebook.workspace import now_or, open_workspace, today_or


@click.command()
@options.dry_run
@options.form()
@click.option("--older-than", metavar="AGE", help="Age from which notes are compacted, as 48h or 30d.")
@options.root
@options.today
def compact(dry_run: bool, form: str, older_than: str | None, root: str | None, today: str | None) -> int:
    """Turn session notes that are old enough into one summary for each month and every 40 notes.

    The originals go to the archive byte for byte. Decisions and other append-only entries go there only when their
    own text says that they are superseded, retracted or obsolete. A summary that isn't smaller than its notes is
    not written. The memory as it was is kept as a snapshot first, whose name is printed.
    """
    workspace = open_workspace(root)
    day = today_or(today)
    plan = compact_plan(workspace.memory, workspace.tree, day, older_than)
    if plan.changes and not dry_run:
        before = take(workspace.repo, workspace.memory.root, "before compact", now_or(today))
        click.echo(f"{said(before)} holds the memory as it was", err=form == "json")
    return settle(workspace, plan, day, dry_run=dry_run, form=form)


def compact_plan(memory: Memory, tree: Tree, today: date, older_than: str | None = None) -> Plan:
    """The plan of a compaction with the offline summary; `older_than` is an age such as 48h or 30d.

    Raises CannotJudge when there is something to summarise and the extra `maintain` is missing.
    """
    return plan_compact(memory, tree, today, _summary, _hours(older_than))


def _summary(texts: Sequence[str], budget: int) -> str:
    return summarize(texts, salience, budget)


def _hours(age: str | None) -> int | None:
    match = re.fullmatch(r"([0-9]{1,5})([hd])", age or "")
    if age is not None and match is None:
        raise CannotJudge(f"--older-than {age}: no age", "write 48h or 30d")
    return int(match[1]) * (24 if match[2] == "d" else 1) if match else None
