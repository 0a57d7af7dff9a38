"""A plan as the journal of `edges/store` keeps it: JSON from which a run that was killed is finished by the next.

`{"within": ROOT, "changes": [{"path", "old", "new", "runs"}]}`: `old` is the hex sha256 of the bytes before ("" for no
file), `new` the bytes after in base64 (null for no file), `runs` the executable bit (null: it stays as it is).
"""

import base64
import binascii
import json
from collections.abc import Iterable

from minutebook.ground.change import EXECUTABLE, REGULAR, Change, digest
from minutebook.ground.frozen import frozen


@frozen
class Row:
    """What is to be done to one file; `new` None removes it, `runs` None leaves its executable bit alone."""

    path: str
    old: str
    new: bytes | None
    runs: bool | None = None


@frozen
class Journal:
    """`within` is the root that the plan is for, "" for the whole work tree. Removals come first, so that a file can
    take the place of a folder and the other way round."""

    within: str
    rows: tuple[Row, ...]


def journal_of(within: str, changes: Iterable[Change]) -> Journal:
    """The journal of a plan's changes."""
    rows = [Row(each.path, digest(each.old), each.new.data if each.new else None, runs_after(each)) for each in changes]
    return Journal(within, tuple(sorted(rows, key=lambda row: (row.new is not None, row.path))))


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
            "new": base64.b64encode(row.new).decode() if row.new is not None else None,
            "runs": row.runs,
        }
        for row in journal.rows
    ]
    return json.dumps({"within": journal.within, "changes": rows}).encode()


def read_journal(text: bytes) -> Journal | None:
    """The journal, None when it is damaged. One that an older minutebook left says nothing of executable bits."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    rows = found.get("changes") if isinstance(found, dict) else None
    if not isinstance(rows, list) or not isinstance(found.get("within"), str):
        return None
    read = [_row(each) for each in rows]
    return Journal(found["within"], tuple(row for row in read if row is not None)) if None not in read else None


def _row(found: object) -> Row | None:
    if not isinstance(found, dict) or "new" not in found:
        return None
    path, old, new, runs = (found.get(name) for name in ("path", "old", "new", "runs"))
    if not isinstance(path, str) or not isinstance(old, str):
        return None
    if not isinstance(new, str | None) or not isinstance(runs, bool | None):
        return None
    try:
        data = base64.b64decode(new, validate=True) if new is not None else None
    except binascii.Error:
        return None
    return Row(path, old, data, runs)
