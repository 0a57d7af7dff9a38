"""Rules document themselves: `minutebook rules`, docs/ and the messages of the check say the same."""

import json
import re

import pytest

import docs
from conftest import Repo
from minutebook.checks import RULES
from minutebook.checks.baseline import NEVER
from minutebook.cli import VERBS
from minutebook.commands.rules import AROUND, catalogue

NAMES = [*RULES, *AROUND]


@pytest.fixture(scope="module")
def generated() -> dict[str, str]:
    return docs.generated()


@pytest.mark.parametrize("place", [docs.RULES_PAGE, docs.VERBS_PAGE, docs.RULE_EXAMPLES])
def test_what_is_generated_is_in_step(place: str, generated: dict[str, str]) -> None:
    assert (docs.CHECKOUT / place).read_text("utf-8") == generated[place], "run `make docs`"


@pytest.mark.parametrize("rule", catalogue(), ids=NAMES)
def test_a_rule_says_in_a_line_what_it_asks_for_then_more_and_how_severe_it_is(rule: dict[str, object]) -> None:
    assert str(rule["summary"]).endswith(".")
    assert len(str(rule["summary"])) <= 110
    text = rule["text"]
    assert isinstance(text, list)
    assert len(text) >= 2
    assert [part.startswith("Severity: ") for part in text].index(True) == len(text) - 1
    assert rule["severity"]


def test_every_rule_that_check_knows_is_listed_and_no_other(repo: Repo) -> None:
    refused = repo.minutebook("check", "--only", "nothing").err
    known = re.search(r"there are (.*)", " ".join(refused.split()))
    assert known is not None
    assert [*known[1].split(", "), "baseline"] == NAMES
    rows = json.loads(repo.minutebook("rules", "--format", "json").out)
    assert [row["name"] for row in rows] == NAMES
    assert {row["name"] for row in rows if not row["baseline"]} == {*NEVER, *AROUND}
    lines = repo.minutebook("rules").out.splitlines()[1:]
    assert [line.split()[0] for line in lines] == NAMES
    assert [line.endswith(row["summary"]) for line, row in zip(lines, rows, strict=True)] == [True] * len(rows)


@pytest.mark.parametrize("name", ["schema", "append-only", "roots"])
def test_a_rule_is_shown_with_a_message_and_the_way_to_mend_it(
    name: str, repo: Repo, generated: dict[str, str]
) -> None:
    example = json.loads(generated[docs.RULE_EXAMPLES])[name]
    shown = repo.minutebook("rules", name)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith(f"{name} (")
    described = next(rule for rule in catalogue() if rule["name"] == name)
    words = " ".join(shown.out.split())
    for part in (described["summary"], *described["text"], example["message"], example["fix"]):
        assert " ".join(part.split()) in words
    assert max(map(len, shown.out.partition("For example")[0].split("\n"))) <= 100
    assert json.loads(repo.minutebook("rules", name, "--format", "json").out) == described | {"example": example}


def test_an_unknown_rule_is_exit_2_and_a_close_one_is_named(repo: Repo) -> None:
    done = repo.minutebook("rules", "shema")
    assert (done.code, done.out) == (2, "")
    assert "did you mean schema?" in done.err
    assert "try: minutebook rules" in repo.minutebook("rules", "x").err


def test_the_page_has_a_part_for_each_rule_with_what_check_prints(generated: dict[str, str]) -> None:
    page = generated[docs.RULES_PAGE]
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == NAMES
    for name, example in json.loads(generated[docs.RULE_EXAMPLES]).items():
        part = page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        place = f"{example['path']}:{example['line']}" if example["line"] else example["path"]
        assert f"\n{place}: {name}: " in part
        assert example["message"] in part
        assert (docs.CHECKOUT / "tests" / "examples" / example["file"]).is_file()
        assert f"(../tests/examples/{example['file']})" in part


def test_the_page_of_verbs_has_every_verb_with_its_options(generated: dict[str, str]) -> None:
    page = generated[docs.VERBS_PAGE]
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == list(VERBS)
    assert "| `--format text\\|github\\|json` |" in page
    assert "hidden" not in page
    assert "--today" not in page
