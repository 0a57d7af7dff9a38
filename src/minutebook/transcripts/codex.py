"""Codex CLI rollouts: JSON Lines, in an envelope (`timestamp`, `type`, `payload`) or flat (September 2025).

In the envelope a person's words are the `user_message` events and nothing else: the response items with role user
carry AGENTS.md and the environment too. A flat file has only those items, so the injected ones are told by how they
open. What the agent says stands twice in the envelope (response item and event); the event counts only where no
item says anything. `compacted` repeats earlier messages and isn't read.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from minutebook.ground.session import Session
from minutebook.transcripts.draft import Draft, Said, string, text_of
from minutebook.transcripts.records import Json, Record, RecordStream, head_records

NAME = "codex"
INJECTED = (
    *("<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "# AGENTS.md instructions", "<turn_aborted>"),
    *("<permissions instructions>", "<collaboration_mode>", "<user_shell_command>", "<skill>", "<skills_instructions>"),
    "Another language model started to solve this problem",
)
"""How text begins that a person didn't say."""
_ENVELOPES = frozenset(("session_meta", "turn_context", "response_item", "event_msg", "compacted"))
_ITEMS = frozenset(("message", "reasoning", "function_call", "function_call_output"))
_CALLS = frozenset(("function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call"))
_OUTPUTS = frozenset(("function_call_output", "custom_tool_call_output", "tool_search_output"))
_PATCH = re.compile(r"(?m)^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.{1,1000})$")
_FAILED = re.compile(r"(?:Exit code: [1-9]|.{0,40}verification failed|.{0,40}rejected by user|.{0,40}aborted)")
_REJECTED = frozenset(("exec command rejected by user", "patch rejected by user", "rejected by user"))
_CWD = re.compile(r"<cwd>([^<\n]{1,1000})</cwd>")


@dataclass(slots=True)
class _State:
    """Calls by id (tool, paths of its patch), and whether any response item holds the agent's words."""

    calls: dict[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    items_speak: bool = False


def sniff(head: bytes) -> bool:
    return any(_is_envelope(value) or _is_flat(value) for value in head_records(head)) or (
        b"\n" not in head and b'"payload":' in head[:200]
    )


def read(stream: RecordStream, source: str) -> Session:
    draft, state = Draft(NAME, source), _State()
    for record in stream:
        at = draft.time(record.value.get("timestamp"))
        try:
            known = _read_record(draft, state, record, at)
        except RecursionError:
            stream.skipped["too-deep"] += 1
        else:
            if not known:
                stream.skipped["unknown-type"] += 1
    if state.items_speak:
        draft.drop_spare()
    return draft.session(stream)


def _is_envelope(value: Json) -> bool:
    return string(value, "type") in _ENVELOPES and isinstance(value.get("payload"), dict)


def _is_flat(value: Json) -> bool:
    opening = "instructions" in value and "timestamp" in value and "id" in value
    item = string(value, "type") in _ITEMS and "uuid" not in value and ("content" in value or "call_id" in value)
    return opening or value.get("record_type") == "state" or item


def _read_record(draft: Draft, state: _State, record: Record, at: str) -> bool:
    """Adds what the record says; False when it is of no known type."""
    if not _is_envelope(record.value):
        return _read_flat(draft, state, record, at)
    kind, payload = record.value["type"], record.value["payload"]
    if kind in ("session_meta", "turn_context"):
        draft.place(payload.get("id"), payload.get("cwd"), string(payload, "git", "branch"))
    elif kind == "event_msg":
        if string(payload, "type") in ("user_message", "agent_message"):
            redacted = draft.redacted(record.value)
            draft.say(record, redacted, _event(redacted["payload"]), at)
    elif (
        kind == "response_item"
        and payload.get("type") != "reasoning"
        and payload.get("role") not in ("user", "developer")
    ):
        redacted = draft.redacted(record.value)
        draft.say(record, redacted, _item(redacted["payload"], state, draft), at)
    return True


def _read_flat(draft: Draft, state: _State, record: Record, at: str) -> bool:
    value = record.value
    if string(value, "type") in _ITEMS | _CALLS | _OUTPUTS:
        if value["type"] != "reasoning" and value.get("role") not in ("developer", "system"):
            redacted = draft.redacted(value)
            draft.say(record, redacted, _item(redacted, state, draft), at)
        return True
    if "instructions" in value or "git" in value:
        draft.place(value.get("id"), value.get("cwd"), string(value, "git", "branch"))
        return True
    return "record_type" in value


def _event(payload: Json) -> Iterator[Said]:
    text = string(payload, "message")
    spare = payload["type"] == "agent_message"
    if text.strip() and (spare or not text.lstrip().startswith(INJECTED)):
        yield Said("assistant" if spare else "user", "text", text, spare=spare)


def _item(item: Json, state: _State, draft: Draft) -> Iterator[Said]:
    kind = string(item, "type")
    if kind == "message":
        yield from _message(item, state, draft)
    elif kind in _CALLS:
        yield _called(item, state)
    elif kind in _OUTPUTS:
        yield _returned(item, state, draft)


def _message(item: Json, state: _State, draft: Draft) -> Iterator[Said]:
    text = text_of(item.get("content"))
    if item.get("role") == "assistant" and text.strip():
        state.items_speak = True
        yield Said("assistant", "text", text)
    elif item.get("role") == "user" and text.strip():
        if not text.lstrip().startswith(INJECTED):
            yield Said("user", "text", text)
        elif found := _CWD.search(text):
            draft.place("", found[1], "")


def _called(item: Json, state: _State) -> Said:
    tool = string(item, "name") or string(item, "type").removesuffix("_call")
    given = string(item, "input") or _arguments(item)
    paths = tuple(_PATCH.findall(given)) if "*** Begin Patch" in given else ()
    state.calls[string(item, "call_id")] = (tool, paths)
    detail = {"tool": tool} | ({"path": paths[0].strip(), "writes": "yes"} if paths else {})
    what = ", ".join(path.strip() for path in paths) or given
    return Said("assistant", "tool-call", f"{tool}: {what}" if what else tool, detail)


def _arguments(item: Json) -> str:
    """A call's main argument: its command, its patch or its query, or else all of its JSON."""
    raw = item.get("arguments") or item.get("action")
    given = _decoded(raw) if isinstance(raw, str) else raw
    if not isinstance(given, dict):
        return raw if isinstance(raw, str) else ""
    for name in ("cmd", "command", "input", "query"):
        found = given.get(name)
        if isinstance(found, list):
            return "\n".join(part for part in found if isinstance(part, str))
        if isinstance(found, str):
            return found
    return json.dumps(given, ensure_ascii=False)


def _decoded(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _returned(item: Json, state: _State, draft: Draft) -> Said:
    tool, paths = state.calls.pop(string(item, "call_id"), ("", ()))
    output = item.get("output")
    text = string(output, "content") if isinstance(output, dict) else text_of(output)
    if text.strip() in _REJECTED and tool and "__" not in tool:
        return Said("user", "tool-refused", "", {"tool": tool, "reason": ""})
    if not _FAILED.match(text):
        for path in paths:
            draft.wrote(path.strip())
    return Said("tool", "tool-result", text, {"tool": tool} if tool else {})
