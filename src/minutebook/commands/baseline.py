"""`minutebook baseline`: accept today's problems, so that only new ones fail."""

from collections import Counter

import click

from minutebook.checks import judge
from minutebook.checks.baseline import NEVER, baseline_bytes
from minutebook.commands import options
from minutebook.ground.change import Change, File, Plan
from minutebook.ground.memory import BASELINE
from minutebook.moves.mended import shared_case
from minutebook.pages.report import report
from minutebook.settle import settle
from minutebook.workspace import open_workspace, today_or


@click.command()
@options.dry_run
@options.form()
@options.root
@options.today
def baseline(dry_run: bool, form: str, root: str | None, today: str | None) -> int:
    """Accept today's problems, so that only new ones fail.

    All of memory is judged as it lies here, and what is found goes into baseline.json beneath the memory root, to be
    committed. What is append-only is never accepted.

    What was accepted stays so when lines shift, and when an entry or a file moves. What is mended leaves the file here,
    and with the next verb that writes memory; `minutebook check --all` says when rows can go. `check --no-baseline`
    shows everything.
    """
    workspace = open_workspace(root)
    memory, day = workspace.memory, today_or(today)
    case = shared_case(memory, workspace.tree, day)
    problems = judge(case)
    left = [problem for problem in problems if problem.rule in NEVER and problem.severity == "error"]
    counts = Counter(problem.rule for problem in problems if problem.rule not in NEVER)
    path, data = memory.outer(BASELINE), baseline_bytes(problems, case)
    old, new = workspace.tree.get(path), File(data) if data is not None else None
    notes = [f"{rule}: {count} accepted" for rule, count in sorted(counts.items())] or ["nothing to accept"]
    changes = (Change(path, old, new, "today's problems" if counts else "nothing is left of it"),) if old != new else ()
    if changes and counts:
        notes.append("commit it: `minutebook check` reads what git holds")
    code = settle(workspace, Plan(changes, notes=tuple(notes)), day, dry_run=dry_run, form=form)
    if left:
        click.echo(report(left, "text") + "these can't be accepted", err=True)
    return code or (1 if left else 0)
