"""`minutebook index`: the generated pages, and when they are left alone."""

import json
import re
from pathlib import Path

import pytest

from conftest import LOG, Repo
from minutebook.ground.change import File
from minutebook.ground.config import Config
from minutebook.ground.memory import Memory, read_memory
from minutebook.ground.memory_type import builtin_types, read_type
from minutebook.pages.index_page import MARKER, index_page, is_generated, template_page

HANDOFF = Path(__file__).with_name("examples") / "types" / "good" / "handoff.yaml"
INDEX = ".memory/index.md"
TEMPLATE = ".memory/_template.md"
PROFILE = "---\ntype: profile\nid: profile-ada\ntitle: Ada\nabstract: Ada reviews the storage code.\n---\n"


def memory_of(files: dict[str, str], config: Config | None = None) -> Memory:
    tree = {f".memory/{name}": File(text.encode()) for name, text in files.items()}
    return read_memory(tree, ".memory", config or Config())


def pattern(title: str, abstract: str) -> str:
    return f"---\ntype: pattern\nid: pattern-x\ntitle: {json.dumps(title)}\nabstract: {json.dumps(abstract)}\n---\n"


def rows(page: str) -> list[str]:
    return [line for line in page.split("\n") if line.startswith("|")][2:]


def test_each_entry_has_one_row_with_its_abstract_and_file(memory_repo: Repo) -> None:
    assert memory_repo.minutebook("index").code == 0
    page = memory_repo.read(INDEX)
    assert page.startswith(f"{MARKER}\n# Memory index\n")
    for name in (
        "DEC-2026-11-01-01",
        "DEC-2026-11-02-01",
        "DEC-2026-11-03-01",
        "pattern-migrations",
        "project-context",
    ):
        assert sum(line.startswith(f"| {name} |") for line in page.split("\n")) == 1
    assert "| Alembic for migrations | Every schema change is an Alembic migration. |" in page
    assert "](decisions/_log.md) |" in page
    assert page.index("## Project") < page.index("## Pattern") < page.index("## Decision")


def test_running_it_twice_changes_nothing(memory_repo: Repo) -> None:
    first = memory_repo.minutebook("index")
    assert "wrote 2 files" in first.out
    assert "search index: 6 entries, 6 added, 0 removed" in first.out
    before = (memory_repo.read(INDEX), memory_repo.read(TEMPLATE))
    second = memory_repo.minutebook("index")
    assert second.code == 0
    assert "nothing to write" in second.out
    assert "up to date" in second.out
    assert before == (memory_repo.read(INDEX), memory_repo.read(TEMPLATE))


def test_the_search_index_is_not_in_the_work_tree(memory_repo: Repo) -> None:
    memory_repo.minutebook("index")
    assert memory_repo.git("status", "--porcelain").split("\n") == ["?? .memory/_template.md", "?? .memory/index.md"]
    assert (memory_repo.path / ".git/minutebook/index.sqlite").is_file()


def test_check_says_that_a_page_is_out_of_step(memory_repo: Repo) -> None:
    assert memory_repo.minutebook("index", "--check").code == 1
    assert not (memory_repo.path / INDEX).exists()
    memory_repo.minutebook("index")
    assert memory_repo.minutebook("index", "--check").code == 0
    entry = (
        "### DEC-2026-11-04-01 — Logs are JSON\n**Decision:** The service logs JSON lines.\n**Date:** 2026-11-04\n\n"
    )
    memory_repo.write(LOG, memory_repo.read(LOG).replace("### DEC-2026-11-03", entry + "### DEC-2026-11-03"))
    done = memory_repo.minutebook("index", "--check")
    assert done.code == 1
    assert INDEX in done.out
    assert TEMPLATE not in done.out


def test_a_dry_run_writes_nothing(memory_repo: Repo) -> None:
    done = memory_repo.minutebook("index", "--dry-run", "--format", "json")
    assert done.code == 0
    assert [change["path"] for change in json.loads(done.out)["changes"]] == [INDEX, TEMPLATE]
    assert not (memory_repo.path / INDEX).exists()
    assert not (memory_repo.path / ".git/minutebook/index.sqlite").exists()


@pytest.mark.parametrize("name", [INDEX, TEMPLATE])
def test_a_page_made_by_hand_is_left_alone(memory_repo: Repo, name: str) -> None:
    memory_repo.write(name, "# Our own page\n")
    done = memory_repo.minutebook("index")
    assert done.code == 0
    assert f"{name} was made by hand" in done.out
    assert memory_repo.read(name) == "# Our own page\n"


def test_the_index_of_the_written_memory_is_in_step_with_the_check(memory_repo: Repo) -> None:
    memory_repo.minutebook("index")
    memory_repo.write(".minutebook.yaml", "index: strict\n")
    done = memory_repo.minutebook("check", "--all", "--today", "2026-11-20", "--only", "index")
    assert done.code == 0, done.out


def test_private_owner_spaces_stay_out_of_it_and_shared_ones_are_in() -> None:
    files = {"users/ada/profile.md": PROFILE}
    assert "Ada" not in index_page(memory_of(files))
    assert "| profile-ada | Ada |" in index_page(memory_of(files, Config(users="commit")))


@pytest.mark.parametrize(
    "title",
    [
        "pipes | in | it",
        "a \\| b",
        "`code | span",
        "<img src=x onerror=alert(1)>",
        "![x](https://evil.example/a.png)",
        "two\nlines",
        "line\u2028separator",
        "<!-- hidden",
        "@everyone|x",
    ],
)
def test_a_hostile_title_stays_in_its_cell(title: str) -> None:
    page = index_page(memory_of({"patterns/x.md": pattern(title, f"The abstract says {title} too.")}))
    (row,) = rows(page)
    bare = row.replace("\\\\", "").replace("\\|", "")
    assert bare.count("|") == 5
    assert "<img" not in row
    assert "<!--" not in row
    assert "](https" not in re.sub(r"`[^`]+`", "", row)
    assert "\u2028" not in page


def test_superseded_entries_are_marked() -> None:
    log = "### DEC-2026-11-01-01 — Old\n**Decision:** The old way.\n**Status:** superseded\n**Date:** 2026-11-01\n"
    assert "| *superseded* Old |" in index_page(memory_of({"decisions/_log.md": log}))


def test_the_same_memory_gives_the_same_page_whatever_the_order_of_its_files() -> None:
    files = {"patterns/x.md": pattern("One", "The first abstract."), "users/ada/profile.md": PROFILE}
    backwards = dict(reversed(files.items()))
    assert index_page(memory_of(files)) == index_page(memory_of(backwards))


def test_the_template_shows_every_type_and_a_type_of_your_own() -> None:
    handoff = read_type(HANDOFF.read_text("utf-8"), "handoff.yaml")
    page = template_page([*builtin_types().values(), handoff])
    assert is_generated(page)
    for mtype in (*builtin_types().values(), handoff):
        assert f"## {mtype.title}\n" in page
        assert f"`{mtype.place}`" in page
    assert "next_step: the first thing to do" in page
    assert "## Risks\nWhat to beware of" in page


def test_neither_generated_page_holds_entries(memory_repo: Repo) -> None:
    memory_repo.minutebook("index")
    done = memory_repo.minutebook("search", "Alembic", "--format", "json")
    assert {hit["path"] for hit in json.loads(done.out)["hits"]}.isdisjoint({INDEX, TEMPLATE})
