"""What refresh remembers changes how long it takes, and nothing that it says."""

from pathlib import Path

from conftest import TODAY, Repo
from test_refresh import CODE, DB, POOL, stale

OTHER = ".memory/patterns/other.md"


def cache_of(repo: Repo) -> Path:
    return next((repo.path / ".git" / "minutebook").glob("refresh-*.sqlite"))


def prepared(repo: Repo) -> Repo:
    repo.write(DB, CODE)
    repo.write("lib/old.py", "def old_thing():\n    return 1\n")
    repo.write("Makefile", "lint:\n\ttrue\n")
    repo.write(".memory/patterns/pool.md", POOL.format(anchor=DB, text="Ask `PoolManager`, run `make lint`."))
    other = POOL.replace("pattern-pool", "pattern-other").format(anchor="lib/*.py", text="See `lib/old.py`.")
    repo.write(OTHER, other)
    repo.commit("All")
    assert stale(repo) == {}
    return repo


def gone_names(repo: Repo) -> None:
    repo.write(DB, CODE.replace("PoolManager", "Pool"))
    repo.write("lib/old.py", "def new_thing():\n    return 1\n")


def test_a_branch_that_was_left_is_not_remembered(memory_repo: Repo) -> None:
    prepared(memory_repo)
    memory_repo.git("switch", "--quiet", "--create", "topic")
    gone_names(memory_repo)
    memory_repo.commit("Gone")
    assert "pattern-pool" in stale(memory_repo)
    memory_repo.git("switch", "--quiet", "main")
    assert stale(memory_repo) == {}


def test_a_damaged_cache_is_made_anew(memory_repo: Repo) -> None:
    prepared(memory_repo)
    gone_names(memory_repo)
    memory_repo.commit("Gone")
    expected = stale(memory_repo)
    cache_of(memory_repo).write_bytes(b"no database, whatever its name says" * 99)
    assert stale(memory_repo) == expected
    whole = cache_of(memory_repo).read_bytes()
    for page in range(1, len(whole) // 4096):
        damaged = bytearray(whole)
        damaged[page * 4096 : (page + 1) * 4096] = b"\xff" * 4096
        cache_of(memory_repo).write_bytes(damaged)
        assert stale(memory_repo) == expected
        assert stale(memory_repo) == expected


def test_where_the_git_folder_cannot_be_written_nothing_is_remembered(memory_repo: Repo) -> None:
    prepared(memory_repo)
    gone_names(memory_repo)
    memory_repo.commit("Gone")
    folder = memory_repo.path / ".git" / "minutebook"
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_bytes(b"a file where the folder would be")
    assert "pattern-pool" in stale(memory_repo)
    assert folder.is_file()


def test_the_cache_keeps_no_text_of_the_code(memory_repo: Repo) -> None:
    prepared(memory_repo)
    memory_repo.write(DB, f"{CODE}TOKEN = 'not-for-anybodys-eyes'\n")
    memory_repo.commit("A secret")
    stale(memory_repo)
    assert b"anybodys-eyes" not in cache_of(memory_repo).read_bytes()


def test_a_verdict_that_waits_for_another_run_does_not_wait_for_ever(memory_repo: Repo) -> None:
    import sqlite3

    prepared(memory_repo)
    holder = sqlite3.connect(cache_of(memory_repo), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    done = memory_repo.minutebook("refresh", "--today", TODAY)
    holder.rollback()
    holder.close()
    assert done.code == 0
    assert done.out == "nothing looks stale\n"
