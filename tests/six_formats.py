"""Transcripts of six formats for tests: how they are read, and pieces that they are made of."""

import io
import json
from pathlib import Path
from typing import Any

from minutebook.ground.session import Session
from minutebook.transcripts.records import RecordStream

FIXTURES = Path(__file__).parent / "transcripts"


def read(module: Any, content: bytes | Path | dict[str, Any] | list[Any]) -> Session:
    if isinstance(content, Path):
        content = content.read_bytes()
    elif not isinstance(content, bytes):
        content = json.dumps(content).encode()
    stream = RecordStream(io.BytesIO(content))
    assert module.sniff(stream.head)
    session: Session = module.read(stream, "it")
    return session


def told(session: Session, *roles: str) -> list[str]:
    return [turn.text for turn in session.turns if turn.role in (roles or ("user",))]


def text(*texts: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": each} for each in texts]


def gemini(*messages: dict[str, Any], **about: Any) -> dict[str, Any]:
    return {"sessionId": "s", "projectHash": "h", "messages": list(messages), **about}


def spoken(content: object, id: str = "u", **more: Any) -> dict[str, Any]:
    return {"id": id, "timestamp": "2026-01-01T00:00:00Z", "type": "user", "content": content} | more
