"""Copilot CLI: JSON Lines of events, `type`, `data`, `id`, `timestamp` and `parentId`.

A person's words are the `content` of `user.message` and nothing else: `transformedContent` and the input of hooks
repeat it with more around it, and a message whose `source` isn't the user comes from a skill or the program. One with
a parent call or an agent's id is what an agent asks of another. Answers are what the program's own `ask_user` returns,
and a permission that was denied by the user is a tool refused. What a rewind took back gives no turns and is counted
as `rewound`.
"""

import re

from minutebook.ground.frozen import EMPTY
from minutebook.ground.session import Session
from minutebook.transcripts.calls import answered, first_string
from minutebook.transcripts.copilot_records import NO_RESULT, NOTHING, NOWHERE, Data, Event, State
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.draft import Draft
from minutebook.transcripts.injected import spoken
from minutebook.transcripts.patches import patched
from minutebook.transcripts.records import RecordStream, head_records
from minutebook.transcripts.said import Said, Told, string, tool_call

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
_SILENT = frozenset(("hook.start", "hook.end", "assistant.turn_start", "assistant.turn_end"))
"""The most frequent of the others."""
_WRITES = frozenset(("edit", "create", "str_replace_editor", "apply_patch", "write"))
_ASKED = "ask_user"
_ANSWER = re.compile(r"(?:User (?:selected|responded|answered|chose)(?: with)?: ?)?(.*)", re.DOTALL)
_DENIED = "denied-interactively-by-user"


def sniff(head: bytes) -> bool:
    return any(_is_ours(record) for record in head_records(head))


def read(stream: RecordStream, source: str) -> Session:
    state = State(Draft(NAME, source))
    time, tell = state.draft.time, state.draft.tell
    for line, event in stream.typed(Event):
        at, kind = time(event.timestamp), event.type
        if kind in _TELLING:
            if said := _said(kind, event, event.data or NOTHING, state):
                tell(line, event.id, said, at, len(state.stays) - 1)
        elif kind not in _SILENT and kind.partition(".")[0] not in _KNOWN:
            stream.skipped["unknown-type"] += 1
    if gone := state.draft.prune(state.stays.__getitem__):
        stream.skipped["rewound"] += gone
    return state.draft.session(stream)


def _is_ours(record: Json) -> bool:
    kind = string(record, "type")
    named = "parentId" in record or (isinstance(record.get("id"), str) and "timestamp" in record)
    return "." in kind and kind.partition(".")[0] in _KNOWN and isinstance(record.get("data"), dict) and named


def _said(kind: str, event: Event, data: Data, state: State) -> list[Told]:
    if kind == "tool.execution_start":
        return [_called(data, state)]
    if kind == "tool.execution_complete":
        return [_returned(data, state)]
    if kind == "assistant.message":
        text = (data.content or "").strip("\n")
        return [("assistant", "text", text, EMPTY, False)] if text else []
    if kind == "user.message":
        return [] if event.agentId else _user(event.id, data, state)
    if kind == "permission.completed":
        return _denied(data, state)
    if kind == "session.snapshot_rewind":
        _rewind(state, data.upToEventId)
    else:
        context = data.context or NOWHERE
        state.draft.place(data.sessionId, context.cwd, context.branch)
    return []


def _rewind(state: State, event: str) -> None:
    """This event and all after it were taken back."""
    for number in range(state.prompts.get(event, len(state.stays)), len(state.stays)):
        state.stays[number] = 0
    state.stays.append(1)


def _user(id: str, data: Data, state: State) -> list[Told]:
    by_user = data.source in (None, "", "user")
    injected = data.parentToolCallId or data.isAutopilotContinuation
    if not by_user or injected or not (words := spoken(data.content or "", INJECTED)):
        return []
    state.prompts[id] = len(state.stays)
    state.stays.append(1)
    return [Said("user", "text", words)]


def _called(data: Data, state: State) -> Told:
    tool, given = data.toolName, data.arguments
    paths = _changed(tool, given) if tool in _WRITES else ()
    path = string(given, "path") or (paths[0] if paths else "")
    question = string(given, "question") if _asks(data) else None
    state.calls.made(data.toolCallId or "", (tool, question, paths))
    what = ", ".join(paths) or path or (given if isinstance(given, str) else first_string(given))
    return tool_call(tool, what, path, writes=bool(paths))


def _asks(data: Data) -> bool:
    return data.toolName == _ASKED and not data.mcpServerName and not data.mcpToolName


def _changed(tool: str, given: object) -> tuple[str, ...]:
    """The files that a call of a tool that writes changes, if it succeeds."""
    if tool == "apply_patch":
        return patched(given if isinstance(given, str) else string(given, "input") or string(given, "patch"))
    path = string(given, "path")
    return (path,) if path and string(given, "command") != "view" else ()


def _returned(data: Data, state: State) -> Told:
    tool, question, paths = state.calls.returned(data.toolCallId or "")
    text = (data.result or NO_RESULT).content or (data.error or NO_RESULT).message or ""
    if question is not None and data.success:
        answer = _ANSWER.fullmatch(text)
        if answer is not None and answer[1].strip():
            return answered(state.draft, question, answer[1].strip())
    if data.success:
        for path in paths:
            state.draft.wrote(path)
    return "tool", "tool-result", text, {"tool": tool} if tool else EMPTY, False


def _denied(data: Data, state: State) -> list[Told]:
    result = data.result or NO_RESULT
    if result.kind != _DENIED:
        return []
    tool, reason = state.calls.known(data.toolCallId or "")[0], (result.feedback or "").strip()
    return [Said("user", "tool-refused", reason, {"tool": tool, "reason": reason})]
