"""Whether a text may hold what only few texts do: looks so cheap that a hook loads nothing for most texts."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from minutebook.redaction.look import Look

SHORT = 1 << 14
"""Characters up to which it costs less to look at each sign of something than to load what searches for it."""
SHAPES = (b"0000-0000", b"0" * 15)
"""Numbers in groups, of which the second has four letters or more, and in one."""
_CHARACTERS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SHAPE = bytes(0x30 if byte in _CHARACTERS else 0x2D if byte in b" -\xa0" else 0x20 for byte in range(256))
_QUOTES = b"\"'`"
_EACH = (b'"', b"'", b"`")
_JOINS = b"+|&"
_PREFIXES = b"fbru"
_WORD = 0x61


def shape_of(plain: bytes) -> bytes:
    """The text with a `0` for each digit and capital and a `-` for each blank and dash; empty where it has nothing of
    the shape of a card's number or an account's."""
    shape = plain.translate(_SHAPE)
    return shape if SHAPES[0] in shape or SHAPES[1] in shape else b""


def emphasised(look: Look) -> bool:
    """Whether marks of emphasis may stand in a word."""
    plain, marks = look.plain, look.marks
    at = plain.find(b"*")
    if at < 0 or len(plain) > SHORT:
        return at >= 0
    while at >= 0:
        if at and marks[at - 1] == _WORD and b"aaaaaaaa" in marks[at + 1 : at + 11]:
            return True
        at = plain.find(b"*", at + 1)
    return False


def spelled_otherwise(lower: bytes) -> bool:
    """Whether characters may be escaped, or strings joined."""
    if len(lower) > SHORT or b"%" in lower or b"\\" in lower or b"&" in lower:
        return True
    return _joins(lower, b'"') or _joins(lower, b"'") or _joins(lower, b"`")


def _joins(lower: bytes, quote: bytes) -> bool:
    """Whether one of these quotes may end a string that another goes on."""
    at = lower.find(quote)
    while at >= 0:
        after = lower[at + 1 : at + 5].lstrip(b" \t")
        first = after[0] if after else 0
        if first in _JOINS or first in _QUOTES:
            return True
        if first == 0x2E and after[1:].lstrip()[:1] in _EACH:
            return True
        if first in b"\r\n" and lower[at + 1 : at + 60].lstrip().lstrip(_PREFIXES)[:1] in _EACH:
            return True
        at = lower.find(quote, at + 1)
    return False
