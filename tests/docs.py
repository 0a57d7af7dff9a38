"""Writes docs/ and the examples of `minutebook rules` from the code and from tests/examples, by running the check on
them; `make docs` runs it, a test holds them in step."""

import json
import tempfile
from collections.abc import Iterable, Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Any

import click

from example_files import Example, check, examples, house, judged_alone, with_config
from minutebook.cli import VERBS, minutebook
from minutebook.commands.rules import catalogue, printed
from minutebook.ground.config import CONFIG

CHECKOUT = Path(__file__).parents[1]
RULES_PAGE = "docs/rules.md"
VERBS_PAGE = "docs/verbs.md"
RULE_EXAMPLES = "schemas/rules.json"
_ROOT = ".memory"
_WRITTEN = "<!-- Written by `make docs`. Edit the code, or the files of tests/examples. -->"
_FENCE = "````"
_LEGEND = """\
`minutebook check` judges memory by these; `minutebook rules NAME` says the same in a terminal. An error refuses a
commit, a warning doesn't. `minutebook baseline` can accept today's problems of the rules that say *baseline*, and of no
other.
"""
_SHOWN = {
    "yaml": "project/bad/id-twice.md",
    "schema": "decision/bad/no-date.md",
    "ids": "decision/bad/copied-and-not-renamed.md",
    "relations": "decision/bad/supersedes-nothing.md",
    "append-only": "decision/bad/rewritten.md",
    "secrets": "decision/bad/token-in-the-context.md",
    "text": "decision/bad/reads-otherwise-than-it-looks.md",
    "place": "pattern/bad/folder-with-a-slip.md",
}
_LANGUAGES = {".md": "markdown", ".yaml": "yaml", ".txt": "text"}
_WITHOUT = frozenset({"baseline"})
"""What no single file shows."""
_KEYS = ("path", "line", "rule", "message", "fix", "entry", "severity")


def generated() -> dict[str, str]:
    """The generated files by their paths in the checkout."""
    with tempfile.TemporaryDirectory() as folder:
        shown = dict(_shown(Path(folder)))
    rows = [{"file": example.name} | problem for example, problem in shown.values()]
    by_rule = {row["rule"]: row for row in sorted(rows, key=lambda row: str(row["rule"]))}
    return {
        RULES_PAGE: rules_page(shown),
        VERBS_PAGE: verbs_page(),
        RULE_EXAMPLES: json.dumps(by_rule, indent=2, ensure_ascii=False) + "\n",
    }


def rules_page(shown: dict[str, tuple[Example, dict[str, Any]]]) -> str:
    """Every rule with what it asks for, an example that breaks it, and what the check says of that."""
    table = "".join(map(_row, catalogue()))
    parts = [
        f"{_WRITTEN}\n# The rules of the gate\n",
        _LEGEND,
        f"| rule | what it asks for | |\n|---|---|---|\n{table}",
    ]
    for rule in catalogue():
        parts.append(f"## {rule['name']}\n\n{rule['summary']}\n")
        parts += [f"{paragraph}\n" for paragraph in rule["text"]]
        if rule["name"] in _WITHOUT:
            continue
        example, problem = shown[rule["name"]]
        parts.append(
            f"For example [{example.name}](../tests/examples/{example.name}), in the place of `{_at(example)}`:\n"
        )
        parts.append(_fenced(*_content(example)))
        if example.theirs is not None:
            parts += ["while another branch has:\n", _fenced(*_content(example, example.theirs))]
        parts.append(_fenced("text", printed(problem)))
    return "\n".join(parts)


def verbs_page() -> str:
    """Every verb with its options, as `--help` says them."""
    parts = [f"{_WRITTEN}\n# Verbs\n", f"{_help(minutebook)}\n"]
    context = click.Context(minutebook)
    for name in VERBS:
        verb = minutebook.get_command(context, name)
        assert verb is not None
        arguments = [each for each in verb.params if isinstance(each, click.Argument)]
        options = [each for each in verb.params if isinstance(each, click.Option) and not each.hidden]
        usage = " ".join(["minutebook", name, *(["[OPTIONS]"] if options else []), *map(_usage, arguments)])
        parts.append(f"## {name}\n\n`{usage}`\n\n{_help(verb)}\n")
        if options:
            parts.append("| option | |\n|---|---|\n" + "".join(map(_option, options)))
    return "\n".join(parts)


