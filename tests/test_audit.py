"""Every commit of a history is judged by the gate's own rules: on real git, through the command line."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import FIRST, LOG, LOG_HEAD, SECOND, THIRD, Done, Repo
from minutebook.audit.judging import Judging
from minutebook.audit.past import Past
from minutebook.audit.windows import Outline, Window, common_end, common_start, grown, outline, window
from minutebook.ground.commits import Edit
from minutebook.ground.config import Config
from minutebook.ground.entry import MemoryFile
from minutebook.ground.log_entry import read_log
from minutebook.ground.memory_type import builtin_types

NEW = """### DEC-2026-11-04-01 — Backups every night
**Context:** A disk broke.
**Decision:** The database is dumped every night.
**Date:** 2026-11-04
"""
OTHER = NEW.replace("11-04-01", "11-04-02").replace("Backups every night", "Restores are rehearsed")
OLD = f"{THIRD}\n{SECOND}\n{FIRST}"
ADR = "docs/adr/0001-use-postgresql.md"
RECORD = """# 1. Use PostgreSQL

Date: 2026-01-01

## Status

Accepted

## Context

Files break.

## Decision

We store uploads in PostgreSQL.
"""


def log(text: str) -> str:
    return LOG_HEAD + text


def commit(repo: Repo, text: str, message: str = "Change", path: str = LOG) -> str:
    repo.write(path, text)
    return repo.commit(message)


def swapped(repo: Repo, old: str, new: str, message: str = "Change", path: str = LOG) -> str:
    before = repo.read(path)
    assert old in before
    return commit(repo, before.replace(old, new), message, path)


def audit(repo: Repo, *arguments: str) -> tuple[Done, list[dict[str, Any]]]:
    """(how it ended, what was broken) of an audit as JSON."""
    done = repo.minutebook("audit", "--format", "json", *arguments)
    return done, json.loads(done.out)["broken"] if done.code < 2 else []


def merged(repo: Repo, text: str | None, message: str = "Merge") -> str:
    """Merge the branch `side` into main, with this text of the log as the result (None: what git makes of it)."""
    repo.git("checkout", "--quiet", "main")
    if text is None:
        repo.git("merge", "--quiet", "--no-ff", "--no-verify", "-m", message, "side")
        return repo.git("rev-parse", "HEAD")
    repo.run("git", "merge", "--quiet", "--no-ff", "--no-commit", "--no-verify", "side")
    return commit(repo, text, message)


def branches(repo: Repo, ours: str, theirs: str) -> None:
    """A commit on main and one on `side`, which left main before it."""
    repo.git("checkout", "--quiet", "-b", "side")
    commit(repo, theirs, "Theirs")
    repo.git("checkout", "--quiet", "main")
    commit(repo, ours, "Ours")


def test_a_history_that_only_grew_is_fine(memory_repo: Repo) -> None:
    repo = memory_repo
    commit(repo, log(NEW.replace("**Date:**", "**Status:** proposed\n**Date:**") + f"\n{OLD}"))
    swapped(repo, "every night.", "every hour.")
    swapped(repo, "**Status:** proposed\n", "**Status:** accepted\n")
    swapped(repo, "— PostgreSQL\n", "— PostgreSQL\n> SUPERSEDED by DEC-2026-11-03-01\n")
    swapped(repo, "**Date:** 2026-11-02\n", "**Date:** 2026-11-02\n**Addendum:** It works.\n")
    swapped(repo, LOG_HEAD, "# Decisions\n\n")
    repo.write("README.md", "# Other\n")
    repo.commit()
    done, broken = audit(repo)
    assert (done.code, broken) == (0, [])
    text = repo.minutebook("audit")
    assert (text.out, text.err) == (
        "",
        "minutebook: judged 8 commits, 7 entries at HEAD: nothing published was ever broken\n",
    )


BREAKS: list[tuple[str, Callable[[str], str | None], str, str]] = [
    ("a word changed", lambda text: text.replace("Alembic migration", "shell script"), "DEC-2026-11-02-01", "text was"),
    ("an entry deleted", lambda text: text.replace(f"{SECOND}\n", ""), "DEC-2026-11-02-01", "is gone"),
    ("the log emptied", lambda text: LOG_HEAD, "DEC-2026-11-03-01", "is gone"),
    ("the log deleted", lambda text: None, "DEC-2026-11-03-01", "is gone"),
    ("an id changed", lambda text: text.replace("11-02-01 —", "11-02-09 —"), "DEC-2026-11-02-01", "its id was changed"),
    ("entries reordered", lambda text: log(f"{THIRD}\n{FIRST}\n{SECOND}"), "DEC-2026-11-0", "was moved within its log"),
    ("inserted in the middle", lambda text: log(f"{THIRD}\n{NEW}\n{SECOND}\n{FIRST}"), "DEC-2026-11-04-01",
     "stands past"),
    ("appended at the closed end", lambda text: log(f"{OLD}\n{NEW}"), "DEC-2026-11-04-01", "stands past"),
    ("an id used twice", lambda text: log(NEW.replace("11-04-01", "11-01-01") + OLD), "DEC-2026-11-01-01", "twice"),
    ("a fence that swallows the rest", lambda text: log(f"{NEW}```\n{OLD}"), "DEC-2026-11-0", "is gone"),
    ("sealed turned into a draft", lambda text: text.replace("**Date:** 2026-11-01", "**Date:** 2026-11-01\n"
     "**Status:** proposed"), "DEC-2026-11-01-01", "turned back into a draft"),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "entry", "words"), [each[1:] for each in BREAKS], ids=[each[0] for each in BREAKS])
def test_what_the_gate_refuses_is_found_and_named_by_its_commit(
    memory_repo: Repo, edit: Callable[[str], str | None], entry: str, words: str
) -> None:
    repo = memory_repo
    commit(repo, repo.read(LOG) + "\n", "Blank line")
    text = edit(repo.read(LOG))
    if text is None:
        repo.git("rm", "--quiet", LOG)
    else:
        repo.write(LOG, text)
    evil = repo.commit("Tidy up")
    repo.write("README.md", "# Later\n")
    repo.commit("Later")
    done, broken = audit(repo)
    assert done.code == 1
    found = [each for row in broken for each in row["breaks"] if row["entry"].startswith(entry)]
    assert found
    assert {each["commit"] for row in broken for each in row["breaks"]} == {evil}
    assert any(words in each["message"] for each in found)
    assert all(row["published"] and row["still_broken"] for row in broken)
    assert found[0]["subject"] == "Tidy up"


def test_what_was_restored_is_told_once_and_the_restoring_commit_is_no_culprit(memory_repo: Repo) -> None:
    repo = memory_repo
    evil = swapped(repo, "Alembic migration", "shell script")
    commit(repo, log(f"{NEW}\n{repo.read(LOG).removeprefix(LOG_HEAD)}"))
    good = swapped(repo, "shell script", "Alembic migration")
    done, broken = audit(repo)
    assert done.code == 1
    assert [(row["entry"], row["restored_by"], row["still_broken"]) for row in broken] == [
        ("DEC-2026-11-02-01", good, False)
    ]
    assert [each["commit"] for each in broken[0]["breaks"]] == [evil]
    swapped(repo, "Alembic migration", "shell script")
    _, again = audit(repo)
    assert (again[0]["restored_by"], again[0]["still_broken"], len(again[0]["breaks"])) == ("", True, 2)


def test_an_entry_that_went_and_came_back_was_broken_and_is_not_any_more(memory_repo: Repo) -> None:
    text = memory_repo.read(LOG)
    swapped(memory_repo, f"{THIRD}\n", "")
    commit(memory_repo, text)
    done, broken = audit(memory_repo)
    assert (done.code, [(row["entry"], row["still_broken"]) for row in broken]) == (1, [("DEC-2026-11-03-01", False)])
    assert "restored at HEAD" in memory_repo.minutebook("audit").out


def test_who_restored_it_is_forgotten_when_it_is_broken_again(memory_repo: Repo) -> None:
    text = memory_repo.read(LOG)
    swapped(memory_repo, THIRD, THIRD.replace("**Decision:** ", "**Decision:** Not: "))
    commit(memory_repo, text)
    swapped(memory_repo, f"{THIRD}\n", "")
    commit(memory_repo, text)
    _, broken = audit(memory_repo)
    assert [(row["restored_by"], row["still_broken"]) for row in broken] == [("", False)]


@pytest.mark.parametrize("order", [f"{NEW}\n{OTHER}\n{OLD}", f"{OTHER}\n{NEW}\n{OLD}"])
def test_a_merge_of_two_branches_that_appended_is_fine_in_either_order(memory_repo: Repo, order: str) -> None:
    branches(memory_repo, log(f"{NEW}\n{OLD}"), log(f"{OTHER}\n{OLD}"))
    merged(memory_repo, log(order))
    assert audit(memory_repo)[0].code == 0


EVIL = {
    "edits what both have": (log(f"{NEW}\n{OTHER}\n{OLD}").replace("Alembic migration", "script"), "DEC-2026-11-02-01"),
    "drops what both have": (log(f"{NEW}\n{OTHER}\n{THIRD}\n{FIRST}"), "DEC-2026-11-02-01"),
    "drops theirs": (log(f"{NEW}\n{OLD}"), "DEC-2026-11-04-02"),
    "edits theirs": (log(f"{NEW}\n{OTHER.replace('dumped', 'kept')}\n{OLD}"), "DEC-2026-11-04-02"),
    "drops ours": (log(f"{OTHER}\n{OLD}"), "DEC-2026-11-04-01"),
    "brings one in": (
        log(f"{NEW.replace('04-01', '05-01').replace('disk', 'pipe')}\n{NEW}\n{OTHER}\n{OLD}"), "DEC-2026-11-05-01"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "entry"), EVIL.values(), ids=EVIL.keys())
def test_an_evil_merge_is_found(memory_repo: Repo, text: str, entry: str) -> None:
    branches(memory_repo, log(f"{NEW}\n{OLD}"), log(f"{OTHER}\n{OLD}"))
    evil = merged(memory_repo, text)
    done, broken = audit(memory_repo)
    assert done.code == 1
    assert {row["entry"] for row in broken} == {entry}
    assert {each["commit"] for row in broken for each in row["breaks"]} == {evil}


def test_a_merge_that_takes_only_our_side_loses_what_theirs_had(memory_repo: Repo) -> None:
    branches(memory_repo, log(OLD) + "\n", log(f"{OTHER}\n{OLD}"))
    memory_repo.git("merge", "--quiet", "--strategy=ours", "--no-verify", "-m", "Merge", "side")
    _, broken = audit(memory_repo)
    assert [row["entry"] for row in broken] == ["DEC-2026-11-04-02"]


def test_a_branch_may_change_its_own_entries_and_not_what_was_published(memory_repo: Repo) -> None:
    repo = memory_repo
    repo.git("checkout", "--quiet", "-b", "side")
    commit(repo, log(f"{NEW}\n{OLD}"))
    swapped(repo, "every night.", "every hour.")
    merged(repo, None)
    assert audit(repo)[0].code == 0


def test_what_a_branch_broke_and_mended_before_its_merge_was_never_published(memory_repo: Repo) -> None:
    repo = memory_repo
    repo.git("checkout", "--quiet", "-b", "side")
    evil = swapped(repo, "Alembic migration", "script")
    repo.write("README.md", "# Later\n")
    repo.commit()
    swapped(repo, "script", "Alembic migration")
    merged(repo, None)
    done, broken = audit(repo)
    assert done.code == 0
    assert [(row["published"], [each["commit"] for each in row["breaks"]]) for row in broken] == [(False, [evil])]
    assert "on a branch, never published" in repo.minutebook("audit").out


def test_what_a_branch_broke_and_a_merge_published_names_both(memory_repo: Repo) -> None:
    repo = memory_repo
    repo.git("checkout", "--quiet", "-b", "side")
    evil = swapped(repo, "Alembic migration", "script")
    merge = merged(repo, None)
    done, broken = audit(repo)
    assert done.code == 1
    assert [(row["published_by"], row["breaks"][0]["commit"]) for row in broken] == [(merge, evil)]
    assert f"published by {merge[:12]}" in repo.minutebook("audit").out


def test_a_branch_that_merges_main_in_is_compared_with_what_was_published_then(memory_repo: Repo) -> None:
    repo = memory_repo
    branches(repo, log(f"{NEW}\n{OLD}"), repo.read(LOG))
    repo.git("checkout", "--quiet", "side")
    repo.git("merge", "--quiet", "--no-verify", "-m", "Merge main", "main")
    evil = swapped(repo, "every night.", "every hour.")
    merged(repo, None)
    done, broken = audit(repo)
    assert (done.code, broken[0]["entry"], broken[0]["breaks"][0]["commit"]) == (1, "DEC-2026-11-04-01", evil)


def test_a_change_that_narrows_the_promise_is_found_and_the_old_promise_judges_it(memory_repo: Repo) -> None:
    repo = memory_repo
    repo.write(".minutebook.yaml", "roots: [docs/memory]\n")
    swapped(repo, "Alembic migration", "script")
    done, broken = audit(repo)
    assert done.code == 1
    assert {row["rule"] for row in broken} == {"append-only", "scope"}


def test_a_commit_that_only_narrows_the_promise_is_found(memory_repo: Repo) -> None:
    evil = commit(memory_repo, "roots: [docs/memory]\n", path=".minutebook.yaml")
    _, broken = audit(memory_repo)
    assert [(row["rule"], row["breaks"][0]["commit"]) for row in broken] == [("scope", evil)]


def test_reading_a_record_as_a_log_would_lose_it(repo: Repo) -> None:
    repo.write(".minutebook.yaml", "places: {decision: docs/adr/*.md}\n")
    commit(repo, RECORD, path=ADR)
    commit(repo, f"places: {{decision: [{ADR}]}}\n", path=".minutebook.yaml")
    _, broken = audit(repo)
    assert [row["rule"] for row in broken] == ["scope"]


def test_an_id_that_another_file_holds_is_not_new(memory_repo: Repo) -> None:
    repo = memory_repo
    domain = ".memory/decisions/database.md"
    commit(repo, log(NEW), path=domain)
    commit(repo, log(f"{OTHER.replace('04-02', '02-01')}\n{NEW}"), path=domain)
    _, broken = audit(repo)
    assert [(row["entry"], row["breaks"][0]["path"]) for row in broken] == [("DEC-2026-11-02-01", domain)]


def test_an_entry_that_is_copied_to_a_log_that_grows_in_the_same_commit_stands_twice(memory_repo: Repo) -> None:
    repo = memory_repo
    domain = ".memory/decisions/database.md"
    commit(repo, log(NEW), path=domain)
    repo.write(domain, log(f"{FIRST}\n{NEW}"))
    commit(repo, log(f"{OTHER}\n{OLD}"))
    _, broken = audit(repo)
    assert [row["entry"] for row in broken] == ["DEC-2026-11-01-01"]


def test_since_judges_what_is_newer_than_a_commit_or_a_day(memory_repo: Repo) -> None:
    repo = memory_repo
    old = swapped(repo, "Alembic migration", "script")
    repo.write("README.md", "# Later\n")
    later = {"GIT_COMMITTER_DATE": "2026-12-24T12:00:00Z"}
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "--no-verify", "-m", "Later", **later)
    assert audit(repo)[0].code == 1
    assert audit(repo, "--since", old)[0].code == 0
    assert audit(repo, "--since", f"{old}~1")[0].code == 1
    assert audit(repo, "--since", "2026-12-24")[0].code == 0
    assert json.loads(audit(repo, "--since", "2026-12-24")[0].out)["commits"] == 1
    assert audit(repo, "--since", "2026-01-01")[0].code == 1


def test_what_can_not_be_judged_is_no_pass(memory_repo: Repo, tmp_path: Path) -> None:
    repo = memory_repo
    commit(repo, log(f"{NEW}\n{OLD}"))
    commit(repo, log(f"{OTHER}\n{NEW}\n{OLD}"))
    for arguments in (["nowhere"], ["--since", "nowhere"], ["--since", "2026-02-30"], ["--", "-x"]):
        assert repo.minutebook("audit", *arguments).code == 2, arguments
    repo.run("git", "clone", "--quiet", "--depth=2", f"file://{repo.path}", tmp_path / "shallow")
    shallow = Repo(tmp_path / "shallow", repo.env)
    done = shallow.minutebook("audit")
    assert (done.code, "fetch-depth" in done.err) == (2, True)
    for arguments in (["--since", "HEAD~9"], ["HEAD~9"]):
        done = shallow.minutebook("audit", *arguments)
        assert (done.code, "git fetch --unshallow" in done.err) == (2, True)
    assert shallow.minutebook("audit", "--since", "HEAD~1").code == 0
    assert shallow.minutebook("audit", "--since", "2020-01-01").code == 2
    shallow.git("fetch", "--quiet", "--unshallow")
    assert shallow.minutebook("audit").code == 0
    blob = repo.git("rev-parse", f"HEAD~1:{LOG}")
    (repo.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    lacking = repo.minutebook("audit")
    assert (lacking.code, blob[:12] in lacking.err) == (2, True)


def test_a_root_commit_and_an_empty_repository(repo: Repo) -> None:
    assert repo.minutebook("audit").code == 2
    commit(repo, log(FIRST))
    done, _ = audit(repo)
    assert (done.code, json.loads(done.out)["entries"]) == (0, 1)


@pytest.mark.parametrize(
    ("config", "places"),
    [
        ("budget: 500", ".memory, .gaai/project/contexts/memory"),
        ("places: {decision: docs/ard/*.md}", "docs/ard/*.md"),
        ("roots: [docs/memory]", "docs/memory"),
    ],
)
def test_a_history_without_an_entry_was_not_judged(repo: Repo, config: str, places: str) -> None:
    repo.write("mine.yaml", f"{config}\n")
    commit(repo, RECORD, path=ADR)
    for arguments in ([], ["--format", "json"], ["--since", "2020-01-01"]):
        done = repo.minutebook("audit", "--config", "mine.yaml", *arguments)
        assert (done.code, done.out) == (2, "")
        assert "no commit of 1 holds an entry, so nothing was judged; looked at" in done.err
        assert places in done.err


def test_drafts_that_went_were_judged_and_a_log_that_was_emptied_is_broken(repo: Repo) -> None:
    commit(repo, log(NEW.replace("**Date:**", "**Status:** proposed\n**Date:**")))
    commit(repo, LOG_HEAD)
    done, _ = audit(repo)
    assert (done.code, json.loads(done.out)["entries"]) == (0, 0)
    commit(repo, log(OLD))
    commit(repo, LOG_HEAD)
    done, broken = audit(repo)
    assert (done.code, len(broken), json.loads(done.out)["entries"]) == (1, 3, 0)
    commit(repo, f"{LOG_HEAD}\n")
    assert audit(repo, "--since", "HEAD~1")[0].code == 2


def test_what_was_asked_for_is_what_it_speaks_of(memory_repo: Repo) -> None:
    swapped(memory_repo, "# Decisions", "# All decisions")
    done = memory_repo.minutebook("audit", "--since", "HEAD~1")
    assert (done.code, done.err) == (
        0,
        "minutebook: judged 1 commit, 6 entries at HEAD: nothing published was broken since HEAD~1\n",
    )
    done = memory_repo.minutebook("audit", "--since", "2099-01-01")
    assert (done.code, done.err) == (0, "minutebook: no commit since 2099-01-01: nothing was judged\n")


def expunged(repo: Repo) -> str:
    """The log with a tombstone in place of its newest entry, committed."""
    assert repo.minutebook("expunge", "DEC-2026-11-03-01", "--reason", "a credential").code == 0
    repo.commit("Expunge")
    return repo.read(LOG)


def test_a_history_rewritten_to_hold_the_tombstone_from_the_start_is_fine(memory_repo: Repo) -> None:
    repo = memory_repo
    stone = expunged(repo)
    repo.git("checkout", "--quiet", "--orphan", "rewritten")
    commit(repo, stone, "Rewritten")
    swapped(repo, LOG_HEAD, f"{LOG_HEAD}{NEW}\n")
    swapped(repo, "a credential\n> sha256", "a credential  \n> sha256")
    swapped(repo, "a credential  \n> sha256", "a credential\n> sha256")
    done, broken = audit(repo)
    assert (done.code, broken) == (0, [])


def test_a_tombstone_of_a_text_that_was_purged_names_the_way_to_judge_what_came_after(memory_repo: Repo) -> None:
    repo = memory_repo
    first = repo.read(LOG)
    stone = expunged(repo)
    repo.git("checkout", "--quiet", "--orphan", "rewritten")
    commit(repo, first.replace("PostgreSQL", "REMOVED"), "Rewritten")
    at = commit(repo, stone, "Expunge")
    done = repo.minutebook("audit")
    assert (done.code, "its tombstone names another text" in done.out) == (1, True)
    assert f"judge what came after, by `minutebook audit --since {at[:12]}`" in done.out
    assert repo.minutebook("audit", "--since", at[:12]).code == 0


def test_the_text_says_an_id_once_and_last_what_to_do(memory_repo: Repo) -> None:
    swapped(memory_repo, "Alembic migration", "script")
    out = memory_repo.minutebook("audit").out
    assert out.startswith("DEC-2026-11-02-01: append-only: its text was changed: ")
    assert out.count("DEC-2026-11-02-01") == 1
    for way in ("restore it in a new commit", "`Supersedes: ID`", "`minutebook expunge ID`"):
        assert out.split("To put one right")[1].count(way) == 1
    swapped(memory_repo, "script", "Alembic migration")
    assert "To put one right" not in memory_repo.minutebook("audit").out


@pytest.mark.parametrize("width", [100, 120, 140])
def test_the_table_is_no_wider_than_the_terminal_and_names_the_path(memory_repo: Repo, width: int) -> None:
    path = ".memory/decisions/of-a-domain-with-a-long-name.md"
    commit(memory_repo, log(NEW), path=path)
    at = swapped(memory_repo, "The database", "What " * 40, "Tidy up " * 20, path)
    swapped(memory_repo, "Alembic migration", "script")
    rows = memory_repo.minutebook("audit", "--format", "table", COLUMNS=str(width)).out.split("\n")
    assert len(rows) == 4
    assert all(len(row) <= width for row in rows)
    assert at[:12] in rows[1]
    assert "-name.md  its text was" in rows[1]
    assert "decisions/_log.md " in rows[2]


def test_what_a_subject_holds_never_reaches_the_terminal(memory_repo: Repo) -> None:
    swapped(memory_repo, "Alembic migration", "script", "Ti\x1b[31mdy \u202eup")
    for form in ("text", "table", "json"):
        out = memory_repo.minutebook("audit", "--format", form, COLUMNS="120").out
        assert "Ti" in out
        assert not {"\x1b", "\u202e"} & set(out)


def test_the_table_has_a_line_for_each_entry(memory_repo: Repo) -> None:
    first = swapped(memory_repo, "Alembic migration", "script", "Tidy up")
    swapped(memory_repo, f"\n{FIRST}", "", "Tidy up more")
    rows = memory_repo.minutebook("audit", "--format", "table", COLUMNS="120").out.split("\n")
    assert rows[0].split() == ["entry", "broken", "on", "by", "path", "what", "at", "HEAD"]
    assert rows[1].startswith(f"DEC-2026-11-02-01  2026-11-20  {first[:12]} Tidy up")
    assert rows[1].endswith("  broken")
    assert rows[2].startswith("DEC-2026-11-01-01")
    assert len(rows) == 4


STATUS = "## Status\n\nAccepted\n"
TABLE = "| | |\n|---|---|\n| **Status** | {} |\n| Superseded by: | N/A |\n"
RECORDS: list[tuple[str, str, str, int]] = [
    ("a word changed", RECORD, RECORD.replace("PostgreSQL.", "SQLite."), 1),
    ("a draft", RECORD.replace("Accepted", "Proposed"), "# 1. Use SQLite\n\n## Status\n\nProposed\n", 0),
    ("a status word of the config", RECORD.replace("Accepted", "In review"), "# 1. Use SQLite\n", 0),
    ("a status that nobody knows is sealed", RECORD.replace("Accepted", "Implemented"), "# 1. Use SQLite\n", 1),
    ("no status is sealed", RECORD.replace(STATUS, ""), RECORD.replace(STATUS, "").replace("break", "rot"), 1),
    ("accepted", RECORD.replace("Accepted", "Proposed"), RECORD, 0),
    ("superseded", RECORD, RECORD.replace("Accepted", "Superseded by [2](0002-use-sqlite.md)"), 0),
    ("superseded in part", RECORD, RECORD.replace("Accepted", "Accepted, then **superseded** in part by 2"), 0),
    ("a note below the status", RECORD, RECORD.replace("Accepted\n", "Accepted\n\nAmended in 2027 by 7.\n"), 0),
    ("its number grew into another", RECORD.replace("Accepted", "Accepted by 1"),
     RECORD.replace("Accepted", "Accepted by 12"), 1),
    ("reopened", RECORD.replace("Accepted", "Superseded by 2"), RECORD, 1),
    ("turned back into a draft", RECORD, RECORD.replace("Accepted", "Proposed"), 1),
    ("another note", RECORD.replace("Accepted\n", "Accepted\n\nNote: see 7.\n"),
     RECORD.replace("Accepted\n", "Accepted\n\nNote: see 8.\n"), 1),
    ("superseded, and its note gone", RECORD.replace("Accepted\n", "Accepted\n\nNote: see 7.\n"),
     RECORD.replace("Accepted\n", "Superseded by 2\n"), 1),
    ("an addendum at the end", RECORD, RECORD + "\n## Later\n\nIt works.\n", 0),
    ("text put into a section", RECORD, RECORD.replace("break.\n", "break.\n\nAnd rot.\n"), 1),
    ("a draft by its row", TABLE.format("Draft") + RECORD.replace(STATUS, ""), "# 1. Use SQLite\n", 0),
    ("sealed by its row", f"# 1. A\n\n{TABLE.format('Approved')}\n## What\n\nPostgreSQL.\n",
     f"# 1. A\n\n{TABLE.format('Approved')}\n## What\n\nSQLite.\n", 1),
    ("superseded by its row", f"# 1. A\n\n{TABLE.format('Approved')}\n## What\n\nPostgreSQL.\n",
     f"# 1. A\n\n{TABLE.format('Superseded').replace('N/A', '0002')}\n## What\n\nPostgreSQL.\n", 0),
    ("a draft by its label", "# A\n\n* Status: draft\n* Date: 2026-01-01\n\n## Context\n\nX.\n", "# B\n", 0),
    ("a draft by its quoted label", "# A\n\n> Status: draft\n\n## Context\n\nX.\n", "# B\n", 0),
    ("sealed by its label", "# A\n\n- **Status:** accepted\n\n## Context\n\nX.\n",
     "# A\n\n- **Status:** accepted\n\n## Context\n\nY.\n", 1),
    ("superseded by its label", "# A\n\n* Status: accepted\n\n## Context\n\nX.\n",
     "# A\n\n* Status: superseded by [B](b.md)\n\n## Context\n\nX.\n", 0),
    ("a draft by its front matter", "---\nstatus: proposed\n---\n# A\n\nX.\n", "---\nstatus: accepted\n---\n# B\n", 0),
    ("sealed by its front matter", "---\nstatus: accepted\n---\n# A\n\nX.\n",
     "---\nstatus: accepted\n---\n# A\n\nY.\n", 1),
    ("superseded by its front matter", "---\nstatus: accepted\n---\n# A\n\nX.\n",
     "---\nstatus: superseded by 2\n---\n# A\n\nX.\n", 0),
    ("front matter that says draft put on top", RECORD, f"---\nstatus: draft\n---\n{RECORD}", 1),
    ("front matter that nobody can read", "---\nby: [@ada]\n---\n# A\n\nX.\n", "---\nby: [@ada]\n---\n# A\n\nY.\n", 1),
    ("a row of a fence", "# A\n\n```\nStatus: draft\n```\n\n## Context\n\nX.\n", "# B\n", 1),
    ("a label below the first section", "# A\n\n## Context\n\nStatus: draft\n", "# B\n", 1),
    ("a status that only a fence holds", RECORD.replace(STATUS, "") + "\n```\n## Status\n\nDraft\n```\n", "# B\n", 1),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "code"), [each[1:] for each in RECORDS], ids=[each[0] for each in RECORDS])
def test_decision_records_of_a_foreign_repository(repo: Repo, old: str, new: str, code: int) -> None:
    repo.write("mine.yaml", "places: {decision: docs/adr/*.md}\nstatus: {decision: {draft: [in review]}}\n")
    commit(repo, old, path=ADR)
    commit(repo, new, path=ADR)
    done, broken = audit(repo, "--config", "mine.yaml")
    assert (done.code, len(broken)) == (code, code)


MOVES: list[tuple[str, str, str, int]] = [
    ("a sealed record is renumbered", RECORD, "docs/adr/0003-use-postgresql.md", 1),
    ("a draft is renumbered", RECORD.replace("Accepted", "Draft"), "docs/adr/0003-use-postgresql.md", 0),
    ("a record is moved", RECORD, "docs/adr/storage/0001-use-postgresql.md", 0),
    ("a record is moved out", RECORD, "docs/0001-use-postgresql.md", 1),
]


@pytest.mark.parametrize(("text", "target", "code"), [each[1:] for each in MOVES], ids=[each[0] for each in MOVES])
def test_a_record_is_its_file_name(repo: Repo, text: str, target: str, code: int) -> None:
    repo.write(".minutebook.yaml", 'places: {decision: "docs/adr/**/*.md"}\n')
    commit(repo, text, path=ADR)
    (repo.path / target).parent.mkdir(exist_ok=True)
    repo.git("mv", ADR, target)
    repo.commit()
    assert audit(repo)[0].code == code


@pytest.mark.parametrize("name", ["0000-adr-template.md", "adr-template.md", "template.md", "README.md", "index.md"])
def test_templates_and_indexes_are_no_records(repo: Repo, name: str) -> None:
    repo.write(".minutebook.yaml", "places: {decision: docs/adr/*.md}\n")
    repo.write("docs/adr/0012-a-record.md", RECORD)
    commit(repo, RECORD, path=f"docs/adr/{name}")
    commit(repo, "# Another\n", path=f"docs/adr/{name}")
    assert audit(repo)[0].code == 0


def test_numbers_may_collide_and_a_name_like_a_template_is_a_record(repo: Repo) -> None:
    repo.write(".minutebook.yaml", "places: {decision: [docs/adr/*.md]}\n")
    for name in ("0009-one.md", "0009-two.md", "0012-use-a-template-engine.md"):
        repo.write(f"docs/adr/{name}", RECORD)
    repo.commit()
    for name in ("0009-one.md", "0012-use-a-template-engine.md"):
        commit(repo, RECORD.replace("break", "rot"), path=f"docs/adr/{name}")
    _, broken = audit(repo)
    assert [row["entry"] for row in broken] == ["0009-one", "0012-use-a-template-engine"]


def test_a_single_file_is_a_log_whose_entries_end_at_any_heading_of_their_level(repo: Repo) -> None:
    repo.write(".minutebook.yaml", "places: {decision: DECISIONS.md}\norder: {decision: oldest-first}\n")
    text = "# Decisions\n\n## D-1 — Queue\n\nA queue.\n\n## Open questions\n\nNone.\n"
    commit(repo, text, path="DECISIONS.md")
    commit(repo, text.replace("None.", "One."), path="DECISIONS.md")
    commit(repo, f"{repo.read('DECISIONS.md')}\n## D-2 — Retries\n\nThree.\n", path="DECISIONS.md")
    assert audit(repo)[0].code == 0
    swapped(repo, "A queue.", "No queue.", path="DECISIONS.md")
    _, broken = audit(repo)
    assert [row["entry"] for row in broken] == ["D-1"]


FORMS = [
    "Status: {}", "- Status: {}", "* Status: {}", "> Status: {}", ">Status: {}", "**Status**: {}", "- **Status:** {}",
    "| Status | {} |", "| | |\n|---|---|\n| **Status** | {} |", "### Status\n\n{}",
]  # fmt: skip
STATED: list[tuple[str, str, str, str, int]] = [
    ("a draft may change", "Proposed", "Three.", "Accepted", 0),
    ("what is accepted stays", "Accepted", "Three.", "Accepted", 1),
    ("it is superseded", "Accepted", "Two.", "Superseded by D-2", 0),
    ("it is no draft again", "Accepted", "Two.", "Proposed", 1),
    ("it is not reopened", "Superseded by D-2", "Two.", "Accepted", 1),
]
FOREIGN = "# Decisions\n\n## D-1 — Retries\n\n{}\n\n{}\n\n## D-2 — Queue\n\nA queue.\n"


def of_a_log(repo: Repo, *texts: str) -> int:
    """How the audit of a log of other people ends that held these texts."""
    repo.write(".minutebook.yaml", "places: {decision: DECISIONS.md}\norder: {decision: oldest-first}\n")
    for text in texts:
        commit(repo, text, path="DECISIONS.md")
    return audit(repo)[0].code


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("was", "text", "now", "code"), [each[1:] for each in STATED], ids=[each[0] for each in STATED]
)
def test_a_log_of_other_people_says_a_status_as_records_do(
    repo: Repo, form: str, was: str, text: str, now: str, code: int
) -> None:
    before, after = FOREIGN.format(form.format(was), "Two."), FOREIGN.format(form.format(now), text)
    assert of_a_log(repo, before, after) == code


STATUS_OR_TEXT: list[tuple[str, str, str, int]] = [
    ("a label of ours counts, the rest is text", "**Status:** accepted\n\nStatus: draft", "Status: other", 1),
    ("an addendum turns nothing into a draft", "Plain.", "Plain.\n\nStatus: draft", 1),
    ("evidence says nothing", "**Source:** session 1\n> a\n> Status: draft", "**Source:** session 1\n> b", 1),
    ("a quote says what it says", "> Status: draft", "Anything.", 0),
    ("a fence says nothing", "```\nStatus: draft\n```", "Anything.", 1),
    ("a section of its own says nothing", "### Context\n\nStatus: draft", "Anything.", 1),
    ("a status ends what stands above it", "**Decision:** Three.\nStatus: accepted",
     "**Decision:** Three.\nStatus: superseded by D-2", 0),
    ("none is no status", "Status: none", "Anything.", 1),
    ("a status said twice", "Status: accepted", "Status: draft\nStatus: accepted", 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("was", "now", "code"), [each[1:] for each in STATUS_OR_TEXT], ids=[each[0] for each in STATUS_OR_TEXT]
)
def test_what_counts_as_a_status_in_a_log_of_other_people(repo: Repo, was: str, now: str, code: int) -> None:
    assert of_a_log(repo, FOREIGN.format(was, "Two."), FOREIGN.format(now, "Two.")) == code


def test_an_addendum_below_a_label_of_ours_is_text(repo: Repo) -> None:
    label = "**Status:** accepted"
    assert of_a_log(repo, FOREIGN.format(label, "Two."), FOREIGN.format(label, "Two.\n\nStatus: deployed")) == 0


def test_a_log_of_our_own_says_its_status_in_a_label_alone(memory_repo: Repo) -> None:
    draft = NEW.replace("**Date:**", "Status: proposed\n**Date:**")
    commit(memory_repo, log(f"{draft}\n{OLD}"))
    swapped(memory_repo, "every night.", "every hour.")
    assert audit(memory_repo)[0].code == 1


def test_a_mapped_place_is_judged_by_a_check_and_served(memory_repo: Repo) -> None:
    repo = memory_repo
    repo.write(".minutebook.yaml", "places: {decision: docs/adr/*.md}\n")
    commit(repo, RECORD, path=ADR)
    assert "store uploads in PostgreSQL" in repo.minutebook("retrieve", "store uploads").out
    assert repo.minutebook("check", "--all").code == 0
    repo.write(ADR, RECORD.replace("PostgreSQL.", "SQLite."))
    repo.git("add", "--all")
    done = repo.minutebook("check", "--staged")
    assert (done.code, f"{ADR}:15: append-only: 0001-use-postgresql is sealed" in done.out) == (1, True)
    assert repo.minutebook("check").code == 1
    repo.write(ADR, RECORD)
    repo.write(".minutebook.yaml", "places: {decision: docs/rfc/*.md}\n")
    repo.git("add", "--all")
    done = repo.minutebook("check", "--staged")
    assert (done.code, f"{ADR} holds entries of decision" in done.out) == (1, True)


@pytest.mark.parametrize("line", ["places: {decisions: docs/adr/*.md}", "status: {choice: {draft: [review]}}"])
def test_a_config_that_speaks_of_no_type_is_a_problem(memory_repo: Repo, line: str) -> None:
    memory_repo.write(".minutebook.yaml", f"{line}\n")
    memory_repo.git("add", "--all")
    done = memory_repo.minutebook("check", "--staged")
    assert (done.code, ".minutebook.yaml: type: the config speaks of the type" in done.out) == (1, True)


UNKNOWN_KEYS = [("place: {decision: x.md}", "did you mean `places`?"), ("xyz: 1", "the keys are root, roots, ")]


@pytest.mark.parametrize(("line", "hint"), UNKNOWN_KEYS)
def test_a_key_that_no_config_has_is_named_with_the_nearest_one(repo: Repo, line: str, hint: str) -> None:
    commit(repo, RECORD, path=ADR)
    repo.write("mine.yaml", f"budget: 500\n{line}\n")
    done = repo.minutebook("audit", "--config", "mine.yaml")
    assert (done.code, hint in done.err) == (2, True)
    assert f"mine.yaml:2: {line.split(':')[0]!r} is no key of a config" in done.err


def test_the_help_explains_a_config_that_counts(repo: Repo) -> None:
    text = repo.minutebook("audit", "--help").out
    example = text.split("never heard of minutebook:\n")[1].split("\n  Without")[0]
    repo.write("mine.yaml", "\n".join(line[4:] for line in example.split("\n")) + "\n")
    commit(repo, RECORD.replace("Accepted", "In review"), path=ADR)
    commit(repo, RECORD, path=ADR)
    assert repo.minutebook("audit", "--config", "mine.yaml").code == 0
    commit(repo, RECORD.replace("PostgreSQL.", "SQLite."), path=ADR)
    assert repo.minutebook("audit", "--config", "mine.yaml").code == 1


GLOBS = {
    "docs/adr/*.md": (["docs/adr/1.md"], ["docs/adr/x/1.md", "docs/adr/1.txt", "a/docs/adr/1.md"]),
    "**/ADR*.md": (["ADR1.md", "a/b/ADR-2.md"], ["a/NADR.md", "ADR1.mdx"]),
    "docs/**/[a].md": (["docs/[a].md", "docs/x/[a].md"], ["docs/a.md"]),
    "docs/?.md": (["docs/1.md"], ["docs/12.md", "docs//.md"]),
    "DECISIONS.md": (["DECISIONS.md"], ["docs/DECISIONS.md", "decisions.md"]),
}


@pytest.mark.parametrize(("glob", "paths"), GLOBS.items())
def test_what_a_place_covers(glob: str, paths: tuple[list[str], list[str]]) -> None:
    config = Config(mapped={"decision": (glob,)})
    assert [path for group in paths for path in group if config.mapped_as(path)] == paths[0]


@pytest.mark.parametrize(
    "place", ["../x/*.md", "/etc/*.md", ".git/*.md", "docs/*.txt", "a//b.md", "*" * 7 + ".md", "[]"]
)
def test_a_place_that_leads_nowhere_good_is_refused(repo: Repo, place: str) -> None:
    repo.write(".minutebook.yaml", f"places: {{decision: {json.dumps(place) if place != '[]' else place}}}\n")
    repo.write("README.md", "# A\n")
    repo.git("add", "--all")
    done = repo.minutebook("check", "--all")
    assert (done.code, ".minutebook.yaml:1" in done.err) == (2, True)


def versions(seed: int, count: int) -> list[bytes]:
    """Versions of a log, each made of the one before by an edit that is lawful or not, plain or nasty."""
    pick = random.Random(seed)
    number = 0

    def entry() -> str:
        nonlocal number
        number += 1
        words = " ".join(pick.choice(["alpha", "beta", "```", "gamma\n", "<!--", "-->", "delta"]) for _ in range(4))
        extra = pick.choice(
            ["", "", "", "**Status:** proposed\n", "> note\n", f"```\n## D-{number} — no\n```\n", "\n---\n"]
        )
        level = pick.choice(["##", "##", "##", "###"])
        return f"{level} D-{number:03d} — Title\n**Decision:** {words if pick.random() < 0.2 else 'Plain.'}\n{extra}"

    head = pick.choice(["", "# Log\n\n", "---\nupdated: 1\n---\n# Log\n\n", "---\n# Log\n\n"])
    parts = [entry() for _ in range(pick.randrange(1, 5))]
    found = [(head + "\n".join(parts)).encode()]
    for _ in range(count):
        what = pick.randrange(10)
        if what < 4:
            parts.insert(0 if pick.random() < 0.5 else len(parts), entry())
        elif what == 4:
            parts.insert(pick.randrange(len(parts) + 1), entry())
        elif what == 5 and len(parts) > 1:
            parts.pop(pick.randrange(len(parts)))
        elif what == 6:
            at = pick.randrange(len(parts))
            parts[at] += pick.choice(
                ["**Addendum:** More.\n", "> SUPERSEDED by D-001\n", "```\n", "\n", "# Part two\n"]
            )
        elif what == 7:
            at = pick.randrange(len(parts))
            parts[at] = parts[at].replace("Plain", pick.choice(["Other", "Plain", "Plain  "]), 1)
        elif what == 8:
            head = pick.choice([head, "# Log of all\n\n", "---\nupdated: 2\n---\n", "---\n"])
        else:
            parts.append(parts[pick.randrange(len(parts))])
        found.append((head + pick.choice(["\n", "\n", "\n\n"]).join(parts)).encode())
    return found


class Plain(Judging):
    """Judges everything as a whole."""

    def _plain(self, *_: object) -> bool:
        return False


@pytest.mark.parametrize("order", ["newest-first", "oldest-first"])
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_window_says_what_the_whole_says(order: str, seed: int) -> None:
    texts = versions(seed, 12)
    path = "DECISIONS.md"
    config = Config(mapped={"decision": (path,)}, order={"decision": order})
    blobs = {f"b{at}": text for at, text in enumerate(texts)}
    edits = {f"c{at}": (Edit(path, "100644", f"b{at}"),) for at in range(len(texts))}
    past = Past(edits, blobs.__getitem__, lambda commit: {}, [config], config)
    quick, plain = Judging(past), Plain(past)
    past.follow("c0", "", walked=True)
    for at in range(1, len(texts)):
        past.follow(f"c{at}", f"c{at - 1}", walked=True)
        assert quick.problems(f"c{at}", f"c{at - 1}") == plain.problems(f"c{at}", f"c{at - 1}"), (
            texts[at - 1],
            texts[at],
        )


def test_a_plain_append_is_judged_by_a_window_alone() -> None:
    path = "DECISIONS.md"
    config = Config(mapped={"decision": (path,)}, order={"decision": "oldest-first"})
    text = b"# Log\n\n" + b"".join(b"## D-%d - Title\n\nText.\n\n" % at for at in range(30))
    blobs = {"a": text, "b": text + b"## D-30 - Title\n\nText.\n"}
    edits = {"a": (Edit(path, "100644", "a"),), "b": (Edit(path, "100644", "b"),)}
    past = Past(edits, blobs.__getitem__, lambda commit: {}, [config], config)
    past.follow("a", "", walked=True)
    past.follow("b", "a", walked=True)
    judging = Judging(past)
    assert (judging.problems("b", "a"), judging.whole) == ((), 0)


def outlined(data: bytes) -> tuple[MemoryFile, Outline]:
    file = read_log("log.md", data.decode(), builtin_types()["decision"])
    return file, outline(data, file)


def test_a_window_starts_at_a_heading_that_did_not_change() -> None:
    old = b"## D-1 - One\n\nText.\n\n## D-2 - Two\n\nText.\n"
    _, known = outlined(old)
    assert window(old, old.replace(b"## D-2", b"### D-2"), known).first == 0
    assert window(old, old.replace(b"Two\n\nText", b"Two\n\nWord"), known).first == 1


def test_an_entry_that_stands_below_the_window_is_looked_for_in_its_own_place() -> None:
    last = b"## D-2 - Two\n\nText.\n"
    old = b"## D-1 - One\n\nText.\n\n" + last
    new = b"## D-1 - One\n\nText.\n\n" + last + b"# Appendix\n```\n" + last
    _, known = outlined(old)
    part = Window(0, len(old), len(new), 0, 2, above=True, below=True)
    assert grown(known, part, outlined(old)[0], outlined(new)[0], new) is None
    fine = b"## D-1 - One\n\nText.\n\nMore.\n\n" + last
    part = Window(0, len(old), len(fine), 0, 2, above=True, below=True)
    after = grown(known, part, outlined(old)[0], outlined(fine)[0], fine)
    assert after is not None
    assert after.starts == outlined(fine)[1].starts


@given(st.binary(max_size=8), st.binary(max_size=8), st.binary(max_size=8), st.binary(max_size=8))
def test_what_two_texts_have_in_common_is_all_they_have(head: bytes, one: bytes, other: bytes, tail: bytes) -> None:
    old, new = head + one + tail, head + other + tail
    start = common_start(old, new)
    assert old[:start] == new[:start]
    assert start == min(len(old), len(new)) or old[start] != new[start]
    limit = min(len(old), len(new)) - start
    end = common_end(old, new, limit)
    assert end <= limit
    assert old[len(old) - end :] == new[len(new) - end :]
    assert end == limit or old[-end - 1] != new[-end - 1]
