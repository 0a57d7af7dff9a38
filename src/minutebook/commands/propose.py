"""`minutebook propose`: extract, refresh and compact as one plan, one commit on the bot branch, one pull request."""

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import click

from minutebook.commands.compact import compact_plan
from minutebook.commands.extract import plan_sessions, read_sessions
from minutebook.commands.refresh import stale_entries
from minutebook.edges import bot_branch, git, git_objects, github
from minutebook.edges.store import Store
from minutebook.ground.change import Change, File, Plan, Refusal, joined, with_changes
from minutebook.ground.config import CONFIG
from minutebook.ground.errors import CannotJudge
from minutebook.ground.memory import INDEX, Memory, read_memory, roots_of, tree_config
from minutebook.ground.problem import Problem
from minutebook.ground.uris import slug
from minutebook.pages import render
from minutebook.pages.index_page import index_page, is_generated
from minutebook.pages.plan_report import plan_json
from minutebook.pages.report import report
from minutebook.refresh.plan import plan_refresh
from minutebook.settle import judge_plan
from minutebook.workspace import Workspace, today_or, user_name

PRIVATE = "users/"
READABLE = click.Path(exists=True, path_type=Path)
Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Base:
    """The branch that is proposed to, by its short name, and the commit it stood at when it was last fetched."""

    branch: str
    commit: str


@dataclass(frozen=True, slots=True)
class Proposed:
    """The plan, what the gate says of it, and its page."""

    plan: Plan
    problems: tuple[Problem, ...]
    page: str

    @property
    def refused(self) -> bool:
        return any(problem.severity == "error" for problem in self.problems)


@click.command()
@click.option("--transcripts", multiple=True, type=READABLE, help="A file, or a folder of *.jsonl; repeatable.")
@click.option("--dry-run", is_flag=True, help="Show the page; push nothing, ask nobody.")
@click.option("--page", "page_file", type=click.Path(path_type=Path), help="Write the page to this file.")
@click.option("--base", help="The branch to propose to. [default: the published one, or else the current one]")
@click.option("--remote", default="origin", show_default=True, help="Where the bot branch is pushed.")
@click.option("--repo", "name", metavar="OWNER/NAME", help="[default: GITHUB_REPOSITORY, or the remote's address]")
@click.option("--draft/--no-draft", default=True, show_default=True, help="Open the pull request as a draft.")
@click.option("--root", metavar="FOLDER", help="Which memory root, where there are several.")
@click.option("--agent", default="", help="Whose space cases and skills go to. [default: the transcript's format]")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--today", hidden=True)
def propose(
    transcripts: tuple[Path, ...],
    dry_run: bool,
    page_file: Path | None,
    base: str | None,
    remote: str,
    name: str | None,
    draft: bool,
    root: str | None,
    agent: str,
    form: str,
    today: str | None,
) -> int:
    """Propose what transcripts teach, what went stale and what can be compacted, as one pull request.

    All of it is planned on the base branch as it was last fetched; work tree, index and HEAD are left alone. The
    commit goes to the branch minutebook/maintenance and replaces what stands there, unless a person has committed to
    it. GitHub is the one that GITHUB_API_URL names, and GITHUB_TOKEN must be set. Private owner spaces are never
    proposed.
    """
    repo = git.repository(Path.cwd())
    start = base_of(repo, base, remote)
    workspace = workspace_at(repo, start.commit, root)
    proposed = plan_maintenance(workspace, start, transcripts, today_or(today), agent)
    if page_file is not None:
        page_file.write_bytes(proposed.page.encode("utf-8"))
    pull = None
    if proposed.plan.changes and not proposed.refused and not dry_run:
        pull = _publish(workspace, start, proposed, remote, name, draft)
    _show(proposed, pull, dry_run=dry_run, paged=page_file is not None, form=form)
    return 1 if proposed.refused else 0


