"""Claude Code: JSON Lines with `type: user | assistant | …`, 1.0 to current.

A person's words are the text of `user` records that carry no tool result and no mark of the harness, and that don't
open with text the harness or an editor injects. Sidechains (subagents) speak to each other, not to the person.
Answers to questions, approved and corrected plans and refused tool calls come out of the tool results in which the
harness writes them; a tool of an MCP server could write the same words itself, so it can't speak for the person.
Order is the order of the file; a record that comes again (a resumed session) is dropped by its uuid.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from minutebook.ground.frozen import frozen
from minutebook.ground.session import Session
from minutebook.transcripts.draft import Draft, Said, string, text_of
from minutebook.transcripts.records import Json, Record, RecordStream, head_records

NAME = "claude-code"
INJECTED = (
    *("<command-name>", "<command-message>", "<command-args>", "<command-contents>", "<local-command-"),
    *("<system-reminder>", "<task-notification>", "<ide_", "<bash-input>", "<bash-stdout>", "<bash-stderr>"),
    *("<user-prompt-submit-hook>", "[Request interrupted", "Caveat:", "<teammate-message", "<user-memory-input>"),
    *("This session is being continued from a previous conversation", "Stop hook feedback:"),
)
"""How text begins that a person didn't say."""
_KNOWN = frozenset(
    ("user", "assistant", "system", "progress", "summary", "file-history-snapshot", "queue-operation", "pr-link")
) | {"custom-title"}
_MARKS = ("sessionId", "leafUuid", "messageId", "parentUuid")
_WRITES = frozenset(("Edit", "MultiEdit", "Write", "NotebookEdit"))
_REFUSED = (
    "The user doesn't want to proceed with this tool use.",
    "The user doesn't want to take this action right now.",
)
_REASON = "the user said:\n"
_HINT = "\n\nNote: The user's next message may contain a correction"
_APPROVED = "User has approved your plan"
_KEEP_PLANNING = "User chose to stay in plan mode"


@dataclass(slots=True)
class _State:
    """What later records need of earlier ones: tool calls by id, seen uuids, and a plan sent back without a word."""

    calls: dict[str, "_Call"] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    plan: str | None = None


@frozen
class _Call:
    tool: str
    path: str
    plan: str


def sniff(head: bytes) -> bool:
    """Records of the known types with the keys that go with them; Qwen Code, which is alike, has other messages."""
    return any(_is_ours(record) for record in head_records(head)) or (
        b"\n" not in head and head.startswith(b'{"parentUuid":')
    )


def read(stream: RecordStream, source: str) -> Session:
    draft, state = Draft(NAME, source), _State()
    for record in stream:
        kind = string(record.value, "type")
        at = draft.time(record.value.get("timestamp"))
        if kind in ("user", "assistant"):
            try:
                _read_message(draft, state, record, at)
            except RecursionError:
                stream.skipped["too-deep"] += 1
        elif kind not in _KNOWN:
            stream.skipped["unknown-type"] += 1
    return draft.session(stream)


def _is_ours(record: Json) -> bool:
    message = record.get("message")
    foreign = "provenance" in record or (isinstance(message, dict) and "parts" in message)
    known = string(record, "type") in _KNOWN and any(mark in record for mark in _MARKS)
    return known and not foreign


def _read_message(draft: Draft, state: _State, record: Record, at: str) -> None:
    value = record.value
    draft.place(value.get("sessionId"), value.get("cwd"), value.get("gitBranch"))
    uuid = string(value, "uuid")
    if value.get("isSidechain") or value.get("isMeta") or value.get("isCompactSummary") or uuid in state.seen:
        return
    redacted = draft.redacted(value)
    said = list(_assistant(redacted, state) if value["type"] == "assistant" else _user(redacted, state, draft))
    if said and uuid:
        state.seen.add(uuid)
    draft.say(record, redacted, said, at)


