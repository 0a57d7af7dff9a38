"""`minutebook restore NAME [PATH]`: bring a snapshot back, or a part of it."""

import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import click

from minutebook.commands import options
from minutebook.commands.snapshot import said
from minutebook.edges import git
from minutebook.edges.snapshots import find, kept, present, take
from minutebook.edges.store import apply
from minutebook.ground.change import Plan, Tree
from minutebook.ground.errors import CannotJudge
from minutebook.ground.nouns import counted
from minutebook.ground.problem import Problem
from minutebook.moves.restored import beneath, restore_plan, shared_part
from minutebook.pages.plan_report import plan_json, plan_text
from minutebook.pages.report import json_text, problem_rows, report
from minutebook.settle import judge_published, refuse, store_for
from minutebook.workspace import Workspace, now_or, open_workspace, today_or

_HELD = ("append-only", "scope")
"""The rules that a restore breaks only when it is forced; what others say of it is told."""


@click.command()
@click.argument("name")
@click.argument("path", required=False)
@options.dry_run
@click.option("--force", is_flag=True, help="Also when it takes back what is published in an append-only log.")
@options.form()
@options.root
@options.today
def restore(
    name: str, path: str | None, dry_run: bool, force: bool, form: str, root: str | None, today: str | None
) -> int:
    """Make the memory exactly what snapshot NAME holds; files that came later are removed.

    With PATH only that file or folder of the memory. `minutebook snapshots` shows the names; a memory whose folder is
    gone comes back too. The memory as it is now is kept first, as a snapshot whose name is printed: restore that one to
    undo this.

    A restore is a plan like any other, all or nothing. One that would lose, change or bring back what is published in
    an append-only log (a decision that came after the snapshot, a text that was expunged since) is refused: name a
    PATH beside it, or say --force, and the check at commit time still judges the result. Other errors that the check
    will find are printed, and don't stop it. Symlinks are never written; where one is in the way the exit code is 1.

    \b
    minutebook restore 20261120T120000Z-before-compact --dry-run     what would change
    minutebook restore 20261120T120000Z-before-compact               all of it
    minutebook restore 20261120T120000Z-before-compact sessions      the session notes alone
    """
    chosen = find(git.repository(Path.cwd()), None, name)
    workspace = open_workspace(root or chosen.root)
    if workspace.store.within != chosen.root:
        raise CannotJudge(f"{name} is a snapshot of {chosen.root}", f"--root {chosen.root}")
    plan = restore_plan(*_trees(workspace, path, kept(workspace.repo, chosen)), name)
    problems = _judged(workspace, plan, today_or(today), force=force) if plan.changes else ()
    refused = not force and any(each.rule in _HELD for each in problems)
    acting = bool(plan.changes) and not dry_run and not refused
    before = take(workspace.repo, chosen.root, "before restore", now_or(today)) if acting else None
    _show(plan, problems, form, said(before) if before is not None else "", refused=refused)
    if refused:
        code = refuse(problems, "the restore", form=form)
        click.echo("  try: minutebook restore NAME PATH for a part, or --force", err=True)
        return code
    if acting:
        done = apply(store_for(workspace, plan), plan)
        if form != "json":
            click.echo(f"restored {counted(len(done), 'file')}" if done else "all of it was there already")
    return int(bool(plan.refusals))


def _trees(workspace: Workspace, path: str | None, then: Tree) -> tuple[Tree, Tree]:
    """The memory as it is and as it was, at and beneath a path, which is from the current folder, the top or the memory
    root. Raises CannotJudge when neither has anything there."""
    root = workspace.store.within
    now, then = shared_part(present(workspace.repo, root), then, root, workspace.config)
    if path is None:
        return now, then
    here = Path(os.path.relpath(os.path.normpath(Path.cwd() / path), workspace.repo.top)).as_posix()
    plain = Path(os.path.normpath(path)).as_posix()
    for wanted in dict.fromkeys((here, plain, workspace.memory.outer(plain))):
        old, new = beneath(now, wanted), beneath(then, wanted)
        if old or new:
            return old, new
    raise CannotJudge(f"neither the snapshot nor the memory holds {path!r}", "name a file or a folder of the memory")


def _judged(workspace: Workspace, plan: Plan, day: date, *, force: bool) -> tuple[Problem, ...]:
    try:
        return judge_published(workspace, plan, day)
    except CannotJudge as error:
        if force:
            return ()
        raise CannotJudge(f"what is published isn't known: {error}", f"{error.hint}; or --force") from None


def _show(plan: Plan, problems: Sequence[Problem], form: str, kept_first: str, *, refused: bool) -> None:
    if form == "json":
        more = {"problems": problem_rows(problems), "before": kept_first}
        click.echo(json_text(plan_json(plan) | more), nl=False)
        return
    if kept_first:
        click.echo(f"{kept_first} holds the memory as it was")
    click.echo(plan_text(plan), nl=False)
    if problems and not refused:
        click.echo("at the next commit, `minutebook check` will say:", err=True)
        click.echo(report(problems, "text"), nl=False, err=True)
