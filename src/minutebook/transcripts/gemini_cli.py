"""Gemini CLI: one JSON object with `messages`, or (2026) JSON Lines with the same messages.

A person's words are the `content` of `user` messages, without what the program adds to it: the files that were named
with @, what a hook or the session's start says, the call to go on. In a subagent's file the user is another agent.
A file without a session's id is named by its first words.
In JSON Lines a message that comes again replaces its earlier self, and what a `$rewindTo` goes back before wasn't
said; a `$set` of messages is what the model is shown, and counts only for what isn't known yet. `Turn.record` is the
place of the message in the object, from 1, or its line.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from minutebook.ground.session import Session
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.draft import Draft, Said, string
from minutebook.transcripts.injected import spoken
from minutebook.transcripts.named import name_of
from minutebook.transcripts.records import RecordStream, head_records
from minutebook.transcripts.said import tool_call
from minutebook.transcripts.streamed import members, shape

NAME = "gemini-cli"
INJECTED = (
    *("<session_context>", "<hook_context>", "<state_snapshot>", "<system-reminder>", "<compressed_history"),
    *("System: Please continue.", "This is the Gemini CLI. We are setting up the context", "--- Content from "),
)
"""How text begins that a person didn't say."""
_ADDED = ("--- Content from referenced files ---", "<hook_context>")
"""Where, on a line of its own, what the program adds to a person's words begins."""
_MESSAGES = frozenset(("user", "gemini", "info", "warning", "error"))
_LOOKED_AT = 5
_WRITES = frozenset(("write_file", "replace", "edit", "smart_edit"))
_MEMBERS = frozenset(("sessionId", "startTime", "lastUpdated", "kind", "messages"))


@dataclass(slots=True)
class _Talk:
    """Messages by id, in their order, each with the branch its turns hang on; what was replaced or taken back."""

    known: dict[str, int] = field(default_factory=dict)
    texts: set[str] = field(default_factory=set)
    gone: set[int] = field(default_factory=set)
    people: set[int] = field(default_factory=set)
    branches: int = 0
    subagent: bool = False
    first: str = ""


def sniff(head: bytes) -> bool:
    if not any(mark in head for mark in (b'"sessionId"', b'"gemini"', b'"messages"')):
        return False
    records = list(head_records(head)) if b"\n" in head else []
    return any(_is_ours(record) for record in records) or _is_ours(shape(head))


def read(stream: RecordStream, source: str) -> Session:
    draft, talk = Draft(NAME, source), _Talk()
    if _is_lines(stream.head):
        for record in stream:
            _read_line(draft, talk, record.line, record.value)
    else:
        for name, number, value in members(stream, _MEMBERS):
            if name == "messages" and number:
                stream.records += 1
                _read_message(draft, talk, number, value)
            else:
                _read_about(draft, talk, {name: value})
    draft.place(name_of(NAME, talk.first), "", "")
    gone = talk.gone | talk.people if talk.subagent else talk.gone
    draft.prune(lambda branch: branch not in gone)
    return draft.session(stream)


def _is_ours(value: Json) -> bool:
    """The object, its first line as JSON Lines, or a message of the agent's."""
    messages = value.get("messages")
    first = messages[0] if isinstance(messages, list) and messages else {}
    about = "projectHash" in value or ("startTime" in value and "lastUpdated" in value)
    if "sessionId" in value and "cwd" not in value and "type" not in value:
        return about or _is_message(first)
    if isinstance(messages, list) and "type" not in value and "role" not in value:
        return any(map(_is_said, messages[:_LOOKED_AT]))
    return _is_message(value) and value["type"] == "gemini"


def _is_said(value: Any) -> bool:
    """A message by its type alone, without an id: where nothing else says what the file is."""
    plain = isinstance(value, dict) and "role" not in value and "message" not in value
    return plain and value.get("type") in ("user", "gemini") and isinstance(value.get("content"), str | list)


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and string(value, "type") in _MESSAGES and "content" in value and "id" in value


def _is_lines(head: bytes) -> bool:
    """Whether the first line is a record by itself and not the whole object on one line."""
    line, broken, _ = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
    first = next(head_records(line), None) if broken else None
    return first is not None and not first.get("messages")


def _read_about(draft: Draft, talk: _Talk, about: Json) -> None:
    draft.place(about.get("sessionId"), "", "")
    for name in ("startTime", "lastUpdated"):
        draft.time(about.get(name))
    talk.subagent = talk.subagent or about.get("kind") == "subagent"


