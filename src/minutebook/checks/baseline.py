"""Today's old debt, frozen: fingerprints of problems that were accepted, so that only new ones fail.

A fingerprint holds no line number, so it survives what shifts lines, and nothing of a secret: messages hold none.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable
from hashlib import sha256
from typing import Any

from minutebook.ground.entry import encode
from minutebook.ground.errors import CannotJudge
from minutebook.ground.problem import Problem

NEVER = frozenset({"append-only", "scope", "modes", "index"})
"""Rules whose problems no baseline accepts: history is kept, or it isn't; and the index is mended by one command."""
_VERSION = 1


def fingerprint(problem: Problem, nth: int) -> str:
    """Hex sha256 over rule, severity, path, entry, message, and which of the equal ones it is (from 0).

    The severity counts: what was accepted as a warning and has become an error is new.
    """
    parts = (problem.rule, problem.severity, problem.path, problem.entry, problem.message, str(nth))
    return sha256(encode("\0".join(parts))).hexdigest()


def fingerprints(problems: Iterable[Problem]) -> list[tuple[str, Problem]]:
    """Each problem with its fingerprint, in the order of their places."""
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for problem in sorted(problems):
        same = (problem.rule, problem.severity, problem.path, problem.entry, problem.message)
        found.append((fingerprint(problem, seen[same]), problem))
        seen[same] += 1
    return found


def split(problems: Iterable[Problem], known: Collection[str]) -> tuple[list[Problem], list[Problem]]:
    """(new, known): what the baseline doesn't hold, and what it does."""
    new: list[Problem] = []
    old: list[Problem] = []
    for mark, problem in fingerprints(problems):
        (old if mark in known and problem.rule not in NEVER else new).append(problem)
    return new, old


def without_known(problems: Iterable[Problem], baseline: bytes | None) -> tuple[list[Problem], int]:
    """The problems that the bytes of a baseline file don't accept, and how many they do. Raises CannotJudge."""
    new, known = split(problems, accepted(baseline))
    return new, len(known)


def accepted(data: bytes | None) -> frozenset[str]:
    """The fingerprints in a baseline file; none when there is no file. Raises CannotJudge when it can't be read."""
    if data is None:
        return frozenset()
    try:
        document: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise CannotJudge("the baseline is no JSON", "minutebook baseline") from None
    rows = document.get("known") if isinstance(document, dict) and document.get("version") == _VERSION else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise CannotJudge("the baseline isn't one that this version wrote", "minutebook baseline")
    return frozenset(str(row.get("fingerprint")) for row in rows)


def baseline_bytes(problems: Iterable[Problem]) -> bytes | None:
    """The baseline file that accepts these problems, one a line, or None when there is nothing to accept."""
    rows = sorted(
        {(each.path, each.rule, each.entry, mark) for mark, each in fingerprints(problems) if each.rule not in NEVER}
    )
    if not rows:
        return None
    lines = [
        json.dumps({"path": path, "rule": rule, "entry": entry, "fingerprint": mark})
        for path, rule, entry, mark in rows
    ]
    return ('{\n"version": 1,\n"known": [\n' + ",\n".join(lines) + "\n]\n}\n").encode()
