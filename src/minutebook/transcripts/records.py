"""JSON Lines as agents really leave them: read line by line, each record saved where it can be, the rest counted."""

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Any, BinaryIO

from minutebook.ground.frozen import frozen
from minutebook.transcripts.decoding import Json, Shape, conformed, decoder

LINE_MOST = 16 * 2**20
"""Bytes of a line; a longer one is skipped and counted without being held."""
HEAD_RECORDS, _MORE_RECORDS, _HEAD_LINES = 20, 180, 20_000
GLUED_MOST = 1000
"""Records that are looked for on one line."""
PARTS_MOST = 500_000
"""Objects, lists and named values on one line, as far as its bytes tell; what has more would fill the memory."""
_LARGE = 2**20
_MANY_LINES, _LEAST_LINE = 50_000, 128
_CHUNK, _HEAD = 2**18, 2**20
_BOM = b"\xef\xbb\xbf"
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_DECODER = json.JSONDecoder()


@frozen
class Record:
    """One JSON object and the 1-based line it stands on; two glued records have the same line."""

    line: int
    value: Json


class RecordStream:
    """The records of a transcript, once over, in the order of the file.

    While it is read `records` counts what was decoded or surely needn't be, `skipped` what was not, by reason:
    `broken` (no JSON), `truncated` (the last line, cut short), `comment`, `too-long`, `too-deep`, `too-many-parts`,
    `not-an-object`, `unread` (lines, where no transcript has so many so short); readers add their own.
    `sha256()` covers every byte read so far. `head` is the beginning of the file without a byte order mark,
    for `sniff`.
    """

    def __init__(self, source: BinaryIO | Iterable[bytes]) -> None:
        self._chunks = _chunks(source)
        self._first = _past_blanks(next(self._chunks, b""), self._chunks)
        opening = self._first.removeprefix(_BOM)
        self.head = Head(opening if opening[:1].strip() else opening.lstrip()[:_HEAD])
        self.records = 0
        self.skipped: Counter[str] = Counter()
        self._digest = hashlib.sha256()
        self._size = 0
        self._number = 1

    def sha256(self) -> str:
        return self._digest.hexdigest()

    def look_further(self) -> bool:
        """Whether `head` shows more now: more of its records, then what follows the line that fills most of it, such as
        a message with a picture. Before anything is read; a first line that is too long is skipped and counted here.
        What is held for it is a line's most."""
        if self.head.widened():
            return True
        held = bytearray(self._first)
        start, end = held.rfind(b"\n") + 1, -1
        if len(held) - start < _HEAD // 2:
            return False
        dropped = 0
        for chunk in self._chunks:
            held += chunk
            end = held.find(b"\n", len(held) - len(chunk))
            if end >= 0 or (start and len(held) > LINE_MOST):
                break
            if len(held) > LINE_MOST:
                dropped += self._passed(held)
                held = bytearray()
        if dropped and (end >= 0 or held):
            dropped += self._passed(held[: end + 1] if end >= 0 else held)
            held, end = held[end + 1 :] if end >= 0 else bytearray(), -1
        if dropped:
            self.skipped["too-long"] += 1
            self._number += 1
        while len(held) - end <= _HEAD and (chunk := next(self._chunks, b"")):
            held += chunk
        self._first = bytes(held)
        more = self._first[end + 1 : end + 1 + _HEAD] if dropped or end >= 0 else b""
        self.head = Head(more) if more else self.head
        return bool(more)

    def _passed(self, data: bytearray) -> int:
        self._digest.update(data)
        self._size += len(data)
        return len(data)

    def __iter__(self) -> Iterator[Record]:
        for number, line, ended in self._views(True):
            for value in self.decoded(bytes(line), ended):
                yield Record(number, value)

    def typed(self, shape: type[Shape]) -> Iterator[tuple[int, Shape]]:
        """Line and record, of which only what `shape` (a TypedDict with `total=False`) names is there."""
        decode = decoder(shape)
        for number, line, ended in self._views(True):
            if (value := decode(line)) is not None:
                self.records += 1
                yield number, value
            else:
                for whole in self.decoded(bytes(line), ended):
                    yield number, conformed(whole, shape)

    def lines(self) -> Iterator[tuple[int, bytes, bool]]:
        """Number, bytes, and whether a line break ended it; in memory is one line and one chunk at most. Empty lines
        are numbered and left out."""
        for number, line, ended in self._views(False):
            yield number, bytes(line), ended

    def _views(self, of_records: bool) -> Iterator[tuple[int, memoryview, bool]]:
        """The lines where they lie, not copied. Lines that should hold records are looked at only for as long as it
        looks like a transcript: millions of lines of a few bytes would take minutes, and hold nothing."""
        number, held, skipping = self._number, bytearray(), False
        most = _MANY_LINES if of_records else sys.maxsize
        chunks = self.chunks()
        for chunk in chunks:
            at, end, view = 0, chunk.find(b"\n"), memoryview(chunk)
            while end >= 0:
                line = view[at:end]
                if held:
                    line, held = memoryview(held + line), bytearray()
                if skipping or len(line) > LINE_MOST:
                    self.skipped["too-long"] += 1
                    skipping = False
                elif of_records and len(line) > _LARGE and _has_too_many_parts(bytes(line)):
                    self.skipped["too-many-parts"] += 1
                elif line:
                    yield number, line, True
                number, at = number + 1, end + 1
                end = chunk.find(b"\n", at)
                if number > most:
                    if self._size < number * _LEAST_LINE:
                        self.skipped["unread"] += chunk.count(b"\n", at) + sum(each.count(b"\n") for each in chunks)
                        return
                    most = number + _MANY_LINES
            if not skipping:
                held += view[at:]
            if len(held) > LINE_MOST:
                held, skipping = bytearray(), True
        if skipping:
            self.skipped["too-long"] += 1
        elif of_records and len(held) > _LARGE and _has_too_many_parts(held):
            self.skipped["too-many-parts"] += 1
        elif held:
            yield number, memoryview(held), False

    def chunks(self) -> Iterator[bytes]:
        """All of the file, without a byte order mark, for formats that aren't lines of JSON; once over."""
        for chunk in chain((self._first,), self._chunks):
            self._digest.update(chunk)
            first, self._size = self._size == 0, self._size + len(chunk)
            yield chunk.removeprefix(_BOM) if first else chunk

    def decoded(self, line: bytes, ended: bool) -> Iterator[Json]:
        """The records on a line, by the json module; what is none is counted. It decides what a line is."""
        text = line.decode("utf-8", "replace").strip(" \t\r\n")
        if text.startswith("//"):
            self.skipped["comment"] += 1
            return
        for value in self._values(text, ended):
            if isinstance(value, dict):
                self.records += 1
                yield value
            else:
                self.skipped["not-an-object"] += 1

    def _values(self, text: str, ended: bool) -> Iterator[object]:
        """All the values on a line: several when the line break between records was lost."""
        at, halves = 0, "\\u" in text and _SURROGATE_ESCAPE.search(text) is not None
        for _ in range(GLUED_MOST):
            if at >= len(text):
                return
            try:
                value, at = _DECODER.raw_decode(text, at)
            except RecursionError:
                self.skipped["too-deep"] += 1
                return
            except ValueError:
                self.skipped["broken" if ended else "truncated"] += 1
                return
            yield _mend(value) if halves else value
            while at < len(text) and text[at] in " \t\r\n":
                at += 1
        if at < len(text):
            self.skipped["too-many-parts"] += 1


