"""JSON Lines as agents really leave them: read line by line, each record saved where it can be, the rest counted."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import BinaryIO

from minutebook.ground.frozen import frozen
from minutebook.transcripts.decoding import Json, Shape, conformed, decoder
from minutebook.transcripts.head import Head, head_records
from minutebook.transcripts.lines import CHUNK_MOST, LINE_MOST, PARTS_MOST, Stretch, of_records, stretches
from minutebook.transcripts.values import objects

__all__ = ["LINE_MOST", "PARTS_MOST", "Head", "Record", "RecordStream", "head_records"]
_HEAD = 2**20
_BOM = b"\xef\xbb\xbf"


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
        return len(data)

    def __iter__(self) -> Iterator[Record]:
        for stretch in of_records(self.chunks(), self.skipped, lambda: self._number):
            for number, line, ended in self._lines(stretch):
                for value in self._decoded(line, ended):
                    yield Record(number, value)

    def typed(self, shape: type[Shape]) -> Iterator[tuple[int, Shape]]:
        """Line and record, of which only what `shape` (a Partial, or a TypedDict with `total=False`) names is there."""
        decode, refused = decoder(shape)
        for chunk, start, end, ended in of_records(self.chunks(), self.skipped, lambda: self._number):
            number, missed, find, view = self._number, 0, chunk.find, memoryview(chunk)
            while start < end:
                stop = find(b"\n", start)
                record: Shape | None
                try:
                    record = decode(view[start:stop])
                except refused:
                    record = None
                if record is not None:
                    yield number, record
                else:
                    missed += 1
                    for value in self._decoded(chunk[start:stop], ended):
                        yield number, conformed(value, shape)
                number += 1
                start = stop + 1
            self.records += number - self._number - missed
            self._number = number

    def lines(self) -> Iterator[tuple[int, bytes, bool]]:
        """Number, bytes, and whether a line break ended it; in memory is one line and one chunk at most. Empty lines
        are numbered and left out."""
        for stretch in stretches(self.chunks(), self.skipped):
            yield from self._lines(stretch)

    def _lines(self, stretch: Stretch) -> Iterator[tuple[int, bytes, bool]]:
        chunk, start, end, ended = stretch
        while start < end:
            stop = chunk.find(b"\n", start)
            if stop > start:
                yield self._number, chunk[start:stop], ended
            self._number, start = self._number + 1, stop + 1

    def chunks(self) -> Iterator[bytes]:
        """All of the file, without a byte order mark, for formats that aren't lines of JSON; once over."""
        first = self._number == 1
        for chunk in chain.from_iterable(map(_parts, chain((self._first,), self._chunks))):
            self._digest.update(chunk)
            yield chunk.removeprefix(_BOM) if first else chunk
            first = False

    def _decoded(self, line: bytes, ended: bool) -> Iterator[Json]:
        for value in objects(line, ended, self.skipped):
            self.records += 1
            yield value


def _chunks(source: BinaryIO | Iterable[bytes]) -> Iterator[bytes]:
    """A file, or given pieces: first the head of 1 MiB or a little more, then chunks that a processor's cache holds."""
    read = getattr(source, "read", None)
    held: list[bytes] = []
    size, enough = 0, _HEAD
    for piece in source if read is None else iter(partial(read, CHUNK_MOST), b""):
        held.append(piece)
        size += len(piece)
        if size >= enough:
            yield b"".join(held)
            held, size, enough = [], 0, CHUNK_MOST
    if held:
        yield b"".join(held)


def _parts(chunk: bytes) -> Iterator[bytes]:
    """A chunk that may be long in chunks that aren't."""
    return (chunk[at : at + CHUNK_MOST] for at in range(0, len(chunk), CHUNK_MOST))


def _past_blanks(first: bytes, chunks: Iterator[bytes]) -> bytes:
    """With what follows, where there are blanks alone, up to a line's most."""
    held, size, last = [first], len(first), first.removeprefix(_BOM)
    while last and not last.strip() and size < LINE_MOST:
        last = next(chunks, b"")
        held.append(last)
        size += len(last)
    return b"".join(held)
