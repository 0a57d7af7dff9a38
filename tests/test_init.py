"""The verb `init`: a new root, an adopted one, and everything around it."""

import os
import shutil
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path

import pytest

from conftest import TODAY, Done, Repo
from minutebook.setup.texts import CLOSES, OPENS

GAAI = ".gaai/project/contexts/memory"
SHAPES = Path(__file__).with_name("gaai")


def gaai(repo: Repo, shape: str) -> None:
    """Commit a tree in a shape that the GAAI framework's tools write: `log` (decisions in one log) or `files` (a
    registry of headings in the log, and each decision in a file of its own)."""
    shutil.copytree(SHAPES / shape, repo.path / GAAI)
    repo.commit("A tree made by other tools")


def snapshot(repo: Repo) -> Mapping[str, bytes]:
    """Every file of the work tree."""
    paths = (
        path for path in repo.path.rglob("*") if path.is_file() and ".git" not in path.relative_to(repo.path).parts
    )
    return {path.relative_to(repo.path).as_posix(): path.read_bytes() for path in paths}


def init(repo: Repo, *arguments: str) -> Done:
    done = repo.minutebook("init", "--today", TODAY, *arguments)
    assert done.code == 0, done.err + done.out
    return done


def check_all(repo: Repo) -> Done:
    repo.git("add", "--all")
    return repo.minutebook("check", "--all", "--today", TODAY)


def test_a_new_root_passes_the_check_and_can_be_committed(repo: Repo) -> None:
    repo.write("README.md", "# Ferries\n\nTimetables for three harbours, kept by their masters.\n")
    init(repo)
    assert "abstract: Timetables for three harbours, kept by their masters." in repo.read(".memory/project/context.md")
    assert repo.read(".memory/decisions/_log.md").startswith("# Decision log\n")
    assert ".memory/users/\n" in repo.read(".gitignore")
    assert not (repo.path / ".minutebook.yaml").exists()
    done = check_all(repo)
    assert done.code == 0, done.out + done.err
    assert "warning" not in done.out


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--root", "docs/memory"),
        ("--decisions", "files"),
        ("--pre-commit", "--workflows"),
        ("--root", "on", "--decisions", "files", "--pre-commit", "--workflows"),
    ],
)
def test_a_second_run_changes_nothing_and_says_so(repo: Repo, arguments: tuple[str, ...]) -> None:
    init(repo, *arguments)
    once = snapshot(repo)
    assert "nothing changed" in init(repo, *arguments).out
    assert "nothing changed" in init(repo).out
    assert snapshot(repo) == once


def test_a_dry_run_writes_nothing_and_names_what_it_would_write(repo: Repo) -> None:
    done = init(repo, "--dry-run", "--pre-commit")
    assert snapshot(repo) == {}
    assert "+ .memory/decisions/_log.md" in done.out
    assert "+ .pre-commit-config.yaml" in done.out


def test_another_root_and_layout_are_written_into_the_config(repo: Repo) -> None:
    init(repo, "--root", "docs/memory", "--decisions", "files")
    config = repo.read(".minutebook.yaml")
    assert "root: docs/memory " in config
    assert "decisions: files " in config
    assert (repo.path / "docs/memory/project/context.md").is_file()
    assert not (repo.path / "docs/memory/decisions").exists()
    assert check_all(repo).code == 0
    made = repo.minutebook(
        "new", "decision", "--title", "Keep times in UTC", "--set", "decision=Times are stored in UTC."
    )
    assert made.out.startswith("docs/memory/decisions/DEC-"), made.err
    assert check_all(repo).code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--root", "../elsewhere"), "--root"),
        (("--root", "/etc"), "--root"),
        (("--root", ".git/memory"), "--root"),
        (("--root", ".git"), "--root"),
        (("--root", "README.md"), "README.md"),
        (("--root", "README.md/memory"), "README.md"),
        (("--decisions", "scrolls"), "scrolls"),
    ],
)
def test_what_can_not_be_a_root_is_refused(repo: Repo, arguments: tuple[str, ...], words: str) -> None:
    repo.write("README.md", "# Ferries\n")
    done = repo.minutebook("init", *arguments)
    assert done.code == 2
    assert words in done.err
    assert list(snapshot(repo)) == ["README.md"]


