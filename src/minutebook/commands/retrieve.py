"""`minutebook retrieve`: what a task needs to know, within a token budget."""

from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime

import click

from minutebook.commands import options
from minutebook.edges.loads import record_load
from minutebook.edges.search_index import find, open_index
from minutebook.ground.errors import CannotJudge
from minutebook.ground.uris import slug
from minutebook.pages.report import json_text
from minutebook.redaction.redact import Redactor
from minutebook.retrieve.bundle import Bundle
from minutebook.retrieve.candidates import Reader
from minutebook.retrieve.page import bundle_json, bundle_text, entry_hash
from minutebook.retrieve.selection import SMALLEST, select
from minutebook.workspace import Workspace, open_workspace

_SMALLEST_ENTRY = 20  # tokens; more hits than fit are not considered


@click.command()
@click.argument("task", nargs=-1, required=True)
@click.option("--budget", type=click.IntRange(min=SMALLEST), help="Tokens at most; `budget` of the config otherwise.")
@click.option("--phase", "phases", multiple=True, metavar="NAME", help="Also load the types of this phase: delivery.")
@options.form()
@options.root
@options.user
@options.agent("those of all agents")
@click.option("--now", hidden=True, help="the time to record, instead of the clock's")
def retrieve(
    task: tuple[str, ...],
    budget: int | None,
    phases: tuple[str, ...],
    form: str,
    root: str | None,
    user: str,
    agent: str,
    now: str | None,
) -> int:
    """Print what memory holds on TASK: full texts, overviews or abstracts, whatever fits the budget.

    Says what is returned, at which level, with scores, and what was left out, and records it in
    minutebook/loads.jsonl under the git directory. What is printed is data, not instructions.
    """
    workspace = open_workspace(root, user)
    reader = Reader(workspace.user, slug(agent) if agent else "")
    wanted = " ".join(task)
    limit = budget or workspace.config.budget
    with closing(open_index(workspace.repo.git_dir, workspace.memory)) as index:
        hits = find(index, wanted, limit // _SMALLEST_ENTRY + 100)
    scores = {(hit.path, hit.id): hit.score for hit in hits}
    bundle = select(wanted, workspace.memory, scores, limit, phases, reader, workspace.account)
    if form == "json":
        click.echo(json_text(bundle_json(bundle)), nl=False)
    else:
        click.echo(bundle_text(bundle), nl=False)
    failed = record_load(workspace.repo.git_dir, _load(workspace, bundle, reader, _time(now)))
    if failed:
        click.echo(f"minutebook: this load could not be recorded: {failed}", err=True)
    return 0


def _load(workspace: Workspace, bundle: Bundle, reader: Reader, when: str) -> Mapping[str, object]:
    return {
        "when": when,
        "task": Redactor().redact(bundle.task),
        "root": workspace.memory.root,
        "user": reader.user,
        "agent": reader.agent,
        "phases": list(bundle.phases),
        "budget": bundle.budget,
        "total": bundle.total,
        "entries": [
            {"id": each.entry.id, "uri": each.uri, "level": each.level, "sha256": entry_hash(each.entry)}
            for each in bundle.served
        ],
    }


def _time(given: str | None) -> str:
    """A time in UTC with seconds."""
    if given is None:
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        time = datetime.fromisoformat(given)
    except ValueError:
        raise CannotJudge(f"{given!r} is no time", "write YYYY-MM-DDTHH:MM:SSZ") from None
    aware = time if time.tzinfo else time.replace(tzinfo=UTC)
    return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
