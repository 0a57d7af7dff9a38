"""Claude Code as it is written: a tree of records, subagents, compaction, sessions that go on in another file."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from minutebook.ground.session import Session
from minutebook.transcripts import read_transcript
from minutebook.transcripts.branches import IDS_MOST, Branches

HERE = Path(__file__).parent
Row = dict[str, Any]


def record(id: str, parent: str | None, type: str, content: object, **more: object) -> Row:
    message = {"role": type, "content": content}
    ids = {"uuid": id, "parentUuid": parent, "sessionId": "s", "cwd": "/repo"}
    return ids | {"type": type, "message": message} | more


def user(id: str, parent: str | None, text: str, **more: object) -> Row:
    return record(id, parent, "user", text, **more)


def agent(id: str, parent: str | None, text: str, **more: object) -> Row:
    return record(id, parent, "assistant", [{"type": "text", "text": text}], **more)


def calls(id: str, parent: str | None, call: str) -> Row:
    return record(
        id, parent, "assistant", [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": call}}]
    )


def result(id: str, parent: str | None, call: str) -> Row:
    block = {"type": "tool_result", "tool_use_id": call, "content": f"did {call}"}
    return record(id, parent, "user", [block], toolUseResult={"stdout": ""})


def read(*records: Row) -> Session:
    return read_transcript(io.BytesIO(b"".join(json.dumps(each).encode() + b"\n" for each in records)), "it.jsonl")


def texts(session: Session) -> list[str]:
    return [turn.text for turn in session.turns]


FIRST = (user("u1", None, "use black"), agent("a1", "u1", "black it is"))


def test_a_prompt_that_was_taken_back_gives_no_turns_nor_does_what_hangs_on_it() -> None:
    back = (user("u2", "a1", "and skip the tests"), calls("a2", "u2", "c1"), result("r2", "a2", "c1"))
    session = read(*FIRST, *back, user("u3", "a1", "and run the tests"), agent("a3", "u3", "ok"))
    assert texts(session) == ["use black", "black it is", "and run the tests", "ok"]
    assert session.skipped == {"rewound": 3}
    assert [turn.number for turn in session.turns] == [1, 2, 6, 7]


def test_going_back_twice_and_above_what_was_taken_back() -> None:
    one = (user("u2", "a1", "first try"), agent("a2", "u2", "done first"))
    two = (user("u3", "a2", "more of it"), agent("a3", "u3", "done more"))
    three = (user("u4", "a2", "second try"),)
    session = read(*FIRST, *one, *two, *three, user("u5", "a1", "another way"))
    assert texts(session) == ["use black", "black it is", "another way"]
    assert session.skipped == {"rewound": 5}


def test_parallel_tool_calls_are_no_branches() -> None:
    two = (calls("a2", "a1", "c1"), calls("a3", "a2", "c2"), result("r1", "a2", "c1"), result("r2", "a3", "c2"))
    session = read(*FIRST, *two, agent("a4", "r1", "both"), user("u2", "a4", "fine"))
    assert (session.skipped, len(session.turns)) == ({}, 8)


def test_what_is_typed_while_the_agent_works_is_not_taken_back_nor_is_what_the_agent_was_at() -> None:
    work = (user("u2", "a1", "why not?"), calls("a2", "u2", "c1"), result("r2", "a2", "c1"))
    session = read(*FIRST, *work, user("u3", "a1", "still there?"), agent("a3", "r2", "done"))
    assert session.skipped == {}
    assert [turn.text for turn in session.turns if turn.role == "user"] == ["use black", "why not?", "still there?"]


def test_a_record_whose_parent_is_missing_goes_on_from_the_one_before_it() -> None:
    later = (user("u2", "gone", "two"), agent("a2", "u2", "yes"), user("u3", None, "three"), user("u4", "u3", "four"))
    assert read(*FIRST, *later).skipped == {}


def test_the_way_leads_through_a_compaction_and_records_of_the_harness() -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None}
    summary = user("c", "b", "This session is being continued", isCompactSummary=True)
    progress = {"type": "progress", "uuid": "p", "parentUuid": "c", "data": {"type": "hook_progress"}}
    session = read(*FIRST, boundary | {"logicalParentUuid": "a1"}, summary, progress, user("u2", "p", "go on"))
    assert texts(session) == ["use black", "black it is", "go on"]
    back = (user("u3", "u2", "no"), user("u4", "p", "go on, with tests"))
    assert texts(read(*FIRST, boundary, summary, progress, *back)) == ["use black", "black it is", "go on, with tests"]


def test_a_resumed_session_repeats_records_which_are_read_once_with_the_hash_that_they_had() -> None:
    new = agent("a2", "u2", "ok", sessionId="t")
    repeated = [each | {"sessionId": "t"} for each in FIRST]
    forked = read(*repeated, user("u2", "a1", "two", sessionId="t"), new)
    assert [turn.sha256 for turn in forked.turns[:2]] == [turn.sha256 for turn in read(*FIRST).turns]
    assert texts(read(*FIRST, *repeated, user("u2", "a1", "two"))) == ["use black", "black it is", "two"]


def test_a_file_of_a_subagent_has_nobodys_words_and_says_so() -> None:
    rows = [user("u1", None, "find it", isSidechain=True), agent("a1", "u1", "found", isSidechain=True)]
    session = read(*rows)
    assert (session.turns, session.skipped, session.id) == ((), {"sidechain": 2}, "s")


def test_a_sidechain_within_the_file_is_left_out_and_hides_nothing() -> None:
    inside = (user("s1", None, "look", isSidechain=True), agent("s2", "s1", "seen", isSidechain=True))
    session = read(*FIRST, *inside, user("u2", "a1", "two"))
    assert (texts(session), session.skipped) == (["use black", "black it is", "two"], {})


def test_a_cycle_of_parents_is_survived() -> None:
    assert len(read(user("u1", "u2", "one"), user("u2", "u1", "two"), user("u3", "u3", "three")).turns) == 3


def test_ids_are_forgotten_so_that_the_longest_session_fits() -> None:
    tree = Branches()
    for number in range(IDS_MOST + 2):
        tree.hangs(f"a{number}", f"a{number - 1}", True)
    assert (tree.has_said("a0"), tree.has_said(f"a{IDS_MOST + 1}")) == (False, True)


@pytest.mark.parametrize(
    "content",
    [
        b"// a comment of the tool that wrote it\n",
        b'{"type":"summary","summary":"Of another session","leafUuid":"x"}\n' * 60,
        b'{"type":"file-history-snapshot","messageId":"m","snapshot":{},"isSnapshotUpdate":false}\n',
    ],
)
def test_what_stands_before_the_talk_is_no_talk(content: bytes) -> None:
    rest = b"".join(json.dumps(each).encode() + b"\n" for each in FIRST)
    assert texts(read_transcript(io.BytesIO(content + rest), "it.jsonl")) == ["use black", "black it is"]