def test_a_root_that_git_ignores_is_told_of(repo: Repo) -> None:
    repo.write(".gitignore", ".*\n")
    assert ".memory/ is ignored by git" in init(repo).out


def test_outside_of_a_repository_it_says_git_init(repo: Repo) -> None:
    done = repo.minutebook("init", cwd="..")
    assert done.code == 2
    assert "git init" in done.err


@pytest.mark.parametrize("shape", ["log", "files"])
def test_a_gaai_tree_is_adopted_without_a_byte_rewritten_and_green_on_the_first_day(repo: Repo, shape: str) -> None:
    gaai(repo, shape)
    before = snapshot(repo)
    init(repo)
    after = snapshot(repo)
    assert {path: after[path] for path in before} == before
    assert not [path for path in after if path.startswith(".gaai/") and path not in before]
    assert f"{GAAI}/users/\n" in repo.read(".gitignore")
    done = check_all(repo)
    assert done.code == 0, done.out + done.err
    assert "nothing changed" in init(repo).out


def test_a_gaai_tree_takes_a_new_decision_at_its_open_end(repo: Repo) -> None:
    gaai(repo, "log")
    init(repo)
    repo.commit("Adopt it")
    given = ("--title", "Tides come from gauges", "--set", "decision=Tides are read from the public gauges.")
    assert repo.minutebook("new", "decision", *given, "--today", TODAY).code == 0
    log = repo.read(f"{GAAI}/decisions/_log.md")
    assert log.index("Tides come from gauges") < log.index("Departures are kept in UTC")
    repo.git("add", "--all")
    done = repo.minutebook("check", "--staged", "--today", TODAY)
    assert done.code == 0, done.out + done.err


def test_decisions_found_in_files_of_their_own_go_on_that_way(repo: Repo) -> None:
    gaai(repo, "files")
    init(repo)
    assert "decisions: files" in repo.read(".minutebook.yaml")


BY_DATE = """### DEC-9 — Postgres
**Decision:** Postgres.
**Date:** 2026-01-02

### DEC-4 — Alembic
**Decision:** Alembic.
**Date:** 2026-02-03
"""
BY_NUMBER = "## D-001 — Postgres\n**Decision:** Postgres.\n\n## D-002 — Alembic\n**Decision:** Alembic.\n"


@pytest.mark.parametrize("entries", [BY_DATE, BY_NUMBER], ids=["dates", "numbers"])
def test_a_log_that_grows_at_its_end_is_noticed(repo: Repo, entries: str) -> None:
    repo.write(".memory/decisions/_log.md", "# Decisions\n\n" + entries)
    init(repo)
    assert "  decision: oldest-first\n" in repo.read(".minutebook.yaml")
    repo.commit("Adopt it")
    given = ("--title", "Queues in Postgres", "--set", "decision=Jobs live in a Postgres table.")
    assert repo.minutebook("new", "decision", *given).code == 0
    assert repo.read(".memory/decisions/_log.md").startswith("# Decisions\n\n" + entries)


def test_a_log_that_grows_at_its_top_needs_no_word_in_the_config(memory_repo: Repo) -> None:
    init(memory_repo)
    assert not (memory_repo.path / ".minutebook.yaml").exists()


def test_a_root_that_holds_memory_is_left_as_it_is(memory_repo: Repo) -> None:
    before = snapshot(memory_repo)
    init(memory_repo)
    after = snapshot(memory_repo)
    assert {path for path in after if path not in before} == {".gitignore", "AGENTS.md"}


def test_memory_in_a_subfolder_is_not_passed_over(repo: Repo) -> None:
    repo.write("app/.memory/project/context.md", "# App\n")
    repo.commit()
    done = repo.minutebook("init")
    assert done.code == 2
    assert "minutebook init --root app/.memory" in done.err
    init(repo, "--root", "app/.memory")
    assert "root: app/.memory " in repo.read(".minutebook.yaml")


def test_a_second_root_is_named_beside_the_first(memory_repo: Repo) -> None:
    init(memory_repo, "--root", "web/memory")
    assert "roots: [.memory, web/memory] " in memory_repo.read(".minutebook.yaml")
    assert check_all(memory_repo).code == 0


def test_a_root_that_the_config_does_not_name_is_not_made(memory_repo: Repo) -> None:
    memory_repo.write(".minutebook.yaml", "root: .memory\n")
    done = memory_repo.minutebook("init", "--root", "web/memory")
    assert done.code == 2
    assert "roots:" in done.err


