"""A JSON list of the records that an agent writes as lines: what `jq --slurp` makes of a transcript.

Read as the lines that it was made from, so the record of a turn is its place in the list. Its hash is the list's own.
"""

import json
from collections import Counter
from collections.abc import Iterator

from minutebook.ground.frozen import replace
from minutebook.ground.session import Session
from minutebook.transcripts import claude_code, codex, copilot_cli, gemini_cli, openhands, qwen_code
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.records import RecordStream
from minutebook.transcripts.streamed import members, shape

NAME = "listed"
_OF_LINES = (qwen_code, claude_code, codex, copilot_cli, openhands, gemini_cli)
_LIST = frozenset(("",))


def sniff(head: bytes) -> bool:
    return _claiming(head) is not None


def read(stream: RecordStream, source: str) -> Session:
    module = _OF_LINES[_claiming(stream.head) or 0]
    session: Session = module.read(RecordStream(_lines(stream)), source)
    skipped = Counter(session.skipped) + stream.skipped
    return replace(session, sha256=stream.sha256(), skipped=dict(skipped))


def _claiming(head: bytes) -> int | None:
    """The place of the format whose records these are."""
    if not head.lstrip().startswith(b"["):
        return None
    listed = shape(head).get("")
    lines = b"".join(map(_line, listed)) if isinstance(listed, list) else b""
    return next((at for at, module in enumerate(_OF_LINES) if lines and module.sniff(lines)), None)


def _lines(stream: RecordStream) -> Iterator[bytes]:
    """A line for each element, so that numbers are places; one that isn't an object is an empty one."""
    last = 0
    for _, number, value in members(stream, _LIST):
        yield b"\n" * (number - last - 1) + _line(value) if number else b""
        last = number


def _line(record: Json) -> bytes:
    return json.dumps(record, default=float).encode() + b"\n"
