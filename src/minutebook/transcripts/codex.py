"""Codex CLI rollouts: JSON Lines, in an envelope (`timestamp`, `type`, `payload`) or flat (September 2025).

In the envelope a person's words are the `user_message` events and nothing else: the response items with role user
carry AGENTS.md and the environment too. A flat file has only those items, so the injected ones are told by how they
open. What the agent says stands twice in the envelope (response item and event); the event counts only where no
item says anything. `compacted` repeats earlier messages and isn't read. In a session that another agent began
(`session_meta.source.subagent`) nobody speaks; its prompts are counted as `sidechain`. Turns that were rolled back give
none, and are counted as `rewound`.
"""

import re
from collections.abc import Iterator
from typing import Any

from minutebook.ground.session import Session
from minutebook.transcripts.codex_calls import CALLS, OUTPUTS, called, returned
from minutebook.transcripts.codex_records import ABSENT, Item, Record, State
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.draft import Draft
from minutebook.transcripts.injected import is_human, spoken
from minutebook.transcripts.records import RecordStream, head_records
from minutebook.transcripts.said import Said, Told, string

NAME = "codex"
INJECTED = (
    *("<environment_context>", "<user_instructions>", "<INSTRUCTIONS>", "# AGENTS.md instructions", "<turn_aborted>"),
    *("<permissions instructions>", "<collaboration_mode>", "<user_shell_command>", "<skill>", "<skills_instructions>"),
    "Another language model started to solve this problem",
)
"""How text begins that a person didn't say."""
_ENVELOPES = frozenset(("session_meta", "turn_context", "response_item", "event_msg", "compacted"))
_ITEMS = frozenset(("message", "reasoning", "function_call", "function_call_output"))
_HARNESS = frozenset(("user", "developer"))
"""Whose response items carry what the harness says."""
_IDE, _REQUEST = "# Context from my IDE setup:", "## My request for Codex:"
"""What an editor puts before a request, and what it puts between."""
_CWD = re.compile(r"<cwd>([^<\n]{1,1000})</cwd>")


def sniff(head: bytes) -> bool:
    return any(_is_envelope(value) or _is_flat(value) for value in head_records(head)) or (
        b"\n" not in head and b'"payload":' in head[:200]
    )


def read(stream: RecordStream, source: str) -> Session:
    state = State(Draft(NAME, source))
    time = state.draft.time
    for line, record in stream.typed(Record):
        kind, at, payload = record.type, time(record.timestamp), record.payload
        if payload is not None and kind in _ENVELOPES:
            if kind == "response_item":
                if payload.role not in _HARNESS:
                    _read_item(state, line, payload, at)
            elif kind == "event_msg":
                _read_event(state, line, payload, at)
            elif kind != "compacted":
                _place(state.draft, payload)
                state.of_an_agent = state.of_an_agent or _is_of_an_agent(payload)
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


def _read_event(state: State, line: int, payload: Item, at: str) -> None:
    kind = payload.type
    if kind == "agent_message":
        if not state.items_speak and payload.message.strip():
            said = [Said("assistant", "text", payload.message, spare=True)]
            state.draft.tell(line, payload.id or "", said, at, len(state.stays) - 1)
    elif kind == "user_message":
        said = _prompt(payload, state)
        state.draft.tell(line, payload.id or "", said, at, len(state.stays) - 1)
    elif kind in ("task_started", "turn_started"):
        state.in_task, state.has_tasks = False, True
    elif kind == "thread_rolled_back":
        _roll_back(state, payload.num_turns)


def _roll_back(state: State, turns: Any) -> None:
    """The last turns were taken back, with all that came of them; one where their number is none."""
    number = max(turns, 0) if isinstance(turns, int) else 1
    gone = state.began[max(len(state.began) - number, 0) :]
    del state.began[len(state.began) - len(gone) :]
    for turn in range(gone[0] if gone else len(state.stays), len(state.stays)):
        state.stays[turn] = 0
    state.stays.append(1)


def _is_of_an_agent(meta: Item) -> bool:
    """Whether another agent began the session: `source` is an object then, and names people's programs otherwise."""
    source = meta.source
    named = isinstance(source, dict | list) or "subagent" in str(source).lower().replace("_", "")
    return named or not is_human(meta.thread_source)


def _read_flat(state: State, line: int, record: Record, at: str) -> bool:
    """Reads what a flat file has on a line; False when it is of no known type."""
    if record.type in _ITEMS or record.type in CALLS or record.type in OUTPUTS:
        if record.role not in ("developer", "system"):
            _read_item(state, line, record, at)
        return True
    if record.instructions is not ABSENT or record.git is not ABSENT:
        _place(state.draft, record)
        return True
    return record.record_type is not ABSENT


def _place(draft: Draft, item: Item) -> None:
    draft.place(item.id, item.cwd, getattr(item.git, "branch", None))


def _read_item(state: State, line: int, item: Item, at: str) -> None:
    kind = item.type
    said: list[Told]
    if kind in CALLS:
        said = [called(item, state)]
    elif kind in OUTPUTS:
        said = [returned(item, state)]
    elif kind == "message":
        said = [*_message(item, state)]
    else:
        return
    state.draft.tell(line, item.id or item.call_id or "", said, at, len(state.stays) - 1)


def _prompt(payload: Item, state: State) -> list[Said]:
    if state.of_an_agent:
        state.prompts += 1
        return []
    if payload.kind not in (None, "", "plain"):
        return []
    words = spoken(_request(payload.message), INJECTED)
    if (words or not payload.message.strip()) and not state.in_task:
        state.began.append(len(state.stays))
        state.stays.append(1)
        state.in_task = state.has_tasks
    return [Said("user", "text", words)] if words else []


def _request(text: str) -> str:
    """What a person asked for beside an editor's context, which comes first."""
    if not text.lstrip().startswith(_IDE):
        return text
    _, found, request = text.rpartition(_REQUEST)
    return request.strip() if found else ""


def _message(item: Item, state: State) -> Iterator[Said]:
    content = item.content
    texts = [part.text for part in content if part.text] if isinstance(content, list) else [content or ""]
    text = "\n".join(texts)
    if item.role == "assistant" and text.strip():
        if not state.items_speak:
            state.items_speak = True
            state.draft.drop_spare()
        yield Said("assistant", "text", text)
    elif item.role == "user" and text.strip():
        for part in texts:
            yield from _part(part, state)


def _part(text: str, state: State) -> Iterator[Said]:
    if words := spoken(_request(text), INJECTED):
        yield Said("user", "text", words)
    elif found := _CWD.search(text):
        state.draft.place("", found[1], "")