def test_a_config_that_says_otherwise_is_not_overruled(repo: Repo) -> None:
    repo.write(".minutebook.yaml", "decisions: log\n")
    done = init(repo, "--decisions", "files")
    assert repo.read(".minutebook.yaml") == "decisions: log\n"
    assert "decisions: files" in done.out


LINES_ADDED = [
    (".gitignore", b"*.pyc", b"*.pyc\n.memory/users/\n"),
    (".gitignore", b"*.pyc\r\nout/\r\n", b"*.pyc\r\nout/\r\n.memory/users/\r\n"),
    (".gitignore", b"*.pyc\r\nout/", b"*.pyc\r\nout/\r\n.memory/users/\r\n"),
    (".gitignore", b"/.memory/users/\r\n", b"/.memory/users/\r\n"),
    (".gitignore", b"\xff\xfe not UTF-8\n", b"\xff\xfe not UTF-8\n.memory/users/\n"),
    (".prettierignore", b"dist", b"dist\n.memory/\n"),
    (".prettierignore", b".memory/\n", b".memory/\n"),
    (".markdownlintignore", b"", b".memory/\n"),
]


@pytest.mark.parametrize(("path", "old", "new"), LINES_ADDED)
def test_lines_are_added_in_the_files_own_manner(repo: Repo, path: str, old: bytes, new: bytes) -> None:
    repo.write(path, old)
    init(repo)
    assert (repo.path / path).read_bytes() == new


@pytest.mark.parametrize(
    "config", [".prettierrc", ".prettierrc.json", ".markdownlint.yaml", ".markdownlint-cli2.jsonc"]
)
def test_a_formatter_without_an_ignore_file_is_told_of_and_not_touched(repo: Repo, config: str) -> None:
    repo.write(config, "{}\n")
    done = init(repo)
    assert "put this line into" in done.out
    assert ".memory/" in done.out
    assert [path.name for path in repo.path.glob(".*ignore")] == [".gitignore"]


AGENTS = [
    ({}, "AGENTS.md"),
    ({"AGENTS.md": "# House\n"}, "AGENTS.md"),
    ({"CLAUDE.md": "# House\n"}, "CLAUDE.md"),
    ({"AGENTS.md": "# House\n", "CLAUDE.md": "@AGENTS.md\n"}, "AGENTS.md"),
]


@pytest.mark.parametrize(("files", "told"), AGENTS)
def test_agents_are_told_once_in_the_file_that_they_read(repo: Repo, files: dict[str, str], told: str) -> None:
    for path, text in files.items():
        repo.write(path, text)
    init(repo)
    text = repo.read(told)
    assert text.startswith(files.get(told, OPENS))
    block = text[text.index(OPENS) : text.index(CLOSES)].strip().split("\n")[1:]
    assert len(block) == 5
    assert 'minutebook retrieve "' in text
    others = {path: text for path, text in files.items() if path != told}
    assert {path: repo.read(path) for path in others} == others


def test_agents_are_told_through_no_symlink(repo: Repo) -> None:
    repo.write("docs/house.md", "# House\n")
    try:
        (repo.path / "AGENTS.md").symlink_to("docs/house.md")
    except OSError as error:
        pytest.skip(f"no symlinks here: {error}")
    done = init(repo)
    assert "symlink" in done.out
    assert repo.read("docs/house.md") == "# House\n"


HOOK_CONFIGS = [
    ("repos:\n  - repo: https://example.org/a\n    rev: v1\n    hooks:\n      - id: a\n", True),
    ("repos:\n- repo: https://example.org/a\n  rev: v1\n  hooks:\n  - id: a", True),
    ("repos:\r\n- repo: https://example.org/a\r\n  rev: v1\r\n  hooks:\r\n  - id: a\r\n", True),
    ("repos:\n  - repo: local\n    hooks: []\nfail_fast: true\n", False),
    ("repos: [{repo: local, hooks: []}]\n", False),
    ("repos: &all\n  - repo: local\n    hooks: []\n", False),
]


