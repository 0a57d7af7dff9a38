"""What counts as a reference in an entry's text, and what does not."""

import pytest

from minutebook.ground.entry import Entry, read_entry
from minutebook.ground.log_entry import read_log
from minutebook.ground.memory_type import builtin_types
from minutebook.refresh.anchors import references
from minutebook.refresh.listing import Listing, Tree
from minutebook.refresh.resolvers import resolve
from minutebook.refresh.view import DEFINED, QUOTED, USED, View
from minutebook.refresh.vocabulary import spots_in

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
        ("Use `session_scope()` around writes.\n", ("symbol", "session_scope")),
        ("Use `db.PoolManager` for it.\n", ("symbol", "db.PoolManager")),
        ("`MAX_RETRIES` is three.\n", ("constant", "MAX_RETRIES")),
        ("Pass `--dry-run` first.\n", ("flag", "--dry-run")),
        ("Run `up serve --port 1`.\n", ("flag", "--port")),
        ("Ask `@scope/package` about it.\n", ("package", "@scope/package")),
        ("It needs Python 3.11 at least.\n", ("version", "python 3.11")),
        ("It needs `click>=8.1`.\n", ("version", "click 8.1")),
        ("Lint with eslint.\n", ("tool", "eslint")),
        ("As DEC-2026-11-02-01 says.\n", ("entry", "DEC-2026-11-02-01")),
        ("See https://git.example.org/a/b/blob/main/src/x.py#L3.\n", ("url", "src/x.py")),
        ("It is `src/ünïcode.py`.\n", ("path", "src/ünïcode.py")),
        ("It is src/日本.py, as said.\n", ("path", "src/日本.py")),
        ("It is `src/a b.py`.\n", ("path", "src/a b.py")),
        ("See [it](<../../src/a b.py>).\n", ("path", "../../src/a b.py")),
        ("See [it](../../src/a%20b.py).\n", ("path", "../../src/a b.py")),
        ("It is `$lib/stores.ts`.\n", ("path", "$lib/stores.ts")),
        ("It is `app/routes/$id.tsx`.\n", ("path", "app/routes/$id.tsx")),
        ("Copy `.env.example`.\n", ("path", ".env.example")),
        ("Sums are in `go.sum`.\n", ("path", "go.sum")),
        ("Sums are in go.sum as ever.\n", ("path", "go.sum")),
        ("Run it with ACME_DEBUG=1.\n", ("constant", "ACME_DEBUG")),
        ("Run `ACME_DEBUG=1 make`.\n", ("constant", "ACME_DEBUG")),
        ("It is `MAX_TRIES = 3`.\n", ("constant", "MAX_TRIES")),
        ("It has `[tool.black]`.\n", ("tool", "black")),
        ("Format with `black`.\n", ("tool", "black")),
        ("It starts from `python:3.10-slim`.\n", ("version", "image python 3.10")),
        ("It needs `github.com/spf13/cobra v1.8.0`.\n", ("version", "github.com/spf13/cobra 1.8.0")),
        ("As pattern-pool says.\n", ("entry", "pattern-pool")),
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
        "There were 3 of 4.\n",
        "Either and/or both, input/output, version 1.2.\n",
        "The words decision and Postgres say little.\n",
        "A permalink https://git.example.org/a/b/blob/0a1b2c3d4e/src/x.py stays.\n",
        "Write to `/etc/app/config.yaml` or `~/.config/app.yaml`.\n",
        "The file is `src/<name>/db.py` or `src/{a,b}.py`.\n",
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
    entry = entry_of("", HEAD.replace("title", "anchors: [./src/app/, /etc/passwd]\ntitle"))
    assert [each.text for each in references(entry)] == ["src/app"]


FILES = {
    "Makefile": "lint: build\n\truff check\nVAR := lint2\n",
    "package.json": '{"name": "web", "scripts": {"dev": "vite"}, "devDependencies": {"@types/node": "^18.1.0"}}',
    "pyproject.toml": (
        '[project]\nname = "up"\nrequires-python = ">=3.11"\ndependencies = ["click>=8.1", "Django~=4.2"]\n'
        '[project.scripts]\nup = "up:main"\n[tool.pytest.ini_options]\n'
    ),
    "src/up/__main__.py": '@main.command("serve")\ndef serve(port):\n    parser.add_argument("-p", "--port")\n',
    "src/up/db.py": (
        'class Pool:\n    """Not to be confused with PoolMonster."""\n    def connect(self, timeout=3):\n'
        "        return os.environ['UPLOAD_DSN']  # PoolShark\n"
    ),
    "src/up/other.py": "def connect_all():\n    return requests.Session(session_scope())\n",
    "docs/adr/one.md": "PoolMonster\n",
}


