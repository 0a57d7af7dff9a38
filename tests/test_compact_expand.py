"""What compaction keeps and gives back: originals, active decisions, and the guard before it takes too much."""

import re

import pytest

from compaction import rounds, year
from conftest import LOG, TODAY, Repo
from minutebook.checks import judge
from minutebook.checks.judgement import Case
from minutebook.compact.grouping import Limits
from minutebook.ground.config import Config
from minutebook.ground.memory import read_memory
from test_compact import SUMMARY, compact, with_notes


def test_the_originals_of_a_summary_come_back_byte_for_byte(memory_repo: Repo) -> None:
    notes = with_notes(memory_repo, {"uploader": "2026-11-10", "queue": "2026-11-12"})
    compact(memory_repo)
    done = memory_repo.minutebook("expand", "summary-sessions-2026-11", "--raw")
    assert (done.code, done.out) == (0, "".join(notes.values()))
    one = memory_repo.minutebook("expand", "session-2026-11-12-queue")
    assert one.out == notes[".memory/sessions/2026-11-12-queue.md"]
    assert ".memory/archive/sessions/2026-11-12-queue.md, sha256 " in one.err


def test_the_originals_go_back_where_they_were(memory_repo: Repo) -> None:
    notes = with_notes(memory_repo, {"uploader": "2026-11-10", "queue": "2026-11-12"})
    compact(memory_repo)
    memory_repo.commit("Compacted")
    done = memory_repo.minutebook("expand", "summary-sessions-2026-11", "--back", "--today", TODAY)
    assert done.code == 0, done.err
    assert {path: memory_repo.read(path) for path in notes} == notes
    memory_repo.git("add", "--all")
    done = memory_repo.minutebook("check", "--staged", "--today", TODAY)
    assert done.code == 0, done.out


def test_an_original_that_was_touched_is_refused(memory_repo: Repo) -> None:
    with_notes(memory_repo, {"uploader": "2026-11-10", "queue": "2026-11-12"})
    compact(memory_repo)
    path = ".memory/archive/sessions/2026-11-12-queue.md"
    memory_repo.write(path, memory_repo.read(path).replace("90 MB", "30 MB"))
    for name in ("summary-sessions-2026-11", "session-2026-11-12-queue"):
        done = memory_repo.minutebook("expand", name)
        assert done.code == 1
        assert f"{path} isn't what was compacted" in done.err
        assert done.out == ""


@pytest.mark.parametrize(("name", "code"), [("nobody", 2), ("pattern-migrations", 1)])
def test_what_was_not_compacted_cannot_be_expanded(memory_repo: Repo, name: str, code: int) -> None:
    assert memory_repo.minutebook("expand", name).code == code


def test_active_decisions_get_a_page_that_links_each_and_replaces_none(memory_repo: Repo) -> None:
    log = year.log(16)
    memory_repo.write(LOG, log)
    memory_repo.commit("Decisions")
    compact(memory_repo, "--force")
    page = memory_repo.read(".memory/summaries/active-decisions.md")
    live = re.findall(r"(?m)^### (\S+)", memory_repo.read(LOG))
    closed = re.findall(r"(?m)^### (\S+)", memory_repo.read(".memory/archive/decisions/_log.md"))
    assert (len(live), len(closed)) == (13, 3)
    assert [name for name in live if f"- [{name}](../decisions/_log.md): " not in page] == []
    assert [name for name in closed if name in page] == []
    memory_repo.git("add", "--all")
    done = memory_repo.minutebook("check", "--staged", "--today", TODAY)
    assert done.code == 0, done.out
    memory_repo.commit("Compacted")
    assert "nothing to write" in compact(memory_repo)


def bound(sentences: int, slug: str) -> str:
    rules = "".join(
        f"- Machine {at} of the {slug} must never be restarted by more than {at} people.\n" for at in range(sentences)
    )
    more = "".join(f"Fan {at} of {slug} was cleaned once more, and turned.\n" for at in range(3 * sentences))
    return (
        f"---\nid: session-{slug}\ntitle: Work on {slug}\nabstract: A day.\ncreated: 2026-10-01\n---\n{rules}\n{more}"
    )


