"""What sessions taught, as a plan: each session is read by an extractor, routed into memory, judged by the gate."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date

from minutebook.edges.found import keep_found, read_found
from minutebook.edges.state import read_lines
from minutebook.extract import MOST, offline, session_key
from minutebook.ground.change import Plan, Proposal
from minutebook.ground.entry import Entry
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.memory import Memory
from minutebook.ground.session import Candidate, Found, Session
from minutebook.ground.uris import slug
from minutebook.pages.report import one_line
from minutebook.route import held
from minutebook.route.cursor import cursor_of, is_read, read_up_to, was_rewritten
from minutebook.route.kept import candidate_of, proven, row_of
from minutebook.route.known import Known
from minutebook.route.plan import all_joined, route
from minutebook.route.policy import Rules
from minutebook.route.provenance import rows_of
from minutebook.route.rejected import Rejections, read_rejections
from minutebook.route.session_note import TYPE, note_of, noted
from minutebook.settle import errors_of, judge_plan
from minutebook.similar import similarities
from minutebook.workspace import Workspace

REJECTED = "rejected.jsonl"
"""The file of the branch minutebook/state with what people rejected."""
_MANY = 3
_ROUNDS = 4
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
    quarantine, or that hold against what they contradict: those of sessions that were read before, too. Raises
    CannotJudge for an id that no candidate has. Each session is extracted once, however often it is planned. What was
    found is kept in the git directory, so that it can be accepted or rejected by its id afterwards.
    """
    rejections, notes = rejections_of(workspace)
    run = _Run(workspace, today, agent, extractor, frozenset(accepted), rejections, {})
    plan = _plan(run, sessions, {})
    candidates = {each.id: each for found in run.found.values() for each in found.candidates}
    _must_be_known(run.accepted, candidates)
    refused: dict[str, str] = {}
    for _ in range(_ROUNDS):
        more = dict(_refused_by_gate(workspace, plan, today)) | dict(_overtaken(workspace.memory, plan))
        more |= dict(_too_many(workspace.memory, plan, candidates, run.accepted))
        if not more.keys() - refused.keys():
            break
        refused = more | refused
        plan = _plan(run, sessions, refused)
    trouble = keep_found(workspace.repo.git_dir, map(row_of, candidates.values()))
    if trouble:
        notes = (*notes, f"what was found can't be kept, so none of it can be rejected by its id: {trouble}")
    return replace(plan, notes=(*plan.notes, *notes))


def rejections_of(workspace: Workspace) -> tuple[Rejections, tuple[str, ...]]:
    """What people rejected, on the branch minutebook/state; and notes on what of it can't be read."""
    found = read_lines(workspace.repo.top, REJECTED)
    rejections = read_rejections(found.lines)
    said = [f"minutebook/state: {found.trouble}; nothing counts as rejected"] if found.trouble else []
    if rejections.unread:
        said.append(f"minutebook/state: {rejections.unread} of {len(found.lines)} lines can't be read and are left out")
    return rejections, tuple(said)


@frozen
class _Run:
    """What stays the same for all sessions; `found` keeps what the extractor said of each, by its place."""

    workspace: Workspace
    today: date
    agent: str
    extractor: Extractor
    accepted: frozenset[str]
    rejections: Rejections
    found: dict[int, Found]


def _plan(run: _Run, sessions: Sequence[Session], refused: Mapping[str, str]) -> Plan:
    known, steps = Known(run.workspace.memory), []
    learned: dict[str, set[str]] = {}
    for place, session in enumerate(sessions):
        moments = learned if not session.started else {"", session.started}
        unordered = set().union(*(learned.get(each, ()) for each in moments))
        step = _plan_one(run, place, session, known, refused, unordered)
        steps.append(step)
        learned.setdefault(session.started, set()).update(each.id for each in _learned(step))
    plan = all_joined(steps)
    return replace(plan, notes=_gathered(plan.notes))


def _plan_one(
    run: _Run, place: int, session: Session, known: Known, refused: Mapping[str, str], unordered: Collection[str]
) -> Plan:
    note = note_of(session, known)
    name = f"{session.format} session {session_key(session)[:12]}"
    told = _told(session, name)
    if was_rewritten(session, note) and not is_read(session, note):
        told = (f"{name}: what was read before has changed in the transcript, so all of it was read again", *told)
    done = is_read(session, note)
    since = read_up_to(session, note)
    if place not in run.found:
        run.found[place] = _found(run, session, known.memory, since, done=done)
    found = run.found[place]
    if done and not found.candidates:
        return Plan(notes=(f"{name}: {_nothing_new(session, note)}", *told))
    kept = [each for each in found.candidates if each.id not in refused]
    judged = [held.refused(each, refused[each.id]) for each in found.candidates if each.id in refused]
    user, agent = run.workspace.user, slug(run.agent or session.format)
    rules = Rules(user, agent, run.accepted, run.rejections, unordered)
    plan = route(session, kept, known, run.today, similarities, rules)
    told = (*(f"{name}: {each}" for each in found.notes), *told)
    figures = {"sessions": 1, "records": session.records, **found.figures, **plan.figures}
    refusals = (*plan.refusals, *judged, *held.named(found.refusals))
    plan = replace(plan, refusals=refusals, notes=told, figures=figures)
    said = any(turn.role == "user" and turn.number > since for turn in session.turns)
    wanted = bool(plan.changes) if done else found.whole and (said or (note is not None and bool(session.turns)))
    extractors = sorted({each.extractor for each in found.candidates if each.extractor})
    if not wanted:
        return plan
    whole = noted(session, plan, known, run.today, ", ".join(extractors))
    known.take(whole.changes[len(plan.changes) :])
    return whole


