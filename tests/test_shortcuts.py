"""Two ways out of a commit that touches no memory: `quick` in Python, and the plain hook in sh. Neither may say yes to
what the whole check has something to judge in; and the hook says yes to nothing that `quick` would leave to the check.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import FIRST, LOG, LOG_HEAD, PATTERN, SECOND, THIRD, TODAY, Repo, environment

HOOK = Path(__file__).parents[1] / "hooks" / "pre-commit"
PYTHON = 42
"""What the stand-in for minutebook exits with, when the hook starts it."""
SHELLS = [shell for shell in ("sh", "dash", "bash") if shutil.which(shell)]
pytestmark = pytest.mark.skipif(
    not SHELLS or not hasattr(os, "posix_spawn"), reason="there is no sh, or no posix_spawn, here"
)


class Answers(NamedTuple):
    """Who lets the commit pass: the hook (without Python), `quick`, and the whole check, having judged nothing."""

    hook: bool
    quick: bool
    full: bool


def answers(repo: Repo, cwd: str = ".", shell: str = "sh", **extra: str) -> Answers:
    stand_in = repo.path.parent / "bin" / "minutebook"
    stand_in.parent.mkdir(exist_ok=True)
    stand_in.write_text(f"#!/bin/sh\nexit {PYTHON}\n", "ascii")
    stand_in.chmod(0o755)
    path = f"{stand_in.parent}{os.pathsep}{os.environ['PATH']}"
    hook = repo.run(shell, HOOK, cwd=cwd, PATH=path, **extra)
    assert hook.code in (0, PYTHON), hook
    script = "from minutebook.quick import nothing_to_judge as it; print(it(['--staged']))"
    quick = repo.run(sys.executable, "-c", script, cwd=cwd, **extra)
    full = repo.minutebook("check", "--staged", "--today", TODAY, cwd=cwd, **extra)  # --today is not the quick way's
    fine = full.code == 0 and not full.out and "no problems in 0 entries" in full.err
    return Answers(hook.code == 0, quick.out == "True\n", fine)


def code(repo: Repo) -> None:
    repo.write("src/app.py", "print(1)\n")


def config(text: str) -> Callable[[Repo], None]:
    def change(repo: Repo) -> None:
        repo.write(".minutebook.yaml", text)
        repo.commit("Config")
        code(repo)

    return change


def written(path: str, text: str = "x\n") -> Callable[[Repo], None]:
    def change(repo: Repo) -> None:
        repo.write(path, text)

    return change


def tampered(repo: Repo) -> None:
    repo.write(LOG, LOG_HEAD + f"{THIRD}\n{SECOND}\n{FIRST}".replace("Every schema", "Some schema"))


def deleted(repo: Repo) -> None:
    code(repo)
    (repo.path / LOG).unlink()


def renamed(repo: Repo) -> None:
    repo.git("mv", PATTERN, "pattern.md")


def linked(repo: Repo) -> None:
    (repo.path / ".gaai").symlink_to("elsewhere")


def merging(repo: Repo) -> None:
    repo.git("checkout", "--quiet", "-b", "theirs")
    repo.write("other.txt", "x\n")
    repo.commit("Theirs")
    repo.git("checkout", "--quiet", "main")
    repo.git("merge", "--quiet", "--no-commit", "--no-ff", "theirs")


def unborn(repo: Repo) -> None:
    repo.git("checkout", "--quiet", "--orphan", "fresh")
    repo.git("rm", "-rq", "--cached", ".memory")
    shutil.rmtree(repo.path / ".memory")
    code(repo)


def replaced(repo: Repo) -> None:
    """A replace ref makes HEAD's config seem to name no root."""
    config("root: docs\n")(repo)
    real = repo.git("rev-parse", "HEAD:.minutebook.yaml")
    repo.write("fake", "users: commit\n")
    repo.git("replace", real, repo.git("hash-object", "-w", "fake"))
    (repo.path / "fake").unlink()
    repo.write("docs/decisions/_log.md", LOG_HEAD)


def sparse(repo: Repo) -> None:
    """The config is neither in the work tree nor in the change."""
    config("roots: [.memory, docs]\n")(repo)
    repo.git("update-index", "--skip-worktree", ".minutebook.yaml")
    (repo.path / ".minutebook.yaml").unlink()
    repo.write("docs/decisions/_log.md", LOG_HEAD + FIRST)


def submodule(repo: Repo) -> None:
    head = repo.git("rev-parse", "HEAD")
    repo.git("rm", "-rq", "--cached", ".memory")
    shutil.rmtree(repo.path / ".memory")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{head},.memory")
    (repo.path / ".memory").mkdir()


