"""What sessions taught, as a plan: each session is read by an extractor, routed into memory, judged by the gate."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date

from minutebook.extract import offline, session_key
from minutebook.ground.change import Plan, Refusal, joined
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.memory import Memory
from minutebook.ground.session import Candidate, Found, Session
from minutebook.ground.uris import slug
from minutebook.route.plan import after, route
from minutebook.route.session_note import is_read, note_of, noted, read_up_to
from minutebook.settle import errors_of, judge_plan
from minutebook.similar import nearest
from minutebook.workspace import Workspace

_MANY = 3
Key = tuple[str, int, str]
Extractor = Callable[[Session, Memory, date, int], Found]
"""Finds candidates in a session: the memory as it stands, today, and the number of the last turn read before."""


def without_model(session: Session, memory: Memory, today: date, after_turn: int) -> Found:
    """The offline extractor."""
    return offline(session, memory.types, today, after_turn)


def plan_sessions(
    workspace: Workspace,
    sessions: Sequence[Session],
    today: date,
    agent: str = "",
    extractor: Extractor = without_model,
    accepted: Collection[str] = (),
) -> Plan:
    """One plan for all sessions, each planned on what the former leaves.

    A candidate whose entry the gate would refuse is left out, with the gate's words as the reason. `agent` names the
    owner space of agents; by default it is each transcript's format. `accepted` are the ids of candidates that leave
    quarantine. Each session is extracted once, however often it is planned.
    """
    found: dict[int, Found] = {}
    run = _Run(workspace, today, agent, extractor, frozenset(accepted), found)
    plan = _plan(run, sessions, {})
    errors = errors_of(judge_plan(workspace, plan, today))
    refused = dict(_refused_by_gate(plan, {problem.entry: problem.message for problem in errors if problem.entry}))
    return _plan(run, sessions, refused) if refused else plan


@frozen
class _Run:
    """What stays the same for all sessions; `found` keeps what the extractor said of each, by its place."""

    workspace: Workspace
    today: date
    agent: str
    extractor: Extractor
    accepted: frozenset[str]
    found: dict[int, Found]


def _plan(run: _Run, sessions: Sequence[Session], refused: Mapping[Key, str]) -> Plan:
    plan, memory = Plan(), run.workspace.memory
    for place, session in enumerate(sessions):
        step = _plan_one(run, place, session, memory, refused)
        memory = after(memory, step.changes)
        plan = joined(plan, step)
    return replace(plan, notes=_gathered(plan.notes))


def _plan_one(run: _Run, place: int, session: Session, memory: Memory, refused: Mapping[Key, str]) -> Plan:
    note = note_of(session, memory)
    name = f"{session.format} session {session_key(session)[:12]}"
    told = _told(session, name)
    if is_read(session, note):
        return Plan(notes=(f"{name}: read before, nothing new in it", *told))
    since = read_up_to(session, note)
    if place not in run.found:
        run.found[place] = run.extractor(session, memory, run.today, since)
    found = run.found[place]
    kept = [each for each in found.candidates if _key(each) not in refused]
    judged = [_refused(c, refused[_key(c)]) for c in found.candidates if c not in kept]
    user, agent = run.workspace.user, slug(run.agent or session.format)
    plan = route(session, kept, memory, run.today, nearest, user=user, agent=agent)
    told = (*(f"{name}: {each}" for each in found.notes), *told)
    figures = {"sessions": 1, "records": session.records, **found.figures, **plan.figures}
    plan = replace(plan, refusals=(*plan.refusals, *judged, *found.refusals), notes=told, figures=figures)
    said = any(turn.role == "user" and turn.number > since for turn in session.turns)
    return noted(session, plan, memory, run.today) if said or (note is not None and session.turns) else plan


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
