"""The README says what the code does, and what the demo shows."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import readme
from minutebook.cli import VERBS

DEMO = Path(__file__).parent / "demo" / "demo.py"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the demo prints, twice, each time in a folder of its own."""
    outputs = []
    for number in range(2):
        folder = tmp_path_factory.mktemp(f"demo{number}")
        command = [sys.executable, str(DEMO), "--in", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        outputs.append(done.stdout)
    return outputs


def test_the_table_of_verbs_is_in_step() -> None:
    text = readme.README.read_text("utf-8")
    assert text == readme.written(text), "run `make docs`"
    assert all(f"| `minutebook {name}` |" in text for name in VERBS)


def test_the_demo_shows_the_same_each_time(shown: list[str]) -> None:
    assert shown[0] == shown[1]


def test_the_refused_commit_in_the_readme_is_what_the_demo_shows(shown: list[str]) -> None:
    block = readme.README.read_text("utf-8").partition("A refused commit, as people see it")[2].split("```")[1]
    # The README wraps long lines.
    lines = [line.strip() for line in block.strip().split("\n")]
    printed = " ".join(shown[0].split())
    assert len(lines) >= 4
    assert [line for line in lines if line not in printed] == []


def test_the_stale_entry_in_the_readme_is_what_the_demo_shows(shown: list[str]) -> None:
    page = readme.README.read_text("utf-8")
    block = page.partition("what has stopped being true, with the reason")[2].split("```")[1]
    told, printed = (re.sub(r"\b0\.[0-9]+", "(score)", " ".join(text.split())) for text in (block, shown[0]))
    assert told in printed


def test_every_command_of_the_readme_is_one_that_exists() -> None:
    words = [line.split() for line in readme.README.read_text("utf-8").split("\n") if line.startswith("minutebook ")]
    assert len(words) >= 5
    assert [each[1] for each in words if each[1] not in VERBS] == []
