"""The end of every verb that plans: judge the plan by the gate, show it, apply it."""

from collections.abc import Iterable, Sequence
from datetime import date

import click

from minutebook.checks import judge
from minutebook.checks.judgement import Case
from minutebook.edges.store import apply
from minutebook.ground.change import Plan, with_changes
from minutebook.ground.memory import memory_after
from minutebook.ground.nouns import counted
from minutebook.ground.problem import Problem
from minutebook.moves.mended import without_mended
from minutebook.pages.in_step import with_index
from minutebook.pages.plan_report import plan_json, plan_text
from minutebook.pages.report import json_text, problem_rows, report
from minutebook.workspace import Workspace


def judge_plan(workspace: Workspace, plan: Plan, today: date) -> tuple[Problem, ...]:
    """What the gate says of the memory that the plan would leave, against the memory as it lies there."""
    case = Case(
        result=memory_after(workspace.memory, workspace.tree, plan.changes),
        tree=with_changes(workspace.tree, plan.changes),
        base=workspace.memory,
        base_tree=workspace.tree,
        changes=plan.changes,
        today=today,
        tracked=False,
    )
    return judge(case)


def errors_of(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems for which the gate refuses a plan."""
    return tuple(problem for problem in problems if problem.severity == "error")


def refuse(errors: Sequence[Problem], what: str, outcome: str = "nothing was written", form: str = "text") -> int:
    """Say on standard error what the gate found in `what`; as JSON, the document on standard output has said it.

    1, the exit code of a plan that is refused.
    """
    if form != "json":
        click.echo(report(errors, "text"), nl=False, err=True)
    click.echo(f"refused: {what} breaks the rules above, {outcome}", err=True)
    return 1


def settle(workspace: Workspace, plan: Plan, today: date, *, dry_run: bool, form: str, explain: bool = False) -> int:
    """Judge, print, and unless `dry_run` apply. 0 when it is done or would be, 1 when the gate refuses it.

    With `explain` the text says of each candidate why it is one.
    """
    plan = with_index(plan, workspace.memory, workspace.tree)
    plan = without_mended(plan, workspace.memory, workspace.tree, today)
    problems = judge_plan(workspace, plan, today)
    if form == "json":
        click.echo(json_text(plan_json(plan) | {"problems": problem_rows(problems)}), nl=False)
    else:
        click.echo(plan_text(plan, explain=explain), nl=False)
    if errors := errors_of(problems):
        return refuse(errors, "the plan", form=form)
    if dry_run or not plan.changes:
        return 0
    written = apply(workspace.store, plan)
    if form != "json":
        out_of_step = any(problem.rule == "index" for problem in problems)
        hint = "; next: minutebook index" if out_of_step else ""
        click.echo(f"wrote {counted(len(written), 'file')}{hint}" if written else "all of it was there already")
    return 0
