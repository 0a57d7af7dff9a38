"""Transcripts of coding agents, one format a module: a name, whether a file is one, and how it is read."""

import gc
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
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
    listed,
    opencode,
    openhands,
    plain_messages,
    qwen_code,
    specstory,
    swe_agent,
)
from minutebook.transcripts.draft import Draft
from minutebook.transcripts.records import RecordStream

_LOOKS = 8
"""Lines of which each fills the head that are looked past."""
_LIST = re.compile(rb"\s*\[")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_OTHERWISE = {
    b"\xff\xfe\0\0": ("UTF-32, and transcripts are UTF-8", "convert it to UTF-8 first"),
    b"\0\0\xfe\xff": ("UTF-32, and transcripts are UTF-8", "convert it to UTF-8 first"),
    b"\xff\xfe": ("UTF-16, and transcripts are UTF-8", "convert it to UTF-8 first"),
    b"\xfe\xff": ("UTF-16, and transcripts are UTF-8", "convert it to UTF-8 first"),
    b"\x1f\x8b": ("packed with gzip", "unpack it first: gunzip --keep FILE, or gunzip --stdout FILE | minutebook … -"),
    b"\x28\xb5\x2f\xfd": ("packed with zstd", "unpack it first: zstd --decompress FILE"),
    b"BZh": ("packed with bzip2", "unpack it first: bunzip2 --keep FILE"),
    b"\xfd7zXZ\0": ("packed with xz", "unpack it first: unxz --keep FILE"),
    b"PK\x03\x04": ("a zip file", "unpack it first: unzip FILE"),
}
"""How files begin that may hold a transcript, in a way that isn't read: what they are, and the next step."""


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
    """No format claims the file. The words are safe for a terminal, whatever the file is called."""

    def __init__(self, source: str, why: str, hint: str = "") -> None:
        shown = _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), source)
        super().__init__(f"{shown}: {why}", hint)


def read_transcript(content: BinaryIO | Iterable[bytes], source: str) -> Session:
    """The session in a file (open in binary) or in pieces of bytes, whatever its format; `source` names it.

    Nothing in the session is unredacted. A file without a record in it (empty, or comments alone) is a session of
    format "empty" without turns. Raises UnknownTranscript for any other file that no format claims.
    """
    with _no_search_for_cycles():
        return _read(RecordStream(content), source)


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Reading makes no cycles, and to look for some among ever more turns takes a third of its time."""
    looked = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looked:
            gc.enable()


def _read(stream: RecordStream, source: str) -> Session:
    read, looks = _claimed(stream.head), 1
    while read is None and looks < _LOOKS and stream.look_further():
        read, looks = _claimed(stream.head), looks + 1
    if read is not None:
        return read(stream, source)
    for start, (what, hint) in _OTHERWISE.items():
        if stream.head.startswith(start):
            raise UnknownTranscript(source, what, hint)
    if any(True for _ in stream) or set(stream.skipped) - {"comment"}:
        names = ", ".join(FORMATS)
        raise UnknownTranscript(source, f"no transcript of a known format ({names})")
    return Draft("empty", source).session(stream)


def _claimed(head: bytes) -> Callable[[RecordStream, str], Session] | None:
    """How a file that begins so is read; a list is asked first whether it holds the records of an agent."""
    modules: tuple[Format, ...] = (listed, *_FORMATS) if _LIST.match(head) else _FORMATS
    return next((module.read for module in modules if module.sniff(head)), None)
