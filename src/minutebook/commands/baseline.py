"""`minutebook baseline`: accept today's problems, so that only new ones fail."""

from collections import Counter
from datetime import date

import click

from minutebook.checks import judge
from minutebook.checks.baseline import NEVER, baseline_bytes
from minutebook.checks.judgement import Case
from minutebook.commands import options
from minutebook.edges.store import apply
from minutebook.ground.change import Change, File, Plan
from minutebook.ground.memory import BASELINE, read_memory
from minutebook.ground.problem import Problem
from minutebook.pages.report import report
from minutebook.workspace import Workspace, open_workspace, today_or


@click.command()
@options.root
@options.today
def baseline(root: str | None, today: str | None) -> int:
    """Accept today's problems, so that only new ones fail.

    All of memory is judged as it lies here, and what is found goes into baseline.json beneath the memory root, to be
    committed. A problem that is mended leaves the file. What is append-only is never accepted.
    """
    workspace = open_workspace(root)
    problems = _problems(workspace, today_or(today))
    left = [problem for problem in problems if problem.rule in NEVER and problem.severity == "error"]
    counts = Counter(problem.rule for problem in problems if problem.rule not in NEVER)
    written = apply(workspace.store, _plan(workspace, problems))
    for rule, count in sorted(counts.items()):
        click.echo(f"{rule}: {count} accepted")
    if not counts:
        click.echo("nothing to accept")
    path = workspace.memory.outer(BASELINE)
    click.echo(
        f"{path} is written: commit it (`minutebook check` reads what git holds)"
        if written and counts
        else _unwritten(path, written)
    )
    if left:
        click.echo(report(left, "text") + "these can't be accepted", err=True)
    return 1 if left else 0


def _unwritten(path: str, written: tuple[str, ...]) -> str:
    return f"{path} is gone: nothing is left of it" if written else "nothing changed"


def _problems(workspace: Workspace, today: date) -> tuple[Problem, ...]:
    """What is wrong with what git would hold: private owner spaces are no part of it."""
    memory = workspace.memory
    tree = {path: file for path, file in workspace.tree.items() if not memory.is_private(path)}
    result = read_memory(tree, memory.root, workspace.config)
    return judge(Case(result, tree, None, {}, (), today))


def _plan(workspace: Workspace, problems: tuple[Problem, ...]) -> Plan:
    path = workspace.memory.outer(BASELINE)
    data = baseline_bytes(problems)
    old, new = workspace.tree.get(path), File(data) if data is not None else None
    return Plan((Change(path, old, new, "accept today's problems"),)) if old != new else Plan()
