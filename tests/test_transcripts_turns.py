"""Turns: the hash of a record is what people's repositories have stored of it, whenever it is worked out."""

import gc
import io
import json
import pickle
import tracemalloc
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from minutebook.ground.frozen import as_dict, replace
from minutebook.ground.session import Session, Turn, sole_turn
from minutebook.transcripts import UnknownTranscript, read_transcript
from minutebook.transcripts.fresh import Fresh
from minutebook.transcripts.said import SAID_MOST, TOOL_MOST, Said, Told

HERE = Path(__file__).parent
UUID = "01234567-89ab-cdef-0123-456789abcdef"
AT = "2026-05-10T09:00:00.123Z"
STORED = {
    "claude-code/entire-cli.jsonl": "fed92a6e8ab684ec",
    "claude-code/session-share.jsonl": "58e3f4843ba1c5e2",
    "cline/api_conversation_history.json": "72f5c716a587cf05",
    "cline/ui_messages.json": "c3dfa4c3f3b33df0",
    "codex/agentv.jsonl": "10b7a1f3c71da304",
    "copilot-cli/agentv.jsonl": "dbf0b7f2ff3da55d",
    "gemini-cli/entire-cli.json": "ba15c3663ac722a2",
    "opencode/session.json": "5a21c192a4edf8cf",
    "swe-agent/function-calling.traj": "81c7d52cbe595aa0",
}
"""The first digits of the SHA-256 of the hashes of all turns, a line each."""


def read(content: bytes) -> Session:
    return read_transcript(io.BytesIO(content), "it.jsonl")


def line(type: str, content: object, **more: object) -> bytes:
    message = {"role": type, "content": content}
    return json.dumps({"type": type, "sessionId": "s", "cwd": "/repo", "message": message} | more).encode() + b"\n"


def canonical(id: str, at: str, said: list[tuple[str, str, str, dict[str, str]]]) -> str:
    value = [id, at, [list(each) for each in said]]
    return sha256(json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


@pytest.mark.parametrize("name", STORED)
def test_records_have_the_hashes_that_were_stored_of_them(name: str) -> None:
    session = read((HERE / "transcripts" / name).read_bytes())
    assert sha256("".join(f"{turn.sha256}\n" for turn in session.turns).encode()).hexdigest()[:16] == STORED[name]


def test_a_turn_that_is_all_of_its_record_has_the_hash_of_the_canonical_json() -> None:
    (turn,) = read(line("user", "Füge – bitte\n\u2028 hinzu", uuid=UUID, timestamp=AT)).turns
    assert turn.sha256 == canonical(UUID, AT, [("user", "text", "Füge – bitte\n\u2028 hinzu", {})])


def test_the_turns_of_one_record_share_its_hash() -> None:
    blocks = [
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "/repo/src/a.py"}},
    ]
    one, two = read(line("assistant", blocks, uuid=UUID, timestamp=AT)).turns
    detail = {"path": "src/a.py", "tool": "Read"}
    said = [("assistant", "text", "I look.", {}), ("assistant", "tool-call", "Read: /repo/src/a.py", detail)]
    assert one.sha256 == two.sha256 == canonical(UUID, AT, said)
    assert two.detail == detail


def test_a_hash_stays_whatever_becomes_of_the_turn_afterwards() -> None:
    turn = sole_turn((7, "user", "text", "hi", AT, 3, [UUID], {}))
    known = canonical(UUID, AT, [("user", "text", "hi", {})])
    for changed in (replace(turn, at=""), replace(turn, number=1), pickle.loads(pickle.dumps(turn))):
        assert changed.sha256 == known
    assert as_dict(turn)["sha256"] == known
    assert known in repr(turn)


def test_turns_are_equal_by_what_they_say_however_they_were_made() -> None:
    made = sole_turn((7, "user", "text", "hi", AT, 3, [UUID], {}))
    given = Turn(7, "user", "text", "hi", AT, 3, canonical(UUID, AT, [("user", "text", "hi", {})]), {})
    assert made == given
    assert made != replace(given, sha256="0" * 64)
    assert made != tuple(given)