def test_notes_that_bind_much_make_several_summaries_that_can_be_loaded() -> None:
    notes = {f"sessions/2026-10-0{at}-n{at}.md": bound(60, f"n{at}") for at in range(1, 9)}
    tree = rounds.tree_of({**notes, "sessions/2026-10-01-long.md": bound(700, "long")})
    plan = rounds.compacted(tree, year.TODAY, rounds.plain, Limits())
    after = rounds.after(tree, plan)
    (refusal,) = plan.refusals
    assert "longer than can be loaded" in refusal.reason
    assert f"{rounds.ROOT}/sessions/2026-10-01-long.md" in after
    assert len(rounds.summaries(after)) > 1
    memory = read_memory(after, rounds.ROOT, Config())
    case = Case(memory, after, None, {}, (), year.TODAY)
    sizes = [each for each in judge(case, ["sizes"]) if "/summaries/" in each.path]
    assert (sizes, rounds.said(after)) == ([], [])


@pytest.mark.parametrize(("entries", "pages"), [(80, 1), (420, 3)])
def test_many_active_decisions_make_pages_that_can_be_loaded(entries: int, pages: int) -> None:
    tree = rounds.tree_of({"decisions/_log.md": year.log(entries)})
    after = rounds.after(tree, rounds.compacted(tree, year.TODAY, rounds.plain, Limits()))
    found = [path for path in after if "/summaries/active-decisions" in path]
    memory = read_memory(after, rounds.ROOT, Config())
    case = Case(memory, after, None, {}, (), year.TODAY)
    assert [each.message for each in judge(case, ["sizes", "fields", "relations"]) if each.path in found] == []
    assert len(found) == pages
    text = "".join(after[path].data.decode() for path in found)
    live = re.findall(r"(?m)^### (\S+)", after[f"{rounds.ROOT}/decisions/_log.md"].data.decode())
    assert [name for name in live if text.count(f"- [{name}](../decisions/_log.md): ") != 1] == []


def test_pages_of_decisions_that_hold_no_more_are_taken_away() -> None:
    tree = rounds.tree_of({"decisions/_log.md": year.log(420)})
    full = rounds.after(tree, rounds.compacted(tree, year.TODAY, rounds.plain, Limits()))
    fewer = {**full, **rounds.tree_of({"decisions/_log.md": year.log(80)})}
    plan = rounds.compacted(fewer, year.TODAY, rounds.plain, Limits())
    gone = [change.path.rpartition("/")[2] for change in plan.changes if change.new is None]
    assert gone == ["active-decisions-2.md", "active-decisions-3.md"]


def test_a_plan_that_takes_most_of_the_memory_away_is_refused_without_force(memory_repo: Repo) -> None:
    for path, text in year.notes(40):
        memory_repo.write(f".memory/{path}", text)
    memory_repo.commit("Notes")
    done = memory_repo.minutebook("compact", "--today", TODAY)
    assert done.code == 1
    assert re.search(r"refused: compaction: it would take 40 of [0-9]+ entries", done.out)
    assert memory_repo.git("status", "--porcelain") == ""
    compact(memory_repo, "--force")
    assert len(list(memory_repo.path.glob(".memory/archive/sessions/*.md"))) == 40


@pytest.mark.parametrize(("option", "value", "left"), [("--more-than", "5", 5), ("--over", "0", 0)])
def test_too_many_notes_or_too_many_tokens_make_the_oldest_due(
    memory_repo: Repo, option: str, value: str, left: int
) -> None:
    for path, text in list(year.notes(365))[-20:]:
        memory_repo.write(f".memory/{path}", text)
    memory_repo.commit("Notes")
    compact(memory_repo, "--older-than", "90d", option, value)
    kept = sorted(path.name for path in memory_repo.path.glob(".memory/sessions/*.md"))
    assert len(kept) == left
    assert [f"{path.rpartition('/')[2]}" for path, _ in year.notes(365)][-left:] == kept or not left


def test_near_duplicates_lie_in_one_summary_and_their_common_lines_are_said_once(memory_repo: Repo) -> None:
    with_notes(memory_repo, {"uploader": "2026-10-31", "other": "2026-11-12"})
    text = memory_repo.read(".memory/sessions/2026-10-31-uploader.md")
    copy = text.replace("id: session-2026-10-31-uploader", "id: session-2026-11-01-uploader")
    memory_repo.write(
        ".memory/sessions/2026-11-01-uploader.md", copy.replace("created: 2026-10-31", "created: 2026-11-01")
    )
    memory_repo.commit("Copy")
    out = compact(memory_repo)
    summary = memory_repo.read(SUMMARY.replace("11.md", "10.md"))
    assert "near-duplicates united" in out
    assert "- We decided to keep the uploader in one process. [1, 2]" in summary
