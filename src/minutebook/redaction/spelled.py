"""Characters in other spellings: escaped for JSON, a URL, HTML or a program, in full width, in strings that a program
joins. A secret is found as if it were written plainly.

Signs of them are cheap to find, and most texts have none. Around each a window of the text is read with all of its
characters as they are meant.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache, partial

from minutebook.ground.lazy import lazy
from minutebook.redaction.readings import Reading
from minutebook.redaction.windows import MOST, stretches, windows

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Container, Iterable, Iterator

    from minutebook.redaction.finding import Finding
    from minutebook.redaction.look import Look

    _Find = Callable[[int], tuple[int, int] | None]

_REACH = 4096
_REMEMBERED = 10_000
_LOOKS, _SELDOM = 1000, 64
_NAMED = {
    "quot": '"', "apos": "'", "num": "#", "dollar": "$", "percnt": "%", "amp": "&", "ast": "*", "plus": "+",
    "comma": ",", "hyphen": "-", "dash": "-", "period": ".", "sol": "/", "colon": ":", "semi": ";", "lt": "<",
    "equals": "=", "gt": ">", "quest": "?", "commat": "@", "lowbar": "_", "bsol": "\\", "excl": "!", "nbsp": " ",
}  # fmt: skip
"""Of what HTML names (its standard, 13.5) the signs that stand in secrets, or between them and their names."""
_ESCAPED = lazy(
    r"(%(?:25)?[2-7][0-9A-Fa-f]|\\\\{0,7}(?:(?:u(?:00|\{0{0,4})|x)[2-7][0-9A-Fa-f]\}?|/)"
    r"|&(?:amp;)?(?:#(?:[xX]0{0,5}[2-7][0-9A-Fa-f]|0{0,5}[0-9]{2,3})|[a-z]{2,6});)"
)
# `"ghp_" + "a1b2…"`, also with a dot, two bars, an ampersand, over two lines, in JSON; with nothing between them,
# where the second is a word and isn't the name of a field.
_SIDE = "[A-Za-z0-9_=+/:-]"
_NEXT = r"(?:\\{0,4}[rn]|\\?\r?\n){0,2}[ \t]{0,40}[fbru]?\\{0,4}[\"'`](?=[A-Za-z0-9_=+/-])"
_GLUE = lazy(
    rf"((?:[\"'`](?<={_SIDE}.)|\\(?<={_SIDE}.)\\{{0,3}}[\"'`])"
    rf"[ \t]{{0,2}}(?:(\+|\.|\|\||&)[ \t]{{0,2}})?{_NEXT})"
    r"(?(2)|(?=([A-Za-z0-9_=+/.-]{1,4096}+)\\{0,4}[\"'`](?![ \t]{0,2}:)))"
)
# What is a reason to read on: no escapes of signs that URLs, JSON and HTML are full of.
_CODES = (*(f"3{digit}" for digit in "0123456789ad"), "4", "5", "6", "7", "22", "24", "27", "2d", "2e")
_PERCENT = (b"%25", *(f"%{code}".encode() for code in _CODES))
_BACKSLASH = (b":\\/\\/", b"\\u{", *(f"\\{kind}{code}".encode() for kind in ("u00", "x") for code in _CODES))
_ENTITY = (b"&#", b"&amp;#", *(f"&{name};".encode() for name in _NAMED if name not in ("amp", "lt", "gt", "nbsp")))
_BETWEEN = ("", " ", *(f"{end}{' ' * width}" for end in ("\n", " \\\n", "\\\n", "\\n") for width in range(21)))
_JOINT = (
    *(f"{quote}{sign}".encode() for quote in "\"'`" for sign in ("+", " +", "||", " ||", "&", " &", " . ")),
    b"'.'",
    b'"."',
    *(
        f"{quote}{between}{escaped}{quote}".encode()
        for quote in "\"'"
        for between in _BETWEEN
        for escaped in ("", "\\")
    ),
)
_GLUED = b"abcdefghijklmnopqrstuvwxyz0123456789_=+/:-\\"
"""What stands before the quote of a joint, in lower case."""
SIGNS = (*_PERCENT, *_BACKSLASH, *_ENTITY, *_JOINT)


class _Characters(dict[str, str]):
    """What escapes mean, by the escapes; what is none, or means nothing that is seen, itself."""

    def __missing__(self, escape: str) -> str:
        char = _character(escape)
        if len(self) < _REMEMBERED:
            self[escape] = char
        return char


_CHARACTERS = _Characters()
_MEANT = _CHARACTERS.__getitem__


def spelled(look: Look, wide: list[tuple[int, int]], found: Iterable[Finding]) -> Iterator[Reading]:
    """What is to be read otherwise of a text, with places of characters of another width, and what was found in it as
    it stands."""
    escapes = [*wide]
    for words, needed in ((_PERCENT, b"%"), (_BACKSLASH, b"\\"), (_ENTITY, b"&")):
        escapes += stretches(look.text, _finding(look, words, needed))
    if escapes:
        for window in windows(look.text, sorted(escapes), _REACH, MOST):
            yield Reading(look.text, window, _escapes, _MEANT)
    whole = sorted({edge for each in found for edge in (each.start, each.end)})
    for window in windows(look.text, stretches(look.text, _joints(look)), _REACH, MOST):
        first, last = bisect_left(whole, window.start), bisect_left(whole, window.end)
        inside = {edge - window.start for edge in whole[first:last]}
        yield Reading(look.text, window, partial(_together, whole=inside), _nothing)


def plainly(text: str) -> str:
    """A text in the spelling that all of the others have in common."""
    for _ in range(2):
        parts = _escapes(text)
        parts[1::2] = map(_MEANT, parts[1::2])
        text = "".join(parts)
    return "".join(_together(text, ())[::2])


def _finding(look: Look, words: tuple[bytes, ...], *needed: bytes) -> _Find:
    """Where one of the words stands next. There is none without one of the needed ones, which are cheap to look for."""
    if look.known is not None:
        known = look.known
        return _next_of(sorted({place for word in known if word in words for place in known[word]}))
    if any(each in look.lower for each in needed):
        pattern, lower = _pattern(words), look.lower

        def find(at: int) -> tuple[int, int] | None:
            match = pattern.search(lower, at)
            return match.span() if match is not None else None

        return find
    return _next_of([])


def _next_of(places: list[int]) -> _Find:
    def find(at: int) -> tuple[int, int] | None:
        index = bisect_left(places, at)
        return (places[index], places[index] + 2) if index < len(places) else None

    return find


def _joints(look: Look) -> _Find:
    """Where strings are joined. A text with more quotes that look so than programs have is read whole."""
    sign, lower, text = _finding(look, _JOINT, b'"', b"'", b"`"), look.lower, look.text
    left = _LOOKS + len(text) // _SELDOM

    def find(at: int) -> tuple[int, int] | None:
        nonlocal left
        found = sign(at)
        while found is not None:
            start = found[0]
            if start and lower[start - 1] in _GLUED:
                left -= 1
                if left < 0 or _joint(text, start):
                    return found
            found = sign(start + 1)
        return None

    return find


@lru_cache(maxsize=8)
def _pattern(words: tuple[bytes, ...]) -> re.Pattern[bytes]:
    """A pattern of the words, which begin with one letter or with one of three quotes: those are searched for fast."""
    import re

    firsts = b"".join(sorted({word[:1] for word in words}))
    rests = b"|".join(map(re.escape, sorted({word[1:] for word in words})))
    first = re.escape(firsts) if len(firsts) == 1 else b"[" + re.escape(firsts) + b"]"
    return re.compile(first + b"(?:" + rests + b")")


def _escapes(text: str) -> list[str]:
    return _ESCAPED.split(text if text.isascii() else text.translate(_widths()))


def _character(escape: str) -> str:
    if escape[0] == "%":
        code = int(escape[-2:], 16)
    elif escape[0] == "\\":
        code = 0x2F if escape[-1] == "/" else int(escape.rstrip("}")[-2:], 16)
    else:
        name = escape[1:-1].removeprefix("amp;")
        if name[0] != "#":
            return _NAMED.get(name, escape)
        code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    char = chr(code)
    return char if " " <= char <= "~" else escape


@lru_cache(maxsize=1)
def _widths() -> dict[int, str]:
    """Characters without their width or style (Unicode's form NFKC), where they are of ASCII then."""
    from unicodedata import normalize

    codes = (0x3000, *range(0xFF01, 0xFF5F), *range(0x1D400, 0x1D800))
    plain = {code: normalize("NFKC", chr(code)) for code in codes}
    return {code: char for code, char in plain.items() if " " <= char <= "~" and len(char) == 1}


def _together(text: str, whole: Container[int]) -> list[str]:
    """A text in parts: strings, and what stands between two that are joined. `whole` is where a secret starts or ends
    that was found as it stands. With nothing between them two strings may as well be arguments of a command: then the
    second is taken for the rest of the secret if it has a digit."""
    parts = _GLUE.split(text)
    strings, units, signs, seconds = parts[::4], parts[1::4], parts[2::4], parts[3::4]
    if whole:
        at = 0
        kept = [strings[0]]
        for unit, sign, second, string in zip(units, signs, seconds, strings[1:], strict=True):
            start = at + len(kept[-1])
            end = start + len(unit)
            if sign is None and (start in whole or end in whole) and not any(map(str.isdigit, second)):
                kept[-1] += unit + string
            else:
                kept += unit, string
                at = end
        return kept
    parts = [""] * (2 * len(units) + 1)
    parts[::2], parts[1::2] = strings, units
    return parts


def _nothing(unit: str) -> str:
    return ""


def _joint(text: str, at: int) -> bool:
    """Whether a string that ends at the quote at `at`, or at the backslashes before it, goes on after it."""
    before = text[max(0, at - 4) : at]
    return _GLUE.match(text, at - len(before) + len(before.rstrip("\\"))) is not None
