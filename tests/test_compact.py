"""Compaction on real git: what becomes a summary, what stays, and that no original is lost."""

import json
import re
from pathlib import Path

import pytest

from conftest import FIRST, LOG, LOG_HEAD, SECOND, THIRD, TODAY, Repo
from minutebook.compact.summary import summarize
from minutebook.ground.entry import Entry, read_entry
from minutebook.ground.memory_type import builtin_types

NOTE = """---
type: session
id: session-{day}-{slug}
title: Work on {slug}
abstract: A long session about the {slug}, in which things were tried, measured and written down.
session: {session}
created: {day}
transcript_sha256: {sha}
records: 41
---
## Overview
A claude-code session: 61 turns read, 12 of them by a person.

## Decisions
- We decided to keep the {slug} in one process.

## What was done
The {slug} was measured with a small load, and then with a large one, for most of the afternoon.
The numbers were written to a sheet that nobody has looked at since, and the sheet was closed again.
Then the editor was set up anew, since its theme had changed, and the terminal got another font.
Uploads of the {slug} must never exceed 90 MB. The cache is warm after two minutes.
After lunch the same measurements were repeated with the same load, and gave the same figures as before.

## Left open
- Who rotates the keys of the {slug}?
"""
SUMMARY = ".memory/summaries/sessions-2026-11.md"


def with_notes(repo: Repo, days: dict[str, str]) -> dict[str, str]:
    """Notes by slug and day; their texts by path."""
    written = {}
    for slug, day in days.items():
        path = f".memory/sessions/{day}-{slug}.md"
        written[path] = NOTE.format(day=day, slug=slug, session=f"s-{slug}", sha="ab" * 32)
        repo.write(path, written[path])
    repo.commit("Notes")
    return written


def compact(repo: Repo, *arguments: str) -> str:
    done = repo.minutebook("compact", "--today", TODAY, *arguments)
    assert done.code == 0, done.err
    return done.out


def test_old_notes_become_one_summary_and_lie_in_the_archive_byte_for_byte(memory_repo: Repo) -> None:
    notes = with_notes(memory_repo, {"uploader": "2026-11-10", "queue": "2026-11-12", "today": "2026-11-19"})
    young = ".memory/sessions/2026-11-19-today.md"
    out = compact(memory_repo)
    for path, text in notes.items():
        archived = path.replace(".memory/", ".memory/archive/")
        if path == young:
            assert memory_repo.read(path) == text
            assert not (memory_repo.path / archived).exists()
        else:
            assert memory_repo.read(archived) == text
            assert not (memory_repo.path / path).exists()
    summary = memory_repo.read(SUMMARY)
    assert "- session: s-uploader\n" in summary
    assert "- session: s-queue\n" in summary
    assert "derived_from: [session-2026-11-10-uploader, session-2026-11-12-queue]" in summary
    assert "verified: 2026-11-10" in summary
    assert f"created: {TODAY}" in summary
    figures = re.search(r"tokens before ([0-9]+), tokens after ([0-9]+)", out)
    assert figures is not None
    assert int(figures[2]) < int(figures[1])


def test_the_commit_of_a_compaction_passes_the_check(memory_repo: Repo) -> None:
    with_notes(memory_repo, {"uploader": "2026-11-10", "queue": "2026-11-12"})
    compact(memory_repo)
    memory_repo.git("add", "--all")
    done = memory_repo.minutebook("check", "--staged", "--today", TODAY)
    assert done.code == 0, done.err + done.out


def test_what_matters_is_carried_and_says_which_note_it_comes_from(memory_repo: Repo) -> None:
    with_notes(memory_repo, {"uploader": "2026-11-10", "queue": "2026-11-12"})
    compact(memory_repo)
    summary = memory_repo.read(SUMMARY)
    sections = [line for line in summary.split("\n") if line.startswith("## ")]
    assert sections == ["## Originals", "## Decisions", "## Constraints", "## Current state", "## Open questions"]
    assert "- We decided to keep the uploader in one process. [1]" in summary
    assert "- Uploads of the queue must never exceed 90 MB. [2]" in summary
    assert "- Who rotates the keys of the queue? [2]" in summary
    assert "turns read" not in summary


def test_a_second_compaction_changes_nothing(memory_repo: Repo) -> None:
    with_notes(memory_repo, {"uploader": "2026-11-10", "queue": "2026-11-12"})
    compact(memory_repo)
    memory_repo.commit("Compacted")
    assert "nothing to write" in compact(memory_repo)
    assert memory_repo.git("status", "--porcelain") == ""


