"""Cline and what came from it (Roo Code): a task's `api_conversation_history.json`, or its `ui_messages.json`.

In the history a person's words stand between tags in user messages: `<task>`, `<feedback>`, `<answer>` after the
agent's own question, `<user_message>` when a task goes on. What tools print comes as plain text in the same messages
and may hold the same tags, so a tag counts only where the program puts it: at the start of a text, or after a sentence
of the program's, and never in what a tool printed that passes on others' words (a file, a page, another server). In
the UI file the first words and `user_feedback` are the person's. The history has no times, neither has an id: the
session is named by its first message. `Turn.record` is the place of the message, from 1.
"""

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field

from minutebook.ground.session import Session
from minutebook.transcripts.cline_ui import Screen, is_shown, says_what, shown
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.draft import Draft, Said, string, text_of
from minutebook.transcripts.named import name_of
from minutebook.transcripts.records import RecordStream
from minutebook.transcripts.said import tool_call
from minutebook.transcripts.streamed import members, shape
from minutebook.transcripts.times import of_epoch

NAME = "cline"
_LIST = frozenset(("",))
_MARKS = ("<task>", "<environment_details>", "[TASK RESUMPTION]", "<user_message>", "<feedback>")
_SPOKEN = re.compile(
    r"\s{0,20}(?:(?:\[TASK RESUMPTION\].{0,3000}?|(?:The user |New instructions|New message)[^\n]{0,300})\s{1,4})?"
    r"<(task|feedback|user_message|answer)>(.*?)</\1>",
    re.DOTALL,
)
"""A person's words as the program puts them: the tag opens the text, or a sentence of the program's does."""
_RESULT = re.compile(r"\[([a-z_]{1,40})(?: for [^\n]{0,1000}?)?\](?: Result:|[ \t]*$)", re.MULTILINE)
"""What stands before what a tool printed."""
_ENDS = "'] Result:"
_ASKS = frozenset(("ask_followup_question", "plan_mode_respond", "attempt_completion", "new_task"))
_WRITES = frozenset(("write_to_file", "replace_in_file", "apply_diff", "insert_content", "search_and_replace"))
_DENIABLE = _ASKS | _WRITES | {"execute_command", "update_todo_list", "switch_mode"}
"""Tools whose output begins with words of the program's own, so that a denial can be told from it."""
_CALL = re.compile(
    r"^<(write_to_file|replace_in_file|apply_diff|insert_content|search_and_replace|execute_command|read_file"
    r"|search_files|list_files|list_code_definition_names|browser_action|use_mcp_tool|access_mcp_resource|web_fetch"
    r"|ask_followup_question|attempt_completion|plan_mode_respond|new_task|switch_mode|update_todo_list)>",
    re.MULTILINE,
)
_ARGUMENTS = ("path", "command", "question", "result", "response", "url", "regex", "absolutePath")
_THINKING = re.compile(r"<thinking>.*?(?:</thinking>|\Z)", re.DOTALL)
_CWD = re.compile(r"# Current (?:Working|Workspace) Directory \(([^)\n]{1,1000})\)")
_DENIED = "The user denied"
_FAILED = (_DENIED, "The tool execution failed", "Error", "<error>")


@dataclass(slots=True)
class _Task:
    """Calls by id, and of the last call its tool, path, question and the argument that heads what it printed."""

    calls: dict[str, tuple[str, str]] = field(default_factory=dict)
    tool: str = ""
    path: str = ""
    question: str = ""
    argument: str = ""


def sniff(head: bytes) -> bool:
    listed = shape(head).get("")
    seen = listed if isinstance(listed, list) else []
    return any(is_shown(each) for each in seen[:5]) or any(_is_marked(each) for each in seen[:20])


def read(stream: RecordStream, source: str) -> Session:
    draft, task, screen = Draft(NAME, source), _Task(), Screen()
    for _, number, value in members(stream, _LIST):
        if not number:
            continue
        stream.records += 1
        if stream.records == 1:
            draft.place(name_of(NAME, _first(value)), "", "")
        at = draft.time(of_epoch(value.get("ts")))
        said = shown(value, screen, draft) if is_shown(value) else _once(_message(value, task, draft))
        draft.tell(number, "", list(said), at)
    return draft.session(stream)


def _is_marked(value: Json) -> bool:
    texts = [string(block, "text") for block in _blocks(value)] if value.get("role") == "user" else []
    return any(text.lstrip().startswith(_MARKS) or _RESULT.match(text) is not None for text in texts)


def _first(value: Json) -> str:
    return f"{value.get('ts', '')}\n{string(value, 'text') or text_of(_blocks(value))}"


