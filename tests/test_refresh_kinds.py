"""Each kind of thing that an entry can name, each way: it stands, it is gone, it moved, it was never there."""

from collections.abc import Mapping

import pytest

from minutebook.refresh.anchors import Kind, references
from minutebook.refresh.fate import Fate, fates
from minutebook.refresh.listing import Listing, Tree
from minutebook.refresh.view import View
from minutebook.refresh.vocabulary import NO_CODE, spots_in
from test_anchors import entry_of

POOL = "class Pool:\n    def connect(self, timeout=3):\n        return os.environ['UPLOAD_DSN']\n\n\nMAX_TRIES = 3\n"
CLI = '@main.command("serve")\ndef serve():\n    parser.add_argument("--port")\n'
PYPROJECT = (
    '[project]\nname = "up"\nrequires-python = ">=3.11"\ndependencies = ["click>=8.1", "redis>=5"]\n'
    '[project.scripts]\nup = "up:main"\n[tool.pytest.ini_options]\n'
)
PACKAGE = '{"scripts": {"dev": "vite"}, "devDependencies": {"@types/node": "^18.1.0", "jest": "29"}}'
THEN = {
    "src/up/pool.py": POOL,
    "src/up/cli.py": CLI,
    "src/up/worker/run.py": "def run_worker():\n    return 1\n",
    "docs/adr/one.md": "One\n",
    "pyproject.toml": PYPROJECT,
    "package.json": PACKAGE,
    "Makefile": "lint:\n\truff check\n",
}
Files = Mapping[str, str]


def without(path: str) -> Files:
    return {name: text for name, text in THEN.items() if name != path}


def with_text(path: str, old: str, new: str) -> Files:
    assert old in THEN[path]
    return {**THEN, path: THEN[path].replace(old, new)}


def moved(old: str, new: str) -> Files:
    return {new if name == old else name: text for name, text in THEN.items()}


def seen(files: Files, base: Files) -> View:
    """The files at a commit, told by how they differ from `base`; a file's bytes are their own id."""

    def spots(word: str) -> dict[str, int]:
        code = {path: text for path, text in files.items() if not NO_CODE.fullmatch(path)}
        held = {path: spots_in(text, path.rpartition(".")[2], {word}) for path, text in code.items()}
        return {path: found[word] for path, found in held.items() if word in found}

    delta = {path: files.get(path, "") for path in {*files, *base} if files.get(path) != base.get(path)}
    return View("c" * 40, "2026-11-02", Tree(Listing(dict(sorted(base.items()))), delta), str, spots)


def fate_of(body: str, now: Files, renamed: Mapping[str, str], then: Files = THEN) -> dict[Kind, Fate | None]:
    named = references(entry_of(f"See {body}.\n"))
    assert named, body
    found = fates(named, ".memory/patterns", seen(then, now), seen(now, now), lambda path: renamed.get(path, ""))
    return {reference.kind: fate for reference, fate in found}


