"""What can't be seen, and marks of emphasis, in the middle of a secret: it is found as if they weren't there."""

from __future__ import annotations

from functools import lru_cache

from minutebook.ground.lazy import lazy
from minutebook.redaction.readings import Reading
from minutebook.redaction.windows import MOST, searching, stretches, windows

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    from minutebook.redaction.look import Look

    Spans = list[tuple[int, int]]

# Zero-width, bidirectional and other format characters, fillers, variation selectors, tags (Unicode 16, category Cf
# and Default_Ignorable_Code_Point).
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
# Letters and digits in full width, as East Asian texts have them, and in the styles of mathematics.
_WIDE = "\uff10-\uff19\uff21-\uff3a\uff3f\uff41-\uff5a\U0001d400-\U0001d7ff"
_BETWEEN = lazy(rf"[{_UNSEEN}](?<=[!-~].)[{_UNSEEN}]*+[!-~]")
_STYLED = lazy(f"[{_WIDE}]")
_ODD = lazy(rf"[{_UNSEEN}{_WIDE}](?:(?<=[{_WIDE}])|(?<=[!-~].)[{_UNSEEN}]*+[!-~])")
_EMOJI = lazy("\ufe0f(?<=[!-~].)\ufe0f*+[!-~]")
_HIDDEN = lazy(f"([{_UNSEEN}]+)")
# `ghp_**a1b2…`: whoever takes a line of Markdown for plain text puts such a word together again.
_EMPHASIS = lazy(r"(\*(?<=[A-Za-z0-9_-]\*)\*{0,2}(?=[A-Za-z0-9_-]))")
_IN_TOKEN = lazy(r"\*(?<=[A-Za-z0-9_-]\*)\*{0,2}[A-Za-z0-9_-]{8}")
_REACH = 16_384
_SELDOM = 8
_AT_ONCE = 1 << 18
_ASCII = bytes(range(128))


def odd(text: str) -> tuple[Spans, Spans]:
    """Where something hidden stands between two characters of ASCII that are seen, as it would inside of a secret
    (behind an emoji, where most such characters stand, they do no harm); and where a character has another width."""
    hidden, styled = (None, None) if text.isascii() else _patterns(text)
    return _all_of(hidden, text), _all_of(styled, text)


def _all_of(pattern: re.Pattern[str] | None, text: str) -> Spans:
    return list(stretches(text, searching(pattern, text))) if pattern is not None else []


def _patterns(text: str) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    """What to look for both with. Where few are beyond ASCII it costs less to look at those alone first; most texts
    have none but the one that says that an emoji is meant."""
    odd = set[str]()
    for at in range(0, len(text), _AT_ONCE):
        some = text[at : at + _AT_ONCE]
        foreign = b"" if some.isascii() else some.encode("utf-8", "surrogatepass").translate(None, _ASCII)
        if len(foreign) > len(some) // _SELDOM:
            return (None, None) if _ODD.search(text) is None else (_BETWEEN, _STYLED)
        odd |= _odd_characters() & set(foreign.decode("utf-8", "surrogatepass"))
    styled = {char for char in odd if _STYLED.match(char) is not None}
    hidden = odd - styled
    return None if not hidden else _BETWEEN if hidden != {"\ufe0f"} else _EMOJI, _STYLED if styled else None


@lru_cache(maxsize=1)
def _odd_characters() -> frozenset[str]:
    import re

    parts = re.findall("(.)(?:-(.))?", _UNSEEN + _WIDE)
    return frozenset(chr(code) for first, last in parts for code in range(ord(first), ord(last or first) + 1))


def unseen(look: Look, hidden: Spans) -> Iterator[Reading]:
    """A text as it is seen where something in it isn't, and without marks of emphasis where they break a word."""
    yield from _without(look.text, hidden, _HIDDEN)
    if b"*" in look.plain:
        yield from _without(look.text, stretches(look.text, searching(_IN_TOKEN, look.text)), _EMPHASIS)


def _without(text: str, spans: Iterable[tuple[int, int]], pattern: re.Pattern[str]) -> Iterator[Reading]:
    for window in windows(text, spans, _REACH, MOST):
        yield Reading(text, window, pattern.split, _nothing)


def _nothing(unit: str) -> str:
    return ""


def seen(text: str) -> str:
    """A text as it is seen."""
    return _EMPHASIS.sub("", _HIDDEN.sub("", text))
