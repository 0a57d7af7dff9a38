"""`minutebook check`: the gate."""

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import click

from minutebook.checks import RULES, judge
from minutebook.checks.baseline import without_known
from minutebook.checks.cases import Side, cases
from minutebook.checks.judgement import Case
from minutebook.edges import bases, git, git_objects
from minutebook.edges.bases import Base
from minutebook.edges.trees import Comparison, compared, memory_at
from minutebook.edges.work_tree import usual_roots
from minutebook.ground.config import CONFIG
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import stray_roots
from minutebook.ground.nouns import counted
from minutebook.ground.problem import Problem
from minutebook.pages.report import report

PROMISE = ("append-only", "scope", "modes")
_OWN = ("config", "roots")
_MOST_PATHS = 500


@frozen
class Question:
    """What is judged: `head` (None: the index) against each base; in a merge `parents` are its sides."""

    head: str | None
    bases: tuple[Base, ...]
    parents: tuple[str, ...] = ()


@frozen
class Verdict:
    """`known` problems are in the baseline and left out; `entries` is how many were under judgement."""

    problems: tuple[Problem, ...]
    entries: int
    known: int


@click.command()
@click.option("--staged", is_flag=True, help="Judge what is staged, as a commit would take it.")
@click.option("--since", metavar="REV", help="Judge HEAD against the commit where it left REV.")
@click.option("--exact", is_flag=True, help="With --since: against REV itself, which must be an ancestor.")
@click.option("--head", metavar="REV", help="With --since: judge this commit in place of HEAD.")
@click.option("--pushed-to", metavar="REF", help="With --since: the remote's ref; --exact if it is a published one.")
@click.option("--all", "everything", is_flag=True, help="Judge all tracked memory; nothing is compared.")
@click.option("--only", multiple=True, metavar="RULE", help=f"Only this rule: {', '.join([*RULES, *_OWN])}.")
@click.option("--format", "form", type=click.Choice(["text", "github", "json"]), default="text", show_default=True)
@click.option("--no-baseline", is_flag=True, help="Show the problems too that `minutebook baseline` accepted.")
@click.option("--today", type=click.DateTime(["%Y-%m-%d"]), hidden=True)
def check(
    staged: bool, since: str | None, exact: bool, head: str | None, pushed_to: str | None, everything: bool,
    only: tuple[str, ...], form: str, no_baseline: bool, today: datetime | None,
) -> int:  # fmt: skip
    """Judge memory: staged, since a revision, or all of it.

    Every memory root is judged, by what git holds: never by the work tree. What is staged is compared with the
    commit where HEAD left the published branch, or with HEAD when none is known.

    With none of --staged, --since and --all: the range that pre-commit was given, if any; else what is staged; if
    nothing is, the range of the event that a GitHub workflow runs for; else --all, on the index.

    Exit code 0: fine, warnings at most. 1: errors. 2: it can't be judged, never a pass.
    """
    if staged + everything + (since is not None) > 1:
        raise click.UsageError("--staged, --since and --all exclude each other")
    if since is None and (exact or head is not None or pushed_to is not None):
        raise click.UsageError("--exact, --head and --pushed-to go with --since")
    for name in only:
        if name not in RULES and name not in _OWN:
            raise click.UsageError(f"no rule `{name}`; there are {', '.join([*RULES, *_OWN])}")
    repo = git.repository(Path.cwd())
    if since is not None:
        question = _since(repo, since, head, pushed_to or "", exact=exact)
    elif everything:
        question = Question(None, ())
    else:
        question = _staged(repo) if staged else _default(repo)
    verdict = _judge(repo, question, (today or datetime.now(UTC)).date(), only, no_baseline=no_baseline)
    click.echo(report(verdict.problems, form), nl=False)
    click.echo(_words(question, verdict), err=True)
    for root in _unknown_to_git(repo) if not verdict.entries and question.head is None else ():
        click.echo(f"minutebook: git holds nothing of {root}/ yet: git add {root}", err=True)
    return 1 if any(problem.severity == "error" for problem in verdict.problems) else 0


def _default(repo: git.Repository) -> Question:
    asked = bases.asked_range(os.environ)
    if asked is not None:
        return _since(repo, asked.base, asked.head, asked.ref)
    unborn = git.commit_id(repo.top, "HEAD") is None
    if unborn or bases.merge_parents(repo) or git_objects.diff(repo.top, "HEAD", None):
        return _staged(repo)
    asked = bases.event_range(os.environ)
    if asked is None:
        return Question(None, ())
    question = _since(repo, asked.base, asked.head, asked.ref)
    bases.must_hold(repo, asked, question.head or "HEAD")
    return question


def _staged(repo: git.Repository) -> Question:
    return Question(None, bases.staged_bases(repo), bases.merge_parents(repo))