def _shown(folder: Path) -> Iterator[tuple[str, tuple[Example, dict[str, Any]]]]:
    """By rule the example that shows it best, or else the shortest of those that break nothing else."""
    found = [*_alone(folder), *_configs(folder)]
    for rule in (each for each in catalogue() if each["name"] not in _WITHOUT):
        fitting = [(example, rows) for example, rows in found if {row["rule"] for row in rows} == {rule["name"]}]
        if not fitting:
            raise SystemExit(f"no bad example of tests/examples shows the rule {rule['name']}, and nothing else")
        example, rows = min(fitting, key=lambda each: (_SHOWN.get(rule["name"]) != each[0].name, *_size(each)))
        yield rule["name"], (example, rows[0])


def _size(found: tuple[Example, list[dict[str, Any]]]) -> tuple[int, int]:
    return len(found[1]), len(_content(found[0])[1])


def _alone(folder: Path) -> Iterator[tuple[Example, list[dict[str, Any]]]]:
    bad = [each for each in examples() if not each.good and each.kind != "config"]
    for judged in judged_alone(folder, bad):
        yield judged.example, [_without_root(row, judged.example.root) for row in judged.compared]


def _configs(folder: Path) -> Iterator[tuple[Example, list[dict[str, Any]]]]:
    configs = [each for each in examples() if each.kind == "config"]
    good = [each for each in examples() if each.good and each not in configs]
    repo = house(folder / "house", good, grown=False)
    for each in configs:
        if not each.good:
            with_config(repo, each)
            yield each, [_without_root(row, _ROOT) for row in check(repo, "--staged")]


def _without_root(row: dict[str, Any], root: str) -> dict[str, Any]:
    """The problem as it would be in a repository with one root at the usual place."""
    values = {key: row[key] for key in _KEYS}
    return {
        key: value.replace(f"{root}/", f"{_ROOT}/") if isinstance(value, str) else value
        for key, value in values.items()
    }


def _content(example: Example, file: Path | None = None) -> tuple[str, str]:
    """(language, text): the file, or what it changes in the one that was published."""
    text = (file or example.file).read_text("utf-8")
    if example.before is None:
        return _LANGUAGES[example.file.suffix], text
    old = example.before.read_text("utf-8").splitlines(keepends=True)
    return "diff", "".join([*unified_diff(old, text.splitlines(keepends=True), n=9)][2:])


def _at(example: Example) -> str:
    return CONFIG if example.kind == "config" else f"{_ROOT}/{example.place}"


def _row(rule: dict[str, Any]) -> str:
    facts = [*rule["severity"], *(["*baseline*"] if rule["baseline"] else [])]
    return f"| [{rule['name']}](#{rule['name']}) | {rule['summary']} | {', '.join(facts)} |\n"


def _fenced(language: str, text: str) -> str:
    return f"{_FENCE}{language}\n{text}{_FENCE}\n"


def _help(command: click.Command) -> str:
    return "\n\n".join(" ".join(_prose(part).split()) for part in (command.help or "").split("\n\n"))


def _prose(text: str) -> str:
    """The text as Markdown that shows `<root>` outside of code too."""
    parts = text.replace("\b", "").split("`")
    return "`".join(part.replace("<", "&lt;") if number % 2 == 0 else part for number, part in enumerate(parts))


def _usage(argument: click.Argument) -> str:
    name = f"{argument.human_readable_name.removesuffix('...')}{'...' if argument.nargs != 1 else ''}"
    return name if argument.required else f"[{name}]"


def _option(option: click.Option) -> str:
    value = ""
    if not (option.is_flag or option.count):
        choices = "|".join(option.type.choices) if isinstance(option.type, click.Choice) else ""
        value = f" {option.metavar or choices or option.type.name.upper()}"
    default = f" [default: {option.default}]" if option.show_default else ""
    names: Iterable[str] = (*option.opts, *option.secondary_opts)
    spelled, said = (text.replace("|", "\\|") for text in (f"{', '.join(names)}{value}", _prose(option.help or "")))
    return f"| `{spelled}` | {said}{default} |\n"


if __name__ == "__main__":
    for place, content in generated().items():
        path = CHECKOUT / place
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, "utf-8", newline="\n")
