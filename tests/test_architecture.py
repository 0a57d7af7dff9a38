"""Who may import whom, and every module alone."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import minutebook

PACKAGE = Path(minutebook.__file__).parent
# A folder is a floor, or a room of the pure floor. What stands beside the folders:
# JOINTS join edges and pure for the verbs, as a verb does, but belong to no one verb.
JOINTS = {
    "checkpoint_reading",
    "gate",
    "large",
    "learning",
    "maintenance",
    "merging",
    "reading",
    "settle",
    "tally",
    "terminal",
    "verdict",
    "workspace",
}
DOOR = {"__init__", "__main__", "cli", "plain", "quick"}
# What the other edges stand on: git itself, files as git and the disk hold them, requests over HTTP.
LOWEST = {
    "edges/spawn", "edges/git_process", "edges/git_batch", "edges/git_trees", "edges/git", "edges/git_objects",
    "edges/published", "edges/work_tree", "edges/rest", "edges/durable", "edges/places",
}  # fmt: skip
HEAVY = {
    "sklearn": {"similar"},
    "numpy": {"similar"},
    "jinja2": {"pages/render"},
    "anthropic": {"edges/llm"},
    "httpx2": set[str](),
    "msgspec": {"transcripts/decoding"},
    "ijson": {"transcripts/streamed"},
    "ahocorasick_rs": {"redaction/literals"},
}

MODULES = sorted(path.relative_to(PACKAGE).with_suffix("").as_posix() for path in PACKAGE.rglob("*.py"))


def layer(module: str) -> str:
    top = module.split("/")[0]
    if top in ("commands", "staleness") or module in JOINTS:
        return "verbs"
    if module in DOOR:
        return "door"
    return top if top in ("ground", "edges") else "pure"


ALLOWED = {
    "ground": {"ground"},
    "pure": {"ground", "pure"},
    "edges": {"ground"},
    "verbs": {"ground", "pure", "edges", "verbs"},
    "door": {"ground", "verbs", "door"},
}


def imports(module: str) -> Iterator[tuple[str, bool]]:
    """(what is imported, whether inside a function) for every import statement; TYPE_CHECKING ones don't run."""
    tree = ast.parse((PACKAGE / f"{module}.py").read_text("utf-8"))
    inner = {id(node) for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) for node in ast.walk(each)}
    typing_only = {
        id(node)
        for each in ast.walk(tree)
        if isinstance(each, ast.If) and isinstance(each.test, ast.Name) and each.test.id == "TYPE_CHECKING"
        for node in ast.walk(each)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in inner) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            assert node.level == 0, f"{module}: write the whole name of what is imported"
            for alias in node.names:
                yield f"{node.module}.{alias.name}", id(node) in inner


def ours(name: str) -> str | None:
    """`checks/text` for minutebook.checks.text.text; None for what isn't ours."""
    parts = name.split(".")
    if parts[0] != "minutebook":
        return None
    for end in range(len(parts), 0, -1):
        place = "/".join(parts[1:end])
        if place in MODULES:
            return place
        if f"{place}/__init__".lstrip("/") in MODULES:
            return f"{place}/__init__".lstrip("/")
    raise AssertionError(name)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_its_floor_may(module: str) -> None:
    mine = layer(module)
    for name, _ in imports(module):
        other = ours(name)
        if other is None or other == module:
            continue
        allowed = layer(other) in ALLOWED[mine] or (mine == "edges" and other in LOWEST)
        assert allowed, f"{module} ({mine}) imports {other} ({layer(other)})"


@pytest.mark.parametrize("module", MODULES)
def test_what_costs_seconds_is_imported_by_one_module_and_inside_a_function(module: str) -> None:
    for name, inside in imports(module):
        heavy = name.split(".")[0]
        if heavy in HEAVY:
            assert module in HEAVY[heavy], f"{module} imports {heavy}"
            assert inside, f"{module} imports {heavy} when it is imported itself"


@pytest.mark.parametrize("module", [module for module in MODULES if layer(module) in ("ground", "pure")])
def test_what_decides_starts_nothing_and_asks_no_clock_and_no_network(module: str) -> None:
    outside = {"subprocess", "socket", "urllib", "http", "time", "random", "threading", "tempfile"}
    asked = {name.split(".")[0] for name, _ in imports(module) if not name.startswith("urllib.parse.")}
    assert asked & outside == set()
    tree = ast.parse((PACKAGE / f"{module}.py").read_text("utf-8"))
    asked = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert asked & {"environ", "getenv", "expanduser"} == set()
    called = {
        node.func.attr for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    assert called & {"now", "utcnow", "today", "cwd"} == set()


def test_no_two_modules_import_each_other() -> None:
    graph = {
        module: {other for name, inside in imports(module) if (other := ours(name)) and not inside and other != module}
        for module in MODULES
    }
    done: set[str] = set()
    while ready := {module for module, needs in graph.items() if module not in done and needs <= done}:
        done |= ready
    assert set(MODULES) - done == set()


def test_the_lists_of_this_test_name_modules_that_exist() -> None:
    unknown = (LOWEST | JOINTS | DOOR) - set(MODULES)
    assert unknown == set()


def test_every_module_imports_alone() -> None:
    names = [f"minutebook.{module.replace('/', '.')}".removesuffix(".__init__") for module in MODULES]
    script = (
        "import importlib, sys\n"
        "for name in sys.argv[1:]:\n"
        "    for loaded in [each for each in sys.modules if each.split('.')[0] == 'minutebook']:\n"
        "        del sys.modules[loaded]\n"
        "    importlib.import_module(name)\n"
        "heavy = {'sklearn', 'numpy', 'jinja2', 'anthropic', 'httpx2', 'msgspec', 'ijson', 'ahocorasick_rs'}\n"
        "print(sorted({each.split('.')[0] for each in sys.modules} & heavy))\n"
    )
    done = subprocess.run([sys.executable, "-c", script, *names], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[]\n"
