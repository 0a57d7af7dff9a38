"""`minutebook new TYPE`: write a new entry from its type's template."""

import sys
from collections.abc import Mapping

import click

from minutebook.commands import options
from minutebook.edges.store import apply
from minutebook.ground import uris
from minutebook.ground.change import Plan
from minutebook.ground.entry import decode
from minutebook.ground.errors import Refused
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.nouns import counted
from minutebook.ground.problem import Problem
from minutebook.pages.in_step import with_index
from minutebook.pages.plan_report import plan_text
from minutebook.settle import errors_of, judge_plan, refuse
from minutebook.setup.template import Draft, Wanted, draft_entry
from minutebook.workspace import Workspace, open_workspace, today_or

settings_option = click.option(
    "--set", "settings", multiple=True, metavar="FIELD=VALUE",
    help="A field; lists take commas, and - is standard input. Repeatable.",
)  # fmt: skip


@click.command()
@click.argument("type_name", metavar="TYPE")
@click.option("--title", default="", help="One line that says it.")
@click.option("--supersedes", default="", metavar="ID", help="The entry that the new one takes the place of.")
@settings_option
@click.option("--domain", default="", help="The log to write to, in a memory that is split by domain.")
@click.option("--slug", default="", help="The name in the file's path; made from the title when not given.")
@click.option("--edit", is_flag=True, help="Open the new entry in your editor.")
@options.dry_run
@click.option("--stdout", is_flag=True, help="Print the entry alone, and write nothing.")
@options.root
@options.user
@options.agent("the only one that has a space here")
@options.today
def new(
    type_name: str,
    title: str,
    supersedes: str,
    settings: tuple[str, ...],
    domain: str,
    slug: str,
    edit: bool,
    dry_run: bool,
    stdout: bool,
    root: str | None,
    user: str,
    agent: str,
    today: str | None,
) -> int:
    """Write a new entry of TYPE: its place and id are chosen, what you give is filled in, the rest is left to fill.

    Prints path:line to open. `minutebook types TYPE` shows the fields. An entry with empty required fields is
    written, and `minutebook check` refuses it until they are filled.
    """
    workspace = open_workspace(root)
    memory, day = workspace.memory, today_or(today)
    mtype = options.type_named(memory.types, type_name)
    if mtype.write == "derived":
        raise Refused(f"only a compaction writes a {mtype.name}", "minutebook compact")
    owners = {name: uris.slug(value) for name, value in (("user", user), ("agent", agent)) if value}
    places = {name: value for name, value in (("domain", domain), ("slug", slug)) if value}
    given = given_fields(settings) | places | owners
    wanted = Wanted(title, given, owners_of(workspace), day, supersedes)
    must_be_long_enough(mtype, title, given)
    draft = draft_entry(memory, workspace.tree, mtype, wanted)
    if stdout:
        click.echo(draft.text, nl=False)
        return 0
    plan = with_index(Plan((draft.change,)), memory, workspace.tree)
    errors = [error for error in errors_of(judge_plan(workspace, plan, day)) if not _to_fill(error, draft)]
    if errors:
        return refuse(errors, "the new entry")
    if dry_run:
        click.echo(plan_text(plan), nl=False)
        return 0
    apply(workspace.store, plan)
    click.echo(f"{draft.change.path}:{draft.line}")
    for name, words in draft.missing.items():
        click.echo(f"  to fill in: {name}" + (f" ({words})" if words != name.replace("_", " ") else ""))
    if edit:
        click.edit(filename=str(workspace.repo.top / draft.change.path))
    return 0


def given_fields(settings: tuple[str, ...]) -> dict[str, str]:
    """The fields as given; `-` for a value is what standard input holds."""
    found: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            raise click.UsageError(f"--set {setting}: write FIELD=VALUE")
        text = decode(sys.stdin.buffer.read()) if value == "-" else value
        found[name.strip().replace("-", "_").lower()] = text
    return found


def must_be_long_enough(mtype: MemoryType, title: str, given: Mapping[str, str]) -> None:
    """Raises Refused for a value that the schema has longer, by the name of its option: no line of a file that isn't
    written yet says that so well."""
    for name, value in (("title", title), *given.items()):
        least = mtype.schema["properties"].get(name, {}).get("minLength", 0)
        if value and len(value.strip()) < least:
            option = f"--{name}" if name == "title" else f"--set {name}"
            found = counted(len(value.strip()), "character")
            raise Refused(f"{option} {value.strip()!r} is too short: {found}, and it needs {least}")


def owners_of(workspace: Workspace) -> dict[str, str]:
    """Whose a new entry is when nobody is named."""
    return {"user": workspace.user, "agent": _only_agent(workspace)}


def _only_agent(workspace: Workspace) -> str:
    """The agent whose folder is the only one; "" when there are none or several."""
    folder = workspace.memory.outer("agents/")
    names = {path.removeprefix(folder).split("/")[0] for path in workspace.tree if path.startswith(folder)}
    return names.pop() if len(names) == 1 else ""


def _to_fill(problem: Problem, draft: Draft) -> bool:
    """Whether the problem is a field that the template leaves for a person to fill in."""
    ours = problem.path == draft.change.path and problem.entry in ("", draft.id)
    return ours and any(f"`{name}`" in problem.message for name in draft.missing)
