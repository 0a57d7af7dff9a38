"""`minutebook rules [NAME]`: list the rules of the gate, or show one."""

import inspect
import textwrap
from collections.abc import Mapping
from difflib import get_close_matches
from json import loads
from typing import Any

import click

from minutebook.checks import RULES
from minutebook.checks.baseline import NEVER
from minutebook.commands import options
from minutebook.ground.builtin import shipped
from minutebook.ground.errors import CannotJudge
from minutebook.ground.problem import Problem
from minutebook.pages.report import json_text, report, summary

AROUND = {
    "config": """`.minutebook.yaml` is what `config.schema.json` describes.

    It is YAML, read as strictly as entries are. Memory is judged by the config that counted before, since a broken one
    says nothing; where there was none before, or nothing is compared, it can't be judged: exit code 2.

    Severity: error.
    """,
    "roots": """No folder looks like a memory root without being one.

    Where the config names its roots, or one lies at a usual place, memory that lies elsewhere under such a name
    (`apps/web/.memory`) would be judged by nothing and loaded by nobody.

    Severity: error.
    """,
    "merge": """Two branches that are both fine are fine together.

    `minutebook check --merged-with REV` tries the merge of HEAD and REV and leaves nothing behind. It says which ids
    both sides used, which entries both changed, and what git alone can't merge. The tree that the merge would make is
    judged by the other rules.

    Severity: error.
    """,
    "baseline": """The baseline accepts nothing that isn't there any more.

    What is mended should stay mended: with the row still in `baseline.json`, it could come back unseen. `minutebook
    baseline` writes the file anew. Said by `check --all` when it runs every rule, so `--only` doesn't know it. A
    `baseline.json` that can't be read is an error where a change brings it; one in the base accepts nothing.

    Severity: error where a change brings a file that can't be read; else warning.
    """,
}
"""What a check says beside the rules: documented as they are."""
_EXAMPLES = "rules.json"
_WIDTH = 100
_COLUMNS = ("name", "severity", "baseline", "what it says")


@click.command()
@click.argument("name", required=False)
@options.form()
def rules(name: str | None, form: str) -> int:
    """List the rules of the gate, or show one: what it asks for, what is allowed, what it says, how to mend it.

    `severity` is what a problem of the rule can be: errors refuse a commit, warnings don't. `baseline` says whether
    `minutebook baseline` can accept one.
    """
    if name is None:
        rows = [{key: found[key] for key in ("name", "summary", "severity", "baseline")} for found in catalogue()]
        click.echo(json_text(rows) if form == "json" else _table(rows), nl=False)
        return 0
    found = next((each for each in catalogue() if each["name"] == name), None)
    if found is None:
        close = get_close_matches(name, [*RULES, *AROUND], 1)
        raise CannotJudge(f"no rule {name!r}", f"did you mean {close[0]}?" if close else "minutebook rules")
    found |= {"example": examples().get(name)}
    click.echo(json_text(found) if form == "json" else _text(found), nl=False)
    return 0


def catalogue() -> list[dict[str, Any]]:
    """Every rule as its docstring has it: the first paragraph says what it asks for, the last one how severe it is."""
    documented = {name: check.__doc__ or "" for name, check in RULES.items()} | AROUND
    return [_described(name, text) for name, text in documented.items()]


def examples() -> dict[str, dict[str, Any]]:
    """By rule a problem that `check` found in one of our examples, and that example's name; `make docs` writes it."""
    found: dict[str, dict[str, Any]] = loads((shipped("schemas") / _EXAMPLES).read_text("utf-8"))
    return found


def printed(example: Mapping[str, Any]) -> str:
    """An example's problem as `check` prints it."""
    problem = Problem(**{key: value for key, value in example.items() if key != "file"})
    return report([problem], "text").removesuffix(f"{summary([problem])}\n")


def _described(name: str, documented: str) -> dict[str, Any]:
    first, *paragraphs = (" ".join(part.split()) for part in inspect.cleandoc(documented).split("\n\n"))
    words = " ".join(part for part in paragraphs if part.startswith("Severity: "))
    return {
        "name": name,
        "summary": first,
        "severity": [severity for severity in ("error", "warning") if severity in words],
        "baseline": name not in NEVER and name not in AROUND,
        "text": paragraphs,
    }


def _table(found: list[dict[str, Any]]) -> str:
    rows = [_COLUMNS, *((each["name"], *_facts(each), each["summary"]) for each in found)]
    widths = [max(len(row[at]) for row in rows) for at in range(3)]
    return "".join("  ".join([*map(str.ljust, row, widths), row[-1]]) + "\n" for row in rows)


def _facts(found: Mapping[str, Any]) -> tuple[str, str]:
    return ", ".join(found["severity"]), "yes" if found["baseline"] else "no"


def _text(found: Mapping[str, Any]) -> str:
    severity, baseline = _facts(found)
    lines = [f"{found['name']} ({severity}; `minutebook baseline` can accept it: {baseline})"]
    for paragraph in (found["summary"], *found["text"]):
        lines += ["", *_wrapped(paragraph)]
    if found["example"] is not None:
        lines += ["", "  For example:", textwrap.indent(printed(found["example"]), "    ").rstrip("\n")]
    return "\n".join(lines) + "\n"


def _wrapped(paragraph: str) -> list[str]:
    return textwrap.wrap(paragraph, _WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
