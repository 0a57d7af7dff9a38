"""Somebody looked and found it true: what `minutebook verify` writes, and what nothing else does."""

from conftest import CASE, LOG, PATTERN, TODAY, Repo
from test_refresh import DB, POOL, stale

PAGE = ".memory/patterns/pool.md"


def test_an_entry_that_may_be_edited_gets_the_day_and_loses_its_note(memory_repo: Repo) -> None:
    note = "stale: {since: 2026-11-10, why: the tool is gone}\ncreated:"
    memory_repo.write(PATTERN, memory_repo.read(PATTERN).replace("created:", note))
    memory_repo.commit("Doubtful")
    assert "pattern-migrations" in stale(memory_repo)
    done = memory_repo.minutebook("verify", "pattern-migrations", "--today", TODAY)
    assert done.code == 0, done.err
    after = memory_repo.read(PATTERN)
    assert f"\nverified: {TODAY}\n" in after
    assert "stale" not in after
    assert stale(memory_repo) == {}
    assert "nothing to write" in memory_repo.minutebook("verify", "pattern-migrations", "--today", TODAY).out
    assert memory_repo.minutebook("check", "--all", "--today", TODAY).code == 0


def test_a_decision_gets_an_addendum_and_the_latest_one_counts(memory_repo: Repo) -> None:
    before = memory_repo.read(LOG)
    name = "DEC-2026-11-02-01"
    for day in ("2026-12-01", "2027-04-01"):
        assert memory_repo.minutebook("verify", name, "--today", day).code == 0
        memory_repo.commit("Looked at")
        assert memory_repo.minutebook("check", "--since", "HEAD~1", "--today", day).code == 0
    after = memory_repo.read(LOG)
    added = "**Date:** 2026-11-02\n\n**Verified:** 2026-12-01\n\n**Verified:** 2027-04-01\n"
    assert after == before.replace("**Date:** 2026-11-02\n", added)
    expired = stale(memory_repo, "--threshold", "0.03", today="2027-06-01")
    assert name not in expired
    assert "DEC-2026-11-03-01" in expired


def test_what_was_found_true_is_compared_with_the_code_of_that_day(memory_repo: Repo) -> None:
    memory_repo.write(DB, "x = 1\n")
    log = memory_repo.read(LOG).replace("is an Alembic migration.", f"is an Alembic migration, see `{DB}`.")
    memory_repo.write(LOG, log)
    memory_repo.write(PAGE, POOL.format(anchor="README.md", text=f"See `{DB}`."))
    memory_repo.commit("Code")
    memory_repo.git("rm", "--quiet", DB)
    memory_repo.commit("Gone")
    assert set(stale(memory_repo)) == {"DEC-2026-11-02-01", "pattern-pool"}
    done = memory_repo.minutebook("verify", "DEC-2026-11-02-01", "pattern-pool", "--today", TODAY)
    assert done.code == 0, done.err
    memory_repo.commit("Both are true without it")
    assert stale(memory_repo) == {}


def test_a_case_is_an_event_and_takes_the_day_at_its_end(memory_repo: Repo) -> None:
    assert memory_repo.minutebook("verify", "case-reviewer-2026-11-02-flaky-upload", "--today", TODAY).code == 0
    assert memory_repo.read(CASE).endswith(f"\n\n**Verified:** {TODAY}\n")
    assert memory_repo.minutebook("check", "--all", "--today", TODAY).code == 0


def test_a_refresh_moves_no_date(memory_repo: Repo) -> None:
    memory_repo.write(DB, "".join(f"def step_{n}():\n    return {n}\n" for n in range(30)))
    page = POOL.format(anchor=DB, text=f"See `{DB}`.").replace("created:", "verified: 2026-11-03\ncreated:")
    memory_repo.write(PAGE, page)
    memory_repo.commit("Said")
    memory_repo.git("mv", "src/app", "src/core")
    memory_repo.commit("Moved")
    assert memory_repo.minutebook("refresh", "--apply", "--today", TODAY).code == 0
    after = memory_repo.read(PAGE)
    assert after == page.replace("src/app", "src/core")
    assert "verified: 2026-11-03\n" in after


def test_what_holds_no_more_is_refused_and_an_unknown_id_cannot_be_judged(memory_repo: Repo) -> None:
    log = memory_repo.read(LOG)
    memory_repo.write(LOG, log.replace("PostgreSQL\n**Context:** The", "PostgreSQL\n> RETRACTED\n\n**Context:** The"))
    memory_repo.commit("Retracted")
    done = memory_repo.minutebook("verify", "DEC-2026-11-01-01", "--today", TODAY)
    assert done.code == 1
    assert "it holds no more" in done.out
    assert memory_repo.git("status", "--porcelain") == ""
    done = memory_repo.minutebook("verify", "pattern-migration")
    assert done.code == 2
    assert "did you mean pattern-migrations?" in done.err


def test_a_dry_run_writes_nothing(memory_repo: Repo) -> None:
    done = memory_repo.minutebook("verify", "pattern-migrations", "--dry-run", "--today", TODAY)
    assert f"verified on {TODAY}" in done.out
    assert memory_repo.git("status", "--porcelain") == ""