def view(files: dict[str, str]) -> View:
    def spots(word: str) -> dict[str, int]:
        held = {path: spots_in(text, path.rpartition(".")[2], {word}) for path, text in files.items()}
        return {path: found[word] for path, found in held.items() if word in found and not path.endswith(".md")}

    tree = Tree(Listing({path: path for path in files}))
    return View("c" * 40, "2026-11-02", tree, files.__getitem__, spots, {"DEC-2026-11-02-01"}.__contains__)


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
        ("https://git.example.org/own/up/blob/main/src/up/db.py", True),
        ("https://git.example.org/own/up/blob/main/up/db.py", False),
        ("`make lint`", True),
        ("`make lint2`", False),
        ("`make absent`", False),
        ("`npm run dev`", True),
        ("`npm run absent`", False),
        ("`yarn dev`", True),
        ("`up serve --port 1`", True),
        ("`up absent`", False),
        ("`uv run up serve`", True),
        ("`git serve --port 1`", False),
        ("`python -m up`", True),
        ("`python -m down`", False),
        ("`Pool`", True),
        ("`Pool.connect`", True),
        ("`up.db`", True),
        ("`PoolMonster`", False),
        ("`PoolShark`", False),
        ("`session_scope`", True),
        ("`timeout`", True),
        ("`waiting`", False),
        ("`UPLOAD_DSN`", True),
        ("`UPLOAD_URL`", False),
        ("`--port`", True),
        ("`--absent`", False),
        ("`click`", True),
        ("`@types/node`", True),
        ("`flask`", False),
        ("Python 3.11", True),
        ("Python 3.1", False),
        ("`django==4.2`", True),
        ("Django 5.1", False),
        ("Tests run with pytest", True),
        ("Tests run with jest", False),
        ("see DEC-2026-11-02-01", True),
        ("see DEC-2026-11-02-09", False),
    ],
)
def test_each_kind_resolves_by_its_own_rule(body: str, resolves: bool) -> None:
    read = references(entry_of(f"See {body}.\n"))
    assert read
    assert any(resolve(reference, view(FILES), ".memory/patterns") is not None for reference in read) == resolves


@pytest.mark.parametrize(
    ("body", "loose", "foreign"),
    [
        ("`db.py`", True, False),
        ("`Session.connect`", True, False),
        ("`session_scope`", False, True),
        ("`Pool.connect`", False, False),
    ],
)
def test_a_weaker_way_to_resolve_is_told_from_a_strong_one(body: str, loose: bool, foreign: bool) -> None:
    found = resolve(references(entry_of(f"See {body}.\n"))[0], view(FILES), "")
    assert found is not None
    assert (found.loose, found.foreign) == (loose, foreign)


def test_a_broken_manifest_declares_nothing() -> None:
    broken = view({"package.json": '{"scripts": [', "pyproject.toml": "[project", "Cargo.toml": "package = 3"})
    for body in ("`npm run dev`", "`click`", "Python 3.11", "`up serve`"):
        assert all(resolve(each, broken, "") is None for each in references(entry_of(f"{body}\n")))


@pytest.mark.parametrize(
    ("suffix", "text", "word", "bits"),
    [
        ("py", "def close_pool(force): ...\n", "close_pool", USED | DEFINED),
        ("py", "def close_pool(force=False): ...\n", "force", USED | DEFINED),
        ("py", "LIMIT: int = 3\n", "LIMIT", USED | DEFINED),
        ("py", "x = close_pool()\n", "close_pool", USED),
        ("py", "# close_pool\n", "close_pool", None),
        ("py", "def f():\n    '''close_pool'''\n", "close_pool", None),
        ("py", "add('-f', '--force-it')\n", "--force-it", USED | QUOTED),
        ("ts", "export const closePool = () => 1\n", "closePool", USED | DEFINED),
        ("ts", "  async closePool(force: boolean) {\n", "closePool", USED | DEFINED),
        ("ts", "// closePool\n/* closePool */\n", "closePool", None),
        ("go", "func (p *Pool) Close() error {\n", "Close", USED | DEFINED),
        ("rs", "pub fn close_pool(force: bool) {\n", "close_pool", USED | DEFINED),
        ("java", "  public static void closePool(int x) {\n", "closePool", USED | DEFINED),
        ("yml", "close_pool: 3\n", "close_pool", USED | DEFINED),
        ("sh", "  --force-it)\n", "--force-it", USED | DEFINED),
        ("sql", "-- close_pool\n", "close_pool", None),
    ],
)
def test_a_word_of_code_is_defined_used_or_quoted_and_none_in_a_comment(
    suffix: str, text: str, word: str, bits: int | None
) -> None:
    assert spots_in(text, suffix, {word}).get(word) == bits


@pytest.mark.parametrize("suffix", ["py", "ts", "yml"])
def test_hostile_code_is_read_in_linear_time(suffix: str) -> None:
    for piece in ("/*", '"""\n', "a: ", "def f(", "(a ", "a,\n", '"a b', "a.", "-", "<!--", "a|", "def f(()"):
        assert spots_in(f"{piece * 60_000} afoo", suffix, {"absent"}) == {}
        assert len(spots_in(f"{piece * 100}\n" * 600 + "\nafoo\n", suffix, {"afoo"})) <= 1
