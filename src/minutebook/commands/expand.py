"""`minutebook expand ID`: what a compaction moved to the archive, as it was."""

from collections.abc import Sequence
from difflib import get_close_matches

import click

from minutebook.commands import options
from minutebook.compact.ledger import hash_of, read_ledger
from minutebook.ground.entry import Entry, decode, encode
from minutebook.ground.errors import CannotJudge, Refused
from minutebook.ground.uris import ARCHIVE
from minutebook.moves.back import plan_back
from minutebook.pages.report import json_text
from minutebook.pages.safe_markdown import spelled_out
from minutebook.settle import settle
from minutebook.workspace import Workspace, open_workspace, today_or


@click.command()
@click.argument("name", metavar="ID")
@click.option("--back", is_flag=True, help="Put the originals back where they were, in place of printing them.")
@click.option("--raw", is_flag=True, help="Print the exact bytes, whatever they are.")
@options.dry_run
@options.form()
@options.root
@options.today
def expand(name: str, back: bool, raw: bool, dry_run: bool, form: str, root: str | None, today: str | None) -> int:
    """Print the originals of the summary ID, or the archived entry ID, byte for byte as they were compacted.

    An original that isn't what its ledger says is refused. With --back they return to where they were, as they lie in
    the archive now: all the notes of a summary at once, for it goes, with its ledger, and stands for none of them any
    more; the next compaction makes another one. An entry of a log is printed, and goes back to no log: it is closed.
    What was expunged stays where it is.
    """
    workspace = open_workspace(root)
    summary, originals = _originals(workspace, name)
    if back:
        return settle(
            workspace,
            plan_back(workspace.memory, workspace.tree, originals, summary),
            today_or(today),
            dry_run=dry_run,
            form=form,
        )
    _must_be_whole(workspace, summary, originals)
    if form == "json":
        rows = [{"id": each.id, "path": each.path, "sha256": hash_of(each), "text": each.text} for each in originals]
        click.echo(json_text({"originals": rows}), nl=False)
        return 0
    for each in originals:
        if raw:
            click.echo(encode(each.text), nl=False)
        else:
            click.echo(spelled_out(each.text), nl=not each.text.endswith("\n"))
        click.echo(f"{each.id}: {each.path}, sha256 {hash_of(each)}", err=True)
    return 0


def _originals(workspace: Workspace, name: str) -> tuple[Entry | None, list[Entry]]:
    """(the summary of that id, if it is one; the archived entries that it stands for, or the one of that id)."""
    memory = workspace.memory
    entries = {entry.id: entry for entry in memory.entries(archived=True)}
    archived = {key: entry for key, entry in entries.items() if memory.inner(entry.path).startswith(ARCHIVE)}
    if name not in entries:
        close = get_close_matches(name, entries, 1)
        raise CannotJudge(
            f"there is no entry {name!r}", f"did you mean {close[0]}?" if close else "minutebook search WORDS"
        )
    if name in archived:
        holders = (each for each in entries.values() if each.type == "summary" and name in each.ids("derived_from"))
        return next(holders, None), [archived[name]]
    found = [archived[key] for key in entries[name].ids("derived_from") if key in archived]
    if not found and not (entries[name].type == "summary" and entries[name].fields.get("ledger")):
        raise Refused(f"{name} is no summary of archived entries, and not archived itself", f"minutebook show {name}")
    return entries[name], found


def _must_be_whole(workspace: Workspace, summary: Entry | None, originals: Sequence[Entry]) -> None:
    """Raises Refused when an original isn't, byte for byte, what the ledger says; without a ledger nothing is said."""
    place = str(summary.fields.get("ledger", "")) if summary is not None else ""
    file = workspace.tree.get(workspace.memory.outer(place))
    ledger = read_ledger(decode(file.data)) if file is not None else None
    for each in originals:
        if ledger is not None and ledger.originals.get(each.id, "") != hash_of(each):
            hint = f"git log -- {each.path}, minutebook snapshots, or minutebook expand {each.id} --back"
            raise Refused(f"{each.path} isn't what was compacted", hint)
