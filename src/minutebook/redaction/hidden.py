"""What can't be seen, and marks of emphasis, in the middle of a secret: it is found as if they weren't there."""

from __future__ import annotations

from functools import lru_cache

from minutebook.ground.lazy import lazy
from minutebook.redaction.readings import Reading
from minutebook.redaction.windows import windows

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    from minutebook.redaction.look import Look

# Zero-width, bidirectional and other format characters, fillers, variation selectors, tags (Unicode 16, category Cf
# and Default_Ignorable_Code_Point).
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
# Letters and digits in full width, as East Asian texts have them, and in the styles of mathematics.
_WIDE = "\uff10-\uff19\uff21-\uff3a\uff3f\uff41-\uff5a\U0001d400-\U0001d7ff"
_ODD = lazy(rf"[{_UNSEEN}{_WIDE}](?:(?<=[{_WIDE}])|(?<=[!-~].)[{_UNSEEN}]*+[!-~])")
_EMOJI = lazy("\ufe0f(?<=[!-~].)\ufe0f*+[!-~]")
_HIDDEN = lazy(f"[{_UNSEEN}]")
# `ghp_**a1b2…`: whoever takes a line of Markdown for plain text puts such a word together again.
_EMPHASIS = lazy(r"\*(?<=[A-Za-z0-9_-]\*)\*{0,2}(?=[A-Za-z0-9_-])")
_IN_TOKEN = lazy(r"\*(?<=[A-Za-z0-9_-]\*)\*{0,2}[A-Za-z0-9_-]{8}")
_REACH = 16_384
_SELDOM = 8
_ASCII = bytes(range(128))


def odd(text: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Where something hidden stands between two characters of ASCII that are seen, as it would inside of a secret
    (behind an emoji, where most such characters stand, they do no harm); and where a character has another width."""
    found: tuple[list[tuple[int, int]], list[tuple[int, int]]] = [], []
    pattern = None if text.isascii() else _pattern(text)
    for match in pattern.finditer(text) if pattern is not None else ():
        found[match.end() == match.start() + 1].append(match.span())
    return found


def _pattern(text: str) -> re.Pattern[str] | None:
    """What to look for such characters with. Where few are beyond ASCII it costs less to look at those alone first;
    most texts have none but the one that says that an emoji is meant."""
    foreign = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    if len(foreign) > len(text) // _SELDOM:
        return _ODD
    odd = _odd_characters() & set(foreign.decode("utf-8", "surrogatepass"))
    return None if not odd else _ODD if odd != {"\ufe0f"} else _EMOJI


@lru_cache(maxsize=1)
def _odd_characters() -> frozenset[str]:
    import re

    parts = re.findall("(.)(?:-(.))?", _UNSEEN + _WIDE)
    return frozenset(chr(code) for first, last in parts for code in range(ord(first), ord(last or first) + 1))


def unseen(look: Look, hidden: list[tuple[int, int]]) -> Iterator[Reading]:
    """A text as it is seen where something in it isn't, and without marks of emphasis where they break a word."""
    yield from _without(look.text, hidden, _HIDDEN)
    marks = (match.span() for match in _IN_TOKEN.finditer(look.text)) if b"*" in look.plain else ()
    yield from _without(look.text, marks, _EMPHASIS)


def _without(text: str, spans: Iterable[tuple[int, int]], pattern: re.Pattern[str]) -> Iterator[Reading]:
    for window in windows(text, spans, _REACH):
        found = pattern.finditer(text, window.start, window.end)
        yield Reading(text, window, ((match.start(), match.end(), "") for match in found))


def without_hidden(text: str) -> str:
    return text if text.isascii() else _HIDDEN.sub("", text)