def _assistant(record: Json, state: _State) -> Iterator[Said]:
    message = record.get("message")
    if record.get("isApiErrorMessage") or string(message, "model") == "<synthetic>":
        return
    blocks = _blocks(message)
    if text := "\n\n".join(text for block in blocks if (text := string(block, "text").strip("\n"))):
        yield Said("assistant", "text", text)
    for block in blocks:
        if block.get("type") == "tool_use":
            yield _called(block, state)


def _called(block: Json, state: _State) -> Said:
    tool = string(block, "name")
    given = block.get("input")
    path = string(given, "file_path") or string(given, "notebook_path")
    state.calls[string(block, "id")] = _Call(tool, path, string(given, "plan"))
    detail = {"tool": tool} | ({"path": path} if path else {}) | ({"writes": "yes"} if tool in _WRITES else {})
    what = (
        path or next((item for item in given.values() if isinstance(item, str)), "") if isinstance(given, dict) else ""
    )
    return Said("assistant", "tool-call", f"{tool}: {what}" if what else tool, detail)


def _user(record: Json, state: _State, draft: Draft) -> Iterator[Said]:
    blocks = _blocks(record.get("message"))
    for block in blocks:
        if block.get("type") == "tool_result":
            yield from _result(block, record.get("toolUseResult"), state, draft)
    if record.get("toolUseResult") is not None:
        return
    spoken = [string(block, "text") for block in blocks if block.get("type") == "text"]
    text = "\n\n".join(text for text in spoken if text.strip() and not text.lstrip().startswith(INJECTED))
    if not text:
        return
    if plan := string(record, "planContent"):
        yield Said("user", "plan-approved", text, {"plan": plan})
    elif state.plan is not None:
        yield Said("user", "plan-corrected", text, {"plan": state.plan, "correction": text})
        state.plan = None
    else:
        yield Said("user", "text", text)


def _result(block: Json, typed: Any, state: _State, draft: Draft) -> Iterator[Said]:
    """What a tool result says, and whose words they are."""
    call = state.calls.pop(string(block, "tool_use_id"), _Call("", "", ""))
    text = text_of(block.get("content"))
    failed = bool(block.get("is_error"))
    if failed and _speaks_for_the_person(call) and text.startswith(_REFUSED):
        yield _refusal(call, _reason(text))
    elif call.tool == "AskUserQuestion" and not failed and (answers := _answers(typed)):
        for question, answer in answers:
            yield Said("user", "answer", answer, {"question": question, "answer": answer})
    elif call.tool == "ExitPlanMode" and not failed and text.startswith(_APPROVED):
        state.plan = None
        plan = string(typed, "plan") or call.plan
        yield Said("user", "plan-approved", plan or text, {"plan": plan})
    elif call.tool == "ExitPlanMode" and text.startswith(_KEEP_PLANNING):
        state.plan = call.plan
        yield Said("user", "tool-refused", "", {"tool": call.tool, "reason": ""})
    else:
        if call.tool in _WRITES and not failed:
            draft.wrote(call.path)
        yield Said("tool", "tool-result", text, {"tool": call.tool} if call.tool else {})


def _refusal(call: _Call, reason: str) -> Said:
    if call.tool == "ExitPlanMode" and reason:
        return Said("user", "plan-corrected", reason, {"plan": call.plan, "correction": reason})
    return Said("user", "tool-refused", reason, {"tool": call.tool, "reason": reason})


def _speaks_for_the_person(call: _Call) -> bool:
    return call.tool != "" and not call.tool.startswith("mcp__")


def _reason(text: str) -> str:
    _, found, said = text.partition(_REASON)
    return said.split(_HINT)[0].strip() if found else ""


def _answers(typed: Any) -> list[tuple[str, str]]:
    """Question and answer, in the order they were asked. Several choices are one answer, with commas."""
    answers = typed.get("answers") if isinstance(typed, dict) else None
    pairs = answers.items() if isinstance(answers, dict) else ()
    joined = ((question, ", ".join(map(str, one)) if isinstance(one, list) else one) for question, one in pairs)
    return [(question, answer) for question, answer in joined if isinstance(answer, str) and answer.strip()]


def _blocks(message: object) -> list[Json]:
    """The blocks of a message; plain text is one block."""
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
