"""`minutebook extract`: propose entries from session transcripts."""

import click

from minutebook.commands import options
from minutebook.extract.tools import extraction_tools
from minutebook.ground.errors import CannotJudge
from minutebook.learning import plan_sessions
from minutebook.pages.report import json_text
from minutebook.reading import read_sources
from minutebook.settle import settle
from minutebook.workspace import open_workspace, today_or


@click.command()
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@options.dry_run
@options.form()
@options.root
@options.user
@options.agent("the transcript's format")
@click.option("--accept", multiple=True, metavar="ID", help="Write this candidate although it is in quarantine.")
@click.option("--list-tools", is_flag=True, help="Print the tools that a model would be given, one a type, as JSON.")
@options.today
def extract(
    sources: tuple[str, ...],
    dry_run: bool,
    form: str,
    root: str | None,
    user: str,
    agent: str,
    accept: tuple[str, ...],
    list_tools: bool,
    today: str | None,
) -> int:
    """Propose entries from the transcripts in SOURCE (files, or folders with transcripts in them), each entry with the
    words that back it; write them once the gate agrees.

    Works offline. At most five entries a session. The same transcript again changes nothing; one that grew is read
    from where it was left. A file that no format claims is named, the others are still read, and the exit code is 2.
    """
    workspace = open_workspace(root, user)
    if list_tools:
        click.echo(json_text(extraction_tools(workspace.memory.types)), nl=False)
        return 0
    if not sources:
        raise CannotJudge("which transcripts?", "minutebook extract SOURCE…")
    day = today_or(today)
    read = read_sources(sources)
    plan = plan_sessions(workspace, read.sessions, day, agent, accepted=accept)
    code = settle(workspace, plan, day, dry_run=dry_run, form=form)
    return code or (2 if read.unread else 0)