def test_a_later_compaction_of_the_same_month_makes_another_summary(memory_repo: Repo) -> None:
    with_notes(memory_repo, {"uploader": "2026-11-10", "queue": "2026-11-12"})
    compact(memory_repo)
    first = memory_repo.read(SUMMARY)
    with_notes(memory_repo, {"backup": "2026-11-13", "restore": "2026-11-14"})
    compact(memory_repo)
    assert memory_repo.read(SUMMARY) == first
    assert "derived_from: [session-2026-11-13-backup" in memory_repo.read(SUMMARY.replace("11.md", "11-2.md"))


def test_the_oldest_verified_date_is_inherited_not_the_newest(memory_repo: Repo) -> None:
    notes = with_notes(memory_repo, {"uploader": "2026-10-30", "queue": "2026-10-31"})
    path = next(iter(notes))
    memory_repo.write(path, notes[path].replace("created:", "verified: 2026-09-01\ncreated:"))
    compact(memory_repo)
    assert "verified: 2026-09-01" in memory_repo.read(".memory/summaries/sessions-2026-10.md")


def test_a_summary_that_gains_nothing_is_not_written_and_says_why(memory_repo: Repo) -> None:
    text = "---\ntype: session\nid: session-2026-11-10-a\ntitle: Short\nabstract: A short one.\n---\nDone.\n"
    memory_repo.write(".memory/sessions/2026-11-10-a.md", text)
    memory_repo.commit("Note")
    out = compact(memory_repo)
    assert re.search(r"refused: summary-sessions-2026-11: .*nothing is gained", out)
    assert memory_repo.git("status", "--porcelain") == ""


def test_a_note_whose_place_in_the_archive_is_taken_stays(memory_repo: Repo) -> None:
    notes = with_notes(memory_repo, {"uploader": "2026-11-10", "queue": "2026-11-12", "cache": "2026-11-13"})
    taken = next(iter(notes))
    memory_repo.write(taken.replace(".memory/", ".memory/archive/"), notes[taken].replace("-uploader", "-other"))
    out = compact(memory_repo)
    assert "refused: session-2026-11-10-uploader" in out
    assert memory_repo.read(taken) == notes[taken]
    assert "session-2026-11-10-uploader" not in memory_repo.read(SUMMARY)


@pytest.mark.parametrize(("age", "due"), [("30d", 0), ("8d", 1), ("24h", 2)])
def test_the_age_can_be_given_and_a_dry_run_writes_nothing(memory_repo: Repo, age: str, due: int) -> None:
    with_notes(memory_repo, {"uploader": "2026-11-10", "queue": "2026-11-14"})
    plan = json.loads(compact(memory_repo, "--older-than", age, "--dry-run", "--format", "json"))
    verbs = [entry["verb"] for change in plan["changes"] for entry in change["entries"]]
    assert verbs.count("archive") == due
    assert memory_repo.git("status", "--porcelain") == ""
    assert memory_repo.git("for-each-ref", "refs/minutebook") == ""


def test_one_note_is_told_as_one(memory_repo: Repo) -> None:
    with_notes(memory_repo, {"uploader": "2026-11-10"})
    out = compact(memory_repo)
    assert "compact summary summary-sessions-2026-11: Session notes of 2026-11" in out
    assert re.search(r"why: sums up 1 note in [0-9]+ tokens, down from [0-9]+; the originals are archived", out)
    assert "What 1 note of 2026-11-10 came to: " in memory_repo.read(SUMMARY)


def test_an_age_that_is_none_is_bad_usage(memory_repo: Repo) -> None:
    assert memory_repo.minutebook("compact", "--older-than", "soon").code == 2


def test_a_snapshot_is_taken_first_and_brings_everything_back(memory_repo: Repo) -> None:
    notes = with_notes(memory_repo, {"uploader": "2026-11-10", "queue": "2026-11-12"})
    out = compact(memory_repo)
    name = re.match(r"snapshot (\S+) holds the memory as it was", out)
    assert name is not None
    assert memory_repo.minutebook("restore", name[1]).code == 0
    assert memory_repo.git("status", "--porcelain") == ""
    assert all(memory_repo.read(path) == text for path, text in notes.items())


def test_only_closed_decisions_leave_the_log_and_the_commit_passes(memory_repo: Repo) -> None:
    marked = SECOND + "\n> SUPERSEDED by DEC-2026-11-03-01\n"
    memory_repo.write(LOG, LOG_HEAD + "\n".join((THIRD, marked, FIRST)))
    memory_repo.commit("Marked")
    out = compact(memory_repo)
    assert "archive decision DEC-2026-11-02-01" in out
    assert memory_repo.read(LOG) == LOG_HEAD + "\n".join((THIRD, FIRST))
    assert marked in memory_repo.read(".memory/archive/decisions/_log.md")
    memory_repo.git("add", "--all")
    done = memory_repo.minutebook("check", "--staged", "--today", TODAY)
    assert done.code == 0, done.err + done.out
    memory_repo.commit("Archived")
    assert "nothing to write" in compact(memory_repo)


