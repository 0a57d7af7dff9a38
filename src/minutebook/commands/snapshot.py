"""`minutebook snapshot`: keep the memory tree under a ref of its own."""

import click

from minutebook.commands import options
from minutebook.edges.snapshots import Snapshot, list_snapshots, take
from minutebook.pages.report import json_text
from minutebook.workspace import now_or, open_workspace


@click.command()
@click.option("--label", default="", help="A word that tells you later why it was taken.")
@click.option("--list", "listed", is_flag=True, help="List the snapshots there are, oldest first; take none.")
@options.form()
@options.root
@options.today
def snapshot(label: str, listed: bool, form: str, root: str | None, today: str | None) -> int:
    """Keep the memory as it lies in the work tree, byte for byte, private owner spaces included.

    It becomes a commit under refs/minutebook/snapshots/, which `git push` leaves on this machine; branches, index and
    work tree stay as they are. A tree that was kept before is not kept twice.
    """
    workspace = open_workspace(root)
    if listed:
        found = list_snapshots(workspace.repo, workspace.memory.root)
        if form == "json":
            click.echo(json_text({"snapshots": [_json(each) for each in found]}), nl=False)
        else:
            click.echo("".join(f"{_line(each)}\n" for each in found) or "no snapshots\n", nl=False)
        return 0
    made = take(workspace.repo, workspace.memory.root, label, now_or(today))
    if form == "json":
        click.echo(json_text(_json(made)), nl=False)
    else:
        click.echo(said(made))
        click.echo(f"  back to it: minutebook restore {made.name}")
    return 0


def said(made: Snapshot) -> str:
    """One line that names the snapshot."""
    return f"snapshot {made.name}" + (" (the same tree was kept before)" if made.reused else "")


def _line(each: Snapshot) -> str:
    return f"{each.name}  {each.when:%Y-%m-%d %H:%M:%S}Z  {each.commit[:10]}"


def _json(each: Snapshot) -> dict[str, object]:
    return {
        "name": each.name,
        "ref": each.ref,
        "commit": each.commit,
        "tree": each.tree,
        "when": each.when.isoformat(),
        "root": each.root,
        "reused": each.reused,
    }
