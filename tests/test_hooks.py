"""The hooks as people use them: through pre-commit, through prek, and as plain files; with real commits."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from filelock import FileLock

from conftest import FIRST, LOG, LOG_HEAD, SECOND, THIRD, Done, Repo, environment

TOP = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
SHIPPED = ("src", "schemas", "ci", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
NEW = """### DEC-2026-11-04-01 — Backups every night
**Context:** A disk broke.
**Decision:** The database is dumped every night.
**Date:** 2026-11-04
"""
OLD = f"{THIRD}\n{SECOND}\n{FIRST}"
DOMAIN = ".memory/decisions/database.md"
HOOKS = ("pre-commit", "pre-merge-commit", "pre-push")


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of one test run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def registry(shared: Path) -> None:
    """Skips where packages can't be had: hooks of language python are installed from a registry."""
    probe = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(shared / "probe"), "hatchling"]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("no package registry can be reached, so no hook environment can be built")


@pytest.fixture(scope="session")
def hook_repo(registry: None, shared: Path) -> tuple[str, str]:
    """minutebook as a repository of hooks, made of the files as they are here: (path, commit)."""
    path = shared / "hook-repository"
    made = Repo(path, environment(shared))
    with FileLock(shared / "hook-repository.lock"):
        if not path.exists():
            path.mkdir()
            for name in SHIPPED:
                copy = shutil.copytree if (TOP / name).is_dir() else shutil.copy
                copy(TOP / name, path / name)
            made.write(".gitignore", "__pycache__/\n")
            made.git("init", "--quiet", "--initial-branch=main")
            made.commit("minutebook")
    return str(path), made.git("rev-parse", "HEAD")


@pytest.fixture(params=["pre-commit", "prek"])
def hooked(
    request: pytest.FixtureRequest, memory_repo: Repo, hook_repo: tuple[str, str], shared: Path, tmp_path: Path
) -> Repo:
    """A repository whose commits are judged by the hook, installed as its users install it."""
    # prek installs with uv, which brings certificates of its own; the registry may be signed by one of this machine.
    homes = {"PRE_COMMIT_HOME": str(shared / "pre-commit"), "PREK_HOME": str(shared / "prek"), "UV_NATIVE_TLS": "1"}
    repo = Repo(memory_repo.path, environment(tmp_path, **homes))
    path, commit = hook_repo
    repo.write(".pre-commit-config.yaml", _config(path, commit))
    repo.commit("Hooks")
    tool = BIN / request.param
    done = repo.run(tool, "install", "--install-hooks", "-t", "pre-commit", "-t", "pre-merge-commit")
    assert done.code == 0, done
    return repo


def _config(path: str, commit: str) -> str:
    return yaml.safe_dump({"repos": [{"repo": path, "rev": commit, "hooks": [{"id": "minutebook-check"}]}]})


def commit(repo: Repo, message: str = "Change") -> Done:
    repo.git("add", "--all")
    return repo.run("git", "commit", "--message", message)


def test_commits_through_the_hook(hooked: Repo) -> None:
    hooked.write("src/app.py", "print(1)\n")
    passed = commit(hooked)
    assert passed.code == 0, passed
    assert "minutebook check" in passed.out + passed.err

    hooked.write(LOG, f"{LOG_HEAD}{NEW}\n{OLD}")
    passed = commit(hooked)
    assert passed.code == 0, passed
    assert "judged 1 entry" in passed.out + passed.err

    hooked.write(LOG, f"{LOG_HEAD}{NEW}\n{OLD}".replace("Every schema", "Some schema"))
    refused = commit(hooked)
    assert refused.code == 1
    assert "[-Every-]{+Some+}" in refused.out + refused.err

    hooked.git("reset", "--quiet", "--hard")
    hooked.git("rm", "--quiet", LOG)
    refused = commit(hooked)
    assert refused.code == 1
    assert "DEC-2026-11-01-01 is sealed and is gone" in refused.out + refused.err


@pytest.mark.parametrize(("theirs", "code"), [("11-05-01", 0), ("11-04-01", 1)])
def test_a_merge_without_conflicts_through_the_hook(hooked: Repo, theirs: str, code: int) -> None:
    hooked.git("checkout", "--quiet", "-b", "theirs")
    hooked.write(DOMAIN, NEW.replace("11-04-01", theirs))
    hooked.commit("Theirs")
    hooked.git("checkout", "--quiet", "main")
    hooked.write(LOG, f"{LOG_HEAD}{NEW}\n{OLD}")
    hooked.commit("Ours")
    merged = hooked.run("git", "merge", "--no-edit", "theirs")
    assert (merged.code != 0) == bool(code), merged
    assert ("DEC-2026-11-04-01" in merged.out + merged.err) == bool(code)


def test_all_files_through_the_hook(hooked: Repo) -> None:
    tool = BIN / ("prek" if "prek" in hooked.read(".git/hooks/pre-commit") else "pre-commit")
    done = hooked.run(tool, "run", "--all-files")
    assert done.code == 0, done
    assert "no base was compared" in done.out
    hooked.write(DOMAIN, SECOND)
    hooked.commit("An id twice")
    done = hooked.run(tool, "run", "--all-files")
    assert (done.code, "DEC-2026-11-02-01" in done.out) == (1, True)


def test_the_hook_is_tried_before_it_is_installed(
    memory_repo: Repo, hook_repo: tuple[str, str], shared: Path, tmp_path: Path
) -> None:
    path, at = hook_repo
    repo = Repo(memory_repo.path, environment(tmp_path, PRE_COMMIT_HOME=str(shared / "pre-commit")))
    repo.write(LOG, LOG_HEAD + OLD.replace("Every schema", "Some schema"))
    repo.git("add", "--all")
    done = repo.run(BIN / "pre-commit", "try-repo", path, "minutebook-check", "--ref", at)
    assert (done.code, "[-Every-]{+Some+}" in done.out) == (1, True), done


