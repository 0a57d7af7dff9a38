"""What Cline's window shows of a task, record by record: who it is that speaks stands in each."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from minutebook.transcripts.decoding import Json
from minutebook.transcripts.draft import Draft, Said, string
from minutebook.transcripts.said import tool_call

_WRITES = frozenset(("editedExistingFile", "newFileCreated", "appliedDiff", "insertContent", "searchAndReplace"))
_SHORTEST = 8
_AGENT = frozenset(("text", "completion_result", "followup", "plan_mode_respond"))


@dataclass(slots=True)
class Screen:
    """Whether the task itself was shown, and the question that waits for an answer."""

    begun: bool = False
    question: str = ""


def is_shown(value: Json) -> bool:
    """Whether it is a record of the UI file."""
    return "ts" in value and value.get("type") in ("say", "ask") and string(value, string(value, "type")) != ""


def shown(record: Json, screen: Screen, draft: Draft) -> Iterator[Said]:
    kind, text = string(record, string(record, "type")), string(record, "text")
    opens = not screen.begun and kind in ("task", "text")
    screen.begun = True
    if not text.strip():
        return
    if kind == "user_feedback" or opens:
        yield _heard(text.strip(), screen)
    elif kind in _AGENT:
        screen.question = string(_decoded(text), "question") if kind == "followup" else ""
        yield Said("assistant", "text", _plain(text))
    elif kind == "command":
        yield tool_call("execute_command", text)
    elif kind == "command_output":
        yield Said("tool", "tool-result", text, {"tool": "execute_command"})
    elif kind == "tool":
        yield from _used(_decoded(text), record, draft)


def _heard(text: str, screen: Screen) -> Said:
    question, screen.question = screen.question, ""
    if says_what(question):
        return Said("user", "answer", text, {"question": question, "answer": text})
    return Said("user", "text", text)


def says_what(question: str) -> bool:
    """Whether an answer is one to this question: after "Which?" or "Ok?" it has to say for itself what it is about."""
    return len(question.strip()) >= _SHORTEST


def _plain(text: str) -> str:
    """The agent's words; a question and a plan come as JSON."""
    told = _decoded(text)
    return string(told, "question") or string(told, "response") or text.strip()


def _used(call: Json, record: Json, draft: Draft) -> Iterator[Said]:
    """A tool that is used, or that the person is asked about: only of the former is it sure that it ran."""
    tool, path = string(call, "tool"), string(call, "path")
    writes = tool in _WRITES
    if writes and record.get("type") == "say":
        draft.wrote(path)
    if tool:
        yield tool_call(tool, path, path, writes=writes)


def _decoded(text: str) -> Json:
    if not text.startswith("{"):
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