GONE: list[tuple[Kind, str, Files]] = [
    ("path", "`src/up/pool.py`", without("src/up/pool.py")),
    ("path", "src/up/pool.py:3", without("src/up/pool.py")),
    ("path", "[the pool](../../src/up/pool.py#L3)", without("src/up/pool.py")),
    ("dir", "`src/up/worker/`", without("src/up/worker/run.py")),
    ("glob", "`docs/**/*.md`", without("docs/adr/one.md")),
    ("url", "https://git.example.org/own/up/blob/main/src/up/pool.py", without("src/up/pool.py")),
    ("symbol", "`run_worker()`", with_text("src/up/worker/run.py", "run_worker", "work")),
    ("symbol", "`PoolKeeper`", with_text("src/up/pool.py", "Pool", "Basin")),
    ("symbol", "`Pool.connect`", with_text("src/up/pool.py", "connect", "open")),
    ("symbol", "`up.worker.run`", without("src/up/worker/run.py")),
    ("word", "`timeout`", with_text("src/up/pool.py", "timeout", "patience")),
    ("constant", "`MAX_TRIES`", with_text("src/up/pool.py", "MAX_TRIES", "MOST")),
    ("constant", "`UPLOAD_DSN`", with_text("src/up/pool.py", "UPLOAD_DSN", "DSN")),
    ("flag", "`--port`", with_text("src/up/cli.py", "--port", "--address")),
    ("flag", "`up serve --port 1`", with_text("src/up/cli.py", "--port", "--address")),
    ("command", "`up serve`", with_text("src/up/cli.py", "serve", "listen")),
    ("command", "`make lint`", with_text("Makefile", "lint", "style")),
    ("command", "`npm run dev`", with_text("package.json", '"dev"', '"start"')),
    ("command", "`python -m up.cli`", without("src/up/cli.py")),
    ("package", "`redis`", with_text("pyproject.toml", ', "redis>=5"', "")),
    ("package", "`@types/node`", with_text("package.json", "@types/node", "@types/deno")),
    ("version", "`redis>=5`", with_text("pyproject.toml", ', "redis>=5"', "")),
    ("tool", "Tests run with pytest", with_text("pyproject.toml", "[tool.pytest.ini_options]", "")),
]
THERE = {"`PoolKeeper`": {**THEN, "src/up/pool.py": POOL.replace("Pool", "PoolKeeper")}}


@pytest.mark.parametrize(("kind", "body", "now"), GONE, ids=[f"{kind} {body}" for kind, body, _ in GONE])
def test_it_stands_or_is_gone_and_what_was_never_there_is_unknown(kind: Kind, body: str, now: Files) -> None:
    then = THERE.get(body, THEN)
    assert fate_of(body, then, {}, then)[kind] is None
    fate = fate_of(body, now, {}, then)[kind]
    assert fate is not None
    assert (fate.kind, fate.target) == ("gone", "")
    assert "is gone" in fate.words
    assert fate_of(body, {"other.txt": ""}, {}, now)[kind] is None


@pytest.mark.parametrize(
    ("kind", "body", "target"),
    [
        ("path", "`src/up/pool.py`", "src/core/basin.py"),
        ("dir", "`src/up/worker/`", "src/jobs"),
        ("glob", "`src/up/worker/**/*.py`", "src/jobs/**/*.py"),
        ("url", "https://git.example.org/own/up/tree/main/src/up/pool.py", "src/core/basin.py"),
    ],
)
def test_what_git_followed_is_moved_and_not_gone(kind: Kind, body: str, target: str) -> None:
    renamed = {"src/up/pool.py": "src/core/basin.py", "src/up/worker/run.py": "src/jobs/run.py"}
    edited = {renamed.get(path, path): f"{text}# edited\n" for path, text in THEN.items()}
    for now in (edited, {renamed.get(path, path): text for path, text in THEN.items()}):
        fate = fate_of(body, now, renamed)[kind]
        assert fate is not None
        assert (fate.kind, fate.target) == ("moved", target)


def test_a_symbol_that_moved_with_its_file_stands() -> None:
    now = moved("src/up/pool.py", "src/core/basin.py")
    for body in ("`Pool.connect`", "`UPLOAD_DSN`", "`MAX_TRIES`", "`timeout`"):
        assert set(fate_of(body, now, {}).values()) == {None}


@pytest.mark.parametrize(
    ("body", "old", "new", "says"),
    [
        ("Python 3.11", ">=3.11", ">=3.13", "it says >=3.13, and said >=3.11"),
        ("`click>=8.1`", "click>=8.1", "click>=9", "it says >=9, and said >=8.1"),
    ],
)
def test_a_version_that_a_manifest_says_otherwise_is_changed(body: str, old: str, new: str, says: str) -> None:
    fate = fate_of(body, with_text("pyproject.toml", old, new), {})["version"]
    assert fate is not None
    assert fate.kind == "changed"
    assert says in fate.words
