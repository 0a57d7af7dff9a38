"""What sessions taught, as a plan: each session is read by an extractor, routed into memory, judged by the gate."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date

from minutebook.edges.found import keep_found, read_found
from minutebook.edges.state import read_lines
from minutebook.extract import offline, session_key
from minutebook.ground.change import Plan
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.memory import Memory
from minutebook.ground.session import Candidate, Found, Session
from minutebook.ground.uris import slug
from minutebook.pages.report import one_line
from minutebook.route import held
from minutebook.route.cosine import cosines
from minutebook.route.cursor import is_read, read_up_to, was_rewritten
from minutebook.route.kept import candidate_of, proven, row_of
from minutebook.route.known import Known
from minutebook.route.left_out import learned, overtaken, too_many
from minutebook.route.plan import all_joined, route
from minutebook.route.rejected import Rejections, read_rejections
from minutebook.route.session_note import note_of, noted
from minutebook.route.step import Rules
from minutebook.route.told import gathered, name_of, nothing_new, told
from minutebook.settle import errors_of, judge_plan
from minutebook.workspace import Workspace

REJECTED = "rejected.jsonl"
"""The file of the branch minutebook/state with what people rejected."""
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
        more = dict(_refused_by_gate(workspace, plan, today)) | dict(overtaken(workspace.memory, plan))
        more |= dict(too_many(workspace.memory, plan, candidates, run.accepted))
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
    ids: dict[str, set[str]] = {}
    for place, session in enumerate(sessions):
        moments = ids if not session.started else {"", session.started}
        unordered = set().union(*(ids.get(each, ()) for each in moments))
        step = _plan_one(run, place, session, known, refused, unordered)
        steps.append(step)
        ids.setdefault(session.started, set()).update(each.id for each in learned(step))
    plan = all_joined(steps)
    return replace(plan, notes=gathered(plan.notes))


def _plan_one(
    run: _Run, place: int, session: Session, known: Known, refused: Mapping[str, str], unordered: Collection[str]
) -> Plan:
    note = note_of(session, known)
    name = name_of(session)
    said = told(session, name)
    if was_rewritten(session, note) and not is_read(session, note):
        said = (f"{name}: what was read before has changed in the transcript, so all of it was read again", *said)
    done = is_read(session, note)
    since = read_up_to(session, note)
    if place not in run.found:
        run.found[place] = _found(run, session, known.memory, since, done=done)
    found = run.found[place]
    if done and not found.candidates:
        return Plan(notes=(f"{name}: {nothing_new(session, note)}", *said))
    rules = Rules(run.workspace.user, slug(run.agent or session.format), run.accepted, run.rejections, unordered)
    plan = _routed(session, found, known, run.today, rules, refused)
    plan = replace(plan, notes=(*(f"{name}: {each}" for each in found.notes), *said))
    spoke = any(turn.role == "user" and turn.number > since for turn in session.turns)
    wanted = bool(plan.changes) if done else found.whole and (spoke or (note is not None and bool(session.turns)))
    if not wanted:
        return plan
    extractors = sorted({each.extractor for each in found.candidates if each.extractor})
    whole = noted(session, plan, known, run.today, ", ".join(extractors))
    known.take(whole.changes[len(plan.changes) :])
    return whole


def _routed(
    session: Session, found: Found, known: Known, today: date, rules: Rules, refused: Mapping[str, str]
) -> Plan:
    """What becomes of the candidates of a session, but for those that are `refused`, by their ids."""
    kept = [each for each in found.candidates if each.id not in refused]
    judged = [held.refused(each, refused[each.id]) for each in found.candidates if each.id in refused]
    plan = route(session, kept, known, today, cosines, rules)
    figures = {"sessions": 1, "records": session.records, **found.figures, **plan.figures}
    return replace(plan, refusals=(*plan.refusals, *judged, *held.named(found.refusals)), figures=figures)


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


def _refused_by_gate(workspace: Workspace, plan: Plan, today: date) -> Iterator[tuple[str, str]]:
    """(candidate, why) of every entry that the gate would refuse."""
    errors = {each.entry: each.message for each in errors_of(judge_plan(workspace, plan, today)) if each.entry}
    for entry in learned(plan):
        if entry.id in errors:
            yield entry.candidate, f"the gate refuses it: {errors[entry.id]}"
