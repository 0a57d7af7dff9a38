"""Stale entries on real git: what is flagged and why, what is not, and what a refresh may write."""

import json

import pytest

from conftest import LOG, PATTERN, TODAY, Repo

DB = "src/app/db.py"
CODE = "import os\n\n\nclass PoolManager:\n    def connect(self):\n        return os.environ['DSN']\n"
POOL = """---
type: pattern
id: pattern-pool
title: Connection pool
abstract: Every connection comes from the pool.
created: 2026-11-02
anchors: [{anchor}]
---
## Overview
{text}
"""


def stale(repo: Repo, *arguments: str, today: str = TODAY) -> dict[str, dict[str, object]]:
    done = repo.minutebook("refresh", "--format", "json", "--today", today, *arguments)
    assert done.code == 0, done.err
    return {row["id"]: row for row in json.loads(done.out)["findings"]}


def reasons(finding: dict[str, object]) -> str:
    assert isinstance(finding["reasons"], list)
    return "\n".join(finding["reasons"])


def with_pool(repo: Repo, anchor: str = DB, text: str = "Ask the pool.") -> Repo:
    repo.write(DB, CODE)
    repo.write("Makefile", "lint:\n\ttrue\n\ntest:\n\ttrue\n")
    repo.write(".memory/patterns/pool.md", POOL.format(anchor=anchor, text=text))
    repo.commit("Pool")
    return repo


def test_nothing_is_stale_while_the_code_stands(memory_repo: Repo) -> None:
    with_pool(memory_repo, text=f"Use `PoolManager` of `{DB}`, and run `make lint`.")
    memory_repo.write("src/app/other.py", "x = 1\n")
    memory_repo.commit("More code")
    assert stale(memory_repo) == {}
    assert memory_repo.minutebook("refresh", "--today", TODAY).out == "nothing looks stale\n"


def test_a_deleted_anchor_is_gone_and_the_reason_names_the_commit(memory_repo: Repo) -> None:
    with_pool(memory_repo)
    memory_repo.git("rm", "--quiet", DB)
    commit = memory_repo.commit("No more pool")
    found = stale(memory_repo)["pattern-pool"]
    assert found["kind"] == "gone"
    assert found["line"] == 7
    assert found["reasons"] == [f"{DB} is gone since {commit[:8]} ({TODAY})"]


@pytest.mark.parametrize(
    ("anchor", "target"), [(DB, "src/core/db.py"), ("src/app/", "src/core"), ("./src/app/db.py", "src/core/db.py")]
)
def test_a_moved_anchor_is_found_by_its_content_and_repaired(memory_repo: Repo, anchor: str, target: str) -> None:
    with_pool(memory_repo, anchor=anchor)
    memory_repo.git("mv", "src/app", "src/core")
    memory_repo.commit("Move")
    found = stale(memory_repo)["pattern-pool"]
    assert found["kind"] == "moved"
    assert memory_repo.minutebook("refresh", "--apply", "--today", TODAY).code == 0
    slash = "/" if anchor.endswith("/") else ""
    assert memory_repo.read(".memory/patterns/pool.md") == POOL.format(anchor=target + slash, text="Ask the pool.")
    memory_repo.commit("Refresh")
    assert stale(memory_repo) == {}
    assert memory_repo.minutebook("check", "--all", "--today", TODAY).code == 0


def test_a_file_of_the_same_name_elsewhere_is_a_hint(memory_repo: Repo) -> None:
    with_pool(memory_repo)
    memory_repo.git("mv", "src/app", "src/core")
    memory_repo.write("src/core/db.py", "def fetch(queue):\n    return queue.receive(timeout=30)\n" * 3)
    memory_repo.commit("Move and rewrite")
    assert reasons(stale(memory_repo)["pattern-pool"]).endswith("; a file of that name is at src/core/db.py")


def test_commands_and_identifiers_that_went_are_flagged(memory_repo: Repo) -> None:
    with_pool(memory_repo, anchor="Makefile", text="Use `PoolManager`, and run `make lint` first.")
    memory_repo.write(DB, CODE.replace("PoolManager", "Pool"))
    memory_repo.write("README.md", "It was called PoolManager once.\n")  # documentation is no code
    memory_repo.write("Makefile", "test:\n\ttrue\n")
    memory_repo.commit("Rename")
    words = reasons(stale(memory_repo)["pattern-pool"])
    assert "`PoolManager` is gone" in words
    assert "`make lint` is gone" in words


