"""`minutebook reject`: what a person doesn't want to be asked again."""

import secrets
from datetime import date
from pathlib import Path

import click

from minutebook.commands import options
from minutebook.edges import git
from minutebook.edges.found import read_found
from minutebook.edges.state import BRANCH, add_line, push_lines, remote_named
from minutebook.ground.errors import CannotJudge
from minutebook.ground.nouns import counted
from minutebook.ground.unseen import one_line
from minutebook.learning import REJECTED, rejections_of
from minutebook.pages.report import json_text
from minutebook.pages.report import one_line as shown
from minutebook.redaction.redact import Redactor
from minutebook.route.kept import candidate_of
from minutebook.route.planned import Statement, statement_in
from minutebook.route.provenance import quotes_of
from minutebook.route.rejected import Rejection, Rejections, named, rejecting, undoing
from minutebook.workspace import Workspace, open_workspace, today_or, workspace_at

_PROPOSED = ("refs/remotes/origin/minutebook/maintenance", "refs/heads/minutebook/maintenance")


@click.command()
@click.argument("name", metavar="[ID]", default="")
@click.option("--reason", default="", metavar="WORDS", help="Why; it is kept, and shown when it comes up again.")
@click.option("--from", "plan", type=click.Path(path_type=Path), metavar="PLAN.json", help="The plan that has the ID.")
@click.option("--list", "listing", is_flag=True, help="Show what was rejected.")
@click.option("--undo", is_flag=True, help="Take the rejection of ID back: it may be proposed again.")
@click.option("--push", is_flag=True, help="Push the branch minutebook/state, joined with what others rejected.")
@click.option("--remote", default="origin", show_default=True, help="Where it is pushed.")
@options.form()
@options.root
@options.today
def reject(
    name: str,
    reason: str,
    plan: Path | None,
    listing: bool,
    undo: bool,
    push: bool,
    remote: str,
    form: str,
    root: str | None,
    today: str | None,
) -> int:
    """Reject what was proposed: the candidate with this ID (cand-…, as plans and pull requests show it), or the entry
    with this ID. It isn't proposed again, nor is what says the same in other words.

    What is kept is a fingerprint, from which no word can be read, with the day, the reason and who, on the branch
    minutebook/state: it outlives whatever was rejected. An entry that is in memory stays there. A candidate's ID is
    known where it was found; elsewhere, give the plan: `minutebook extract … --format json`.
    """
    workspace = open_workspace(root)
    day = today_or(today)
    top = workspace.repo.top
    if push:
        remote_named(top, remote)
    said = ""
    if undo:
        said = _undo(workspace, _must_be_given(name, "--undo ID"), day)
    elif not listing and (name or not push):
        said = _reject(workspace, _statement(workspace, _must_be_given(name, "ID"), plan), reason, day)
    if push:
        _push(workspace, remote)
    if listing:
        _show(rejections_of(workspace)[0], form)
    elif said and form == "json":
        click.echo(json_text({"id": said.partition(":")[0], "pushed": push}), nl=False)
    elif said:
        click.echo(said)
    for note in rejections_of(workspace)[1]:
        click.echo(f"note: {one_line(note)}", err=True)
    return 0


def _must_be_given(name: str, what: str) -> str:
    if not name:
        raise CannotJudge("which candidate or entry?", f"minutebook reject {what}, or --list")
    return name


def _reject(workspace: Workspace, statement: Statement, given: str, day: date) -> str:
    reason = Redactor().redact(one_line(given))
    if not reason:
        raise click.UsageError("--reason says why it is rejected")
    known, _ = rejections_of(workspace)
    row, line = rejecting(
        statement.id,
        statement.type,
        statement.text,
        statement.quotes,
        day=day.isoformat(),
        reason=reason,
        who=_who(workspace),
        key=known.rows[0].key if known.rows else secrets.token_bytes(16),
        undone=known.undone,
    )
    if not row.prints:
        raise CannotJudge(f"{one_line(statement.id)} says too little to be known again", "minutebook show ID")
    add_line(workspace.repo.top, REJECTED, line, f"Reject {row.id}\n")
    return f"{row.id}: {one_line(statement.id)} won't be proposed again"


def _undo(workspace: Workspace, name: str, day: date) -> str:
    found = named(name, rejections_of(workspace)[0])
    if not found:
        raise CannotJudge(f"nothing that was rejected is called {one_line(name)}", "minutebook reject --list")
    for row in found:
        add_line(
            workspace.repo.top, REJECTED, undoing(row, day=day.isoformat(), who=_who(workspace)), f"Allow {row.id}\n"
        )
    return f"{found[0].id}: may be proposed again"


def _push(workspace: Workspace, remote: str) -> None:
    if git.commit_id(workspace.repo.top, BRANCH) is None:
        raise CannotJudge("nothing was rejected here, so there is nothing to push", "minutebook reject ID --reason …")
    push_lines(workspace.repo.top, remote, REJECTED)
    click.echo(f"pushed {BRANCH} to {remote}", err=True)


def _statement(workspace: Workspace, name: str, plan: Path | None) -> Statement:
    """What the candidate or entry says: as the plan has it, as the last runs found it, or as memory has it, here or on
    the branch that proposes."""
    if plan is not None:
        found = statement_in(plan.read_bytes(), name)
        if found is None:
            raise CannotJudge(f"{plan.name} has no {one_line(name)}", "ids are in its `candidate` and `id` fields")
        return found
    candidate = candidate_of(read_found(workspace.repo.git_dir).get(name, {}))
    if candidate is not None:
        return Statement(name, candidate.type, candidate.abstract, (candidate.quote,))
    for memory in (workspace.memory, *(each.memory for each in _proposed(workspace))):
        entry = next((each for each in memory.entries(archived=True) if each.id == name), None)
        if entry is not None:
            return Statement(name, entry.type, entry.abstract, tuple(quotes_of(entry)))
    hint = "minutebook reject ID --from PLAN.json, where the plan was made elsewhere"
    raise CannotJudge(f"no candidate or entry is called {one_line(name)} here", hint)


def _proposed(workspace: Workspace) -> list[Workspace]:
    tips = (git.commit_id(workspace.repo.top, ref) for ref in _PROPOSED)
    return [workspace_at(workspace.repo, tip, workspace.memory.root) for tip in tips if tip is not None]


def _show(known: Rejections, form: str) -> None:
    if form == "json":
        click.echo(json_text({"rejected": list(map(_row, known.rows)), "unread": known.unread}), nl=False)
        return
    for row in known.rows:
        click.echo(shown(f"{row.id}  {row.day}  {row.type}  {row.who}: {row.reason}"))
    click.echo(f"{counted(len(known.rows), 'rejection')}" if known.rows else "nothing was rejected")


def _row(row: Rejection) -> dict[str, str]:
    return {"id": row.id, "type": row.type, "day": row.day, "who": row.who, "reason": row.reason}


def _who(workspace: Workspace) -> str:
    """The name that the commit bears, too."""
    said = git.asked(workspace.repo.top, "var", "GIT_AUTHOR_IDENT") or ""
    return one_line(said.partition(" <")[0]) or "somebody"
