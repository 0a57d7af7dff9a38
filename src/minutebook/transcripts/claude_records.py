"""What is read of a record of Claude Code, and what later records need of earlier ones."""

from dataclasses import dataclass, field
from typing import Any

from minutebook.transcripts.branches import Branches
from minutebook.transcripts.calls import Calls
from minutebook.transcripts.decoding import Partial
from minutebook.transcripts.draft import Draft


class Part(Partial):
    type: str = ""
    text: str = ""


class Block(Part):
    id: str = ""
    name: str = ""
    input: dict[str, Any] | None = None
    tool_use_id: str = ""
    content: str | list[Part] | None = None
    is_error: Any = None


class Message(Partial):
    model: str | None = None
    role: Any = None
    content: str | list[Block] = ""


class Typed(Partial):
    """The harness's own note of a tool's result, where it is an object."""

    answers: dict[str, Any] | None = None
    plan: str | None = None


class Record(Partial):
    """In the order in which it stands there, which is decoded fastest. Marks are of any kind: one of a kind that isn't
    expected counts all the same."""

    parentUuid: str | None = None
    logicalParentUuid: str | None = None
    isSidechain: Any = None
    cwd: str = ""
    sessionId: str = ""
    gitBranch: str = ""
    agentId: Any = None
    type: str = ""
    message: Message | None = None
    isMeta: Any = None
    uuid: str = ""
    timestamp: str = ""
    toolUseResult: Typed | str | list[Any] | int | float | None = None
    isCompactSummary: Any = None
    isVisibleInTranscriptOnly: Any = None
    isSynthetic: Any = None
    isVirtual: Any = None
    isApiErrorMessage: Any = None
    sourceToolUseID: Any = None
    origin: Any = None
    planContent: Any = None


Call = tuple[str, str, str]
"""A tool, the path that it was given, and a plan."""


@dataclass(slots=True)
class State:
    """Tool calls by id, the tree, a plan sent back without a word, and how many records are of subagents and not."""

    draft: Draft
    calls: Calls[Call] = field(default_factory=lambda: Calls(("", "", "")))
    branches: Branches = field(default_factory=Branches)
    plan: str | None = None
    sidechain: int = 0
    own: int = 0
