"""Secrets in other spellings are found as if written plainly, whatever finds the words; numbers are checked."""

import base64
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from minutebook.redaction import literals, search
from minutebook.redaction.finding import CROWDED
from minutebook.redaction.redact import Finding, Redactor, find_secrets
from minutebook.redaction.stream import redacted_pieces
from secret_corpus.near_misses import near_misses
from secret_corpus.spellings import SPELLINGS, joined, numbers, spelled
from secret_corpus.tokens import TOKENS, keys, tokens
from secret_corpus.words import given_away

PLACEHOLDER = re.compile(r"\[redacted:([a-z-]+):\d+\]")
DRAW = random.Random(31)
TOKEN = TOKENS["github-token"][0](DRAW)
SHARED = Path(__file__).parents[2] / "shared" / "data" / "transcripts"
MEGABYTE = 1_000_000


def missed(samples: Iterator[tuple[str, str, str, str]], piece: int) -> Counter[tuple[str, str]]:
    """What isn't found, and what is found and leaves a piece of so many characters."""
    found = Counter[tuple[str, str]]()
    for kind, place, text, secret in samples:
        shown = Redactor().redact(text)
        rest = PLACEHOLDER.sub("", shown)
        left = any(secret[at : at + piece] in rest for at in range(len(secret) - piece + 1))
        found[kind, place] += kind not in PLACEHOLDER.findall(shown) or left
    return +found


def test_every_spelling_is_found_wherever_it_stands() -> None:
    assert missed(spelled(), 28) == {}


def test_numbers_of_cards_and_accounts_are_found() -> None:
    assert missed(numbers(), 6) == {}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('x = "ghp_" + "{}"', 'x = "[redacted:github-token:1]"'),
        ("a &#103;hp_{} b", "a [redacted:github-token:1] b"),
        ("%67hp_{}&x=1", "[redacted:github-token:1]&x=1"),
        ("\\u0067hp_{}\\u0026x", "[redacted:github-token:1]\\u0026x"),
        ("\uff47hp_{} \uff0c\u3042", "[redacted:github-token:1] \uff0c\u3042"),
        ("postgres%3A%2F%2Fapp%3A{}%40db/x", "postgres%3A%2F%2Fapp%3A[redacted:url-password:1]%40db/x"),
    ],
)
def test_all_of_the_secret_is_replaced_and_nothing_else(text: str, shown: str) -> None:
    assert Redactor().redact(text.replace("{}", TOKEN[4:])) == shown


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("log in with Tr0ub4dor&3", "password"),
        ("login as bob with hunter2x, please", "password"),
        ("sign in as admin using 'hunter2x'", "password"),
        ("logged in to staging as bob with hunter2x.", "password"),
        ("log in with bob / hunter2x", "password"),
    ],
)
def test_what_one_logs_in_with_is_a_password(text: str, kind: str) -> None:
    redactor = Redactor()
    shown = redactor.redact(text)
    assert redactor.counts == {kind: 1}
    assert "hunter2x" not in shown
    assert "Tr0ub" not in shown


def test_a_text_in_a_text_is_found_two_deep_and_no_deeper() -> None:
    def packed(text: str) -> str:
        return base64.b64encode(text.encode()).decode()

    assert [each.kind for each in find_secrets(packed(packed(TOKEN)))] == ["github-token"]
    assert find_secrets(packed(packed(packed(TOKEN)))) == []


def test_a_number_without_a_word_for_it_or_with_a_wrong_digit_is_left_alone() -> None:
    number = "4539148803436467"
    assert [each.kind for each in find_secrets(f"card {number}")] == ["card-number"]
    assert find_secrets(f"order {number}") == []
    assert find_secrets(f"card {number[:-1]}8") == []
    assert find_secrets("card 4242 4242 4242 4242") == []
    assert [each.kind for each in find_secrets("DE75512108001245126199")] == ["iban"]
    assert find_secrets("DE76512108001245126199") == []


def test_a_spelling_over_the_end_of_a_piece_is_found() -> None:
    escaped = "".join(f"%{ord(char):02x}" for char in TOKEN)
    text = "word " * 900_000 + escaped + " word" * 60_000
    parts = (text[at : at + 65_521] for at in range(0, len(text), 65_521))
    shown = "".join(piece.text for piece in redacted_pieces(parts, Redactor()))
    assert shown == text.replace(escaped, "[redacted:github-token:1]")


# With a library that finds all words at once, and without


def texts() -> Iterator[str]:
    samples = [sample[2] for sample in (*tokens(), *keys(), *given_away(), *spelled(), *numbers())]
    samples += near_misses(count=3000)
    yield from samples
    draw = random.Random(8)
    for between in "\n", " ", "\u2028\u200b* ":
        for _ in range(6):
            yield between.join(draw.choices(samples, k=400))


def both(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Finding], list[Finding]]:
    """With the library and without it."""
    monkeypatch.setattr(search, "LEAST", 0)
    fast = find_secrets(text)
    monkeypatch.setattr(search, "LEAST", 1 << 60)
    return fast, find_secrets(text)


def test_the_library_finds_what_is_found_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ahocorasick_rs")
    for text in texts():
        fast, slow = both(text, monkeypatch)
        assert fast == slow, text[:200]