def other_root(repo: Repo) -> None:
    """The config of HEAD is broken, so that the one before it counts."""
    config("root: docs\n")(repo)
    repo.write("docs/decisions/_log.md", LOG_HEAD + FIRST)
    repo.commit("Memory")
    config("account: x\nbogus: y\n")(repo)
    repo.write("docs/decisions/_log.md", LOG_HEAD)


PASS, NO = True, False
# What is staged, then whether the hook passes it, and whether `quick` does.
STATES: dict[str, tuple[Callable[[Repo], None], bool, bool]] = {
    "code": (code, PASS, PASS),
    "a name that git quotes": (written("src/ä \"b\"\n\t.py"), PASS, PASS),
    "a name without the dot": (written("src/memory/x.md"), PASS, PASS),
    "a name that is no root": (written("src/.memo/ry.md"), PASS, PASS),
    "nothing": (lambda repo: None, NO, NO),
    "memory": (written(".memory/patterns/x.md"), NO, NO),
    "memory in other letters": (written("a/.MEMORY/x.md"), NO, NO),
    "memory of GAAI": (written(".gaai/project/contexts/memory/x.md"), NO, NO),
    "memory below": (written("lib/.memory/decisions/_log.md"), NO, NO),
    "a rewritten decision": (tampered, NO, NO),
    "a deleted log": (deleted, NO, NO),
    "memory renamed away": (renamed, NO, NO),
    "a link in place of a folder above a root": (linked, NO, NO),
    "a submodule in place of the root": (submodule, NO, NO),
    "a type": (written(".memory/types/note.yaml"), NO, NO),
    "attributes": (written(".gitattributes"), NO, NO),
    "attributes below": (written("docs/.gitattributes"), NO, NO),
    "a config": (written(".minutebook.yaml", "users: commit\n"), NO, NO),
    "merging": (merging, NO, NO),
    "no commit yet": (unborn, NO, NO),
    "a config that says nothing of places": (config("# ours\nusers: commit\nlabels:\n- a\n- b\n"), PASS, PASS),
    "a config of usual roots": (config("roots: [.memory]\n"), NO, PASS),
    "a config of an unusual root": (config("root: docs\n"), NO, PASS),
    "a config that maps places": (config("places: {decision: src/*.md}\n"), NO, NO),
    "a config that maps places in a list": (config("places:\n  decision:\n    - src/**/*.md\n"), NO, NO),
    "a config with an escaped key": (config('"\\x72oot": src\n'), NO, NO),
    "a config with a key in capitals": (config("ROOT: src\n"), NO, NO),
    "a config with a key that it doesn't know": (config("users: commit\nbogus: y\n"), NO, NO),
    "a config with a value that it doesn't know": (config("users: nobody\n"), NO, NO),
    "a config with a key twice": (config("users: commit\nusers: commit\n"), NO, NO),
    "a config with a key in the wrong place": (config("users: commit\n- a\n"), NO, NO),
    "a config that names a folder of git": (config("root: .github\n"), NO, NO),
    "a config with both ways to name roots": (config("root: docs\nroots: [.memory]\n"), NO, NO),
    "a config of all that is plain": (config("users: private\nindex: warn\ndecisions: log\nseal: bytes\n"), PASS, PASS),
    "a broken config after one with another root": (other_root, NO, NO),
    "a config that is a list": (config("- docs\n"), NO, NO),
    "a config in a flow mapping": (config("{users: commit}\n"), NO, NO),
    "a config with letters beyond ASCII": (config("users: commit # é\n"), NO, NO),
    "a config with another line end": (config("users: commit\r\n"), NO, NO),
    "a config hidden by a replace ref": (replaced, NO, NO),
    "a config outside of a sparse checkout": (sparse, NO, NO),
}  # fmt: skip


@pytest.mark.parametrize("state", STATES)
def test_who_is_certain_that_nothing_of_memory_is_staged(memory_repo: Repo, state: str) -> None:
    prepare, hook, quick = STATES[state]
    prepare(memory_repo)
    memory_repo.git("add", "--all")
    for shell in SHELLS:
        found = answers(memory_repo, shell=shell)
        assert (found.hook, found.quick) == (hook, quick), shell
        assert found.full or not (hook or quick), shell


SURROUNDINGS = {
    "GIT_WORK_TREE": ".", "PRE_COMMIT_FROM_REF": "HEAD", "GITHEAD_0123": "theirs", "GIT_DIR": "nowhere",
}  # fmt: skip


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_what_the_environment_says_is_left_to_the_check(memory_repo: Repo, name: str) -> None:
    code(memory_repo)
    memory_repo.git("add", "--all")
    for shell in SHELLS:
        found = answers(memory_repo, shell=shell, **{name: SURROUNDINGS[name]})
        assert (found.hook, found.quick) == (False, False), shell


