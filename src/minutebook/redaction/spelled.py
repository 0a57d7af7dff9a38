"""Characters in other spellings: escaped for JSON, a URL, HTML or a program, in full width, in strings that a program
joins. A secret is found as if it were written plainly.

Signs of them are cheap to find, and most texts have none. Around each a window of the text is read with all of its
characters as they are meant.
"""

from __future__ import annotations

from functools import lru_cache

from minutebook.ground.lazy import lazy
from minutebook.redaction.readings import Reading
from minutebook.redaction.windows import windows

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    from minutebook.redaction.look import Look
    from minutebook.redaction.readings import Unit

    Units = Callable[[str, int, int], Iterator[Unit]]

_REACH = 4096
_NAMED = {
    "quot": '"', "apos": "'", "num": "#", "dollar": "$", "percnt": "%", "amp": "&", "ast": "*", "plus": "+",
    "comma": ",", "hyphen": "-", "dash": "-", "period": ".", "sol": "/", "colon": ":", "semi": ";", "lt": "<",
    "equals": "=", "gt": ">", "quest": "?", "commat": "@", "lowbar": "_", "bsol": "\\", "excl": "!", "nbsp": " ",
}  # fmt: skip
"""Of what HTML names (its standard, 13.5) the signs that stand in secrets, or between them and their names."""
_ESCAPED = lazy(
    r"%(?:25)?([2-7][0-9A-Fa-f])|\\{1,8}(?:u(?:00|\{0{0,4})|x)([2-7][0-9A-Fa-f])\}?"
    r"|&(?:amp;)?#(?:[xX]0{0,5}([2-7][0-9A-Fa-f])|0{0,5}([0-9]{2,3}));|&(?:amp;)?([a-z]{2,6});"
    "|([\u3000\uff01-\uff5e\U0001d400-\U0001d7ff])"
)
# `"ghp_" + "a1b2…"`, also with a dot, two bars or an ampersand, over two lines, in JSON.
_GLUE = lazy(
    r"(?<=[A-Za-z0-9_=+/:-])\\{0,4}[\"'`][ \t]{0,2}(?:\+|\.|\|\||&)[ \t]{0,2}"
    r"(?:\\{0,4}[rn]|\\?\r?\n){0,2}[ \t]{0,40}[fbru]?\\{0,4}[\"'`](?=[A-Za-z0-9_=+/-])"
)
# What is a reason to read on: no escapes of signs that URLs, JSON and HTML are full of.
_CODES = (*(f"3{digit}" for digit in "0123456789ad"), "4", "5", "6", "7", "22", "24", "27", "2d", "2e")
_PERCENT = (b"%25", *(f"%{code}".encode() for code in _CODES))
_BACKSLASH = (b"\\u{", *(f"\\{kind}{code}".encode() for kind in ("u00", "x") for code in _CODES))
_ENTITY = (b"&#", b"&amp;#", *(f"&{name};".encode() for name in _NAMED if name not in ("amp", "lt", "gt", "nbsp")))
_JOINT = (
    *(f"{quote}{sign}".encode() for quote in "\"'`" for sign in ("+", " +", "||", " ||", "&", " &", " . ")),
    b"'.'",
    b'"."',
)
_OF_JOINTS = (b"+", b"||", b"&", b" . ", b"'.'", b'"."')
SIGNS = (*_PERCENT, *_BACKSLASH, *_ENTITY, *_JOINT)


def spelled(look: Look, wide: list[tuple[int, int]]) -> Iterator[Reading]:
    """What is to be read otherwise of a text, with places of characters of another width."""
    escapes = [*_signs(look, _PERCENT, b"%"), *_signs(look, _BACKSLASH, b"\\"), *_signs(look, _ENTITY, b"&"), *wide]
    if escapes:
        yield from _read(look.text, sorted(escapes), _meant)
    joints = [span for sign in _signs(look, _JOINT, *_OF_JOINTS) if (span := _joint(look.text, sign[0]))]
    if joints:
        yield from _read(look.text, joints, _together)


def _read(text: str, spans: Iterable[tuple[int, int]], units: Units) -> Iterator[Reading]:
    for window in windows(text, spans, _REACH):
        yield Reading(text, window, units(text, window.start, window.end))


def _signs(look: Look, words: tuple[bytes, ...], *needed: bytes) -> list[tuple[int, int]]:
    """Where one of the words stands. There is none without one of the needed ones, which are cheap to look for."""
    if look.known is not None:
        known = look.known
        places = sorted({place for word in words if word in known for place in known[word]})
    elif any(each in look.lower for each in needed):
        places = sorted(match.start() for pattern in _patterns(words) for match in pattern.finditer(look.lower))
    else:
        return []
    return [(place, place + 2) for place in places]


@lru_cache(maxsize=8)
def _patterns(words: tuple[bytes, ...]) -> list[re.Pattern[bytes]]:
    """For each first letter a pattern of the words that have it: a search for one letter is the fastest there is."""
    import re

    firsts = sorted({word[:1] for word in words})
    rests = (b"|".join(re.escape(word[1:]) for word in words if word.startswith(first)) for first in firsts)
    return [re.compile(re.escape(first) + b"(?:" + rest + b")") for first, rest in zip(firsts, rests, strict=True)]


def _meant(text: str, start: int, end: int) -> Iterator[Unit]:
    """Each character of ASCII that is written otherwise."""
    for match in _ESCAPED.finditer(text, start, end):
        percent, backslash, hexes, decimal, name, other = match.groups()
        digits = percent or backslash or hexes
        if other:
            char = _plain(other)
        elif name:
            char = _NAMED.get(name, "")
        else:
            char = chr(int(digits, 16) if digits else int(decimal))
        if " " <= char <= "~":
            yield match.start(), match.end(), char


def _plain(char: str) -> str:
    """The character without its width or style (Unicode's form NFKC)."""
    from unicodedata import normalize

    return normalize("NFKC", char)


def _together(text: str, start: int, end: int) -> Iterator[Unit]:
    """What stands between two strings that are joined."""
    return ((match.start(), match.end(), "") for match in _GLUE.finditer(text, start, end))


def _joint(text: str, at: int) -> tuple[int, int] | None:
    before = text[max(0, at - 4) : at]
    match = _GLUE.match(text, at - len(before) + len(before.rstrip("\\")))
    return match.span() if match is not None else None
