"""`minutebook extract`: propose entries from session transcripts."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date

import click

from minutebook.commands import options
from minutebook.edges.llm import model_at
from minutebook.extract import near_misses, session_key
from minutebook.extract.model.loop import Place, model_extractor, settings_of
from minutebook.extract.tools import extraction_tools
from minutebook.ground.change import Plan
from minutebook.ground.errors import CannotJudge, OutsideFailed
from minutebook.ground.memory import Memory
from minutebook.ground.session import Found, Session
from minutebook.ground.uris import slug
from minutebook.learning import Extractor, plan_sessions, without_model
from minutebook.pages.report import json_text, one_line
from minutebook.reading import read_sources
from minutebook.settle import settle
from minutebook.workspace import Workspace, open_workspace, owner_told, today_or


@click.command()
@click.argument("sources", nargs=-1, metavar="SOURCE...")
@options.dry_run
@options.form()
@options.root
@options.user
@options.agent("the transcript's format")
@options.model
@options.accept
@click.option("--explain", is_flag=True, help="Say why each candidate is one, and what came near where there is none.")
@click.option("--list-tools", is_flag=True, help="Print the tools that a model would be given, one a type, as JSON.")
@options.today
def extract(
    sources: tuple[str, ...],
    dry_run: bool,
    form: str,
    root: str | None,
    user: str,
    agent: str,
    model: bool,
    accept: tuple[str, ...],
    explain: bool,
    list_tools: bool,
    today: str | None,
) -> int:
    """Propose entries from what was said in sessions, each entry with the words that back it; write them once the gate
    agrees.

    SOURCE is a transcript of any agent, a folder, a glob, `-`, or the checkpoints of the Entire CLI: `entire` (those of
    HEAD's commits), `entire:A..B`, `entire:CHECKPOINT`. At most five entries a session; a history of aider's is one
    session, however many chats are in it. The same transcript again changes nothing; one that grew is read from where
    it was left.

    What can't be read is named, the rest is still read, and the exit code is 2: a file on the command line that no
    format claims, a checkpoint that isn't in this clone, a `.jsonl` or `.traj` in a folder or glob. Other files there
    that no format claims are counted on one line, and are no failure: most `.json` files are something else.

    Works offline. With --model the model that `model:` in .minutebook.yaml names reads the sessions, looks at existing
    memory before it proposes, and must quote what was said; its key is ANTHROPIC_API_KEY. What nobody said, or is
    dangerous, is held back: `--accept ID` writes it, `minutebook reject ID` keeps it from being proposed again.
    """
    workspace = open_workspace(root, user)
    if list_tools:
        click.echo(json_text(extraction_tools(workspace.memory.types)), nl=False)
        return 0
    if not sources:
        raise CannotJudge("which transcripts?", "minutebook extract SOURCE…")
    day = today_or(today)
    with chosen_extractor(workspace, agent, model=model) as extractor:
        read = read_sources(sources)
        plan = plan_sessions(workspace, read.sessions, day, agent, extractor, accept)
    plan = owner_told(workspace, user, plan)
    code = settle(workspace, plan, day, dry_run=dry_run, form=form, explain=explain)
    if explain and not model and form == "text":
        _say_what_was_near(read.sessions, plan)
    extractor.must_not_have_failed()
    return code or (2 if read.unread else 0)


def _say_what_was_near(sessions: Sequence[Session], plan: Plan) -> None:
    """For sessions that gave nothing: what came nearest to being proposed, and what it lacked."""
    gave = {proof.session for change in plan.changes for entry in change.entries for proof in entry.evidence}
    for session in sessions:
        for miss in near_misses(session) if session_key(session) not in gave else ():
            click.echo(one_line(f"nearest miss: {session.format} session {session_key(session)[:12]}, {miss}"))


class Persistent:
    """An extractor that loses nothing that was paid for: when the outside service fails, this session and those after
    it are left unread, and what was found before is kept."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor
        self._failure: OutsideFailed | None = None

    def __call__(self, session: Session, memory: Memory, today: date, after: int) -> Found:
        if self._failure is None:
            try:
                return self._extractor(session, memory, today, after)
            except OutsideFailed as error:
                self._failure = error
        return Found(notes=("not read: the outside service failed",), whole=False)

    def must_not_have_failed(self) -> None:
        """Raises OutsideFailed if the service did, once what came before is safe."""
        if self._failure is not None:
            raise self._failure


@contextmanager
def chosen_extractor(workspace: Workspace, agent: str, *, model: bool) -> Iterator[Persistent]:
    """The offline extractor, or the one that asks the model of the config for as long as the block lasts.

    Raises CannotJudge when the config names no model, or there is no key to ask it with.
    """
    if not model:
        yield Persistent(without_model)
        return
    settings = settings_of(workspace.config.model)
    with model_at(settings, os.environ) as asked:
        place = Place(workspace.account, workspace.user, slug(agent) if agent else "")
        yield Persistent(model_extractor(asked, settings, place))
