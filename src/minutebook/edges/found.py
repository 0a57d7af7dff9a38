"""What the last runs found, in the git directory: one line of JSON a candidate, the newest last. Never published."""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from filelock import FileLock

from minutebook.edges.work_tree import own_place

_NAME = "candidates.jsonl"
_WAIT_SECONDS = 5
_MOST = 2000
_LONGEST = 1 << 20


def keep_found(git_dir: Path, rows: Iterable[Mapping[str, Any]]) -> str:
    """Add rows (each with an `id`) to `<git dir>/minutebook/candidates.jsonl`, the last 2,000 of which are kept; ""
    when it is done, else why it could not be."""
    new = {str(row["id"]): row for row in rows}
    if not new:
        return ""
    try:
        place = own_place(git_dir, _NAME)
        place.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(place.with_suffix(".lock"), timeout=_WAIT_SECONDS):
            known = {name: row for name, row in read_found(git_dir).items() if name not in new}
            _write(place, list({**known, **new}.values())[-_MOST:])
    except OSError as error:  # a lock that isn't free in time is one, too
        return error.strerror or str(error)
    return ""


def read_found(git_dir: Path) -> dict[str, dict[str, Any]]:
    """The rows by their ids; a line that can't be read is left out."""
    try:
        data = own_place(git_dir, _NAME).read_bytes()
    except OSError:
        return {}
    rows = (_row(line) for line in data.split(b"\n"))
    return {str(row["id"]): row for row in rows if row}


def _row(line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) and "id" in row else {}


def _write(place: Path, rows: list[Mapping[str, Any]]) -> None:
    lines = (json.dumps(row, ensure_ascii=True, default=str).encode("ascii") for row in rows)
    draft = place.with_suffix(".draft")
    with draft.open("wb") as out:
        out.writelines(line + b"\n" for line in lines if len(line) <= _LONGEST)
        out.flush()
        os.fsync(out.fileno())
    draft.replace(place)