def _found(run: _Run, session: Session, memory: Memory, since: int, *, done: bool) -> Found:
    """What the extractor finds in what is new, and those accepted candidates that were found before."""
    found = Found() if done else run.extractor(session, memory, run.today, since)
    missing = run.accepted - {each.id for each in found.candidates}
    before = tuple(_found_before(run, session, missing, since)) if missing else ()
    return replace(found, candidates=(*before, *found.candidates)) if before else found


def _found_before(run: _Run, session: Session, missing: frozenset[str], since: int) -> Iterator[Candidate]:
    """Accepted candidates that an earlier run found: of turns that were read before they are found again; else they are
    those that the git directory keeps, where these very turns prove them (a model may not say the same twice)."""
    types = run.workspace.memory.types
    again = offline(session, types, run.today).candidates if since else ()
    here = {each.id: each for each in again if each.id in missing and each.turn.number <= since}
    yield from here.values()
    kept = read_found(run.workspace.repo.git_dir)
    for name in sorted(missing - here.keys()):
        candidate = candidate_of(kept.get(name, {}))
        now = proven(candidate, session) if candidate is not None and candidate.type in types else None
        if now is not None and now.session == session_key(session):
            yield now


def _must_be_known(accepted: Collection[str], candidates: Collection[str]) -> None:
    unknown = sorted(set(accepted) - set(candidates))
    if unknown:
        names = ", ".join(one_line(each) for each in unknown)
        raise CannotJudge(
            f"no candidate in these transcripts is called {names}",
            "run it without --accept: what is in quarantine is listed with its id",
        )


def _learned(plan: Plan) -> Iterator[Proposal]:
    return (entry for change in plan.changes for entry in change.entries if entry.candidate)


def _overtaken(memory: Memory, plan: Plan) -> Iterator[tuple[str, str]]:
    """(candidate, why) of what this run would write only to supersede it itself, where minds changed more than once:
    of such a chain the last word alone is worth an entry."""
    published = {entry.id for entry in memory.entries(archived=True)}
    written = {entry.id: entry for entry in _learned(plan)}
    next_of = {
        old: entry
        for entry in written.values()
        if entry.verb == "supersede"
        for old in entry.supersedes
        if old not in published
    }
    middle = {entry.id for entry in next_of.values()} & next_of.keys()
    for old, entry in next_of.items():
        chained = old in middle or entry.id in middle
        if chained and old in written:
            where = entry.evidence[0]
            yield written[old].candidate, f"taken back later, in turn {where.turn} of session {where.session}"


def _too_many(
    memory: Memory, plan: Plan, candidates: Mapping[str, Candidate], accepted: Collection[str]
) -> Iterator[tuple[str, str]]:
    """(candidate, why) of the weakest of what a session would bring in above its share, over all its readings: a
    session that grew isn't a new one. What a person asked for by its id doesn't count."""
    came: dict[str, set[str]] = {}
    for old in memory.entries(archived=True):
        for row in rows_of(old) if old.type != TYPE else ():
            came.setdefault(str(row.get("session", "")), set()).add(old.id)
    whose: dict[str, list[Proposal]] = {}
    for entry in _learned(plan):
        if entry.candidate not in accepted and entry.id not in came.get(entry.evidence[0].session, ()):
            whose.setdefault(entry.evidence[0].session, []).append(entry)
    for name, entries in whose.items():
        room = max(0, MOST - len(came.get(name, ())))
        weakest = sorted(entries, key=lambda each: -candidates[each.candidate].score)[room:]
        why = f"a session brings in {MOST} entries at most, and this one has; --accept writes one more"
        yield from ((each.candidate, why) for each in weakest)


def _nothing_new(session: Session, note: Entry | None) -> str:
    records = cursor_of(note).records
    if records > session.records:
        return f"an earlier copy, not read again ({session.records} of the {records} records that were read before)"
    return "read before, nothing new in it"


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


def _refused_by_gate(workspace: Workspace, plan: Plan, today: date) -> Iterator[tuple[str, str]]:
    """(candidate, why) of every entry that the gate would refuse."""
    errors = {each.entry: each.message for each in errors_of(judge_plan(workspace, plan, today)) if each.entry}
    for entry in _learned(plan):
        if entry.id in errors:
            yield entry.candidate, f"the gate refuses it: {errors[entry.id]}"