def test_the_library_finds_the_same_in_transcripts(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ahocorasick_rs")
    if not SHARED.is_dir():
        pytest.skip("the transcripts are not here")
    for path in sorted(SHARED.rglob("*.jsonl")):
        fast, slow = both(path.read_bytes().decode("utf-8", "replace"), monkeypatch)
        assert fast == slow


def test_where_the_library_is_missing_all_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ahocorasick_rs", None)
    literals._finder.cache_clear()
    long = "words of no importance " * 2_000
    shown = Redactor().redact(f"{long}{TOKEN} {long}")
    literals._finder.cache_clear()
    assert shown == f"{long}[redacted:github-token:1] {long}"


def test_words_are_found_where_parts_of_a_text_meet() -> None:
    pytest.importorskip("ahocorasick_rs")
    for at in range((1 << 17) - 8, (1 << 17) + 2):
        found = literals.all_places((b"token", b"ken"), b" " * at + b"token" + b" " * 1000)
        assert found is not None
        assert {word: list(places) for word, places in found.items()} == {b"token": [at], b"ken": [at + 2]}


# Hostile texts: a megabyte of near misses is passed or taken out as a whole, and costs no more than a bounded effort


@pytest.mark.parametrize(
    "text",
    [
        '  "password": "{}"\n  "user": "somebody"',
        '{"a": "{}"}\n{"b": "c"}',
        "put '{}' 'or'",
        """curl -H 'x: {}' 'https://example.com/a'""",
    ],
)
def test_what_follows_a_secret_and_is_not_joined_with_it_stays(text: str) -> None:
    assert Redactor().redact(text.replace("{}", TOKEN)) == text.replace("{}", "[redacted:github-token:1]")


def test_an_ordinary_text_loads_nothing_that_only_few_need() -> None:
    """A hook pays for every import at every commit."""
    seldom = ("batch", "hidden", "numbers", "packed", "readings", "spelled", "windows")
    program = (
        "import sys; from minutebook.redaction.redact import find_secrets\n"
        "found = find_secrets(sys.argv[1])\n"
        "print(len(found), *(name.rpartition('.')[2] for name in sys.modules if 'redaction.' in name))"
    )
    text = "**Date:** 2026-11-02. Use `make test` in \"notes\", it's `quick`.\n- the token's count * 2\n"
    done = subprocess.run([sys.executable, "-c", program, text], capture_output=True, text=True, check=True)
    found, *loaded = done.stdout.split()
    assert (found, {*loaded} & {*seldom}) == ("0", set())


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "%41",
            "\\u0041",
            "&#65;",
            '"+"',
            'a"+"',
            'a""',
            'a"\n"',
            "%2541",
            "\uff41",
            "4111 1111 1111 1112 ",
            "DE89 ",
            "0",
        ),
        *("QUFB" * 6 + end for end in ("\n", " ", "Q\n", "+", "/")),
        *("41" * 12 + " ", "\\", "a\u201c", "token=", "log in with "),
    ],
)
def test_a_megabyte_of_near_misses_is_passed_or_taken_out_whole(unit: str) -> None:
    text = (unit * (MEGABYTE // len(unit) + 1))[:MEGABYTE]
    found = find_secrets(f"{text} see {TOKEN}")
    assert {each.kind for each in found} <= {CROWDED, "github-token"}
    assert found[-1].end == MEGABYTE + 5 + len(TOKEN)


def test_text_that_is_full_of_escapes_is_left_alone() -> None:
    """However many places of a text are read otherwise: whoever escapes a page of HTML writes nothing else."""
    page = "&lt;item id=&quot;1&quot;&gt;it&#39;s&lt;/item&gt;\n"
    for text in (
        page * 30_000,
        "\\u0061" * 300_000,
        "\uff11\uff12\u5143\uff0c\uff21 " * 60_000,
        'a("x"+"y"+"z");' * 30_000,
    ):
        assert find_secrets(text) == []
        assert [each.kind for each in find_secrets(f"{text} {TOKEN}")] == ["github-token"]


def test_a_secret_in_another_spelling_has_the_number_of_the_same_secret() -> None:
    spells = (*(SPELLINGS[name] for name in ("JSON", "HTML", "URL", "bytes", "full width")), joined(" + "), joined("."))
    redactor = Redactor()
    for spell in spells:
        shown = redactor.redact(f'see "{spell(TOKEN)}" there')
        assert "[redacted:github-token:1]" in shown, shown
    assert redactor.counts == {"github-token": 1}


def test_addresses_with_escaped_slashes_hold_passwords_too() -> None:
    assert Redactor().redact('"https:\\/\\/u:S3cretPw99@h.x\\/"') == '"https:\\/\\/u:[redacted:url-password:1]@h.x\\/"'


@pytest.mark.parametrize(
    "line",
    [
        "4556 7375 8689 9855",
        "order 4556-7375-8689-9855",
        "order 7 paid by card, id 4556737586899855",
        "discard 4556737586899855",
        "x,sha256=qL5bTz0-1vH2xRkYw8uGmN4sPjD9cEfA7iBoQ3tWyZs,120",
    ],
)
def test_numbers_and_digests_that_are_none_are_left_alone(line: str) -> None:
    assert find_secrets(line) == []


@pytest.mark.parametrize("gap", [" ", "-", "\u00a0"])
def test_a_card_in_groups_is_found_beside_its_name(gap: str) -> None:
    number = gap.join(("4556", "7375", "8689", "9855"))
    assert [each.kind for each in find_secrets(f"Kreditkarte: {number}")] == ["card-number"]
    assert [each.kind for each in find_secrets(f"card #{number}")] == ["card-number"]


def test_what_a_certificate_holds_is_no_secret() -> None:
    line = "qL5bTz0a1vH2xRkYw8uGmN4sPjD9cEfA7iBoQ3tWyZsQ8nXr5KdJ6pVg2MhCuL4F"
    assert find_secrets(f"-----BEGIN CERTIFICATE-----\n{line}\n-----END CERTIFICATE-----\n") == []
    assert [each.kind for each in find_secrets(f"see\n{line}\n")] == ["entropy"]
