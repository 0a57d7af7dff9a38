"""What can't be seen, and marks of emphasis, in the middle of a secret: it is found as if they weren't there."""

from __future__ import annotations

from minutebook.ground.lazy import lazy

# Zero-width, bidirectional and other format characters, fillers, variation selectors, tags (Unicode 16, category Cf
# and Default_Ignorable_Code_Point).
_SET = (
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_HIDDEN = lazy(_SET)
# `ghp_**a1b2…`: whoever takes a line of Markdown for plain text puts such a word together again.
_EMPHASIS = lazy(r"\*(?<=[A-Za-z0-9_-]\*)\*{0,2}(?=[A-Za-z0-9_-])")
_IN_TOKEN = lazy(r"\*(?<=[A-Za-z0-9_-]\*)\*{0,2}[A-Za-z0-9_-]{8}")
_BETWEEN = lazy(rf"{_SET}(?<=[!-~].){_SET}*+[!-~]")


MOST = 200_000
"""Hidden characters of a text that are told apart; where there are more nobody wrote it."""


class Seen:
    """A text as it is seen (with `emphasis`, without the marks of it inside of words), and where its characters stand
    in the text as it is; up to the last of as many hidden ones as are told apart."""

    def __init__(self, text: str, *, emphasis: bool = False) -> None:
        self._ends: list[int] = []
        self._shifts: list[int] = []
        pieces, at, gone = [], 0, 0
        for match in (_EMPHASIS if emphasis else _HIDDEN).finditer(text):
            pieces.append(text[at : match.start()])
            self._ends.append(match.start() - gone)
            at, gone = match.end(), gone + match.end() - match.start()
            self._shifts.append(gone)
            if gone >= MOST:
                break
        self.crowded_from = at if gone >= MOST else None
        self.text = "".join(pieces if gone >= MOST else [*pieces, text[at:]])

    def place(self, at: int) -> int:
        """Where the character at `at` of `self.text` stands in the whole text: hidden ones before it stay before."""
        from bisect import bisect_right

        index = bisect_right(self._ends, at)
        return at + (self._shifts[index - 1] if index else 0)


def has_hidden(text: str) -> bool:
    """Whether something hidden stands between two characters of ASCII that are seen, as it would inside of a secret.
    Behind an emoji, where most such characters stand, they do no harm."""
    return not text.isascii() and _BETWEEN.search(text) is not None


def has_emphasis(text: str) -> bool:
    """Whether a mark of emphasis stands in a word, with as much behind it as a piece of a token has."""
    return "*" in text and _IN_TOKEN.search(text) is not None


def without_hidden(text: str) -> str:
    return text if text.isascii() else _HIDDEN.sub("", text)
