"""Messages with a role and content, as model APIs have them: the last resort for what no agent's own format claims.

JSON Lines with a message or a conversation a line, a JSON list of messages, or an object with such a list under one of
LISTS. Content is text, blocks (`text`, `tool_use`, `tool_result`) or `parts`. There is nobody to ask whose words they
are but the role: `user` is the person, unless a mark says whose words they are instead (a tool's, an agent's, a
document's: they count as what a tool printed), and what opens as harnesses inject it is left out.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from minutebook.ground.session import Session
from minutebook.transcripts import claude_code, codex
from minutebook.transcripts.calls import Calls, first_string
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.draft import Draft
from minutebook.transcripts.injected import HUMANS, is_human, spoken
from minutebook.transcripts.named import name_of
from minutebook.transcripts.records import RecordStream, head_records
from minutebook.transcripts.said import Said, string, tool_call
from minutebook.transcripts.streamed import members, shape
from minutebook.transcripts.times import of_epoch

NAME = "plain"
LISTS = ("messages", "conversation", "conversations", "history", "turns", "chat", "chat_messages")
_ROLES = {
    **dict.fromkeys(("user", "human"), "user"),
    **dict.fromkeys(("assistant", "ai", "model", "gpt", "bot"), "assistant"),
    **dict.fromkeys(("tool", "function"), "tool"),
    **dict.fromkeys(("system", "developer"), "system"),
}
_TEXTS, _TIMES = ("content", "parts", "text", "value"), ("timestamp", "created_at", "createdAt", "time", "ts")
_IDS, _PLACES = ("session_id", "sessionId", "conversation_id", "id"), ("cwd", "working_directory", "workdir")
_MARKS = (
    *("isMeta", "isSidechain", "isCompactSummary", "isVisibleInTranscriptOnly", "isSynthetic", "agentId"),
    *("tool_call_id", "toolCallId", "tool_use_id", "parentToolCallId", "sourceToolUseID"),
)
"""Marks of a message or of the record around it that no person spoke, if they aren't empty, false or zero."""
_TYPES = (*HUMANS, "message", "text", "input_text", "chat", "prompt")
_MILLISECONDS = 10**11
_INJECTED = (*claude_code.INJECTED, *codex.INJECTED)


@dataclass(slots=True)
class _State:
    """Calls by id, and what was said first, which names a session that has no name."""

    draft: Draft
    calls: Calls[str] = field(default_factory=lambda: Calls(""))
    first: str = ""


def sniff(head: bytes) -> bool:
    if _is_lines(head):
        return any(_role(each) and _has_content(each) for record in head_records(head) for each in _messages(record))
    seen = shape(head)
    return any(isinstance(each, dict) and _role(each) for name in ("", *LISTS) for each in _listed(seen.get(name)))


def read(stream: RecordStream, source: str) -> Session:
    state = _State(Draft(NAME, source))
    if _is_lines(stream.head):
        for record in stream:
            _place(state.draft, record.value)
            _read_all(stream, state, record.line, _messages(record.value))
    else:
        for name, number, value in members(stream, ("", *LISTS, *_IDS, *_PLACES)):
            if number and isinstance(value, dict):
                stream.records += 1
                _read_all(stream, state, number, [value])
            elif not number:
                _place(state.draft, {name: value})
    state.draft.place(name_of(NAME, state.first), "", "")
    return state.draft.session(stream)


def _is_lines(head: bytes) -> bool:
    """Whether the first line is a whole record: a document in one line has no line break, one of many is cut there."""
    first = next((line for line in head.split(b"\n", 1000) if _is_text(line)), b"")
    whole = next(head_records(first), None)
    return whole is not None and (b"\n" in head or _role(whole) != "")


def _is_text(line: bytes) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith(b"//")


def _messages(record: Json) -> list[Json]:
    """The messages that a line holds: itself, the one inside it, or a list of them."""
    if _role(record):
        return [record]
    if isinstance(inner := record.get("message"), dict) and _role(inner):
        around = {name: record[name] for name in ("id", "timestamp", "origin", *_MARKS) if name in record}
        return [around | inner | {name: True for name in _MARKS if record.get(name)}]
    return [each for name in LISTS for each in _listed(record.get(name)) if isinstance(each, dict)]


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _role(message: Json) -> str:
    """Whose words they are; the first key that is there says so, whatever it says."""
    key = next((key for key in ("role", "from", "sender") if message.get(key) is not None), "")
    return _ROLES.get(string(message, key), "")


