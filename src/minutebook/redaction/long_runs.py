"""The runs of at least 24 word characters of a text, which are many in code: gone over once, for all that such a run
may be."""

from __future__ import annotations

LEAST_LONG = 24
_LONG = b"a" * LEAST_LONG
# Every fourth character of base64 holds the upper bits of a byte: of ASCII it is one of these, of anything else it
# seldom is for long. In hex the first of two is 2 to 7 but for breaks.
FOURTH = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef"
FIRST = b"0234567"
_BASE64, _HEX = 1, 2
_KIND = bytes(_BASE64 if byte in FOURTH else _HEX if byte in FIRST else 0 for byte in range(256))
_DOT, _BACKSLASH = b".\\"


def sifted(plain: bytes, marks: bytes) -> tuple[list[int], list[int], list[tuple[int, int]]]:
    """Where runs start that have letters of both cases and are as long as keys are, where those start that stand after
    a dot, and those that may be texts, with their ends. `marks` has an `a` for each word character."""
    mixed, dotted, packed = list[int](), list[int](), list[tuple[int, int]]()
    find, kind, size = marks.find, _KIND, len(marks)
    at = find(_LONG)
    while at >= 0:
        end = find(b" ", at + LEAST_LONG)
        if end < 0:
            end = size
        if 32 <= end - at <= 101 and not ((run := plain[at:end]).islower() or run.isupper()):
            mixed.append(at)
        before = plain[at - 1]
        if before == _DOT:
            dotted.append(at)
        if (kind[plain[at]] or before == _BACKSLASH) and may_be_text(plain, at):
            packed.append((at, end))
        at = find(_LONG, end)
    return mixed, dotted, packed


def may_be_text(plain: bytes, at: int) -> bool:
    """Whether the run at `at`, which is long, begins as a text in base64 or hex does."""
    start = text_start(plain, at)
    kind = _KIND[plain[start]]
    if kind == _BASE64:
        return _KIND[plain[start + 4]] == _KIND[plain[start + 8]] == _BASE64
    return kind == _HEX and _KIND[plain[start + 2]] == _KIND[plain[start + 4]] == _HEX


def text_start(plain: bytes, at: int) -> int:
    """Where a text in the run at `at` starts: what is left of an escape isn't its own."""
    return at + (at > 0 and plain[at - 1] == _BACKSLASH)
