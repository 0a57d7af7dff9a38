"""From a session to what is worth remembering; pure. One way of finding a module."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import islice

from minutebook.extract import guard, planted
from minutebook.extract.accepted import accepted_by
from minutebook.extract.anchors import anchors_near
from minutebook.extract.clause import Clause, setting_of
from minutebook.extract.dates import with_dates
from minutebook.extract.gathering import Gathered, is_dropped, is_retracted
from minutebook.extract.scoring import EXTRACTOR, weigh, weights
from minutebook.extract.spoken import said_in
from minutebook.extract.structured import from_structure
from minutebook.ground.frozen import replace
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.session import Candidate, Found, Session, Turn

MOST = 5
"""Candidates that one session may propose: a reviewer reads them all."""
MOST_QUARANTINED = 10
"""Candidates that one session may put into quarantine, on top of those that it proposes."""
MOST_WEIGHED = 1000
"""Clauses of one session that are weighed: twenty times what people say in a long one."""
STRUCTURED = frozenset({"answer", "plan-approved", "plan-corrected", "tool-refused"})
_SHORTEST = 3
_TOO_MUCH = f"it states more than {MOST_WEIGHED:,} things; the rest was not weighed"
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def offline(session: Session, types: Mapping[str, MemoryType], today: date, after: int = 0) -> Found:
    """What can be found without a model: at most five candidates in the order of the talk, and at most ten more that
    a person has to ask for (`quarantine` says why).

    Turns up to number `after` have been read before: they give context and no candidates. Only types in `types` that
    may be written are proposed. A candidate's date is its turn's own day, or `today` where the record has none.
    """
    writable = {name for name, mtype in types.items() if mtype.write != "derived"}
    usual, danger = Gathered(MOST), Gathered(MOST_QUARANTINED)
    left = MOST_WEIGHED
    for turn, found in clauses(session):
        if turn.role == "user" and turn.kind == "text":
            usual.take_back(turn, plan=is_dropped(turn.text), last=is_retracted(turn.text))
        for clause in islice(found, left) if turn.number > after else ():
            left -= 1
            for each in _candidate(clause, session.files):
                if each.type in writable and len(each.title) >= _SHORTEST:
                    (danger if each.quarantine else usual).add(_dated(each, today))
    for each in planted.orders(session.turns, session_key(session), after):
        if each.type in writable:
            danger.add(_dated(replace(each, extractor=EXTRACTOR), today))
    kept = (*usual.best(), *sorted(danger.best(), key=lambda each: each.turn.number))
    notes = () if kept else (nothing_found(session, after),)
    return Found(kept, (), notes if left else (*notes, _TOO_MUCH))


def nothing_found(session: Session, after: int = 0) -> str:
    """Why a session gave no candidate, in a sentence."""
    said = [turn for turn in session.turns if turn.role == "user" and turn.number > after]
    if not said:
        return "no user turn read, so there is nothing that a person said"
    count = "1 user turn" if len(said) == 1 else f"{len(said)} user turns"
    return f"{count} read, none states a decision, a standing rule or a preference"


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


def _candidate(clause: Clause, files: Sequence[str]) -> Iterator[Candidate]:
    """The clause as a candidate, if it weighs enough; what is dangerous needs less to be shown, in quarantine."""
    known = weights()
    weighed = weigh(clause, known)
    danger = guard.quarantine(clause.danger) or guard.hidden(clause.draft)
    enough = clause.sure and weighed.score >= known.least if danger else weighed.score >= known.threshold
    if enough:
        anchors = anchors_near(clause.near, files)
        found = replace(clause.draft, score=weighed.score, why=weighed.why, anchors=anchors, quarantine=danger)
        yield with_dates(replace(found, extractor=EXTRACTOR))


def _dated(candidate: Candidate, today: date) -> Candidate:
    at = _DATE.match(candidate.turn.at)
    day = min(at[0], today.isoformat()) if at else today.isoformat()
    return replace(candidate, fields={**candidate.fields, "date": day})
