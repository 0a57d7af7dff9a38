"""Texts in base64 (RFC 4648, either alphabet; also of UTF-16, as PowerShell takes commands) and in hex."""

from __future__ import annotations

from minutebook.ground.lazy import lazy
from minutebook.redaction.long_runs import FIRST, FOURTH, text_start
from minutebook.redaction.readings import Packed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from minutebook.redaction.look import Look

_DIGITS = b"0123456789abcdefABCDEF"
_STANDARD = str.maketrans("-_", "+/")
_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_BACK = 256
"""Characters before a run that are looked at for the start of its word."""
_TEXT = bytes(range(0x20, 0x7F)) + b"\t\n\r"
_LINES = lazy(
    r"[A-Za-z0-9+/_-]{16,}+"
    r"(?:(?:\\{1,4}r)?(?:\\{1,4}n|\r?\n)[ \t]{0,12}[A-Za-z0-9+/_-]{4,}+(?=[=\s\"'\\,]|\Z)){0,300}={0,2}"
)
_LINE = lazy("[A-Za-z0-9+/_-]+={0,2}")
_BREAK = lazy(r"\\{1,4}[nr]|\s|=")


def packed(look: Look) -> Iterator[Packed]:
    """The words of a text that are texts themselves."""
    plain, done, alone = look.plain, 0, 0
    for at, end in look.packed:
        if at < done:
            continue
        reading, start = None, text_start(plain, at)
        if plain[start] not in FOURTH:
            reading = _hex(plain, start, end)
        elif not plain[start : start + 24 : 4].translate(None, FOURTH):
            reading, done, alone = _base64(look.text, start, alone, _begun(plain, start, done))
        if reading is not None:
            yield reading


def _begun(plain: bytes, at: int, done: int) -> int:
    """Where the word starts of which the run at `at` is the rest after a slash or a plus; they stand in a text only
    as the last of four characters."""
    if at == done or plain[at - 1] not in b"/+":
        return at
    before = plain[max(done, at - _BACK) : at]
    return at - (len(before) - len(before.rstrip(_ALPHABET))) // 4 * 4


def _base64(text: str, at: int, alone: int, begun: int) -> tuple[Packed | None, int, int]:
    """The text of some lines or, failing that, of one, from `begun` on where that is a text too; where it ends, and
    where the lines that don't belong together end: no lines are looked at twice."""
    lines = _LINES.match(text, at) if at >= alone else None
    found = _unpacked(lines[0]) if lines is not None else None
    if lines is not None and found is not None:
        return _packed(text, begun, at, lines.end(), found), lines.end(), alone
    line = _LINE.match(text, at)
    if line is None:
        return None, at, alone
    found = _unpacked(line[0])
    reading = _packed(text, begun, at, line.end(), found) if found is not None else None
    return reading, line.end(), lines.end() if lines is not None else alone


def _packed(text: str, begun: int, at: int, end: int, found: str) -> Packed:
    before = _unpacked(text[begun:at]) if begun < at else None
    return Packed(begun, end, before + found) if before is not None else Packed(at, end, found)


def _unpacked(word: str) -> str | None:
    from base64 import b64decode

    word = _BREAK.sub("", word).translate(_STANDARD)
    found = b64decode(word[: len(word) - (len(word) % 4 == 1)] + "=" * (-len(word) % 4))
    if len(found) > 1 and found[1::2].count(0) == len(found) // 2:
        found = found[::2]
    return _text(found)


def _text(found: bytes) -> str | None:
    return None if found.translate(None, _TEXT) else found.decode("ascii")


def _hex(plain: bytes, at: int, end: int) -> Packed | None:
    """Pairs of digits, but for `0x` before them."""
    first = at + 2 if plain.startswith((b"0x", b"0X"), at) else at
    word = plain[first:end]
    if len(word) % 2 or word[::2].translate(None, FIRST) or word.translate(None, _DIGITS):
        return None
    found = _text(bytes.fromhex(word.decode("ascii")))
    return Packed(at, end, found) if found is not None else None
