"""JSON Lines as agents really leave them: read line by line, each record saved where it can be, the rest counted."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any, BinaryIO

from minutebook.ground.frozen import frozen

LINE_MOST = 16 * 2**20
"""Bytes of a line; a longer one is skipped and counted without being held."""
HEAD_RECORDS = 50
_CHUNK = 2**20
_BOM = b"\xef\xbb\xbf"
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_DECODER = json.JSONDecoder()

Json = dict[str, Any]


@frozen
class Record:
    """One JSON object and the 1-based line it stands on; two glued records have the same line."""

    line: int
    value: Json


class RecordStream:
    """The records of a transcript, once over, in the order of the file.

    While it is read `records` counts what was decoded, `skipped` what was not, by reason: `broken` (no JSON),
    `truncated` (the last line, cut short), `comment`, `too-long`, `too-deep`, `not-an-object`; readers add their own.
    `sha256()` covers every byte read so far. `head` is the beginning of the file, for `sniff`.
    """

    def __init__(self, source: BinaryIO | Iterable[bytes]) -> None:
        self._chunks = _chunks(source)
        self.head = next(self._chunks, b"")
        self.records = 0
        self.skipped: Counter[str] = Counter()
        self._digest = hashlib.sha256(self.head)

    def sha256(self) -> str:
        return self._digest.hexdigest()

    def __iter__(self) -> Iterator[Record]:
        for number, line, ended in self.lines():
            text = line.decode("utf-8", "replace").strip(" \t\r\n")
            if text.startswith("//"):
                self.skipped["comment"] += 1
                continue
            for value in self._values(text, ended):
                if isinstance(value, dict):
                    self.records += 1
                    yield Record(number, value)
                else:
                    self.skipped["not-an-object"] += 1

    def _values(self, text: str, ended: bool) -> Iterator[object]:
        """All the values on a line: several when the line break between records was lost."""
        at = 0
        while at < len(text):
            try:
                value, at = _decode(text, at)
            except RecursionError:
                self.skipped["too-deep"] += 1
                return
            except ValueError:
                self.skipped["broken" if ended else "truncated"] += 1
                return
            yield value
            while at < len(text) and text[at] in " \t\r\n":
                at += 1

    def lines(self) -> Iterator[tuple[int, bytes, bool]]:
        """Number, bytes, and whether a line break ended it; in memory is one line and one chunk at most."""
        number, held, skipping = 1, b"", False
        for chunk in self.chunks():
            *whole, rest = chunk.split(b"\n")
            for piece in whole:
                line = held + piece
                if skipping or len(line) > LINE_MOST:
                    self.skipped["too-long"] += 1
                else:
                    yield number, line, True
                number, held, skipping = number + 1, b"", False
            held = b"" if skipping else held + rest
            if len(held) > LINE_MOST:
                held, skipping = b"", True
        if skipping:
            self.skipped["too-long"] += 1
        elif held:
            yield number, held, False

    def chunks(self) -> Iterator[bytes]:
        """All of the file, without a byte order mark, for formats that aren't lines of JSON; once over."""
        yield self.head.removeprefix(_BOM)
        for chunk in self._chunks:
            self._digest.update(chunk)
            yield chunk


def head_records(head: bytes) -> Iterator[Json]:
    """The first records that stand whole in the beginning of a file, at most 50: what `sniff` looks at."""
    return (record.value for record in islice(RecordStream([head]), HEAD_RECORDS))


def _chunks(source: BinaryIO | Iterable[bytes]) -> Iterator[bytes]:
    """A file, or given pieces, in chunks of 1 MiB or a little more; only the last is shorter."""
    read = getattr(source, "read", None)
    held: list[bytes] = []
    size = 0
    for piece in source if read is None else iter(partial(read, _CHUNK), b""):
        held.append(piece)
        size += len(piece)
        if size >= _CHUNK:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)


def _decode(text: str, at: int) -> tuple[Any, int]:
    """The value that starts at `at` and where it ends. Half a surrogate pair, which JSON can spell and no file can be
    written with, becomes U+FFFD."""
    value, end = _DECODER.raw_decode(text, at)
    return (_mend(value) if "\\u" in text and _SURROGATE_ESCAPE.search(text) else value), end


def _mend(value: Any) -> Any:
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_mend(item) for item in value]
    if isinstance(value, dict):
        return {_mend(key): _mend(item) for key, item in value.items()}
    return value
