"""Claude Code: JSON Lines with `type: user | assistant | …`, 1.0 to current.

A person's words are the text of `user` records that carry no tool result and no mark of the harness, and that don't
open with text the harness or an editor injects; reminders within them are cut out. A mark counts whatever its kind, if
it isn't empty, false or zero. Sidechains (subagents) speak to each other, not to the person.
Answers to questions, approved and corrected plans and refused tool calls come out of the tool results in which the
harness writes them; a tool could write the same words itself, so a refusal needs the harness's own note of it
(`toolUseResult`), and a tool of an MCP server can't speak for the person at all.
Order is the order of the file; a record that comes again (a resumed session) is dropped by its uuid. What was taken
back by going back in the talk gives no turns and is counted as `rewound`. A file in which only subagents speak has no
person's words: its records are counted as `sidechain`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypedDict

from minutebook.ground.frozen import frozen
from minutebook.ground.session import Session
from minutebook.transcripts.branches import Branches
from minutebook.transcripts.calls import Calls, answered, first_string
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.draft import Draft
from minutebook.transcripts.injected import is_human, spoken
from minutebook.transcripts.records import RecordStream, head_records
from minutebook.transcripts.said import SAID_MOST, Said, string, text_of, tool_call

NAME = "claude-code"
INJECTED = (
    *("<command-name>", "<command-message>", "<command-args>", "<command-contents>", "<local-command-"),
    *("<system-reminder>", "<task-notification>", "<ide_", "<bash-input>", "<bash-stdout>", "<bash-stderr>"),
    *("<user-prompt-submit-hook>", "[Request interrupted", "Caveat:", "<teammate-message", "<user-memory-input>"),
    *("This session is being continued from a previous conversation", "Another agent sent a message:"),
)
"""How text begins that a person didn't say."""
_KNOWN = frozenset(
    ("user", "assistant", "system", "progress", "summary", "file-history-snapshot", "queue-operation", "pr-link")
) | {"custom-title"}
_OF_THE_HARNESS = frozenset(("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isSynthetic", "isVirtual"))
_MARKS = ("sessionId", "leafUuid", "messageId", "parentUuid")
_WRITES = frozenset(("Edit", "MultiEdit", "Write", "NotebookEdit"))
_REFUSED = (
    "The user doesn't want to proceed with this tool use.",
    "The user doesn't want to take this action right now.",
)
_REFUSAL_NOTES = ("User rejected tool use", *(f"Error: {words}" for words in _REFUSED))
"""How `toolUseResult` begins when a person refused the call."""
_REASON = "the user said:\n"
_HINT = "\n\nNote: The user's next message may contain a correction"
_APPROVED = "User has approved your plan"
_KEEP_PLANNING = "User chose to stay in plan mode"


class _Part(TypedDict, total=False):
    type: str
    text: str


class _Block(_Part, total=False):
    id: str
    name: str
    input: dict[str, Any]
    tool_use_id: str
    content: str | list[_Part] | None
    is_error: Any


class _Message(TypedDict, total=False):
    model: str | None
    role: Any
    content: str | list[_Block]


class _Typed(TypedDict, total=False):
    answers: dict[str, Any]
    plan: str | None


class _Record(TypedDict, total=False):
    """What is read of a record, in the order in which it stands there, which is decoded fastest. Marks are of any kind:
    one of a kind that isn't expected counts all the same."""

    parentUuid: str | None
    logicalParentUuid: str | None
    isSidechain: Any
    cwd: str
    sessionId: str
    gitBranch: str
    agentId: Any
    type: str
    message: _Message
    isMeta: Any
    uuid: str
    timestamp: str
    toolUseResult: _Typed | str | list[Any] | int | float | None
    isCompactSummary: Any
    isVisibleInTranscriptOnly: Any
    isSynthetic: Any
    isVirtual: Any
    isApiErrorMessage: Any
    sourceToolUseID: Any
    origin: Any
    planContent: Any