def _since(repo: git.Repository, rev: str, head: str | None, ref: str, *, exact: bool = False) -> Question:
    judged = git.commit_id(repo.top, head or "HEAD")
    if judged is None:
        raise CannotJudge(f"{head or 'HEAD'} is no commit of this clone", "git fetch")
    if ref and not exact:
        return Question(judged, bases.bases_pushed(repo, rev, judged, ref))
    return Question(judged, bases.bases_since(repo, rev, judged, exact=exact))


def _judge(repo: git.Repository, question: Question, today: date, only: Sequence[str], *, no_baseline: bool) -> Verdict:
    problems: dict[Problem, None] = {}
    known = entries = 0
    for at, base in enumerate(question.bases or (None,)):
        found = compared(repo.top, base.commit if base is not None else None, question.head, question.parents)
        narrowed = tuple(name for name in only or RULES if at == 0 or name in PROMISE)
        around = [*_around(found, base), *_unpublished(repo, found, base)]
        problems |= dict.fromkeys(each for each in around if not only or each.rule in only)
        for case in _cases(repo, found, base, question, today):
            entries += sum(1 for _ in case.changed_entries()) if at == 0 else 0
            new = list(judge(case, narrowed)) if narrowed else []
            if not no_baseline:
                new, accepted = without_known(new, case.baseline)
                known += accepted
            problems |= dict.fromkeys(new)
    return Verdict(tuple(sorted(problems)), entries, known)


def _cases(
    repo: git.Repository, found: Comparison, base: Base | None, question: Question, today: date
) -> Iterator[Case]:
    if not found.touches_memory and not question.parents:
        return
    after = Side(found.after, found.new)
    if base is None:
        yield from cases(None, after, today)
        return
    paths = [path for path in {*found.before, *found.after} if found.before.get(path) != found.after.get(path)]
    sides = bases.merged_sides(repo, base.commit, question.head) if paths else ()
    merged = [memory_at(repo.top, side, paths if len(paths) < _MOST_PATHS else found.roots) for side in sides]
    before = Side(found.before, found.old if base.commit is not None else found.new)
    forks = [memory_at(repo.top, fork, found.roots) for fork in bases.parted(repo, question.parents)]
    yield from cases(before, after, today, found.others, merged, forks)


def _around(found: Comparison, base: Base | None) -> Iterator[Problem]:
    """What is wrong beside the roots: a broken config, a root that no config names, a rewritten history."""
    if found.broken is not None:
        line, _, message = str(found.broken).removeprefix(f"{CONFIG}:").partition(": ")
        yield Problem(CONFIG, int(line) if line.isdigit() else 1, "config", message or str(found.broken))
    after = Side(found.after, found.new)
    for root in stray_roots(found.paths, after.roots):
        names = ", ".join((*after.roots, root))
        message = f"{root} looks like a memory root, and no config names it: nothing in it is judged"
        yield Problem(root, 0, "roots", message, fix=f"roots: [{names}]    # in {CONFIG}")
    if base is not None and base.rewritten:
        message = f"the published history is rewritten: {base.why} is no part of it any more"
        yield Problem(".", 0, "append-only", message, fix="pull, and add a commit on top")


def _unknown_to_git(repo: git.Repository) -> list[str]:
    """Usual memory roots that lie here and of which no file was ever added."""
    held = [path for path, _, _ in git_objects.list_index(repo.top)]
    return [root for root in usual_roots(repo.top) if not any(path.startswith(f"{root}/") for path in held)]


def _unpublished(repo: git.Repository, found: Comparison, base: Base | None) -> Iterator[Problem]:
    """The default branch counts as published until a config says otherwise; it may not say so without it."""
    if base is None or found.old.published or not found.new.published:
        return
    for ref in git.published_branches(repo.top, ()):
        name = ref.split("/", 3)[3]
        if name not in found.new.published:
            message = f"`{name}`, the default branch, would no longer be a published branch"
            yield Problem(CONFIG, 0, "scope", message, fix=f"published: [{', '.join((name, *found.new.published))}]")


def _words(question: Question, verdict: Verdict) -> str:
    entries = counted(verdict.entries, "entry")
    text = f"minutebook: {'judged' if verdict.problems else 'no problems in'} {entries}"
    if verdict.known:
        text += f" ({verdict.known} more in the baseline)"
    if not question.bases:
        return f"{text}; no base was compared: structure only"
    text += f"; compared with {' and '.join(base.why for base in question.bases)}"
    sealed = any(problem.rule == "append-only" and problem.severity == "error" for problem in verdict.problems)
    if sealed and any("no published branch" in base.why for base in question.bases):
        text += "\nminutebook: amending? That is judged against the very commit it replaces; run"
        text += " `git reset --soft HEAD~1` and commit again"
    return text
