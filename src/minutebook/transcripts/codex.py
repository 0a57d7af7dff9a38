"""Codex CLI rollouts: JSON Lines, in an envelope (`timestamp`, `type`, `payload`) or flat (September 2025).

In the envelope a person's words are the `user_message` events and nothing else: the response items with role user
carry AGENTS.md and the environment too. A flat file has only those items, so the injected ones are told by how they
open. What the agent says stands twice in the envelope (response item and event); the event counts only where no
item says anything. `compacted` repeats earlier messages and isn't read. In a session that another agent began
(`session_meta.source.subagent`) nobody speaks; its prompts are counted as `sidechain`. Turns that were rolled back give
none, and are counted as `rewound`.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypedDict

from minutebook.ground.session import Session
from minutebook.transcripts.calls import Calls
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.draft import Draft
from minutebook.transcripts.injected import is_human, spoken
from minutebook.transcripts.patches import patched
from minutebook.transcripts.records import RecordStream, head_records
from minutebook.transcripts.said import Said, string, text_of, tool_call

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
_FAILED = re.compile(r"(?:Exit code: [1-9]|.{0,40}verification failed|.{0,40}rejected by user|.{0,40}aborted)")
_REJECTED = frozenset(("exec command rejected by user", "patch rejected by user", "rejected by user"))
_IDE, _REQUEST = "# Context from my IDE setup:", "## My request for Codex:"
"""What an editor puts before a request, and what it puts between."""
_SHORT = 100
"""Characters: output that is longer says more than that a person rejected the call."""
_CWD = re.compile(r"<cwd>([^<\n]{1,1000})</cwd>")


class _Part(TypedDict, total=False):
    text: str


class _Git(TypedDict, total=False):
    branch: str | None


class _Item(TypedDict, total=False):
    """What is read of a payload, and of a flat record."""

    type: str
    id: str | None
    cwd: str | None
    git: _Git | None
    role: str | None
    message: str
    kind: Any
    source: Any
    thread_source: Any
    num_turns: Any
    content: str | list[_Part] | None
    name: str | None
    arguments: Any
    input: Any
    action: Any
    call_id: str | None
    output: Any


class _Record(_Item, total=False):
    timestamp: str
    payload: _Item
    instructions: Any
    record_type: str


_Call = tuple[str, tuple[str, ...]]
"""A tool, and the paths of its patch."""


@dataclass(slots=True)
class _State:
    """What later records need of earlier ones: calls by id, whether any response item holds the agent's words, whether
    another agent began the session, and for each of the turns of the talk whether it stays. `began` are those that a
    person's words began, of which a task has one at most."""

    draft: Draft
    calls: Calls[_Call] = field(default_factory=lambda: Calls(("", ())))
    items_speak: bool = False
    of_an_agent: bool = False
    prompts: int = 0
    began: list[int] = field(default_factory=list)
    in_task: bool = False
    has_tasks: bool = False
    stays: bytearray = field(default_factory=lambda: bytearray(b"\1"))


def sniff(head: bytes) -> bool:
    return any(_is_envelope(value) or _is_flat(value) for value in head_records(head)) or (
        b"\n" not in head and b'"payload":' in head[:200]
    )


def read(stream: RecordStream, source: str) -> Session:
    state = _State(Draft(NAME, source))
    for line, record in stream.typed(_Record):
        at = state.draft.time(record.get("timestamp"))
        payload = record.get("payload")
        if payload is not None and record.get("type") in _ENVELOPES:
            _read_payload(state, line, record.get("type", ""), payload, at)
        elif not _read_flat(state, line, record, at):
            stream.skipped["unknown-type"] += 1
    if state.prompts:
        stream.skipped["sidechain"] += state.prompts
    if gone := state.draft.prune(state.stays.__getitem__):
        stream.skipped["rewound"] += gone
    return state.draft.session(stream)


def _is_envelope(value: Json) -> bool:
    return string(value, "type") in _ENVELOPES and isinstance(value.get("payload"), dict)


def _is_flat(value: Json) -> bool:
    opening = "instructions" in value and "timestamp" in value and "id" in value
    item = string(value, "type") in _ITEMS and "uuid" not in value and ("content" in value or "call_id" in value)
    return opening or value.get("record_type") == "state" or item


def _read_payload(state: _State, line: int, kind: str, payload: _Item, at: str) -> None:
    if kind in ("session_meta", "turn_context"):
        _place(state.draft, payload)
        state.of_an_agent = state.of_an_agent or _is_of_an_agent(payload)
    elif kind == "event_msg":
        _read_event(state, line, payload, at)
    elif kind == "response_item" and payload.get("role") not in ("user", "developer"):
        _read_item(state, line, payload, at)


