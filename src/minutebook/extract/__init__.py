"""From a session to what is worth remembering; pure. One way of finding a module."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from minutebook.extract import guard, planted
from minutebook.extract.accepted import accepted_by, is_yes, read_somewhere
from minutebook.extract.anchors import Changed
from minutebook.extract.clause import Clause, setting_of
from minutebook.extract.dates import with_dates
from minutebook.extract.gathering import Gathered
from minutebook.extract.heard import TOO_MUCH, Allowance, last_heard, unheard
from minutebook.extract.printed import Printed
from minutebook.extract.replacing import in_place_of, is_choice, points_back
from minutebook.extract.retraction import Rejected, is_dropped, is_retracted, rejected_in
from minutebook.extract.scoring import EXTRACTOR, weigh, weights
from minutebook.extract.spoken import said_in
from minutebook.extract.structured import from_structure
from minutebook.extract.wording import title_of
from minutebook.ground.frozen import replace
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.session import Candidate, Found, Session, Turn

MOST = 5
"""Candidates that one session may propose: a reviewer reads them all."""
MOST_QUARANTINED = 10
"""Candidates that one session may put into quarantine, on top of those that it proposes."""
STRUCTURED = frozenset({"answer", "plan-approved", "plan-corrected", "tool-refused"})
_SHORTEST = 3
_JUST, _LATELY = 2, 8
"""Turns of a person: what “scratch that” takes back for sure, and what it may take back."""
_REASONS = 4
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def offline(session: Session, types: Mapping[str, MemoryType], today: date, after: int = 0) -> Found:
    """What can be found without a model: at most five candidates in the order of the talk, and at most ten more that
    a person has to ask for (`quarantine` says why).

    Turns up to number `after` have been read before: they give context and no candidates. Only types in `types` that
    may be written are proposed. A candidate's date is its turn's own day, or `today` where the record has none. What
    is said beyond the bounds of `heard` isn't looked at, and the notes say so.
    """
    writable = {name for name, mtype in types.items() if mtype.write != "derived"}
    usual, danger = Gathered(MOST), Gathered(MOST_QUARANTINED)
    last, allowed = last_heard(session, after), Allowance()
    for each in _stated(session, after, last, allowed, usual):
        if each.type in writable and len(each.title) >= _SHORTEST:
            (danger if each.quarantine else usual).add(_dated(each, today))
    orders, looked = planted.orders(session.turns, session_key(session), after)
    for each in orders:
        if each.type in writable:
            danger.add(_dated(replace(each, extractor=EXTRACTOR), today))
    found = (*usual.best(), *sorted(danger.best(), key=lambda each: each.turn.number))
    kept = tuple(each for each in found if not guard.holds_secret(each))
    cut = (TOO_MUCH if allowed.spent else "", unheard(session, last), looked)
    return Found(kept, (), tuple(filter(None, ("" if kept else nothing_found(session, after), *cut))))


def _stated(session: Session, after: int, last: int, allowed: Allowance, usual: Gathered) -> Iterator[Candidate]:
    """Each candidate of the turns after `after` up to `last`, in the order of the talk. Between them those of `usual`
    go that a turn takes back: at its start what was said before it, at its end what it says itself."""
    printed, files = Printed(session.turns), Changed(session.files)
    lately: tuple[int, ...] = ()
    for turn, found in clauses(session):
        if turn.number > last:
            return
        heard, named = turn.kind == "text", usual.may_name(turn.text)
        rejected = rejected_in(turn, usual.chosen) if heard and named else ()
        gone = _taken_back(usual, turn, rejected, lately) if heard and usual.holds_any else []
        lately = lately if heard and is_yes(turn.text.strip()) else (turn.number, *lately)[:_LATELY]
        for clause in allowed.of(found) if turn.number > after else ():
            yield from _candidate(clause, files, printed, gone)
        if heard and usual.said_in(turn):
            usual.drop(turn, rejected if named else rejected_in(turn, usual.chosen))


def nothing_found(session: Session, after: int = 0) -> str:
    """Why a session gave no candidate, in a sentence."""
    said = [turn for turn in session.turns if turn.role == "user" and turn.number > after]
    if not said:
        return "no user turn read, so there is nothing that a person said"
    count = "1 user turn" if len(said) == 1 else f"{len(said)} user turns"
    return f"{count} read, none states a decision, a standing rule or a preference"


def near_misses(session: Session, after: int = 0, most: int = 3) -> tuple[str, ...]:
    """What came nearest to being proposed and wasn't, the nearest first, each with its score and what moved it."""
    known = weights()
    found: dict[str, tuple[float, str]] = {}
    last, allowed = last_heard(session, after), Allowance()
    heard = (clause for turn, each in clauses(session) if after < turn.number <= last for clause in each)
    for clause in allowed.of(heard):
        weighed = weigh(clause, known)
        if weighed.score < known.threshold:
            moved = "; ".join(weighed.why[1:_REASONS])
            text = f"turn {clause.draft.turn.number}, “{title_of(clause.draft.quote)}”"
            told = f"{text}: {weighed.score:.2f}, {known.threshold:.2f} is needed ({moved})"
            found[text] = max(found.get(text, (0.0, "")), (weighed.score, told))
    return tuple(told for _, told in sorted(found.values(), key=lambda each: -each[0])[:most])


