"""The verdict on a run of mutation testing."""

from core.mutation import known, report

FOUND = {f"m{number}": "killed" for number in range(38)} | {"slow": "timeout", "alive": "survived"}


def test_every_survivor_is_known_and_few_are() -> None:
    text, code = report(FOUND, {"alive": "a: x"}, frozenset({"a: x"}))
    assert (code, "40 mutants: 39 killed (1 by running out of time), 1 survived: 97.5 % killed" in text) == (0, True)


def test_an_unknown_survivor_fails() -> None:
    text, code = report(FOUND, {"alive": "a: x"}, frozenset())
    assert (code, "not in survivors.toml: a: x" in text) == (1, True)


def test_a_reason_without_a_survivor_fails() -> None:
    text, code = report(FOUND | {"alive": "killed"}, {}, frozenset({"a: x"}))
    assert (code, "no survivor any more: a: x" in text) == (1, True)


def test_too_many_survivors_fail_though_they_are_known() -> None:
    alive = {f"m{number}": "survived" for number in range(2)}
    changes = dict.fromkeys([*alive, "alive"], "a: x")
    assert report(FOUND | alive, changes, frozenset({"a: x"}))[1] == 1


def test_no_mutant_at_all_fails() -> None:
    assert report({}, {}, frozenset())[1] == 1


def test_every_reason_is_a_sentence_on_mutants() -> None:
    assert all(": " in each for each in known())
