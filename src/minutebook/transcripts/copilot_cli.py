"""Copilot CLI: JSON Lines of events, `type`, `data`, `id`, `timestamp` and `parentId`.

A person's words are the `content` of `user.message` and nothing else: `transformedContent` and the input of hooks
repeat it with more around it, and a message whose `source` isn't the user comes from a skill or the program. One with
a parent call or an agent's id is what an agent asks of another. Answers are what the program's own `ask_user` returns,
and a permission that was denied by the user is a tool refused. What a rewind took back gives no turns and is counted
as `rewound`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypedDict

from minutebook.ground.frozen import frozen
from minutebook.ground.session import Session
from minutebook.transcripts.calls import Calls, answered, first_string
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.draft import Draft
from minutebook.transcripts.injected import spoken
from minutebook.transcripts.patches import patched
from minutebook.transcripts.records import RecordStream, head_records
from minutebook.transcripts.said import Said, string, tool_call

NAME = "copilot-cli"
INJECTED = ("<system_notification>", "<system_reminder>", "<current_datetime>", "<skill-context", "<command-")
"""How text begins that a person didn't say."""
_KNOWN = frozenset(
    (
        *("session", "user", "assistant", "tool", "hook", "permission", "system", "abort", "subagent", "skill"),
        *("user_input", "elicitation", "command", "commands", "mcp", "pending_messages", "external_tool"),
        *("exit_plan_mode", "sampling", "capabilities"),
    )
)
"""Families of events: what stands before the dot."""
_TELLING = frozenset(
    (
        *("session.start", "session.resume", "session.context_changed", "session.snapshot_rewind"),
        *("user.message", "assistant.message", "permission.completed"),
        *("tool.execution_start", "tool.execution_complete"),
    )
)
"""The events that something is read of."""
_WRITES = frozenset(("edit", "create", "str_replace_editor", "apply_patch", "write"))
_ASKED = "ask_user"
_ANSWER = re.compile(r"(?:User (?:selected|responded|answered|chose)(?: with)?: ?)?(.*)", re.DOTALL)
_DENIED = "denied-interactively-by-user"


class _Context(TypedDict, total=False):
    cwd: str
    branch: str | None


class _Result(TypedDict, total=False):
    kind: str
    content: str | None
    feedback: str | None
    message: str | None


class _Data(TypedDict, total=False):
    sessionId: str
    context: _Context | None
    content: str | None
    source: Any
    isAutopilotContinuation: Any
    parentToolCallId: Any
    mcpServerName: Any
    mcpToolName: Any
    toolCallId: str | None
    toolName: str
    arguments: Any
    success: bool
    result: _Result | None
    error: _Result | None
    upToEventId: str


class _Event(TypedDict, total=False):
    """What is read of an event."""

    type: str
    id: str
    timestamp: str
    agentId: Any
    data: _Data


@frozen
class _Call:
    tool: str
    asks: bool
    question: str
    paths: tuple[str, ...]


@dataclass(slots=True)
class _State:
    """What later events need of earlier ones. `prompts` are the ids of the person's messages; a turn hangs on the
    number of those before it."""

    draft: Draft
    calls: Calls[_Call] = field(default_factory=lambda: Calls(_Call("", False, "", ())))
    prompts: dict[str, int] = field(default_factory=dict)
    stays: bytearray = field(default_factory=lambda: bytearray(b"\1"))


def sniff(head: bytes) -> bool:
    return any(_is_ours(record) for record in head_records(head))


def read(stream: RecordStream, source: str) -> Session:
    state = _State(Draft(NAME, source))
    for line, event in stream.typed(_Event):
        at = state.draft.time(event.get("timestamp"))
        kind = event.get("type", "")
        if kind in _TELLING:
            state.draft.tell(line, event.get("id", ""), [*_said(kind, event, state)], at, len(state.stays) - 1)
        elif kind.partition(".")[0] not in _KNOWN:
            stream.skipped["unknown-type"] += 1
    if gone := state.draft.prune(state.stays.__getitem__):
        stream.skipped["rewound"] += gone
    return state.draft.session(stream)


