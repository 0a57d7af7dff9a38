"""Qwen Code: JSON Lines with Claude Code's keys around Gemini's messages (`message.parts`).

A person's words are the text parts of `user` records; `tool_result` records carry what tools returned, and `system`
ones what the program noted. Going back in the talk makes a branch, as in Claude Code.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypedDict

from minutebook.ground.session import Session
from minutebook.transcripts.branches import Branches
from minutebook.transcripts.calls import Calls, first_string
from minutebook.transcripts.claude_code import INJECTED
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.draft import Draft
from minutebook.transcripts.injected import is_human, spoken
from minutebook.transcripts.records import RecordStream, head_records
from minutebook.transcripts.said import Said, string, tool_call

NAME = "qwen-code"
_TYPES = frozenset(("user", "assistant", "tool_result"))
_WRITES = frozenset(("write_file", "edit", "replace"))


class _FunctionCall(TypedDict, total=False):
    id: str | None
    name: str
    args: dict[str, Any] | None


class _FunctionResponse(TypedDict, total=False):
    id: str | None
    name: str
    response: dict[str, Any] | None


class _Part(TypedDict, total=False):
    text: str
    thought: bool | None
    functionCall: _FunctionCall
    functionResponse: _FunctionResponse


class _Message(TypedDict, total=False):
    parts: list[_Part]


class _Record(TypedDict, total=False):
    """What is read of a record."""

    type: str
    uuid: str
    parentUuid: str | None
    sessionId: str
    timestamp: str
    cwd: str
    gitBranch: str | None
    isSidechain: Any
    isMeta: Any
    agentId: Any
    origin: Any
    message: _Message | None


@dataclass(slots=True)
class _State:
    """What later records need of earlier ones: the file that each call changes, by its id, and the tree."""

    draft: Draft
    calls: Calls[str] = field(default_factory=lambda: Calls(""))
    branches: Branches = field(default_factory=Branches)


def sniff(head: bytes) -> bool:
    return any(_is_ours(record) for record in head_records(head))


def read(stream: RecordStream, source: str) -> Session:
    state = _State(Draft(NAME, source))
    for line, record in stream.typed(_Record):
        at = state.draft.time(record.get("timestamp"))
        if record.get("type") in _TYPES:
            _read_message(state, line, record, at)
        elif record.get("type") == "system":
            state.branches.links(record.get("uuid", ""), record.get("parentUuid") or "")
        else:
            stream.skipped["unknown-type"] += 1
    if gone := state.draft.prune(state.branches.stay().__getitem__):
        stream.skipped["rewound"] += gone
    return state.draft.session(stream)


def _is_ours(record: Json) -> bool:
    message = record.get("message")
    parts = isinstance(message, dict) and isinstance(message.get("parts"), list)
    return parts and "sessionId" in record and "parentUuid" in record and string(record, "type") in _TYPES


def _read_message(state: _State, line: int, record: _Record, at: str) -> None:
    uuid, parent, branches = record.get("uuid", ""), record.get("parentUuid") or "", state.branches
    state.draft.place(record.get("sessionId"), record.get("cwd"), record.get("gitBranch"))
    if record.get("isSidechain") or record.get("agentId") or branches.has_said(uuid):
        return
    parts = (record.get("message") or {}).get("parts", [])
    kind = record.get("type", "")
    if kind == "user" and (record.get("isMeta") or not is_human(record.get("origin"))):
        kind = "system"
    said = [*_said(kind, parts, state)]
    typed = any(one.role == "user" for one in said)
    branch = branches.prompts(uuid, parent) if typed else branches.hangs(uuid, parent, bool(said))
    state.draft.tell(line, uuid, said, at, branch)


def _said(kind: str, parts: list[_Part], state: _State) -> Iterator[Said]:
    texts = [part.get("text", "") for part in parts if not part.get("thought")]
    if kind == "user":
        words = "\n\n".join(filter(None, (spoken(text, INJECTED) for text in texts)))
    else:
        words = "\n\n".join(text for text in texts if text.strip()) if kind == "assistant" else ""
    if words:
        yield Said("user" if kind == "user" else "assistant", "text", words)
    for part in parts:
        if "functionCall" in part and kind == "assistant":
            yield _called(part["functionCall"], state)
        if "functionResponse" in part:
            yield _returned(part["functionResponse"], state)


def _called(call: _FunctionCall, state: _State) -> Said:
    tool, given = call.get("name", ""), call.get("args") or {}
    path = string(given, "file_path") or string(given, "absolute_path") or string(given, "path")
    changes = path if tool in _WRITES else ""
    state.calls.made(call.get("id") or "", changes)
    what = path or first_string(given)
    return tool_call(tool, what, path, writes=bool(changes))


def _returned(answer: _FunctionResponse, state: _State) -> Said:
    tool, response = answer.get("name", ""), answer.get("response") or {}
    changes = state.calls.returned(answer.get("id") or "")
    if "error" not in response:
        state.draft.wrote(changes)
    return Said("tool", "tool-result", string(response, "output") or string(response, "error"), {"tool": tool})
