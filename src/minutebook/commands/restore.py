"""`minutebook restore NAME [PATH]`: bring a snapshot back, or a part of it."""

import os
from datetime import date
from pathlib import Path

import click

from minutebook.commands import options
from minutebook.commands.snapshot import said
from minutebook.edges.snapshots import beneath, find, kept, present, restore_plan, take
from minutebook.edges.store import apply
from minutebook.ground.change import Plan, Tree
from minutebook.ground.errors import CannotJudge
from minutebook.pages.plan_report import plan_json, plan_text
from minutebook.pages.report import json_text, problem_rows, report
from minutebook.settle import errors_of, judge_plan
from minutebook.workspace import Workspace, now_or, open_workspace, today_or


@click.command()
@click.argument("name")
@click.argument("path", required=False)
@options.dry_run
@options.form()
@options.root
@options.today
def restore(name: str, path: str | None, dry_run: bool, form: str, root: str | None, today: str | None) -> int:
    """Make the memory exactly what snapshot NAME holds; files that came later are removed.

    With PATH only that file or folder of the memory. The memory as it is now is kept first, as a snapshot whose name
    is printed. You asked for it, so the rules don't stop a restore: what they would say is printed as a warning, and
    the check at commit time still judges the result against what is published. `minutebook snapshots` shows the names.
    """
    workspace = open_workspace(root)
    repo, within = workspace.repo, workspace.memory.root
    chosen = find(repo, within, name)
    now: Tree = present(repo, within)
    then: Tree = kept(repo, chosen)
    if path is not None:
        now, then = _narrowed(workspace, path, now, then)
    plan = restore_plan(now, then, name)
    before = None if dry_run or not plan.changes else take(repo, within, f"before {name}"[:40], now_or(today))
    _show(workspace, plan, today_or(today), form, said(before) if before is not None else "")
    if not dry_run:
        apply(workspace.store, plan)
    return 0


def _narrowed(workspace: Workspace, path: str, now: Tree, then: Tree) -> tuple[Tree, Tree]:
    """Both trees at and beneath a path, which is from the current folder, the top or the memory root. Raises
    CannotJudge when neither tree has anything there."""
    here = Path(os.path.relpath(os.path.normpath(Path.cwd() / path), workspace.repo.top)).as_posix()
    plain = Path(os.path.normpath(path)).as_posix()
    for wanted in dict.fromkeys((here, plain, workspace.memory.outer(plain))):
        old, new = beneath(now, wanted), beneath(then, wanted)
        if old or new:
            return old, new
    raise CannotJudge(f"neither the snapshot nor the memory holds {path!r}", "name a file or a folder of the memory")


def _show(workspace: Workspace, plan: Plan, day: date, form: str, kept_first: str) -> None:
    problems = errors_of(judge_plan(workspace, plan, day))
    if form == "json":
        more = {"problems": problem_rows(problems), "before": kept_first}
        click.echo(json_text(plan_json(plan) | more), nl=False)
        return
    if kept_first:
        click.echo(f"{kept_first} holds the memory as it was")
    click.echo(plan_text(plan), nl=False)
    if problems:
        click.echo("at the next commit, `minutebook check` will say:", err=True)
        click.echo(report(problems, "text"), nl=False, err=True)
