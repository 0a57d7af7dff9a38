"""Whether a transcript still says what an entry says that it said.

A source is proven by the turn whose record has the same hash: the quote stands in its text, and role and time, where it
names them, are the same. The number may have moved. Otherwise it is broken, with what differs. Where there is no
transcript of the session, or what is there ends before the turn, it is gone; a source without a record's hash only
names its session, and there is nothing to prove.
"""

from collections.abc import Iterable
from typing import Literal

from minutebook.ground.frozen import frozen
from minutebook.ground.session import Session, Turn
from minutebook.provenance.links import Source

State = Literal["proven", "broken", "gone", "named"]
_UNPROVABLE = "it has no hash of a record"
_NOTE = "session"
_BEST = ("proven", "broken", "gone")


@frozen
class Proof:
    """`why` says what differs, or what is missing; `where` names the transcript, and `turn` is the turn there."""

    source: Source
    state: State
    why: str = ""
    where: str = ""
    turn: Turn | None = None


def unread(source: Source) -> Proof:
    """What is known of a source before any transcript was read."""
    if not source.sha256:
        return Proof(source, "named", _UNPROVABLE)
    return Proof(source, "gone", "no transcript of that session is here")


def prove(source: Source, session: Session) -> Proof:
    """What this transcript of the source's session has to say of it."""
    if not source.sha256:
        return Proof(source, "named", _UNPROVABLE, session.source)
    same = [turn for turn in session.turns if turn.sha256 == source.sha256]
    numbered = [turn for turn in session.turns if turn.number == source.turn]
    for turn in (*same, *numbered):
        if not differing(source, turn):
            return Proof(source, "proven", "", session.source, turn)
    if not same and not numbered and source.turn > max((turn.number for turn in session.turns), default=0):
        return Proof(source, "gone", f"the transcript here ends before turn {source.turn}", session.source)
    if not same and not numbered:
        return Proof(source, "broken", f"there is no turn {source.turn}", session.source)
    turn = (same or numbered)[0]
    return Proof(source, "broken", "; ".join(differing(source, turn)), session.source, turn)


def differing(source: Source, turn: Turn) -> list[str]:
    """What a source says otherwise than the turn does. A session's note names the last turn that was read, and no
    words; whatever else has a record's hash has words that somebody said."""
    wrong = []
    is_cursor = source.type == _NOTE
    if source.sha256 != turn.sha256:
        wrong.append("the record's hash differs")
    if not source.quote.strip() and not is_cursor:
        wrong.append("it quotes nothing")
    elif not _is_in(source.quote, turn.text):
        wrong.append("the quote is not in the turn")
    if source.role != turn.role and not (is_cursor and not source.role):
        wrong.append(f"the role is {turn.role}, not {source.role or 'named'}")
    if source.at and turn.at and source.at != turn.at:
        wrong.append(f"the time is {turn.at}, not {source.at}")
    return wrong


def best(proofs: Iterable[Proof]) -> Proof:
    """Of what several transcripts of one session say: one that proves it is enough."""
    return min(proofs, key=lambda proof: _BEST.index(proof.state) if proof.state in _BEST else len(_BEST))


def _is_in(quote: str, text: str) -> bool:
    """Word for word; a log may have wrapped it, and a file has lost the blanks at the ends of its lines."""
    return quote in text or " ".join(quote.split()) in " ".join(text.split())
