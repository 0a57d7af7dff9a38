"""Which commit an entry speaks of: the one that last changed its words, wherever they lay; and of a change, all that an
entry named before it, whatever the change did to the entry."""

from pathlib import Path

import pytest

from conftest import LOG, TODAY, Repo
from test_refresh import CODE, DB, POOL, reasons, stale, with_pool

ENTRY = ".memory/patterns/pool.md"


def gone(repo: Repo) -> Repo:
    """A pool that is gone, and an entry that says so by nothing."""
    with_pool(repo, text=f"Use `PoolManager` of `{DB}`.\n\nSomthing else.")
    repo.git("rm", "--quiet", DB)
    repo.commit("Gone")
    return repo


def renamed(repo: Repo) -> None:
    repo.git("mv", ENTRY, ".memory/patterns/connections.md")


def renamed_twice(repo: Repo) -> None:
    renamed(repo)
    repo.commit("Renamed")
    repo.git("mv", ".memory/patterns/connections.md", ".memory/patterns/third.md")


def another_root(repo: Repo) -> None:
    repo.git("mv", ".memory", "notes")
    repo.write(".minutebook.yaml", "root: notes\n")


def other_line_ends(repo: Repo) -> None:
    repo.write(ENTRY, repo.read(ENTRY).replace("\n", "\r\n"))


def other_lines(repo: Repo) -> None:
    repo.write(ENTRY, repo.read(ENTRY).replace("Use `PoolManager`", "Use\n`PoolManager`"))


@pytest.mark.parametrize("change", [renamed, renamed_twice, another_root, other_line_ends, other_lines])
def test_what_leaves_the_words_leaves_the_commit_that_they_speak_of(memory_repo: Repo, change: object) -> None:
    gone(memory_repo)
    assert callable(change)
    change(memory_repo)
    memory_repo.commit("Same words")
    assert stale(memory_repo)["pattern-pool"]["kind"] == "gone"


def test_an_entry_of_another_id_and_place_speaks_of_the_same_commit(memory_repo: Repo) -> None:
    gone(memory_repo)
    renamed(memory_repo)
    path = ".memory/patterns/connections.md"
    memory_repo.write(path, memory_repo.read(path).replace("pattern-pool", "pattern-connections"))
    memory_repo.commit("Renamed")
    assert stale(memory_repo)["pattern-connections"]["kind"] == "gone"


def test_a_decision_of_a_log_that_moved_speaks_of_the_same_commit(memory_repo: Repo) -> None:
    memory_repo.write(DB, CODE)
    memory_repo.write(LOG, memory_repo.read(LOG).replace("is an Alembic migration.", f"is a migration, see `{DB}`."))
    memory_repo.commit("Code")
    memory_repo.git("rm", "--quiet", DB)
    memory_repo.commit("Gone")
    another_root(memory_repo)
    memory_repo.commit("Moved")
    assert stale(memory_repo)["DEC-2026-11-02-01"]["kind"] == "gone"


def test_a_file_that_is_new_under_an_old_name_has_no_earlier_words(memory_repo: Repo) -> None:
    gone(memory_repo)
    text = memory_repo.read(ENTRY)
    memory_repo.git("rm", "--quiet", ENTRY)
    memory_repo.commit("Nothing")
    memory_repo.write(ENTRY, text)
    memory_repo.commit("Written again, when the pool was gone")
    assert stale(memory_repo) == {}


def on_a_branch(repo: Repo) -> Repo:
    """A pool on main, and a branch that removes it."""
    with_pool(repo, anchor="Makefile", text=f"Use `PoolManager` of `{DB}`.\n\nSomthing else.")
    repo.git("switch", "--quiet", "--create", "topic")
    repo.git("rm", "--quiet", DB)
    repo.commit("Gone")
    return repo


def mended(repo: Repo, path: str = ENTRY) -> None:
    repo.write(path, repo.read(path).replace("Somthing", "Something"))


def test_a_change_that_touches_an_entry_does_not_silence_it(memory_repo: Repo) -> None:
    on_a_branch(memory_repo)
    said = stale(memory_repo, "--since", "main")
    assert said.keys() == {"pattern-pool"}
    mended(memory_repo)
    assert reasons(stale(memory_repo, "--since", "main")["pattern-pool"]) == reasons(said["pattern-pool"])
    memory_repo.commit("A typo, elsewhere in the entry")
    assert reasons(stale(memory_repo, "--since", "main")["pattern-pool"]) == reasons(said["pattern-pool"])


def test_a_change_that_moves_and_mends_an_entry_does_not_silence_it(memory_repo: Repo) -> None:
    on_a_branch(memory_repo)
    renamed(memory_repo)
    mended(memory_repo, ".memory/patterns/connections.md")
    memory_repo.commit("Both")
    found = stale(memory_repo, "--since", "main")["pattern-pool"]
    assert found["path"] == ".memory/patterns/connections.md"
    assert "`PoolManager` is gone" in reasons(found)


