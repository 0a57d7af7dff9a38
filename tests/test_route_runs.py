"""One run after another over sessions that grow, change and gainsay what is known: through the door, on real git."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from conftest import Repo
from talk import jsonl, records

Document = dict[str, list[dict[str, object]]]
SIX = [
    "Let's use httpx for outgoing calls",
    "Always write a regression test first",
    "We won't support Windows builds",
    "Let's use Postgres for the orders database",
    "Never log request bodies",
    "Always run make lint before you commit",
    "From now on branch names start with the ticket number",
]


def talk(folder: Path, texts: Sequence[str], number: int = 1, day: str = "2026-10-01") -> Path:
    rows = records(*(("user", text) for text in texts), id=f"{number:08d}-2222-4333-8444-555555555555")
    for row in rows:
        row["timestamp"] = row["timestamp"].replace("2026-11-10", day)
    path = folder / f"{number}.jsonl"
    path.write_text(jsonl(rows), "utf-8")
    return path


def extract(repo: Repo, *arguments: str | Path) -> Document:
    done = repo.minutebook("extract", *map(str, arguments), "--format", "json", "--today", "2026-11-20")
    assert done.code == 0, done.err + done.out
    document: Document = json.loads(done.out)
    return document


def entries(document: Document) -> list[dict[str, object]]:
    found = [entry for change in document["changes"] for entry in change["entries"]]  # type: ignore[attr-defined]
    return [entry for entry in found if entry["candidate"]]


def test_a_session_that_grew_brings_in_five_entries_over_all_its_readings(memory_repo: Repo, tmp_path: Path) -> None:
    first = extract(memory_repo, talk(tmp_path, SIX[:4]))
    assert len(entries(first)) == 4
    grown = talk(tmp_path, SIX)
    second = extract(memory_repo, grown)
    assert len(entries(second)) == 1
    left = [each for each in second["refusals"] if "5 entries at most" in str(each["reason"])]
    assert len(left) == 2
    third = extract(memory_repo, grown, "--accept", str(left[0]["id"]))
    assert [each["candidate"] for each in entries(third)] == [left[0]["id"]]
    (note,) = (each for change in third["changes"] for each in change["entries"] if each["verb"] == "note")  # type: ignore[attr-defined]
    assert note["reason"] == "a person accepted what had been held back"


def test_a_transcript_whose_past_changed_is_read_again_and_says_so(memory_repo: Repo, tmp_path: Path) -> None:
    extract(memory_repo, talk(tmp_path, ["fix the upload", SIX[0]]))
    document = extract(memory_repo, talk(tmp_path, [SIX[1], SIX[0], "push"]))
    assert [each["type"] for each in entries(document)] == ["pattern"]
    assert any("what was read before has changed" in str(each) for each in document["notes"])
    same_count = extract(memory_repo, talk(tmp_path, [SIX[1], SIX[0], SIX[4]]))
    assert [each["title"] for each in entries(same_count)] == [SIX[4]]
    earlier = extract(memory_repo, talk(tmp_path, [SIX[1], SIX[0]]))
    assert earlier["changes"] == []
    assert "an earlier copy, not read again (2 of the 3 records" in str(earlier["notes"])


@pytest.mark.parametrize(
    ("first", "second", "verb", "kind"),
    [
        ("We will use Redis for caching.", "We will use Memcached for caching.", "supersede", ""),
        ("Let's use RabbitMQ for the job events.", "Let's use Kafka instead of RabbitMQ.", "supersede", ""),
        ("I prefer tabs over spaces.", "I prefer spaces over tabs.", "supersede", ""),
        ("Always use tabs for indentation.", "Always use spaces for indentation.", "", "question"),
        ("Let's use pytest for tests.", "Let's use hypothesis for tests.", "", "question"),
        ("We will use Redis for caching.", "Let's use Redis for the cache, it's fast.", "", "refused"),
        ("We will use Redis for caching.", "We will use Redis for sessions.", "append", ""),
    ],
)
def test_a_second_truth_is_never_silent(
    memory_repo: Repo, tmp_path: Path, first: str, second: str, verb: str, kind: str
) -> None:
    both = extract(memory_repo, talk(tmp_path, [first]), talk(tmp_path, [second], 2, "2026-10-02"), "--dry-run")
    later = [entry for entry in entries(both) if "00000002-2222" in str(entry["evidence"])]
    assert [entry["verb"] for entry in later] == ([verb] if verb else []), both["refusals"]
    assert [each["kind"] for each in both["refusals"]] == ([kind] if kind else [])


def test_what_may_hold_beside_an_entry_does_so_once_a_person_says_so(memory_repo: Repo, tmp_path: Path) -> None:
    extract(memory_repo, talk(tmp_path, ["Let's use pytest for tests."]))
    two = talk(tmp_path, ["Let's use hypothesis for tests."], 2, "2026-10-02")
    (asked,) = extract(memory_repo, two)["refusals"]
    assert "may contradict DEC-" in str(asked["reason"])
    (entry,) = entries(extract(memory_repo, two, "--accept", str(asked["id"])))
    assert (entry["verb"], entry["supersedes"]) == ("append", [])


def test_a_pattern_against_a_decision_written_by_hand_is_a_question(memory_repo: Repo, tmp_path: Path) -> None:
    made = memory_repo.minutebook(
        *("new", "decision", "--title", "Alembic for migrations", "--today", "2026-11-19"),
        *("--set", "decision=Schema changes go through Alembic."),
    )
    assert made.code == 0, made.err
    document = extract(memory_repo, talk(tmp_path, ["Never use Alembic for migrations."]))
    assert entries(document) == []
    assert [each["kind"] for each in document["refusals"]] == ["question"]
