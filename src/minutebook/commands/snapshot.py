"""`minutebook snapshot`: keep the memory tree under a ref of its own."""

import click

from minutebook.checks import judge
from minutebook.checks.judgement import Case
from minutebook.commands import options
from minutebook.edges.snapshots import Snapshot, ignored, list_snapshots, present, push, take
from minutebook.ground.change import Tree
from minutebook.ground.errors import Refused
from minutebook.ground.memory import read_memory
from minutebook.pages.report import json_text, one_line
from minutebook.settle import errors_of
from minutebook.workspace import Workspace, now_or, open_workspace, today_or


@click.command()
@click.option("--label", default="", help="A word that tells you later why it was taken.")
@click.option("--list", "listed", is_flag=True, help="As `minutebook snapshots`; takes none.")
@click.option("--push", "pushed", is_flag=True, help="Push it too, unless it holds what is private or a secret.")
@click.option("--remote", default="origin", show_default=True, metavar="NAME", help="Where --push goes.")
@options.form()
@options.root
@options.today
def snapshot(
    label: str, listed: bool, pushed: bool, remote: str, form: str, root: str | None, today: str | None
) -> int:
    """Keep the memory as it lies in the work tree, byte for byte: files that git doesn't track or ignores, private
    owner spaces, executable bits and symlinks included.

    It becomes a commit under refs/minutebook/snapshots/, which `git push` leaves on this machine; branches, index and
    work tree stay as they are, and no hook runs. A tree that was kept before is not kept twice. What can't be read
    makes no snapshot. `compact`, `refresh --apply` and `restore` take one first, so there is always a way back:

    \b
    minutebook snapshot --label "before the clean-up"    keep it, and print the name
    minutebook snapshots                                 what there is to go back to
    minutebook restore NAME                              go back to it

    With --push that one ref goes to the remote, for other clones and in case this disk dies. What is meant to stay here
    (an owner space, a file that git ignores) or looks like a secret is never pushed: then it is refused.
    """
    workspace = open_workspace(root)
    if listed:
        click.echo(listing(list_snapshots(workspace.repo, workspace.memory.root), form), nl=False)
        return 0
    files = present(workspace.repo, workspace.memory.root)
    if pushed:
        _must_be_fit_to_leave(workspace, files, today)
    made = take(workspace.repo, workspace.memory.root, label, now_or(today), files)
    if pushed:
        push(workspace.repo, made, remote)
    if form == "json":
        click.echo(json_text(_json(made) | ({"pushed to": remote} if pushed else {})), nl=False)
    else:
        click.echo(said(made) + (f"\n  pushed to {remote}" if pushed else ""))
        click.echo(f"  back to it: minutebook restore {made.name}")
    return 0


def _must_be_fit_to_leave(workspace: Workspace, files: Tree, today: str | None) -> None:
    """Raises Refused for the first file that shouldn't leave this machine."""
    way = "minutebook snapshot, without --push, keeps it here"
    memory = workspace.memory
    private = [path for path in sorted(files) if memory.is_private(path)]
    if private:
        raise Refused(f"{one_line(private[0])} is private, and the snapshot would hold it", way)
    if unseen := ignored(workspace.repo, files):
        raise Refused(f"git ignores {one_line(unseen[0])}, and the snapshot would hold it", way)
    case = Case(read_memory(files, memory.root, memory.config), files, None, {}, (), today_or(today))
    for problem in errors_of(judge(case, ("secrets",))):
        raise Refused(f"{one_line(problem.path)}:{problem.line}: {problem.message}", f"{problem.fix}; {way}")


def said(made: Snapshot) -> str:
    """One line that names the snapshot."""
    return f"snapshot {made.name}" + (" (the same tree was kept before)" if made.reused else "")


def listing(found: tuple[Snapshot, ...], form: str) -> str:
    """The snapshots, oldest first, as text or as JSON."""
    if form == "json":
        return json_text({"snapshots": [_json(each) for each in found]})
    return "".join(f"{_line(each)}\n" for each in found) or "no snapshots\n"


def _line(each: Snapshot) -> str:
    return f"{one_line(each.name)}  {each.when:%Y-%m-%d %H:%M:%S}Z  {each.commit[:10]}  {one_line(each.root)}"


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
