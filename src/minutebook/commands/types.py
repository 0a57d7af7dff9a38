"""`minutebook types [NAME]`: list the memory types, or show one."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from minutebook.commands import options
from minutebook.edges import git
from minutebook.edges.work_tree import usual_roots
from minutebook.ground.config import CONFIG, read_config
from minutebook.ground.errors import CannotJudge
from minutebook.ground.memory_type import MemoryType, builtin_types, section_field
from minutebook.ground.problem import Problem
from minutebook.pages.index_page import template_page
from minutebook.pages.report import json_text
from minutebook.workspace import open_workspace

_COLUMNS = ("name", "memory", "place", "written", "loaded", "source")


@click.command()
@click.argument("name", required=False)
@options.form()
@options.root
def types(name: str | None, form: str, root: str | None) -> int:
    """List the memory types, or show one: its fields, its sections, an example.

    Within a repository that has memory, its own types (<root>/types/*.yaml) are among them. Exit 1 when one of those
    can't be read.
    """
    found, problems = _types(root)
    described = _described(options.type_named(found, name)) if name is not None else None
    if form == "json":
        click.echo(json_text(described or [_row(mtype) for mtype in found.values()]), nl=False)
    else:
        click.echo(_text(described) if described else _table(found), nl=False)
    for problem in problems:
        click.echo(f"{problem.path}:{problem.line}: {problem.message}", err=True)
    return 1 if problems else 0


def _types(root: str | None) -> tuple[Mapping[str, MemoryType], list[Problem]]:
    """The repository's types, or outside of any memory the ones that ship with minutebook."""
    if root is None and not _has_memory(Path.cwd()):
        return builtin_types(), []
    memory = open_workspace(root).memory
    return memory.types, [problem for problem in memory.problems if problem.rule == "type"]


def _has_memory(folder: Path) -> bool:
    try:
        top = git.repository(folder).top
    except CannotJudge:
        return False
    config = top / CONFIG
    if config.is_file() and read_config(config.read_bytes()).roots:
        return True
    return bool(usual_roots(top))


def _row(mtype: MemoryType) -> dict[str, str]:
    return {
        "name": mtype.name,
        "memory": mtype.memory,
        "place": mtype.place,
        "written": mtype.write,
        "loaded": mtype.load,
        "source": mtype.source,
    }


def _table(found: Mapping[str, MemoryType]) -> str:
    lines = [dict(zip(_COLUMNS, _COLUMNS, strict=True)), *(_row(mtype) for mtype in found.values())]
    widths = {column: max(len(line[column]) for line in lines) for column in _COLUMNS}
    rows = ("  ".join(line[column].ljust(widths[column]) for column in _COLUMNS).rstrip() for line in lines)
    return "\n".join(rows) + "\n"


def _described(mtype: MemoryType) -> dict[str, Any]:
    sections = {section_field(section): section for section in mtype.sections}
    fields = [
        {
            "name": field,
            "required": field in mtype.schema["required"],
            "written": f"section {sections[field]}" if field in sections else "field",
            "description": " ".join(str(schema.get("description", "")).split()),
        }
        for field, schema in mtype.schema["properties"].items()
    ]
    return {
        **_row(mtype),
        "title": mtype.title,
        "describe": mtype.describe,
        "layout": mtype.layout,
        "id": mtype.id,
        "durability": mtype.durability,
        "fields": sorted(fields, key=lambda field: not field["required"]),
        "sections": list(mtype.sections),
        "template": template_page([mtype]).partition("\n## ")[2].partition("\n\n")[2],
    }


def _text(shown: Mapping[str, Any]) -> str:
    written = {"append": "append-only", "derived": "by compaction only"}.get(shown["written"], shown["written"])
    layout = {"log": "many in one file", "file": "one a file", "page": "one page"}[shown["layout"]]
    lines = [
        f"{shown['name']} ({shown['source']})",
        f"  memory   {shown['memory']}, {shown['durability']}",
        f"  written  {written}, {layout}",
        f"  loaded   {shown['loaded']}",
        f"  id       {shown['id']}",
        "  fields   (* is required)",
    ]
    width = max(len(field["name"]) for field in shown["fields"])
    for field in shown["fields"]:
        mark = "*" if field["required"] else " "
        where = f"[{field['written']}] " if field["written"] != "field" else ""
        lines.append(f"    {mark} {field['name'].ljust(width)}  {where}{field['description']}".rstrip())
    return "\n".join([*lines, "", str(shown["template"]).rstrip("\n")]) + "\n"
