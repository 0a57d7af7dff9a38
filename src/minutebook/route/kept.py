"""Candidates as rows that outlive a run, so that one can be accepted or rejected by its id afterwards. Pure."""

from collections.abc import Mapping
from typing import Any

from minutebook.ground.frozen import as_dict, replace
from minutebook.ground.session import Candidate, Session, Turn

_TEXTS = (
    "type", "title", "abstract", "body", "quote", "session", "signal", "extractor", "target", "quarantine",
)  # fmt: skip
_LISTS = ("anchors", "why")


def row_of(candidate: Candidate) -> dict[str, Any]:
    """The candidate as a JSON object."""
    said = as_dict(candidate) | {"turn": _turn_row(candidate.turn), "fields": dict(candidate.fields)}
    if candidate.accepted is not None:
        said["accepted"] = _turn_row(candidate.accepted)
    return {"id": candidate.id, **said}


def candidate_of(row: Mapping[str, Any]) -> Candidate | None:
    """What `row_of` gave; None for anything else, and for a row that doesn't have the id that it says."""
    turn, accepted = _turn(row.get("turn")), _turn(row.get("accepted"))
    fields, score = row.get("fields"), row.get("score")
    texts = {name: row.get(name) for name in _TEXTS}
    lists = {name: row.get(name) for name in _LISTS}
    plain = all(isinstance(each, str) for each in texts.values()) and isinstance(score, int | float)
    if turn is None or not plain or not isinstance(fields, dict) or not all(map(_is_texts, lists.values())):
        return None
    if accepted is None and row.get("accepted") is not None:
        return None
    tuples: dict[str, Any] = {name: tuple(each or ()) for name, each in lists.items()}
    made = Candidate(**texts, **tuples, turn=turn, accepted=accepted, fields=fields, score=float(score or 0))  # type: ignore[arg-type]
    return made if made.id == row.get("id") else None


def proven(candidate: Candidate, session: Session) -> Candidate | None:
    """The candidate, when this very session has its turns and its quote; None otherwise."""
    turns = {(turn.number, turn.sha256): turn for turn in session.turns}
    said = turns.get((candidate.turn.number, candidate.turn.sha256))
    if said is None or candidate.quote not in said.text or said.role != candidate.turn.role:
        return None
    if candidate.accepted is None:
        return replace(candidate, turn=said)
    yes = turns.get((candidate.accepted.number, candidate.accepted.sha256))
    return replace(candidate, turn=said, accepted=yes) if yes is not None else None


def _turn_row(turn: Turn) -> dict[str, Any]:
    return as_dict(turn) | {"detail": dict(turn.detail)}


def _turn(row: object) -> Turn | None:
    if not isinstance(row, dict) or row.keys() != set(Turn.__match_args__):
        return None
    numbers, texts = (row["number"], row["record"]), (row["text"], row["at"], row["sha256"])
    plain = all(isinstance(each, int) for each in numbers) and all(isinstance(each, str) for each in texts)
    if not plain or row["role"] not in ("user", "assistant", "tool") or not isinstance(row["detail"], dict):
        return None
    return Turn(**row)


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)