@pytest.mark.parametrize(("text", "added"), HOOK_CONFIGS)
def test_the_hook_is_added_only_where_adding_lines_is_enough(repo: Repo, text: str, added: bool) -> None:
    repo.write(".pre-commit-config.yaml", text)
    done = init(repo, "--pre-commit")
    now = repo.read(".pre-commit-config.yaml")
    assert now.startswith(text)
    assert ("minutebook-check" in now) is added
    assert ("minutebook-check" in done.out) is not added
    if not text.startswith("repos: &"):
        valid = repo.run(sys.executable, "-m", "pre_commit", "validate-config")
        assert valid.code == 0, valid.out


def test_the_hook_that_it_writes_judges_a_real_commit(repo: Repo) -> None:
    init(repo, "--pre-commit")
    assert repo.run(sys.executable, "-m", "pre_commit", "install").code == 0
    repo.git("add", "--all")
    path = os.pathsep.join((sysconfig.get_path("scripts"), os.environ["PATH"]))
    repo.git("commit", "--quiet", "--message", "Memory", PATH=path)
    repo.write(".memory/patterns/broken.md", "---\ntype: pattern\ntitle: [\n---\n")
    repo.git("add", "--all")
    refused = repo.run("git", "commit", "--quiet", "--message", "Break it", PATH=path)
    assert refused.code == 1
    assert ".memory/patterns/broken.md" in refused.out + refused.err


def test_without_the_flag_the_hook_is_only_offered(repo: Repo) -> None:
    done = init(repo)
    assert "`minutebook init --pre-commit` adds the hook that judges commits" in done.out
    assert not (repo.path / ".pre-commit-config.yaml").exists()


def test_a_config_of_hooks_without_hook_types_is_told_how_to_switch_both_on(repo: Repo) -> None:
    repo.write(".pre-commit-config.yaml", HOOK_CONFIGS[0][0])
    assert "`pre-commit install -t pre-commit -t pre-merge-commit`" in init(repo, "--pre-commit").out


@pytest.mark.parametrize("root", ["../x", "/etc", ".git/x", "a/../../b"])
def test_a_root_outside_of_the_repository_is_refused_in_plain_words(repo: Repo, root: str) -> None:
    done = repo.minutebook("init", "--root", root)
    assert done.code == 2
    assert f"--root {root} is no place for memory" in done.err
    assert "(?!" not in done.err


def test_a_second_root_is_told_the_line_to_write(repo: Repo) -> None:
    init(repo, "--root", "a/memory")
    done = repo.minutebook("init", "--root", "b/memory")
    assert done.code == 2
    assert "`roots: [a/memory, b/memory]`" in done.err
    repo.write(".minutebook.yaml", "roots: [a/memory, b/memory]\n")
    assert init(repo, "--root", "b/memory").code == 0
    assert (repo.path / "b/memory/index.md").is_file()


def test_a_new_memory_names_the_next_step_and_a_second_run_is_quiet(repo: Repo) -> None:
    assert "next: say in .memory/project/context.md what this project is, then commit" in init(repo).out
    again = init(repo).out
    assert "next:" not in again
    assert "nothing to write" not in again


def test_workflows_are_copied_and_one_that_differs_is_left_alone(repo: Repo) -> None:
    init(repo, "--workflows")
    copied = sorted((repo.path / ".github/workflows").iterdir())
    assert copied
    repo.write(f".github/workflows/{copied[0].name}", "name: mine\n")
    done = init(repo, "--workflows")
    assert f"{copied[0].name} exists and differs" in done.out
    assert copied[0].read_text("utf-8") == "name: mine\n"


READMES = [
    ("# T\n\n[![badge](https://example.org/b.svg)](https://example.org)\n\n<p>html</p>\n\nKeeps *tide* tables for [harbours](https://example.org).\n",
     "Keeps *tide* tables for harbours."),
    ("Ferries\n=======\n\n- a list\n\nTimetables for three harbours.\n", "Timetables for three harbours."),
    ("# T\n\nTides \u200bfor \u202eharbours and their masters.\n", "Tides for harbours and their masters."),
    ("# T\n\nAn abstract: with \"quotes\", a # and --- in it.\n", "An abstract: with \"quotes\", a # and --- in it."),
    ("\xff\xfe", "Nobody has written down yet"),
    ("", "Nobody has written down yet"),
]  # fmt: skip