def base_of(repo: git.Repository, wanted: str | None, remote: str) -> Base:
    """The base branch. Raises CannotJudge when it isn't known here, or when HEAD is on none and none was named."""
    published = git.published_branches(repo.top, ())
    if wanted is None and not published and git.commit_id(repo.top, "HEAD") is None:
        raise CannotJudge("there is no commit yet, so nothing to propose to", "minutebook init, and commit it")
    branch = wanted or (published[0].removeprefix("refs/remotes/origin/") if published else _current(repo))
    if git.asked(repo.top, "check-ref-format", f"refs/heads/{branch}") is None:
        raise CannotJudge(f"{branch!r} is no name of a branch", "--base BRANCH")
    for ref in (f"refs/remotes/{remote}/{branch}", f"refs/heads/{branch}"):
        commit = git.commit_id(repo.top, ref)
        if commit is not None:
            return Base(branch, commit)
    raise CannotJudge(f"no branch {branch} is known here", f"git fetch {remote}, or name another with --base")


def workspace_at(repo: git.Repository, commit: str, root: str | None) -> Workspace:
    """A memory root as it stands in a commit; nothing is read from the work tree."""
    listed = list(git_objects.list_tree(repo.top, commit))
    config = tree_config(git_objects.read_files(repo.top, [row for row in listed if row[0] == CONFIG]))
    roots = roots_of((path for path, _, _ in listed), config)
    chosen = [each for each in roots if root is None or each in _spelled(repo, root)]
    if len(chosen) != 1:
        known = f"it has {', '.join(roots)}: choose one with --root" if roots else "minutebook init, and commit it"
        raise CannotJudge(f"the base has no memory root{f' {root}' if root else ''} to maintain", known)
    tree = git_objects.read_files(
        repo.top, [row for row in listed if row[0] == CONFIG or row[0].startswith(f"{chosen[0]}/")]
    )
    memory = read_memory(tree, chosen[0], config)
    store = Store(repo, chosen[0])
    return Workspace(repo, config, tree, memory, store, config.account or slug(repo.top.name), user_name(repo))


def _spelled(repo: git.Repository, root: str) -> tuple[str, str]:
    """A root as it was given from the top of the repository, or else from the current folder."""
    here = Path(os.path.relpath(os.path.normpath(Path.cwd() / root), repo.top)).as_posix()
    return root.rstrip("/"), here


def plan_maintenance(
    workspace: Workspace, start: Base, transcripts: Sequence[Path], today: date, agent: str
) -> Proposed:
    """Extract, then refresh, then compact, each on what the former leaves, and the index of the result.

    What the gate would refuse of a refresh or a compaction is left out and said: one entry's old debt doesn't hold
    up the rest. Only entries of the base can look stale, not those that were learned just now.
    """
    plan = _without_private(_learned(workspace, transcripts, today, agent), workspace)
    memory = _after(workspace, plan)
    findings = stale_entries(workspace, workspace.memory, today)
    refreshed = plan_refresh(memory, with_changes(workspace.tree, plan.changes), findings, today)
    for change in refreshed.changes:
        plan = _joined_if_good(workspace, plan, Plan((change,)), today, f"refresh of {change.path}")
    plan = joined(plan, replace(refreshed, changes=()))
    left = with_changes(workspace.tree, plan.changes)
    plan = _joined_if_good(workspace, plan, compact_plan(_after(workspace, plan), left, today), today, "compaction")
    plan = _with_index(workspace, _without_private(plan, workspace))
    if git.commit_id(workspace.repo.top, "HEAD") != start.commit:
        plan = replace(plan, notes=(*plan.notes, "what looks stale was told from HEAD, which isn't the base"))
    problems = judge_plan(workspace, plan, today)
    stale = frozenset(finding.id for finding in findings)
    return Proposed(plan, problems, render.page(plan, problems, stale=stale, base=start.commit))


def _joined_if_good(workspace: Workspace, plan: Plan, step: Plan, today: date, name: str) -> Plan:
    both = joined(plan, step)
    problems = judge_plan(workspace, both, today) if step.changes else ()
    error = next((problem for problem in problems if problem.severity == "error"), None)
    if error is None:
        return both
    where = f"{error.path}, {error.rule}: {error.message}"
    return replace(plan, refusals=(*plan.refusals, Refusal(name, f"the gate refuses it ({where})")))


def _learned(workspace: Workspace, transcripts: Sequence[Path], today: date, agent: str) -> Plan:
    if not transcripts:
        return Plan()
    return plan_sessions(workspace, read_sessions(transcripts), today, agent)


def _after(workspace: Workspace, plan: Plan) -> Memory:
    return read_memory(with_changes(workspace.tree, plan.changes), workspace.memory.root, workspace.config)


