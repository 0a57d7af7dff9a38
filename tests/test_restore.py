"""Restoring: whatever lies in the way, a memory that is gone, and never past the append-only promise unasked."""

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import FIRST, LOG, LOG_HEAD, PATTERN, SECOND, TODAY, Repo
from test_snapshots import contents, taken

FOURTH = SECOND.replace("11-02", "11-04").replace("Alembic for migrations", "Ruff")


def published(repo: Repo, remote: Path) -> None:
    """Give the repository a remote that has its main."""
    repo.git("init", "--quiet", "--bare", remote)
    repo.git("remote", "add", "origin", remote)
    repo.git("push", "--quiet", "origin", "main")
    repo.git("remote", "set-head", "origin", "main")


def decided(repo: Repo) -> None:
    repo.write(LOG, repo.read(LOG).replace(LOG_HEAD, f"{LOG_HEAD}{FOURTH}\n"))
    repo.minutebook("index")


def test_a_restore_that_would_lose_a_published_decision_is_refused_unless_it_is_forced(memory_repo: Repo) -> None:
    name = taken(memory_repo)
    decided(memory_repo)
    memory_repo.commit("Ruff")
    now = contents(memory_repo)
    for more in ((), ("--dry-run",), ("--format", "json")):
        done = memory_repo.minutebook("restore", name, *more)
        assert done.code == 1
        assert "the restore breaks the rules above, nothing was written" in done.err
        assert contents(memory_repo) == now
        assert len(memory_repo.minutebook("snapshots").out.split("\n")) == 2
    assert "append-only: DEC-2026-11-04-01" in memory_repo.minutebook("restore", name).err
    done = memory_repo.minutebook("restore", name, "--force")
    assert done.code == 0
    assert "at the next commit, `minutebook check` will say:" in done.err
    assert "append-only: DEC-2026-11-04-01" in done.err
    assert "DEC-2026-11-04-01" not in memory_repo.read(LOG)
    memory_repo.git("add", "--all")
    assert memory_repo.minutebook("check", "--staged").code == 1


def test_what_nobody_has_published_goes_without_a_word(memory_repo: Repo, tmp_path: Path) -> None:
    published(memory_repo, tmp_path / "remote.git")
    name = taken(memory_repo)
    decided(memory_repo)
    memory_repo.commit("Ruff")
    done = memory_repo.minutebook("restore", name)
    assert (done.code, done.err) == (0, "")
    assert "DEC-2026-11-04-01" not in memory_repo.read(LOG)


def test_a_text_that_was_expunged_does_not_come_back_unasked(memory_repo: Repo) -> None:
    name = taken(memory_repo)
    done = memory_repo.minutebook("expunge", "DEC-2026-11-01-01", "--reason", "names a customer", "--today", TODAY)
    assert done.code == 0, done.err
    memory_repo.commit("Expunged")
    done = memory_repo.minutebook("restore", name)
    assert done.code == 1
    assert "DEC-2026-11-01-01" in done.err
    assert FIRST not in memory_repo.read(LOG)


def test_a_part_beside_the_log_is_restored_although_the_log_went_on(memory_repo: Repo) -> None:
    name = taken(memory_repo)
    decided(memory_repo)
    memory_repo.write(PATTERN, "spoilt\n")
    memory_repo.commit("Ruff")
    done = memory_repo.minutebook("restore", name, "patterns")
    assert done.code == 0, done.err
    assert "reversible" in memory_repo.read(PATTERN)
    assert "DEC-2026-11-04-01" in memory_repo.read(LOG)


def test_debts_that_were_there_before_stop_no_restore(memory_repo: Repo) -> None:
    name = taken(memory_repo)
    memory_repo.write(LOG, memory_repo.read(LOG).replace("Alembic migration", "Flyway migration"))
    memory_repo.write(PATTERN, "spoilt\n")
    done = memory_repo.minutebook("restore", name, "patterns")
    assert (done.code, done.err) == (0, "")


def test_where_the_published_history_is_unknown_nothing_is_restored_unless_it_is_forced(
    memory_repo: Repo, tmp_path: Path
) -> None:
    published(memory_repo, tmp_path / "remote.git")
    memory_repo.git("checkout", "--quiet", "--orphan", "other")
    memory_repo.write(PATTERN, "first\n")
    memory_repo.commit("Of its own")
    name = taken(memory_repo)
    memory_repo.write(PATTERN, "second\n")
    done = memory_repo.minutebook("restore", name)
    assert done.code == 2
    assert "what is published isn't known" in done.err
    assert "--force" in done.err
    assert memory_repo.minutebook("restore", name, "--force").code == 0
    assert memory_repo.read(PATTERN) == "first\n"


