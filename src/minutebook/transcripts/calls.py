"""Calls of tools: by their ids until the results come, and in few words."""

from typing import Generic, TypeVar

from minutebook.transcripts.draft import Draft
from minutebook.transcripts.said import TOOL_MOST, string

_CALLS_MOST = 128
_PLAIN_NAMES = frozenset(("command", "cmd", "description", "path", "pattern", "prompt", "query", "skill", "url"))
"""Names of what a tool is given that make no secret of it."""
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


def first_string(draft: Draft, given: object) -> str:
    """The first string that a tool is given, which tells best what it was called for."""
    for name, value in given.items() if isinstance(given, dict) else ():
        if isinstance(value, str):
            return value if name in _PLAIN_NAMES else string(draft.redacted({name: value[: 2 * TOOL_MOST]}), name)
    return ""
