"""What a refresh writes where a path moved: the form that it was named in stays, and what is told of the past."""

import pytest

from conftest import TODAY, Repo
from minutebook.refresh.moved import Move, with_field, with_moves

AB, CORE = "src/ab.py", "src/core.py"
LONG = "".join(f"def step_{at}(x):\n    return x + {at}\n\n\n" for at in range(12))
PAGE = ".memory/patterns/page.md"
HEAD = "---\ntype: pattern\nid: pattern-page\ntitle: The page\nabstract: Where things lie.\ncreated: 2026-11-02\n"


def applied(repo: Repo, text: str, fields: str = "", after: str = LONG) -> str:
    """The page after a refresh that follows the move of `src/ab.py`, less its head."""
    repo.write(AB, LONG)
    repo.write(PAGE, f"{HEAD}{fields}---\n## Overview\n{text}\n")
    repo.commit("Page")
    repo.git("mv", AB, CORE)
    repo.write(CORE, after)
    repo.commit("Move")
    assert repo.minutebook("refresh", "--apply", "--today", TODAY).code == 0
    return repo.read(PAGE).removeprefix(HEAD).replace("---\n## Overview\n", "").rstrip("\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("See [it](../../src/ab.py).", "See [it](../../src/core.py)."),
        ("See [it](../../src/ab.py#L3) there.", "See [it](../../src/core.py#L3) there."),
        ("[It](../../src/ab.py#L3-L9), `./src/ab.py:7`.", "[It](../../src/core.py#L3-L9), `src/core.py:7`."),
        ("`src/ab.py` and `src/ab.py/x` and `lib/src/ab.py`.", "`src/core.py` and `src/ab.py/x` and `lib/src/ab.py`."),
        ("`src/ab.py`, `src/ab.pyc`, src/ab.py.", "`src/core.py`, `src/ab.pyc`, src/core.py."),
        ("`src/ab.py`. <!-- once `src/ab.py` -->", "`src/core.py`. <!-- once `src/ab.py` -->"),
    ],
)  # fmt: skip
def test_a_path_keeps_its_form_and_what_is_another_path_stays(memory_repo: Repo, before: str, after: str) -> None:
    assert applied(memory_repo, before) == after


def test_a_line_number_stays_where_the_lines_up_to_it_did(memory_repo: Repo) -> None:
    text = "[one](../../src/ab.py#L4), `src/ab.py:2`, `src/ab.py:30`, [two](../../src/ab.py#L30)."
    found = applied(memory_repo, text, after=LONG.replace("step_3(x)", "third(x)"))
    assert found == "[one](../../src/core.py#L4), `src/core.py:2`, `src/core.py`, [two](../../src/core.py)."


@pytest.mark.parametrize(
    "past",
    [
        "It was in `src/ab.py` before.",
        "It was renamed from `src/ab.py` in October.",
        "Moved out of `src/ab.py`, since that was too long.",
        "Until October the pool lay in `src/ab.py`.",
        "The limit lived\nin `src/ab.py`.",
        "`src/ab.py` held it until the split.",
        "Formerly `src/ab.py`.",
    ],
)
def test_a_sentence_that_tells_how_it_was_stays(memory_repo: Repo, past: str) -> None:
    text = f"Today all of it is in `src/ab.py`. {past} Ask `src/ab.py`."
    assert applied(memory_repo, text) == f"Today all of it is in `src/core.py`. {past} Ask `src/core.py`."


@pytest.mark.parametrize("text", ["Run `src/ab.py` before the tests.", "Read the flags from `src/ab.py`.",
                                  "It is decided in `src/ab.py`.", "- was\n- `src/ab.py`"])  # fmt: skip
def test_a_sentence_of_today_is_put_right(memory_repo: Repo, text: str) -> None:
    assert applied(memory_repo, text) == text.replace(AB, CORE)


@pytest.mark.parametrize(
    "fields",
    [
        "anchors:\n  - src/ab.py   # why: src/ab.py is the loader\n  # the next one\n  - \"src/cd.py\"\ntags: [a]\n",
        "anchors: ['src/ab.py', src/cd.py] # both\n",
        "anchors:\n- src/ab.py\n",
        "anchors: [src/ab.py:3]\n",
    ],
)  # fmt: skip
def test_comments_and_quotes_of_the_front_matter_stay(memory_repo: Repo, fields: str) -> None:
    memory_repo.write("src/cd.py", "x = 1\n")
    before, comment, rest = fields.partition("# why")
    wanted = before.replace(AB, CORE) + comment + rest
    assert applied(memory_repo, "Nothing.", fields) == f"{wanted}Nothing."


def test_line_ends_of_a_front_matter_stay() -> None:
    text = "---\r\ntitle: The src/ab.py  # c\r\nanchors:\r\n  - src/ab.py\r\n---\r\nx\r\n"
    moves = {AB: Move(AB, CORE, AB)}
    assert with_field(text, "anchors", [CORE], moves) == text.replace("- src/ab", "- src/core")
    assert with_field(text, "title", "The src/core.py", moves) == text.replace("The src/ab", "The src/core")


def test_a_field_that_cannot_be_put_right_in_place_is_written_anew() -> None:
    text = '---\nid: x\nanchors: ["src\\x2fab.py"] # c\n---\n'
    assert with_field(text, "anchors", [CORE], {AB: Move(AB, CORE, AB)}) == "---\nid: x\nanchors: [src/core.py]\n---\n"


def test_what_was_named_from_the_entry_stays_named_from_it() -> None:
    moves = {"img/a.png": Move("img/a.png", "docs/adr/pics/a.png", "docs/adr/img/a.png")}
    assert with_moves("![it](./img/a.png)\n", moves, "docs/adr") == "![it](pics/a.png)\n"


def test_two_that_changed_places_change_places() -> None:
    moves = {"a/b.py": Move("a/b.py", "c/d.py", "a/b.py"), "c/d.py": Move("c/d.py", "a/b.py", "c/d.py")}
    assert with_moves("`a/b.py` calls `c/d.py`.", moves) == "`c/d.py` calls `a/b.py`."


@pytest.mark.parametrize("text", ["src/ab.py " * 20_000, "`src/ab.py`\n" * 5_000, "was " * 20_000 + "src/ab.py",
                                  "<!-- " * 5_000 + "src/ab.py", "src/ab.py#L" + "1" * 50_000])  # fmt: skip
def test_hostile_texts_are_put_right_in_bounded_windows(text: str) -> None:
    assert with_moves(text, {AB: Move(AB, CORE, AB)}).count("\n") == text.count("\n")
