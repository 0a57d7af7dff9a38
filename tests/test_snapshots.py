"""Snapshots on real git: exact, apart from branches and index, and brought back whole."""

import json
import os
import re
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import LOG, PATTERN, Repo

NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="/\\:\0", exclude_categories=["Cs"]), min_size=1, max_size=12
)
PATHS = st.lists(NAMES.filter(lambda name: name.strip(". ") and name.lower() != ".git"), min_size=1, max_size=3)
TREES = st.dictionaries(PATHS.map("/".join), st.binary(max_size=300), max_size=8)


def taken(repo: Repo, *arguments: str) -> str:
    done = repo.minutebook("snapshot", *arguments)
    assert done.code == 0, done.err
    name = re.match(r"snapshot (\S+)", done.out)
    assert name is not None
    return name[1]


def contents(repo: Repo) -> dict[str, bytes]:
    root = repo.path / ".memory"
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def put(repo: Repo, tree: dict[str, bytes]) -> None:
    """Make the root hold these files as far as the file system allows it (a file can't be a folder too)."""
    for path in contents(repo):
        (repo.path / ".memory" / path).unlink()
    for path, data in tree.items():
        target = repo.path / ".memory" / path
        if not any(parent.is_file() for parent in target.parents) and not target.is_dir():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def test_a_snapshot_holds_every_byte_and_touches_nothing(memory_repo: Repo) -> None:
    memory_repo.write(".gitattributes", "* text eol=crlf ident\n")
    memory_repo.write(".gitignore", ".memory/users/\n")
    memory_repo.commit("Attributes")
    memory_repo.write(".memory/users/ada/profile.md", b"\xff\x00 $Id$ \r\n")
    memory_repo.write(PATTERN, "edited, and staged by nobody\n")
    memory_repo.write("staged.txt", "staged\n")
    memory_repo.git("add", "staged.txt")
    before = memory_repo.git("status", "--porcelain"), memory_repo.git("rev-parse", "HEAD"), contents(memory_repo)
    name = taken(memory_repo, "--label", "Before the move; rm -rf /")
    assert re.fullmatch(r"[0-9]{8}T[0-9]{6}Z-before-the-move-rm-rf", name)
    after = memory_repo.git("status", "--porcelain"), memory_repo.git("rev-parse", "HEAD"), contents(memory_repo)
    assert after == before
    ref = f"refs/minutebook/snapshots/{name}"
    for path, data in contents(memory_repo).items():
        assert memory_repo.git("rev-parse", f"{ref}:.memory/{path}") == memory_repo.git(
            "hash-object", "--no-filters", str(memory_repo.path / ".memory" / path)
        ), data


def test_the_same_tree_is_not_kept_twice(memory_repo: Repo) -> None:
    first = taken(memory_repo)
    done = memory_repo.minutebook("snapshot", "--label", "again")
    assert done.out.startswith(f"snapshot {first} (the same tree was kept before)")
    memory_repo.write(PATTERN, "another\n")
    second = taken(memory_repo)
    listed = memory_repo.minutebook("snapshot", "--list").out.split("\n")
    assert sorted(line.split(" ")[0] for line in listed if line) == sorted([first, second])


def test_restore_makes_the_root_exactly_what_it_was_and_keeps_what_it_is(memory_repo: Repo) -> None:
    old = contents(memory_repo)
    name = taken(memory_repo)
    memory_repo.write(LOG, "cut\n")
    memory_repo.write(".memory/patterns/new.md", "new\n")
    (memory_repo.path / PATTERN).unlink()
    now = contents(memory_repo)
    dry = memory_repo.minutebook("restore", name, "--dry-run")
    assert dry.code == 0
    assert contents(memory_repo) == now
    done = memory_repo.minutebook("restore", name)
    assert done.code == 0, done.err
    assert contents(memory_repo) == old
    kept = re.match(r"snapshot (\S+) holds the memory as it was", done.out)
    assert kept is not None
    assert memory_repo.minutebook("restore", kept[1], "--force").code == 0
    assert contents(memory_repo) == now


