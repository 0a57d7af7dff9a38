"""What memory says that somebody said is proven again in the transcripts that are still there."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from conftest import Done, Repo
from minutebook.ground.session import Session, Turn
from minutebook.provenance.links import Source
from minutebook.provenance.proof import best, prove, unread
from talk import jsonl, records, session, turn

ID = "11111111-2222-4333-8444-555555555555"
MORE = ("user", "Let's use httpx instead of requests because it has timeouts")
RULE = ("user", "Always write a regression test first.")
PLANNED = ("assistant", "I suggest that we keep the cache in SQLite.")
LOG = ".memory/decisions/_log.md"


@pytest.fixture
def learned(memory_repo: Repo) -> Repo:
    """A repository that learned from `talk.jsonl` beside it, and committed it. Its person's home folder is empty."""
    memory_repo.write(".gitignore", ".memory/users/\n")
    home(memory_repo).mkdir()
    talk(memory_repo).write_text(jsonl(records(MORE, RULE)), "utf-8")
    done = memory_repo.minutebook("extract", str(talk(memory_repo)), "--today", "2026-11-20")
    assert done.code == 0, done.err
    assert "append decision" in done.out
    assert "create pattern" in done.out
    memory_repo.commit("Learned")
    return memory_repo


def home(repo: Repo) -> Path:
    return repo.path.parent / "home"


def talk(repo: Repo) -> Path:
    return repo.path.parent / "talk.jsonl"


