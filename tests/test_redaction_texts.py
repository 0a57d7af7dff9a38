"""What redaction does to a text beside finding secrets: numbers, escapes, batches, hidden characters, pieces."""

import json
import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minutebook.redaction.redact import Redactor, find_secrets
from minutebook.redaction.stream import AHEAD, redacted_pieces
from secret_corpus.near_misses import near_misses
from secret_corpus.tokens import TOKENS, pem, tokens
from secret_corpus.words import given_away

DRAW = random.Random(11)
TOKEN = TOKENS["github-token"][0](DRAW)
KEY = pem("RSA ")(DRAW)
SAMPLES = [sample[2] for sample in (*list(tokens())[::7], *list(given_away(rounds=1)))]
PLAIN = list(near_misses(count=120))
ALL = [*SAMPLES, *PLAIN]


def numbered(number: int) -> str:
    return ALL[number % len(ALL)]


ONES = st.integers(0, len(ALL) - 1).map(numbered)
TEXTS = st.lists(ONES | st.text(max_size=20), max_size=6).map("\n".join)
DOCUMENTS = st.recursive(
    TEXTS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=6
)


def test_a_secret_has_the_same_number_however_it_is_written() -> None:
    redactor = Redactor()
    assert redactor.redact(KEY) == "[redacted:private-key:1]"
    assert redactor.redact(json.dumps({"key": KEY})) == '{"key": "[redacted:private-key:1]"}'
    assert redactor.redact(json.dumps(json.dumps({"key": KEY}))).count("[redacted:private-key:1]") == 1
    numbered = "\n".join(f"{number:6}→{row}" for number, row in enumerate(KEY.split("\n"), 1))
    assert redactor.redact(numbered) == "     1→[redacted:private-key:1]"
    assert redactor.counts == {"private-key": 1}


def test_a_password_has_the_same_number_in_a_url_and_out_of_it() -> None:
    redactor = Redactor()
    assert redactor.redact("password=Tr0ub/dor=3") == "password=[redacted:password:1]"
    assert redactor.redact("postgres://app:Tr0ub%2Fdor%3D3@db/app") == "postgres://app:[redacted:url-password:1]@db/app"


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u2060", "\ufeff", "\u00ad", "\u202e", "\U000e0041", "\u200b\u200d\u2063"]
)
def test_a_secret_with_hidden_characters_in_it_is_found(hidden: str) -> None:
    broken = TOKEN[:10] + hidden + TOKEN[10:20] + hidden + TOKEN[20:]
    redactor = Redactor()
    assert redactor.redact(f"use {broken} and {TOKEN}") == "use [redacted:github-token:1] and [redacted:github-token:1]"
    assert Redactor().redact(f"pass{hidden}word=Tr0ub4dor&3") == f"pass{hidden}word=[redacted:password:1]"


@pytest.mark.parametrize("mark", ["*", "**", "***"])
def test_a_secret_with_emphasis_in_it_is_found(mark: str) -> None:
    broken = f"{TOKEN[:4]}{mark}{TOKEN[4:16]}{mark}{TOKEN[16:]}"
    redactor = Redactor()
    assert redactor.redact(f"use {broken} here") == "use [redacted:github-token:1] here"
    for text in ("a*b*c", "2*width**3 is **important**", "foo**important_word_of_some_length** bar", "*" * 100_000):
        assert redactor.redact(text) == text


def test_hidden_characters_of_emoji_are_left_alone() -> None:
    text = "⚠️ careful ✔️ done 👩‍💻 ok"
    assert Redactor().redact(text) == text


@settings(deadline=None, max_examples=150)
@given(TEXTS)
def test_redacting_twice_equals_once(text: str) -> None:
    once = Redactor().redact(text)
    again = Redactor()
    assert again.redact(once) == once
    assert not again.counts


@settings(deadline=None, max_examples=150)
@given(DOCUMENTS, st.booleans(), st.sampled_from([None, 2]))
def test_json_that_is_redacted_as_text_is_still_json(value: object, narrow: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=narrow, indent=indent)
    for written in (text, json.dumps(text, ensure_ascii=narrow)):
        json.loads(Redactor().redact(written))


@settings(deadline=None, max_examples=100)
@given(st.lists(TEXTS, max_size=12))
def test_a_batch_is_redacted_as_each_text_alone(texts: list[str]) -> None:
    batch, alone = Redactor(), Redactor()
    assert batch.redact_all(texts) == [alone.redact(text) for text in texts]
    assert batch.counts == alone.counts


def test_texts_of_a_batch_are_not_read_as_one() -> None:
    texts = ["the password is", "hunter2xyz", "-----BEGIN PRIVATE KEY-----", "A" * 64, f"see {TOKEN}", "é" * 20_000]
    assert Redactor().redact_all(texts) == [*texts[:4], "see [redacted:github-token:1]", texts[5]]


@pytest.mark.parametrize(
    "frame", ["| a | {} |\n|---|---|", "> {}", "- `{}`", "```\n{}\n```", "[x]({})", "<b>{}</b>", "**{}**"]
)
def test_markdown_around_a_secret_stays(frame: str) -> None:
    assert Redactor().redact(frame.format(TOKEN)) == frame.format("[redacted:github-token:1]")


# Pieces of a text that is larger than memory


def cut(text: str, size: int) -> Iterator[str]:
    return (text[at : at + size] for at in range(0, len(text), size))


def large() -> str:
    """Five million characters: lines that hold nothing, and now and then a secret, long ones too."""
    draw = random.Random(5)
    lines = [PLAIN[number % len(PLAIN)] if number % 9 == 0 else "words of no importance, and more of them " * 2
             for number in range(60_000)]  # fmt: skip
    for _ in range(300):
        lines[draw.randrange(len(lines))] = draw.choice(SAMPLES)
    for _ in range(12):
        lines[draw.randrange(len(lines))] = pem("RSA ", 200)(draw)
    return "\n".join(lines)


@pytest.mark.parametrize("size", [65_521, 1 << 20, 10_000_000])
def test_pieces_say_what_the_whole_says_wherever_they_were_cut(size: int) -> None:
    text = large()
    whole = Redactor()
    whole_text = whole.redact(text)
    redactor = Redactor()
    pieces = list(redacted_pieces(cut(text, size), redactor))
    assert "".join(piece.text for piece in pieces) == whole_text
    assert redactor.counts == whole.counts
    assert len(pieces) > 1
    lines = text.split("\n")
    places = [place for piece in pieces for place in piece.places]
    expected = find_secrets(text)
    assert [place.length for place in places] == [each.end - each.start for each in expected]
    assert all(len(lines[place.line - 1]) >= place.column for place in places)


@pytest.mark.parametrize("before", range(-40, 4, 4))
def test_a_secret_over_a_boundary_is_found(before: int) -> None:
    filler = "word " * ((1 << 22) // 5)
    text = filler[: (1 << 22) + before] + " " + TOKEN + " " + filler[: 2 * AHEAD]
    shown = "".join(piece.text for piece in redacted_pieces(cut(text, 1 << 19), Redactor()))
    assert shown == text.replace(TOKEN, "[redacted:github-token:1]")