class Head(bytes):
    """The beginning of a file, whose first records are decoded once, however many formats look at them: a few, which
    tell nearly always, or more once they told nothing."""

    def __init__(self, _: bytes = b"") -> None:
        self._all = _records_of(self)
        self._rest = islice(self._all, HEAD_RECORDS)
        self._found: list[Json] = []

    def widened(self) -> bool:
        """Whether there are more to look at now; once at most."""
        if len(self._found) != HEAD_RECORDS:
            return False
        self._rest = islice(self._all, _MORE_RECORDS)
        return sum(1 for _ in self.records()) > HEAD_RECORDS

    def records(self) -> Iterator[Json]:
        at = 0
        while True:
            if at == len(self._found):
                if (value := next(self._rest, None)) is None:
                    return
                self._found.append(value)
            yield self._found[at]
            at += 1


def head_records(head: bytes) -> Iterator[Json]:
    """The first records that stand whole in the beginning of a file: what `sniff` looks at."""
    return (head if isinstance(head, Head) else Head(head)).records()


def _records_of(head: bytes) -> Iterator[Json]:
    stream, at = RecordStream(()), 0
    for _ in range(_HEAD_LINES):
        if at >= len(head):
            return
        end = head.find(b"\n", at)
        line = head[at:] if end < 0 else head[at:end]
        if not _has_too_many_parts(line):
            yield from stream.decoded(line, True)
        at += len(line) + 1


def _has_too_many_parts(line: bytes | bytearray) -> bool:
    return line.count(b"{") + line.count(b"[") + line.count(b'":') > PARTS_MOST


def _chunks(source: BinaryIO | Iterable[bytes]) -> Iterator[bytes]:
    """A file, or given pieces: first the head of 1 MiB or a little more, then chunks that a processor's cache holds."""
    read = getattr(source, "read", None)
    held: list[bytes] = []
    size, enough = 0, _HEAD
    for piece in source if read is None else iter(partial(read, _CHUNK), b""):
        held.append(piece)
        size += len(piece)
        if size >= enough:
            yield b"".join(held)
            held, size, enough = [], 0, _CHUNK
    if held:
        yield b"".join(held)


def _past_blanks(first: bytes, chunks: Iterator[bytes]) -> bytes:
    """With what follows, where there are blanks alone, up to a line's most."""
    held, size, last = [first], len(first), first.removeprefix(_BOM)
    while last and not last.strip() and size < LINE_MOST:
        last = next(chunks, b"")
        held.append(last)
        size += len(last)
    return b"".join(held)


def mended(text: str) -> str:
    """The text with U+FFFD for half a surrogate pair, which JSON can spell and no file can be written with."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def _mend(value: Any) -> Any:
    if isinstance(value, str):
        return mended(value)
    if isinstance(value, list):
        return [_mend(item) for item in value]
    if isinstance(value, dict):
        return {mended(key): _mend(item) for key, item in value.items()}
    return value
