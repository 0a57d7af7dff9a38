"""`minutebook refresh`: say which entries look stale, and why."""

from datetime import date

import click

from minutebook.commands import options
from minutebook.commands.past import drifting, past_of, shipped_model
from minutebook.commands.snapshot import said
from minutebook.edges import git
from minutebook.edges.refresh_cache import Cache, with_cache
from minutebook.edges.snapshots import take
from minutebook.ground.errors import CannotJudge
from minutebook.ground.memory import Memory
from minutebook.ground.nouns import counted
from minutebook.ground.problem import Problem
from minutebook.pages.report import json_text, report
from minutebook.refresh.drifted import UNMOVED
from minutebook.refresh.findings import THRESHOLD, Finding, Past, Signal, find_stale
from minutebook.refresh.plan import plan_refresh
from minutebook.settle import settle
from minutebook.workspace import Workspace, now_or, open_workspace, today_or


@click.command()
@click.option("--threshold", type=click.FloatRange(0, 1), default=THRESHOLD, show_default=True, help="Least score.")
@click.option("--since", default="", metavar="REV", help="Only what the change since REV makes doubtful.")
@options.form("github")
@click.option("--check", "strict", is_flag=True, help="Exit 1 when anything looks stale.")
@click.option("--apply", "acting", is_flag=True, help="Write `stale:` notes and repaired paths into the entries.")
@click.option("--dry-run", is_flag=True, help="Print what --apply would write, and write nothing.")
@options.root
@options.today
def refresh(
    threshold: float, since: str, form: str, strict: bool, acting: bool, dry_run: bool, root: str | None,
    today: str | None,
) -> int:  # fmt: skip
    """List the entries that look stale: code they name that is gone, moved or rewritten since the entry was last
    touched, versions that a manifest no longer says, entries that another one contradicts or supersedes, entries past
    their type's time to live.

    HEAD is compared with the commit that last touched each entry; with --since, with REV where that is later: what a
    pull request makes doubtful. The score is a probability; age alone makes 0.3 of it. A reference that never resolved
    is unknown, not stale. Findings are no errors: the exit code is 0, unless --check. Decisions are never edited, not
    by --apply either: what to add instead is proposed.
    """
    if form == "github" and (acting or dry_run):
        raise CannotJudge("--format github shows findings, not plans", "leave out --apply and --dry-run")
    workspace = open_workspace(root)
    day = today_or(today)
    everything = stale_entries(workspace, workspace.memory, day, since=since)
    findings = [each for each in everything if each.score >= threshold]
    if acting or dry_run:
        plan = plan_refresh(workspace.memory, workspace.tree, findings, day, threshold)
        if plan.changes and not dry_run:
            before = take(workspace.repo, workspace.memory.root, "before refresh", now_or(today))
            click.echo(f"{said(before)} holds the memory as it was", err=form == "json")
        return settle(workspace, plan, day, dry_run=dry_run, form=form)
    due = [each.id for each in everything if each not in findings and _is_due(each)]
    click.echo(_shown(findings, due, form), nl=False)
    return 1 if strict and findings else 0


def stale_entries(
    workspace: Workspace, memory: Memory, today: date, rev: str = "HEAD", since: str = ""
) -> list[Finding]:
    """Every finding, whatever its score, of `memory` against the code at `rev`; `memory` may be what a plan leaves.

    Raises CannotJudge in a shallow clone, where what was there before is unknown, and when `since` is no commit.
    """
    top = workspace.repo.top
    if git.is_shallow(top):
        raise CannotJudge("the clone is shallow, so what the entries were about can't be told", "git fetch --unshallow")
    head = git.commit_id(top, rev)
    start = _start(workspace, since, head) if since else ""
    model = shipped_model()
    if head is None:
        return find_stale(memory, Past(lambda _: None, None, lambda _: ""), today, lambda *_: UNMOVED, model)

    def found(cached: Cache) -> list[Finding]:
        past, recalled = past_of(workspace, memory, head, cached, start)
        findings = find_stale(memory, past, today, drifting(top, cached), model, by_change=bool(since))
        if not since:
            cached.note("code", recalled.heard)
        return findings

    return with_cache(workspace.repo.git_dir, memory.root, found)


def _start(workspace: Workspace, since: str, head: str | None) -> str:
    """The commit that a change started from: where it left the branch that `since` names."""
    start = git.commit_id(workspace.repo.top, since)
    if start is None or head is None:
        raise CannotJudge(f"--since {since}: no such commit", "git fetch, or name a commit that is here")
    bases = git.merge_bases(workspace.repo.top, start, head)
    if not bases:
        raise CannotJudge(f"--since {since}: HEAD has no commit in common with it", "name a commit of this history")
    return bases[0]


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
    later = [f"{counted(len(due), 'entry')} to look at again for age alone (--threshold 0.3 lists them)"] if due else []
    if not findings:
        return "\n".join(["nothing looks stale", *later]) + "\n"
    lines = []
    for each in findings:
        lines.append(f"{each.path}:{each.line}: {each.id} looks stale ({each.kind}, {each.score:.2f})")
        lines += [f"    {reason}" for reason in each.reasons]
    look = "looks" if len(findings) == 1 else "look"
    return "\n".join([*lines, f"{counted(len(findings), 'entry')} {look} stale", *later]) + "\n"


def _row(signal: Signal) -> dict[str, object]:
    moved = {"from": signal.moved[0], "to": signal.moved[1]} if signal.moved is not None else None
    return {"kind": signal.kind, "probability": signal.weight, "line": signal.line, "moved": moved}


def _problem(finding: Finding) -> Problem:
    message = f"looks stale: {'; '.join(finding.reasons)}"
    return Problem(finding.path, finding.line, "stale", message, entry=finding.id, severity="warning")
