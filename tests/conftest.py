"""Real git repositories in temporary folders, and the real command line in a process of its own."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

# Data too large for the repository: beside the checkout, or where MINUTEBOOK_SHARED says.
SHARED = Path(os.environ.get("MINUTEBOOK_SHARED") or Path(__file__).parents[2] / "shared")

TODAY = "2026-11-20"
LOG = ".memory/decisions/_log.md"
CASE = ".memory/agents/reviewer/cases/2026-11-02-flaky-upload.md"
PATTERN = ".memory/patterns/migrations.md"
PROJECT = ".memory/project/context.md"

LOG_HEAD = "# Decisions\n\nNewest first.\n\n"
THIRD = """### DEC-2026-11-03-01 — Queue in PostgreSQL
**Context:** Jobs are lost when the worker restarts.
**Decision:** Jobs are kept in a PostgreSQL table and claimed with SKIP LOCKED.
**Rationale:** One database less to run than with Redis.
**Date:** 2026-11-03
"""
SECOND = """### DEC-2026-11-02-01 — Alembic for migrations
**Context:** Schema changes are applied by hand.
**Decision:** Every schema change is an Alembic migration.
**Date:** 2026-11-02
"""
FIRST = """### DEC-2026-11-01-01 — PostgreSQL
**Context:** The prototype keeps its data in a file.
**Decision:** The service stores its data in PostgreSQL.
**Date:** 2026-11-01
"""
MEMORY = {
    LOG: LOG_HEAD + "\n".join((THIRD, SECOND, FIRST)),
    CASE: """---
type: case
id: case-reviewer-2026-11-02-flaky-upload
title: The upload test fails now and then
abstract: The upload test raced the server's start; waiting for its ready line mended it.
date: 2026-11-02
---
## Problem
One run in five fails with a refused connection.

## Outcome
The test waits for the line that the server prints when it listens.
""",
    PATTERN: """---
type: pattern
id: pattern-migrations
title: Database migrations
abstract: Every schema change is a reversible Alembic migration.
created: 2026-11-02
---
## Overview
Every migration has a way down, and a test that runs it.
""",
    PROJECT: """---
type: project
id: project-context
title: The upload service
abstract: A small service that stores uploads for a mobile app.
created: 2026-11-01
---
## Overview
Python and PostgreSQL, one process, two developers.
""",
}


def pytest_report_header() -> str:
    if SHARED.is_dir():
        return "the proofs on the large data are run: transcripts, learnings, GitHub's OpenAPI description"
    return "the proofs on the large data are NOT run: it doesn't lie beside this checkout (MINUTEBOOK_SHARED names it)"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The cases of the append-only promise by the ways that they were judged in, and the random histories."""
    reports = [report for found in terminalreporter.stats.values() for report in found if hasattr(report, "nodeid")]
    told = [each for report in reports if getattr(report, "when", "") == "call" for each in report.user_properties]
    results = [value for name, value in told if name == "case"]
    if results:
        from cases.page import table

        terminalreporter.section("the cases of the append-only promise, judged in every way in")
        for line in table(results):
            terminalreporter.line(line)
    histories = [lines[0] for name, lines in told if name == "histories"]
    if histories:
        terminalreporter.section("random histories against the oracle")
        for line in histories:
            terminalreporter.line(line)


class Done(NamedTuple):
    """How a run of the command line ended."""

    code: int
    out: str
    err: str


def environment(home: Path, **extra: str) -> dict[str, str]:
    """The caller's environment without anything of git, CI, Python or a key in it; the same answer on every machine."""
    ours = ("GIT_", "PRE_COMMIT", "GITHUB_", "ANTHROPIC_", "MINUTEBOOK_", "PYTHON")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours) and name != "CI"}
    fixed = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(home),
        "GIT_AUTHOR_NAME": "Ada Example",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada Example",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "GIT_AUTHOR_DATE": f"{TODAY}T12:00:00Z",
        "GIT_COMMITTER_DATE": f"{TODAY}T12:00:00Z",
        "GIT_EDITOR": "true",
        "TZ": "UTC",
        "NO_COLOR": "1",
        "PYTHONIOENCODING": "utf-8",
    }
    return kept | fixed | extra


@dataclass(frozen=True, slots=True)
class Repo:
    """A git repository at `path` and the environment in which everything in it runs."""

    path: Path
    env: Mapping[str, str] = field(repr=False)

    def write(self, path: str, text: str | bytes) -> Path:
        """Write a file with exactly these bytes (UTF-8, no newline translation)."""
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
        return target

    def read(self, path: str) -> str:
        return (self.path / path).read_bytes().decode("utf-8", "surrogateescape")

    def run(self, *command: str | Path, stdin: str | None = None, cwd: str = ".", **extra: str) -> Done:
        """Run any command here, with `extra` added to the environment."""
        done = subprocess.run(
            [str(part) for part in command],
            cwd=self.path / cwd, env={**self.env, **extra}, capture_output=True, check=False,
            input=(stdin or "").encode(),
        )  # fmt: skip
        return Done(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))

    def git(self, *arguments: str | Path, **extra: str) -> str:
        """The output of a git command that must succeed."""
        done = self.run("git", *arguments, **extra)
        assert done.code == 0, f"git {' '.join(map(str, arguments))}: {done.err or done.out}"
        return done.out.strip()

    def commit(self, message: str = "Change") -> str:
        """Commit everything in the work tree; the new commit's id."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--no-verify", "--message", message)
        return self.git("rev-parse", "HEAD")

    def minutebook(self, *arguments: str, stdin: str | None = None, cwd: str = ".", **extra: str) -> Done:
        """The real command line in a process of its own."""
        return self.run(sys.executable, "-m", "minutebook", *arguments, stdin=stdin, cwd=cwd, **extra)


@pytest.fixture
def new_repo(tmp_path: Path) -> Callable[[str], Repo]:
    """Makes an empty repository with branch main in a folder of that name."""

    def make(name: str) -> Repo:
        path = tmp_path / name
        path.mkdir()
        made = Repo(path, environment(tmp_path))
        made.git("init", "--quiet", "--initial-branch=main")
        return made

    return make


@pytest.fixture
def repo(new_repo: Callable[[str], Repo]) -> Repo:
    """An empty repository with branch main and no commit."""
    return new_repo("repo")


@pytest.fixture(scope="session")
def memory_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository as `memory_repo` has it, made once and never changed."""
    folder = tmp_path_factory.mktemp("template")
    made = Repo(folder, environment(folder.parent))
    made.git("init", "--quiet", "--initial-branch=main")
    for path, text in MEMORY.items():
        made.write(path, text)
    made.write("README.md", "# Uploads\n")
    made.commit("Memory")
    return folder


@pytest.fixture
def memory_repo(memory_template: Path, tmp_path: Path) -> Repo:
    """A repository with the entries of MEMORY committed on main; it has no remote."""
    path = tmp_path / "repo"
    shutil.copytree(memory_template, path, symlinks=True)
    return Repo(path, environment(tmp_path))