SECRET_IDS = ["sk_live_aB3dE5fG7hI9jK1lM2nO4pQ6rS8t", "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2]


@pytest.mark.parametrize("id", SECRET_IDS, ids=["as long as a UUID", "longer"])
@pytest.mark.parametrize("others", [0, 3])
def test_a_secret_in_a_records_id_is_replaced_before_it_is_hashed(id: str, others: int) -> None:
    rows = [line("user", f"words {number}", uuid=UUID[:-1] + str(number)) for number in range(others)]
    session = read(b"".join([*rows, line("user", "hello", uuid=id)]))
    assert sum(session.redacted.values()) == 1
    (kind,) = session.redacted
    assert session.turns[-1].sha256 == canonical(f"[redacted:{kind}:1]", "", [("user", "text", "hello", {})])
    for number, turn in enumerate(session.turns[:-1]):
        assert turn.sha256 == canonical(UUID[:-1] + str(number), "", [("user", "text", f"words {number}", {})])


def test_the_ids_of_records_fill_no_memory() -> None:
    content = b"".join(line("user", f"{number}", uuid=f"{number}" + "x" * 10**6) for number in range(30))
    tracemalloc.start()
    session = read(content)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(session.turns) == 30
    assert held < 5 * 10**6


TOLD: list[Told] = [
    Said("user", "plan-corrected", "no", {"plan": "p" * (SAID_MOST + 9_000), "correction": "no"}),
    Said("tool", "tool-result", "t" * 9_000, {"tool": "Bash"}),
    Said("assistant", "text", "a" * 9_000),
    Said("assistant", "tool-call", "Edit: x", {"tool": "Edit", "path": "/repo/x", "writes": "yes"}),
]


@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize("word", ["", "z"])
def test_what_is_kept_is_the_same_whether_something_was_replaced_or_not(together: bool, word: str) -> None:
    """`word`, which stands in a text of its own, is what there is to replace."""
    fresh = Fresh(0)
    for number, said in enumerate([TOLD] if together else [[each] for each in TOLD]):
        fresh.tell(number, UUID, said, AT, 0)
    fresh.tell(9, UUID, [Said("user", "text", word)], AT, 0)
    turns = [turn for turn, *_ in fresh.settled(lambda texts: [text.replace("z", "!") for text in texts], "/repo")]
    assert [len(turn.text) for turn in turns[:-1]] == [2, TOOL_MOST, 9_000, 7]
    assert [dict(turn.detail) for turn in turns[:-1]] == [
        {"plan": "p" * SAID_MOST, "correction": "no"}, {"tool": "Bash"}, {},
        {"tool": "Edit", "path": "x", "writes": "yes"},
    ]  # fmt: skip
    assert turns[-1].text == word.replace("z", "!")
    assert len({turn.sha256 for turn in turns[:-1]}) == (1 if together else 4)


HALF = json.dumps({"cmd": "echo \ud800!", "command": "echo \ud800!", "path": "\ud800!"})
ARGUMENTS: list[Any] = [
    {"type": "response_item", "payload": {"type": "function_call", "name": "shell", "arguments": HALF}},
    {"type": "response_item", "payload": {"type": "function_call", "name": "shell", "arguments": '{"odd":"\\ud800!"}'}},
    {"kind": "ActionEvent", "source": "agent", "id": "1", "tool_name": "t", "tool_call": {"arguments": HALF}},
]


@pytest.mark.parametrize("record", ARGUMENTS, ids=["Codex", "Codex, odd", "OpenHands"])
def test_half_a_surrogate_pair_in_a_calls_arguments_is_mended(record: dict[str, Any]) -> None:
    (turn,) = read(json.dumps(record).encode()).turns
    assert "\ufffd!" in turn.text
    turn.text.encode()


@pytest.fixture
def collecting() -> Iterator[None]:
    yield
    gc.enable()


@pytest.mark.parametrize("looked", [True, False])
def test_the_search_for_cycles_is_as_it_was_after_reading(looked: bool, collecting: None) -> None:
    if not looked:
        gc.disable()
    read(line("user", "hello"))
    assert gc.isenabled() is looked
    with pytest.raises(UnknownTranscript):
        read(b"no transcript\n")
    assert gc.isenabled() is looked
