"""The lines of a file that comes in chunks, where they lie, and what is passed over: lines that would fill the memory,
and many lines too short for anything to stand on them."""

from collections import Counter
from collections.abc import Callable, Iterator

LINE_MOST = 16 * 2**20
"""Bytes of a line; a longer one is skipped and counted without being held."""
PARTS_MOST = 500_000
"""Objects, lists and named values on one line, as far as its bytes tell; what has more would fill the memory."""
CHUNK_MOST = 2**18
_LARGE = 2**20
_MANY_LINES, _LEAST_LINE = 50_000, 128

Stretch = tuple[bytes, int, int, bool]
"""Some bytes, from where to where whole lines stand in them, each with its line break, and whether the file has that:
it may lack the last one. Lines aren't copied out of a chunk, which would take longer than to find them."""
_EMPTY: Stretch = (b"\n", 0, 1, True)


def stretches(chunks: Iterator[bytes], skipped: Counter[str]) -> Iterator[Stretch]:
    """All lines, many at a time. No chunk is longer than CHUNK_MOST. A line that lies in several is alone, and an empty
    one stands for what is too long."""
    held, size = list[bytes](), 0
    for chunk in chunks:
        start, end = 0, chunk.rfind(b"\n") + 1
        if end and size:
            start = chunk.find(b"\n") + 1
            yield _joined([*held, chunk[:start]], size + start - 1, True, skipped)
        if end:
            held, size = [], 0
            yield chunk, start, end, True
        size += len(chunk) - end
        if size <= LINE_MOST:
            held.append(chunk[end:])
        else:
            held.clear()
    if size:
        yield _joined([*held, b"\n"], size, False, skipped)


def _joined(parts: list[bytes], size: int, ended: bool, skipped: Counter[str]) -> Stretch:
    if size > LINE_MOST:
        skipped["too-long"] += 1
        return _EMPTY
    return b"".join(parts), 0, size + 1, ended


def of_records(chunks: Iterator[bytes], skipped: Counter[str], seen: Callable[[], int]) -> Iterator[Stretch]:
    """Lines that should hold records, for as long as it looks like a transcript: millions of lines of a few bytes would
    take minutes, and hold nothing. `seen` says how many lines there were so far. An empty line stands for one with too
    many parts."""
    most, size = _MANY_LINES, 0
    for stretch in stretches(chunks, skipped):
        chunk, start, end, _ = stretch
        crowded = end - start > _LARGE and has_too_many_parts(chunk)
        if crowded:
            skipped["too-many-parts"] += 1
        yield _EMPTY if crowded else stretch
        size += end - start
        if seen() > most:
            if size < seen() * _LEAST_LINE:
                skipped["unread"] += sum(chunk.count(b"\n") for chunk in chunks)
                return
            most = seen() + _MANY_LINES


def has_too_many_parts(line: bytes) -> bool:
    return line.count(b"{") + line.count(b"[") + line.count(b'":') > PARTS_MOST
