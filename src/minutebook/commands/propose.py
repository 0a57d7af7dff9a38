"""`minutebook propose`: extract, refresh and compact as one plan, one commit on the bot branch, one pull request."""

import os
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import click

from minutebook.commands import options
from minutebook.commands.extract import chosen_extractor
from minutebook.edges import bot_branch, git, github
from minutebook.ground.change import Plan, Refusal
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import as_dict, frozen
from minutebook.maintenance import Maintenance, plan_maintenance
from minutebook.pages import render
from minutebook.pages.plan_report import plan_json
from minutebook.pages.report import json_text, one_line, problem_rows
from minutebook.reading import read_sources
from minutebook.settle import errors_of, keep_base, refuse
from minutebook.workspace import Workspace, now_or, today_or, workspace_at

_KINDS = {"refused": "refused", "quarantine": "in quarantine", "rejected": "refused", "question": "open questions"}
_STALE = "stale"
_MOST_REASONS = 2


@frozen
class Base:
    """The branch that is proposed to, by its short name, and the commit it stood at when it was last fetched."""

    branch: str
    commit: str


@frozen
class Proposed:
    """The plan, and how the pull request says it."""

    plan: Plan
    title: str
    page: str


@click.command()
@click.option("--transcripts", multiple=True, metavar="SOURCE", help="A source as `extract` takes it; repeatable.")
@click.option("--dry-run", is_flag=True, help="Show the page; push nothing, ask nobody.")
@click.option("--page", "page_file", type=click.Path(path_type=Path), help="Write the page to this file.")
@click.option("--base", help="The branch to propose to. [default: the published one, or else the current one]")
@click.option("--remote", default="origin", show_default=True, help="Where the bot branch is pushed.")
@click.option("--repo", "name", metavar="OWNER/NAME", help="[default: GITHUB_REPOSITORY, or the remote's address]")
@click.option("--draft/--no-draft", default=True, show_default=True, help="Open the pull request as a draft.")
@options.root
@options.user
@options.agent("the transcript's format")
@options.model
@options.accept
@options.form()
@options.today
def propose(
    transcripts: tuple[str, ...],
    dry_run: bool,
    page_file: Path | None,
    base: str | None,
    remote: str,
    name: str | None,
    draft: bool,
    root: str | None,
    user: str,
    agent: str,
    model: bool,
    accept: tuple[str, ...],
    form: str,
    today: str | None,
) -> int:
    """Propose what transcripts teach, what went stale and what can be compacted, as one pull request.

    All of it is planned on the base branch as it was last fetched; work tree, index and HEAD are left alone. The
    commit goes to the branch minutebook/maintenance and replaces what stands there, unless a person has committed to
    it. GitHub is the one that GITHUB_API_URL names, and GITHUB_TOKEN must be set. Private owner spaces are never
    proposed. The base's memory is kept first, as a snapshot in this clone. A source that can't be read is named, and
    makes the exit code 2.
    """
    repo = git.repository(Path.cwd())
    start = base_of(repo, base, remote)
    workspace = workspace_at(repo, start.commit, root, user)
    with chosen_extractor(workspace, agent, model=model) as extractor:
        read = read_sources(transcripts)
        day = today_or(today)
        found = plan_maintenance(workspace, start.commit, read.sessions, day, agent, extractor, accept, model=model)
    page = render.page(found.plan, found.problems, stale=found.stale, base=start.commit)
    proposed = Proposed(found.plan, render.title(found.plan, found.stale), page)
    if page_file is not None:
        page_file.write_bytes(page.encode("utf-8"))
    errors = errors_of(found.problems)
    pull = None
    if found.plan.changes and not errors and not dry_run:
        keep_base(workspace, now_or(today))
        pull = _publish(workspace, start, proposed, remote, name, draft)
    if form == "json":
        click.echo(json_text(_document(found, page, pull)), nl=False)
    elif said := _said(found, proposed, pull, silent=page_file is not None):
        click.echo(said, nl=not said.endswith("\n"))
    if errors:
        return refuse(errors, "the plan", "nothing was proposed", form)
    extractor.must_not_have_failed()
    if found.failure is not None:
        raise found.failure
    return 2 if read.unread else 0


def _document(found: Maintenance, page: str, pull: github.Pull | None) -> dict[str, Any]:
    document = plan_json(found.plan) | {"problems": problem_rows(found.problems), "page": page}
    return document | {"pull": as_dict(pull) if pull is not None else None}


def _said(found: Maintenance, proposed: Proposed, pull: github.Pull | None, *, silent: bool) -> str:
    """What is printed: what came of it, else the page, unless it was written to a file (`silent`)."""
    refused = bool(errors_of(found.problems))
    if not found.plan.changes and not refused:
        return _nothing(found.plan, found.stale)
    if pull is not None:
        return f"{'opened' if pull.created else 'updated'} pull request {pull.number}: {pull.url}"
    if not silent:
        return proposed.page
    return "" if refused else f"{proposed.title}; nothing was pushed"


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


def _publish(
    workspace: Workspace, start: Base, proposed: Proposed, remote_name: str, name: str | None, draft: bool
) -> github.Pull:
    repo, top = workspace.repo, workspace.repo.top
    if git.is_shallow(top):
        raise CannotJudge("the clone is shallow, so a commit can't be built on the base", "git fetch --unshallow")
    remote = bot_branch.remote_named(top, remote_name, os.environ)
    api = github.api_from(os.environ, name or os.environ.get("GITHUB_REPOSITORY") or _name_in(remote.url))
    tip = bot_branch.fetch_tip(repo, remote, start.commit)
    commit = bot_branch.build_commit(repo, start.commit, proposed.plan.changes, f"{proposed.title}\n")
    bot_branch.push(repo, remote, commit, tip)
    return github.open_or_update_pull(
        api,
        branch=bot_branch.BRANCH,
        base=start.branch,
        title=proposed.title,
        body=proposed.page,
        labels=workspace.config.labels,
        draft=draft,
    )


def _nothing(plan: Plan, stale: Collection[str]) -> str:
    """What was found and isn't proposed, in the words and with the counts of the page's first line."""
    shown = [(_STALE if each.what in stale else _KINDS[each.kind], each) for each in plan.refusals]
    count = Counter(words for words, _ in shown)
    rows = [
        f"  {number} {words}: {_reasons(each for as_, each in shown if as_ == words)}"
        for words, number in count.items()
    ]
    return "\n".join(["nothing to propose", *rows, *(["  all of it: --dry-run --page FILE"] if rows else [])])


def _reasons(refusals: Iterable[Refusal]) -> str:
    """The commonest reasons, and that there are more."""
    count = Counter(each.reason for each in refusals).most_common()
    said = "; ".join(one_line(reason) for reason, _ in count[:_MOST_REASONS])
    return f"{said}; …" if len(count) > _MOST_REASONS else said


def _current(repo: git.Repository) -> str:
    branch = git.asked(repo.top, "symbolic-ref", "--quiet", "--short", "HEAD")
    if not branch:
        raise CannotJudge("HEAD is on no branch, so it isn't clear what to propose to", "--base BRANCH")
    return branch


def _name_in(url: str) -> str:
    """owner/name at the end of a remote's address, `https://host/owner/name.git` or `git@host:owner/name`."""
    return "/".join(url.rstrip("/").removesuffix(".git").replace(":", "/").split("/")[-2:])
