"""No secret goes into git."""

from collections.abc import Iterator

from minutebook.checks.judged import entry_at, judged_files
from minutebook.checks.judgement import Case
from minutebook.ground.entry import decode
from minutebook.ground.problem import Problem, Severity
from minutebook.redaction.redact import find_secrets


def secrets(case: Case) -> Iterator[Problem]:
    """No changed file beneath the memory root, whatever it is, nor the config holds something that looks like a
    password, a key or a token. What a file held before the change is a warning: it has to be rotated all the same.

    The message never says what was found, only of what kind it is.
    """
    before = [decode(change.old.data) for change in case.changes if change.old is not None]
    for path, file in judged_files(case):
        text = decode(file.data)
        for found in find_secrets(text):
            line = text.count("\n", 0, found.start) + 1
            secret = text[found.start : found.end]
            known = any(secret in old for old in before)
            severity: Severity = "warning" if known else "error"
            message = f"this looks like a secret ({found.kind})" + (", and stood here before" if known else "")
            fix = "take it out, and rotate it: what was written down once is known"
            yield Problem(path, line, "secrets", message, fix, entry_at(case.result.files.get(path), line), severity)
