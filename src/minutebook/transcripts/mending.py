"""One large JSON document, made fit for a strict parser while it streams by: never more than two chunks are held.

What real files have and JSON has not: NaN (Python writes it), half surrogate pairs and raw control characters in
strings, bad UTF-8, backslashes that escape nothing, numbers of thousands of digits. Strings are shortened to a
mebibyte, more than any turn keeps; one that is longer than a line may be is skipped and counted.
"""

import codecs
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from minutebook.transcripts.records import LINE_MOST
from minutebook.transcripts.said import MARGIN, SAID_MOST

STRING_KEPT = 2**20
"""Bytes of a string that are kept."""
_CHUNK = 2**20
_LONG_NUMBER = 300
MENDED_MOST = 50_000
_PIECE = re.compile(
    rb"""
    (?P<clean>(?:
        [^"NI0-9-]++ | -(?=[0-9]) | [0-9]{1,300}+(?![0-9])
        | "[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u
            (?:(?![dD][89a-fA-F])[0-9a-fA-F]{4}|[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})
        )[^"\\\x00-\x1f]*+)*"
    )+)
    | (?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*")
    | (?P<open>".*)
    | (?P<half>(?:-|-?[NI][A-Za-z]{0,7})\Z)
    | (?P<word>-?(?:NaN|Infinity))
    | (?P<number>[0-9]{301,}+)
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_TO_END = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*', re.DOTALL)
_ESCAPE = re.compile(r'\\(["\\/bfnrt]|u[0-9a-fA-F]{4})|\\')
_SURROGATE = re.compile("[\ud800-\udfff]")


def mended(chunks: Iterable[bytes], skipped: Counter[str]) -> Iterator[bytes]:
    """The document in pieces; whatever was broken besides the above still is. Adds to `skipped["too-long"]`."""
    rest, string, budget = b"", _Open(), _Budget()
    for chunk in _decoded(chunks):
        text, rest = rest + chunk, b""
        if string.size:
            closed, text = string.more(text, skipped)
            yield closed
            if string.size:
                rest = text
                continue
        done, kind, last = _whole_pieces(text, budget)
        yield b"".join(done)
        rest = string.begin(last) if kind == "open" else last
    yield string.half() if string.size else rest


class _Budget:
    """How many pieces may still be mended: a document that needs more is noise, and stays as broken as it is."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = MENDED_MOST


class _Open:
    """A string that goes on in the next chunk. `size` is 0 when there is none."""

    __slots__ = ("_kept", "size")

    def __init__(self) -> None:
        self._kept, self.size = b"", 0

    def begin(self, text: bytes) -> bytes:
        """`text` opens the string; returns what has to be seen again: a backslash that may escape what follows."""
        end = _end(text, 1)
        self._kept, self.size = text[1 : min(end, STRING_KEPT)], end
        return text[end:]

    def half(self) -> bytes:
        """What there is of a string that never ends, as if it did: what follows is missing anyway."""
        return _mended(self._kept)

    def more(self, text: bytes, skipped: Counter[str]) -> tuple[bytes, bytes]:
        """The string, if it ends in this text, and what follows; or nothing, and what has to be seen again."""
        end = _end(text, 0)
        self._kept += text[: max(min(end, STRING_KEPT - len(self._kept)), 0)]
        self.size += end
        if text[end : end + 1] != b'"':
            return b"", text[end:]
        whole = b'""'
        if self.size > LINE_MOST:
            skipped["too-long"] += 1
        else:
            whole = _mended(self._kept)
        self._kept, self.size = b"", 0
        return whole, text[end + 1 :]


def _decoded(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """UTF-8 without what is none, in chunks of a mebibyte at most."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    for chunk in chunks:
        for at in range(0, len(chunk), _CHUNK):
            yield decoder.decode(chunk[at : at + _CHUNK]).encode()
    yield decoder.decode(b"", final=True).encode()


def _end(text: bytes, at: int) -> int:
    """Where the inside of a string that goes on at `at` ends: at its quote, or where more has to be seen."""
    found = _TO_END.match(text, at)
    return found.end() if found is not None else at


def _whole_pieces(text: bytes, budget: _Budget) -> tuple[list[bytes], str, bytes]:
    """The pieces that are whole, and a last one that isn't, with its kind."""
    done: list[bytes] = []
    for found in _PIECE.finditer(text):
        kind, piece = found.lastgroup or "", found[0]
        if kind in ("open", "half"):
            return done, kind, piece
        if kind == "number":
            piece = piece[:_LONG_NUMBER]
            if found.end() == len(text):
                return done, kind, piece
        elif kind in ("string", "word") and budget.left > 0:
            piece = _mended(piece[1:-1]) if kind == "string" else b"null"
            budget.left -= 1
        done.append(piece)
    return done, "", b""


def _mended(inside: bytes) -> bytes:
    """A string, of which this is what stands between the quotes, as any parser takes it."""
    text = inside.decode("utf-8", "replace")
    try:
        value = json.loads(f'"{text}"', strict=False)
    except ValueError:
        escaped = _ESCAPE.sub(lambda found: found[0] if found[1] else "\\\\", text)
        value = json.loads(f'"{escaped}"', strict=False)
    spelled = json.dumps(_SURROGATE.sub("\ufffd", value), ensure_ascii=False)
    if len(spelled) > 2 * STRING_KEPT:  # control characters, each spelled as six
        spelled = json.dumps(_SURROGATE.sub("\ufffd", value[: SAID_MOST + MARGIN]), ensure_ascii=False)
    return spelled.encode()
