"""The fast way through a transcript and the slow one say the same, and neither keeps more than fits."""

import io
import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minutebook.ground.session import Session, Turn
from minutebook.transcripts import draft, fresh, read_transcript
from minutebook.transcripts.decoding import Partial, conformed, decoder, encoder
from minutebook.transcripts.draft import RECORD_MOST
from minutebook.transcripts.records import LINE_MOST, PARTS_MOST, RecordStream
from minutebook.transcripts.said import SAID_MOST, TOOL_MOST
from minutebook.transcripts.turns import Kept, Turns
from minutebook.transcripts.values import GLUED_MOST

HERE = Path(__file__).parent
SHARED = Path(os.environ.get("MINUTEBOOK_SHARED", HERE.parent.parent / "shared")) / "data"
FIXTURES = sorted((HERE / "transcripts").rglob("*.jsonl"))
SAMPLES = sorted(
    path
    for name in ("claude-code", "codex", "copilot-cli")
    for path in (SHARED / "transcripts" / name).rglob("*.jsonl")
)
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


def read(content: bytes) -> Session:
    return read_transcript(io.BytesIO(content), "it.jsonl")


def line(type: str, content: object, **more: object) -> bytes:
    message = {"role": type, "content": content}
    return json.dumps({"type": type, "sessionId": "s", "cwd": "/repo", "message": message} | more).encode() + b"\n"


def slowly(content: bytes) -> bytes:
    """The same records, each with a NaN first: no fast decoder takes it, and no reader asks for it."""
    return b"\n".join(
        b'{"slow":NaN,' + each[1:] if each[:1] == b"{" and each.strip() != b"{}" else each
        for each in content.split(b"\n")
    )


def told(session: Session) -> tuple[object, ...]:
    return session.turns, session.skipped, session.records, session.files, session.redacted, session.started


@pytest.mark.parametrize("path", [*FIXTURES, *SAMPLES], ids=lambda path: path.stem[-40:])
def test_both_ways_give_the_same_turns(path: Path) -> None:
    content = path.read_bytes()
    assert told(read(content)) == told(read(slowly(content)))


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(0, 9)
    | st.sampled_from(["", "a", "text", "tool_use", "tool_result", "Bash"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["type", "text", "id"]), inner, max_size=3)
    ),
    max_leaves=4,
)
KEYS = ["type", "uuid", "parentUuid", "message", "content", "toolUseResult", "isMeta", "isSidechain", "timestamp"]
KEYS += ["payload", "role", "call_id", "output", "arguments", "name", "git", "instructions", "data", "id", "toolCallId"]
OBJECTS = st.dictionaries(st.sampled_from(KEYS), VALUES | st.dictionaries(st.sampled_from(KEYS), VALUES), max_size=6)
STARTS = [
    line("user", "hello"),
    b'{"type":"event_msg","payload":{"type":"user_message","message":"hi"}}\n',
    b'{"type":"user.message","id":"1","timestamp":"","data":{"content":"hi"}}\n',
]


@settings(deadline=None)
@given(st.sampled_from(STARTS), st.lists(OBJECTS, max_size=5))
def test_both_ways_agree_whatever_kinds_the_values_have(start: bytes, records: list[dict[str, Any]]) -> None:
    kinds = ("user", "assistant", "response_item", "event_msg", "tool.execution_complete")
    typed = [{"type": kinds[place % 5]} | each for place, each in enumerate(records)]
    content = start + b"".join(json.dumps(each).encode() + b"\n" for each in typed)
    assert told(read(content)) == told(read(slowly(content)))


class Inner(TypedDict, total=False):
    text: str


class Shape(TypedDict, total=False):
    name: str | None
    inner: Inner
    items: list[Inner]
    either: str | list[Inner]
    flag: bool


class Piece(Partial):
    text: str = ""


class Whole(Partial):
    name: str | None = None
    inner: Piece | None = None
    items: list[Piece] | None = None
    either: str | list[Piece] = ""
    flag: bool = False


