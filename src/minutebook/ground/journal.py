"""A plan as the journal of `edges/store` keeps it: JSON from which a run that was killed is finished by the next, or
undone.

`{"within": ROOT, "changes": [{"path", "old", "new", "runs", "was", "ran"}]}`: `old` is the hex sha256 of the bytes
before ("" for no file), `new` the bytes after in base64 (null for no file), `runs` the executable bit after (null: it
stays as it is); `was` and `ran` are the bytes and the bit that undo it.
"""

import base64
import binascii
import json
from collections.abc import Iterable
from hashlib import sha256

from minutebook.ground.change import EXECUTABLE, REGULAR, Change, digest
from minutebook.ground.frozen import frozen, replace

FILE = "minutebook/journal.json"
"""Where it lies in the git directory; `gate` and `quick`, which import nothing, spell it themselves."""
NEXT = "`minutebook snapshot` finishes that run, `minutebook restore NAME` gives it up"


@frozen
class Row:
    """What is to be done to one file; `new` None removes it, `runs` None leaves its executable bit alone. `was` and
    `ran` are the same for the way back."""

    path: str
    old: str
    new: bytes | None
    runs: bool | None = None
    was: bytes | None = None
    ran: bool | None = None


@frozen
class Journal:
    """`within` is the root that the plan is for, "" for the whole work tree; `rows` in the order in which they are
    carried out."""

    within: str
    rows: tuple[Row, ...]


def journal_of(within: str, changes: Iterable[Change]) -> Journal:
    """The journal of a plan's changes."""
    return Journal(within, _in_order([_row_of(each) for each in changes]))


def _row_of(change: Change) -> Row:
    new, was = (file.data if file is not None else None for file in (change.new, change.old))
    back = Change(change.path, change.new, change.old)
    return Row(change.path, digest(change.old), new, runs_after(change), was, runs_after(back))


def undoing(journal: Journal) -> Journal | None:
    """The journal that brings back what was there before; None when it isn't known."""
    if any(row.old and row.was is None for row in journal.rows):
        return None
    rows = [
        replace(
            row,
            old=sha256(row.new).hexdigest() if row.new is not None else "",
            new=row.was,
            runs=row.ran,
            was=row.new,
            ran=row.runs,
        )
        for row in journal.rows
    ]
    return Journal(journal.within, _in_order(rows))


def _in_order(rows: Iterable[Row]) -> tuple[Row, ...]:
    """New files, then changed ones, then removals: until the last of its new files is there, a plan has taken nothing
    away. Where a file and a folder change places, what is in the way goes just before."""
    all_rows = sorted(rows, key=lambda row: row.path)
    gone = {row.path for row in all_rows if row.new is None}
    comes = {row.path for row in all_rows if row.new is not None}
    above_gone = {above for path in gone for above in _above(path)}
    above_comes = {above for path in comes for above in _above(path)}

    def turn(row: Row) -> int:
        if row.new is None:
            return 2 if row.path in above_comes or not comes.isdisjoint(_above(row.path)) else 4
        if row.path in above_gone or not gone.isdisjoint(_above(row.path)):
            return 3
        return int(row.old != "")

    return tuple(sorted(all_rows, key=turn))


def _above(path: str) -> tuple[str, ...]:
    """The folders that a path lies in."""
    parts = path.split("/")
    return tuple("/".join(parts[:end]) for end in range(1, len(parts)))


def runs_after(change: Change) -> bool | None:
    """The executable bit that a change asks for. None where it says nothing of it: a planner that reads no modes gives
    the same one on both sides."""
    was = change.old.mode if change.old is not None else REGULAR
    if change.new is None or change.new.mode == was:
        return None
    return change.new.mode == EXECUTABLE


def written(journal: Journal) -> bytes:
    """The bytes of the journal's file."""
    rows = [
        {
            "path": row.path,
            "old": row.old,
            "new": _base64(row.new),
            "runs": row.runs,
            "was": _base64(row.was),
            "ran": row.ran,
        }
        for row in journal.rows
    ]
    return json.dumps({"within": journal.within, "changes": rows}).encode()


def _base64(data: bytes | None) -> str | None:
    return base64.b64encode(data).decode() if data is not None else None


def read_journal(text: bytes) -> Journal | None:
    """The journal, None when it is damaged. One that an older minutebook left says nothing of executable bits, or of
    what was there before."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    rows = found.get("changes") if isinstance(found, dict) else None
    if not isinstance(rows, list) or not isinstance(found.get("within"), str):
        return None
    read = [_row(each) for each in rows]
    return Journal(found["within"], _in_order(row for row in read if row is not None)) if None not in read else None


def _row(found: object) -> Row | None:
    if not isinstance(found, dict) or "new" not in found:
        return None
    path, old, runs, ran = (found.get(name) for name in ("path", "old", "runs", "ran"))
    if not isinstance(path, str) or not isinstance(old, str):
        return None
    if not isinstance(runs, bool | None) or not isinstance(ran, bool | None):
        return None
    try:
        new, was = (_bytes(found.get(name)) for name in ("new", "was"))
    except (binascii.Error, TypeError, ValueError):
        return None
    if was is not None and sha256(was).hexdigest() != old:
        return None
    return Row(path, old, new, runs, was, ran)


def _bytes(text: object) -> bytes | None:
    """Raises TypeError and ValueError for what is no base64."""
    if text is not None and not isinstance(text, str):
        raise TypeError
    return base64.b64decode(text, validate=True) if text is not None else None