_NO_MESSAGE: _Message = {}


@frozen
class _Call:
    tool: str
    path: str
    plan: str


@dataclass(slots=True)
class _State:
    """What later records need of earlier ones: tool calls by id, the tree, and a plan sent back without a word."""

    draft: Draft
    calls: Calls[_Call] = field(default_factory=lambda: Calls(_Call("", "", "")))
    branches: Branches = field(default_factory=Branches)
    plan: str | None = None
    sidechain: int = 0
    own: int = 0


def sniff(head: bytes) -> bool:
    """Records of the known types with the keys that go with them; Qwen Code, which is alike, has other messages."""
    return any(_is_ours(record) for record in head_records(head)) or (
        b"\n" not in head and head.startswith(b'{"parentUuid":')
    )


def read(stream: RecordStream, source: str) -> Session:
    state = _State(Draft(NAME, source))
    for line, record in stream.typed(_Record):
        kind = record.get("type", "")
        at = state.draft.time(record.get("timestamp"))
        if kind in ("user", "assistant"):
            _read_message(state, line, record, kind, at)
        elif kind in _KNOWN:
            state.branches.links(record.get("uuid", ""), _parent(record))
        else:
            stream.skipped["unknown-type"] += 1
    if state.sidechain and not state.own:
        stream.skipped["sidechain"] += state.sidechain
    if gone := state.draft.prune(state.branches.stay().__getitem__):
        stream.skipped["rewound"] += gone
    return state.draft.session(stream)


def _is_ours(record: Json) -> bool:
    message = record.get("message")
    foreign = "provenance" in record or (isinstance(message, dict) and "parts" in message)
    known = string(record, "type") in _KNOWN and any(mark in record for mark in _MARKS)
    return known and not foreign


def _parent(record: _Record) -> str:
    return record.get("parentUuid") or record.get("logicalParentUuid") or ""


def _read_message(state: _State, line: int, record: _Record, kind: str, at: str) -> None:
    draft, branches = state.draft, state.branches
    if not (draft.id and draft.cwd and draft.branch):
        draft.place(record.get("sessionId"), record.get("cwd"), record.get("gitBranch"))
    if record.get("isSidechain") or record.get("agentId"):
        state.sidechain += 1
        return
    state.own += 1
    uuid, parent = record.get("uuid", ""), _parent(record)
    if branches.has_said(uuid):
        return
    if _is_of_the_harness(record, kind):
        branches.links(uuid, parent)
        return
    blocks, typed = _blocks(record), None
    if kind == "user":
        said = [one for block in blocks for one in _result(block, record, state)]
        typed = _typed(record, blocks, state)
    else:
        said = [*_assistant(record, blocks, state)]
    if typed is None:
        draft.tell(line, uuid, said, at, branches.hangs(uuid, parent, bool(said)))
    else:
        draft.tell(line, uuid, [*said, typed], at, branches.prompts(uuid, parent))


def _is_of_the_harness(record: _Record, kind: str) -> bool:
    """Whether a mark says so, or the message is another's than the record."""
    role = record.get("message", _NO_MESSAGE).get("role")
    if role != kind and role is not None:
        return True
    return not _OF_THE_HARNESS.isdisjoint(record) and any(map(record.get, _OF_THE_HARNESS))


def _blocks(record: _Record) -> list[_Block]:
    """The blocks of a message; plain text is one block."""
    content = record.get("message", _NO_MESSAGE).get("content", "")
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _assistant(record: _Record, blocks: list[_Block], state: _State) -> Iterator[Said]:
    if record.get("isApiErrorMessage") or record.get("message", _NO_MESSAGE).get("model") == "<synthetic>":
        return
    if text := "\n\n".join([text for block in blocks if (text := block.get("text", "").strip("\n"))]):
        yield Said("assistant", "text", text)
    for block in blocks:
        if block.get("type") == "tool_use":
            yield _called(block, state)


