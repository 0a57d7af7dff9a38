"""What the GitHub Action does once minutebook is installed: action.py PROGRAM, the rest from the environment.

Standard library alone, since it runs before and beside the installation. Whatever comes from a repository or a
transcript is printed between `::stop-commands::` and its random end, so that no line of it is a workflow command.
"""

import json
import os
import re
import secrets
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LONGEST_SUMMARY = 200_000  # GitHub drops a step's summary over 1 MiB
_ANNOTATION = re.compile(r"::(?:error|warning|notice)(?: |::)")
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_WORDS = {0: "fine", 1: "problems found", 3: "an outside service failed"}


@dataclass(frozen=True, slots=True)
class Done:
    """How one run of minutebook ended."""

    code: int
    out: str
    err: str


class Unclear(Exception):
    """The event or an input doesn't say what to do: exit 2, never a pass."""


def main(program: str) -> int:
    """Run the mode that the environment names; the exit code of minutebook."""
    environ = os.environ
    mode = environ.get("MINUTEBOOK_MODE") or "check"
    modes = {"check": check, "maintain": maintain}
    try:
        code = modes[mode](program, environ) if mode in modes else _no_such_mode()
    except Unclear as error:
        print(f"::error title=minutebook::{error}")
        code = 2
    _output("exit-code", str(code))
    return code


def check(program: str, environ: Mapping[str, str]) -> int:
    """Judge what the event changes: annotations from one run, the summary from another."""
    chosen = check_arguments(environ.get("GITHUB_EVENT_NAME", ""), _event(environ), head_parents())
    _guarded(f"minutebook check {' '.join(chosen)}")
    judged = _run(program, ["check", *chosen, "--format", "github"])
    lines = judged.out.split("\n")
    for line in lines:
        if _ANNOTATION.match(line):
            print(line)
    _guarded("\n".join(line for line in lines if not _ANNOTATION.match(line)) + judged.err)
    told = _run(program, ["check", *chosen, "--format", "text"])
    _summary(f"### minutebook check: {_verdict(judged.code)}\n\n{_fenced(told.out + told.err)}\n")
    if judged.code not in (0, 1):
        print(f"::error title=minutebook::{_verdict(judged.code)}; the log of this step says why")
    return judged.code


def maintain(program: str, environ: Mapping[str, str]) -> int:
    """Propose what the transcripts and the memory's age give; the page is the summary too."""
    if environ.get("GITHUB_EVENT_NAME", "").startswith("pull_request"):
        raise Unclear("maintain holds a token that can write: run it on schedule, push or workflow_dispatch")
    page = Path(environ.get("RUNNER_TEMP") or ".", f"minutebook-page-{secrets.token_hex(8)}.md")
    arguments = ["propose", "--format", "json", f"--page={page}"]
    arguments += (
        [f"--base={base}"] if (base := environ.get("MINUTEBOOK_BASE") or environ.get("GITHUB_REF_NAME")) else []
    )
    arguments += ["--no-draft"] if environ.get("MINUTEBOOK_DRAFT", "true").lower() == "false" else []
    named = transcripts(environ.get("MINUTEBOOK_TRANSCRIPTS", ""))
    arguments += [f"--transcripts={path}" for path in named]
    proposed = _run(program, arguments)
    _guarded(proposed.err)
    number = _pull_number(proposed.out)
    print(f"pull request {number}" if number else "no pull request", flush=True)
    text = page.read_text("utf-8") if page.is_file() else _fenced(proposed.err) + "\n"
    _summary(f"### minutebook maintain: {_verdict(proposed.code)}\n\n{text}\n")
    _output("pull-request", number)
    if proposed.code:
        print(f"::error title=minutebook::{_verdict(proposed.code)}; the log and the summary of this step say why")
    return proposed.code


def check_arguments(name: str, event: Mapping[str, Any], parents: tuple[str, ...]) -> list[str]:
    """What `minutebook check` is to compare with. `parents` are those of HEAD.

    A pull request is judged against the first parent of its merge commit: the base as it is now. A push to the
    default branch against what stood there, which it must contain; a push elsewhere against the default branch.
    """
    default = _at(event, "repository", "default_branch")
    if name == "pull_request":
        if len(parents) == 2 and parents[1] == _at(event, "pull_request", "head", "sha"):
            return [f"--since={parents[0]}"]
        return [f"--since={_commit(event, 'pull_request', 'base', 'sha')}"]
    if name == "merge_group":
        return [f"--since={_commit(event, 'merge_group', 'base_sha')}"]
    if name != "push":
        return ["--all"]
    if not default:
        raise Unclear("the push event doesn't name the default branch")
    if _at(event, "ref") != f"refs/heads/{default}":
        return [f"--since=refs/remotes/origin/{default}"]
    before = _commit(event, "before")
    return ["--all"] if not before.strip("0") else [f"--since={before}", "--exact"]


