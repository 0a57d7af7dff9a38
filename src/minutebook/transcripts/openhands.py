"""OpenHands v1: JSON Lines, an event a line with its `kind`.

A person's words are the text of a `MessageEvent` whose source is the user, without what the program extends it with
(`extended_content`), and the reason with which they reject an action. Nothing in the events names a session: it is
named by what was said first.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypedDict

from minutebook.ground.session import Session
from minutebook.transcripts.calls import Calls, first_string
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.draft import Draft
from minutebook.transcripts.named import name_of
from minutebook.transcripts.records import RecordStream, head_records
from minutebook.transcripts.said import Said, string, text_of, tool_call
from minutebook.transcripts.values import within

NAME = "openhands"
_SPOKEN = frozenset(("MessageEvent", "ActionEvent", "ObservationEvent", "AgentErrorEvent", "UserRejectObservation"))
_SOURCES = frozenset(("user", "agent", "environment", "hook"))
_EDITOR, _LOOKS = "editor", frozenset(("view", ""))


class _Part(TypedDict, total=False):
    text: str


class _Message(TypedDict, total=False):
    content: str | list[_Part] | None


class _Call(TypedDict, total=False):
    arguments: Any


class _Observation(TypedDict, total=False):
    content: str | list[_Part] | None
    output: str | None
    is_error: bool | None


class _Event(TypedDict, total=False):
    """What is read of an event."""

    kind: str
    id: str
    timestamp: str
    source: str
    llm_message: _Message | None
    thought: str | list[_Part] | None
    tool_name: str | None
    tool_call_id: str | None
    tool_call: _Call | None
    observation: _Observation | str | None
    error: str | None
    rejection_reason: str | None


@dataclass(slots=True)
class _State:
    """The file that each call changes, by its id, and what was said first."""

    draft: Draft
    calls: Calls[str] = field(default_factory=lambda: Calls(""))
    first: str = ""


def sniff(head: bytes) -> bool:
    return any(_is_ours(record) for record in head_records(head))


def read(stream: RecordStream, source: str) -> Session:
    state = _State(Draft(NAME, source))
    for line, event in stream.typed(_Event):
        at = state.draft.time(event.get("timestamp"))
        if event.get("kind") in _SPOKEN:
            state.draft.tell(line, event.get("id", ""), [*_said(event, state)], at)
        elif not event.get("kind", "").endswith(("Event", "Condensation", "Observation", "Request")):
            stream.skipped["unknown-type"] += 1
    state.draft.place(name_of(NAME, state.first), "", "")
    return state.draft.session(stream)


def _is_ours(record: Json) -> bool:
    return string(record, "kind").endswith(("Event", "Observation")) and string(record, "source") in _SOURCES


def _said(event: _Event, state: _State) -> Iterator[Said]:
    kind, tool = event["kind"], event.get("tool_name") or ""
    if kind == "MessageEvent":
        yield from _message(event, state)
    elif kind == "ActionEvent":
        if thought := text_of(event.get("thought")).strip("\n"):
            yield Said("assistant", "text", thought)
        yield _called(event, tool, state)
    elif kind == "UserRejectObservation":
        reason = event.get("rejection_reason") or ""
        yield Said("user", "tool-refused", reason, {"tool": tool, "reason": reason})
    else:
        yield _observed(event, tool, state)


def _message(event: _Event, state: _State) -> Iterator[Said]:
    text = text_of((event.get("llm_message") or {}).get("content"))
    if text.strip() and event.get("source") in ("user", "agent"):
        if event.get("source") == "agent":
            yield Said("assistant", "text", text)
        else:
            state.first = state.first or text
            yield Said("user", "text", text)


def _called(event: _Event, tool: str, state: _State) -> Said:
    raw = (event.get("tool_call") or {}).get("arguments")
    given = within(raw) if isinstance(raw, str) else raw
    path = string(given, "path")
    changes = path if _EDITOR in tool and string(given, "command") not in _LOOKS else ""
    state.calls.made(event.get("tool_call_id") or "", changes)
    what = path or first_string(given)
    return tool_call(tool, what, path, writes=bool(changes))


def _observed(event: _Event, tool: str, state: _State) -> Said:
    changes = state.calls.returned(event.get("tool_call_id") or "")
    seen = event.get("observation") or event.get("error") or ""
    text = seen if isinstance(seen, str) else text_of(seen.get("content")) or seen.get("output") or ""
    if event["kind"] == "ObservationEvent" and not (isinstance(seen, dict) and seen.get("is_error")):
        state.draft.wrote(changes)
    return Said("tool", "tool-result", text, {"tool": tool} if tool else {})
