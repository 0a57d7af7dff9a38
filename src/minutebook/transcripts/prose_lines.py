"""Lines of a transcript that is text and no records."""

from collections.abc import Iterator

from minutebook.transcripts.records import LINE_MOST, RecordStream

_MANY, _LEAST = 100_000, 8
"""More lines than this, of fewer bytes than that, are no talk."""
_MANY_TURNS, _LEAST_TURN = 30_000, 100
"""Nor are more turns than this, of fewer bytes than that."""


def prose_lines(stream: RecordStream) -> Iterator[tuple[int, str]]:
    """Number, from 1, and text without the line break, of every line, the empty ones too. Counted in
    `stream.skipped`: lines that are `too-long`, and `unread` where the rest was left, since no transcript looks so;
    the reader counts its turns in `stream.records`."""
    number, size, held, chunks = 1, 0, b"", stream.chunks()
    for chunk in chunks:
        size += len(chunk)
        first, *lines = chunk.split(b"\n")
        held += first if len(held) <= LINE_MOST else b""
        noise = _is_noise(number + len(lines), stream.records, size)
        for line in lines[:_MANY] if noise else lines:
            if len(held) > LINE_MOST:
                stream.skipped["too-long"] += 1
            else:
                yield number, _text(held)
            number, held = number + 1, line
        if noise:
            stream.skipped["unread"] += 1
            held = b""
            break
    for _ in chunks:
        pass
    if len(held) > LINE_MOST:
        stream.skipped["too-long"] += 1
    elif held:
        yield number, _text(held)


def _is_noise(lines: int, turns: int, size: int) -> bool:
    return (lines > _MANY and size < lines * _LEAST) or (turns > _MANY_TURNS and size < turns * _LEAST_TURN)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").removesuffix("\r")
