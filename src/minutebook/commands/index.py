"""`minutebook index`: regenerates the map of the memory and the search index."""

from contextlib import closing

import click

from minutebook.commands import options
from minutebook.edges.search_index import open_index
from minutebook.ground.change import Change, Plan
from minutebook.ground.memory import INDEX, TEMPLATE
from minutebook.pages.in_step import by_hand, page_change
from minutebook.pages.index_page import index_page, template_page
from minutebook.settle import settle
from minutebook.workspace import Workspace, open_workspace, today_or


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when a page is out of step.")
@options.dry_run
@options.form()
@options.root
def index(check: bool, dry_run: bool, form: str, root: str | None) -> int:
    """Regenerate index.md and _template.md, and bring the search index up to date.

    A page without minutebook's marker was made by hand and is left alone.
    """
    workspace = open_workspace(root)
    plan = plan_index(workspace)
    code = settle(workspace, plan, today_or(None), dry_run=dry_run or check, form=form)
    if check:
        return code or (1 if plan.changes else 0)
    if code == 0 and not dry_run:
        with closing(open_index(workspace.repo.git_dir, workspace.memory)) as opened:
            click.echo(f"search index: {opened.summary()}", err=form == "json")
    return code


def plan_index(workspace: Workspace) -> Plan:
    """The generated pages of the workspace's memory root, where they differ from what lies there."""
    memory = workspace.memory
    pages = {INDEX: index_page(memory), TEMPLATE: template_page(memory.types.values())}
    changes: list[Change] = []
    notes: list[str] = []
    for name, text in pages.items():
        path = memory.outer(name)
        if by_hand(workspace.tree.get(path)):
            notes.append(f"{path} was made by hand (it lacks minutebook's first line): left alone")
        elif change := page_change(path, text, workspace.tree):
            changes.append(change)
    return Plan(tuple(changes), notes=tuple(notes))