@pytest.mark.parametrize(("readme", "abstract"), READMES)
def test_the_project_page_starts_from_the_readme(repo: Repo, readme: str, abstract: str) -> None:
    repo.write("README.md", readme)
    init(repo)
    done = check_all(repo)
    assert done.code == 0, done.out + done.err
    assert abstract in repo.read(".memory/project/context.md")


def test_an_unfinished_merge_is_no_time_to_begin(memory_repo: Repo) -> None:
    memory_repo.git("checkout", "--quiet", "-b", "other")
    memory_repo.write("README.md", "# Other\n")
    memory_repo.commit()
    memory_repo.git("checkout", "--quiet", "main")
    memory_repo.write("README.md", "# Main\n")
    memory_repo.commit()
    assert memory_repo.run("git", "merge", "other").code == 1
    done = memory_repo.minutebook("init")
    assert done.code == 2
    assert "merge conflicts" in done.err


ROOTS = {
    "docs/memory": "/docs/memory/**/*.md",
    "the memory": '"/the memory/**/*.md"',
    "[a]*b": "/\\[a]\\*b/**/*.md",
    'a "b" c': '"/a \\"b\\" c/**/*.md"',
    "#notes": "/#notes/**/*.md",
    "gedächtnis": "/gedächtnis/**/*.md",
}


@pytest.mark.parametrize("root", ROOTS)
def test_git_asks_the_merge_driver_for_every_page_of_a_root_whatever_its_name(repo: Repo, root: str) -> None:
    done = init(repo, "--root", root, "--merge-driver")
    assert repo.read(".gitattributes") == f"{ROOTS[root]} merge=minutebook\n"
    assert "yet git doesn't ask it" not in done.out
    for path in ("index.md", "decisions/_log.md", "archive/decisions/_log.md"):
        asked = repo.git("check-attr", "-z", "merge", "--", f"{root}/{path}").split("\0")
        assert asked[2] == "minutebook"
    assert repo.git("check-attr", "-z", "merge", "--", "README.md").split("\0")[2] == "unspecified"


def test_the_merge_driver_is_set_once_and_what_stands_in_the_attributes_stays(repo: Repo) -> None:
    repo.write(".minutebook.yaml", "roots: [a/memory, b/memory]\nplaces: {decision: docs/adr/*.md}\n")
    repo.write(".gitattributes", "*.png binary\r\n/b/memory/**/*.md merge=minutebook")
    dry = init(repo, "--root", "a/memory", "--merge-driver", "--dry-run")
    assert "git config merge.minutebook.driver 'if command -v minutebook" in dry.out
    assert "would be set in this clone alone" in dry.out
    assert repo.run("git", "config", "merge.minutebook.driver").code == 1
    assert repo.read(".gitattributes") == "*.png binary\r\n/b/memory/**/*.md merge=minutebook"
    done = init(repo, "--root", "a/memory", "--merge-driver")
    assert "in every other one run `minutebook init --merge-driver`" in done.out
    assert repo.read(".gitattributes") == (
        "*.png binary\r\n/b/memory/**/*.md merge=minutebook\r\n"
        "/a/memory/**/*.md merge=minutebook\r\n/docs/adr/*.md merge=minutebook\r\n"
    )
    assert "minutebook merge-driver" in repo.git("config", "merge.minutebook.driver")
    before = snapshot(repo)
    again = init(repo, "--root", "a/memory", "--merge-driver")
    assert snapshot(repo) == before
    assert "git config" not in again.out


def test_without_being_asked_no_merge_driver_is_set(repo: Repo) -> None:
    init(repo)
    assert not (repo.path / ".gitattributes").exists()
    assert repo.run("git", "config", "merge.minutebook.driver").code == 1


def test_a_line_that_keeps_the_merge_driver_from_being_asked_is_told(repo: Repo) -> None:
    repo.write(".git/info/attributes", "*.md merge=union\n")
    assert "yet git doesn't ask it" in init(repo, "--merge-driver").out


def test_attributes_behind_a_symlink_are_left_alone(repo: Repo) -> None:
    repo.write("attributes", "*.png binary\n")
    (repo.path / ".gitattributes").symlink_to("attributes")
    assert (
        ".gitattributes is no plain text file; make it say: /.memory/**/*.md merge=minutebook"
        in init(repo, "--merge-driver").out
    )
    assert repo.read("attributes") == "*.png binary\n"
