"""What is said twice is said once, and nothing is lost by it; and how much one compaction may take away."""

import json
from datetime import date

import pytest

from compaction import rounds, year
from compaction.rounds import ROOT
from conftest import LOG, LOG_HEAD, TODAY, Repo
from minutebook.compact.guard import FEW
from minutebook.compact.plan import Bounds, By, plan_compact
from minutebook.compact.uniting import plan_uniting, unsaid
from minutebook.ground.change import Plan, Tree
from minutebook.ground.config import Config
from minutebook.ground.memory import Memory, read_memory
from test_certificate import problems
from test_compact import compact

FACT = """---
id: pattern-{slug}
title: Tests run against SQLite
abstract: Every test runs against SQLite in memory, never against a server.
tags: [{tag}]
created: {day}
sources:
  - session: s-{slug}
    turn: {turn}
    role: user
---
Every test runs against SQLite in memory, never against a server.

The fixture opens one connection for each test and closes it when the test is over, {more}
so that no test sees what another one wrote. A run takes 90 s on the small machine.
"""
MORE = "whatever came of it,"


def fact(slug: str, day: str, turn: int = 1, tag: str = "tests", more: str = MORE) -> str:
    return FACT.format(slug=slug, day=day, turn=turn, tag=tag, more=more)


def memory_of(texts: dict[str, str]) -> tuple[Memory, Tree]:
    tree = rounds.tree_of(texts)
    return read_memory(tree, ROOT, Config()), tree


def united(texts: dict[str, str]) -> Plan:
    return plan_uniting(*memory_of(texts))


def test_a_fact_learned_twice_is_kept_once_with_the_sources_of_both(memory_repo: Repo) -> None:
    first, second = fact("first", "2026-10-01"), fact("second", "2026-11-02", turn=7, tag="sqlite")
    memory_repo.write(".memory/patterns/first.md", first)
    memory_repo.write(".memory/patterns/second.md", second)
    memory_repo.commit("Facts")
    out = compact(memory_repo)
    assert "merge pattern pattern-first" in out
    assert "archive pattern pattern-second" in out
    kept = memory_repo.read(".memory/patterns/first.md")
    assert "tags: [tests, sqlite]" in kept
    assert "- session: s-first\n" in kept
    assert "- session: s-second\n    turn: 7\n" in kept
    assert "derived_from: [pattern-second]" in kept
    assert kept.split("---\n", 2)[2] == first.split("---\n", 2)[2]
    assert memory_repo.read(".memory/archive/patterns/second.md") == second
    assert not (memory_repo.path / ".memory/patterns/second.md").exists()
    assert problems(memory_repo) == []
    done = memory_repo.minutebook("check", "--staged", "--today", TODAY)
    assert done.code == 0, done.out
    memory_repo.commit("Compacted")
    assert "nothing to write" in compact(memory_repo)
    assert memory_repo.minutebook("expand", "pattern-first").out == second


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("90 s", "30 s", "90 s became 30 s"),
        (", never against a server", ", and against a server", "`never` is gone from it"),
        ("opens one connection", "opens one transaction", ""),
        ("title: Tests run", "title: Slow tests run", ""),
        ("A run takes", "Never run two at once. A run takes", "Never run two at once."),
    ],
)
def test_what_differs_in_a_claim_is_asked_and_never_united(old: str, new: str, words: str) -> None:
    other = fact("second", "2026-11-02").replace(old, new)
    assert other != fact("second", "2026-11-02")
    plan = united({"patterns/first.md": fact("first", "2026-10-01"), "patterns/second.md": other})
    assert plan.changes == ()
    (question,) = plan.refusals
    assert (question.what, question.kind) == ("pattern-second", "question")
    assert "it is nearly pattern-first" in question.reason
    assert words in question.reason or words in str(question)


def test_a_private_a_closed_and_a_foreign_entry_are_left_alone() -> None:
    texts = {"patterns/first.md": fact("first", "2026-10-01")}
    texts["users/ada/preferences/first.md"] = fact("first", "2026-10-01").replace("pattern-", "preference-")
    texts["users/bob/preferences/first.md"] = fact("first", "2026-10-01").replace("pattern-", "preference-bob-")
    texts["patterns/second.md"] = fact("second", "2026-11-02").replace("tags:", "superseded_by: pattern-x\ntags:")
    plan = united(texts)
    assert (plan.changes, plan.refusals) == ((), ())


