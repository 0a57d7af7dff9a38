"""SWE-agent: a `.traj`, one JSON object with `history` (messages), `trajectory` (steps), or both.

The task is the one thing a person said: it stands in the first user message that is no demonstration, within the
prompt that the program puts around it. Later user messages are what the commands printed. The steps say the same as
the messages and are read where there are no messages. A mini-SWE-agent file has its messages in `messages`. There is
no session id, so the session is named by what the two said first; there are no times and no branch. `Turn.record` is
the place of the message or of the step, from 1.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from minutebook.ground.session import Session
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.draft import Draft, Said, string, text_of
from minutebook.transcripts.named import name_of
from minutebook.transcripts.records import RecordStream
from minutebook.transcripts.streamed import members, shape
from minutebook.transcripts.values import within

NAME = "swe-agent"
_MEMBERS = frozenset(("history", "trajectory", "messages"))
_MARKS = frozenset(("thought", "action", "agent", "message_type", "tool_calls"))
_FRAMES = (("<pr_description>", "</pr_description>"), ("ISSUE:\n", "\n\nINSTRUCTIONS:"))
"""What stands before and after the task in the prompts that the program ships with."""
_PLEASE, _INSTRUCTIONS = "Please solve this issue: ", "\n\nYou can execute bash commands"
_WRITES = frozenset(("edit", "create", "insert", "str_replace", "append", "str_replace_editor"))
_EDITOR = "str_replace_editor"
_EDITS = frozenset(("create", "str_replace", "insert"))
_FENCE = re.compile(r"```[a-z]{0,20}\n(.{0,4000}?)\n?```", re.DOTALL)
_AT = re.compile(r"\(Current directory: ([^)\n]{1,1000})\)")
_OPEN = re.compile(r"(?:\[File: |\(Open file: )([^\s()]{1,1000})")
_ERROR = re.compile(r"Your proposed edit has|.{0,40}(?:not found|No such file|Invalid|No replacement)", re.DOTALL)


@dataclass(slots=True)
class _Run:
    """The task, what the agent said first, how many messages and steps there were, which file is open, and which one
    the last call edits."""

    task: str = ""
    first: str = ""
    messages: int = 0
    steps: int = 0
    open: str = ""
    edits: str = ""


def sniff(head: bytes) -> bool:
    if not any(mark in head for mark in (b'"history"', b'"trajectory"', b'"mini_version"', b'"trajectory_format"')):
        return False
    seen = shape(head)
    steps = [each for each in _list(seen, "trajectory") if "action" in each and "observation" in each]
    messages = [each for each in _list(seen, "history") if string(each, "role")]
    mini = string(seen, "trajectory_format") or string(seen, "info", "mini_version")
    marked = any(_MARKS & set(each) for each in messages)
    return bool(steps) or marked or (bool(messages) and "trajectory" in seen) or bool(mini)


def read(stream: RecordStream, source: str) -> Session:
    draft, run, steps = Draft(NAME, source), _Run(), _Run()
    for name, number, value in members(stream, _MEMBERS):
        if not number:
            continue
        if name == "trajectory":
            steps.steps += 1
            draft.tell(number, "", list(_step(value, steps, draft)), "")
        else:
            run.messages += 1
            draft.tell(number, "", list(_message(value, run, draft)), "")
    if run.messages:
        draft.drop_spare()
    stream.records = run.messages or steps.steps
    draft.place(name_of(NAME, f"{run.task}\n{run.first or steps.first}"), "", "")
    return draft.session(stream)


def _list(seen: Json, name: str) -> list[Json]:
    found = seen.get(name)
    return found if isinstance(found, list) else []


def _message(message: Json, run: _Run, draft: Draft) -> Iterator[Said]:
    role, text = string(message, "role"), text_of(message.get("content"))
    if role == "assistant":
        yield from _acted(message, text, run)
    elif role in ("user", "tool") and not _is_demonstration(message):
        if role == "user" and not run.task:
            run.task = task_in(text)
            if run.task:
                yield Said("user", "text", run.task)
        elif text.strip():
            yield _seen(text, run, draft)


def _is_demonstration(message: Json) -> bool:
    return bool(message.get("is_demo")) or message.get("message_type") == "demonstration"


def task_in(prompt: str) -> str:
    """What the person asked for, without the prompt that the program puts around it; all of it where that is none of
    those it ships with."""
    for before, after in _FRAMES:
        _, found, rest = prompt.partition(before)
        if found and after in rest:
            return rest[: rest.index(after)].strip()
    if prompt.startswith(_PLEASE):
        return prompt.removeprefix(_PLEASE).partition(_INSTRUCTIONS)[0].strip()
    return prompt.strip()


def _acted(message: Json, text: str, run: _Run) -> Iterator[Said]:
    """A thought, said aloud, and what is to be run: a tool call, an `action`, or the block of code in the text."""
    calls = _calls(message)
    thought = string(message, "thought") or (text if calls else _FENCE.sub("", text, count=1))
    run.first = run.first or text
    if thought.strip():
        yield Said("assistant", "text", thought.strip())
    for tool, what in calls or _in_text(text):
        yield _call(tool, what, run)


def _calls(message: Json) -> list[tuple[str, str]]:
    """Tool and its main argument. An action is written as a command, whose first word is the tool."""
    if action := string(message, "action").strip():
        return [(action.split(maxsplit=1)[0], action)]
    calls = message.get("tool_calls")
    found = []
    for call in calls if isinstance(calls, list) else ():
        tool, given = string(call, "function", "name"), within(string(call, "function", "arguments"))
        command = string(given, "command")
        path = string(given, "path")
        found.append((tool, " ".join(part for part in (tool, command, path) if part and part != tool)))
    return [call for call in found if call[0]]


def _in_text(text: str) -> list[tuple[str, str]]:
    found = _FENCE.search(text)
    action = found[1].strip() if found is not None else ""
    return [(action.split(maxsplit=1)[0], action)] if action else []


def _call(tool: str, what: str, run: _Run, spare: bool = False) -> Said:
    words = what.split(maxsplit=3)
    path = ""
    if tool == _EDITOR and len(words) > 2 and words[1] in _EDITS:
        path = words[2]
    elif tool == "create" and len(words) > 1:
        path = words[1]
    elif tool in _WRITES and tool != _EDITOR:
        path = run.open
    run.edits = path
    detail = {"tool": tool} | ({"path": path, "writes": "yes"} if path else {})
    return Said("assistant", "tool-call", what if what.startswith(tool) else f"{tool}: {what}", detail, spare)


def _seen(text: str, run: _Run, draft: Draft, spare: bool = False) -> Said:
    """What a command printed. It tells the working folder, and which file is open for the next edit."""
    if run.edits and not _ERROR.match(text):
        draft.wrote(run.edits)
    run.edits = ""
    if at := _AT.search(text[-2000:]):
        draft.place("", at[1], "")
    if opened := _OPEN.search(text[:2000]) or _OPEN.search(text[-2000:]):
        run.open = "" if opened[1] == "n/a" else opened[1]
    return Said("tool", "tool-result", text, spare=spare)


def _step(step: Json, run: _Run, draft: Draft) -> Iterator[Said]:
    state = within(string(step, "state")) if isinstance(step.get("state"), str) else step.get("state")
    draft.place("", string(state, "working_dir"), "")
    run.first = run.first or string(step, "response")
    if (thought := string(step, "thought")).strip():
        yield Said("assistant", "text", thought.strip(), spare=True)
    if action := string(step, "action").strip():
        yield _call(action.split(maxsplit=1)[0], action, run, spare=True)
    opened = string(state, "open_file")
    if (text := string(step, "observation")).strip():
        yield _seen(text, run, draft, spare=True)
    run.open = "" if opened == "n/a" else opened or run.open