def test_a_change_that_puts_an_entry_right_makes_nothing_doubtful(memory_repo: Repo) -> None:
    on_a_branch(memory_repo)
    memory_repo.write("src/app/queue.py", CODE.replace("PoolManager", "QueueManager"))
    text = memory_repo.read(ENTRY).replace(DB, "src/app/queue.py").replace("PoolManager", "QueueManager")
    memory_repo.write(ENTRY, text)
    memory_repo.commit("Put right")
    assert stale(memory_repo, "--since", "main") == {}


def test_what_came_into_an_entry_by_a_change_is_compared_with_the_commit_it_came_by(memory_repo: Repo) -> None:
    on_a_branch(memory_repo)
    memory_repo.write("src/app/queue.py", CODE.replace("PoolManager", "QueueManager"))
    memory_repo.write(ENTRY, POOL.format(anchor="Makefile", text="Use `QueueManager`, never `NeverNamed`."))
    memory_repo.commit("Another way")
    memory_repo.git("rm", "--quiet", "src/app/queue.py")
    memory_repo.commit("Which was no good")
    found = stale(memory_repo, "--since", "main")["pattern-pool"]
    assert "`QueueManager` is gone" in reasons(found)
    assert "PoolManager" not in reasons(found)
    assert "NeverNamed" not in reasons(found)


def test_a_decision_that_a_change_adds_beside_others_leaves_them_where_they_were(memory_repo: Repo) -> None:
    memory_repo.write(DB, CODE)
    memory_repo.write(LOG, memory_repo.read(LOG).replace("is an Alembic migration.", f"is a migration, see `{DB}`."))
    memory_repo.commit("Code")
    memory_repo.git("switch", "--quiet", "--create", "topic")
    memory_repo.git("rm", "--quiet", DB)
    log = memory_repo.read(LOG)
    newer = "### DEC-2026-11-10-01 — Jobs\n**Decision:** Jobs wait in a table.\n**Date:** 2026-11-10\n\n"
    memory_repo.write(LOG, log.replace("### DEC-2026-11-03", f"{newer}### DEC-2026-11-03", 1))
    memory_repo.commit("Both")
    assert stale(memory_repo, "--since", "main").keys() == {"DEC-2026-11-02-01"}


@pytest.mark.parametrize("arguments", [
    ("--since", ""), ("--since", " "), ("--since", "no-such-branch"), ("--since", "--all"), ("--since", "HEAD:src"),
    ("--threshold", "nan"), ("--threshold", "-1"), ("--threshold", "1.1"), ("--threshold", ""),
])  # fmt: skip
def test_what_cannot_be_meant_is_not_judged(memory_repo: Repo, arguments: tuple[str, ...]) -> None:
    done = memory_repo.minutebook("refresh", "--today", TODAY, *arguments)
    assert done.code == 2, done.out
    assert done.err
    assert "Traceback" not in done.err


def test_check_says_1_beside_what_is_written(memory_repo: Repo) -> None:
    gone(memory_repo)
    assert memory_repo.minutebook("refresh", "--dry-run", "--check", "--today", TODAY).code == 1
    done = memory_repo.minutebook("refresh", "--apply", "--check", "--today", TODAY)
    assert done.code == 1
    assert "stale:" in memory_repo.read(ENTRY)


def test_a_file_that_cannot_be_read_is_named_and_no_pass(memory_repo: Repo) -> None:
    with_pool(memory_repo)
    memory_repo.write(ENTRY, memory_repo.read(ENTRY).replace("created:", "id2: [broken\ncreated:"))
    for _ in range(2):  # the second run knows it from the first
        done = memory_repo.minutebook("refresh", "--check", "--today", TODAY)
        assert done.code == 2
        assert f"{ENTRY} can't be read" in done.err
        assert "minutebook check" in done.err
    assert memory_repo.minutebook("refresh", "--today", TODAY).code == 0
    memory_repo.git("checkout", "--quiet", "--", ENTRY)
    assert memory_repo.minutebook("refresh", "--check", "--today", TODAY).err == ""
    (memory_repo.path / ENTRY).write_bytes(b"---\nid: [\n")
    assert memory_repo.minutebook("refresh", "--check", "--today", TODAY).code == 2
    Path(memory_repo.path / ENTRY).unlink()
    assert memory_repo.minutebook("refresh", "--check", "--today", TODAY).code == 0


def test_a_reason_is_said_once_and_a_list_of_them_ends(memory_repo: Repo) -> None:
    names = [f"helper_number_{number}" for number in range(40)]
    memory_repo.write("src/many.py", "".join(f"def {name}():\n    return 1\n\n\n" for name in names))
    text = " ".join(f"`{name}`" for name in names)
    memory_repo.write(ENTRY, POOL.format(anchor="README.md", text=f"Ask {text}.\n\nAsk {text}."))
    memory_repo.commit("Many")
    memory_repo.git("rm", "--quiet", "src/many.py")
    memory_repo.commit("None")
    done = memory_repo.minutebook("refresh", "--today", TODAY, "--format", "github")
    assert done.out.count(" is gone") == 12
    assert "and 28 more reasons" in done.out
    lines = memory_repo.minutebook("refresh", "--today", TODAY).out.split("\n")
    assert len({line for line in lines if "is gone" in line}) == sum("is gone" in line for line in lines)