def test_what_never_resolved_is_unknown_and_never_flagged(memory_repo: Repo) -> None:
    with_pool(memory_repo, anchor="src/app/never.py", text="See `lib/absent.ts`, `make absent`, `NeverNamed`.")
    memory_repo.git("rm", "--quiet", "-r", "src")
    memory_repo.commit("Nothing left")
    assert stale(memory_repo) == {}


def test_a_rewritten_anchor_drifts_and_an_edited_one_ranks_lower(memory_repo: Repo) -> None:
    with_pool(memory_repo)
    memory_repo.write(DB, CODE + "\n\ndef close():\n    pass\n")
    memory_repo.commit("A little")
    assert stale(memory_repo) == {}
    little = stale(memory_repo, "--threshold", "0")["pattern-pool"]
    memory_repo.write(DB, "def fetch_from_queue(broker):\n    return broker.receive(timeout=30)\n")
    memory_repo.commit("All of it")
    much = stale(memory_repo)["pattern-pool"]
    assert little["kind"] == much["kind"] == "drift"
    assert float(str(little["score"])) < float(str(much["score"]))


def test_an_entry_expires_by_its_type_and_a_verified_date_renews_it(memory_repo: Repo) -> None:
    assert "pattern-migrations" not in stale(memory_repo, "--threshold", "0.03", today="2027-05-01")
    found = stale(memory_repo, "--threshold", "0.03", today="2027-05-02")["pattern-migrations"]
    assert found["reasons"] == ["not verified for 181 days (since 2026-11-02); its type allows 180"]
    text = memory_repo.read(PATTERN)
    memory_repo.write(PATTERN, text.replace("created:", "verified: 2027-05-01\ncreated:"))
    assert "pattern-migrations" not in stale(memory_repo, "--threshold", "0.03", today="2027-05-02")


def test_age_alone_is_no_alarm_but_is_said(memory_repo: Repo) -> None:
    done = memory_repo.minutebook("refresh", "--check", "--today", "2028-01-01")
    assert done.code == 0
    assert done.out == ("nothing looks stale\n5 entries to look at again for age alone (--threshold 0.03 lists them)\n")
    read = json.loads(memory_repo.minutebook("refresh", "--format", "json", "--today", "2028-01-01").out)
    assert read["findings"] == []
    assert {"pattern-migrations", "project-context"} < set(read["due"])


NEWER = """### DEC-2026-11-10-01 — SQLite
**Decision:** The service stores its data in SQLite.
**Date:** 2026-11-10
**Supersedes:** DEC-2026-11-01-01

"""


def test_an_unmarked_superseded_decision_is_named_and_a_marked_one_is_history(memory_repo: Repo) -> None:
    log = memory_repo.read(LOG)
    memory_repo.write(LOG, log.replace("### DEC-2026-11-03", f"{NEWER}### DEC-2026-11-03", 1))
    memory_repo.commit("Newer")
    found = stale(memory_repo)
    assert list(found) == ["DEC-2026-11-01-01"]
    assert "superseded by DEC-2026-11-10-01 (2026-11-10)" in str(found["DEC-2026-11-01-01"]["reasons"])
    memory_repo.write(LOG, memory_repo.read(LOG) + "\n> SUPERSEDED by DEC-2026-11-10-01\n")
    assert stale(memory_repo) == {}


def test_an_addendum_does_not_move_the_commit_that_a_decision_speaks_of(memory_repo: Repo) -> None:
    memory_repo.write(DB, CODE)
    log = memory_repo.read(LOG).replace("is an Alembic migration.", f"is an Alembic migration, see `{DB}`.")
    memory_repo.write(LOG, log)
    memory_repo.commit("Code")
    memory_repo.git("rm", "--quiet", DB)
    memory_repo.commit("Gone")
    memory_repo.write(LOG, log.replace("**Date:** 2026-11-02\n", "**Date:** 2026-11-02\n\nAddendum: still so.\n"))
    memory_repo.commit("Addendum")
    assert stale(memory_repo)["DEC-2026-11-02-01"]["kind"] == "gone"


