"""No secret goes into git."""

from collections.abc import Iterator

from minutebook.checks.judged import entry_finder, judged_files
from minutebook.checks.judgement import Case
from minutebook.ground.entry import decode
from minutebook.ground.problem import Problem, Severity
from minutebook.redaction.redact import find_secrets

_WAY = "take it out, and rotate it: what was written down once is known"


def secrets(case: Case) -> Iterator[Problem]:
    """No changed file beneath the memory root, whatever it is, nor the config holds something that looks like a
    password, a key or a token. What a file held before the change is a warning: it has to be rotated all the same.

    The message never says what was found, only of what kind it is.
    """
    before = [decode(change.old.data) for change in case.changes if change.old is not None]
    old = {text[found.start : found.end] for text in before for found in find_secrets(text)}
    for path, file in judged_files(case):
        text = decode(file.data)
        entry_at = entry_finder(case.result.files.get(path))
        seen: set[tuple[int, str, bool]] = set()
        line, at = 1, 0
        for found in find_secrets(text):
            line, at = line + text.count("\n", at, found.start), found.start
            known = text[found.start : found.end] in old
            if (line, found.kind, known) not in seen:
                seen.add((line, found.kind, known))
                yield _problem(path, line, found.kind, entry_at(line), known=known)


def _problem(path: str, line: int, kind: str, entry: str, *, known: bool) -> Problem:
    severity: Severity = "warning" if known else "error"
    message = f"this looks like a secret ({kind})" + (", and stood here before" if known else "")
    return Problem(path, line, "secrets", message, _WAY, entry, severity)
