"""What is read of a record of Codex, and what later records need of earlier ones."""

from dataclasses import dataclass, field
from typing import Any

from minutebook.transcripts.calls import Calls
from minutebook.transcripts.decoding import Decoding, Partial, decoder
from minutebook.transcripts.draft import Draft

ABSENT: Any = object()
"""Of a name that a record lacks, where it matters whether it does."""


class Part(Partial):
    text: str = ""


class Git(Partial):
    branch: str | None = None


class Item(Partial):
    """A payload, and a flat record."""

    type: str = ""
    id: str | None = None
    cwd: str | None = None
    git: Git | None = ABSENT
    role: str | None = None
    message: str = ""
    kind: Any = None
    source: Any = None
    thread_source: Any = None
    num_turns: Any = None
    content: str | list[Part] | None = None
    name: str | None = None
    arguments: Any = None
    input: Any = None
    action: Any = None
    call_id: str | None = None
    output: Any = None


class Record(Item):
    timestamp: str = ""
    payload: Item | None = None
    instructions: Any = ABSENT
    record_type: str = ABSENT


class Given(Partial):
    """The main arguments of a call, the likeliest first."""

    cmd: Any = None
    command: Any = None
    input: Any = None
    query: Any = None


Call = tuple[str, tuple[str, ...]]
"""A tool, and the paths of its patch."""


@dataclass(slots=True)
class State:
    """What later records need of earlier ones: calls by id, whether any response item holds the agent's words, whether
    another agent began the session, and for each of the turns of the talk whether it stays. `began` are those that a
    person's words began, of which a task has one at most; `given` is how the arguments of a call are decoded."""

    draft: Draft
    calls: Calls[Call] = field(default_factory=lambda: Calls(("", ())))
    items_speak: bool = False
    of_an_agent: bool = False
    prompts: int = 0
    began: list[int] = field(default_factory=list)
    in_task: bool = False
    has_tasks: bool = False
    given: Decoding[Given] = field(default_factory=lambda: decoder(Given))
    stays: bytearray = field(default_factory=lambda: bytearray(b"\1"))
