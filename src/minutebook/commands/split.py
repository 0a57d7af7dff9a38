"""`minutebook split`: split a log by domain."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import TextIO

import click

from minutebook.commands import options
from minutebook.edges.bases import staged_bases
from minutebook.ground.change import Plan
from minutebook.ground.entry import Entry
from minutebook.ground.errors import CannotJudge, Refused
from minutebook.ground.frozen import replace
from minutebook.ground.memory import Memory, memory_after
from minutebook.ground.nouns import counted
from minutebook.ground.uris import slug
from minutebook.moves.split import log_of, plan_split
from minutebook.settle import settle
from minutebook.workspace import Workspace, open_workspace, today_or, workspace_at


@click.command()
@click.argument("names", nargs=-1, metavar="[TYPE] [ID]...")
@click.option("--to", "domain", default="", metavar="DOMAIN", help="The domain that the named entries go to.")
@click.option("--by", type=click.Choice(["tag"]), help="Each entry goes to the domain of its first tag.")
@click.option("--map", "mapped", type=click.File(encoding="utf-8"), metavar="FILE", help="Lines of `ID DOMAIN`.")
@click.option("--from", "source", default="_log", metavar="DOMAIN", show_default=True, help="The log that is split.")
@options.dry_run
@options.form()
@options.root
@options.today
def split(
    names: tuple[str, ...], domain: str, by: str | None, mapped: TextIO | None, source: str, dry_run: bool, form: str,
    root: str | None, today: str | None,
) -> int:  # fmt: skip
    """Move entries of a log to logs by domain: `minutebook split --to database DEC-2026-11-02-01`.

    Every entry keeps its bytes and its order, and what refers to it needs no change. TYPE is decision when none is
    named. With --by tag, entries without tags stay where they are.
    """
    if (domain != "") + (by is not None) + (mapped is not None) != 1:
        raise click.UsageError("say where the entries go: one of --to, --by and --map")
    workspace = open_workspace(root)
    memory = workspace.memory
    named = names[:1] if names and names[0] in memory.types else ()
    ids = names[len(named) :]
    if (domain and not ids) or (mapped is not None and ids):
        raise click.UsageError("--to takes ids, and --map has them in its file")
    mtype = memory.types[named[0] if named else "decision"]
    path = log_of(memory, mtype, source)
    here = [entry for entry in memory.entries() if entry.path == path and entry.in_log]
    _must_be_known(ids, [entry.id for entry in memory.entries(archived=True)])
    if mapped is not None:
        domains = dict(_lines(mapped))
    elif domain:
        domains = dict.fromkeys(ids, domain)
    else:
        domains = dict(_by_tag([entry for entry in here if not ids or entry.id in ids]))
    plan = plan_split(memory, workspace.tree, mtype, path, domains)
    _must_keep_its_order(workspace, plan)
    staying = len(here) - sum(entry.id in domains for entry in here)
    if by is not None and not ids and staying:
        plan = replace(plan, notes=(*plan.notes, f"{counted(staying, 'entry')} without tags stay in {path}"))
    return settle(workspace, plan, today_or(today), dry_run=dry_run, form=form)


def _must_keep_its_order(workspace: Workspace, plan: Plan) -> None:
    """Raises Refused where an entry would come back to a log in which it was published at another place. The plan is
    judged by the files as they lie there, in which it stands elsewhere; the commit will be judged by what's published.
    """
    moved = {each.id for change in plan.changes for each in change.entries if each.verb == "move"}
    after = memory_after(workspace.memory, workspace.tree, plan.changes)
    for base in _published(workspace) if moved else ():
        for path in sorted({change.path for change in plan.changes} & base.files.keys() & after.files.keys()):
            was = {entry.id: at for at, entry in enumerate(base.files[path].entries)}
            now = [entry.id for entry in after.files[path].entries if entry.id in was]
            if sorted(now, key=was.__getitem__) != now and moved & set(now):
                name = next(each for each in now if each in moved)
                raise Refused(
                    f"{name} stood in {path} when that was published, and would come back to it out of its order",
                    "leave it where it is now, or undo the change that took it away",
                )


def _published(workspace: Workspace) -> Iterator[Memory]:
    """The memory in the commits that a commit made now would be compared with, as far as they are known."""
    try:
        found = staged_bases(workspace.repo)
    except CannotJudge:
        return  # a clone too shallow to tell: the check will say so
    for commit in (base.commit for base in found if base.commit is not None):
        with suppress(CannotJudge):  # there was no memory yet
            yield workspace_at(workspace.repo, commit, workspace.memory.root).memory


def _by_tag(entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    for entry in entries:
        tags = entry.fields.get("tags")
        if isinstance(tags, list) and tags:
            yield entry.id, slug(str(tags[0]))


def _lines(file: TextIO) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for number, line in enumerate(file, 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2 or words[0] in seen:
            raise CannotJudge(f"{file.name}:{number}: write an id and its domain, each id once")
        seen.add(words[0])
        yield words[0], words[1]


def _must_be_known(ids: Sequence[str], known: Sequence[str]) -> None:
    for name in ids:
        if name not in known:
            close = get_close_matches(name, known, 1)
            hint = f"did you mean {close[0]}?" if close else "minutebook search WORDS"
            raise CannotJudge(f"no type or entry {name!r}", hint)
