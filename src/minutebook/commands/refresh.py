"""`minutebook refresh`: say which entries look stale, and why."""

from datetime import date
from functools import cache

import click

from minutebook.commands import options
from minutebook.commands.snapshot import said
from minutebook.edges import git
from minutebook.edges.memory_history import Touch, code_files, last_touched, text_reader, vanished, word_finder
from minutebook.edges.snapshots import take
from minutebook.ground.entry import Entry
from minutebook.ground.errors import CannotJudge
from minutebook.ground.memory import Memory
from minutebook.ground.nouns import counted
from minutebook.ground.problem import Problem
from minutebook.pages.report import json_text, report
from minutebook.refresh.anchors import references
from minutebook.refresh.findings import THRESHOLD, Finding, Past, find_stale
from minutebook.refresh.plan import plan_refresh
from minutebook.refresh.resolve import View
from minutebook.settle import settle
from minutebook.similar import drift
from minutebook.workspace import Workspace, now_or, open_workspace, today_or


@click.command()
@click.option("--threshold", type=click.FloatRange(0, 1), default=THRESHOLD, show_default=True, help="Least score.")
@options.form("github")
@click.option("--check", "strict", is_flag=True, help="Exit 1 when anything looks stale.")
@click.option("--apply", "acting", is_flag=True, help="Write `stale:` notes and repaired anchors into the entries.")
@click.option("--dry-run", is_flag=True, help="Print what --apply would write, and write nothing.")
@options.root
@options.today
def refresh(
    threshold: float, form: str, strict: bool, acting: bool, dry_run: bool, root: str | None, today: str | None
) -> int:
    """List the entries that look stale: code they name that is gone, moved or rewritten since the entry was last
    touched, entries past their type's time to live, entries that a newer one supersedes.

    HEAD is compared with the commit that last touched each entry. A reference that never resolved is unknown, not
    stale. Findings are no errors: the exit code is 0, unless --check. Decisions are never edited, not by --apply
    either: what to add instead is proposed.
    """
    if form == "github" and (acting or dry_run):
        raise CannotJudge("--format github shows findings, not plans", "leave out --apply and --dry-run")
    workspace = open_workspace(root)
    day = today_or(today)
    findings = [each for each in stale_entries(workspace, workspace.memory, day) if each.score >= threshold]
    if acting or dry_run:
        plan = plan_refresh(workspace.memory, workspace.tree, findings, day, threshold)
        if plan.changes and not dry_run:
            before = take(workspace.repo, workspace.memory.root, "before refresh", now_or(today))
            click.echo(f"{said(before)} holds the memory as it was", err=form == "json")
        return settle(workspace, plan, day, dry_run=dry_run, form=form)
    click.echo(_shown(findings, form), nl=False)
    return 1 if strict and findings else 0


def stale_entries(workspace: Workspace, memory: Memory, today: date, rev: str = "HEAD") -> list[Finding]:
    """Every finding, whatever its score, of `memory` against the code at `rev`; `memory` may be what a plan leaves.

    Raises CannotJudge in a shallow clone, where what was there before is unknown.
    """
    top = workspace.repo.top
    if git.is_shallow(top):
        raise CannotJudge("the clone is shallow, so what the entries were about can't be told", "git fetch --unshallow")
    return find_stale(memory, _past(workspace, memory, rev), today, drift)


def _past(workspace: Workspace, memory: Memory, rev: str) -> Past:
    top = workspace.repo.top
    head = git.commit_id(top, rev)
    if head is None:
        return Past(lambda _: None, None, lambda _: "")
    touched = last_touched(top, memory, head)
    named = {each.text for entry in memory.entries() for each in references(entry) if each.kind == "identifier"}
    roots = workspace.config.roots or (memory.root,)
    read, words, gone = text_reader(top), word_finder(top, named), vanished(top, head)

    @cache
    def view(touch: Touch) -> View:
        files = code_files(top, touch.commit, roots)
        spoken = cache(lambda: words(files))
        return View(touch.commit, touch.day, files, read, lambda name: name in spoken())

    def then(entry: Entry) -> View | None:
        touch = touched.get((entry.path, entry.id))
        return view(touch) if touch is not None else None

    def gone_since(path: str) -> str:
        touch = gone(path)
        return f" since {touch.commit[:8]} ({touch.day})" if touch is not None else ""

    day = git.asked(top, "log", "-1", "--format=%cs", head) or ""
    return Past(then, view(Touch(head, day)), gone_since)


def _shown(findings: list[Finding], form: str) -> str:
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
            }
            for each in findings
        ]
        return json_text({"findings": rows})
    if form == "github":
        return report([_problem(each) for each in findings], "github")
    if not findings:
        return "nothing looks stale\n"
    lines = []
    for each in findings:
        lines.append(f"{each.path}:{each.line}: {each.id} looks stale ({each.kind}, {each.score:.2f})")
        lines += [f"    {reason}" for reason in each.reasons]
    look = "looks" if len(findings) == 1 else "look"
    return "\n".join([*lines, f"{counted(len(findings), 'entry')} {look} stale"]) + "\n"


def _problem(finding: Finding) -> Problem:
    message = f"looks stale: {'; '.join(finding.reasons)}"
    return Problem(finding.path, finding.line, "stale", message, entry=finding.id, severity="warning")
