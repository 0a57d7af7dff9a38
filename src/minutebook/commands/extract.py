"""`minutebook extract`: propose entries from session transcripts."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

import click

from minutebook.commands import options
from minutebook.extract import candidates, nothing_found, session_key
from minutebook.extract.tools import extraction_tools
from minutebook.ground.change import Plan, Refusal, joined
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import replace
from minutebook.ground.memory import Memory
from minutebook.ground.session import Candidate, Session
from minutebook.ground.uris import slug
from minutebook.pages.report import json_text
from minutebook.route.plan import after, route
from minutebook.route.session_note import is_read, note_of, noted, read_up_to
from minutebook.settle import errors_of, judge_plan, settle
from minutebook.similar import nearest
from minutebook.transcripts import UnknownTranscript, read_transcript
from minutebook.workspace import Workspace, open_workspace, today_or

_SLOW = 20
_MANY = 3
Key = tuple[str, int, str]


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path), metavar="PATH...")
@options.dry_run
@options.form()
@options.root
@options.user
@options.agent("the transcript's format")
@click.option("--list-tools", is_flag=True, help="Print the tools that a model would be given, one a type, as JSON.")
@options.today
def extract(
    paths: tuple[Path, ...],
    dry_run: bool,
    form: str,
    root: str | None,
    user: str,
    agent: str,
    list_tools: bool,
    today: str | None,
) -> int:
    """Propose entries from the transcripts in PATH (files, or folders with *.jsonl files in them), each entry with the
    words that back it; write them once the gate agrees.

    Works offline. At most five entries a session. The same transcript again changes nothing; one that grew is read
    from where it was left. A file that no format claims is named, the others are still read, and the exit code is 2.
    """
    workspace = open_workspace(root, user)
    if list_tools:
        click.echo(json_text(extraction_tools(workspace.memory.types)), nl=False)
        return 0
    if not paths:
        raise CannotJudge("which transcripts?", "minutebook extract PATH…")
    day = today_or(today)
    sessions, unread = _read_all(paths)
    plan = plan_sessions(workspace, sessions, day, agent)
    code = settle(workspace, plan, day, dry_run=dry_run, form=form)
    return code or (2 if unread else 0)


def read_sessions(paths: Sequence[Path]) -> list[Session]:
    """The sessions in files and folders, by the time at which they started; a file that no format claims is named on
    standard error and left out."""
    return _read_all(paths)[0]


def plan_sessions(workspace: Workspace, sessions: Sequence[Session], today: date, agent: str = "") -> Plan:
    """One plan for all sessions, each planned on what the former leaves.

    A candidate whose entry the gate would refuse is left out, with the gate's words as the reason. `agent` names the
    owner space of agents; by default it is each transcript's format.
    """
    plan = _plan(workspace, sessions, today, agent, {})
    errors = errors_of(judge_plan(workspace, plan, today))
    refused = dict(_refused_by_gate(plan, {problem.entry: problem.message for problem in errors if problem.entry}))
    return _plan(workspace, sessions, today, agent, refused) if refused else plan


def _plan(
    workspace: Workspace, sessions: Sequence[Session], today: date, agent: str, refused: Mapping[Key, str]
) -> Plan:
    plan, memory = Plan(), workspace.memory
    for session in sessions:
        step = _plan_one(session, memory, today, workspace.user, slug(agent or session.format), refused)
        memory = after(memory, step.changes)
        plan = joined(plan, step)
    return replace(plan, notes=_gathered(plan.notes))


def _plan_one(session: Session, memory: Memory, today: date, user: str, agent: str, refused: Mapping[Key, str]) -> Plan:
    note = note_of(session, memory)
    name = f"{session.format} session {session_key(session)[:12]}"
    told = _told(session, name)
    if is_read(session, note):
        return Plan(notes=(f"{name}: read before, nothing new in it", *told))
    since = read_up_to(session, note)
    found, doubtful = candidates(session, memory.types, today, since)
    kept = [each for each in found if _key(each) not in refused]
    judged = [_refused(c, refused[_key(c)]) for c in found if c not in kept]
    plan = route(session, kept, memory, today, nearest, user=user, agent=agent)
    if not found:
        told = (f"{name}: {nothing_found(session, since)}", *told)
    figures = {"sessions": 1, "records": session.records, **plan.figures}
    plan = replace(plan, refusals=(*plan.refusals, *judged, *doubtful), notes=told, figures=figures)
    said = any(turn.role == "user" and turn.number > since for turn in session.turns)
    return noted(session, plan, memory, today) if said or (note is not None and session.turns) else plan


def _refused(candidate: Candidate, words: str) -> Refusal:
    return Refusal(candidate.title, f"the gate refuses it: {words}", candidate.quote, candidate.type)


def _told(session: Session, name: str) -> tuple[str, ...]:
    """What the reader skipped and replaced, if anything."""
    skipped = ", ".join(f"{count} {reason}" for reason, count in sorted(session.skipped.items()) if count)
    redacted = ", ".join(f"{count} {kind}" for kind, count in sorted(session.redacted.items()) if count)
    lines = [f"{name}: skipped records: {skipped}"] if skipped else []
    return (*lines, f"{name}: secrets replaced: {redacted}") if redacted else tuple(lines)


def _gathered(notes: Sequence[str]) -> tuple[str, ...]:
    """The notes; what is said of more than three sessions is said once, with their number."""
    whose: dict[str, list[str]] = {}
    for note in notes:
        name, _, said = note.partition(": ")
        whose.setdefault(said, []).append(name)
    return tuple(
        f"{name}: {said}"
        for said, names in whose.items()
        for name in (names if len(names) <= _MANY else [f"{len(names)} sessions"])
    )


def _refused_by_gate(plan: Plan, errors: Mapping[str, str]) -> Iterator[tuple[Key, str]]:
    for change in plan.changes:
        for entry in change.entries:
            if entry.id in errors and entry.evidence:
                first = entry.evidence[0]
                yield (first.session, first.turn, first.quote), errors[entry.id]


def _key(candidate: Candidate) -> Key:
    return candidate.session, candidate.turn.number, candidate.quote


def _read_all(paths: Sequence[Path]) -> tuple[list[Session], int]:
    files = [file for path in paths for file in _files(path)]
    show = sys.stderr.isatty() and len(files) >= _SLOW
    sessions, unread = [], 0
    for number, file in enumerate(files, 1):
        if show:
            click.echo(f"\rreading {number} of {len(files)}", nl=number == len(files), err=True)
        with file.open("rb") as content:
            try:
                session = read_transcript(content, str(file))
            except UnknownTranscript as error:
                click.echo(f"minutebook: {error}", err=True)
                unread += 1
                continue
        sessions.append(session)
    return sorted(sessions, key=lambda each: (each.started, each.id, each.records)), unread


def _is_ours(file: Path, folder: Path) -> bool:
    """Whether a file beneath the folder is git's own, or the record of what `retrieve` served."""
    return ".git" in file.relative_to(folder).parts or file.absolute().parts[-2:] == ("minutebook", "loads.jsonl")


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.rglob("*.jsonl") if file.is_file() and not _is_ours(file, path))
    if not found:
        raise CannotJudge(f"{path} holds no *.jsonl file")
    return found
