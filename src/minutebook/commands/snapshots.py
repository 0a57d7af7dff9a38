"""`minutebook snapshots`: list what there is to go back to."""

import click

from minutebook.commands import options
from minutebook.commands.snapshot import listing
from minutebook.edges.snapshots import list_snapshots
from minutebook.workspace import open_workspace


@click.command()
@options.form()
@options.root
def snapshots(form: str, root: str | None) -> int:
    """List the snapshots of this memory root, oldest first: the name, when it was taken (UTC), and the commit.

    `minutebook restore NAME` brings one back; `git show COMMIT:PATH` shows a file of it.
    """
    workspace = open_workspace(root)
    click.echo(listing(list_snapshots(workspace.repo, workspace.memory.root), form), nl=False)
    return 0
