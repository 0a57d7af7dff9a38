"""The verdict on what `minutebook check` was asked, in words and as an exit code."""

from __future__ import annotations

import os

from minutebook.checks import RULES, judge
from minutebook.checks.baseline import broken, without_known
from minutebook.checks.cases import Side, cases
from minutebook.checks.kept import RESTORE
from minutebook.edges import bases, git, git_objects
from minutebook.edges.trees import listed, memory_at, read
from minutebook.ground.config import CONFIG
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.memory import stray_roots
from minutebook.ground.nouns import counted
from minutebook.ground.problem import Problem
from minutebook.large import judged_if_large, unread
from minutebook.pages.report import one_line, report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from minutebook.checks.judgement import Case
    from minutebook.edges.bases import Base
    from minutebook.edges.trees import Comparison, Listing
    from minutebook.gate import Asked
    from minutebook.merging import Tried

PROMISE = ("append-only", "scope", "modes")
_MOST_PATHS = 500


@frozen
class Question:
    """What is judged: `head` (None: the index) against each base; in a merge `parents` are its sides. `also` is
    judged beside it."""

    head: str | None
    bases: tuple[Base, ...]
    parents: tuple[str, ...] = ()
    also: Question | None = None


@frozen
class Verdict:
    """`known` problems are in the baseline and left out; `entries` is how many were under judgement."""

    problems: tuple[Problem, ...]
    entries: int
    known: int


def reached(folder: str, asked: Asked) -> tuple[str, str, int]:
    """(what goes to standard output, what goes to standard error, the exit code). Raises CannotJudge."""
    repo = git.repository(folder)
    if asked.merged_with is not None:
        from minutebook.merging import tried

        with tried(repo, asked.merged_with) as trial:
            merge = Question(trial.commit, bases.staged_bases(repo), bases.merge_parents(repo))
            return _answer(repo, merge, asked, trial)
    if asked.since is not None:
        question = _since(repo, asked.since, asked.head, asked.pushed_to or "", exact=asked.exact)
    elif asked.everything:
        question = Question(None, ())
    else:
        question = _staged(repo) if asked.staged else _default(repo)
    return _answer(repo, question, asked)


def _answer(repo: git.Repository, question: Question, asked: Asked, trial: Tried | None = None) -> tuple[str, str, int]:
    today = asked.today or _today()
    verdict = _judge(repo, question, today, asked.only, no_baseline=asked.no_baseline)
    if question.also is not None:
        more = _judge(repo, question.also, today, asked.only, no_baseline=asked.no_baseline)
        problems = tuple(sorted({*verdict.problems, *more.problems}))
        verdict = Verdict(problems, verdict.entries + more.entries, verdict.known + more.known)
        question = replace(question, bases=(*question.bases, *question.also.bases))
    if trial is not None:
        verdict = trial.added_to(verdict, asked.only)
    absent = _unknown_to_git(repo) if not verdict.entries and question.head is None else ()
    hints = [f"minutebook: git holds nothing of {root}/ yet: git add {root}" for root in absent]
    hints += [trial.words] if trial is not None else []
    words = "".join(f"{line}\n" for line in (_words(question, verdict), *hints))
    failed = any(problem.severity == "error" for problem in verdict.problems)
    return report(verdict.problems, asked.form), words, int(failed)


def _today() -> date:
    from time import gmtime

    today: type[date]
    try:  # `datetime` defines all of its classes in Python before it takes these, which a hook would wait for
        from _datetime import date as today  # type: ignore[import-not-found, no-redef]
    except ImportError:
        from datetime import date as today
    return today(*gmtime()[:3])


def _default(repo: git.Repository) -> Question:
    asked = bases.asked_range(os.environ)
    if asked is not None:
        return _since(repo, asked.base, asked.head, asked.ref)
    unborn = git.commit_id(repo.folder, "HEAD") is None
    staged = unborn or bool(bases.merge_parents(repo) or git_objects.diff(repo.folder, "HEAD", None))
    asked = bases.event_range(os.environ) if not unborn else None
    if asked is None and staged:
        return _staged(repo)
    if asked is None:
        head, left = git.commit_id(repo.folder, "HEAD"), bases.staged_bases(repo)
        return Question(None, left if all(base.commit != head for base in left) else ())
    question = _since(repo, asked.base, asked.head, asked.ref)
    bases.must_hold(repo, asked, question.head or "HEAD")
    # What a step of the workflow staged must not stand in for what was pushed.
    return replace(question, also=_staged(repo)) if staged else question


def _staged(repo: git.Repository) -> Question:
    return Question(None, bases.staged_bases(repo), bases.merge_parents(repo))


def _since(repo: git.Repository, rev: str, head: str | None, ref: str, *, exact: bool = False) -> Question:
    deleted = head is not None and not head.strip("0")
    judged = git.commit_id(repo.folder, "HEAD" if deleted else head or "HEAD")
    if judged is None:
        raise CannotJudge(f"{head or 'HEAD'} is no commit of this clone", "git fetch")
    if deleted:
        return Question(judged, bases.bases_deleted(repo, judged, ref))
    if ref and not exact:
        return Question(judged, bases.bases_pushed(repo, rev, judged, ref))
    return Question(judged, bases.bases_since(repo, rev, judged, exact=exact))


