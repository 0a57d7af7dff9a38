"""`minutebook search`: finds entries by words."""

from collections.abc import Mapping
from contextlib import closing

import click

from minutebook.commands import options
from minutebook.edges.search_index import Hit, find, open_index
from minutebook.ground.entry import Entry
from minutebook.ground.words import snippet
from minutebook.pages.report import json_text
from minutebook.pages.safe_markdown import spelled_out
from minutebook.workspace import open_workspace


@click.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--type", "type_name", default="", metavar="TYPE", help="Only entries of this type.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True)
@click.option("--archived", is_flag=True, help="Search the archive too.")
@options.form()
@options.root
def search(words: tuple[str, ...], type_name: str, limit: int, archived: bool, form: str, root: str | None) -> int:
    """Entries that have some of WORDS, the best first: id, type, title, place, score and the words around."""
    workspace = open_workspace(root)
    memory = workspace.memory
    if type_name:
        options.type_named(memory.types, type_name)
    query = " ".join(words)
    with closing(open_index(workspace.repo.git_dir, memory)) as index:
        hits = find(index, query, limit, type_name=type_name, archived=archived)
    entries = {(entry.path, entry.line): entry for entry in memory.entries(archived=True)}
    rows = [_row(hit, entries[hit.path, hit.line], query) for hit in hits]
    if form == "json":
        click.echo(json_text({"query": query, "hits": rows}), nl=False)
        return 0
    for row in rows:
        marks = "".join(f" [{mark}]" for mark in (row["status"], "archived" if row["archived"] else "") if mark)
        click.echo(spelled_out(f"{row['score']:6.2f}  {row['id']}  {row['type']}  {row['title']}{marks}"))
        click.echo(spelled_out(f"        {row['path']}:{row['line']}"))
        click.echo(spelled_out(f"        {row['snippet']}"))
    if not rows:
        click.echo("nothing matches", err=True)
    return 0


def _row(hit: Hit, entry: Entry, query: str) -> Mapping[str, object]:
    apart = [part for part in (entry.abstract, entry.overview) if part not in entry.body]
    return {
        "id": hit.id,
        "type": hit.type,
        "title": " ".join(entry.title.split()),
        "path": hit.path,
        "line": hit.line,
        "score": round(hit.score, 6),
        "status": entry.status,
        "archived": hit.archived,
        "snippet": snippet("\n".join([*apart, entry.body]), query),
    }