def _without_private(plan: Plan, workspace: Workspace) -> Plan:
    """The plan without what belongs in a private owner space, refused or not: counted, and not named."""
    if workspace.config.users != "private":
        return plan
    types = workspace.memory.types
    private = {name for name, mtype in types.items() if mtype.place.startswith(PRIVATE)}
    kept = tuple(each for each in plan.changes if not workspace.memory.inner(each.path).startswith(PRIVATE))
    refusals = tuple(each for each in plan.refusals if each.type not in private)
    inside = [change for change in plan.changes if change not in kept]
    count = sum(max(1, len(change.entries)) for change in inside) + len(plan.refusals) - len(refusals)
    if not count:
        return plan
    note = f"{count} left out: private owner spaces stay out of git (run `minutebook extract` where they are kept)"
    return replace(plan, changes=kept, refusals=refusals, notes=(*plan.notes, note))


def _with_index(workspace: Workspace, plan: Plan) -> Plan:
    """The plan with `index.md` in step, unless it was made by hand. An index alone is worth a proposal too."""
    tree = with_changes(workspace.tree, plan.changes)
    path = workspace.memory.outer(INDEX)
    old = tree.get(path)
    new = File(
        index_page(read_memory(tree, workspace.memory.root, workspace.config)).encode("utf-8", "surrogateescape")
    )
    if old == new or (old is not None and not is_generated(old.data.decode("utf-8", "replace"))):
        return plan
    return joined(plan, Plan((Change(path, old, new, "the map of everything, in step again"),)))


def _publish(
    workspace: Workspace, start: Base, proposed: Proposed, remote_name: str, name: str | None, draft: bool
) -> github.Pull:
    repo, top = workspace.repo, workspace.repo.top
    if git.is_shallow(top):
        raise CannotJudge("the clone is shallow, so a commit can't be built on the base", "git fetch --unshallow")
    remote = bot_branch.remote_named(top, remote_name, os.environ)
    api = github.api_from(os.environ, name or os.environ.get("GITHUB_REPOSITORY") or _name_in(remote.url))
    tip = bot_branch.fetch_tip(repo, remote, start.commit)
    heading = render.title(proposed.plan)
    commit = bot_branch.build_commit(repo, start.commit, proposed.plan.changes, f"{heading}\n")
    bot_branch.push(repo, remote, commit, tip)
    return github.open_or_update_pull(
        api,
        branch=bot_branch.BRANCH,
        base=start.branch,
        title=heading,
        body=proposed.page,
        labels=workspace.config.labels,
        draft=draft,
    )


def _show(proposed: Proposed, pull: github.Pull | None, *, dry_run: bool, paged: bool, form: str) -> None:
    plan = proposed.plan
    if form == "json":
        document: Json = plan_json(plan)
        document |= {"problems": json.loads(report(proposed.problems, "json"))["problems"], "page": proposed.page}
        document["pull"] = {"number": pull.number, "url": pull.url, "created": pull.created} if pull else None
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    if dry_run and not paged:
        click.echo(proposed.page, nl=False)
    if proposed.refused:
        errors = tuple(problem for problem in proposed.problems if problem.severity == "error")
        click.echo(report(errors, "text"), nl=False, err=True)
        click.echo("refused: the plan breaks the rules above, nothing was proposed", err=True)
    elif not plan.changes:
        click.echo(_nothing(plan), err=dry_run and not paged)
    elif pull is not None:
        click.echo(f"{'opened' if pull.created else 'updated'} pull request {pull.number}: {pull.url}")
    elif paged:
        click.echo(f"{render.title(plan)}; nothing was pushed")


def _nothing(plan: Plan) -> str:
    refused = Counter(refusal.reason for refusal in plan.refusals)
    return "\n".join(["nothing to propose", *(f"  {count} refused: {each}" for each, count in refused.most_common(5))])


def _current(repo: git.Repository) -> str:
    branch = git.asked(repo.top, "symbolic-ref", "--quiet", "--short", "HEAD")
    if not branch:
        raise CannotJudge("HEAD is on no branch, so it isn't clear what to propose to", "--base BRANCH")
    return branch


def _name_in(url: str) -> str:
    """owner/name at the end of a remote's address, `https://host/owner/name.git` or `git@host:owner/name`."""
    return "/".join(url.rstrip("/").removesuffix(".git").replace(":", "/").split("/")[-2:])
