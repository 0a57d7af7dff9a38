"""What a run says of the sessions that it read. Pure."""

from collections.abc import Sequence

from minutebook.extract import session_key
from minutebook.ground.entry import Entry
from minutebook.ground.session import Session
from minutebook.route.cursor import cursor_of

_MANY = 3


def name_of(session: Session) -> str:
    """`codex session 0123456789ab`."""
    return f"{session.format} session {session_key(session)[:12]}"


def nothing_new(session: Session, note: Entry | None) -> str:
    """Why a session isn't read again."""
    records = cursor_of(note).records
    if records > session.records:
        return f"an earlier copy, not read again ({session.records} of the {records} records that were read before)"
    return "read before, nothing new in it"


def told(session: Session, name: str) -> tuple[str, ...]:
    """What the reader skipped and replaced, if anything."""
    skipped = ", ".join(f"{count} {reason}" for reason, count in sorted(session.skipped.items()) if count)
    redacted = ", ".join(f"{count} {kind}" for kind, count in sorted(session.redacted.items()) if count)
    lines = [f"{name}: skipped records: {skipped}"] if skipped else []
    return (*lines, f"{name}: secrets replaced: {redacted}") if redacted else tuple(lines)


def gathered(notes: Sequence[str]) -> tuple[str, ...]:
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
