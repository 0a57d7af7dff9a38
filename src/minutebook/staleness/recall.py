"""What refresh remembers of entries, to and from the rows of its cache: what they name and claim, what the code said
of them, what was found."""

import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from sqlite3 import DatabaseError
from typing import Any, TypeVar

from minutebook.edges.entry_rows import Row
from minutebook.ground.entry import Entry, encode
from minutebook.ground.frozen import as_tuple, replace
from minutebook.refresh.anchors import Reference, references
from minutebook.refresh.claims import Claim, claims
from minutebook.refresh.contradictions import Contradiction
from minutebook.refresh.findings import Finding, Signal
from minutebook.refresh.reach import all_marks

Place = tuple[str, str]
"""Path and id of an entry."""
MENTIONS, REPLACES, GONE = "mentions ", "replaces ", "something gone"
"""Marks beside those of the code: the ids that an entry names in any way, those that it supersedes, and that something
it names is gone: where that may have gone to hangs on all new files."""
_RELATIONS = ("supersedes", "superseded_by", "contradicts", "derived_from", "related_to")
_NOWHERE = ("gone", "moved")
T = TypeVar("T")


def place_of(entry: Entry) -> Place:
    return entry.path, entry.id


def row_of(entry: Entry, archived: bool, known: Row | None) -> Row:
    """The row of an entry: what was known, if it is of the very same text at the same lines."""
    key = _digest(entry)
    if known is not None and known.key == key and known.archived == archived:
        return known
    number = known.number if known is not None else None
    if archived:
        return Row(entry.path, entry.id, archived, key, number=number)
    said = json.dumps([list(as_tuple(each)) for each in claims(entry)])
    return Row(entry.path, entry.id, archived, key, _listed(references(entry)), said, number=number)


def marks_of_entry(entry: Entry, row: Row) -> set[str]:
    """All that can make the entry doubtful, but for what its own text says."""
    named = references_in(row)
    related = {name for field in _RELATIONS for name in entry.ids(field)}
    mentioned = related | {each.text for each in named if each.kind == "entry"}
    found = all_marks(named) | {f"{MENTIONS}{name}" for name in mentioned}
    return found | {f"{REPLACES}{name}" for name in entry.ids("supersedes")}


def references_in(row: Row) -> tuple[Reference, ...]:
    return _made(row.named, lambda rows: tuple(Reference(*each) for each in rows))


def naming(row: Row, named: Iterable[Reference]) -> Row:
    """The row as if the entry named these alone."""
    return replace(row, named=_listed(named))


def signals_in(row: Row) -> tuple[Signal, ...] | None:
    """What the code said of the entry; None when that isn't known any more."""
    return _made(row.heard, lambda heard: tuple(map(_signal, heard[1]))) if row.heard is not None else None


def with_signals(row: Row, signals: Iterable[Signal]) -> Row:
    return replace(row, heard=json.dumps([row.touch or "", [list(as_tuple(each)) for each in signals]]))


def speaks_of_something_gone(row: Row) -> bool:
    return any(signal.kind in _NOWHERE for signal in signals_in(row) or ())


def finding_in(text: str) -> Finding:
    return _made(text, _finding)


def finding_text(finding: Finding | None) -> str:
    if finding is None:
        return ""
    *parts, signals = as_tuple(finding)
    return json.dumps([*parts, [list(as_tuple(each)) for each in signals]])


def claims_in(row: Row) -> tuple[Claim, ...]:
    return _made(row.claimed, lambda rows: tuple(Claim(*each) for each in rows))


def disputes_in(row: Row) -> list[Contradiction]:
    """What contradicts the entry."""
    return _made(row.disputed, lambda rows: [Contradiction(*each) for each in rows])


def disputes_text(found: Iterable[Contradiction]) -> str:
    return json.dumps([list(as_tuple(each)) for each in found])


def _made(text: str, make: Callable[[Any], T]) -> T:
    """What is made of JSON of the cache. Raises DatabaseError where it is damaged: the cache is made anew then."""
    try:
        return make(json.loads(text))
    except (ValueError, TypeError, LookupError, RecursionError):
        raise DatabaseError("a row of the cache is damaged") from None


def _finding(row: list[Any]) -> Finding:
    id_, type_, path, line, kind, score, signals = row
    return Finding(str(id_), type_, str(path), int(line), kind, float(score), tuple(map(_signal, signals)))


def _digest(entry: Entry) -> str:
    said = f"{entry.type}\0{entry.path}\0{entry.id}\0{entry.line}\0{entry.in_log}\0{entry.text}"
    return sha256(encode(said)).hexdigest()[:32]


def _listed(named: Iterable[Reference]) -> str:
    return json.dumps([list(as_tuple(each)) for each in named])


def _signal(row: list[object]) -> Signal:
    kind, weight, reason, line, moved, anchor = row
    return Signal(kind, weight, reason, line, tuple(moved) if isinstance(moved, list) else None, anchor)  # type: ignore[arg-type]
