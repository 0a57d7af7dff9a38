"""`model:` in .minutebook.yaml: which model reads sessions, and what a run may spend on it."""

import pytest

from minutebook.ground.config import ModelSettings, read_config
from minutebook.ground.errors import CannotJudge


def test_only_the_id_has_to_be_said() -> None:
    assert read_config(b"model:\n  extract: some-model-1\n").model == ModelSettings("some-model-1", 4096, 200_000, 0.0)
    assert read_config(b"index: warn\n").model is None
    assert read_config(b"model:\n").model is None


def test_budgets_and_prices_are_numbers_and_an_id_stays_text() -> None:
    text = b"""
model:
  extract: 4012
  max_tokens: 2000
  budget_tokens: 50000
  budget_usd: 0.5
  prices: {input: 3, output: 15.0, cache_read: 0.3, cache_write: 3.75}
"""
    found = read_config(text).model
    assert found == ModelSettings(
        "4012", 2000, 50_000, 0.5, {"input": 3, "output": 15.0, "cache_read": 0.3, "cache_write": 3.75}
    )


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("model:\n  budget_tokens: 5000\n", 1, "`extract` is missing"),
        ("index: warn\nmodel:\n  extract: a b\n", 3, "is not the id of a model"),
        ("model:\n  extract: -x\n", 2, "is not the id of a model"),
        ("model:\n  extract: x\n  temperature: 0\n", 1, "temperature"),
        ("model:\n  extract: x\n  budget_usd: 1\n", 1, "prices"),
        ("model:\n  extract: x\n  budget_usd: 0\n  prices: {input: 1, output: 1}\n", 3, "budget_usd"),
        ("model:\n  extract: x\n  budget_usd: lots\n  prices: {input: 1, output: 1}\n", 3, "budget_usd"),
        ("model:\n  extract: x\n  prices: {input: 1}\n", 3, "`output` is missing"),
        ("model:\n  extract: x\n  prices: {input: -1, output: 1}\n", 3, "prices.input"),
        ("model:\n  extract: x\n  budget_tokens: 10\n", 3, "budget_tokens"),
        ("model:\n  extract: x\n  max_tokens: 1e9\n", 3, "max_tokens"),
        ("model: some-model\n", 1, "object"),
    ],
)
def test_what_can_not_be_meant_is_said_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(CannotJudge, match=f"^.minutebook.yaml:{line}: ") as failed:
        read_config(text.encode())
    assert words in str(failed.value)