def _has_content(message: Json) -> bool:
    return any(name in message for name in (*_TEXTS, "tool_calls"))


def _place(draft: Draft, value: Json) -> None:
    if _role(value):
        return
    named = next((value[name] for name in _IDS if isinstance(value.get(name), str)), "")
    cwd = next((value[name] for name in _PLACES if isinstance(value.get(name), str)), "")
    draft.place(named, cwd, value.get("branch"))


def _read_all(stream: RecordStream, state: _State, line: int, messages: list[Json]) -> None:
    for message in messages:
        if not _role(message):
            stream.skipped["unknown-type"] += 1
            continue
        said = [*_said(message, state)]
        state.first = state.first or next((one.text for one in said if one.role == "user"), "")
        state.draft.tell(line, string(message, "id") or string(message, "uuid"), said, _time(message, state.draft))
    if not messages:
        stream.skipped["unknown-type"] += 1


def _time(message: Json, draft: Draft) -> str:
    stamp = next((message[name] for name in _TIMES if name in message), None)
    if isinstance(stamp, int | float) and not isinstance(stamp, bool):
        return draft.time(of_epoch(stamp if abs(stamp) > _MILLISECONDS else stamp * 1000))
    return draft.time(stamp)


def _said(message: Json, state: _State) -> Iterator[Said]:
    role, blocks = _role(message), _blocks(message)
    if role == "tool":
        tool = state.calls.returned(string(message, "tool_call_id")) or string(message, "name")
        yield Said("tool", "tool-result", _text(blocks), {"tool": tool} if tool else {})
    for block in blocks if role in ("user", "assistant") else ():
        if block.get("type") == "tool_result":
            tool = state.calls.returned(string(block, "tool_use_id"))
            yield Said("tool", "tool-result", _text(_blocks(block)), {"tool": tool} if tool else {})
    if role == "user" and not _is_persons(message):
        yield Said("tool", "tool-result", _text(blocks), {"tool": name} if (name := string(message, "name")) else {})
    elif role == "user":
        texts = [string(block, "text") for block in blocks if block.get("type") in _TYPES]
        if words := "\n\n".join(filter(None, (spoken(text, _INJECTED) for text in texts))):
            yield Said("user", "text", words)
    elif role == "assistant":
        if words := _text(blocks).strip("\n"):
            yield Said("assistant", "text", words)
        for call in (*blocks, *_listed(message.get("tool_calls"))):
            yield from _called(call, state)


def _is_persons(message: Json) -> bool:
    """Whether nothing says that a message with a person's role is a tool's, an agent's or a document."""
    if any(map(message.get, (*_MARKS, "name"))) or message.get("type") not in _TYPES:
        return False
    return is_human(message.get("origin")) and is_human(message.get("source"))


def _called(call: Any, state: _State) -> Iterator[Said]:
    """A `tool_use` block, or a call as chat completions have it: a function with its arguments as JSON."""
    if not isinstance(call, dict):
        return
    name = string(call, "function", "name")
    tool, given = (name, call["function"].get("arguments")) if name else (string(call, "name"), call.get("input"))
    if tool and (name or call.get("type") == "tool_use"):
        state.calls.made(string(call, "id"), tool)
        what = first_string(_decoded(given) if isinstance(given, str) else given)
        yield tool_call(tool, what)


def _decoded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _blocks(message: Json) -> list[Json]:
    """The blocks of a message; what is plain text is one."""
    content = next((message[name] for name in _TEXTS if message.get(name)), "")
    parts = content if isinstance(content, list) else [content]
    return [each if isinstance(each, dict) else {"text": each} for each in parts if isinstance(each, dict | str)]


def _text(blocks: list[Json]) -> str:
    return "\n".join(text for block in blocks if (text := string(block, "text")))