def _read_line(draft: Draft, talk: _Talk, line: int, record: Json) -> None:
    changed = record.get("$set")
    if target := string(record, "$rewindTo"):
        _rewind(talk, target)
    elif isinstance(changed, dict):
        _read_about(draft, talk, changed)
        shown = changed.get("messages")
        for message in shown if isinstance(shown, list) else ():
            if not _is_told(talk, message):
                _read_message(draft, talk, line, message)
    elif "type" in record:
        _read_message(draft, talk, line, record)
    else:
        _read_about(draft, talk, record)


def _is_told(talk: _Talk, message: Any) -> bool:
    return string(message, "id") in talk.known or _key(message) in talk.texts


def _key(message: Any) -> str:
    """What a message says, to know it by when it comes again under another id."""
    return f"{string(message, 'type')} {_text(message)[:1000]}" if isinstance(message, dict) else ""


def _rewind(talk: _Talk, target: str) -> None:
    """Take back the message and all after it; one that isn't known takes nothing back."""
    last = "" if target in talk.known else target
    while last != target:
        last, branch = talk.known.popitem()
        talk.gone.add(branch)


def _read_message(draft: Draft, talk: _Talk, number: int, message: Any) -> None:
    kind, name = string(message, "type"), string(message, "id")
    if kind not in ("user", "gemini"):
        return
    talk.branches += 1
    if name in talk.known:
        talk.gone.add(talk.known[name])
    talk.known[name or f"#{talk.branches}"] = talk.branches
    talk.texts.add(_key(message))
    at = draft.time(message.get("timestamp"))
    if kind == "user":
        talk.people.add(talk.branches)
    said = list(_user(message) if kind == "user" else _agent(message, draft))
    talk.first = talk.first or (f"{at}\n{said[0].text}" if said else "")
    draft.tell(number, name, said, at, talk.branches)


def _user(message: Json) -> Iterator[Said]:
    text = _text({"content": message.get("displayContent") or message.get("content")})
    for mark in _ADDED:
        text = text.partition(f"\n{mark}")[0]
    if (words := spoken(text, INJECTED)).strip():
        yield Said("user", "text", words.strip("\n"))


def _agent(message: Json, draft: Draft) -> Iterator[Said]:
    if (text := _text(message)).strip():
        yield Said("assistant", "text", text)
    calls = message.get("toolCalls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            yield from _called(call, draft)


def _called(call: Json, draft: Draft) -> Iterator[Said]:
    tool, given = string(call, "name"), call.get("args")
    path = string(given, "file_path") or string(given, "absolute_path")
    writes = tool in _WRITES
    what = path or next((one for one in given.values() if isinstance(one, str)), "") if isinstance(given, dict) else ""
    yield tool_call(tool, what, path, writes=writes)
    if writes and call.get("status") == "success":
        draft.wrote(path)
    if answers := _answers(tool, call):
        for question, answer in answers:
            yield Said("user", "answer", answer, {"question": question, "answer": answer})
    elif (text := _result(call)) or call.get("status"):
        yield Said("tool", "tool-result", text, {"tool": tool})


def _answers(tool: str, call: Json) -> list[tuple[str, str]]:
    """What a person answered to the agent's own `ask_user`: question and answer."""
    if tool != "ask_user" or call.get("status") != "success":
        return []
    questions = call["args"].get("questions") if isinstance(call.get("args"), dict) else None
    asked = [string(each, "question") for each in questions] if isinstance(questions, list) else []
    answers = _decoded(_result(call)).get("answers")
    given = answers if isinstance(answers, dict) else {}
    return [(question, answer) for place, question in enumerate(asked) if (answer := string(given, str(place)).strip())]


def _decoded(text: str) -> Json:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _result(call: Json) -> str:
    """What the tool answered: the output or the error of its function responses, or plain parts of text."""
    result = call.get("result")
    texts = []
    for part in result if isinstance(result, list) else [result]:
        response = part.get("functionResponse") if isinstance(part, dict) else None
        given = response.get("response") if isinstance(response, dict) else None
        texts.append(string(given, "output") or string(given, "error") or string(part, "text"))
    text = "\n".join(text for text in texts if text)
    return text or (result if isinstance(result, str) else string(call, "resultDisplay"))


def _text(message: Json) -> str:
    """Content is a string, a part, or a list of parts; thoughts are no words."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [content]
    texts = [part if isinstance(part, str) else "" if _is_thought(part) else string(part, "text") for part in parts]
    return "\n".join(text for text in texts if text)


def _is_thought(part: Any) -> bool:
    return isinstance(part, dict) and bool(part.get("thought"))
