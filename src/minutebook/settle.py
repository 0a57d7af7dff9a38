"""The end of every verb that plans: judge the plan by the gate, show it, apply it."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime

import click

from minutebook.checks import judge
from minutebook.checks.cases import Side, cases
from minutebook.checks.judgement import Case
from minutebook.edges import bases
from minutebook.edges.snapshots import Snapshot, take
from minutebook.edges.store import Store, apply
from minutebook.edges.trees import listed, memory_at, part_of
from minutebook.ground.change import SUBMODULE, Plan, Refusal, Tree, joined, with_changes
from minutebook.ground.config import CONFIG
from minutebook.ground.frozen import replace
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


def judge_published(workspace: Workspace, plan: Plan, today: date) -> tuple[Problem, ...]:
    """The errors that `check` will find at the next commit and wouldn't find without the plan.

    The base is what is published, not what lies in the work tree: what nobody has published yet may go again. Raises
    CannotJudge when it isn't known (a shallow clone).
    """
    now = {_without_line(each) for each in _against_published(workspace, workspace.tree, today)}
    after = _against_published(workspace, with_changes(workspace.tree, plan.changes), today)
    return tuple(sorted({each for each in after if _without_line(each) not in now}))


def _against_published(workspace: Workspace, tree: Tree, today: date) -> Iterator[Problem]:
    repo, root = workspace.repo, workspace.memory.root
    for base in bases.staged_bases(repo):
        found = listed(repo.top, base.commit, None)
        ours = [path.startswith(f"{root}/") or bool(workspace.config.mapped_as(path)) for path in found.sides[1]]
        beside = [path for path, mine in zip(found.sides[1], ours, strict=True) if not mine]
        after = Side({**part_of(repo.top, found.sides[1], beside), **tree}, workspace.config)
        before = Side(memory_at(repo.top, base.commit, found.places), found.old) if base.commit is not None else None
        merged = [memory_at(repo.top, side, found.places) for side in bases.merged_sides(repo, base.commit, None)]
        for case in cases(before, after, today, merged=merged):
            if case.result.root == root:
                yield from errors_of(judge(case))


def _without_line(problem: Problem) -> tuple[str, str, str, str]:
    return problem.path, problem.rule, problem.entry, problem.message


def keep_base(workspace: Workspace, when: datetime) -> Snapshot:
    """Keep the memory of the commit that a plan is made for, as `minutebook restore` brings it back."""
    root, config = workspace.store.within, workspace.config
    kept = {
        path: file
        for path, file in workspace.tree.items()
        if file.mode != SUBMODULE
        and (path.startswith(f"{root}/") or (config.mapped and (path == CONFIG or config.mapped_as(path))))
    }
    return take(workspace.repo, root, "before propose", when, kept)


def store_for(workspace: Workspace, plan: Plan) -> Store:
    """What may write the plan: the store of the root, or of the whole work tree when every path beside the root is one
    that the config maps to it."""
    beside = [each.path for each in plan.changes if not each.path.startswith(f"{workspace.store.within}/")]
    if beside and all(workspace.config.mapped_as(path) for path in beside):
        return Store(workspace.repo, "")
    return workspace.store


def errors_of(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems for which the gate refuses a plan."""
    return tuple(problem for problem in problems if problem.severity == "error")


def joined_if_good(workspace: Workspace, plan: Plan, step: Plan, today: date, name: str) -> Plan:
    """Both plans as one; where the gate refuses that, `plan` with the refusal of the step, which is called `name`."""
    both = joined(plan, step)
    error = next(iter(errors_of(judge_plan(workspace, both, today)) if step.changes else ()), None)
    if error is None:
        return both
    where = f"{error.path}, {error.rule}: {error.message}"
    return replace(plan, refusals=(*plan.refusals, Refusal(name, f"the gate refuses it ({where})")))


def joined_where_good(workspace: Workspace, plan: Plan, found: Plan, today: date) -> Plan:
    """Both plans as one, with a refusal in place of each change of a refresh that the gate refuses: one entry's old
    debt doesn't hold up the rest."""
    both = joined(plan, found)
    if not found.changes or not errors_of(judge_plan(workspace, both, today)):
        return both
    for change in found.changes:
        plan = joined_if_good(workspace, plan, Plan((change,)), today, f"refresh of {change.path}")
    return joined(plan, replace(found, changes=()))


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
    written = apply(store_for(workspace, plan), plan)
    if form != "json":
        out_of_step = any(problem.rule == "index" for problem in problems)
        hint = "; next: minutebook index" if out_of_step else ""
        click.echo(f"wrote {counted(len(written), 'file')}{hint}" if written else "all of it was there already")
    return 0
