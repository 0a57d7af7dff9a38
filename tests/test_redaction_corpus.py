"""Redaction on the corpus that is made at every run: each provider's token wherever tokens are met, each wording, and
thousands of lines that hold no secret."""

import re
from collections import Counter
from urllib.parse import unquote

from minutebook.redaction.redact import Redactor, find_secrets
from minutebook.redaction.rules import RULES
from secret_corpus.near_misses import LINES, near_misses
from secret_corpus.tokens import TOKENS, keys, tokens
from secret_corpus.words import given_away

PLACEHOLDER = re.compile(r"\[redacted:([a-z-]+):\d+\]")
Sample = tuple[str, str, str, str]


def left(sample: Sample, piece: int) -> str:
    """The first piece of the secret of that many characters that redaction leaves, or ""."""
    _, _, text, secret = sample
    shown = PLACEHOLDER.sub("", unquote(Redactor().redact(text)))
    pieces = (secret[at : at + piece] for at in range(len(secret) - piece + 1))
    return next((each for each in pieces if "\n" not in each and each in shown), "")


def named(sample: Sample) -> set[str]:
    return set(PLACEHOLDER.findall(Redactor().redact(sample[2])))


def test_every_token_of_a_provider_is_found_wherever_it_stands() -> None:
    missed = Counter((sample[0], sample[1]) for sample in tokens() if sample[0] not in named(sample) or left(sample, 6))
    assert missed == {}


def test_every_private_key_is_found_whole_or_torn() -> None:
    missed = Counter(
        (sample[0], sample[1]) for sample in keys() if named(sample) != {"private-key"} or left(sample, 10)
    )
    assert missed == {}


def test_every_wording_gives_its_secret_away() -> None:
    missed = Counter((s[0], s[1]) for s in given_away() if s[0] != "entropy" and (not named(s) or left(s, 5)))
    assert missed == {}


def test_the_corpus_has_twenty_samples_of_every_kind_of_rule() -> None:
    samples = Counter(sample[0] for sample in (*tokens(), *keys(), *given_away()))
    assert {rule.kind for rule in RULES} - set(samples) == set()
    assert [kind for kind, count in samples.items() if count < 20 and kind != "entropy"] == []
    assert set(TOKENS) <= {rule.kind for rule in RULES}


def test_nothing_is_found_in_lines_that_only_look_like_it() -> None:
    lines = list(near_misses())
    assert len(lines) >= 2_000
    found = Counter(number % len(LINES) for number, line in enumerate(lines) if find_secrets(line))
    assert found == {}


def test_nothing_is_found_when_those_lines_stand_together() -> None:
    lines = list(near_misses(count=len(LINES) * 6))
    for start in range(0, len(lines), len(LINES)):
        text = "\n".join(lines[start : start + len(LINES)]) + "\n"
        assert [text[each.start : each.end] for each in find_secrets(text)] == []
