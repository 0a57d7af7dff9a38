"""The ways in: each ends a scene, or looks at its end, as it happens in real life, and says how it was judged."""

import importlib.util
import json
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from cases.world import TOP, World
from conftest import Done, Repo
from minutebook.checks import RULES

ACCEPT, WARN, REJECT, CANNOT = "accept", "warn", "reject", "cannot"
_VERDICTS = {1: REJECT, 2: CANNOT}
_WARNING = re.compile(rf"^\S.*: (?P<rule>{'|'.join([*RULES, 'config'])}): warning: (?P<words>.*)$", re.MULTILINE)
# Maintenance mends the index; and a machine's clock may be behind the dates of these entries.
_BESIDE = re.compile(r"^index$|in the future$")
ZEROS = "0" * 40


class Answer(NamedTuple):
    """How a way judged: accept, warn, reject, cannot (exit 2), or what else happened; and what it printed."""

    verdict: str
    text: str


def _load_action() -> ModuleType:
    spec = importlib.util.spec_from_file_location("cases_action", TOP / "ci" / "action.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


_ACTION = _load_action()


def _said(code: int, text: str) -> Answer:
    warned = [each for each in _WARNING.finditer(text) if not any(map(_BESIDE.search, each.group("rule", "words")))]
    passed = WARN if warned else ACCEPT
    return Answer(passed if code == 0 else _VERDICTS.get(code, f"exit {code}"), text)


def _hooked(world: World, done: Done) -> Answer:
    """What the hooks said of a git command that was just run."""
    codes = [int(line) for line in world.codes.read_text("ascii").split()] if world.codes.exists() else []
    world.codes.unlink(missing_ok=True)
    worst = max(codes, default=0)
    if (done.code == 0) != (worst == 0):
        return Answer(f"git ended with {done.code} and its hooks with {codes}", done.out + done.err)
    return _said(worst, done.out + done.err)


def commit(world: World) -> Answer:
    """The last command of the scene, with the hook pre-commit; if that refuses, without it."""
    done = world.work.run("git", *world.final, cwd=world.cwd, **world.env)
    answer = _hooked(world, done)
    if done.code:
        unhooked(world)
    return answer


def unhooked(world: World) -> None:
    """The last command of the scene as `--no-verify`, a web edit or a rebase make it: no hook runs."""
    if world.final:
        command, *arguments = world.final
        world.work.git(command, "--no-verify", *arguments)


def merge(world: World, tip: str) -> Answer:
    """A clean merge, with the hook pre-merge-commit: what the scene merges, or its end merged into main."""
    world.work.git("reset", "--quiet", "--hard", world.start or world.base)
    world.work.git("clean", "-ffdqx")
    asked = ("merge", "--no-ff", "--no-edit", *(world.merge or (tip,)))
    return _hooked(world, world.work.run("git", *asked, cwd=world.cwd, **world.env))


def push(world: World, tip: str, ref: str) -> Answer:
    """A real push to the bare repository, with the hook pre-push; `tip` needn't be checked out."""
    refs = world.refs or (f"{tip}:{ref}",)
    done = world.work.run("git", "push", "--quiet", "--force", "origin", *refs, cwd=world.cwd, **world.env)
    return _hooked(world, done)


def pull_request(world: World, tip: str) -> Answer:
    """The Action on a pull request: the merge commit is checked out."""
    merged, event = _merge_commit(world, tip)
    return _action(world, merged, "pull_request", event, (world.base, tip))


def merge_group(world: World, tip: str) -> Answer:
    """The Action in a merge queue that squashes."""
    squashed = world.work.git("commit-tree", f"{tip}^{{tree}}", "-p", world.base, "-m", "Squashed")
    return _action(world, squashed, "merge_group", {"merge_group": {"base_sha": world.base, "head_sha": squashed}})


def push_event(world: World, tip: str) -> Answer:
    """The Action after a push to main: the runner's clone knows main as it is now."""
    world.work.git("update-ref", "refs/remotes/origin/main", tip)
    answer = _action(world, tip, "push", {"ref": "refs/heads/main", "before": world.base, "after": tip})
    world.work.git("update-ref", "refs/remotes/origin/main", world.base)
    return answer


def pre_commit(world: World, tip: str, *, tool: Path | None = None) -> Answer:
    """`pre-commit run --all-files` in the workflow of a pull request; without `tool` what it would start."""
    merged, event = _merge_commit(world, tip)
    repo = _checked_out(world, merged)
    env = {"PRE_COMMIT": "1", "GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": _event(world, event)}
    if tool is None:
        done = repo.minutebook("check", cwd=world.cwd, **env, **world.env)
        return _said(done.code, done.out + done.err)
    hook = {"id": "minutebook-check", "name": "check", "entry": "minutebook check", "language": "system",
            "always_run": True, "pass_filenames": False, "verbose": True}  # fmt: skip
    config = world.top / "pre-commit-config.yaml"
    config.write_text(json.dumps({"repos": [{"repo": "local", "hooks": [hook]}]}), "utf-8")
    home = {"PRE_COMMIT_HOME": str(world.top / "pre-commit")}
    done = repo.run(tool, "run", "--all-files", "--config", config, cwd=world.cwd, **env, **home, **world.env)
    return _hooked(world, done)


def everything(world: World, tip: str) -> Answer:
    """`minutebook check --all`."""
    done = _checked_out(world, tip).minutebook("check", "--all", cwd=world.cwd, **world.env)
    return _said(done.code, done.out + done.err)


def audit(world: World, tip: str) -> Answer:
    """`minutebook audit` of main as it will be when the scene's end is merged."""
    merged, _ = _merge_commit(world, tip)
    done = _checked_out(world, merged).minutebook("audit", "HEAD", cwd=world.cwd, **world.env)
    return _said(done.code, done.out + done.err)


def _action(world: World, commit: str, name: str, event: dict[str, object], parents: Iterable[str] = ()) -> Answer:
    document = event | {"repository": {"default_branch": "main"}}
    arguments: list[str] = _ACTION.check_arguments(name, document, tuple(parents))
    done = _checked_out(world, commit).minutebook("check", *arguments, cwd=world.cwd, **world.env)
    return _said(done.code, done.out + done.err)


def _merge_commit(world: World, tip: str) -> tuple[str, dict[str, object]]:
    """The commit that GitHub makes of base and branch, and the event that goes with it."""
    head = world.head or tip
    merged = tip if world.head else world.work.git("commit-tree", f"{tip}^{{tree}}", "-p", world.base, "-p", tip,
                                                   "-m", "Merge")  # fmt: skip
    return merged, {"pull_request": {"base": {"sha": world.base}, "head": {"sha": head}}}


def _event(world: World, document: dict[str, object]) -> str:
    path = world.top / "event.json"
    path.write_text(json.dumps(document), "utf-8")
    return str(path)


def _checked_out(world: World, commit: str) -> Repo:
    """A runner's checkout of the commit. All commits of a scene's end have one tree, which the index holds."""
    if world.runner is not None:
        return world.runner(world, commit)
    world.work.git("update-ref", "--no-deref", "HEAD", commit)
    return world.work


WAYS: dict[str, Callable[[World, str], Answer]] = {
    "pull request": pull_request,
    "pre-commit": pre_commit,
    "merge group": merge_group,
    "push event": push_event,
    "--all": everything,
    "audit": audit,
    "merge": merge,
    "push topic": lambda world, tip: push(world, tip, "refs/heads/topic"),
    "push main": lambda world, tip: push(world, tip, "refs/heads/main"),
}
"""By the name of the column; those that change the published repository stand last. `commit` comes before them all."""
COLUMNS = ("commit", "merge", "push main", "push topic", "pull request", "push event", "merge group", "pre-commit",
           "--all", "audit")  # fmt: skip
