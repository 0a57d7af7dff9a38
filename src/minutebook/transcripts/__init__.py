"""Transcripts of coding agents, one format a module: a name, whether a file is one, and how it is read."""

from collections.abc import Iterable
from typing import BinaryIO, Protocol

from minutebook.ground.errors import MinutebookError
from minutebook.ground.session import Session
from minutebook.transcripts import (
    aider,
    claude_code,
    cline,
    codex,
    copilot_cli,
    gemini_cli,
    opencode,
    openhands,
    plain_messages,
    qwen_code,
    specstory,
    swe_agent,
)
from minutebook.transcripts.draft import Draft
from minutebook.transcripts.records import RecordStream

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Format(Protocol):
    """What a module of this package offers. `sniff` sees up to 1 MiB from the beginning of the file; `read` gets the
    whole of it as a stream of records and returns redacted turns only."""

    NAME: str

    def sniff(self, head: bytes) -> bool: ...

    def read(self, stream: RecordStream, source: str) -> Session: ...


_FORMATS: tuple[Format, ...] = (
    *(specstory, aider, qwen_code, claude_code, codex, copilot_cli, openhands, gemini_cli, opencode, cline, swe_agent),
    plain_messages,
)
FORMATS: dict[str, Format] = {module.NAME: module for module in _FORMATS}
"""In the order in which a file is shown to them: pages may quote records, and the last takes what the others leave."""


class UnknownTranscript(MinutebookError):
    """No format claims the file."""


def read_transcript(content: BinaryIO | Iterable[bytes], source: str) -> Session:
    """The session in a file (open in binary) or in pieces of bytes, whatever its format; `source` names it.

    Nothing in the session is unredacted. A file without a record in it (empty, or comments alone) is a session of
    format "empty" without turns. Raises UnknownTranscript for any other file that no format claims.
    """
    stream = RecordStream(content)
    for module in FORMATS.values():
        if module.sniff(stream.head):
            return module.read(stream, source)
    if stream.head.startswith(_UTF16):
        raise UnknownTranscript(f"{source}: UTF-16, and transcripts are UTF-8", hint="convert it to UTF-8 first")
    if any(True for _ in stream) or set(stream.skipped) - {"comment"}:
        names = ", ".join(FORMATS)
        raise UnknownTranscript(f"{source}: no transcript of a known format ({names})")
    return Draft("empty", source).session(stream)
