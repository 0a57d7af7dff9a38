"""The usual command lines of `minutebook check` are read without click, and mean what click says they mean."""

import sys
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from conftest import FIRST, LOG, LOG_HEAD, PATTERN, SECOND, Repo, environment
from minutebook import cli, gate, plain
from minutebook.gate import Asked

WORDS = ["--staged", "--all", "--since", "--head", "--exact", "--pushed-to", "--format", "--no-baseline", "--only",
         "--merged-with", "--today", "--help", "-h", "main", "HEAD~1", "text", "github", "json", "xml", "schema",
         "2026-11-02", "--since=main", "--", "-", "", "--al"]  # fmt: skip


def by_click(arguments: list[str]) -> Asked | None:
    """What click makes of them; None where it refuses, or prints its help."""
    found: list[Asked] = []

    def caught(asked: Asked) -> int:
        found.append(asked)
        return 0

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(gate, "check", caught)
        patched.setattr("click.echo", lambda *_, **__: None)
        cli.run(["check", *arguments])
    return found[0] if found else None


@given(st.lists(st.sampled_from(WORDS), max_size=6))
@example(["--since", "main", "--head", "HEAD~1", "--exact", "--pushed-to", "main", "--format", "json", "--no-baseline"])
@example(["--all", "--format", "github"])
@example(["--staged", "--all"])
@example(["--exact"])
@example(["--since", "--exact"])
@example(["--head", "main", "--all"])
def test_what_is_read_without_click_is_what_click_reads(arguments: list[str]) -> None:
    asked = plain.asked(arguments)
    assert asked is None or asked == by_click(arguments)


@pytest.mark.parametrize(
    "arguments",
    [[], ["--staged"], ["--all"], ["--since", "main"], ["--since", "a", "--head", "b", "--pushed-to", "refs/heads/c"]],
    ids=" ".join,
)
def test_what_hooks_and_ci_run_is_read_without_click(memory_repo: Repo, arguments: list[str]) -> None:
    assert plain.asked(arguments) is not None
    memory_repo.write(LOG, LOG_HEAD + NEW + memory_repo.read(LOG).removeprefix(LOG_HEAD))
    memory_repo.git("add", "--all")
    script = (
        "import sys\nfrom minutebook.__main__ import main\nsys.argv = ['minutebook', 'check', *sys.argv[1:]]\nmain()\n"
        "print(*sys.modules)"
    )
    done = memory_repo.run(sys.executable, "-c", script, *arguments)
    modules = set(done.out.split())
    assert "minutebook.gate" in modules
    heavy = {"click", "yaml", "jsonschema", "json", "typing", "dataclasses", "subprocess", "pathlib", "hashlib"}
    assert not modules & heavy


NEW = "### DEC-2026-11-04-01 — Backups\n**Decision:** Every night.\n**Date:** 2026-11-04\n\n"
STATES = {
    "a new entry": {PATTERN.replace("migrations", "queues"): "---\ntype: pattern\nid: q\ntitle: Queues\n---\nText.\n"},
    "a rewritten decision": {LOG: LOG_HEAD + SECOND.replace("Every", "Some") + FIRST},
    "a config": {".minutebook.yaml": "published: [main]\n"},
    "nothing": {},
}  # fmt: skip


@pytest.mark.parametrize("place", ["a clone", "no remote", "a remote of another name", "beyond the published branch"])
@pytest.mark.parametrize("state", STATES)
def test_the_words_are_the_same_with_click_and_without(memory_repo: Repo, state: str, place: str) -> None:
    """Without click, what git was asked before anything is imported is used again."""
    repo = memory_repo
    if place != "no remote":
        name = "forge" if "name" in place else "origin"
        repo.git("clone", "--quiet", f"--origin={name}", ".", "../clone")
        repo = Repo(repo.path.parent / "clone", environment(repo.path.parent))
    if place == "beyond the published branch":
        repo.git("checkout", "--quiet", "-b", "topic")
        repo.write(".memory/patterns/mine.md", "---\ntype: pattern\nid: mine\ntitle: Mine\n---\nText.\n")
        repo.commit()
    for path, text in STATES[state].items():
        repo.write(path, text)
    repo.git("add", "--all")
    today = datetime.now(UTC).date().isoformat()
    for arguments in ((), ("--staged",), ("--staged", "--format", "json")):
        assert repo.minutebook("check", *arguments) == repo.minutebook("check", *arguments, "--today", today)