def _is_ours(record: Json) -> bool:
    kind = string(record, "type")
    named = "parentId" in record or (isinstance(record.get("id"), str) and "timestamp" in record)
    return "." in kind and kind.partition(".")[0] in _KNOWN and isinstance(record.get("data"), dict) and named


def _said(kind: str, event: _Event, state: _State) -> Iterator[Said]:
    data = event.get("data", {})
    if kind in ("session.start", "session.resume", "session.context_changed"):
        context = data.get("context") or {}
        state.draft.place(data.get("sessionId"), context.get("cwd"), context.get("branch"))
    elif kind == "session.snapshot_rewind":
        _rewind(state, data.get("upToEventId", ""))
    elif kind == "user.message" and not event.get("agentId"):
        yield from _user(event.get("id", ""), data, state)
    elif kind == "assistant.message":
        if text := (data.get("content") or "").strip("\n"):
            yield Said("assistant", "text", text)
    elif kind == "tool.execution_start":
        yield _called(data, state)
    elif kind == "tool.execution_complete":
        yield _returned(data, state)
    elif kind == "permission.completed":
        yield from _denied(data, state)


def _rewind(state: _State, event: str) -> None:
    """This event and all after it were taken back."""
    for number in range(state.prompts.get(event, len(state.stays)), len(state.stays)):
        state.stays[number] = 0
    state.stays.append(1)


def _user(id: str, data: _Data, state: _State) -> Iterator[Said]:
    text = data.get("content") or ""
    by_user = data.get("source") in (None, "", "user")
    injected = data.get("parentToolCallId") or data.get("isAutopilotContinuation")
    if by_user and not injected and (words := spoken(text, INJECTED)):
        state.prompts[id] = len(state.stays)
        state.stays.append(1)
        yield Said("user", "text", words)


def _called(data: _Data, state: _State) -> Said:
    tool, given = data.get("toolName", ""), data.get("arguments")
    paths = _changed(tool, given)
    path = string(given, "path") or (paths[0] if paths else "")
    asks = tool == _ASKED and not data.get("mcpServerName") and not data.get("mcpToolName")
    state.calls.made(data.get("toolCallId") or "", _Call(tool, asks, string(given, "question"), paths))
    what = ", ".join(paths) or path or (given if isinstance(given, str) else first_string(given))
    return tool_call(tool, what, path, writes=bool(paths))


def _changed(tool: str, given: object) -> tuple[str, ...]:
    """The files that a call changes, if it succeeds."""
    if tool not in _WRITES:
        return ()
    if tool == "apply_patch":
        return patched(given if isinstance(given, str) else string(given, "input") or string(given, "patch"))
    path = string(given, "path")
    return (path,) if path and string(given, "command") != "view" else ()


def _returned(data: _Data, state: _State) -> Said:
    call = state.calls.returned(data.get("toolCallId") or "")
    text = (data.get("result") or {}).get("content") or (data.get("error") or {}).get("message") or ""
    if call.asks and data.get("success"):
        answer = _ANSWER.fullmatch(text)
        if answer is not None and answer[1].strip():
            return answered(state.draft, call.question, answer[1].strip())
    if data.get("success"):
        for path in call.paths:
            state.draft.wrote(path)
    return Said("tool", "tool-result", text, {"tool": call.tool} if call.tool else {})


def _denied(data: _Data, state: _State) -> Iterator[Said]:
    result = data.get("result") or {}
    if result.get("kind") == _DENIED:
        call = state.calls.known(data.get("toolCallId") or "")
        reason = (result.get("feedback") or "").strip()
        yield Said("user", "tool-refused", reason, {"tool": call.tool, "reason": reason})