def test_a_file_takes_the_place_of_a_folder_and_a_folder_that_of_a_file(memory_repo: Repo) -> None:
    memory_repo.write(".memory/project/a/deep/one.md", "one\n")
    memory_repo.write(".memory/project/b", "two\n")
    first, before = taken(memory_repo), contents(memory_repo)
    shutil.rmtree(memory_repo.path / ".memory/project/a")
    (memory_repo.path / ".memory/project/b").unlink()
    memory_repo.write(".memory/project/a", "three\n")
    memory_repo.write(".memory/project/b/deep/four.md", "four\n")
    (memory_repo.path / ".memory/project/b/empty/deeper").mkdir(parents=True)
    second, after = taken(memory_repo), contents(memory_repo)
    for name, tree in ((first, before), (second, after), (first, before)):
        done = memory_repo.minutebook("restore", name)
        assert done.code == 0, done.err
        assert contents(memory_repo) == tree


def test_a_memory_that_is_gone_comes_back(memory_repo: Repo) -> None:
    name, before = taken(memory_repo), contents(memory_repo)
    shutil.rmtree(memory_repo.path / ".memory")
    assert name in memory_repo.minutebook("snapshots").out
    done = memory_repo.minutebook("restore", name)
    assert done.code == 0, done.err
    assert contents(memory_repo) == before


def test_an_empty_memory_is_kept_and_comes_back_empty(repo: Repo) -> None:
    (repo.path / ".memory").mkdir()
    name = taken(repo)
    repo.write(PATTERN, "text\n")
    done = repo.minutebook("restore", name)
    assert done.code == 0, done.err
    assert contents(repo) == {}


def test_a_snapshot_knows_its_root_where_there_are_several(memory_repo: Repo) -> None:
    memory_repo.write(".minutebook.yaml", "roots: [.memory, service/.memory]\n")
    memory_repo.write("service/.memory/project/context.md", "of the service\n")
    done = memory_repo.minutebook("snapshot", "--root", "service/.memory", "--today", TODAY)
    name = done.out.split()[1]
    other = memory_repo.minutebook("snapshot", "--root", ".memory", "--today", TODAY).out.split()[1]
    assert other != name
    listed = memory_repo.minutebook("snapshots").out
    assert re.search(f"(?m)^{name} .* service/.memory$", listed)
    assert re.search(f"(?m)^{other} .* .memory$", listed)
    memory_repo.write("service/.memory/project/context.md", "spoilt\n")
    wrong = memory_repo.minutebook("restore", name, "--root", ".memory")
    assert wrong.code == 2
    assert "--root service/.memory" in wrong.err
    assert memory_repo.minutebook("restore", name).code == 0
    assert memory_repo.read("service/.memory/project/context.md") == "of the service\n"
    rows = json.loads(memory_repo.minutebook("snapshots", "--root", ".memory", "--format", "json").out)["snapshots"]
    assert [row["name"] for row in rows] == [other]


@pytest.mark.skipif(os.name == "nt", reason="there are no permissions to keep")
def test_a_file_keeps_its_permissions_when_its_text_comes_back(memory_repo: Repo) -> None:
    private = memory_repo.write(".memory/users/ada/profile.md", "mine\n")
    private.chmod(0o600)
    name = taken(memory_repo)
    private.write_text("spoilt\n", "utf-8")
    assert memory_repo.minutebook("restore", name).code == 0
    assert private.read_text("utf-8") == "mine\n"
    assert private.stat().st_mode & 0o777 == 0o600


def test_a_snapshot_that_was_pushed_is_restored_in_another_clone(
    memory_repo: Repo, tmp_path: Path, new_repo: Callable[[str], Repo]
) -> None:
    published(memory_repo, tmp_path / "remote.git")
    memory_repo.write(PATTERN, "edited, and not committed\n")
    done = memory_repo.minutebook("snapshot", "--push")
    assert done.code == 0, done.err
    name = done.out.split()[1]
    other = new_repo("other")
    other.git("remote", "add", "origin", tmp_path / "remote.git")
    other.git("fetch", "--quiet", "origin", "main", "refs/minutebook/snapshots/*:refs/minutebook/snapshots/*")
    other.git("checkout", "--quiet", "-b", "main", "FETCH_HEAD")
    done = other.minutebook("restore", name)
    assert done.code == 0, done.err
    assert contents(other) == contents(memory_repo)