@pytest.fixture
def plain(memory_repo: Repo, tmp_path: Path) -> Repo:
    """A clone of a published repository that has the plain hooks, with minutebook on PATH."""
    origin = tmp_path / "origin.git"
    memory_repo.git("clone", "--quiet", "--bare", ".", origin)
    clone = tmp_path / "clone"
    memory_repo.git("clone", "--quiet", origin, clone)
    for name in HOOKS:
        shutil.copy(TOP / "hooks" / name, clone / ".git" / "hooks" / name)
    return Repo(clone, environment(tmp_path, PATH=f"{BIN}{os.pathsep}{os.environ['PATH']}"))


def test_commits_through_the_plain_hooks(plain: Repo) -> None:
    plain.write("README.md", "# Other\n")
    assert commit(plain).code == 0
    plain.git("rm", "--quiet", LOG)
    refused = commit(plain)
    assert (refused.code, "is sealed and is gone" in refused.out + refused.err) == (1, True)
    plain.git("reset", "--quiet", "--hard")
    plain.write(LOG, LOG_HEAD + OLD.replace("Every schema", "Some schema"))
    for how in (("-a",), ("--only", LOG), ("--include", LOG)):
        assert plain.run("git", "commit", *how, "--message", "Tamper").code == 1, how
    plain.write("README.md", "# Another\n")
    assert plain.run("git", "commit", "README.md", "--message", "Only this").code == 0


def test_a_merge_through_the_plain_hooks(plain: Repo) -> None:
    plain.git("checkout", "--quiet", "-b", "theirs")
    plain.write(DOMAIN, NEW)
    plain.commit("Theirs")
    plain.git("checkout", "--quiet", "main")
    plain.write(LOG, f"{LOG_HEAD}{NEW}\n{OLD}")
    plain.commit("Ours")
    merged = plain.run("git", "merge", "--no-edit", "theirs")
    assert merged.code != 0
    assert "DEC-2026-11-04-01" in merged.out + merged.err


def tampered(repo: Repo) -> None:
    repo.write(LOG, LOG_HEAD + OLD.replace("Every schema", "Some schema"))
    repo.commit("Tamper")


def added(repo: Repo) -> None:
    repo.write(LOG, f"{LOG_HEAD}{NEW}\n{OLD}")
    repo.commit("A decision")


def rewound(repo: Repo) -> None:
    added(repo)
    repo.git("push", "--quiet", "--no-verify", "origin", "main")
    repo.git("reset", "--quiet", "--hard", "HEAD~1")


def elsewhere(repo: Repo) -> None:
    repo.git("checkout", "--quiet", "-b", "topic")
    tampered(repo)
    repo.git("checkout", "--quiet", "main")


def pages(repo: Repo) -> None:
    repo.git("checkout", "--quiet", "--orphan", "pages")
    repo.git("rm", "-rq", "--force", ".")
    repo.write("index.html", "<p>Hello</p>\n")
    repo.commit("Pages")


def own_rewritten(repo: Repo) -> None:
    repo.git("checkout", "--quiet", "-b", "topic")
    added(repo)
    repo.git("push", "--quiet", "--no-verify", "origin", "topic")
    repo.write(LOG, f"{LOG_HEAD}{NEW.replace('every night', 'every hour')}\n{OLD}")
    repo.git("commit", "--quiet", "--all", "--no-verify", "--amend", "--no-edit")


@pytest.mark.parametrize(
    ("prepare", "push", "passes", "words"),
    [
        (added, ("main",), True, ""),
        (tampered, ("main",), False, "[-Every-]{+Some+}"),
        (rewound, ("--force", "main"), False, "published history is rewritten"),
        (elsewhere, ("topic",), False, "[-Every-]{+Some+}"),
        (elsewhere, ("main", "topic"), False, "[-Every-]{+Some+}"),
        (elsewhere, ("main",), True, ""),
        (pages, ("pages",), True, ""),
        (own_rewritten, ("--force", "topic"), True, ""),
    ],
)
def test_every_pushed_ref_is_judged(
    plain: Repo, prepare: Callable[[Repo], None], push: tuple[str, ...], passes: bool, words: str
) -> None:
    prepare(plain)
    done = plain.run("git", "push", "origin", *push)
    assert (done.code == 0) == passes, done
    assert words in done.out + done.err


@pytest.mark.parametrize("known", ["renamed", "none"])
def test_main_is_published_whatever_its_remote_is_called(plain: Repo, known: str) -> None:
    rewound(plain)
    plain.write("README.md", "# Other\n")
    plain.commit("Elsewhere")
    where = plain.git("remote", "get-url", "origin")
    plain.git("remote", "rename", "origin", "forge")
    if known == "none":
        plain.git("remote", "remove", "forge")
    done = plain.run("git", "push", "--force", where if known == "none" else "forge", "main")
    assert (done.code != 0, "published history is rewritten" in done.out + done.err) == (True, True), done


def test_a_ref_may_be_deleted(plain: Repo) -> None:
    plain.git("push", "--quiet", "--no-verify", "origin", "main:topic")
    assert plain.run("git", "push", "origin", ":topic").code == 0


def test_the_shell_hooks_are_clean() -> None:
    done = subprocess.run(
        [BIN / "shellcheck", *(TOP / "hooks" / name for name in HOOKS)], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout.decode()
