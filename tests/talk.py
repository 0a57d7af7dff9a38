"""Sessions written by hand, as values and as Claude Code records."""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from minutebook.ground.session import Kind, Role, Session, Turn


def turn(
    number: int, role: Role, text: str, kind: Kind = "text", at: str = "2026-11-10T09:00:00Z", **detail: str
) -> Turn:
    digest = hashlib.sha256(f"{number} {role} {text}".encode("utf-8", "surrogatepass")).hexdigest()
    return Turn(number, role, kind, text, at, number, digest, detail)


def session(*turns: Turn, id: str = "s-1", files: tuple[str, ...] = ()) -> Session:
    digest = hashlib.sha256("".join(each.sha256 for each in turns).encode()).hexdigest()
    return Session(
        id,
        "claude-code",
        "talk.jsonl",
        "",
        "main",
        "2026-11-10T09:00:00Z",
        "",
        len(turns),
        digest,
        turns,
        {},
        {},
        files,
    )


def said(*texts: str, id: str = "s-1", files: tuple[str, ...] = ()) -> Session:
    """A session in which a person says these things, one a turn."""
    return session(*(turn(number, "user", text) for number, text in enumerate(texts, 1)), id=id, files=files)


def answer(number: int, question: str, chosen: str) -> Turn:
    return turn(number, "user", chosen, "answer", question=question, answer=chosen)


def records(*messages: tuple[str, str], id: str = "11111111-2222-4333-8444-555555555555", first: int = 1) -> list[Any]:
    """Claude Code records of (role, text) messages."""
    return [
        {
            "type": role,
            "uuid": f"{id[:8]}-{number:04d}",
            "parentUuid": None,
            "sessionId": id,
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/dev/shop",
            "version": "2.1.0",
            "gitBranch": "main",
            "timestamp": f"2026-11-10T09:{number:02d}:00.000Z",
            "message": {"role": role, "content": text if role == "user" else [{"type": "text", "text": text}]},
        }
        for number, (role, text) in enumerate(messages, first)
    ]


def question(number: int, asked: str, chosen: str, id: str = "11111111-2222-4333-8444-555555555555") -> list[Any]:
    """The records of a question put to the person by the agent's tool, and of its answer."""
    call, result = records(("assistant", ""), ("user", ""), id=id, first=number)
    options = [{"question": asked, "options": []}]
    call["message"]["content"] = [
        {"type": "tool_use", "id": f"t{number}", "name": "AskUserQuestion", "input": {"questions": options}}
    ]
    told = f'User has answered your questions: "{asked}"="{chosen}".'
    result["message"]["content"] = [{"type": "tool_result", "tool_use_id": f"t{number}", "content": told}]
    result["toolUseResult"] = {"questions": options, "answers": {asked: chosen}}
    return [call, result]


def tool_output(number: int, text: str, id: str = "11111111-2222-4333-8444-555555555555") -> list[Any]:
    """The records of a command that an agent ran, and of what it printed."""
    call, result = records(("assistant", ""), ("user", ""), id=id, first=number)
    call["message"]["content"] = [
        {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": "cat NOTES"}}
    ]
    result["message"]["content"] = [{"type": "tool_result", "tool_use_id": f"t{number}", "content": text}]
    result["toolUseResult"] = {"stdout": text, "stderr": ""}
    return [call, result]


def jsonl(*groups: Iterable[Any]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for group in groups for record in group)
