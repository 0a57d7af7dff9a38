"""What is read of an event of Copilot CLI, and what later events need of earlier ones."""

from dataclasses import dataclass, field
from typing import Any

from minutebook.transcripts.calls import Calls
from minutebook.transcripts.decoding import Partial
from minutebook.transcripts.draft import Draft


class Context(Partial):
    cwd: str = ""
    branch: str | None = None


class Result(Partial):
    kind: str = ""
    content: str | None = None
    feedback: str | None = None
    message: str | None = None


class Data(Partial):
    sessionId: str = ""
    context: Context | None = None
    content: str | None = None
    source: Any = None
    isAutopilotContinuation: Any = None
    parentToolCallId: Any = None
    mcpServerName: Any = None
    mcpToolName: Any = None
    toolCallId: str | None = None
    toolName: str = ""
    arguments: Any = None
    success: bool = False
    result: Result | None = None
    error: Result | None = None
    upToEventId: str = ""


class Event(Partial):
    """What is read of an event."""

    type: str = ""
    id: str = ""
    timestamp: str = ""
    agentId: Any = None
    data: Data | None = None


NOTHING, NO_RESULT, NOWHERE = Data(), Result(), Context()


Call = tuple[str, str | None, tuple[str, ...]]
"""A tool, what it asks a person, if it does, and the files that it changes."""


@dataclass(slots=True)
class State:
    """What later events need of earlier ones. `prompts` are the ids of the person's messages; a turn hangs on the
    number of those before it."""

    draft: Draft
    calls: Calls[Call] = field(default_factory=lambda: Calls(("", None, ())))
    prompts: dict[str, int] = field(default_factory=dict)
    stays: bytearray = field(default_factory=lambda: bytearray(b"\1"))
