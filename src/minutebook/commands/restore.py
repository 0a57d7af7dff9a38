"""`minutebook restore NAME`: bring a snapshot back."""

import json
from datetime import date

import click

from minutebook.commands.snapshot import said
from minutebook.edges.snapshots import find, kept, present, restore_plan, take
from minutebook.edges.store import apply
from minutebook.ground.change import Plan
from minutebook.pages.plan_report import plan_json, plan_text
from minutebook.pages.report import report
from minutebook.settle import judge_plan
from minutebook.workspace import Workspace, now_or, open_workspace, today_or


@click.command()
@click.argument("name")
@click.option("--dry-run", is_flag=True, help="Say what would change, and write nothing.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--root", metavar="FOLDER", help="Which memory root, where there are several.")
@click.option("--today", hidden=True)
def restore(name: str, dry_run: bool, form: str, root: str | None, today: str | None) -> int:
    """Make the memory exactly what snapshot NAME holds; files that came later are removed.

    The memory as it is now is kept first, as a snapshot whose name is printed. You asked for it, so the rules don't
    stop a restore: what they would say is printed as a warning, and the check at commit time still judges the
    result against what is published. `minutebook snapshot --list` shows the names.
    """
    workspace = open_workspace(root)
    repo, within = workspace.repo, workspace.memory.root
    chosen = find(repo, within, name)
    plan = restore_plan(present(repo, within), kept(repo, chosen), name)
    before = None if dry_run or not plan.changes else take(repo, within, f"before {name}"[:40], now_or(today))
    _show(workspace, plan, today_or(today), form, said(before) if before is not None else "")
    if not dry_run:
        apply(workspace.store, plan)
    return 0


def _show(workspace: Workspace, plan: Plan, day: date, form: str, kept_first: str) -> None:
    problems = [each for each in judge_plan(workspace, plan, day) if each.severity == "error"]
    if form == "json":
        found = json.loads(report(problems, "json"))["problems"]
        click.echo(json.dumps(plan_json(plan) | {"problems": found, "before": kept_first}, indent=2))
        return
    if kept_first:
        click.echo(f"{kept_first} holds the memory as it was")
    click.echo(plan_text(plan), nl=False)
    if problems:
        click.echo("at the next commit, `minutebook check` will say:", err=True)
        click.echo(report(problems, "text"), nl=False, err=True)
