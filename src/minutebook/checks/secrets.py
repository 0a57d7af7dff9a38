"""No secret goes into git."""

from __future__ import annotations

from minutebook.checks.judged import changed_part, entry_finder, judged_files, text_of
from minutebook.ground.problem import Problem
from minutebook.redaction.pem import LONGEST
from minutebook.redaction.redact import find_secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from minutebook.checks.judgement import Case
    from minutebook.ground.problem import Severity

_WAY = "take it out, and rotate it: what was written down once is known"
_AROUND = LONGEST  # characters beside what was changed; no rule for secrets looks farther


def secrets(case: Case) -> Iterator[Problem]:
    """Nothing beneath the memory root, nor the config, holds what looks like a password, a key or a token.

    Every file that a change touches is read, whatever it is. The message says of what kind the secret is and never
    repeats it.

    Severity: error. What stood before the change near what it touches is a warning: it has to be rotated all the same.
    """
    before = {
        change.path: text_of(change.path, change.old, case.base) for change in case.changes if change.old is not None
    }
    olds: set[str] | None = None
    for path, file in judged_files(case):
        text = text_of(path, file, case.result)
        start, end = changed_part(before[path], text, _AROUND) if path in before else (0, len(text))
        part = text[start:end]
        seen: set[tuple[int, str, bool]] = set()
        line, at = text.count("\n", 0, start) + 1, 0
        for found in find_secrets(part):
            if olds is None:
                olds = {old[each.start : each.end] for old in before.values() for each in find_secrets(old)}
            line, at = line + part.count("\n", at, found.start), found.start
            known = part[found.start : found.end] in olds
            if (line, found.kind, known) not in seen:
                seen.add((line, found.kind, known))
                entry = entry_finder(case.result.files.get(path))(line)
                yield _problem(path, line, found.kind, entry, _way(case, path, entry) if known else _WAY, known=known)


def _way(case: Case, path: str, entry: str) -> str:
    """Out of a sealed entry there is one way."""
    file = case.result.files.get(path)
    sealed = entry and file is not None and case.result.types[file.type].append_only
    return f"rotate it; minutebook expunge {entry} --reason …" if sealed else _WAY


def _problem(path: str, line: int, kind: str, entry: str, way: str, *, known: bool) -> Problem:
    severity: Severity = "warning" if known else "error"
    message = f"this looks like a secret ({kind})" + (", and stood here before" if known else "")
    return Problem(path, line, "secrets", message, way, entry, severity)