def session_key(session: Session) -> str:
    """The name of a session in sources: its own id, or the start of its hash when that is no plain name."""
    return session.id if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", session.id) else session.sha256[:32]


def clauses(session: Session) -> Iterator[tuple[Turn, Iterator[Clause]]]:
    """Each turn of a person, with what it states or accepts, not weighed yet; nothing is done for what isn't asked."""
    proposal: Turn | None = None
    first, key = True, session_key(session)
    for turn in session.turns:
        if turn.role == "assistant" and turn.kind == "text":
            proposal = turn
        elif turn.role == "user":
            yield turn, _clauses_of(turn, proposal, key, first=first)
            first, proposal = False, None


def _clauses_of(turn: Turn, proposal: Turn | None, key: str, *, first: bool) -> Iterator[Clause]:
    setting = setting_of(turn, proposal, first=first)
    if turn.kind in STRUCTURED:
        yield from from_structure(turn, key, setting)
    elif turn.kind == "text":
        if proposal is not None:
            yield from accepted_by(turn, proposal, key, setting)
        yield from said_in(turn, key, setting)


def _taken_back(usual: Gathered, turn: Turn, rejected: Sequence[Rejected], lately: Sequence[int]) -> list[Candidate]:
    """What this turn takes back of all that was said before it; `lately` are the turns of the person before it that
    said more than yes, the last one first."""
    named = usual.drop(turn, rejected)
    plan, last = is_dropped(turn.text), is_retracted(turn.text)
    since, before = lately[:_JUST], lately[_JUST:]
    return named or usual.take_back(turn, plan=plan, last=last, since=since, before=before)


def _candidate(clause: Clause, files: Changed, printed: Printed, gone: Sequence[Candidate] = ()) -> Iterator[Candidate]:
    """The clause as a candidate, if it weighs enough; what is dangerous needs less to be shown, in quarantine, and so
    does a choice that takes the place of what the same turn takes back (`gone`)."""
    known = weights()
    weighed = weigh(clause, known)
    if weighed.score < (known.least if clause.sure else known.threshold):
        return
    old = _replaced(clause, gone)
    anchors = files.near(clause.near)
    found = replace(clause.draft, score=weighed.score, why=weighed.why, anchors=anchors, extractor=EXTRACTOR)
    danger = guard.in_quarantine(found, clause.danger) or read_somewhere(clause) or printed.why_not(clause)
    enough = old is not None or (danger and clause.sure) or weighed.score >= known.threshold
    if enough and (clause.sure or not danger):
        found = in_place_of(found, old) if old is not None and not danger else found
        yield with_dates(replace(found, quarantine=danger or (old.quarantine if old is not None else "")))


def _replaced(clause: Clause, gone: Sequence[Candidate]) -> Candidate | None:
    """What a choice takes the place of, of what its turn takes back. Where nobody can tell whether that was meant, it
    is in quarantine, and a choice that can stand by itself does."""
    if not gone or not clause.sure or not is_choice(clause.draft):
        return None
    return gone[-1] if not gone[-1].quarantine or points_back(clause.draft) else None


def _dated(candidate: Candidate, today: date) -> Candidate:
    at = _DATE.match(candidate.turn.at)
    day = min(at[0], today.isoformat()) if at else today.isoformat()
    return replace(candidate, fields={**candidate.fields, "date": day})
