"""From a session to what is worth remembering; pure. One way of finding a module."""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from minutebook.extract.accepted import accepted_by
from minutebook.extract.phrases import phrases
from minutebook.extract.spoken import said_in
from minutebook.extract.stance import conflict, overlap, stance, words
from minutebook.extract.structured import from_structure
from minutebook.ground.change import Refusal
from minutebook.ground.frozen import replace
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.session import Candidate, Found, Session, Turn

MOST = 5
"""Candidates that one session may propose: a reviewer reads them all."""
_STRUCTURED = frozenset({"answer", "plan-approved", "plan-corrected", "tool-refused"})
_SAME = 0.7
_SHORTEST = 3
_COMPARED = 40
_RETRACTED = phrases(
    *(
        "scratch that",
        "never ?mind",
        "forget (?:that|it|about it|what i said)",
        "on second thoughts?",
        "changed my mind",
    ),
    *("ignore (?:that|my last)", "(?:undo|revert) (?:that|this)", "i take (?:that|it) back", "wait,? no"),
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def offline(session: Session, types: Mapping[str, MemoryType], today: date, after: int = 0) -> Found:
    """What can be found without a model; see `candidates`."""
    found, refused = candidates(session, types, today, after)
    notes = () if found else (nothing_found(session, after),)
    return Found(tuple(found), tuple(refused), notes)


def candidates(
    session: Session, types: Mapping[str, MemoryType], today: date, after: int = 0
) -> tuple[list[Candidate], list[Refusal]]:
    """At most five candidates in the order of the talk, and what was seen and must not be proposed.

    Turns up to number `after` have been read before: they give context and no candidates. Only types in `types` that
    may be written are proposed. A candidate's date is its turn's own day, or `today` where the record has none.
    """
    kept: list[Candidate] = []
    refused: dict[tuple[str, str], Refusal] = {}
    for turn, found in _found(session):
        if turn.role == "user" and turn.kind == "text" and _RETRACTED.search(turn.text):
            kept = _without_last_said(kept, turn)
        for each in found:
            if turn.number <= after:
                continue
            if isinstance(each, Refusal):
                refused.setdefault((each.what, each.reason), each)
            elif len(each.title) >= _SHORTEST and each.type in types and types[each.type].write != "derived":
                kept = _with(kept, replace(each, fields=_dated(each, today)))
        if len(kept) > 2 * _COMPARED:  # each is compared with all before: without a bound, quadratic
            kept = _best(kept, _COMPARED)
    return _best(kept, MOST), list(refused.values())


def nothing_found(session: Session, after: int = 0) -> str:
    """Why a session gave no candidate, in a sentence."""
    said = [turn for turn in session.turns if turn.role == "user" and turn.number > after]
    if not said:
        return "no user turn read, so there is nothing that a person said"
    count = "1 user turn" if len(said) == 1 else f"{len(said)} user turns"
    return f"{count} read, none states a decision, a standing rule or a preference"


def _found(session: Session) -> Iterator[tuple[Turn, list[Candidate | Refusal]]]:
    proposal: Turn | None = None
    key = session_key(session)
    for turn in session.turns:
        if turn.role == "assistant" and turn.kind == "text":
            proposal = turn
        elif turn.role == "user" and turn.kind in _STRUCTURED:
            yield turn, list(from_structure(turn, key, session.files))
            proposal = None
        elif turn.role == "user" and turn.kind == "text":
            found = list(said_in(turn, key, session.files))
            if proposal is not None:
                found = [*accepted_by(turn, proposal, key, session.files), *found]
            yield turn, found
            proposal = None


def session_key(session: Session) -> str:
    """The name of a session in sources: its own id, or the start of its hash when that is no plain name."""
    return session.id if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", session.id) else session.sha256[:32]


def _with(kept: list[Candidate], new: Candidate) -> list[Candidate]:
    """`kept` and the new one: what it contradicts is gone, since the last word counts; what it repeats stays."""
    text = _words_of(new)
    if any(
        each.type == new.type and overlap(_words_of(each), text) >= _SAME and not _against(new, each) for each in kept
    ):
        return kept
    return [*(each for each in kept if not _against(new, each)), new]


def _best(kept: list[Candidate], most: int) -> list[Candidate]:
    """The best of them, in the order in which they are."""
    best = sorted(kept, key=lambda each: (each.turn.kind not in _STRUCTURED, -each.score, each.turn.number))[:most]
    chosen = {id(each) for each in best}
    return [each for each in kept if id(each) in chosen]


def _against(new: Candidate, old: Candidate) -> bool:
    return new.turn.number != old.turn.number and bool(conflict(stance(new.abstract), stance(old.abstract)))


def _words_of(candidate: Candidate) -> frozenset[str]:
    return words(candidate.abstract)


def _without_last_said(kept: list[Candidate], turn: Turn) -> list[Candidate]:
    """A retraction takes back what the last turn with a candidate said, if that was a moment ago."""
    last = max((each.turn.number for each in kept), default=0)
    return kept if turn.number - last > 12 else [each for each in kept if each.turn.number != last]


def _dated(candidate: Candidate, today: date) -> dict[str, object]:
    at = _DATE.match(candidate.turn.at)
    day = min(at[0], today.isoformat()) if at else today.isoformat()
    return {**candidate.fields, "date": day}
