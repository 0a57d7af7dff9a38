"""What an entry itself wants to be gone, and what it protects: the one is no staleness when it is gone."""

import pytest

from conftest import LOG, TODAY, Repo
from minutebook.refresh.wished import wished_gone
from test_refresh import POOL, reasons, stale
from test_refresh_signals import PAGE

MOVE = "We replace `celery` by `rq` and delete `src/jobs.py`, with its `OldQueue`."
USED = "import celery\n\n\nclass OldQueue:\n    pass\n\n\ndef enqueue_task(task):\n    return task\n"
REQUIRES = '[project]\nname = "up"\ndependencies = ["celery>=5"]\n'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("celery", MOVE),
        ("src/jobs.py", MOVE),
        ("OldQueue", MOVE),
        ("moment", "Do not add `moment`; use `Temporal`."),
        ("moment.js", "never use moment.js"),
        ("moment", "Never use `celery` or `moment` in new code."),
        ("celery", "We don’t use `celery`."),
        ("axios", "Call `fetch`, not `axios`."),
        ("webpack", "Use `vite` instead of `webpack`."),
        ("redis", "Avoid `redis`."),
        ("redis", "### DEC-1 — We remove Redis\n**Context:** It is slow."),
        ("redis", "`rq` replaces `redis`."),
        ("celery", "Move jobs off celery"),
        ("OldQueue", "We are removing `OldQueue`."),
        ("OldQueue", "`OldQueue` is deprecated and will be removed in 2.0."),
        ("enqueue_task", "`enqueue_task` goes away."),
        ("old.py", "`old.py` must be deleted."),
        ("src/jobs.py", "Delete `src/jobs.py` after the migration."),
        ("celery", "Until 2024 we used `celery` and webpack."),
    ],
)
def test_what_is_to_go_what_is_forbidden_and_what_is_past_is_wished_gone(name: str, text: str) -> None:
    assert wished_gone(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rq", MOVE),
        ("Temporal", "Do not add `moment`; use `Temporal`."),
        ("fetch", "Call `fetch`, not `axios`."),
        ("rq", "`rq` replaces `redis`."),
        ("core.py", "Do not delete `core.py`."),
        ("core.py", "Never remove `core.py`."),
        ("core.py", "`core.py` must not be removed."),
        ("gen.py", "Do not edit `gen.py` by hand."),
        ("connect", "Never use `connect` without a timeout."),
        ("connect", "Never call `connect` outside of a lock."),
        ("build.py", "Remove `build.py` before each build."),
        ("purge", "Rows are deleted by `purge`."),
        ("row", "`row` is deleted on logout."),
        ("purge", "Call `purge` to remove connections."),
        ("purge", "Do not use threads in `purge`."),
        ("vault.py", "Never commit secrets; they live in `vault.py`."),
        ("lock", "Without `lock` nothing starts."),
        ("old", "The note says that `old` is gone."),
        ("celery", "We remove `celery-beat`."),
    ],
)
def test_what_is_used_protected_or_bound_to_a_case_is_not(name: str, text: str) -> None:
    assert not wished_gone(name, text)


def test_hostile_text_is_read_in_linear_time() -> None:
    for text in ("never use `x` " * 50_000, "remove " * 200_000, "`x` is now " * 50_000, "move a b c " * 100_000):
        wished_gone("x", text)


def with_decision(repo: Repo, title: str, says: str, status: str = "accepted") -> None:
    repo.write("src/jobs.py", USED)
    repo.write("pyproject.toml", REQUIRES)
    row = f"### DEC-2026-11-09-01 — {title}\n**Context:** Jobs.\n**Decision:** {says}\n**Date:** 2026-11-09\n"
    row += f"**Status:** {status}\n\n"
    repo.write(LOG, repo.read(LOG).replace("### DEC", f"{row}### DEC", 1))
    repo.commit("Decided")


def removed(repo: Repo) -> None:
    repo.git("rm", "--quiet", "src/jobs.py")
    repo.write("pyproject.toml", REQUIRES.replace("celery", "rq"))
    repo.commit("Removed")


@pytest.mark.parametrize(
    ("title", "says", "status", "doubtful"),
    [
        ("Jobs move off Celery", MOVE, "accepted", False),
        ("Jobs have one queue", "All jobs go through `enqueue_task` in `src/jobs.py`.", "accepted", True),
        ("Jobs have one queue", "All jobs go through `enqueue_task` in `src/jobs.py`.", "rejected", False),
        ("Jobs stay", "Never delete `src/jobs.py`.", "accepted", True),
    ],
)
def test_a_decision_that_came_true_or_was_turned_down_is_not_proposed_anew(
    memory_repo: Repo, title: str, says: str, status: str, doubtful: bool
) -> None:
    with_decision(memory_repo, title, says, status)
    removed(memory_repo)
    assert list(stale(memory_repo)) == (["DEC-2026-11-09-01"] if doubtful else [])
    before = memory_repo.read(LOG)
    done = memory_repo.minutebook("refresh", "--apply", "--today", TODAY)
    assert (memory_repo.read(LOG) != before) == doubtful, done.out + done.err


def test_a_prohibition_holds_when_what_it_forbids_is_gone(memory_repo: Repo) -> None:
    memory_repo.write("src/jobs.py", USED)
    memory_repo.write("pyproject.toml", REQUIRES)
    memory_repo.write(PAGE, POOL.format(anchor="README.md", text="Never import `celery`.\nTasks go by `enqueue_task`."))
    memory_repo.commit("Said")
    removed(memory_repo)
    said = reasons(stale(memory_repo)["pattern-pool"])
    assert "`enqueue_task` is gone" in said
    assert "celery" not in said
