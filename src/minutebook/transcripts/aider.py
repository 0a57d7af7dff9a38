"""aider's `.aider.chat.history.md`: lines that start with `#### ` are a person's, `> ` a tool's, the rest the agent's.

A history that aider wrote itself ends each of a person's lines with two spaces (a Markdown line break). An editor may
have taken some of them away; so, where a file has such lines, one without them is a person's only where nobody else
speaks: at the start of a chat, right after a line of theirs, or when aider has said that the reply is over. Elsewhere
it is a heading of the agent's; after other output of tools it is counted as `unmarked`. Nor is a line within the
agent's fenced blocks and edits a person's; since fences nest badly, what is open ends where aider says what the reply
cost or that it was stopped. An agent that writes such a line itself can't be told from aider. Thoughts are left out.

One file holds every chat of a project, often a thousand of them, and is one session here: one file has one cursor, and
grows at its end. Each turn's time is the start of its chat, without a zone, as the file has it. There is no id, so the
session is named by its first chat's time and its first words. `Turn.record` is the line at which a stretch by one
speaker begins.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from minutebook.ground.session import Session
from minutebook.transcripts.draft import Draft, Said
from minutebook.transcripts.named import name_of
from minutebook.transcripts.prose_lines import prose_lines
from minutebook.transcripts.records import RecordStream
from minutebook.transcripts.said import tool_call
from minutebook.transcripts.streamed import starts_as_json
from minutebook.transcripts.times import of_words

NAME = "aider"
_STARTED = "# aider chat started at "
_PERSON, _TOOL = "#### ", "> "
_BLANK = "<blank>"
_STRETCH_MOST = 2**18
"""Characters of a stretch that are kept until it is redacted and cut to what a turn holds."""
_BREAK = re.compile(rb"^####[^\r\n]{0,5000}  \r?$", re.MULTILINE)
_PRINTED = re.compile(
    rb"^> (?:Aider v|Tokens: |Applied edit to |Main model: |Added |Model: |Git repo: |Repo-map: |Commit )", re.MULTILINE
)
_APPLIED = re.compile(r"^> (?:Applied edit to|Creating empty file) ([^\n]{1,1000})$", re.MULTILINE)
_FOLDER = re.compile(r"^> Git working dir: ([^\n]{1,1000})$", re.MULTILINE)
_OVER = re.compile(r"> (?:Tokens: [\d.,]{1,12}[kM]? sent|\^C )")
"""What aider prints when a reply is over."""
_AWAITS = re.compile(
    r"> (?:Tokens: |Cost: |Applied edit to |Commit |Aider v|Models?: |(?:Main|Weak|Editor) model: |Git repo: "
    r"|Repo-map: |Use /help |Creating empty file |\^C )"
)
"""What aider prints last before a person writes: never while it asks, or hands something to the agent by itself."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^`]{0,100})$")
_EDIT, _EDIT_END = "<<<<<<< SEARCH", ">>>>>>> REPLACE"
_THOUGHTS = ("► **THINKING**", "<thinking-content-")
_THOUGHTS_END = ("► **ANSWER**", "</thinking-content-")
Speaker = Literal["person", "tool", "agent"]


@dataclass(slots=True)
class _Stretch:
    """What one speaker says until another does."""

    speaker: Speaker
    line: int
    lines: list[str] = field(default_factory=list)
    length: int = 0

    def add(self, line: str) -> None:
        if self.length <= _STRETCH_MOST:
            self.lines.append(line)
            self.length += len(line) + 1

    def text(self) -> str:
        return "\n".join(self.lines).strip("\n")


@dataclass(slots=True)
class _History:
    """How a person's lines end, when the chat started, the agent's fence or thought that is open, what aider printed
    last, and whether the line before was blank."""

    breaks: bool
    at: str = ""
    first: str = ""
    fence: str = ""
    edits: bool = False
    thinks: bool = False
    printed: str = ""
    blank: bool = True

    def close(self) -> None:
        self.fence, self.edits, self.thinks = "", False, False


def sniff(head: bytes) -> bool:
    if starts_as_json(head):
        return False
    lines = b"\n" + head
    started = b"\n" + _STARTED.encode() in lines
    return started or (b"\n#### " in lines and _PRINTED.search(head) is not None)


