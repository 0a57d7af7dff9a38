"""Calls of tools by Codex and what they returned: commands, patches, searches."""

import json
import re

from minutebook.ground.frozen import EMPTY
from minutebook.transcripts.codex_records import Item, State
from minutebook.transcripts.patches import patched
from minutebook.transcripts.said import Said, Told, string, text_of, tool_call
from minutebook.transcripts.values import within

CALLS = frozenset(("function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call"))
OUTPUTS = frozenset(("function_call_output", "custom_tool_call_output", "tool_search_output"))
_FAILED = re.compile(r"(?:Exit code: [1-9]|.{0,40}verification failed|.{0,40}rejected by user|.{0,40}aborted)")
_REJECTED = frozenset(("exec command rejected by user", "patch rejected by user", "rejected by user"))
_SHORT = 100
"""Characters: output that is longer says more than that a person rejected the call."""


def called(item: Item, state: State) -> Told:
    tool = item.name or item.type.removesuffix("_call")
    given = (item.input if isinstance(item.input, str) else "") or _arguments(item.arguments or item.action, state)
    paths = patched(given)
    state.calls.made(item.call_id or "", (tool, paths))
    if paths:
        return tool_call(tool, ", ".join(paths), paths[0], writes=True)
    return "assistant", "tool-call", f"{tool}: {given}" if given else tool, {"tool": tool}, False


def _arguments(raw: object, state: State) -> str:
    """A call's main argument: its command, its patch or its query, or else all of its JSON."""
    if not isinstance(raw, str):
        return _main(raw, "")
    decode, refused = state.given
    try:
        given = decode(raw)
    except refused:
        return _main(within(raw), raw)
    if isinstance(given.cmd, str):
        return given.cmd
    found = _first(given.cmd, given.command, given.input, given.query)
    return _main(within(raw), raw) if found is None else found


def _main(given: object, otherwise: str) -> str:
    if not isinstance(given, dict):
        return otherwise
    found = _first(*map(given.get, ("cmd", "command", "input", "query")))
    return json.dumps(given, ensure_ascii=False) if found is None else found


def _first(*arguments: object) -> str | None:
    for found in arguments:
        if isinstance(found, str):
            return found
        if isinstance(found, list):
            return "\n".join([part for part in found if isinstance(part, str)])
    return None


def returned(item: Item, state: State) -> Told:
    tool, paths = state.calls.returned(item.call_id or "")
    output = item.output
    text = output if isinstance(output, str) else _text(output)
    if len(text) < _SHORT and text.strip() in _REJECTED and tool and "__" not in tool and not state.of_an_agent:
        return Said("user", "tool-refused", "", {"tool": tool, "reason": ""})
    if paths and not _FAILED.match(text):
        for path in paths:
            state.draft.wrote(path)
    return "tool", "tool-result", text, {"tool": tool} if tool else EMPTY, False


def _text(output: object) -> str:
    return string(output, "content") if isinstance(output, dict) else text_of(output)
