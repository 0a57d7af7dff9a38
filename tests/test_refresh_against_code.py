"""An entry that says one thing and a manifest or a config that says another, on real git."""

import shutil

import pytest

from conftest import Repo
from test_refresh import POOL, reasons, stale

PAGE = ".memory/patterns/pool.md"
PYTHON = '[project]\nname = "up"\nrequires-python = ">=3.11"\ndependencies = ["click>=8.1,<9"]\n'


def said(repo: Repo, text: str, files: dict[str, str]) -> None:
    for path, content in files.items():
        repo.write(path, content)
    repo.write(PAGE, POOL.format(anchor="README.md", text=text))
    repo.commit("Said")


@pytest.mark.parametrize(
    ("text", "files", "words"),
    [
        ("We use yarn.", {"pnpm-lock.yaml": "x\n"}, "says yarn (“We use yarn.”), and the project has pnpm"),
        ("Install with poetry.", {"uv.lock": "x\n"}, "and the project has uv"),
        ("Tests run with jest.", {"package.json": '{"devDependencies": {"vitest": "1"}}'}, "the project has vitest"),
        (
            "It needs Python 3.9.",
            {"pyproject.toml": PYTHON},
            "says python 3.9 (“It needs Python 3.9.”), and a manifest",
        ),
        ("It uses click 9.2.", {"pyproject.toml": PYTHON}, "and a manifest says >=8.1,<9"),
        ("The service runs on Node 18.", {".nvmrc": "20\n"}, "and a manifest says 20"),
    ],
)
def test_an_entry_that_was_wrong_from_the_start_is_flagged(
    memory_repo: Repo, text: str, files: dict[str, str], words: str
) -> None:
    said(memory_repo, text, files)
    found = stale(memory_repo)["pattern-pool"]
    assert (found["kind"], found["line"]) == ("contradiction", 10)
    assert words in reasons(found)


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("We use yarn.", {"yarn.lock": "x\n", "pnpm-lock.yaml": "x\n"}),
        ("We use yarn.", {"README.md": "x\n"}),
        ("We don't use yarn.", {"pnpm-lock.yaml": "x\n"}),
        ("We use pnpm instead of yarn.", {"pnpm-lock.yaml": "x\n"}),
        ("Before 2026 we used yarn.", {"pnpm-lock.yaml": "x\n"}),
        ("Packages are published to the npm registry with a token.", {"pnpm-lock.yaml": "x\n"}),
        ("It needs Python 3.12.", {"pyproject.toml": PYTHON}),
        ("It needs Python 3.", {"pyproject.toml": PYTHON}),
        ("Python 3.5 added async functions.", {"pyproject.toml": PYTHON}),
        ("We run on Python 3.12 since Python 3.9 was dropped.", {"pyproject.toml": PYTHON}),
        ("It needs Python 3.9 or newer.", {"pyproject.toml": PYTHON}),
        ("It uses redis 4.", {"pyproject.toml": PYTHON}),
        ("> We use Python 3.9, said Ada.", {"pyproject.toml": PYTHON}),
        ("```\nIt needs Python 3.9.\n```", {"pyproject.toml": PYTHON}),
    ],
)
def test_what_the_code_does_not_rule_out_raises_no_alarm(memory_repo: Repo, text: str, files: dict[str, str]) -> None:
    said(memory_repo, text, files)
    assert stale(memory_repo) == {}


def test_a_change_is_told_apart_from_what_was_wrong_before(memory_repo: Repo) -> None:
    said(memory_repo, "We use yarn.", {"pnpm-lock.yaml": "x\n"})
    memory_repo.write("README.md", "Something else.\n")
    memory_repo.commit("Later")
    assert set(stale(memory_repo)) == {"pattern-pool"}
    assert stale(memory_repo, "--since", "HEAD~1") == {}
    memory_repo.git("mv", "pnpm-lock.yaml", "yarn.lock")
    memory_repo.commit("Yarn it is")
    assert stale(memory_repo) == {}
    memory_repo.git("mv", "yarn.lock", "bun.lockb")
    memory_repo.write("package.json", '{"devDependencies": {"bun": "1"}}')
    memory_repo.commit("Bun it is")
    assert "the project has bun" in reasons(stale(memory_repo)["pattern-pool"])
    assert set(stale(memory_repo, "--since", "HEAD~1")) == {"pattern-pool"}


def test_what_was_remembered_says_what_a_fresh_look_says(memory_repo: Repo) -> None:
    for path in memory_repo.git("ls-files", ".memory").split():
        (memory_repo.path / path).unlink()
    said(memory_repo, "We use yarn.", {"pnpm-lock.yaml": "x\n"})
    for number, move in enumerate([("pnpm-lock.yaml", "a.txt"), ("a.txt", "pnpm-lock.yaml"), ("README.md", "b.md")]):
        before = stale(memory_repo)
        assert set(before) == ({"pattern-pool"} if number != 1 else set())
        shutil.rmtree(memory_repo.path / ".git" / "minutebook")
        assert stale(memory_repo) == before
        memory_repo.write("README.md", "x\n")
        memory_repo.git("add", "--all")
        memory_repo.git("mv", *move)
        memory_repo.commit("Moved")
    assert set(stale(memory_repo)) == {"pattern-pool"}
