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
from minutebook.reading import read_file
from minutebook.settle import settle
from minutebook.workspace import open_workspace, today_or

_HOOK_MOST = 2**20
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@frozen
class Hook:
    """What an agent's hook says on standard input; each is "" where it doesn't."""

    transcript: str
    session: str


@click.command()
@click.option("--agent", type=click.Choice(agent_folders.agents()), help="Only sessions of this agent.")
@click.option("--session", "wanted", metavar="ID", help="This session. [default: the one last written]")
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
        said = read_hook(sys.stdin.buffer.read(_HOOK_MOST + 1)) if hook else Hook("", "")
        workspace = open_workspace(root, user)
        home = agent_folders.home_here(workspace.repo)
        found = _chosen(home, agent or "", wanted or said.session, said.transcript)
        if found is None:
            return 0
        kept, session = found
        if not quiet:
            click.echo(_told(kept, session), err=True)
        day = today_or(today)
        plan = plan_sessions(workspace, [session], day)
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
    for each in _candidates(home, agent, wanted):
        session = read_file(each.path)
        if not wanted or wanted in (session.id, each.path.stem, each.path.parent.name):
            return each, session
    what = f"no session {wanted}" if wanted else "no session"
    there = [one_line(str(folder)) for folder in agent_folders.own_folders(home, agent) if folder.exists()]
    places = f"looked in {', '.join(there)}" if there else "none of the agents' folders exists"
    raise CannotJudge(f"{what} of this project: {places}", "minutebook extract FILE, or --agent NAME")


def _candidates(home: Home, agent: str, wanted: str) -> Iterator[Kept]:
    """The newest transcript, or those that carry the id in their name or their beginning."""
    every = agent_folders.kept(home, agent)
    return (each for each in every if agent_folders.may_be(each, [wanted])) if wanted else islice(every, 1)


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
    real = path.resolve()
    for each in agent_folders.kept(home, agent or owner):
        if each.path.resolve() == real:
            return each
    if not path.exists():
        return None
    raise CannotJudge(f"{one_line(str(path))} is no transcript of this project, so it isn't read")