def read(stream: RecordStream, source: str) -> Session:
    draft, history = Draft(NAME, source), _History(_BREAK.search(stream.head) is not None)
    stretch: _Stretch | None = None
    for number, line in prose_lines(stream):
        if line.startswith(_STARTED):
            _tell(stretch, draft, history, stream)
            stretch = None
            history.close()
            history.printed = ""
            history.at = draft.time(of_words(line.removeprefix(_STARTED)))
            continue
        if stretch is None and not line.strip():
            continue
        speaker = _speaker(line, history, stretch)
        if line.startswith(_PERSON) and speaker == "agent" and stretch is not None and stretch.speaker == "tool":
            stream.skipped["unmarked"] += 1
        if stretch is None or speaker != stretch.speaker:
            _tell(stretch, draft, history, stream)
            stretch = _Stretch(speaker, number)
        _add(stretch, line, history)
        history.blank = not line.strip()
    _tell(stretch, draft, history, stream)
    draft.place(name_of(NAME, history.first), "", "")
    return draft.session(stream)


def _speaker(line: str, history: _History, stretch: _Stretch | None) -> Speaker:
    if not line.strip() and stretch is not None and stretch.speaker != "person":
        return stretch.speaker
    if _OVER.match(line):
        history.close()
    if history.fence or history.edits:
        return "agent"
    if line.startswith(_TOOL) or line.rstrip() == ">":
        return "tool"
    if line.startswith(_PERSON) and (line.endswith("  ") or not history.breaks or _is_their_turn(history, stretch)):
        return "person"
    return "agent"


def _is_their_turn(history: _History, stretch: _Stretch | None) -> bool:
    """Whether a line here is a person's though nothing at its end says so."""
    if stretch is None:
        return True
    if stretch.speaker == "tool":
        return _AWAITS.match(history.printed) is not None
    return stretch.speaker == "person" and not history.blank


def _add(stretch: _Stretch, line: str, history: _History) -> None:
    if stretch.speaker == "person":
        stretch.add(line.removeprefix(_PERSON).removesuffix("  "))
    elif stretch.speaker == "tool":
        history.thinks = False
        history.printed = line if line.strip(" >") else history.printed
        stretch.add(line)
    else:
        _add_agents(stretch, line, history)


def _add_agents(stretch: _Stretch, line: str, history: _History) -> None:
    if line.startswith(_THOUGHTS_END):
        history.thinks = False
    elif history.thinks or line.startswith(_THOUGHTS):
        history.thinks = True
    else:
        history.fence = _fence(history.fence, line)
        history.edits = (history.edits or line.startswith(_EDIT)) and not line.startswith(_EDIT_END)
        stretch.add(line)


def _fence(fence: str, line: str) -> str:
    """The fence that is open after this line."""
    found = _FENCE.match(line) if line.lstrip(" ")[:3] in ("```", "~~~") and len(line) < 200 else None
    if found is None:
        return fence
    if not fence:
        return found[1]
    return "" if found[1].startswith(fence) and not found[2].strip() else fence


def _tell(stretch: _Stretch | None, draft: Draft, history: _History, stream: RecordStream) -> None:
    if stretch is not None and (said := list(_said(stretch, draft))):
        stream.records += 1
        history.first = history.first or f"{history.at}\n{said[0].text}"
        draft.tell(stretch.line, "", said, history.at)


def _said(stretch: _Stretch, draft: Draft) -> Iterator[Said]:
    text = stretch.text()
    if stretch.speaker == "person":
        if text.strip() and text.strip() != _BLANK:
            yield Said("user", "text", text.strip())
    elif stretch.speaker == "agent":
        if text.strip():
            yield Said("assistant", "text", text)
    else:
        yield from _printed(text, draft)


def _printed(text: str, draft: Draft) -> Iterator[Said]:
    """What aider and the commands that it ran printed; aider says which files it changed."""
    for found in _FOLDER.finditer(text):
        draft.place("", found[1].strip(), "")
    for found in _APPLIED.finditer(text):
        path = found[1].strip()
        draft.wrote(path)
        yield tool_call("edit", path, path, writes=True)
    plain = "\n".join(line.removeprefix(">").strip() for line in text.split("\n")).strip("\n")
    if plain:
        yield Said("tool", "tool-result", plain, {"tool": "aider"})
