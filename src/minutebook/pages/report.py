"""How problems look: as text for people, as annotations for GitHub, as JSON for scripts.

What is quoted comes from other people's files. No control character of it reaches a terminal, and no line of it can
be a workflow command: a runner reads those (`::…` at the start of a line, `##[…` anywhere) from whatever is printed.
"""

from __future__ import annotations

from minutebook.ground.errors import CannotJudge
from minutebook.ground.nouns import counted
from minutebook.ground.unseen import made_visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from minutebook.ground.problem import Problem, Severity

MOST_ANNOTATIONS = 10
MOST_ALIKE = 20


def report(problems: Sequence[Problem], form: str) -> str:
    """The problems as `text`, `github` or `json`; text and annotations end with a summary, or are "" for none."""
    ordered = sorted(problems)
    if form == "json":
        return _json(ordered)
    if form not in ("text", "github"):
        raise CannotJudge(f"there is no report as {form!r}", "text, github or json")
    if not ordered:
        return ""
    lines = _text(ordered) if form == "text" else _github(ordered)
    return "\n".join([*lines, summary(ordered)]) + "\n"


def summary(problems: Iterable[Problem]) -> str:
    """`2 errors, 1 warning`; `no problems` for none."""
    found = [problem.severity for problem in problems]
    levels: tuple[Severity, ...] = ("error", "warning")
    return ", ".join(counted(found.count(level), level) for level in levels if level in found) or "no problems"


def problem_rows(problems: Iterable[Problem]) -> list[dict[str, object]]:
    """The problems as every JSON report holds them, sorted by place."""
    return [
        {
            "path": problem.path,
            "line": problem.line,
            "rule": problem.rule,
            "severity": problem.severity,
            "entry": problem.entry,
            "message": problem.message,
            "fix": problem.fix,
        }
        for problem in sorted(problems)
    ]


def json_text(document: object) -> str:
    """A document as JSON to be printed: in ASCII, so that no control character reaches a terminal, and without
    workflow commands."""
    import json

    return json.dumps(document, indent=2).replace("##[", "#\\u0023[") + "\n"


def escaped(text: str) -> str:
    """The text with control characters and such as escapes (`\\x1b`), and without workflow commands."""
    return made_visible(text, lambda each: each.encode("unicode_escape").decode("ascii")).replace("##[", "#\\#[")


def one_line(text: str) -> str:
    return escaped(text).replace("\n", "\\n")


def _text(problems: list[Problem]) -> list[str]:
    """At most twenty problems of one rule and severity in one file, and how many more there are."""
    seen: dict[tuple[str, str, str], int] = {}
    out: list[str] = []
    for at, problem in enumerate(problems):
        kind = problem.path, problem.rule, problem.severity
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] <= MOST_ALIKE:
            out += _in_words(problem)
        if at + 1 == len(problems) or problems[at + 1].path != problem.path:
            out += _left_out(seen)
            seen = {}
    return out


def _left_out(seen: dict[tuple[str, str, str], int]) -> list[str]:
    return [
        f"… and {count - MOST_ALIKE} more {'warnings ' if severity == 'warning' else ''}of {rule} in {one_line(path)}"
        for (path, rule, severity), count in seen.items()
        if count > MOST_ALIKE
    ]


def _in_words(problem: Problem) -> list[str]:
    place = one_line(problem.path) + (f":{problem.line}" if problem.line else "")
    mark = "warning: " if problem.severity == "warning" else ""
    fix = [f"    {_inert(line)}" for line in escaped(problem.fix).split("\n") if line.strip()]
    return [f"{_inert(place)}: {problem.rule}: {mark}{one_line(problem.message)}", *fix]


def _inert(line: str) -> str:
    """A runner skips white space before it looks for `::`."""
    return f"\\{line}" if line.lstrip().startswith("::") else line


def _github(problems: list[Problem]) -> list[str]:
    out = []
    left = 0
    levels: tuple[Severity, ...] = ("error", "warning")
    for level in levels:
        found = [problem for problem in problems if problem.severity == level]
        out += [_annotation(problem) for problem in found[:MOST_ANNOTATIONS]]
        left += max(0, len(found) - MOST_ANNOTATIONS)
    if left:
        out.append(f"::notice title=minutebook::{left} more; `minutebook check` shows all of them")
    return out


def _annotation(problem: Problem) -> str:
    place = f"file={_property(problem.path)}" + (f",line={problem.line}" if problem.line else "")
    words = escaped(problem.message) + (f"\n{escaped(problem.fix)}" if problem.fix else "")
    return f"::{problem.severity} {place},title={_property(f'minutebook {problem.rule}')}::{_data(words)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(escaped(text)).replace(":", "%3A").replace(",", "%2C")


def _json(problems: list[Problem]) -> str:
    errors = sum(problem.severity == "error" for problem in problems)
    counts = {"errors": errors, "warnings": len(problems) - errors}
    return json_text({"problems": problem_rows(problems), **counts})
