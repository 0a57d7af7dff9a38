"""One table of what can't be seen, wherever text of others is judged, shown or taken over."""

import pytest

from minutebook.checks.text import _unseen
from minutebook.extract.prose import plain_line
from minutebook.ground.unseen import has_unseen, made_visible, one_line
from minutebook.pages.report import escaped
from minutebook.pages.safe_markdown import spelled_out

HIDDEN = [
    "\x00", "\x1b", "\x7f", "\x9b", "\u00ad", "\u034f", "\u061c", "\u115f", "\u17b5", "\u180e", "\u200b", "\u200f",
    "\u2028", "\u202e", "\u2066", "\u2800", "\u3164", "\ufeff", "\uffa0", "\ufffb", "\uffff", "\U0001d173",
    "\U000e0041",
]  # fmt: skip


@pytest.mark.parametrize("character", HIDDEN, ids=lambda character: f"U+{ord(character):04X}")
def test_what_cannot_be_seen_is_the_same_everywhere(character: str) -> None:
    text = f"one{character}two"
    assert list(_unseen(text)) == [character]
    assert has_unseen(text)
    assert one_line(text) == plain_line(text) == "one two"
    assert character not in escaped(text)
    assert spelled_out(text) == f"one‹U+{ord(character):04X}›two"


@pytest.mark.parametrize(
    "text", ["naïve — 日本語", "nai\u0308ve", "हिन्दी", "ok 🙂", "\u00a0wide\u3000blank", "a\tb\nc"]
)
def test_what_can_be_seen_stays(text: str) -> None:
    assert not list(_unseen(text))
    assert not has_unseen(text)
    assert escaped(text) == spelled_out(text) == text


def test_an_emoji_keeps_its_style_in_what_was_said_and_loses_it_in_a_title() -> None:
    assert not has_unseen("careful ⚠\ufe0f here")
    assert one_line("careful ⚠\ufe0f here") == "careful ⚠ here"


def test_a_character_of_unknown_look_is_shown_and_is_no_offence() -> None:
    assert not has_unseen("\ue0b0")
    assert made_visible("a\ue0b0", lambda _: "?") == "a?"


def test_no_comment_mark_is_put_together_by_what_is_taken_out() -> None:
    for text in ("<!\ufe0f--", "<!<!----", "<\u200b!--", "--\ufe0f>", "----\u200b>>"):
        assert "<!--" not in plain_line(text)
        assert "-->" not in plain_line(text)
