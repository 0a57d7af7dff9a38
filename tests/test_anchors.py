"""What counts as a reference in an entry's text, and what does not."""

import pytest

from minutebook.ground.entry import Entry, read_entry
from minutebook.ground.log_entry import read_log
from minutebook.ground.memory_type import builtin_types
from minutebook.refresh.anchors import looked_for, references
from minutebook.refresh.resolve import View, resolve

HEAD = "---\ntype: pattern\nid: pattern-x\ntitle: Some pattern\n---\n"


def entry_of(body: str, head: str = HEAD) -> Entry:
    entry, problems = read_entry(".memory/patterns/x.md", head + body, builtin_types()["pattern"], "x")
    assert entry is not None, problems
    return entry


def found(body: str) -> list[tuple[str, str]]:
    return [(reference.kind, reference.text) for reference in references(entry_of(body))]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("See `src/app/db.py`.\n", ("path", "src/app/db.py")),
        ("See src/app/db.py, it opens the pool.\n", ("path", "src/app/db.py")),
        ("See ./src/app/db.py:41 for it.\n", ("path", "src/app/db.py")),
        ("See [the pool](../../src/app/db.py#pool).\n", ("path", "../../src/app/db.py")),
        ("All of `migrations/**/*.sql` has a way down.\n", ("glob", "migrations/**/*.sql")),
        ("Code lies in `src/app/`.\n", ("dir", "src/app")),
        ("Pages are in `app/[slug]/page.tsx`.\n", ("path", "app/[slug]/page.tsx")),
        ("Settings are in .eslintrc.json for all.\n", ("path", ".eslintrc.json")),
        ("Run `make lint` before a push.\n", ("command", "make lint")),
        ("Run `python tools/gen.py --all` first.\n", ("path", "tools/gen.py")),
        ("Use `session_scope()` around writes.\n", ("identifier", "session_scope")),
        ("Use `db.PoolManager` for it.\n", ("identifier", "PoolManager")),
        ("`MAX_RETRIES` is three.\n", ("identifier", "MAX_RETRIES")),
    ],
)
def test_is_a_reference(body: str, expected: tuple[str, str]) -> None:
    assert expected in found(body)


@pytest.mark.parametrize(
    "body",
    [
        "```sh\ncat src/app/db.py\n```\n",
        "<!-- src/app/db.py -->\n",
        "Nothing <!-- `src/app/db.py` --> here.\n",
        "> the quote names src/app/db.py\n",
        "See https://example.org/src/app/db.py for it.\n",
        "See `https://example.org/src/app/db.py`.\n",
        "Either and/or both, input/output, version 1.2.\n",
        "The word `decision` and the word `Alembic` say little.\n",
        "Write to `/etc/app/config.yaml` or `~/.config/app.yaml`.\n",
        "The file is `src/<name>/db.py` or `src/{a,b}.py`.\n",
        "Ask `@scope/package` about it.\n",
        "One glob too many: `a*b*c*d*e*f*g*h/x.py`.\n",
    ],
)
def test_is_no_reference(body: str) -> None:
    assert found(body) == []


def test_explicit_anchors_come_first_with_their_lines_and_are_not_named_twice() -> None:
    head = HEAD.replace("---\ntype", "---\nanchors: [src/app/, ./db.py]\ntype")
    read = references(entry_of("The file `src/app/` and `db.py`.\n", head))
    assert [(each.kind, each.text, each.explicit, each.line) for each in read] == [
        ("dir", "src/app", True, 2),
        ("path", "db.py", True, 2),
    ]


def test_a_log_entry_gives_file_lines_and_leaves_out_its_source_and_labels() -> None:
    text = (
        "# Decisions\n\n### DEC-2026-11-02-01 — Pool\n**Decision:** The pool lives in\n`src/app/db.py`.\n"
        "**Date:** 2026-11-02\n**Related:** docs/old/plan.md\n**Anchors:** src/app/pool.py\n"
        "**Source:** session s-1, turn 4, user\n> put it into src/app/other.py\n"
    )
    entry = read_log(".memory/decisions/_log.md", text, builtin_types()["decision"]).entries[0]
    read = [(each.kind, each.text, each.line) for each in references(entry)]
    assert read == [("path", "src/app/pool.py", 8), ("path", "src/app/db.py", 5)]


def test_hostile_lines_are_read_in_linear_time() -> None:
    for line in ("`" * 200_000, "](" * 100_000, "a/" * 100_000, "<!--" * 50_000, "_a." * 80_000, "`a " * 80_000):
        assert len(found(f"{line}\n")) <= 1


def test_an_anchor_is_looked_for_without_its_decoration() -> None:
    assert looked_for("./src/app/") == "src/app"
    assert looked_for("/etc/passwd") == ""


FILES = {
    "Makefile": "lint: build\n\truff check\nVAR := lint2\n",
    "package.json": '{"scripts": {"dev": "vite"}}',
    "pyproject.toml": '[project]\nname = "up"\n[project.scripts]\nup = "up:main"\n',
    "src/up/__main__.py": "",
    "src/up/db.py": "",
    "docs/adr/one.md": "",
}


def view() -> View:
    return View("c" * 40, "2026-11-02", {path: path for path in FILES}, FILES.__getitem__, {"PoolManager"}.__contains__)


@pytest.mark.parametrize(
    ("body", "resolves"),
    [
        ("`src/up/db.py`", True),
        ("`up/db.py`", True),
        ("`p/db.py`", False),
        ("`db.py`", True),
        ("[adr](../../docs/adr/one.md)", True),
        ("`docs/adr/`", True),
        ("`docs/adr/*.md`", True),
        ("`docs/**/one.md`", True),
        ("`docs/*.md`", False),
        ("`make lint`", True),
        ("`make lint2`", False),
        ("`make absent`", False),
        ("`npm run dev`", True),
        ("`npm run absent`", False),
        ("`yarn dev`", True),
        ("`up serve --port 1`", True),
        ("`python -m up`", True),
        ("`python -m down`", False),
        ("`PoolManager`", True),
        ("`PoolMonster`", False),
    ],
)
def test_each_kind_resolves_by_its_own_rule(body: str, resolves: bool) -> None:
    reference = references(entry_of(f"See {body}.\n"))[0]
    assert (resolve(reference, view(), ".memory/patterns") is not None) == resolves


def test_a_broken_manifest_declares_nothing() -> None:
    broken = View("c", "", {"package.json": "b"}, lambda _: '{"scripts": [', lambda _: False)
    assert resolve(references(entry_of("`npm run dev`\n"))[0], broken, "") is None