def _blocks(message: Json) -> list[Json]:
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _message(message: Json, task: _Task, draft: Draft) -> Iterator[Said]:
    role = message.get("role")
    if role == "assistant":
        for block in _blocks(message):
            yield from _agent(block, task)
    elif role == "user":
        printed = ""
        for block in _blocks(message):
            if block.get("type") == "tool_result":
                task.tool, task.path = task.calls.pop(string(block, "tool_use_id"), ("", ""))
                yield from _printed(task.tool or "unknown", text_of(block.get("content")), task, draft)
            elif block.get("type") == "text":
                printed = yield from _block(string(block, "text"), printed, task, draft)


def _once(said: Iterator[Said]) -> Iterator[Said]:
    """Without what a person said before in the same message: a task that goes on repeats what it was told."""
    seen = set()
    for one in said:
        if one.role != "user" or one.text not in seen:
            yield one
        seen.add(one.text)


def _block(text: str, printed: str, task: _Task, draft: Draft) -> Generator[Said, None, str]:
    """One text of a user message. `printed` names the tool whose output it is; returns that of the next text."""
    if printed:
        yield from _printed(printed, text, task, draft)
    elif text.lstrip().startswith("<environment_details>"):
        if found := _CWD.search(text):
            draft.place("", found[1], "")
    elif (head := _headed(text, task)) is not None:
        tool, rest = head
        if not rest.strip():
            return tool
        yield from _printed(tool, rest, task, draft)
    else:
        yield from _spoken(text, task)
    return ""


def _headed(text: str, task: _Task) -> tuple[str, str] | None:
    """The tool whose output this is, and the rest of the text. The heading holds the call's argument, which is
    whatever the agent wrote: where that holds what ends a heading, the whole of it has to stand there."""
    opening = f"[{task.tool} for '"
    if task.tool and text.startswith(opening) and _ENDS not in task.argument:
        _, found, rest = text.partition(_ENDS)
        return (task.tool, rest) if found else None
    if text.startswith(whole := f"{opening}{task.argument}{_ENDS}"):
        return task.tool, text.removeprefix(whole)
    other = _RESULT.match(text)
    return (other[1], text[other.end() :]) if other is not None else None


def _spoken(text: str, task: _Task) -> Iterator[Said]:
    found = _SPOKEN.match(text)
    words = found[2].strip() if found is not None else ""
    if found is None or not words:
        return
    if found[1] == "answer" and says_what(task.question):
        yield Said("user", "answer", words, {"question": task.question, "answer": words})
    else:
        yield Said("user", "text", words)


def _printed(tool: str, text: str, task: _Task, draft: Draft) -> Iterator[Said]:
    """What a tool printed, or what the person said on being asked for leave to use it."""
    found = _SPOKEN.match(text) if tool in _DENIABLE else None
    if found is not None and found[1] != "task":
        reason = found[2].strip()
        denied = text.lstrip().startswith(_DENIED)
        refused = Said("user", "tool-refused", reason, {"tool": tool, "reason": reason})
        yield from (refused,) if denied else _spoken(text, task)
        return
    if tool in _WRITES and tool == task.tool and not text.lstrip().startswith(_FAILED):
        draft.wrote(task.path)
    yield Said("tool", "tool-result", text, {"tool": tool})


def _agent(block: Json, task: _Task) -> Iterator[Said]:
    if block.get("type") == "tool_use":
        given = block.get("input")
        yield from _call(string(block, "name"), given if isinstance(given, dict) else {}, task)
        task.calls[string(block, "id")] = task.tool, task.path
        return
    text = _THINKING.sub("", string(block, "text"))
    call = _CALL.search(text)
    said = text[: call.start()] if call is not None else text
    if said.strip():
        yield Said("assistant", "text", said.strip())
    if call is not None:
        yield from _call(call[1], _arguments(text[call.end() :]), task)


def _arguments(text: str) -> Json:
    """What stands between the tags of a call that is written as text."""
    given: Json = {}
    for name in _ARGUMENTS:
        _, found, rest = text.partition(f"<{name}>")
        if found:
            given[name] = rest.partition(f"</{name}>")[0].strip()
    return given


def _call(tool: str, given: Json, task: _Task) -> Iterator[Said]:
    task.tool, task.question = tool, string(given, "question")
    task.path = string(given, "path") or string(given, "absolutePath")
    task.argument = task.question or string(given, "command") or task.path
    if said := task.question or string(given, "result") or string(given, "response"):
        yield Said("assistant", "text", said)
    writes = tool in _WRITES
    what = task.path or string(given, "command") or string(given, "url") or string(given, "regex")
    yield tool_call(tool, what, task.path, writes=writes)
