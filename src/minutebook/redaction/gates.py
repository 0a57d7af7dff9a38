"""Whether the pattern of a rule can match at all where a word like `token` or `key` stands, of which code is full: a
few looks at what is beside it, in bytes of one case, cost less than trying four patterns.

What is no Latin-1 is a `?` there, and a few such letters match an ASCII one where the case doesn't count: a `?` passes
for any letter.
"""

from __future__ import annotations

from minutebook.ground.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re


def bytes_pattern(text: bytes) -> re.Pattern[bytes]:
    """What `lazy` gives, for bytes."""
    return lazy(text)  # type: ignore[arg-type, return-value]


_NAME = bytes_pattern(rb"[a-z0-9_.?-]{2,40}+[\"'`\\\]]{0,3}+[ \t]{0,4}+")
_VERB = bytes_pattern(rb"[a-z?]{2,12}[ \t]{1,2}(?:[i?][s?]|was|wa\?|w[i?]ll|[s?]ho|for|to|of|on)")
_QUESTION = bytes_pattern(rb"[a-z?]{2,12}(?:[ \t][^\s\"'=:]{1,40}){0,6}\?")
_SIGNS = b"=:>%&v?"  # also `%3D`, `&quot;` and `value=`
_VERBS = b"iwsfto?"
_CELLS = b"|?`* \t"
_HOST = b"abcdefghijklmnopqrstuvwxyz0123456789_.[-?" + bytes(range(0x80, 0x100))
_OPTION = 24


def following(lower: bytes, at: int) -> int:
    """What follows the word of which a literal at `at` is a part, with quotes and blanks behind it; 0 at the end."""
    match = _NAME.match(lower, at)
    end = match.end() if match is not None else at
    return lower[end] if end < len(lower) else 0


def assigned(lower: bytes, at: int, after: int) -> bool:
    """A sign after the name, or an option that the name ends."""
    return after in _SIGNS or b"--" in lower[max(0, at - _OPTION) : at]


def said(lower: bytes, at: int, after: int) -> bool:
    """`is`, `for`, or another word that goes on to a value."""
    return after in _VERBS and _VERB.match(lower, at) is not None


def asked(lower: bytes, at: int, after: int) -> bool:
    """The end of a question."""
    return b"?" in lower[at : at + 260] and _QUESTION.match(lower, at) is not None


def in_table(lower: bytes, at: int, after: int) -> bool:
    """The end of a cell after the name."""
    return after in _CELLS and (b"|" in lower[at : at + 40] or b"?" in lower[at : at + 40])


def host(lower: bytes, at: int, after: int) -> bool:
    """What a host begins with after an `@`."""
    return at + 1 < len(lower) and lower[at + 1] in _HOST