def _judge(repo: git.Repository, question: Question, today: date, only: Sequence[str], *, no_baseline: bool) -> Verdict:
    problems: dict[Problem, str] = {}
    known = entries = 0
    for at, base in enumerate(question.bases or (None,)):
        listing = listed(repo.folder, base.commit if base is not None else None, question.head, question.parents)
        large = judged_if_large(repo, listing, today, only, no_baseline=no_baseline) if base is None else None
        if large is not None:
            beside = (each for each in _around(listing, unread(listing), None) if not only or each.rule in only)
            return Verdict(tuple(sorted({*large.new, *beside})), large.entries, large.known)
        found = read(repo.folder, listing)
        narrowed = tuple(name for name in only or RULES if at == 0 or name in PROMISE)
        around = [*_around(listing, Side(found.after, listing.new), base), *_unpublished(repo, listing, base)]
        found_here = [each for each in around if not only or each.rule in only]
        for case in _cases(repo, found, base, question, today):
            entries += sum(1 for _ in case.changed_entries()) if at == 0 else 0
            new = list(judge(case, narrowed)) if narrowed else []
            if not no_baseline:
                new, accepted = without_known(new, case.baseline)
                known += accepted
            found_here += [*new, *(broken(case) if not only else ())]
        for each in found_here:
            if each not in problems:
                problems[each] = _old_text(each, base, question.head, found)
    told = (replace(each, fix=f"{each.fix}\n{way}") if way else each for each, way in problems.items())
    return Verdict(tuple(sorted(told)), entries, known)


def _old_text(problem: Problem, base: Base | None, head: str | None, found: Comparison) -> str:
    """The command that shows what stood there and changes nothing, where that is to be restored."""
    if base is None or base.commit is None or not problem.fix.startswith(RESTORE):
        return ""
    from shlex import quote

    commits = " ".join(bases.short(commit) for commit in (base.commit, head) if commit is not None)
    where = f" -- {quote(problem.path)}" if problem.path in found.before else ""  # it was moved: both places count
    return f"git diff {commits}{where}    # what stood there"


def _cases(
    repo: git.Repository, found: Comparison, base: Base | None, question: Question, today: date
) -> Iterator[Case]:
    if not found.touches_memory and not question.parents:
        return
    listing = found.listing
    after = Side(found.after, listing.new)
    if base is None:
        yield from cases(None, after, today)
        return
    paths = [path for path in {*found.before, *found.after} if found.before.get(path) != found.after.get(path)]
    sides = bases.merged_sides(repo, base.commit, question.head) if paths else ()
    only = paths if len(paths) < _MOST_PATHS else ()
    merged = [memory_at(repo.folder, side, listing.places, only) for side in sides]
    before = Side(found.before, listing.old if base.commit is not None else listing.new)
    forks = [memory_at(repo.folder, fork, listing.places) for fork in bases.parted(repo, question.parents)]
    yield from cases(before, after, today, found.others, merged, forks)


def _around(listing: Listing, after: Side, base: Base | None) -> Iterator[Problem]:
    """What is wrong beside the roots: a broken config, a root that no config names, a rewritten history."""
    if listing.broken is not None:
        line, _, message = str(listing.broken).removeprefix(f"{CONFIG}:").partition(": ")
        yield Problem(CONFIG, int(line) if line.isdigit() else 1, "config", message or str(listing.broken))
    if listing.unread:
        message = "the config of the base can't be read: what it said before counts"
        yield Problem(CONFIG, 0, "config", message, severity="warning")
    for root in stray_roots(listing.paths, after.roots):
        names = ", ".join((*after.roots, root))
        message = f"{root} looks like a memory root, and no config names it: nothing in it is judged"
        yield Problem(root, 0, "roots", message, fix=f"roots: [{names}]    # in {CONFIG}")
    if base is not None and base.rewritten:
        message = f"the published history is rewritten: {base.why} is no part of it any more"
        yield Problem(".", 0, "append-only", message, fix="pull, and add a commit on top")


def _unknown_to_git(repo: git.Repository) -> list[str]:
    """Usual memory roots that lie here and of which no file was ever added."""
    from minutebook.edges.work_tree import usual_roots

    held = [path for path, _, _ in git_objects.list_index(repo.folder)]
    return [root for root in usual_roots(repo.top) if not any(path.startswith(f"{root}/") for path in held)]


def _unpublished(repo: git.Repository, listing: Listing, base: Base | None) -> Iterator[Problem]:
    """The default branch counts as published until a config says otherwise; it may not say so without it."""
    if base is None or listing.old.published or not listing.new.published:
        return
    for ref in git.published_branches(repo.folder, ()):
        name = ref.split("/", 3)[3]
        if name not in listing.new.published:
            message = f"`{name}`, the default branch, would no longer be a published branch"
            yield Problem(CONFIG, 0, "scope", message, fix=f"published: [{', '.join((name, *listing.new.published))}]")


def _words(question: Question, verdict: Verdict) -> str:
    entries = counted(verdict.entries, "entry")
    text = f"minutebook: {'judged' if verdict.problems else 'no problems in'} {entries}"
    if verdict.known:
        text += f" ({verdict.known} more in the baseline)"
    if not question.bases:
        return f"{text}; no base was compared: structure only"
    text += f"; compared with {' and '.join(one_line(base.why) for base in question.bases)}"
    sealed = any(problem.rule == "append-only" and problem.severity == "error" for problem in verdict.problems)
    if sealed and any("no published branch" in base.why for base in question.bases):
        text += "\nminutebook: amending? That is judged against the very commit it replaces; run"
        text += " `git reset --soft HEAD~1` and commit again"
    return text
