"""What can't be seen in a text: one table for the gate, for what is printed, and for what is taken into memory."""

from __future__ import annotations

from minutebook.ground.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Controls but tab and LF, what Unicode 15 calls default ignorable (joiners, bidi marks, fillers, variation selectors,
# tags), line separators, the blank of Braille, noncharacters, and halves of surrogate pairs: bytes that are no UTF-8.
_TABLE = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
UNSEEN = lazy(f"[{_TABLE}]")
_VARIATION = lazy("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def has_unseen(text: str) -> bool:
    """Whether the text holds what a reader can't see, but for the variation selectors of emoji and the like."""
    return UNSEEN.search(_VARIATION.sub("", text)) is not None


def made_visible(text: str, by: Callable[[str], str]) -> str:
    """The text with `by(character)` in place of each that can't be seen, or whose look nobody knows (unassigned, for
    private use). Tab and LF stay."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(by(each) if _is_unseen(each) else each for each in text)


def one_line(text: str) -> str:
    """The words of the text on one line: what can't be seen is a blank, variation selectors are nothing."""
    return " ".join(made_visible(_VARIATION.sub("", text), lambda _: " ").split())


def _is_unseen(character: str) -> bool:
    if character in "\t\n" or " " <= character <= "~":
        return False
    from unicodedata import category

    odd = not character.isprintable() and category(character) != "Zs"
    return odd or UNSEEN.match(character) is not None
