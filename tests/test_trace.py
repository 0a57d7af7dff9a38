"""From an entry back to the commit, the candidate, the turn, the record, the transcript."""

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import TODAY, Done, Repo
from talk import jsonl, records

ID = "11111111-2222-4333-8444-555555555555"
MORE = ("user", "Let's use httpx instead of requests because it has timeouts")
PLAN = ("assistant", "I suggest that we keep the cache in SQLite, since it needs no server.")
YES = ("user", "yes, do that")


def home(repo: Repo) -> Path:
    return repo.path.parent / "home"


def trace(repo: Repo, *arguments: str) -> Done:
    aside = dict.fromkeys(("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), "")
    return repo.minutebook("trace", *arguments, **aside, HOME=str(home(repo)), USERPROFILE=str(home(repo)))


def document(repo: Repo, id: str) -> dict[str, Any]:
    done = trace(repo, id, "--format", "json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


@pytest.fixture
def learned(memory_repo: Repo) -> Repo:
    """A repository that captured a session which its person's home folder still has; nothing is committed yet."""
    folder = (
        home(memory_repo) / ".claude" / "projects" / "".join(c if c.isalnum() else "-" for c in str(memory_repo.path))
    )
    folder.mkdir(parents=True)
    said = [each | {"cwd": str(memory_repo.path)} for each in records(MORE)]
    (folder / f"{ID}.jsonl").write_text(jsonl(said), "utf-8")
    done = memory_repo.minutebook("extract", str(folder / f"{ID}.jsonl"), "--today", TODAY)
    assert done.code == 0, done.err
    return memory_repo


def decision(repo: Repo) -> str:
    log = repo.read(".memory/decisions/_log.md")
    return next(line.split()[1] for line in log.split("\n") if line.startswith("### DEC-2026-11-10"))


def planned(repo: Repo) -> dict[str, Any]:
    (path,) = home(repo).rglob("*.jsonl")
    repo.git("stash", "--include-untracked", "--quiet")
    done = repo.minutebook("extract", str(path), "--dry-run", "--format", "json", "--today", TODAY)
    repo.git("stash", "pop", "--quiet")
    entries = [entry for change in json.loads(done.out)["changes"] for entry in change["entries"]]
    return next(entry for entry in entries if entry["type"] == "decision")


def test_the_whole_chain_is_there(learned: Repo) -> None:
    id = decision(learned)
    commit = learned.commit("Learn from a session")
    learned.commit("Later")
    found = document(learned, id)
    (link,) = found["sources"]
    (transcript,) = home(learned).rglob("*.jsonl")
    assert found["commit"] == {
        "id": commit,
        "at": f"{TODAY}T12:00:00Z",
        "author": "Ada Example <ada@example.org>",
        "subject": "Learn from a session",
    }
    assert (link["session"], link["turn"], link["role"], link["state"]) == (ID, 1, "user", "proven")
    assert link["at"] == "2026-11-10T09:01:00.000Z"
    assert link["quote"] in MORE[1]
    assert link["transcript"] == str(transcript)
    assert link["note"].startswith("session-2026-11-10-")
    assert link["records_read"] == 1
    text = trace(learned, id).out
    for part in (id, commit[:12], "Ada Example", link["candidate"], link["record_sha256"], str(transcript), "(proven)"):
        assert part in text


def test_the_candidate_is_the_one_that_extraction_named(learned: Repo) -> None:
    entry = planned(learned)
    (link,) = document(learned, decision(learned))["sources"]
    assert link["candidate"].startswith("cand-")
    assert entry["candidate"].startswith(link["candidate"])


def test_a_candidates_id_leads_to_the_entry_that_it_became(learned: Repo) -> None:
    kept = (learned.path / ".git" / "minutebook" / "candidates.jsonl").read_text("utf-8")
    ids = [json.loads(line)["id"] for line in kept.splitlines()]
    assert ids
    for name in ids:
        assert trace(learned, name).code == 0
    done = trace(learned, "cand-0000000000")
    assert (done.code, "cand-0000000000 is no candidate of an entry here" in done.err) == (2, True)


def test_what_is_missing_is_named_and_not_guessed(learned: Repo) -> None:
    id = decision(learned)
    (transcript,) = home(learned).rglob("*.jsonl")
    transcript.unlink()
    for note in (learned.path / ".memory" / "sessions").glob("*.md"):
        note.unlink()
    text = trace(learned, id).out
    assert "brought in, in no commit yet" in text
    assert "its note is missing" in text
    assert "not found (gone: no transcript of that session is here)" in text
    assert document(learned, id)["commit"] is None


def test_a_note_in_the_archive_counts(learned: Repo) -> None:
    id = decision(learned)
    (note,) = (learned.path / ".memory" / "sessions").glob("*.md")
    target = learned.path / ".memory" / "archive" / "sessions" / note.name
    target.parent.mkdir(parents=True)
    note.rename(target)
    assert document(learned, id)["sources"][0]["note_path"] == f".memory/archive/sessions/{note.name}"


def test_an_entry_written_by_hand_says_in_which_commit(memory_repo: Repo) -> None:
    first = memory_repo.git("rev-parse", "HEAD")
    memory_repo.commit("Later")
    done = trace(memory_repo, "DEC-2026-11-02-01")
    assert done.code == 0
    assert f"written by hand, in commit {first[:12]} of {TODAY}T12:00:00Z by Ada Example" in done.out
    memory_repo.write(
        ".memory/patterns/new.md", memory_repo.read(".memory/patterns/migrations.md").replace("-migrations", "-new")
    )
    assert "written by hand, in no commit yet" in trace(memory_repo, "pattern-new").out


def test_an_id_that_another_begins_with_is_not_taken_for_it(memory_repo: Repo) -> None:
    memory_repo.write(
        ".memory/patterns/two.md",
        memory_repo.read(".memory/patterns/migrations.md").replace("-migrations", "-migrations-2"),
    )
    second = memory_repo.commit("The second")
    assert f"in commit {second[:12]}" in trace(memory_repo, "pattern-migrations-2").out
    assert f"in commit {second[:12]}" not in trace(memory_repo, "pattern-migrations").out


def test_what_is_no_entry_is_exit_2_with_a_close_one(memory_repo: Repo) -> None:
    done = trace(memory_repo, "pattern-migration")
    assert (done.code, done.out) == (2, "")
    assert "pattern-migrations" in done.err


def test_a_turn_that_accepts_another_is_told_as_such(memory_repo: Repo) -> None:
    digest = "0" * 64
    memory_repo.write(
        ".memory/patterns/cache.md",
        "---\ntype: pattern\nid: pattern-cache\ntitle: Cache in SQLite\nabstract: The cache is kept in SQLite.\n"
        "created: 2026-11-10\nsources:\n"
        f"- session: s-1\n  turn: 4\n  role: assistant\n  quote: {PLAN[1]}\n  sha256: '{digest}'\n"
        f"- session: s-1\n  turn: 5\n  role: user\n  quote: {YES[1]}\n  sha256: '{digest}'\n---\n## Overview\nText.\n",
    )
    first, second = document(memory_repo, "pattern-cache")["sources"]
    assert (first["accepts"], second["accepts"]) == (0, 4)
    assert (first["candidate"][:5], second["candidate"]) == ("cand-", "")
    assert "accepts turn 4, the source before" in trace(memory_repo, "pattern-cache").out


def test_an_entry_in_a_private_space_says_so(memory_repo: Repo) -> None:
    memory_repo.write(".gitignore", ".memory/users/\n")
    memory_repo.commit("Ignore")
    memory_repo.write(
        ".memory/users/ada/preferences/style.md",
        "---\ntype: preference\nid: pref-ada-style\ntitle: Short functions\nabstract: Functions are short.\n"
        "created: 2026-11-10\n---\n## Overview\nText.\n",
    )
    done = trace(memory_repo, "pref-ada-style")
    assert done.code == 0, done.err
    assert "private owner space, which stays out of git" in done.out


@pytest.mark.parametrize(
    "sources", ["7", "[7, x]", "[{session: 7}]", "[{turn: 1}]", "{}", "text", "[{session: a, turn: x}]"]
)
def test_sources_of_another_kind_are_no_crash(memory_repo: Repo, sources: str) -> None:
    page = memory_repo.read(".memory/patterns/migrations.md").replace("created:", f"sources: {sources}\ncreated:")
    memory_repo.write(".memory/patterns/migrations.md", page)
    done = trace(memory_repo, "pattern-migrations")
    assert done.code in (0, 2)
    assert "Traceback" not in done.err


def test_of_two_talks_with_one_name_the_note_is_that_of_the_entrys(memory_repo: Repo) -> None:
    talks = {
        "long": ("hi", "hello", "Every change gets a changelog line.", "ok", "thanks"),
        "short": ("hi", "Always write a test first."),
    }
    for name, said in talks.items():
        rows = [
            {"role": "user" if at % 2 == 0 or name == "short" else "assistant", "content": text}
            for at, text in enumerate(said)
        ]
        memory_repo.write(f"{name}.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
        done = memory_repo.minutebook("extract", f"{name}.jsonl", "--today", TODAY)
        assert done.code == 0, done.err
    names = [path.stem for path in (memory_repo.path / ".memory/patterns").glob("*.md")]
    sources = [source for name in names for source in document(memory_repo, f"pattern-{name}")["sources"]]
    assert len({source["session"] for source in sources}) == 1
    assert len({source["note"] for source in sources}) == 2
    assert sorted(source["records_read"] for source in sources) == [2, 5]
