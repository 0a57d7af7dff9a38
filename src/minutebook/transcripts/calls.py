"""Calls of tools: by their ids until the results come, and in few words."""

import re
from typing import Generic, TypeVar

from minutebook.transcripts.draft import Draft
from minutebook.transcripts.said import TOOL_MOST, Said

_CALLS_MOST = 128
_SECRET = re.compile("(?i)pass|pwd|secret|token|key|auth|cred")
"""What the names of things that nobody should see have in them."""
_PLAIN = frozenset(("command", "pattern", "description", "prompt", "query", "path", "url", "skill", "subject"))
"""Names that calls mostly begin with, which have none of it."""
Call = TypeVar("Call")


class Calls(Generic[Call]):
    """Calls of tools by their ids, until their results come; the oldest are forgotten when many never do."""

    def __init__(self, unknown: Call) -> None:
        self._unknown = unknown
        self._calls: dict[str, Call] = {}

    def made(self, id: str, call: Call) -> None:
        if len(self._calls) >= _CALLS_MOST:
            del self._calls[next(iter(self._calls))]
        self._calls[id] = call

    def returned(self, id: str) -> Call:
        """The call with this id, which has its result now; `unknown` where there was none."""
        return self._calls.pop(id, self._unknown)

    def known(self, id: str) -> Call:
        """The call with this id, whose result is still to come."""
        return self._calls.get(id, self._unknown)


def answered(draft: Draft, question: str, answer: str) -> Said:
    """What a person answered to an agent's question. One that asks for a secret makes one of its answer, which is why
    both are redacted as one then."""
    if _SECRET.search(question):
        question, answer = next(iter(draft.redacted({question: answer}).items()), ("", ""))
    return Said("user", "answer", answer, {"question": question, "answer": answer})


def first_string(given: object) -> str:
    """The first string that a tool is given, which tells best what it was called for. One whose name makes a secret of
    it stands with its name, by which it is redacted."""
    for name, value in given.items() if isinstance(given, dict) else ():
        if isinstance(value, str):
            value = value[: 2 * TOOL_MOST]
            return f'{name}: "{value}"' if name not in _PLAIN and _SECRET.search(name) else value
    return ""
