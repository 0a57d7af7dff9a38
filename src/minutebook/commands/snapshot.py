"""`minutebook snapshot`: keep the memory tree under a ref of its own."""

import click

from minutebook.commands import options
from minutebook.edges.snapshots import Snapshot, list_snapshots, push, take
from minutebook.ground.errors import Refused
from minutebook.pages.report import json_text
from minutebook.workspace import now_or, open_workspace


@click.command()
@click.option("--label", default="", help="A word that tells you later why it was taken.")
@click.option("--list", "listed", is_flag=True, help="As `minutebook snapshots`; takes none.")
@click.option("--push", "pushed", is_flag=True, help="Push it too; owner spaces that stay out of git must be empty.")
@click.option("--remote", default="origin", show_default=True, metavar="NAME", help="Where --push goes.")
@options.form()
@options.root
@options.today
def snapshot(
    label: str, listed: bool, pushed: bool, remote: str, form: str, root: str | None, today: str | None
) -> int:
    """Keep the memory as it lies in the work tree, byte for byte, private owner spaces included.

    It becomes a commit under refs/minutebook/snapshots/, which `git push` leaves on this machine; branches, index and
    work tree stay as they are. A tree that was kept before is not kept twice. With --push that one ref goes to the
    remote, unless it holds something private. `compact`, `restore` and `refresh --apply` take one first.
    """
    workspace = open_workspace(root)
    if listed:
        click.echo(listing(list_snapshots(workspace.repo, workspace.memory.root), form), nl=False)
        return 0
    private = sorted(path for path in workspace.tree if workspace.memory.is_private(path)) if pushed else []
    if private:
        raise Refused(f"{private[0]} is private, and the snapshot would hold it", "minutebook snapshot, without --push")
    made = take(workspace.repo, workspace.memory.root, label, now_or(today))
    if pushed:
        push(workspace.repo, made, remote)
    if form == "json":
        click.echo(json_text(_json(made) | ({"pushed to": remote} if pushed else {})), nl=False)
    else:
        click.echo(said(made) + (f"\n  pushed to {remote}" if pushed else ""))
        click.echo(f"  back to it: minutebook restore {made.name}")
    return 0


def said(made: Snapshot) -> str:
    """One line that names the snapshot."""
    return f"snapshot {made.name}" + (" (the same tree was kept before)" if made.reused else "")


def listing(found: tuple[Snapshot, ...], form: str) -> str:
    """The snapshots, oldest first, as text or as JSON."""
    if form == "json":
        return json_text({"snapshots": [_json(each) for each in found]})
    return "".join(f"{_line(each)}\n" for each in found) or "no snapshots\n"


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