@pytest.mark.parametrize(
    "state", [code, merging, lambda repo: repo.write(LOG, LOG_HEAD + f"{THIRD}\n{SECOND}\n{FIRST}")]
)
def test_what_a_workflow_has_staged_does_not_stand_in_for_what_was_pushed(
    memory_repo: Repo, tmp_path: Path, state: Callable[[Repo], None]
) -> None:
    before = memory_repo.git("rev-parse", "HEAD")
    tampered(memory_repo)
    memory_repo.commit("Tamper")
    memory_repo.git("update-ref", "refs/remotes/origin/main", "HEAD")
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"before": before, "ref": "refs/heads/main"}), "ascii")
    state(memory_repo)
    memory_repo.git("add", "--all")
    done = memory_repo.minutebook("check", GITHUB_ACTIONS="true", GITHUB_EVENT_PATH=str(event))
    assert (done.code, "[-Every-]{+Some+}" in done.out) == (1, True), done


@pytest.mark.parametrize("path", ["src/app.py", LOG])
def test_the_index_that_git_names_is_the_one_that_counts(memory_repo: Repo, path: str) -> None:
    """As in `git commit FILE`: the usual index holds something else."""
    other = str(memory_repo.path / ".git" / "next-index")
    shutil.copy(memory_repo.path / ".git" / "index", other)
    memory_repo.write(path, "x\n")
    memory_repo.git("add", path, GIT_INDEX_FILE=other)
    memory_repo.write("src/other.py" if path == LOG else PATTERN, "x\n")
    memory_repo.git("add", "src/other.py" if path == LOG else PATTERN)
    found = answers(memory_repo, GIT_INDEX_FILE=other)
    assert found == ((True,) * 3 if path != LOG else (False,) * 3)


def test_a_linked_worktree_and_a_subfolder(memory_repo: Repo, tmp_path: Path) -> None:
    memory_repo.git("worktree", "add", "--quiet", "-b", "topic", tmp_path / "linked")
    linked = Repo(tmp_path / "linked", environment(tmp_path))
    for number, place in enumerate((memory_repo, linked)):
        place.write("src/app.py", f"print({number})\n")
        place.git("add", "--all")
        assert answers(place) == (True, True, True)
        assert answers(place, cwd="src")[:2] == (False, False)
    inside = {"GIT_DIR": linked.git("rev-parse", "--absolute-git-dir")}  # as git tells its hooks there
    assert answers(linked, **inside) == (True, True, True)
    Path(inside["GIT_DIR"], "MERGE_HEAD").write_text(linked.git("rev-parse", "HEAD"), "ascii")
    assert answers(linked, **inside)[:2] == (False, False)


WORDS = st.sampled_from(
    ["src", ".memory", ".Memory", "memory", ".gaai", ".minutebook", ".minutebook.yaml", ".gitattributes", "docs",
     "a b", "é", "adr", "types", "x.md", "_log.md", "$(id)", "-x", "'", '"', "*"]
)  # fmt: skip
LINES = st.sampled_from(
    ["root: docs", "roots: [docs, .memory]", "roots:", "- docs", "  - docs", "users: commit", "# root: docs", "", "x",
     "labels: [root]", "index: strict", "places: {decision: docs/*.md}", "seal: commit", "account: a\\b",
     "\troot: docs"]
)  # fmt: skip


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.lists(WORDS, min_size=1, max_size=3).map("/".join), min_size=1, max_size=3, unique=True),
    st.lists(LINES, max_size=4).map("\n".join),
)
def test_no_shortcut_is_wrong(memory_template: Path, tmp_path: Path, paths: list[str], text: str) -> None:
    place = tmp_path / "repo"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(memory_template, place, symlinks=True)
    repo = Repo(place, environment(tmp_path))
    if text:
        repo.write(".minutebook.yaml", text)
        repo.commit("Config")
    blob = repo.git("hash-object", "-w", LOG)
    for path in paths:  # put into the index alone: the file system can't hold all of them at once
        repo.run("git", "update-index", "--add", "--replace", "--cacheinfo", f"100644,{blob},{path}")
    found = answers(repo, shell=SHELLS[-1])
    assert found.quick or not found.hook
    broken = repo.minutebook("check", "--all", "--only", "config").code == 2  # no commit mends a config that is there
    assert found.full or broken or not found.quick