def test_several_closed_decisions_keep_their_order_in_the_archive(memory_repo: Repo) -> None:
    closed = "**Status:** superseded\n"
    memory_repo.write(LOG, LOG_HEAD + "\n".join((THIRD + closed, SECOND, FIRST + closed)))
    memory_repo.commit("Marked")
    compact(memory_repo)
    memory_repo.commit("Archived")
    memory_repo.write(LOG, memory_repo.read(LOG).replace(SECOND, SECOND + closed))
    memory_repo.commit("Marked")
    compact(memory_repo)
    archived = re.findall(r"### (\S+)", memory_repo.read(".memory/archive/decisions/_log.md"))
    assert archived == ["DEC-2026-11-02-01", "DEC-2026-11-03-01", "DEC-2026-11-01-01"]
    done = memory_repo.minutebook("check", "--since", "HEAD~2", "--today", TODAY)
    assert done.code == 0, done.err + done.out


def test_a_strict_index_is_kept_in_step(memory_repo: Repo) -> None:
    memory_repo.write(".minutebook.yaml", "index: strict\n")
    with_notes(memory_repo, {"uploader": "2026-11-10", "queue": "2026-11-12"})
    assert memory_repo.minutebook("index").code == 0
    memory_repo.commit("Index")
    compact(memory_repo)
    assert "summary-sessions-2026-11" in memory_repo.read(".memory/index.md")


def test_a_private_space_never_reaches_a_shared_summary_or_the_archive(memory_repo: Repo) -> None:
    day = "2026-11-10"
    path = f".memory/users/ada/events/{day}-talk.md"
    text = f"---\nid: event-ada\ntitle: A talk\nabstract: A talk was held.\ndate: {day}\nstatus: retracted\n---\nx\n"
    memory_repo.write(path, text)
    memory_repo.commit("Private")
    assert "nothing to write" in compact(memory_repo)
    assert memory_repo.read(path) == text


def even(sentences: object) -> list[float]:
    assert isinstance(sentences, list)
    return [1.0] * len(sentences)


def note(text: str, number: int = 1) -> Entry:
    whole = f"---\nid: session-{number}\ntitle: Session {number}\n---\n{text}"
    found, _ = read_entry(f"sessions/{number}.md", whole, builtin_types()["session"], "x")
    assert found is not None
    return found


def body(texts: list[str], budget: int) -> str:
    notes = [note(text, number) for number, text in enumerate(texts, 1)]
    whole = summarize(notes, even, budget, lambda _: ())
    return whole.partition("\n\n## Originals\n")[2].partition("\n\n")[2]


def test_sentences_that_differ_in_a_number_or_a_negation_are_both_kept() -> None:
    notes = [
        "Uploads must not exceed 90 MB on the small plan of the service today.",
        "Uploads must not exceed 30 MB on the small plan of the service today.",
        "Uploads must exceed 90 MB on the small plan of the service today.",
        "Uploads must not exceed 90 MB on a small plan of the service today.",
    ]
    lines = body(notes, 500).split("\n")
    assert [line[-6:].strip() for line in lines[1:]] == ["[1, 4]", "y. [2]", "y. [3]"]


def test_the_same_notes_give_the_same_summary_and_examples_are_left_out() -> None:
    text = (
        "## State\nThe cache is warm after two minutes.\n```sh\nrm -rf all of the folder\n```\n<!-- a hidden line -->\n"
    )
    once = body([text], 100)
    assert once == body([text], 100) == "## Current state\n- The cache is warm after two minutes. [1]"


def test_the_budget_bounds_what_describes_but_not_what_binds() -> None:
    text = " ".join(f"The machine number {n} stands in the second room." for n in range(50))
    found = body([f"{text} The third room must never be entered."], 80)
    assert "The third room must never be entered." in found
    assert 0 < found.count("second room") < 6


def test_a_type_says_itself_how_many_of_its_entries_stay_as_they_are(memory_repo: Repo) -> None:
    built_in = (Path(__file__).parents[1] / "schemas/types/session.yaml").read_text("utf-8")
    days = {"uploader": "2026-11-17", "queue": "2026-11-18", "today": "2026-11-19"}
    notes = with_notes(memory_repo, days)
    for limit, kept in (("entries: 2", 2), ("tokens: 400", 1)):
        text = built_in.replace("compact_after: 48h", f"compact_after: 1000h\ncompact_over: {{{limit}}}")
        memory_repo.write(".memory/types/session.yaml", text)
        memory_repo.commit("Own type")
        planned = json.loads(compact(memory_repo, "--dry-run", "--format", "json"))
        gone = [change["path"] for change in planned["changes"] if change["path"] in notes]
        assert gone == sorted(notes)[: len(notes) - kept]
    all_kept = json.loads(compact(memory_repo, "--dry-run", "--format", "json", "--more-than", "9", "--over", "9000"))
    assert all_kept["changes"] == []
