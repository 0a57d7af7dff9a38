"""Several transcripts of one session, as one: copies, what grew since, what its subagents wrote. Pure."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from minutebook.ground.frozen import replace
from minutebook.ground.session import Session, Turn
from minutebook.redaction.redact import Redactor

_MOST_FILES = 500
_LONGEST = 300
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def united(sessions: Iterable[Session]) -> tuple[list[Session], int]:
    """Each session once, and how many transcripts told nothing that another doesn't.

    The same bytes are the same transcript. Of transcripts with the same id and format the one with the most records
    counts, and one all of whose turns it has adds only the files that were changed: a copy from an earlier moment, or
    what a subagent wrote, in which no person speaks. Where two differ in what was said, both stay.
    """
    kept: dict[tuple[str, str], list[Session]] = {}
    read = 0
    for session in sorted(sessions, key=lambda each: (-each.records, -len(each.turns), each.source)):
        read += 1
        same = kept.setdefault((session.format, session.id or session.sha256), [])
        at = next((at for at, each in enumerate(same) if _tells_all(each, session)), None)
        if at is None:
            same.append(session)
        else:
            same[at] = with_files(same[at], session.files)
    found = [session for group in kept.values() for session in group]
    return sorted(found, key=lambda each: (each.started, each.id, each.records, each.source)), read - len(found)


def with_files(session: Session, files: Sequence[str]) -> Session:
    """The session with more files that it changed."""
    return replace(session, files=tuple(dict.fromkeys((*session.files, *files)))) if files else session


def files_touched(about: Any) -> tuple[str, ...]:
    """The paths in a checkpoint's metadata that can be paths in a repository; redacted, since nobody has done so."""
    listed = about.get("files_touched") if isinstance(about, dict) else None
    if not isinstance(listed, list):
        return ()
    named = [path for path in listed[:_MOST_FILES] if isinstance(path, str) and _is_within(path)]
    return tuple(dict.fromkeys(map(Redactor().redact, named)))


def with_times(talk: Session, shown: Session) -> Session:
    """A Cline task's talk with the times of its UI file, which says the same words and when: a turn takes the time of
    what the same role says there in the same words; what is said twice takes both in their order. The name is that of
    the UI file, which holds the moment at which the task began: tasks begin with the same words."""
    times: dict[tuple[str, str], list[str]] = {}
    for turn in reversed(shown.turns):
        if turn.at:
            times.setdefault((turn.role, turn.text), []).append(turn.at)
    turns: list[Turn] = []
    for turn in talk.turns:
        known = times.get((turn.role, turn.text))
        turns.append(replace(turn, at=known.pop()) if known and not turn.at else turn)
    started, ended = talk.started or shown.started, talk.ended or shown.ended
    return replace(talk, id=shown.id or talk.id, turns=tuple(turns), started=started, ended=ended)


def _tells_all(longer: Session, shorter: Session) -> bool:
    """Whether the longer one has every turn of the shorter one, or nobody speaks in the shorter one."""
    if longer.sha256 == shorter.sha256 or not any(turn.role == "user" for turn in shorter.turns):
        return True
    told = {(turn.sha256, turn.text) for turn in longer.turns}
    return all((turn.sha256, turn.text) in told for turn in shorter.turns)


def _is_within(path: str) -> bool:
    parts = path.split("/")
    plain = not _CONTROL.search(path) and "\\" not in path and ":" not in path and len(path) <= _LONGEST
    return plain and bool(path) and not path.startswith(("/", "~")) and not {"..", ".git", ""}.intersection(parts)
