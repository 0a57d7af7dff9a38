"""`minutebook capture`: what the newest session of this project taught."""

import io
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import click

from minutebook.commands import options
from minutebook.edges import agent_folders
from minutebook.edges.agent_folders import Home, Kept
from minutebook.extract import session_key
from minutebook.ground.errors import CannotJudge, MinutebookError, Refused
from minutebook.ground.frozen import frozen
from minutebook.ground.session import Session
from minutebook.learning import plan_sessions
from minutebook.pages.report import one_line
from minutebook.reading import read_file, standard_input
from minutebook.settle import settle
from minutebook.transcripts import UnknownTranscript
from minutebook.workspace import open_workspace, owner_told, today_or

_HOOK_MOST = 2**20
_NEWEST = 20
"""Files that are looked at, the newest first, for one in which somebody said something."""
_PREFIX = 6
"""Characters of an id that may stand for all of it."""
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@frozen
class Hook:
    """What an agent's hook says on standard input; each is "" where it doesn't."""

    transcript: str
    session: str


@click.command()
@click.option("--agent", type=click.Choice(agent_folders.agents()), help="Only sessions of this agent.")
@click.option(
    "--session",
    "wanted",
    metavar="ID",
    help="This session; the beginning of its id will do. [default: the one last written]",
)
@click.option("--hook", is_flag=True, help="Read an agent's hook input (JSON) from standard input.")
@click.option("--quiet", is_flag=True, help="Say nothing but what went wrong.")
@options.dry_run
@options.form()
@options.root
@options.user
@options.today
def capture(
    agent: str | None,
    wanted: str | None,
    hook: bool,
    quiet: bool,
    dry_run: bool,
    form: str,
    root: str | None,
    user: str,
    today: str | None,
) -> int:
    """Learn from the newest session of this project, found in the agents' own folders: its note and the entries that
    its words back are written, the transcript is not.

    Meant for the hook with which an agent ends a session: `minutebook capture --hook --quiet`. The hook's input is
    believed only as far as it names a transcript of this project in the agent's own folder. With --hook what can't be
    done is exit 1: in the hooks of some agents 2 means that the agent has to go on.
    """
    with _never_two(hook):
        said = read_hook(standard_input().read(_HOOK_MOST + 1)) if hook else Hook("", "")
        workspace = open_workspace(root, user)
        home = agent_folders.home_here(workspace.repo)
        found = _chosen(home, agent or "", wanted or said.session, said.transcript)
        if found is None:
            return 0
        kept, session = found
        if not quiet:
            click.echo(_told(kept, session), err=True)
        day = today_or(today)
        plan = owner_told(workspace, user, plan_sessions(workspace, [session], day))
        with redirect_stdout(io.StringIO() if quiet else sys.stdout):
            return settle(workspace, plan, day, dry_run=dry_run, form=form)


@contextmanager
def _never_two(hook: bool) -> Iterator[None]:
    """In a hook every failure is exit 1."""
    try:
        yield
    except MinutebookError as error:
        raise Refused(str(error), error.hint) if hook else error from None
    except OSError as error:
        raise Refused(f"{error.strerror or error}: {error.filename}") if hook else error from None


def _told(kept: Kept, session: Session) -> str:
    at = datetime.fromtimestamp(kept.changed, UTC)
    name = f"{kept.agent} session {session_key(session)}"
    return one_line(f"{name}, last written {at:%Y-%m-%d %H:%M} UTC: {kept.path}")


def read_hook(data: bytes) -> Hook:
    """A hook's input: one JSON object, of which two fields are read, as Claude Code (and those after it) or Copilot CLI
    spell them. Raises CannotJudge for anything else."""
    try:
        value = json.loads(data) if len(data) <= _HOOK_MOST else None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise CannotJudge("standard input holds no hook input", "--hook is for an agent's hook, which sends JSON")
    return Hook(_text(value, "transcript_path", "transcriptPath"), _text(value, "session_id", "sessionId"))


def _text(value: dict[str, Any], *names: str) -> str:
    return next((found for name in names if isinstance(found := value.get(name), str)), "")


def _chosen(home: Home, agent: str, wanted: str, transcript: str) -> tuple[Kept, Session] | None:
    """The transcript that was asked for, read; None when a hook speaks of a session that left none. Raises CannotJudge
    when there is none, with where it looked."""
    if wanted and not _ID.fullmatch(wanted):
        raise CannotJudge(f"{wanted!r} is no session's id")
    if transcript:
        found = _named(home, agent, _path(transcript, home))
        return (found, read_file(found.path)) if found is not None else None
    if here := _named_so(home, agent, wanted):
        return here[0]
    what = f"no session {wanted}" if wanted else "no session"
    folders = dict.fromkeys(agent_folders.own_folders(home, agent))
    there = [one_line(str(folder)) for folder in folders if folder.exists()]
    places = f"looked in {', '.join(there)}" if there else "none of the agents' folders exists"
    raise CannotJudge(f"{what} of this project: {places}", "minutebook extract FILE, or --agent NAME")


def _named_so(home: Home, agent: str, wanted: str) -> list[tuple[Kept, Session]]:
    """The newest transcript, read; or the one whose id, or file, is called so; or else the only one whose id begins so.
    Raises CannotJudge when several do."""
    begun: dict[str, tuple[Kept, Session]] = {}
    for each, session in _read(_candidates(home, agent, wanted)):
        names = (session_key(session), each.path.stem, each.path.parent.name)
        if wanted in names or (not wanted and session.turns):
            return [(each, session)]
        if len(wanted) >= _PREFIX and names[0].startswith(wanted):
            begun.setdefault(names[0], (each, session))
    if len(begun) > 1:
        several = ", ".join(one_line(name) for name in islice(begun, 5))
        raise CannotJudge(f"{len(begun)} sessions begin with {wanted}: {several}", "give more of the id")
    return list(begun.values())


def _read(candidates: Iterator[Kept]) -> Iterator[tuple[Kept, Session]]:
    """Those that are transcripts, read; one that an agent has only begun, or has broken, hides none before it."""
    for each in candidates:
        try:
            session = read_file(each.path)
        except UnknownTranscript:
            continue
        yield each, session


def _candidates(home: Home, agent: str, wanted: str) -> Iterator[Kept]:
    """The newest transcripts, or those that carry the id, or what begins with it, in their name or their beginning."""
    every = agent_folders.kept(home, agent)
    return (each for each in every if agent_folders.may_be(each, [wanted])) if wanted else islice(every, _NEWEST)


def _path(said: str, home: Home) -> Path:
    """The path that a hook names. Raises CannotJudge for what can be none."""
    try:
        os.fsencode(said)
    except UnicodeEncodeError:
        raise CannotJudge(f"{one_line(said)} is no path") from None
    if "\0" in said:
        raise CannotJudge(f"{one_line(said)} is no path")
    return home.folder / said[2:] if said.startswith("~/") else Path(said)


def _named(home: Home, agent: str, path: Path) -> Kept | None:
    """The transcript that a hook names: believed when it is one of this project's, in the folder of its agent. None
    when there is no such file: nobody has said anything."""
    owner = agent_folders.owner(path, home)
    if not owner:
        raise CannotJudge(f"{one_line(str(path))} lies in no agent's own folder, so it isn't read")
    real = os.path.realpath(path)
    for each in agent_folders.kept(home, agent or owner):
        if os.path.realpath(each.path) == real:
            return each
    if not path.exists():
        return None
    raise CannotJudge(f"{one_line(str(path))} is no transcript of this project, so it isn't read")
