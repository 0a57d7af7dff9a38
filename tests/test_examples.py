"""Types prove themselves: good examples are fine, bad ones are caught by the rule and at the line that they say."""

from pathlib import Path

import pytest

from example_files import (
    PROMISE,
    Judged,
    caught,
    check,
    example_types,
    examples,
    house,
    judged_alone,
    real_bytes,
    with_config,
)
from minutebook.checks import RULES
from minutebook.commands.rules import AROUND, catalogue

ENTRIES = [each for each in examples() if each.kind != "config"]
CONFIGS = [each for each in examples() if each.kind == "config"]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> list[Judged]:
    """Every bad example, and the good ones that there is no second place for."""
    bad = [each for each in ENTRIES if not each.good]
    first = {each.place: each for each in reversed(ENTRIES) if each.good}
    crowded = [each for each in ENTRIES if each.good and first[each.place] is not each]
    return list(judged_alone(tmp_path_factory.mktemp("alone"), [*bad, *crowded]))


def test_every_example_is_caught_where_it_says_and_nowhere_else(alone: list[Judged]) -> None:
    said = {each.example.name: each.example.caught for each in alone}
    assert {each.example.name: caught(each.compared) for each in alone} == said


def test_a_check_that_compares_with_nothing_catches_all_but_what_is_a_fault_in_a_change(alone: list[Judged]) -> None:
    """At the same lines; but of entries with one id it names the lower ones alone, since none is newer. Broken promises
    and the line ends of new files are faults of a change."""

    def seen(rows: tuple[tuple[str, int], ...]) -> set[tuple[str, int]]:
        lasting = (row for row in rows if row[0] not in PROMISE and row != ("text", 0))
        return {(rule, line if rule != "ids" else 0) for rule, line in lasting}

    said = {each.example.name: seen(each.example.caught) for each in alone}
    assert {each.example.name: seen(caught(each.whole)) for each in alone} == said


def test_a_problem_names_the_example_itself(alone: list[Judged]) -> None:
    places = {row["path"] for each in alone for row in (*each.whole, *each.compared)}
    assert places <= {f"{each.example.root}/{each.example.place}" for each in alone}


def test_no_problem_is_of_a_severity_that_its_rule_does_not_speak_of(alone: list[Judged]) -> None:
    spoken_of = {(rule["name"], severity) for rule in catalogue() for severity in rule["severity"]}
    found = {(row["rule"], row["severity"]) for each in alone for row in (*each.whole, *each.compared)}
    assert found - spoken_of == set()
    assert {severity for _, severity in found} == {"error", "warning"}


def test_the_good_examples_are_one_good_memory_under_every_good_config(tmp_path: Path) -> None:
    good = [each for each in ENTRIES if each.good]
    assert any(each.before is not None for each in good)
    repo = house(tmp_path / "house", good)
    assert check(repo, "--staged") == []
    configs = [each for each in CONFIGS if each.good]
    assert len(configs) >= 2
    for each in configs:
        with_config(repo, each)
        assert check(repo, "--all") == [], each.name


def test_a_bad_config_is_caught_where_it_says(tmp_path: Path) -> None:
    repo = house(tmp_path / "house", [each for each in ENTRIES if each.good], grown=False)
    found = {}
    for each in CONFIGS:
        if not each.good:
            with_config(repo, each)
            found[each.name] = caught(check(repo, "--staged"))
    assert found == {each.name: each.caught for each in CONFIGS if not each.good}
    assert len(found) >= 4


def test_each_type_has_two_good_and_four_bad_examples() -> None:
    for name in example_types():
        own = [each for each in ENTRIES if each.kind == name]
        good = sum(each.good for each in own)
        assert (good >= 2, len(own) - good >= 4) == (True, True), name


def test_the_examples_show_every_rule() -> None:
    assert {rule for each in examples() for rule, _ in each.caught} == {*RULES, *AROUND} - {"baseline"}


def test_bad_examples_say_what_is_wrong_with_them_and_good_ones_nothing() -> None:
    assert [each.name for each in examples() if each.good == bool(each.caught)] == []


def test_logs_with_several_entries_drafts_and_both_layouts_of_a_decision_are_among_the_good_ones() -> None:
    texts = [real_bytes(each.file).decode() for each in ENTRIES if each.good and each.kind == "decision"]
    assert any(text.count("\n### DEC-") >= 3 and "**Status:** proposed" in text for text in texts)
    assert any(text.startswith("---\ntype: decision\n") for text in texts)


def test_no_example_holds_what_it_stands_for() -> None:
    """So that nobody's editor, scanner or review stumbles over the files."""
    for path in (each.file for each in examples()):
        text = path.read_text("utf-8")
        if "⟦" in text:
            assert real_bytes(path) != text.encode()
        assert not set(text) & set("\ufeff\u200b\u2028\u202e\x1b"), path
