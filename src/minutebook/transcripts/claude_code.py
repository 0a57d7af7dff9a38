"""Claude Code: JSON Lines with `type: user | assistant | …`, 1.0 to current.

A person's words are the text of `user` records that carry no tool result and no mark of the harness, and that don't
open with text the harness or an editor injects; reminders within them are cut out. A mark counts whatever its kind, if
it isn't empty, false or zero. Sidechains (subagents) speak to each other, not to the person.
What a person answered, approved or refused stands in tool results (`claude_results`).
Order is the order of the file; a record that comes again (a resumed session) is dropped by its uuid. What was taken
back by going back in the talk gives no turns and is counted as `rewound`. A file in which only subagents speak has no
person's words: its records are counted as `sidechain`.
"""

from minutebook.ground.frozen import EMPTY
from minutebook.ground.session import Session
from minutebook.transcripts.calls import first_string
from minutebook.transcripts.claude_records import Block, Message, Record, State
from minutebook.transcripts.claude_results import WRITES, result
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.draft import Draft
from minutebook.transcripts.injected import is_human, spoken
from minutebook.transcripts.records import RecordStream, head_records
from minutebook.transcripts.said import SAID_MOST, Said, Told, string, tool_call

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
_SPOKEN = frozenset(("user", "assistant"))
_MARKS = ("sessionId", "leafUuid", "messageId", "parentUuid")
_NO_MESSAGE = Message()


def sniff(head: bytes) -> bool:
    """Records of the known types with the keys that go with them; Qwen Code, which is alike, has other messages."""
    return any(_is_ours(record) for record in head_records(head)) or (
        b"\n" not in head and head.startswith(b'{"parentUuid":')
    )


def read(stream: RecordStream, source: str) -> Session:
    state = State(Draft(NAME, source))
    time, links = state.draft.time, state.branches.links
    for line, record in stream.typed(Record):
        kind, at = record.type, time(record.timestamp)
        if kind in _SPOKEN:
            _read_message(state, line, record, at)
        elif kind in _KNOWN:
            links(record.uuid, record.parentUuid or record.logicalParentUuid or "")
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


def _read_message(state: State, line: int, record: Record, at: str) -> None:
    draft, branches, uuid = state.draft, state.branches, record.uuid
    if not (draft.id and draft.cwd and draft.branch):
        draft.place(record.sessionId, record.cwd, record.gitBranch)
    if record.isSidechain or record.agentId:
        state.sidechain += 1
        return
    state.own += 1
    if branches.has_said(uuid):
        return
    parent, message = record.parentUuid or record.logicalParentUuid or "", record.message or _NO_MESSAGE
    if _is_of_the_harness(record, message):
        branches.links(uuid, parent)
    elif record.type == "assistant":
        said = _assistant(record, message, state)
        draft.tell(line, uuid, said, at, branches.hangs(uuid, parent, bool(said)))
    else:
        said, typed = _user(record, message, state)
        branch = branches.prompts(uuid, parent) if typed else branches.hangs(uuid, parent, bool(said))
        draft.tell(line, uuid, said, at, branch)


def _is_of_the_harness(record: Record, message: Message) -> bool:
    """Whether a mark says so, or the message is another's than the record."""
    if message.role != record.type and message.role is not None:
        return True
    marked = record.isMeta or record.isCompactSummary or record.isVisibleInTranscriptOnly
    return bool(marked or record.isSynthetic or record.isVirtual)


def _assistant(record: Record, message: Message, state: State) -> list[Told]:
    said, texts, content = list[Told](), list[str](), message.content
    if record.isApiErrorMessage or message.model == "<synthetic>":
        return said
    for block in (_text_block(content),) if isinstance(content, str) else content:
        if block.type == "tool_use":
            said.append(_called(block, state))
        if block.text and (text := block.text.strip("\n")):
            texts.append(text)
    if texts:
        said.insert(0, ("assistant", "text", "\n\n".join(texts), EMPTY, False))
    return said


def _text_block(text: str) -> Block:
    block = Block()
    block.type, block.text = "text", text
    return block


def _called(block: Block, state: State) -> Told:
    tool, given = block.name, block.input or {}
    path = given.get("file_path") or given.get("notebook_path") or ""
    if not isinstance(path, str):
        path = string(given, "notebook_path")
    plan = string(given, "plan")[:SAID_MOST] if tool == "ExitPlanMode" else ""
    state.calls.made(block.id, (tool, path, plan))
    if path or tool in WRITES:
        return tool_call(tool, path or first_string(given), path, writes=tool in WRITES)
    what = first_string(given)
    return "assistant", "tool-call", f"{tool}: {what}" if what else tool, {"tool": tool}, False


def _user(record: Record, message: Message, state: State) -> tuple[list[Told], bool]:
    """What tools returned and what a person typed, and whether somebody typed."""
    content, said, texts, returned = message.content, list[Told](), list[str](), False
    if isinstance(content, str):
        texts.append(content)
    else:
        for block in content:
            if block.type == "tool_result":
                said += result(block, record, state)
                returned = True
            elif block.type == "text":
                texts.append(block.text)
    typed = None if returned else _typed(record, texts, state)
    if typed is not None:
        said.append(typed)
    return said, typed is not None


def _typed(record: Record, texts: list[str], state: State) -> Said | None:
    """What a person typed, unless something says that the text comes from elsewhere: from a skill, a notification."""
    if record.toolUseResult is not None or record.sourceToolUseID or not is_human(record.origin):
        return None
    text = "\n\n".join(filter(None, [spoken(text, INJECTED) for text in texts]))
    if not text:
        return None
    if plan := record.planContent:
        return Said("user", "plan-approved", text, {"plan": plan}) if isinstance(plan, str) else None
    if state.plan is not None:
        plan, state.plan = state.plan, None
        return Said("user", "plan-corrected", text, {"plan": plan, "correction": text})
    return Said("user", "text", text)