def test_an_unknown_name_is_refused_with_those_that_are_known(memory_repo: Repo) -> None:
    assert "minutebook snapshot" in memory_repo.minutebook("restore", "absent").err
    name = taken(memory_repo)
    for wrong in ("absent", "../../heads/main", "--option"):
        done = memory_repo.minutebook("restore", "--", wrong)
        assert done.code == 2
        assert name in done.err


def test_a_symlink_is_kept_in_the_snapshot_and_never_written(memory_repo: Repo, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("outside\n")
    link = memory_repo.path / ".memory/patterns/link.md"
    try:
        link.symlink_to(outside)
    except OSError:
        pytest.skip("symlinks can't be made here")
    name = taken(memory_repo)
    link.unlink()
    done = memory_repo.minutebook("restore", name)
    assert done.code == 1
    assert "refused: .memory/patterns/link.md: it is a symlink" in done.out
    assert not link.exists()
    assert outside.read_text() == "outside\n"


@pytest.mark.skipif(os.name == "nt", reason="there is no executable bit")
def test_an_executable_bit_is_kept_and_comes_back(memory_repo: Repo) -> None:
    script = memory_repo.write(".memory/project/look.sh", "#!/bin/sh\n")
    plain = taken(memory_repo)
    script.chmod(0o755)
    name = taken(memory_repo)
    assert memory_repo.git("ls-tree", f"refs/minutebook/snapshots/{name}", ".memory/project/look.sh")[:6] == "100755"
    script.unlink()
    for wanted, runs in ((name, True), (plain, False), (name, True)):
        assert memory_repo.minutebook("restore", wanted).code == 0
        assert os.access(script, os.X_OK) == runs
    assert memory_repo.minutebook("restore", name).out == "nothing to write\n"


def test_a_push_leaves_snapshots_here(memory_repo: Repo, tmp_path: Path) -> None:
    memory_repo.git("init", "--quiet", "--bare", tmp_path / "remote.git")
    memory_repo.git("remote", "add", "origin", tmp_path / "remote.git")
    taken(memory_repo)
    memory_repo.git("push", "--quiet", "--all", "origin")
    memory_repo.git("push", "--quiet", "--tags", "origin")
    assert "minutebook" not in memory_repo.git("ls-remote", "origin")


def test_a_repository_without_a_commit_can_be_kept(repo: Repo) -> None:
    repo.write(PATTERN, "text\n")
    name = taken(repo)
    repo.write(PATTERN, "other\n")
    assert repo.minutebook("restore", name).code == 0
    assert repo.read(PATTERN) == "text\n"


KILLED = """
import os, sys
from minutebook.edges import store
writes, put = [], store._put
def dying(target, data):
    if len(writes) == int(sys.argv[1]):
        os._exit(9)
    writes.append(target)
    put(target, data)
store._put = dying
from minutebook.cli import run
sys.exit(run(["restore", sys.argv[2]]))
"""


@pytest.mark.parametrize("writes", [1, 2])
def test_a_restore_that_was_killed_is_finished_by_the_next_run(memory_repo: Repo, writes: int) -> None:
    old = contents(memory_repo)
    name = taken(memory_repo)
    for path in old:
        memory_repo.write(f".memory/{path}", f"changed {path}\n")
    done = memory_repo.run(sys.executable, "-c", KILLED, str(writes), name)
    assert done.code == 9
    assert contents(memory_repo) != old
    assert memory_repo.minutebook("snapshot", "--list").code == 0
    assert contents(memory_repo) == old


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=TREES, second=TREES)
@pytest.mark.skipif(os.name == "nt" or sys.platform == "darwin", reason="names there are folded or forbidden")
def test_any_tree_comes_back_exactly(memory_repo: Repo, first: dict[str, bytes], second: dict[str, bytes]) -> None:
    from datetime import UTC, datetime

    from minutebook.edges import git
    from minutebook.edges.snapshots import kept, present
    from minutebook.edges.snapshots import take as take_snapshot
    from minutebook.edges.store import Store, apply
    from minutebook.moves.restored import restore_plan

    repo = git.Repository(memory_repo.path, memory_repo.path / ".git")
    (memory_repo.path / ".memory").mkdir(exist_ok=True)
    put(memory_repo, first)
    was = contents(memory_repo)
    snapshot = take_snapshot(repo, ".memory", "", datetime.now(UTC))
    put(memory_repo, second)
    plan = restore_plan(present(repo, ".memory"), kept(repo, snapshot), snapshot.name)
    assert plan.refusals == ()
    apply(Store(repo, ".memory"), plan)
    assert contents(memory_repo) == was


