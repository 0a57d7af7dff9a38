"""OpenCode, as its `export` command writes a session: one JSON object with `info` and `messages`.

A person's words are the `text` parts of user messages, without those that are `synthetic` (what the program says for
them, such as a file's content) or `ignored` (what it shows them alone). In a child session, one with a `parentID`, the
user is another agent. What a person says on refusing a tool call stands in the call's error, what they answer to the
agent's own `question` in its metadata. `Turn.record` is the place of the message, from 1.
"""

from collections.abc import Iterator
from typing import Any

from minutebook.ground.session import Session
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.draft import Draft, Said, string
from minutebook.transcripts.injected import spoken
from minutebook.transcripts.records import RecordStream
from minutebook.transcripts.said import tool_call
from minutebook.transcripts.streamed import after_words, members, shape
from minutebook.transcripts.times import of_epoch

NAME = "opencode"
INJECTED = ("<system-reminder>", "<file>", "Called the Read tool with the following input:", "<environment_details>")
"""How text begins that a person didn't say."""
_MEMBERS = frozenset(("info", "messages"))
_SAID_FIRST = b"Exporting session: "
"""What `opencode export` says on the other stream before it writes; a terminal's redirection keeps it with the file."""
_WRITES = frozenset(("edit", "write", "multiedit", "patch", "apply_patch"))
_OWN = _WRITES | {"bash", "read", "list", "glob", "grep", "task", "webfetch"}
_REFUSED = "The user rejected permission to use this specific tool call with the following feedback: "
_PEOPLE, _AGENTS = 1, 0


def sniff(head: bytes) -> bool:
    if b'"info"' not in head and b'"messages"' not in head:
        return False
    seen = shape(after_words(head, _SAID_FIRST))
    about, messages = seen.get("info"), seen.get("messages")
    first = messages[0] if isinstance(messages, list) else {}
    if isinstance(about, dict) and "id" in about and ("projectID" in about or "directory" in about):
        return True
    return isinstance(first.get("parts"), list) and bool(string(first, "info", "role"))


def read(stream: RecordStream, source: str) -> Session:
    draft, child = Draft(NAME, source), False
    for name, number, value in members(stream, _MEMBERS, _SAID_FIRST):
        if name == "info" and isinstance(value, dict):
            child = child or bool(value.get("parentID"))
            _read_about(draft, value)
        elif number:
            stream.records += 1
            _read_message(draft, number, value)
    if child:
        draft.prune(lambda branch: branch != _PEOPLE)
    return draft.session(stream)


def _read_about(draft: Draft, about: Json) -> None:
    draft.place(about.get("id"), about.get("directory"), "")
    _time(draft, about, "created", "updated")


def _time(draft: Draft, about: Json, *names: str) -> str:
    """The first of these times of a message or a session; all of them are within it."""
    times = about.get("time")
    found = [draft.time(of_epoch(times.get(name))) for name in names] if isinstance(times, dict) else []
    return next((at for at in found if at), "")


def _read_message(draft: Draft, number: int, message: Json) -> None:
    about = message.get("info")
    about = about if isinstance(about, dict) else message
    at = _time(draft, about, "created", "completed")
    draft.place(about.get("sessionID"), string(about, "path", "cwd"), "")
    listed = message.get("parts")
    parts = [part for part in listed if isinstance(part, dict)] if isinstance(listed, list) else []
    if about.get("role") == "user":
        _note_diffs(draft, about)
        draft.tell(number, string(about, "id"), list(_user(parts)), at, _PEOPLE)
    elif about.get("role") == "assistant" and not about.get("summary"):
        draft.tell(number, string(about, "id"), list(_agent(parts, draft)), at, _AGENTS)


def _note_diffs(draft: Draft, about: Json) -> None:
    """The files that changed in the user's turn, which the program adds to it later."""
    summary = about.get("summary")
    diffs = summary.get("diffs") if isinstance(summary, dict) else None
    for diff in diffs if isinstance(diffs, list) else ():
        draft.wrote(string(diff, "file"))


def _user(parts: list[Json]) -> Iterator[Said]:
    said = [
        text.strip("\n")
        for part in parts
        if part.get("type") == "text" and not part.get("synthetic") and not part.get("ignored")
        if (text := spoken(string(part, "text"), INJECTED)).strip()
    ]
    if said:
        yield Said("user", "text", "\n\n".join(said))


def _agent(parts: list[Json], draft: Draft) -> Iterator[Said]:
    for part in parts:
        kind = part.get("type")
        if kind == "text" and not part.get("synthetic") and (text := string(part, "text").strip("\n")).strip():
            yield Said("assistant", "text", text)
        elif kind == "tool":
            yield from _called(part, draft)
        elif kind == "patch":
            files = part.get("files")
            for file in files if isinstance(files, list) else ():
                draft.wrote(file if isinstance(file, str) else "")


def _called(part: Json, draft: Draft) -> Iterator[Said]:
    tool, held = string(part, "tool"), part.get("state")
    state: Json = held if isinstance(held, dict) else {}
    given = state.get("input")
    path = string(given, "filePath") or string(given, "path")
    writes = tool in _WRITES
    what = path or next((one for one in given.values() if isinstance(one, str)), "") if isinstance(given, dict) else ""
    yield tool_call(tool, what, path, writes=writes)
    if writes and state.get("status") == "completed":
        draft.wrote(path)
    yield from _returned(tool, state)


def _returned(tool: str, state: Json) -> Iterator[Said]:
    error = string(state, "error")
    if tool in _OWN and error.startswith(_REFUSED):
        reason = error.removeprefix(_REFUSED).strip()
        yield Said("user", "tool-refused", reason, {"tool": tool, "reason": reason})
    elif answers := _answers(tool, state):
        for question, answer in answers:
            yield Said("user", "answer", answer, {"question": question, "answer": answer})
    elif state.get("status") in ("completed", "error"):
        yield Said("tool", "tool-result", error or string(state, "output"), {"tool": tool})


def _answers(tool: str, state: Json) -> list[tuple[str, str]]:
    """Question and answer, in the order they were asked; several choices are one answer, with commas."""
    if tool != "question" or state.get("status") != "completed":
        return []
    asked, given = _list(state, "input", "questions"), _list(state, "metadata", "answers")
    pairs = [(string(each, "question"), _joined(answer)) for each, answer in zip(asked, given, strict=False)]
    return [(question, answer) for question, answer in pairs if answer]


def _list(state: Json, key: str, name: str) -> list[Any]:
    held = state.get(key)
    found = held.get(name) if isinstance(held, dict) else None
    return found if isinstance(found, list) else []


def _joined(answer: Any) -> str:
    parts = answer if isinstance(answer, list) else [answer]
    return ", ".join(part for part in parts if isinstance(part, str) and part.strip())
