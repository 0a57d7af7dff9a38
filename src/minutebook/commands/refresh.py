"""`minutebook refresh`: say which entries look stale, and why."""

from collections.abc import Sequence
from datetime import date, datetime
from math import isnan
from typing import Any

import click

from minutebook.commands import options
from minutebook.commands.snapshot import said
from minutebook.edges import git
from minutebook.edges.snapshots import take
from minutebook.ground.change import Plan
from minutebook.ground.errors import CannotJudge
from minutebook.ground.nouns import counted
from minutebook.ground.problem import Problem
from minutebook.pages.report import json_text, one_line, report
from minutebook.refresh.findings import THRESHOLD, Finding, Signal
from minutebook.refresh.plan import plan_refresh
from minutebook.settle import joined_where_good, settle
from minutebook.staleness.judged import judged
from minutebook.workspace import Workspace, now_or, open_workspace, today_or

_MOST_REASONS = 12


class Probability(click.FloatRange):
    """A number from 0 to 1. Nothing is less than NaN, and nothing more."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if isnan(number):
            self.fail(f"{value} is no number from 0 to 1", param, ctx)
        return number


@click.command()
@click.option("--threshold", type=Probability(0, 1), default=THRESHOLD, show_default=True, help="Least score.")
@click.option("--since", metavar="REV", help="Only what the change since REV makes doubtful.")
@options.form("github")
@click.option("--check", "strict", is_flag=True, help="Exit 1 when anything looks stale.")
@click.option("--apply", "acting", is_flag=True, help="Write `stale:` notes and repaired paths into the entries.")
@click.option("--dry-run", is_flag=True, help="Print what --apply would write, and write nothing.")
@click.option("--model", is_flag=True, help="With --apply: let the model that the config names put sentences right.")
@options.root
@options.today
def refresh(
    threshold: float, since: str | None, form: str, strict: bool, acting: bool, dry_run: bool, model: bool,
    root: str | None, today: str | None,
) -> int:  # fmt: skip
    """List the entries that look stale: code they name that is gone, moved or rewritten since the entry was last
    touched, versions that a manifest no longer says, entries that another one contradicts or supersedes, entries past
    their type's time to live.

    HEAD is compared with the commit that last changed each entry's words, wherever it lay then; with --since, with REV
    for all that the entry named there already: what a pull request makes doubtful. The score is a probability; age
    alone makes 0.03 of it. A reference that never resolved is unknown, not stale. Findings are no errors: the exit code
    is 0, unless --check. A file of memory that can't be read is named, and with --check the exit code is 2.

    With --apply a path that moved gets its new place, and an entry that is doubtful for another reason a `stale:` note;
    with --model its sentences about what is gone are said anew, of the code as it is now, and what isn't in doubt stays
    as it is: code sees to that. Decisions are never edited: a draft that supersedes one is written beside it, for a
    person to accept. Nothing is deleted. The exit code is 1 where the gate refuses one of these changes.
    """
    if form == "github" and (acting or dry_run):
        raise CannotJudge("--format github shows findings, not plans", "leave out --apply and --dry-run")
    if model and not (acting or dry_run):
        raise CannotJudge("--model puts entries right, and nothing was to be written", "add --apply or --dry-run")
    workspace = open_workspace(root)
    day = today_or(today)
    looked = judged(workspace, None, day, since=since)
    findings = [each for each in looked.findings if each.score >= threshold]
    _say_unread(looked.unread)
    code = _verdict(findings, looked.unread) if strict else 0
    if acting or dry_run:
        acted = _acted(workspace, findings, day, threshold, dry_run=dry_run, model=model, form=form, at=now_or(today))
        return acted or code
    due = [each.id for each in looked.findings if each.score < threshold and _is_due(each)]
    click.echo(_shown(findings, due, form), nl=False)
    return code


def _verdict(findings: list[Finding], unread: Sequence[str]) -> int:
    return 2 if unread else 1 if findings else 0


def _say_unread(paths: Sequence[str]) -> None:
    for path in paths:
        click.echo(f"{one_line(path)} can't be read, and was not looked at: minutebook check says why", err=True)


def _acted(
    workspace: Workspace, findings: list[Finding], today: date, threshold: float, *, dry_run: bool, model: bool,
    form: str, at: datetime,
) -> int:  # fmt: skip
    """Write what the findings ask for, or say what that would be; the memory as it was is kept first."""
    from minutebook.staleness.rewrite import chosen_rewriter

    memory, tree = workspace.memory, workspace.tree
    head = git.commit_id(workspace.repo.top, "HEAD")
    with chosen_rewriter(workspace, memory, head, findings, model=model) as rewriter:
        found = plan_refresh(memory, tree, findings, today, threshold, rewriter)
    plan = joined_where_good(workspace, Plan(figures=rewriter.figures()), found, today)
    refused = len(plan.refusals) > len(found.refusals)
    if plan.changes and not dry_run:
        before = take(workspace.repo, memory.root, "before refresh", at)
        click.echo(f"{said(before)} holds the memory as it was", err=form == "json")
    code = settle(workspace, plan, today, dry_run=dry_run, form=form)
    if rewriter.failure is not None:
        raise rewriter.failure
    return code or int(refused)


def _is_due(finding: Finding) -> bool:
    return any(signal.kind == "expired" for signal in finding.signals)


def _shown(findings: list[Finding], due: list[str], form: str) -> str:
    """`due` are the entries that nothing speaks against but their age."""
    if form == "json":
        rows = [
            {
                "id": each.id,
                "type": each.type,
                "path": each.path,
                "line": each.line,
                "kind": each.kind,
                "score": each.score,
                "reasons": list(each.reasons),
                "signals": [_row(signal) for signal in each.signals],
            }
            for each in findings
        ]
        return json_text({"findings": rows, "due": due})
    if form == "github":
        return report([_problem(each) for each in findings], "github")
    later = (
        [f"{counted(len(due), 'entry')} to look at again for age alone (--threshold 0.03 lists them)"] if due else []
    )
    if not findings:
        return "\n".join(["nothing looks stale", *later]) + "\n"
    lines = []
    for each in findings:
        lines.append(f"{each.path}:{each.line}: {each.id} looks stale ({each.kind}, {each.score:.2f})")
        lines += [f"    {reason}" for reason in _first(each.reasons)]
    look = "looks" if len(findings) == 1 else "look"
    return "\n".join([*lines, f"{counted(len(findings), 'entry')} {look} stale", *later]) + "\n"


def _first(reasons: Sequence[str]) -> list[str]:
    """Each reason once, the strongest that there is room for: an annotation holds no list of thousands."""
    different = list(dict.fromkeys(reasons))
    more = len(different) - _MOST_REASONS
    return [*different[:_MOST_REASONS], *([f"and {counted(more, 'more reason')}"] if more > 0 else [])]


def _row(signal: Signal) -> dict[str, object]:
    moved = {"from": signal.moved[0], "to": signal.moved[1]} if signal.moved is not None else None
    return {"kind": signal.kind, "probability": signal.weight, "line": signal.line, "moved": moved}


def _problem(finding: Finding) -> Problem:
    message = f"looks stale: {'; '.join(_first(finding.reasons))}"
    return Problem(finding.path, finding.line, "stale", message, entry=finding.id, severity="warning")
