"""Transcripts as people keep them: with a picture first, gathered in a list, packed, without an id, edited by hand."""

import gzip
import io
import json

import pytest

from minutebook.ground.session import Session
from minutebook.transcripts import UnknownTranscript, read_transcript
from minutebook.transcripts.records import LINE_MOST
from talk import jsonl, records

RULE = ("user", "From now on every client gets a timeout")
ID = "11111111-2222-4333-8444-555555555555"


def read(content: bytes) -> Session:
    return read_transcript(io.BytesIO(content), "it")


def told(session: Session) -> list[str]:
    return [turn.text[:60] for turn in session.turns if turn.role == "user"]


@pytest.mark.parametrize(
    ("size", "skipped", "first"),
    [(2 * 2**20, {}, ["x" * 60]), (LINE_MOST + 1, {"too-long": 1}, []), (3 * LINE_MOST, {"too-long": 1}, [])],
)
def test_a_first_line_that_fills_the_head_hides_no_format(size: int, skipped: dict[str, int], first: list[str]) -> None:
    content = jsonl(records(("user", "x" * size), RULE)).encode()
    session = read(content)
    assert (session.format, session.id, dict(session.skipped)) == ("claude-code", ID, skipped)
    assert told(session) == [*first, RULE[1]]
    assert [turn.record for turn in session.turns if turn.text == RULE[1]] == [2]
    other = jsonl(records(RULE, ("user", "x" * size))).encode()
    assert read(content).sha256 != read(other).sha256
    assert read(content[:-1]).sha256 != session.sha256


def test_several_lines_may_fill_the_head_and_what_is_none_stays_none() -> None:
    pictures = [("user", "x" * 1_500_000)] * 4
    assert told(read(jsonl(records(*pictures, RULE)).encode()))[-1] == RULE[1]
    with pytest.raises(UnknownTranscript):
        read(b'{"a": "' + b"x" * (LINE_MOST + 5) + b'"}\n{"b": 1}\n')
    with pytest.raises(UnknownTranscript):
        read(b"x" * (2 * LINE_MOST))


def test_a_list_of_an_agents_records_is_read_as_its_lines() -> None:
    lines = records(RULE, ("assistant", "Done."))
    session, whole = read(jsonl(lines).encode()), read(json.dumps(lines, indent=2).encode())
    assert (whole.format, whole.id, whole.cwd, whole.records) == (session.format, session.id, session.cwd, 2)
    assert whole.turns == session.turns
    assert whole.sha256 != session.sha256
    assert read(json.dumps([*lines, 7]).encode()).skipped == {"not-an-object": 1}
    assert read(json.dumps([{"role": "user", "content": "hi"}]).encode()).format == "plain"


def test_a_list_of_codex_records_is_codex_and_no_plain_one() -> None:
    meta = {"id": "c-1", "cwd": "/repo"}
    event = {"type": "user_message", "message": RULE[1]}
    lines = [
        {"type": kind, "payload": payload, "timestamp": "2026-11-10T09:00:00Z"}
        for kind, payload in (("session_meta", meta), ("event_msg", event))
    ]
    session = read(json.dumps(lines).encode())
    assert (session.format, told(session)) == ("codex", [RULE[1]])


@pytest.mark.parametrize("words", [b"Exporting session: ses_1\n", b"\x1b[2mExporting session: ses_1\x1b[0m\r\n"])
def test_what_opencode_says_before_an_export_is_passed_over(words: bytes) -> None:
    said = {"info": {"role": "user", "id": "m1"}, "parts": [{"type": "text", "text": RULE[1]}]}
    document = json.dumps({"info": {"id": "ses_1", "directory": "/repo"}, "messages": [said]}).encode()
    session, plain = read(words + document), read(document)
    assert (session.format, session.id, session.turns) == ("opencode", "ses_1", plain.turns)
    with pytest.raises(UnknownTranscript):
        read(b"Another line\n" + document)