def test_a_part_of_a_snapshot_is_restored_and_the_rest_stays(memory_repo: Repo) -> None:
    name = taken(memory_repo)
    memory_repo.write(LOG, "cut\n")
    memory_repo.write(".memory/patterns/new.md", "new\n")
    (memory_repo.path / PATTERN).unlink()
    for path in (".memory/patterns", "patterns"):
        done = memory_repo.minutebook("restore", name, path)
        assert done.code == 0, done.err
        assert memory_repo.read(LOG) == "cut\n"
        assert list(memory_repo.path.glob(".memory/patterns/*")) == [memory_repo.path / PATTERN]
    done = memory_repo.minutebook("restore", name, "_log.md", cwd=".memory/decisions")
    assert done.code == 0, done.err
    assert memory_repo.read(LOG) != "cut\n"


@pytest.mark.parametrize("path", ["absent.md", "../README.md", "/etc/passwd", "", ".memory-2", "--option"])
def test_a_part_that_is_nowhere_is_refused(memory_repo: Repo, path: str) -> None:
    name = taken(memory_repo)
    done = memory_repo.minutebook("restore", "--", name, path)
    assert done.code == 2
    assert memory_repo.git("status", "--porcelain") == ""


def test_snapshots_are_listed_by_a_verb_of_their_own(memory_repo: Repo) -> None:
    assert memory_repo.minutebook("snapshots").out == "no snapshots\n"
    name = taken(memory_repo)
    assert memory_repo.minutebook("snapshots").out == memory_repo.minutebook("snapshot", "--list").out
    rows = json.loads(memory_repo.minutebook("snapshots", "--format", "json").out)["snapshots"]
    assert [row["name"] for row in rows] == [name]
    assert memory_repo.git("rev-parse", rows[0]["ref"]) == rows[0]["commit"]


def test_a_snapshot_is_pushed_when_asked_and_nothing_else_is(memory_repo: Repo, tmp_path: Path) -> None:
    memory_repo.git("init", "--quiet", "--bare", tmp_path / "remote.git")
    memory_repo.git("remote", "add", "origin", tmp_path / "remote.git")
    memory_repo.git("tag", "v1")
    taken(memory_repo, "--label", "first")
    memory_repo.write(PATTERN, "another\n")
    name = taken(memory_repo, "--push")
    assert memory_repo.git("ls-remote", "origin").split()[1:] == [f"refs/minutebook/snapshots/{name}"]
    for remote in ("absent", "--upload-pack=x", "ext::sh -c true", ""):
        assert memory_repo.minutebook("snapshot", "--push", f"--remote={remote}").code == 2


def test_what_is_private_is_never_pushed(memory_repo: Repo, tmp_path: Path) -> None:
    memory_repo.git("init", "--quiet", "--bare", tmp_path / "remote.git")
    memory_repo.git("remote", "add", "origin", tmp_path / "remote.git")
    memory_repo.write(".memory/users/ada/profile.md", "private\n")
    done = memory_repo.minutebook("snapshot", "--push")
    assert done.code == 1
    assert ".memory/users/ada/profile.md is private" in done.err
    assert memory_repo.git("ls-remote", "origin") == ""
