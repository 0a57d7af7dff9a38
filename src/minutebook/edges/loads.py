"""What was handed to whom for which task: one line of JSON each, in the git directory, for later audits."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from filelock import FileLock

from minutebook.edges.work_tree import own_place

_WAIT_SECONDS = 5


def record_load(git_dir: Path, load: Mapping[str, object]) -> str:
    """Append to `<git dir>/minutebook/loads.jsonl`; "" when it is written, else why it could not be."""
    try:
        place = own_place(git_dir, "loads.jsonl")
        place.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(place.with_suffix(".lock"), timeout=_WAIT_SECONDS):
            _append(place, json.dumps(load, sort_keys=True).encode("ascii"))
    except OSError as error:  # a lock that isn't free in time is one, too
        return error.strerror or str(error)
    return ""


def _append(path: Path, line: bytes) -> None:
    with path.open("a+b") as out:
        # A run that was killed may have left half a line: the next record starts on a line of its own.
        out.seek(0, os.SEEK_END)
        if out.tell():
            out.seek(-1, os.SEEK_END)
            torn = out.read(1) != b"\n"
        else:
            torn = False
        out.write((b"\n" if torn else b"") + line + b"\n")
        out.flush()
        os.fsync(out.fileno())