def _read_event(state: _State, line: int, payload: _Item, at: str) -> None:
    kind = payload.get("type")
    if kind in ("user_message", "agent_message"):
        said = [*_event(payload, state)]
        state.draft.tell(line, payload.get("id") or "", said, at, len(state.stays) - 1)
    elif kind in ("task_started", "turn_started"):
        state.in_task, state.has_tasks = False, True
    elif kind == "thread_rolled_back":
        _roll_back(state, payload.get("num_turns"))


def _roll_back(state: _State, turns: Any) -> None:
    """The last turns were taken back, with all that came of them; one where their number is none."""
    number = max(turns, 0) if isinstance(turns, int) else 1
    gone = state.began[max(len(state.began) - number, 0) :]
    del state.began[len(state.began) - len(gone) :]
    for turn in range(gone[0] if gone else len(state.stays), len(state.stays)):
        state.stays[turn] = 0
    state.stays.append(1)


def _is_of_an_agent(meta: _Item) -> bool:
    """Whether another agent began the session: `source` is an object then, and names people's programs otherwise."""
    source = meta.get("source")
    named = isinstance(source, dict | list) or "subagent" in str(source).lower().replace("_", "")
    return named or not is_human(meta.get("thread_source"))


def _read_flat(state: _State, line: int, record: _Record, at: str) -> bool:
    """Reads what a flat file has on a line; False when it is of no known type."""
    if record.get("type") in _ITEMS | _CALLS | _OUTPUTS:
        if record.get("role") not in ("developer", "system"):
            _read_item(state, line, record, at)
        return True
    if "instructions" in record or "git" in record:
        _place(state.draft, record)
        return True
    return "record_type" in record


def _place(draft: Draft, item: _Item) -> None:
    draft.place(item.get("id"), item.get("cwd"), string(item, "git", "branch"))


def _read_item(state: _State, line: int, item: _Item, at: str) -> None:
    if item.get("type") != "reasoning":
        name = item.get("id") or item.get("call_id") or ""
        state.draft.tell(line, name, [*_item(item, state)], at, len(state.stays) - 1)


def _event(payload: _Item, state: _State) -> Iterator[Said]:
    text = payload.get("message", "")
    if payload["type"] == "agent_message":
        if text.strip() and not state.items_speak:
            yield Said("assistant", "text", text, spare=True)
    elif state.of_an_agent:
        state.prompts += 1
    elif payload.get("kind") in (None, "", "plain"):
        words = spoken(_request(text), INJECTED)
        if (words or not text.strip()) and not state.in_task:
            state.began.append(len(state.stays))
            state.stays.append(1)
            state.in_task = state.has_tasks
        if words:
            yield Said("user", "text", words)


def _request(text: str) -> str:
    """What a person asked for beside an editor's context, which comes first."""
    if not text.lstrip().startswith(_IDE):
        return text
    _, found, request = text.rpartition(_REQUEST)
    return request.strip() if found else ""


def _item(item: _Item, state: _State) -> Iterator[Said]:
    kind = item.get("type")
    if kind == "message":
        yield from _message(item, state)
    elif kind in _CALLS:
        yield _called(item, state)
    elif kind in _OUTPUTS:
        yield _returned(item, state)


def _message(item: _Item, state: _State) -> Iterator[Said]:
    content = item.get("content")
    text = text_of(content)
    if item.get("role") == "assistant" and text.strip():
        if not state.items_speak:
            state.items_speak = True
            state.draft.drop_spare()
        yield Said("assistant", "text", text)
    elif item.get("role") == "user" and text.strip():
        for part in content if isinstance(content, list) else [text]:
            yield from _part(part if isinstance(part, str) else string(part, "text"), state)


def _part(text: str, state: _State) -> Iterator[Said]:
    if words := spoken(_request(text), INJECTED):
        yield Said("user", "text", words)
    elif found := _CWD.search(text):
        state.draft.place("", found[1], "")


def _called(item: _Item, state: _State) -> Said:
    tool = item.get("name") or item.get("type", "").removesuffix("_call")
    given = string(item, "input") or _arguments(item)
    paths = patched(given)
    state.calls.made(item.get("call_id") or "", (tool, paths))
    what = ", ".join(paths) or given
    return tool_call(tool, what, paths[0] if paths else "", writes=bool(paths))


def _arguments(item: _Item) -> str:
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
    except (ValueError, RecursionError):
        return None


def _returned(item: _Item, state: _State) -> Said:
    tool, paths = state.calls.returned(item.get("call_id") or "")
    output = item.get("output")
    text = string(output, "content") if isinstance(output, dict) else text_of(output)
    rejected = len(text) < _SHORT and text.strip() in _REJECTED
    if rejected and tool and "__" not in tool and not state.of_an_agent:
        return Said("user", "tool-refused", "", {"tool": tool, "reason": ""})
    if paths and not _FAILED.match(text):
        for path in paths:
            state.draft.wrote(path)
    return Said("tool", "tool-result", text, {"tool": tool} if tool else {})