ADR = "docs/adr/0001-postgres.md"
RECORD = "# 1. PostgreSQL\n\nDate: 2025-03-01\n\n## Status\n\nAccepted\n\n## Decision\n\nData is in PostgreSQL.\n"
CONVENTION = """---
type: pattern
id: pattern-pool
title: Connection pool
abstract: There is one pool of connections for the whole service.
created: 2026-11-02
anchors: [src/db.py]
---
## Overview
Ask the pool.
"""


@pytest.fixture
def mapped(memory_repo: Repo) -> Repo:
    """A repository whose decisions and conventions lie beside the memory root, where the config maps them from."""
    memory_repo.write(".minutebook.yaml", "places:\n  decision: docs/adr/*.md\n  pattern: docs/conventions/*.md\n")
    memory_repo.write(ADR, RECORD)
    memory_repo.write("docs/conventions/pool.md", CONVENTION)
    memory_repo.write("docs/guide.md", "no memory\n")
    memory_repo.write(
        "src/db.py",
        "def pool(size, host):\n    connections = [connect(host) for _ in range(size)]\n    return connections\n",
    )
    memory_repo.commit("Records")
    return memory_repo


def test_what_the_config_maps_is_refreshed_kept_and_brought_back(mapped: Repo) -> None:
    mapped.git("mv", "src/db.py", "src/pool.py")
    mapped.commit("Pool")
    done = mapped.minutebook("refresh", "--apply", "--today", TODAY)
    assert done.code == 0, done.err
    assert "anchors: [src/pool.py]" in mapped.read("docs/conventions/pool.md")
    name = done.out.split()[1]
    mapped.write("docs/guide.md", "still no memory\n")
    (mapped.path / ADR).unlink()
    mapped.write("docs/adr/0002-redis.md", RECORD.replace("# 1. PostgreSQL", "# 2. Redis"))
    done = mapped.minutebook("restore", name)
    assert done.code == 0, done.err
    assert mapped.read("docs/conventions/pool.md") == CONVENTION
    assert mapped.read(ADR) == RECORD
    assert not (mapped.path / "docs/adr/0002-redis.md").exists()
    assert mapped.read("docs/guide.md") == "still no memory\n"


def test_a_record_that_was_published_beside_the_root_is_not_taken_back_unasked(mapped: Repo) -> None:
    name = taken(mapped)
    mapped.write("docs/adr/0002-redis.md", RECORD.replace("# 1. PostgreSQL", "# 2. Redis"))
    mapped.commit("Redis")
    done = mapped.minutebook("restore", name)
    assert done.code == 1
    assert "docs/adr/0002-redis.md" in done.err
    assert (mapped.path / "docs/adr/0002-redis.md").exists()


def test_a_snapshot_from_before_the_mapping_removes_nothing_that_is_mapped_now(mapped: Repo) -> None:
    config = mapped.read(".minutebook.yaml")
    (mapped.path / ".minutebook.yaml").unlink()
    name = taken(mapped)
    mapped.write(".minutebook.yaml", config)
    mapped.write(".memory/project/extra.md", "later\n")
    done = mapped.minutebook("restore", name)
    assert done.code == 0, done.err
    assert not (mapped.path / ".memory/project/extra.md").exists()
    assert mapped.read(ADR) == RECORD
    assert mapped.read(".minutebook.yaml") == config


def test_a_snapshot_that_holds_what_is_no_memory_is_refused(memory_repo: Repo) -> None:
    name = taken(memory_repo)
    memory_repo.write("docs/guide.md", "no memory\n")
    memory_repo.git("add", "docs")
    tree = memory_repo.git("write-tree")
    commit = memory_repo.git("commit-tree", tree, "-m", "snapshot of .memory")
    memory_repo.git("update-ref", f"refs/minutebook/snapshots/{name}-2", commit)
    done = memory_repo.minutebook("restore", f"{name}-2")
    assert done.code == 2
    assert "which is outside of .memory/" in done.err