def test_a_value_of_another_kind_is_as_good_as_none_in_a_record_with_defaults() -> None:
    value = {"name": None, "inner": 3, "items": [{"text": "a", "more": 1}, "x", {"text": 2}], "either": 1, "flag": 1}
    slow = conformed(value, Whole)
    fast = decoder(Whole)[0](b'{"items":[{"text":"a","more":1},{}]}')
    assert slow == fast
    assert [each.text for each in fast.items or ()] == ["a", ""]
    assert (fast.name, fast.inner, fast.either, fast.flag) == (None, None, "", False)


def test_a_value_of_another_kind_is_as_good_as_none() -> None:
    value = {"name": None, "inner": 3, "items": [{"text": "a", "more": 1}, "x", {"text": 2}], "either": 1, "flag": 1}
    assert conformed(value, Shape) == {"name": None, "items": [{"text": "a"}, {}]}


@pytest.mark.parametrize(
    "bad", [b"", b"{", b"{}{}", b'{"name":3}', b'{"x":NaN}', b'{"name":"\\ud800"}', b'{"name":"\xff"}']
)
@pytest.mark.parametrize("shape", [Shape, Whole])
def test_what_the_fast_decoder_does_not_take_it_leaves_to_the_other(bad: bytes, shape: type[Any]) -> None:
    decode, refused = decoder(shape)
    with pytest.raises(refused):
        decode(bad)


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8))
def test_canonical_json_is_what_the_json_module_writes(value: object) -> None:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert encoder()(value) == text.encode()


def test_a_secret_that_begins_within_what_is_kept_is_replaced_whole() -> None:
    for before in range(TOOL_MOST - 60, TOOL_MOST + 3):
        text = "x" * (before - 1) + " " + TOKEN + " y" * TOOL_MOST
        (turn,) = read(line("user", [{"type": "tool_result", "content": text}], toolUseResult="")).turns
        assert TOKEN[:12] not in turn.text
        assert len(turn.text) <= TOOL_MOST


def test_a_secret_that_the_cut_would_halve_is_never_kept() -> None:
    secrets = f"{TOKEN} " * 400
    (turn,) = read(line("user", [{"type": "tool_result", "content": secrets + "z" * 9000}], toolUseResult="")).turns
    assert "ghp_" not in turn.text
    assert "a1B2c3" not in turn.text


def test_what_people_say_is_kept_up_to_its_bound() -> None:
    (turn,) = read(line("user", "word " * SAID_MOST)).turns
    assert len(turn.text) == SAID_MOST


def test_a_transcript_that_grew_gives_its_old_turns_the_hashes_that_they_had() -> None:
    """Whatever is redacted at once, because it is a place or an odd argument, and whatever waits for its turn."""
    rows = []
    for number in range(40):
        secret = f"ghp_{number:02d}b2C3d4E5f6G7h8I9j0a1B2c3D4e5F6g7H8i9"
        given = {"odd_key": secret.replace("b2", "x9")} if number % 3 else {"command": secret.replace("b2", "y7")}
        rows.append(line("user", f"the token is {secret}", gitBranch=f"b-{secret}" if number > 20 else ""))
        rows.append(line("assistant", [{"type": "tool_use", "id": "t", "name": "Odd", "input": given}]))
    whole = read(b"".join(rows)).turns
    for size in range(1, len(rows), 7):
        part = read(b"".join(rows[:size])).turns
        assert [each.sha256 for each in part] == [each.sha256 for each in whole[:size]]


def test_what_is_given_by_a_name_that_makes_a_secret_of_it_is_redacted_by_its_name() -> None:
    given = {"user_password": "correcthorse7", "command": "ls"}
    (turn,) = read(line("assistant", [{"type": "tool_use", "id": "t", "name": "Odd", "input": given}])).turns
    assert turn.text == 'Odd: user_password: "[redacted:password:1]"'


