"""How far a session was read, as its note says: the cursor. Pure.

A cursor is the last turn that was read, with its record hash (the note's one source); `turns_sha256`, the hash of all
turns up to it; and `turn_marks`, six hex digits for each turn of a person, of the hash of all turns up to that one. A
transcript goes on from there, or it is an earlier copy, or what was read before has changed: then all of it is read
again. Nothing else counts as read: neither a count of records nor a name.

Formats without ids name a session by its first words, and many talks begin with “hi”. Such a name alone doesn't make a
note that session's; its turns do.

Notes lie in a work tree where anybody edits them: a cursor that makes no sense is none, and then nothing was read.
"""

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

from minutebook.extract import session_key
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.session import Session, Turn
from minutebook.route.provenance import rows_of

_FIELD = "turn_marks"
_MARK = 6
_MOST_MARKS = 500
_LEAST_SHARED = 2
"""Marks that a rewritten session named by its words shares with its note: one stands for no more than the name does."""
_MANY = 10**9


@frozen
class Cursor:
    """`turn` is 0 where nothing was read. `transcript`, `sha256` and `turns` are hashes in hex, "" where there is none;
    so is `marks`, and six digits a mark."""

    records: int = 0
    transcript: str = ""
    turn: int = 0
    sha256: str = ""
    turns: str = ""
    marks: str = ""


NOWHERE = Cursor()


def cursor_of(note: Entry | None) -> Cursor:
    """Where the note says that reading stopped; nowhere, when it doesn't say so in the form of a cursor."""
    source = next(iter(rows_of(note)), {}) if note is not None else {}
    turn, hashed = _count(source.get("turn")), _text(source.get("sha256"))
    if note is None or not turn or not hashed:
        return NOWHERE
    transcript, turns, marks = (_text(note.fields.get(name)) for name in ("transcript_sha256", "turns_sha256", _FIELD))
    return Cursor(_count(note.fields.get("records")), transcript, turn, hashed, turns, marks)


def cursor_fields(session: Session) -> dict[str, Any]:
    """The cursor of a session that was read to its last turn, as fields of its note."""
    last = session.turns[-1]
    source = {"session": session_key(session), "turn": last.number, "role": last.role, "sha256": last.sha256}
    return {
        "session": session_key(session),
        "records": session.records,
        "transcript_sha256": session.sha256,
        "turns_sha256": _turns_sha256(session, last.number),
        **({_FIELD: marks} if (marks := _marks(session)) else {}),
        "sources": [source],
    }


def own_note(session: Session, notes: Iterable[Entry]) -> Entry | None:
    """Of the notes that bear the session's name the one of this session; of several the one that it goes on from, or
    else the one that read furthest."""
    own = [note for note in notes if is_own(session, note)]
    return max(own, key=lambda note: (not was_rewritten(session, note), cursor_of(note).records), default=None)


def is_own(session: Session, note: Entry) -> bool:
    """Whether a note that bears the session's name is of this session."""
    at = cursor_of(note)
    if not is_named_by_words(session) or at.transcript == session.sha256:
        return True
    if not at.turn or not was_rewritten(session, note):
        return at.turn > 0
    marks = _marks(session)
    return bool(marks) and (at.marks.startswith(marks) or _shared(at.marks, marks) >= _LEAST_SHARED)


def is_named_by_words(session: Session) -> bool:
    """Whether the session's id is made of its first words (`transcripts/named.py`), which other sessions share."""
    return re.fullmatch(rf"{re.escape(session.format)}-[0-9a-f]{{16}}", session.id) is not None


def is_read(session: Session, note: Entry | None) -> bool:
    """Whether there is nothing new in the transcript since the note was written: the same bytes, the same turns, or an
    earlier copy."""
    at = cursor_of(note)
    if note is None or not at.turn:
        return False
    if at.transcript == session.sha256:
        return True
    if was_rewritten(session, note):
        return _is_earlier(session, at)
    return session.records <= at.records and all(turn.number <= at.turn for turn in session.turns)


def read_up_to(session: Session, note: Entry | None) -> int:
    """The number of the last turn that was read; 0 when none was, or when the turns up to it are others now."""
    return 0 if was_rewritten(session, note) else cursor_of(note).turn


def was_rewritten(session: Session, note: Entry | None) -> bool:
    """Whether what was read before is no longer what the transcript has there."""
    at = cursor_of(note)
    if not at.turn:
        return False
    known = next((turn for turn in session.turns if turn.number == at.turn), None)
    if known is None or known.sha256 != at.sha256:
        return True
    return bool(at.turns) and at.turns != _turns_sha256(session, at.turn)  # notes of old have none


def _is_earlier(session: Session, at: Cursor) -> bool:
    """Whether it is a copy from before the note was written: shorter, and all that a person said in it was read."""
    marks = _marks(session)
    within = sum(turn.role == "user" for turn in session.turns) <= _MOST_MARKS
    return within and session.records < at.records and bool(marks) and at.marks.startswith(marks)


def _turns_sha256(session: Session, up_to: int) -> str:
    """The SHA-256 of the record hashes of the turns up to number `up_to`, a line each."""
    return sha256("\n".join(turn.sha256 for turn in session.turns if turn.number <= up_to).encode()).hexdigest()


def _marks(session: Session) -> str:
    found = (mark for turn, mark in _hashed(session.turns) if turn.role == "user")
    return "".join(mark for mark, _ in zip(found, range(_MOST_MARKS), strict=False))


def _hashed(turns: Iterable[Turn]) -> Iterator[tuple[Turn, str]]:
    """Each turn, with the first digits of the hash of all up to it."""
    so_far = sha256()
    for turn in turns:
        so_far.update(f"{turn.sha256}\n".encode())
        yield turn, so_far.hexdigest()[:_MARK]


def _shared(one: str, other: str) -> int:
    """How many marks both begin with."""
    ends = range(_MARK, min(len(one), len(other)) + 1, _MARK)
    return sum(one[:end] == other[:end] for end in ends)


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < _MANY else 0


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