def head_parents() -> tuple[str, ...]:
    """The ids of HEAD's parents; none when git has no answer (minutebook will say why)."""
    done = subprocess.run(["git", "rev-list", "--parents", "-n1", "HEAD"], capture_output=True, text=True, check=False)
    return tuple(done.stdout.split()[1:])


def transcripts(wanted: str) -> list[str]:
    """The files and folders that the lines of the input name, all of them beneath the current folder, git's own apart.

    What they say ends up in a pull request: Unclear when one is elsewhere, by its name or by a link.
    """
    found: list[str] = []
    top = Path().resolve()
    for pattern in filter(None, (line.strip() for line in wanted.split("\n"))):
        literal = Path(pattern)
        if literal.anchor or ".." in literal.parts:
            raise Unclear(f"transcripts lie beneath the repository, {_plain(pattern)} doesn't")
        matches = [literal] if literal.exists() else sorted(Path().glob(pattern))
        named = [path for path in matches if ".git" not in path.parts]
        files = {path: [path] if path.is_file() else list(path.rglob("*.jsonl")) for path in named}
        if any(not file.resolve().is_relative_to(top) for inside in files.values() for file in inside):
            raise Unclear(f"transcripts lie beneath the repository, {_plain(pattern)} leads out of it")
        if not any(files.values()):
            _guarded(f"no transcript at {pattern}")
        found += [str(path) for path, inside in files.items() if inside]
    return list(dict.fromkeys(found))


def _event(environ: Mapping[str, str]) -> Mapping[str, Any]:
    path = environ.get("GITHUB_EVENT_PATH", "")
    if not path or not Path(path).is_file():
        raise Unclear("GITHUB_EVENT_PATH names no file")
    try:
        document = json.loads(Path(path).read_text("utf-8"))
    except ValueError:
        raise Unclear("GITHUB_EVENT_PATH holds no JSON") from None
    return document if isinstance(document, dict) else {}


def _at(document: Any, *keys: str) -> str:
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, str) else ""


def _commit(event: Mapping[str, Any], *keys: str) -> str:
    value = _at(event, *keys)
    if not _COMMIT.fullmatch(value):
        raise Unclear(f"the event holds no commit at {'.'.join(keys)}")
    return value


def _run(program: str, arguments: list[str]) -> Done:
    env = {**os.environ, "PYTHONUTF8": "1", "NO_COLOR": "1"}
    done = subprocess.run([program, *arguments], env=env, capture_output=True, check=False)
    return Done(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))


def _guarded(text: str) -> None:
    if text.strip():
        end = secrets.token_hex(16)
        print(f"::stop-commands::{end}\n{_plain(text).rstrip()}\n::{end}::", flush=True)


def _output(name: str, value: str) -> None:
    end = secrets.token_hex(16)
    _append("GITHUB_OUTPUT", f"{name}<<{end}\n{value}\n{end}\n")


def _summary(text: str) -> None:
    _append("GITHUB_STEP_SUMMARY", text[:LONGEST_SUMMARY])


def _append(variable: str, text: str) -> None:
    if path := os.environ.get(variable):
        with Path(path).open("a", encoding="utf-8", errors="replace", newline="\n") as out:
            out.write(text)


def _fenced(text: str) -> str:
    shown = _plain(text).strip("\n")[: LONGEST_SUMMARY // 2]
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}"


def _plain(text: str) -> str:
    return "".join(each if each.isprintable() or each in "\n\t" else "\N{REPLACEMENT CHARACTER}" for each in text)


def _pull_number(out: str) -> str:
    try:
        document = json.loads(out)
    except ValueError:
        return ""
    pull = document.get("pull") if isinstance(document, dict) else None
    number = pull.get("number") if isinstance(pull, dict) else None
    return str(number) if isinstance(number, int) else ""


def _verdict(code: int) -> str:
    return _WORDS.get(code, f"could not judge (exit {code})")


def _no_such_mode() -> int:
    raise Unclear("the input mode is check or maintain")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