def test_gemini_without_an_id_is_known_by_its_messages_and_named_by_the_first() -> None:
    messages = [{"type": "user", "content": RULE[1]}, {"type": "gemini", "content": "ok"}]
    session = read(json.dumps({"messages": messages}).encode())
    assert (session.format, told(session)) == ("gemini-cli", [RULE[1]])
    grown = read(json.dumps({"messages": [*messages, {"type": "user", "content": "thanks"}]}).encode())
    assert session.id == grown.id
    assert session.id.startswith("gemini-cli-")


def test_an_answer_to_a_question_that_says_nothing_stands_for_itself() -> None:
    def task(question: str) -> Session:
        asked = {"ts": 2, "type": "ask", "ask": "followup", "text": json.dumps({"question": question})}
        answer = {"ts": 3, "type": "say", "say": "user_feedback", "text": "Always run make lint before you commit."}
        return read(json.dumps([{"ts": 1, "type": "say", "say": "text", "text": "look"}, asked, answer]).encode())

    assert [turn.kind for turn in task("Which?").turns if turn.role == "user"] == ["text", "text"]
    assert [turn.kind for turn in task("Which linter runs?").turns if turn.role == "user"] == ["text", "answer"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (gzip.compress(b'{"type": "user"}\n', mtime=0), "packed with gzip"),
        (b"PK\x03\x04 and so on", "a zip file"),
        ("hello".encode("utf-16"), "UTF-16, and transcripts are UTF-8"),
        ("hello".encode("utf-32"), "UTF-32, and transcripts are UTF-8"),
    ],
)
def test_a_packed_file_is_called_what_it_is(content: bytes, says: str) -> None:
    with pytest.raises(UnknownTranscript, match=says) as caught:
        read(content)
    assert caught.value.hint


def test_a_name_reaches_no_terminal_as_it_is() -> None:
    with pytest.raises(UnknownTranscript) as caught:
        read_transcript(io.BytesIO(b'{"a": 1}\n'), "a\x1b[31m\nb")
    assert str(caught.value).startswith("a\\x1b[31m\\nb: no transcript")


def test_a_number_beyond_all_bounds_breaks_a_document_and_no_run() -> None:
    for number in ("1e99999999999999999999", "-1E+9999999999999999999999"):
        session = read(
            b'{"messages": [{"role": "user", "content": "hi"}, {"role": "user", "ts": ' + number.encode() + b"}]}"
        )
        assert told(session) == ["hi"]


# aider's history after an editor took blanks from the ends of its lines

AIDER = "# aider chat started at 2026-11-10 09:00:00\n\n> Aider v0.86.1  \n\n#### look at it  \n\nThe plan:\n\n"
SENT = "> Tokens: 2.4k sent, 150 received. Cost: $0.01 message, $0.01 session.\n\n"


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        (f"{SENT}#### {RULE[1]}\n\nok\n", [RULE[1]]),
        (
            f"{SENT}> Applied edit to a.py\n> Commit 12ab fix: a\n\n#### {RULE[1]}\n#### and mypy\n",
            [f"{RULE[1]}\nand mypy"],
        ),
        (f"{SENT}#### one  \n#### {RULE[1]}\n\nok\n", [f"one\n{RULE[1]}"]),
        (f"\n# aider chat started at 2026-11-11 09:00:00\n\n#### {RULE[1]}\n", [RULE[1]]),
        (f"\n#### {RULE[1]}\n\nA heading of the agent's.\n", []),
        (f"{SENT}#### ok  \n\n#### {RULE[1]}\n\nA reply that opens with a heading.\n", ["ok"]),
        (f"  ```\n#### {RULE[1]}  \n  ```\n", []),
    ],
)
def test_a_prompt_without_its_blanks_is_a_persons_where_a_person_speaks(rest: str, said: list[str]) -> None:
    assert told(read((AIDER + rest).encode())) == ["look at it", *said]


@pytest.mark.parametrize("printed", ["> Attempt to fix lint errors? (Y)es/(N)o [Yes]: y", "> Added a.py to the chat"])
def test_after_what_hands_the_talk_to_the_agent_it_is_none_and_is_counted(printed: str) -> None:
    session = read(f"{AIDER}{SENT}{printed}\n\n#### {RULE[1]}\n\nThe fix.\n".encode())
    assert told(session) == ["look at it"]
    assert session.skipped == {"unmarked": 1}
