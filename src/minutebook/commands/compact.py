"""`minutebook compact`: distil session notes into summaries."""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date

import click

from minutebook.commands import options
from minutebook.commands.snapshot import said
from minutebook.compact.by_model import model_writer, name_of
from minutebook.compact.grouping import Limits
from minutebook.compact.plan import Bounds, By, plan_compact
from minutebook.compact.recall import Place, Ranked
from minutebook.edges.llm import model_at
from minutebook.edges.search_index import find, open_index
from minutebook.edges.snapshots import take
from minutebook.extract.model.loop import settings_of
from minutebook.ground.change import Plan, Tree
from minutebook.ground.errors import CannotJudge, OutsideFailed
from minutebook.ground.frozen import EMPTY
from minutebook.ground.memory import Memory
from minutebook.settle import settle
from minutebook.similar import salience
from minutebook.workspace import Workspace, now_or, open_workspace, today_or

_SMALLEST_ENTRY = 20  # tokens; more hits than fit are not considered


@click.command()
@options.dry_run
@options.form()
@click.option("--older-than", metavar="AGE", help="Age from which notes are compacted, as 48h or 30d.")
@click.option(
    "--more-than", type=click.IntRange(min=0), metavar="COUNT", help="Keep the newest COUNT of a type at most."
)
@click.option("--over", type=click.IntRange(min=0), metavar="TOKENS", help="Keep TOKENS of a type at most, the newest.")
@click.option(
    "--force", is_flag=True, help="Also when it takes most of the memory away, or makes notes harder to find."
)
@click.option("--model", is_flag=True, help="Let the model that the config names choose and shorten the details.")
@options.root
@options.today
def compact(
    dry_run: bool, form: str, older_than: str | None, more_than: int | None, over: int | None, force: bool,
    model: bool, root: str | None, today: str | None,
) -> int:  # fmt: skip
    """Turn session notes that are old enough into one summary for each month and every 40 notes.

    The originals go to the archive byte for byte (`minutebook expand ID` prints one, or brings it back). Beside the
    summary lies a ledger of their claims: each is carried by a line of the summary, or left in the archive for a
    reason; what was decided, asked for, ruled out or left open is always carried, and `check` makes sure of it.
    Decisions and other append-only entries go to the archive only when their own text says that they are superseded,
    retracted or obsolete; the active ones get a page beside them that links each.

    A durable entry that says nothing which another one of its type doesn't is united with it, sources and all; what is
    nearly the same and differs is asked about.

    A summary that isn't smaller than its notes is not written. A plan that takes away more than half of the live
    memory, or by which notes aren't found any more, is refused without --force. The memory as it was is kept as a
    snapshot first, whose name is printed.

    Works offline. With --model the model that `model:` in .minutebook.yaml names reads the notes as they stand, never
    an earlier summary, and chooses the details; its key is ANTHROPIC_API_KEY. Each line that it writes has to be a
    sentence of the notes, whole clauses left out at most: what the certificate refuses comes back once, and then the
    summary is made without the model, and says so.
    """
    workspace = open_workspace(root)
    day = today_or(today)
    limits = Limits(_hours(older_than), more_than, over)
    with chosen_writer(workspace, model=model) as (by, failures):
        plan = plan_compact(workspace.memory, workspace.tree, day, by, Bounds(limits, force=force))
    if plan.changes and not dry_run:
        before = take(workspace.repo, workspace.memory.root, "before compact", now_or(today))
        click.echo(f"{said(before)} holds the memory as it was", err=form == "json")
    code = settle(workspace, plan, day, dry_run=dry_run, form=form)
    for failure in failures[:1]:
        raise failure
    return code or int(any(each.what == "compaction" for each in plan.refusals))


def compact_plan(memory: Memory, tree: Tree, today: date, by: By) -> Plan:
    """The plan of a compaction, as much of it as one plan may take.

    Raises CannotJudge when there is something to summarise and the extra `maintain` is missing.
    """
    return plan_compact(memory, tree, today, by, Bounds(Limits(), in_parts=True))


def searched(memory: Memory) -> Ranked:
    """The search of a memory: the live entries for a text as `minutebook search` ranks them, the best first."""
    index = open_index(None, memory)

    def ask(text: str) -> list[Place]:
        return [(hit.path, hit.id) for hit in find(index, text, memory.config.budget // _SMALLEST_ENTRY + 100)]

    return ask


@contextmanager
def chosen_writer(
    workspace: Workspace, *, model: bool, spent: Mapping[str, int] = EMPTY
) -> Iterator[tuple[By, list[OutsideFailed]]]:
    """How summaries are written, for as long as the block lasts, and a list that holds the failure of the model's
    service if it fails. `spent` are the figures of what the run has spent out of the same purse before.

    Raises CannotJudge when the config names no model, or there is no key to ask it with.
    """
    failures: list[OutsideFailed] = []
    if not model:
        yield By(salience, searched), failures
        return
    settings = settings_of(workspace.config.model)
    with model_at(settings, os.environ) as asked:
        writer = model_writer(asked, settings, failures, spent)
        yield By(salience, searched, writer, name_of(asked.id)), failures


def _hours(age: str | None) -> int | None:
    match = re.fullmatch(r"([0-9]{1,5})([hd])", age or "")
    if age is not None and match is None:
        raise CannotJudge(f"--older-than {age}: no age", "write 48h or 30d")
    return int(match[1]) * (24 if match[2] == "d" else 1) if match else None