def _called(block: _Block, state: _State) -> Said:
    tool, given = block.get("name", ""), block.get("input", {})
    path = string(given, "file_path") or string(given, "notebook_path")
    state.calls.made(block.get("id", ""), _Call(tool, path, string(given, "plan")[:SAID_MOST]))
    what = path or first_string(given)
    return tool_call(tool, what, path, writes=tool in _WRITES)


def _typed(record: _Record, blocks: list[_Block], state: _State) -> Said | None:
    """What a person typed, if anything."""
    if record.get("toolUseResult") is not None or not _is_typed(record, blocks):
        return None
    texts = [spoken(block.get("text", ""), INJECTED) for block in blocks if block.get("type") == "text"]
    text = "\n\n".join(filter(None, texts))
    if not text:
        return None
    if plan := record.get("planContent"):
        return Said("user", "plan-approved", text, {"plan": plan}) if isinstance(plan, str) else None
    if state.plan is not None:
        plan, state.plan = state.plan, None
        return Said("user", "plan-corrected", text, {"plan": plan, "correction": text})
    return Said("user", "text", text)


def _is_typed(record: _Record, blocks: list[_Block]) -> bool:
    """Whether nothing says that the text comes from elsewhere: from a skill, a notification, a tool beside it."""
    if record.get("sourceToolUseID") or not is_human(record.get("origin")):
        return False
    return not any(block.get("type") == "tool_result" for block in blocks)


def _result(block: _Block, record: _Record, state: _State) -> Iterator[Said]:
    """What a tool result says, and whose words they are."""
    if block.get("type") != "tool_result":
        return
    call = state.calls.returned(block.get("tool_use_id", ""))
    text = text_of(block.get("content"))
    failed = bool(block.get("is_error"))
    if failed and _speaks_for_the_person(call, record) and text.startswith(_REFUSED):
        yield _refusal(call, _reason(text))
    elif call.tool == "AskUserQuestion" and not failed and (answers := _answers(record.get("toolUseResult"))):
        for question, answer in dict(answers).items():
            yield answered(state.draft, question, answer)
    elif call.tool == "ExitPlanMode" and not failed and text.startswith(_APPROVED):
        state.plan = None
        plan = string(record.get("toolUseResult"), "plan") or call.plan
        yield Said("user", "plan-approved", plan or text, {"plan": plan})
    elif call.tool == "ExitPlanMode" and text.startswith(_KEEP_PLANNING):
        state.plan = call.plan
        yield Said("user", "tool-refused", "", {"tool": call.tool, "reason": ""})
    else:
        if call.tool in _WRITES and not failed:
            state.draft.wrote(call.path)
        yield Said("tool", "tool-result", text, {"tool": call.tool} if call.tool else {})


def _refusal(call: _Call, reason: str) -> Said:
    if call.tool == "ExitPlanMode" and reason:
        return Said("user", "plan-corrected", reason, {"plan": call.plan, "correction": reason})
    return Said("user", "tool-refused", reason, {"tool": call.tool, "reason": reason})


def _speaks_for_the_person(call: _Call, record: _Record) -> bool:
    note = record.get("toolUseResult")
    noted = isinstance(note, str) and note.startswith(_REFUSAL_NOTES)
    return noted and call.tool != "" and not call.tool.startswith("mcp__")


def _reason(text: str) -> str:
    _, found, said = text.partition(_REASON)
    return said.split(_HINT)[0].strip() if found else ""


def _answers(typed: Any) -> list[tuple[str, str]]:
    """Question and answer, in the order they were asked. Several choices are one answer, with commas."""
    answers = typed.get("answers") if isinstance(typed, dict) else None
    pairs = answers.items() if isinstance(answers, dict) else ()
    joined = ((question, ", ".join(map(str, one)) if isinstance(one, list) else one) for question, one in pairs)
    return [(question, answer) for question, answer in joined if isinstance(answer, str) and answer.strip()]
