"""Private keys as PEM blocks (RFC 7468), whole or torn: without their first line, without their last, with lines
numbered by a viewer, with line breaks escaped, in quotes."""

from __future__ import annotations

from itertools import pairwise

from minutebook.ground.lazy import lazy
from minutebook.redaction import values
from minutebook.redaction.shape import Rule

LONGEST = 60_000
"""Characters of a block that are looked at: an RSA key of 16,384 bits has 13,000."""
END_LINE = b"-----end "
_LETTER = "[A-Za-z0-9+/=]"
# Between lines: a break, escaped or not; the number that a viewer puts before it; quotes and signs of a list.
_GAP = r"(?:\\{1,8}[nr/]|[0-9]{1,6}(?=[\t:|→-])[\t:|→-]|[\s\"'+,|>→]|\\(?=\r?\n))"
_NO_NAME = r"(?![A-Za-z0-9_]{1,200}[\"']\s{0,4}:)"
_LAST = rf"{_LETTER}{{1,80}}(?:[\"'`](?!\s{{0,4}}:)|\\|{_GAP}{{0,60}}-----END|\s{{0,60}}\Z)"
_MORE = rf"(?:{_GAP}{{1,60}}{_NO_NAME}(?={_LETTER}{{24}}|{_LAST}){_LETTER}{{1,16000}}+)"
_HEADER = r"(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash)[^\n\\]{0,200}(?:\\{1,8}[nr]|\s){1,10})"
_END = r"-----END (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
_BLOCK = lazy(
    rf"-----BEGIN (?:[A-Z0-9]{{2,12}} ){{0,3}}PRIVATE KEY(?: BLOCK)?-----"
    rf"{_GAP}{{0,60}}{_HEADER}{{0,4}}{_LETTER}{{16,16000}}+{_MORE}{{0,1200}}(?:{_GAP}{{0,60}}{_END})?"
)
_PUTTY = lazy(
    r"(?i)key-file-[0-9]: [^\n]{1,80}\n(?:(?!private)[a-z-]{3,20}: [^\n]{0,200}\n|[A-Za-z0-9+/=]{1,76}\r?\n){1,60}"
    r"private-lines: [0-9]{1,3}(?P<s>(?:\r?\n[A-Za-z0-9+/=]{1,76}+){1,200})"
)
_TAIL = lazy(_END)
_BREAK = lazy(r"\r?\n|\\{1,8}n")
_EDGE = r"[\s\"'+,|>→\d:-]{0,24}?"
_LINE = lazy(rf"{_EDGE}({_LETTER}{{20,}})[\s\"'+,\\]{{0,8}}")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
_SHORT = lazy(rf"{_EDGE}({_LETTER}{{1,76}})[\s\"'+,\\]{{0,8}}")

KEYS: tuple[Rule, ...] = (
    Rule("private-key", ("key",), _BLOCK, values.any_value, behind=60, lead=(b"-----begin ",)),
    Rule("private-key", ("key",), _PUTTY, values.varied, near=(b"key-file-",), within=9),
)


def tail(text: str, at: int) -> tuple[int, int] | None:
    """Where a block stands whose first line was cut off: from the first of the lines of base64 before the END line at
    `at`; None where there is none."""
    match = _TAIL.match(text, at)
    begin = _first_line(text, at) if match is not None else at
    return (begin, match.end()) if match is not None and begin < at else None


def _first_line(text: str, end: int) -> int:
    """The start of the lines of base64 that lead up to `end`, or `end` for none. The last of them may be short. What
    stands before an earlier `-----` is another block's, so that no text is looked at twice."""
    floor = max(0, end - LONGEST)
    window = text[max(floor, text.rfind("-----", floor, end) + 5) : end]
    breaks = [(0, 0), *(match.span() for match in _BREAK.finditer(window)), (len(window), len(window))]
    begin, pattern = len(window), _SHORT
    for (_, start), (stop, _) in reversed(list(pairwise(breaks))):
        if not window[start:stop].strip(" \t\r\"'+,"):
            continue
        match = pattern.fullmatch(window, start, stop)
        if match is None:
            turn = _end_of_line(window, start, stop)
            begin = turn if turn < stop else begin
            break
        if len(match[1]) >= 20:
            begin = match.start(1)
        pattern = _LINE
    return end - len(window) + begin


def _end_of_line(window: str, start: int, stop: int) -> int:
    """Where a line that begins otherwise, with the name of a JSON field say, turns to base64; `stop` if it doesn't."""
    line = window[start:stop].rstrip(" \t\r\"'+,\\")
    before = len(line.rstrip(_LETTERS))
    return start + before if len(line) - before >= 40 else stop
