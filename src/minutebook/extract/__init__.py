"""From a session to what is worth remembering; pure. One way of finding a module."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import islice

from minutebook.extract import guard, planted
from minutebook.extract.accepted import accepted_by, read_somewhere
from minutebook.extract.anchors import anchors_near
from minutebook.extract.clause import Clause, setting_of
from minutebook.extract.dates import with_dates
from minutebook.extract.gathering import Gathered
from minutebook.extract.printed import Printed
from minutebook.extract.prose import sentences
from minutebook.extract.replacing import in_place_of, is_choice
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
MOST_WEIGHED = 1000
"""Clauses of one session that are weighed: twenty times what people say in a long one."""
STRUCTURED = frozenset({"answer", "plan-approved", "plan-corrected", "tool-refused"})
MOST_HEARD = 10_000
"""Sentences of one session that are listened to: more than people say in fifty long ones."""
_SHORTEST = 3
_REASONS = 4
_TOO_MUCH = f"it states more than {MOST_WEIGHED:,} things; the rest was not weighed"
_TOO_LONG = f"people say more than {MOST_HEARD:,} sentences in it; nothing was heard after turn {{}}"
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def offline(session: Session, types: Mapping[str, MemoryType], today: date, after: int = 0) -> Found:
    """What can be found without a model: at most five candidates in the order of the talk, and at most ten more that
    a person has to ask for (`quarantine` says why).

    Turns up to number `after` have been read before: they give context and no candidates. Only types in `types` that
    may be written are proposed. A candidate's date is its turn's own day, or `today` where the record has none.
    """
    writable = {name for name, mtype in types.items() if mtype.write != "derived"}
    usual, danger = Gathered(MOST), Gathered(MOST_QUARANTINED)
    printed, left = Printed(session.turns), MOST_WEIGHED
    last_turns: tuple[int, ...] = ()
    for turn, found in clauses(session):
        heard, named = turn.kind == "text", usual.may_name(turn.text)
        rejected = rejected_in(turn, usual.chosen) if heard and named else ()
        gone = _taken_back(usual, turn, rejected, last_turns) if heard else []
        last_turns = (*last_turns[-1:], turn.number)
        for clause in islice(found, left) if turn.number > after else ():
            left -= 1
            for each in _candidate(clause, session.files, printed, gone):
                if each.type in writable and len(each.title) >= _SHORTEST:
                    (danger if each.quarantine else usual).add(_dated(each, today))
        if heard and usual.said_in(turn):
            usual.drop(turn, rejected if named else rejected_in(turn, usual.chosen))
    for each in planted.orders(session.turns, session_key(session), after):
        if each.type in writable:
            danger.add(_dated(replace(each, extractor=EXTRACTOR), today))
    found_all = (*usual.best(), *sorted(danger.best(), key=lambda each: each.turn.number))
    kept = tuple(each for each in found_all if not guard.holds_secret(each))
    notes = () if kept else (nothing_found(session, after),)
    last = next((turn.number for turn in reversed(session.turns) if turn.role == "user"), 0)
    unheard = (_TOO_LONG.format(last_turns[-1]),) if last_turns and last_turns[-1] != last else ()
    return Found(kept, (), (*notes, *(() if left else (_TOO_MUCH,)), *unheard))


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
    heard = (clause for turn, each in clauses(session) if turn.number > after for clause in each)
    for clause in islice(heard, MOST_WEIGHED):
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
    first, key, left = True, session_key(session), MOST_HEARD
    for turn in session.turns:
        if turn.role == "assistant" and turn.kind == "text":
            proposal = turn
        elif turn.role == "user":
            left -= max(1, len(sentences(turn.text)))
            if left < 0:
                return
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


def _taken_back(
    usual: Gathered, turn: Turn, rejected: Sequence[Rejected], last_turns: Sequence[int]
) -> list[Candidate]:
    """What this turn takes back of all that was said before it; `last_turns` are the two before it of the person."""
    named = usual.drop(turn, rejected)
    return named or usual.take_back(turn, plan=is_dropped(turn.text), last=is_retracted(turn.text), since=last_turns)


def _candidate(
    clause: Clause, files: Sequence[str], printed: Printed, gone: Sequence[Candidate] = ()
) -> Iterator[Candidate]:
    """The clause as a candidate, if it weighs enough; what is dangerous needs less to be shown, in quarantine, and so
    does a choice that takes the place of what the same turn takes back (`gone`)."""
    known = weights()
    weighed = weigh(clause, known)
    if weighed.score < known.least:
        return
    replaces = bool(gone) and clause.sure and is_choice(clause.draft)
    anchors = anchors_near(clause.near, files)
    found = replace(clause.draft, score=weighed.score, why=weighed.why, anchors=anchors, extractor=EXTRACTOR)
    danger = guard.in_quarantine(found, clause.danger) or read_somewhere(clause) or printed.why_not(clause)
    enough = replaces or (danger and clause.sure) or weighed.score >= known.threshold
    if enough and (clause.sure or not danger):
        found = replace(found, quarantine=danger)
        yield with_dates(in_place_of(found, gone[-1]) if replaces and not danger else found)


def _dated(candidate: Candidate, today: date) -> Candidate:
    at = _DATE.match(candidate.turn.at)
    day = min(at[0], today.isoformat()) if at else today.isoformat()
    return replace(candidate, fields={**candidate.fields, "date": day})
