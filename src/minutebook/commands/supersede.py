"""`minutebook supersede ID`: a change of mind."""

from difflib import get_close_matches

import click

from minutebook.commands import options
from minutebook.commands.new import given_fields, must_be_long_enough, owners_of, settings_option
from minutebook.ground.errors import CannotJudge, Refused
from minutebook.ground.uris import placed
from minutebook.moves.supersede import must_hold, plan_supersede
from minutebook.settle import settle
from minutebook.setup.template import Wanted, draft_entry
from minutebook.workspace import open_workspace, today_or


@click.command()
@click.argument("name", metavar="ID")
@click.option("--title", default="", help="One line that says what holds now.")
@settings_option
@click.option("--domain", default="", help="The log of the new entry. [default: the old one's]")
@click.option("--slug", default="", help="The name in the new file's path; made from the title when not given.")
@options.dry_run
@options.form()
@options.root
@options.user
@options.today
def supersede(
    name: str, title: str, settings: tuple[str, ...], domain: str, slug: str, dry_run: bool, form: str,
    root: str | None, user: str, today: str | None,
) -> int:  # fmt: skip
    """Write a new entry that takes the place of the entry ID, and mark that one, in one step.

    The new entry has the old one's type and has to be complete: `minutebook supersede DEC-2026-11-02-01 --title "…"
    --set decision="…"`. `minutebook new TYPE --supersedes ID` leaves fields to fill in, and the old entry unmarked.
    """
    workspace = open_workspace(root, user)
    memory, day = workspace.memory, today_or(today)
    entries = {entry.id: entry for entry in memory.entries(archived=True)}
    if name not in entries:
        close = get_close_matches(name, entries, 1)
        raise CannotJudge(f"no entry {name!r}", f"did you mean {close[0]}?" if close else "minutebook search WORDS")
    old = entries[name]
    must_hold(memory, old)
    mtype = memory.type_of(old)
    same = (placed(mtype, memory.inner(old.path)) or {}) if old.in_log or not memory.alone(mtype) else {}
    places = {"domain": domain or same.get("domain", ""), "slug": slug}
    given = given_fields(settings)
    if mtype.stage(given.get("status", "")) != "sealed":
        raise Refused(f"what supersedes {name} has to hold itself", f"minutebook new {mtype.name} --supersedes {name}")
    whole = given | {key: value for key, value in places.items() if value}
    must_be_long_enough(mtype, title, given)
    draft = draft_entry(memory, workspace.tree, mtype, Wanted(title, whole, owners_of(workspace), day, name))
    if draft.missing:
        options_of = ['--title "…"' if each == "title" else f'--set {each}="…"' for each in draft.missing]
        raise Refused(f"what supersedes {name} has to be complete", " ".join(options_of))
    plan = plan_supersede(memory, workspace.tree, old, draft.change, draft.id)
    return settle(workspace, plan, day, dry_run=dry_run, form=form)