def test_an_entry_that_may_be_edited_gets_a_note_once(memory_repo: Repo) -> None:
    with_pool(memory_repo, text=f"Look into {DB} first.")
    memory_repo.git("rm", "--quiet", DB)
    memory_repo.commit("Gone")
    done = memory_repo.minutebook("refresh", "--apply", "--today", TODAY)
    assert done.code == 0, done.err
    noted = memory_repo.read(".memory/patterns/pool.md")
    assert f"\nstale:\n  since: {TODAY}\n  why: {DB} is gone since" in noted
    assert "holds the memory as it was" in done.out
    memory_repo.minutebook("refresh", "--apply", "--today", "2026-11-25")
    assert memory_repo.read(".memory/patterns/pool.md") == noted
    memory_repo.commit("Noted")
    assert "marked stale since" in str(stale(memory_repo)["pattern-pool"]["reasons"])
    assert memory_repo.minutebook("check", "--all", "--today", TODAY).code == 0


def test_a_change_of_tags_does_not_move_the_commit_that_an_entry_speaks_of(memory_repo: Repo) -> None:
    with_pool(memory_repo)
    memory_repo.git("rm", "--quiet", DB)
    memory_repo.commit("Gone")
    text = memory_repo.read(".memory/patterns/pool.md")
    memory_repo.write(".memory/patterns/pool.md", text.replace("created:", "tags: [pool]\ncreated:"))
    memory_repo.commit("A tag")
    assert stale(memory_repo)["pattern-pool"]["kind"] == "gone"
    memory_repo.write(".memory/patterns/pool.md", text.replace("Ask the pool.", "Ask the pool, politely."))
    memory_repo.commit("Says something new, when the file was gone already")
    assert stale(memory_repo) == {}


def test_an_entry_that_was_never_committed_is_judged_by_its_age_alone(memory_repo: Repo) -> None:
    memory_repo.write(".memory/patterns/pool.md", POOL.format(anchor="src/gone.py", text="See `src/gone.py`."))
    assert stale(memory_repo) == {}
    assert "pattern-pool" in stale(memory_repo, "--threshold", "0.03", today="2027-11-20")


def test_a_repository_without_a_commit_has_no_anchors_to_judge(repo: Repo) -> None:
    repo.write(".memory/patterns/pool.md", POOL.format(anchor=DB, text="Ask."))
    assert stale(repo) == {}


def test_check_turns_findings_into_an_exit_code(memory_repo: Repo) -> None:
    assert memory_repo.minutebook("refresh", "--check", "--today", TODAY).code == 0
    arguments = ("--threshold", "0.03", "--today", "2028-01-01", "--format", "github")
    done = memory_repo.minutebook("refresh", "--check", *arguments)
    assert done.code == 1
    assert "::warning file=.memory/patterns/migrations.md,line=" in done.out


def test_a_shallow_clone_cannot_be_judged(memory_repo: Repo) -> None:
    with_pool(memory_repo)
    memory_repo.git("clone", "--quiet", "--depth", "1", memory_repo.path.as_uri(), "shallow")
    done = memory_repo.minutebook("refresh", cwd="shallow")
    assert done.code == 2
    assert "git fetch --unshallow" in done.err


def test_a_dry_run_writes_nothing_and_keeps_no_snapshot(memory_repo: Repo) -> None:
    with_pool(memory_repo)
    memory_repo.git("rm", "--quiet", DB)
    memory_repo.commit("Gone")
    done = memory_repo.minutebook("refresh", "--dry-run", "--today", TODAY)
    assert "edit pattern pattern-pool" in done.out
    assert memory_repo.git("status", "--porcelain") == ""
    assert memory_repo.git("for-each-ref", "refs/minutebook") == ""


def test_reasons_print_no_escape_sequence_of_an_entry(memory_repo: Repo) -> None:
    with_pool(memory_repo)
    path = ".memory/patterns/pool.md"
    hostile = 'stale: {since: 2026-11-01, why: "\\e[2J\\u202egone\\n::error::x"}\ncreated:'
    memory_repo.write(path, memory_repo.read(path).replace("created:", hostile))
    done = memory_repo.minutebook("refresh", "--today", TODAY)
    assert "marked stale since 2026-11-01" in done.out
    assert not {"\x1b", "\u202e"} & set(done.out)
    assert not any(line.startswith("::") for line in done.out.split("\n"))
