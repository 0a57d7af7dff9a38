"""Messages with a role and content, as model APIs have them: the last resort for what no agent's own format claims.

JSON Lines with a message or a conversation a line, a JSON list of messages, or an object with such a list under one of
LISTS. Content is text, blocks (`text`, `tool_use`, `tool_result`) or `parts`. There is nobody to ask whose words they
are but the role: `user` is the person, and what opens as harnesses inject it is left out.
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
from minutebook.transcripts.named import name_of
from minutebook.transcripts.records import RecordStream, head_records
from minutebook.transcripts.said import Said, string
from minutebook.transcripts.streamed import members, shape
from minutebook.transcripts.times import of_epoch

NAME = "plain"
LISTS = ("messages", "conversation", "conversations", "history", "turns", "chat")
_ROLES = {
    **dict.fromkeys(("user", "human"), "user"),
    **dict.fromkeys(("assistant", "ai", "model", "gpt", "bot"), "assistant"),
    **dict.fromkeys(("tool", "function"), "tool"),
    **dict.fromkeys(("system", "developer"), "system"),
}
_TEXTS, _TIMES = ("content", "parts", "text", "value"), ("timestamp", "created_at", "createdAt", "time", "ts")
_IDS, _PLACES = ("session_id", "sessionId", "conversation_id", "id"), ("cwd", "working_directory", "workdir")
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
        return [{"id": record.get("id"), "timestamp": record.get("timestamp")} | inner]
    return [each for name in LISTS for each in _listed(record.get(name)) if isinstance(each, dict)]


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _role(message: Json) -> str:
    return next((_ROLES[name] for key in ("role", "from", "sender") if (name := string(message, key)) in _ROLES), "")


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
    if role == "user":
        spoken = [string(block, "text") for block in blocks]
        words = "\n\n".join(text for text in spoken if text.strip() and not text.lstrip().startswith(_INJECTED))
        if words:
            yield Said("user", "text", words)
    elif role == "assistant":
        if words := _text(blocks).strip("\n"):
            yield Said("assistant", "text", words)
        for call in (*blocks, *_listed(message.get("tool_calls"))):
            yield from _called(call, state)


def _called(call: Any, state: _State) -> Iterator[Said]:
    """A `tool_use` block, or a call as chat completions have it: a function with its arguments as JSON."""
    if not isinstance(call, dict):
        return
    name = string(call, "function", "name")
    tool, given = (name, call["function"].get("arguments")) if name else (string(call, "name"), call.get("input"))
    if tool and (name or call.get("type") == "tool_use"):
        state.calls.made(string(call, "id"), tool)
        what = first_string(state.draft, _decoded(given) if isinstance(given, str) else given)
        yield Said("assistant", "tool-call", f"{tool}: {what}" if what else tool, {"tool": tool})


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