def verify(repo: Repo, *arguments: str) -> Done:
    aside = dict.fromkeys(("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), "")
    return repo.minutebook("verify-sources", *arguments, **aside, HOME=str(home(repo)), USERPROFILE=str(home(repo)))


def document(repo: Repo, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(verify(repo, *arguments, "--format", "json").out)
    return found


def test_what_the_transcript_says_is_proven(learned: Repo) -> None:
    done = verify(learned, str(talk(learned)))
    assert (done.code, done.err) == (0, "")
    assert done.out == "3 sources of 9 entries: 3 proven\n"
    found = document(learned, str(talk(learned)))
    assert {each["state"] for each in found["sources"]} == {"proven"}
    assert (found["proven"], found["broken"], found["gone"]) == (3, 0, 0)
    assert {each["transcript"] for each in found["sources"]} == {str(talk(learned))}


def test_a_transcript_that_is_gone_is_no_failure_unless_asked(learned: Repo) -> None:
    talk(learned).unlink()
    done = verify(learned)
    assert done.code == 0
    assert "3 sources of 9 entries: 3 gone" in done.out
    assert f"session {ID}, turn 1: no transcript of that session is here" in done.out
    assert verify(learned, "--strict").code == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("Let's use aiohttp instead of requests because it has timeouts", "the quote is not in the turn"),
        ("Let's use httpx instead of requests because it has timeouts!", "the record's hash differs"),
    ],
)
def test_a_transcript_that_says_otherwise_is_broken(learned: Repo, words: str, why: str) -> None:
    talk(learned).write_text(jsonl(records(("user", words), RULE)), "utf-8")
    done = verify(learned, str(talk(learned)))
    assert done.code == 1
    assert f": broken: session {ID}, turn 1: " in done.out
    assert why in done.out
    assert LOG in done.out
    assert "1 broken" in done.out


def test_words_put_into_memory_by_hand_are_found_out(learned: Repo) -> None:
    log = learned.read(LOG)
    learned.write(LOG, log.replace("> Let's use httpx", "> Let's use aiohttp"))
    done = verify(learned, str(talk(learned)))
    assert done.code == 1
    assert f"{LOG}:" in done.out
    assert "the quote is not in the turn" in done.out


def test_another_role_is_found_out(learned: Repo) -> None:
    log = learned.read(LOG)
    learned.write(LOG, log.replace("turn 1, user", "turn 1, assistant"))
    done = verify(learned, str(talk(learned)))
    assert (done.code, "the role is user, not assistant" in done.out) == (1, True)


def test_entries_can_be_named_with_and_without_sources(learned: Repo) -> None:
    (pattern,) = (each["entry"] for each in document(learned)["sources"] if each["entry"].startswith("pattern-"))
    done = verify(learned, pattern, str(talk(learned)))
    assert (done.code, done.out) == (0, "1 source of 1 entry: 1 proven\n")
    assert verify(learned, pattern).out.endswith("1 source of 1 entry: 1 gone\n")


def test_entries_written_by_hand_have_nothing_to_prove(memory_repo: Repo) -> None:
    done = memory_repo.minutebook("verify-sources", HOME=str(memory_repo.path))
    assert (done.code, done.out) == (0, "0 sources of 6 entries: none\n")


def test_a_source_that_does_not_exist_is_exit_2_and_never_a_pass(learned: Repo) -> None:
    done = verify(learned, "no-such-entry-or-file")
    assert (done.code, done.out) == (2, "")
    learned.write("odd.jsonl", '{"hello": 1}\n')
    assert verify(learned, "odd.jsonl").code == 2


def test_the_agents_own_folder_and_checkpoints_are_looked_through_by_default(learned: Repo) -> None:
    folder = home(learned) / ".claude" / "projects" / "".join(c if c.isalnum() else "-" for c in str(learned.path))
    folder.mkdir(parents=True)
    text = talk(learned).read_text("utf-8").replace("/home/dev/shop", str(learned.path))
    (folder / f"{ID}.jsonl").write_text(text, "utf-8")
    (folder / "another.jsonl").write_text('{"type": "unknown"}\n', "utf-8")
    assert verify(learned).out == "3 sources of 9 entries: 3 proven\n"
    (folder / f"{ID}.jsonl").unlink()
    assert "3 gone" in verify(learned).out
    oid = learned.run("git", "hash-object", "-w", "--stdin", stdin=talk(learned).read_text("utf-8")).out.strip()
    index = {"GIT_INDEX_FILE": str(learned.path / ".git" / "other-index")}
    learned.git("update-index", "--add", "--cacheinfo", f"100644,{oid},a1/b2c3d4e5f6/0/full.jsonl", **index)
    tip = learned.git("commit-tree", learned.git("write-tree", **index), "-m", "Checkpoints")
    learned.git("update-ref", "refs/heads/entire/checkpoints/v1", tip)
    learned.commit("Work\n\nEntire-Checkpoint: a1b2c3d4e5f6")
    found = document(learned)
    assert found["proven"] == 3
    assert {each["transcript"] for each in found["sources"]} == {"entire:a1b2c3d4e5f6/0"}


def test_a_checkpoint_that_no_commit_of_head_names_proves_too(learned: Repo) -> None:
    oid = learned.run("git", "hash-object", "-w", "--stdin", stdin=talk(learned).read_text("utf-8")).out.strip()
    index = {"GIT_INDEX_FILE": str(learned.path / ".git" / "other-index")}
    learned.git("update-index", "--add", "--cacheinfo", f"100644,{oid},a1/b2c3d4e5f6/0/full.jsonl", **index)
    tip = learned.git("commit-tree", learned.git("write-tree", **index), "-m", "Checkpoints")
    learned.git("update-ref", "refs/heads/entire/checkpoints/v1", tip)
    assert verify(learned).out == "3 sources of 9 entries: 3 proven\n"
    alone = learned.git("commit-tree", learned.git("rev-parse", f"{tip}:a1/b2c3d4e5f6"), "-m", "Checkpoint")
    learned.git("update-ref", "refs/entire/checkpoints/f6/a1b2c3d4e5f6", alone)
    learned.git("update-ref", "-d", "refs/heads/entire/checkpoints/v1")
    assert verify(learned).out == "3 sources of 9 entries: 3 proven\n"
    learned.git("update-ref", "refs/entire/checkpoints/f6/a1b2c3d4e5f6", learned.git("rev-parse", f"{alone}^{{tree}}"))
    assert "3 gone" in verify(learned).out


@pytest.mark.parametrize("verb", ["verify-sources", "trace"])
def test_without_the_extra_that_reads_transcripts_nothing_is_said_to_be_gone(learned: Repo, verb: str) -> None:
    shadow = learned.path.parent / "shadow"
    shadow.mkdir()
    (shadow / "msgspec.py").write_text("raise ImportError('not installed')\n", "utf-8")
    (pattern,) = (each["entry"] for each in document(learned)["sources"] if each["entry"].startswith("pattern-"))
    done = learned.minutebook(verb, pattern, PYTHONPATH=str(shadow), HOME=str(home(learned)))
    assert (done.code, done.out) == (2, "")
    assert "reading transcripts needs the maintain extra\n  try: pip install 'minutebook[maintain]'" in done.err
    done = learned.minutebook("verify-sources", str(talk(learned)), PYTHONPATH=str(shadow), HOME=str(home(learned)))
    assert (done.code, done.out) == (2, "")


def test_of_several_transcripts_of_a_session_one_that_proves_it_is_enough(learned: Repo) -> None:
    other = talk(learned).with_name("changed.jsonl")
    other.write_text(jsonl(records(("user", "Let's use aiohttp"), RULE)), "utf-8")
    assert verify(learned, str(other), str(talk(learned))).out == "3 sources of 9 entries: 3 proven\n"
    assert verify(learned, str(other)).code == 1


def test_control_characters_of_memory_reach_no_terminal(learned: Repo) -> None:
    path = learned.write(".memory/patterns/red.md", PATTERN.replace("SESSION", '"a\\e[31mb"'))
    assert path.is_file()
    done = verify(learned)
    assert "\x1b" not in done.out
    assert os.linesep.join(done.out.split("\n")).count("pattern-red") == 1


PATTERN = """---
type: pattern
id: pattern-red
title: A page with an odd source
abstract: Its source names a session with a control character in it.
created: 2026-11-02
sources:
- session: SESSION
  turn: 1
  sha256: 0000000000000000000000000000000000000000000000000000000000000000
---
## Overview
Text.
"""


# the decision, as values


def source(said: Turn, **more: Any) -> Source:
    fields: dict[str, Any] = {
        "type": "decision",
        "turn": said.number,
        "role": said.role,
        "quote": said.text,
        "sha256": said.sha256,
    }
    return Source(entry="e-1", path="log.md", line=3, session="s-1", **(fields | more))


ONE, TWO = turn(1, "user", "Use httpx,\nnot requests"), turn(2, "assistant", "Yes, httpx it is")


@pytest.mark.parametrize(
    ("given", "there", "state", "why"),
    [
        (source(ONE), session(ONE, TWO), "proven", ""),
        (source(ONE, quote="httpx,  not"), session(ONE), "proven", ""),
        (source(ONE, quote=""), session(ONE), "broken", "it quotes nothing"),
        (source(ONE, quote="", role="", type="session"), session(ONE), "proven", ""),
        (source(ONE, role=""), session(ONE), "broken", "the role is user, not named"),
        (source(ONE, at=ONE.at), session(ONE), "proven", ""),
        (
            source(ONE, at="2020-01-01T09:00:00Z"),
            session(ONE),
            "broken",
            "the time is 2026-11-10T09:00:00Z, not 2020-01-01T09:00:00Z",
        ),
        (source(ONE, turn=9), session(ONE, TWO), "proven", ""),
        (source(ONE, quote="Use HTTPX"), session(ONE), "broken", "the quote is not in the turn"),
        (source(ONE, role="assistant"), session(ONE), "broken", "the role is user, not assistant"),
        (source(ONE, sha256="0" * 64), session(ONE), "broken", "the record's hash differs"),
        (source(ONE, sha256="0" * 64, turn=2), session(ONE), "gone", "the transcript here ends before turn 2"),
        (source(ONE), session(TWO), "broken", "there is no turn 1"),
        (source(ONE), session(), "gone", "the transcript here ends before turn 1"),
        (source(ONE, sha256=""), session(ONE), "named", "it has no hash of a record"),
    ],
)
def test_a_source_is_proven_by_hash_words_and_role(given: Source, there: Session, state: str, why: str) -> None:
    proof = prove(given, there)
    assert (proof.state, proof.why) == (state, why)


def test_before_any_transcript_is_read_a_source_is_gone() -> None:
    assert unread(source(ONE)).state == "gone"
    assert unread(source(ONE, sha256="")).state == "named"
    proofs = [
        unread(source(ONE)),
        prove(source(ONE, quote="nobody said"), session(ONE)),
        prove(source(ONE), session(ONE)),
    ]
    assert best(proofs).state == "proven"
    assert best(proofs[:2]).state == "broken"
