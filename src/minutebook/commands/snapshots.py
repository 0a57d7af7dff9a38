"""`minutebook snapshots`: list what there is to go back to."""

from pathlib import Path

import click

from minutebook.commands import options
from minutebook.commands.snapshot import listing
from minutebook.edges import git
from minutebook.edges.snapshots import list_snapshots
from minutebook.edges.store import Store
from minutebook.workspace import finish_interrupted


@click.command()
@options.form()
@options.root
def snapshots(form: str, root: str | None) -> int:
    """List the snapshots, oldest first: the name, when it was taken (UTC), the commit, and the memory root.

    Also where the memory's folder is gone. `minutebook restore NAME` brings one back, `git diff COMMIT -- ROOT` shows
    how it differs from now, `git show COMMIT:PATH` a file of it. Those that another clone pushed come by

    \b
    git fetch origin 'refs/minutebook/snapshots/*:refs/minutebook/snapshots/*'
    """
    repo = git.repository(Path.cwd())
    finish_interrupted(Store(repo, ""))
    click.echo(listing(list_snapshots(repo, root.rstrip("/") if root is not None else None), form), nl=False)
    return 0
