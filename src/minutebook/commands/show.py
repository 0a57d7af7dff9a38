"""`minutebook show`: prints one entry."""

from collections.abc import Sequence
from difflib import get_close_matches

import click

from minutebook.commands import options
from minutebook.ground.entry import Entry
from minutebook.ground.errors import CannotJudge
from minutebook.ground.memory import Memory
from minutebook.ground.uris import ARCHIVE, locate, uri_of
from minutebook.pages.report import json_text
from minutebook.pages.safe_markdown import spelled_out
from minutebook.workspace import open_workspace


@click.command()
@click.argument("name", metavar="ID")
@click.option("--level", type=click.Choice(["abstract", "overview", "full"]), default="full", show_default=True)
@options.form()
@options.root
def show(name: str, level: str, form: str, root: str | None) -> int:
    """Print the entry with this ID or ctx:// URI, archived ones too.

    Text is exact, but for characters that can't be seen or that a terminal would obey: those are written out.
    """
    workspace = open_workspace(root)
    memory, account = workspace.memory, workspace.account
    found = named(memory, account, name)
    entry = found[0]
    text = {"abstract": entry.abstract, "overview": entry.overview, "full": entry.text}[level]
    if not text.strip():
        text, level, lacking = entry.text, "full", f"note: it has no {level}; this is all of it"
        click.echo(lacking, err=True)
    inner = memory.inner(entry.path)
    archived = inner.startswith(ARCHIVE)
    if form == "json":
        about = {"id": entry.id, "type": entry.type, "title": entry.title, "path": entry.path, "line": entry.line}
        uri = uri_of(account, memory.types, inner, entry.id)
        more = {"uri": uri, "status": entry.status, "archived": archived, "level": level, "text": text}
        click.echo(json_text(about | more), nl=False)
    else:
        shown = spelled_out(text)
        click.echo(shown, nl=not shown.endswith("\n"))
        if shown != text:
            click.echo(
                "note: some characters are written out or left out; --format json has them as they are", err=True
            )
    if archived:
        click.echo(f"note: archived, {entry.path}", err=True)
    for other in found[1:]:
        click.echo(f"note: {other.path}:{other.line} has the same id", err=True)
    return 0


def named(memory: Memory, account: str, name: str) -> Sequence[Entry]:
    """The entries of that name, those outside of the archive first. Raises CannotJudge when there is none."""
    entries = [
        *memory.entries(),
        *(e for e in memory.entries(archived=True) if memory.inner(e.path).startswith(ARCHIVE)),
    ]
    if name.startswith("ctx://"):
        place = locate(account, memory.types, name)
        path = memory.outer(place.path)
        found = [entry for entry in entries if entry.path == path and place.id in ("", entry.id)]
    else:
        found = [entry for entry in entries if entry.id == name]
    if not found:
        raise CannotJudge(f"there is no entry {name!r}", _suggestion(name, [entry.id for entry in entries]))
    return found


def _suggestion(name: str, ids: Sequence[str]) -> str:
    by_case = {known.lower(): known for known in ids}
    lower = name.rpartition("#")[2].rpartition("/")[2].lower()
    close = [lower] if lower in by_case else get_close_matches(lower, by_case, 3)
    if close:
        return "did you mean " + " or ".join(spelled_out(by_case[each]) for each in close) + "?"
    return "minutebook search WORDS"