def test_decisions_that_say_the_same_are_asked_about_and_stay_in_their_log() -> None:
    entry = (
        "### DEC-2026-11-0{n}-01 — Tests run against SQLite\n**Date:** 2026-11-0{n}\n**Status:** accepted\n\n"
        "**Decision:** Every test runs against SQLite in memory, one connection each, closed when it is over.\n"
        "**Rationale:** A server is slow to start, and the runs of two people are in each other's way on it.\n\n"
    )
    log = LOG_HEAD + "".join(entry.format(n=n) for n in (3, 2))
    plan = united({LOG.removeprefix(".memory/"): log})
    assert plan.changes == ()
    (question,) = plan.refusals
    assert (question.what, question.kind) == ("DEC-2026-11-03-01", "question")
    assert "minutebook supersede DEC-2026-11-02-01" in question.reason


def test_an_entry_that_takes_another_ones_place_and_says_less_is_refused(memory_repo: Repo) -> None:
    memory_repo.write(".memory/patterns/first.md", fact("first", "2026-10-01"))
    memory_repo.write(".memory/patterns/second.md", fact("second", "2026-11-02"))
    memory_repo.commit("Facts")
    compact(memory_repo)
    kept = memory_repo.read(".memory/patterns/first.md")
    memory_repo.write(".memory/patterns/first.md", kept.replace(" A run takes 90 s on the small machine.", ""))
    assert problems(memory_repo) == [
        "it took the place of pattern-second, and doesn't say: A run takes 90 s on the small machine."
    ]


def test_what_one_entry_says_of_another_is_compared_in_order() -> None:
    memory, _ = memory_of({
        "patterns/a.md": fact("a", "2026-10-01").replace("A run takes", "The queue calls the sender. A run takes"),
        "patterns/b.md": fact("b", "2026-10-01").replace("A run takes", "The sender calls the queue. A run takes"),
    })  # fmt: skip
    one, other = memory.entries()
    assert unsaid(one, other) == "The queue calls the sender."


def old_memory(notes: int) -> dict[str, str]:
    return {**dict(year.notes(notes)), "decisions/_log.md": year.log(4)}


def planned(tree: Tree, bounds: Bounds) -> Plan:
    memory = read_memory(tree, ROOT, Config())
    return plan_compact(memory, tree, date(2026, 11, 20), By(rounds.plain), bounds)


def test_a_job_that_runs_by_itself_compacts_an_old_memory_in_parts() -> None:
    tree = rounds.tree_of(old_memory(120))
    assert "it would take 120 of" in planned(tree, Bounds()).refusals[-1].reason
    left = []
    for _ in range(8):
        plan = planned(tree, Bounds(in_parts=True))
        entries = list(read_memory(tree, ROOT, Config()).entries())
        live = sum(entry.type == "session" for entry in entries)
        gone = plan.figures.get("notes compacted", 0)
        assert gone <= max(FEW, len(entries) // 2)
        tree = rounds.after(tree, plan)
        assert rounds.said(tree) == []
        left.append(live - gone)
        if not gone:
            break
        waiting = [note for note in plan.notes if "wait for the next compaction" in note]
        assert len(waiting) == (left[-1] > 0)
    assert left[-1] == 0
    assert left == sorted(left, reverse=True)


def test_the_oldest_notes_go_first() -> None:
    tree = rounds.tree_of(old_memory(120))
    plan = planned(tree, Bounds(in_parts=True))
    went = {path.rpartition("/")[2] for path in tree if path not in rounds.after(tree, plan)}
    stay = {path.rpartition("/")[2] for path in tree if "/sessions/" in path} - went
    assert max(went)[:10] <= min(stay)[:10]


def test_propose_compacts_what_compact_alone_refuses(memory_repo: Repo) -> None:
    for path, text in year.notes(40):
        memory_repo.write(f".memory/{path}", text)
    memory_repo.commit("Notes")
    assert memory_repo.minutebook("compact", "--today", TODAY, "--dry-run").code == 1
    done = memory_repo.minutebook("propose", "--dry-run", "--format", "json", "--today", TODAY)
    assert done.code == 0, done.err
    plan = json.loads(done.out)
    assert plan["figures"]["notes compacted"] == FEW
    assert any("15 notes wait for the next compaction" in note for note in plan["notes"])


def test_a_loss_of_recall_fails_the_check_of_the_commit(memory_repo: Repo) -> None:
    for path, text in year.notes(24):
        memory_repo.write(f".memory/{path}", text)
    memory_repo.commit("Notes")
    compact(memory_repo)
    for at, (_, text) in enumerate(year.notes(24)):
        twin = text.replace("type: session", "type: pattern").replace("id: session-", "id: pattern-")
        memory_repo.write(f".memory/patterns/p{at}.md", twin)
    memory_repo.write(".minutebook.yaml", "budget: 200\n")
    found = problems(memory_repo)
    assert any("questions" in each and "still do" in each for each in found), found
    assert memory_repo.minutebook("check", "--staged", "--today", TODAY).code == 1