@pytest.mark.parametrize(("apart", "kept"), [(1_100, 20), (10, 6)])
def test_more_secrets_than_anybody_has_are_no_talk_unless_they_are_far_apart(
    apart: int, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft, "SECRETS_MOST", 5)
    monkeypatch.setattr(fresh, "_TURNS_MOST", 0)
    hashes = (sha256(b"%d" % number).hexdigest()[:36] for number in range(20))
    session = read(b"".join(line("user", f"{'word ' * (apart // 5)} ghp_{each}") for each in hashes))
    assert len(session.turns) == kept
    assert session.skipped.get("too-many-secrets", 0) == 20 - kept
    assert session.redacted == {"github-token": kept}


def test_more_turns_in_a_record_than_anybody_takes_are_counted() -> None:
    block = {"type": "tool_result", "content": "x"}
    session = read(line("user", [block] * (RECORD_MOST + 5), toolUseResult=""))
    assert (len(session.turns), session.skipped) == (RECORD_MOST, {"too-many-turns": 5})


def kept(number: int, role: Any, kind: Any, size: int) -> Kept:
    return Turn(number, role, kind, "x" * size, "", number, ""), 0, False


def test_the_oldest_tool_turns_go_first_and_peoples_words_last() -> None:
    turns = Turns(most=100_000)
    for number in range(1, 181, 3):
        turns.extend([kept(number, "user", "text", 100)], 0)
        turns.extend([kept(number + 1, "assistant", "text", 100)], 0)
        turns.extend([kept(number + 2, "tool", "tool-result", 2000)], 0)
    taken = turns.taken()
    assert sum(each.role == "user" for each in taken) == 60
    assert turns.dropped["dropped-tool-turns"] == 60 - sum(each.role == "tool" for each in taken)
    assert turns.dropped["dropped-user-turns"] == 0
    assert taken[-1].number == 180
    assert [each.number for each in taken] == sorted(each.number for each in taken)


def test_when_nothing_else_is_left_the_oldest_words_go_and_are_counted() -> None:
    turns = Turns(most=100_000)
    for number in range(1, 401):
        turns.extend([kept(number, "user", "text", 300)], 0)
    assert turns.dropped["dropped-user-turns"] == 400 - len(turns.taken())
    assert turns.taken()[-1].number == 400


def test_what_a_session_drops_is_counted_and_the_rest_keeps_its_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draft.Draft, "__init__", _init_with_small_turns(draft.Draft.__init__))
    rows = [line("user", "one")] + [line("assistant", [{"type": "text", "text": "y" * 500}])] * 100
    session = read(b"".join(rows))
    assert session.turns[0].text == "one"
    assert session.skipped["dropped-agent-turns"] == 101 - len(session.turns)
    assert session.turns[-1].number == 101


def _init_with_small_turns(init: Any) -> Any:
    def small(self: draft.Draft, *args: Any, **kwargs: Any) -> None:
        init(self, *args, _turns=Turns(most=50_000), **kwargs)

    return small


def test_lines_come_whole_wherever_the_chunks_are_cut() -> None:
    content = b"\xef\xbb\xbf" + b"\n".join(
        [b"a" * 5, b"", b"b" * 3_000_000, b"c", b"d" * LINE_MOST, b"e" * (LINE_MOST + 1), b"f"]
    )
    for size in (70_001, 2**20, len(content)):
        stream = RecordStream(content[at : at + size] for at in range(0, len(content), size))
        seen = [(number, text[:1], len(text), ended) for number, text, ended in stream.lines()]
        assert seen == [
            (1, b"a", 5, True), (3, b"b", 3_000_000, True), (4, b"c", 1, True),
            (5, b"d", LINE_MOST, True), (7, b"f", 1, False),
        ]  # fmt: skip
        assert stream.skipped == {"too-long": 1}


def test_lines_that_would_fill_memory_or_time_are_counted_and_left() -> None:
    hello = line("user", "hello")
    many = b'{"type":"user","message":{"content":[' + b"{}," * PARTS_MOST + b"{}]}}\n"
    assert read(hello + many).skipped == {"too-many-parts": 1}
    assert read(hello + b"{}" * (GLUED_MOST + 5) + b"\n").skipped["too-many-parts"] == 1
    tiny = read(hello + b"{\n" * 2_000_000)
    assert tiny.skipped["unread"] > 1_800_000
    assert [each.text for each in tiny.turns] == ["hello"]
