"""Values that an entry tells and code, an image, a hook or a module of today gives otherwise, each way."""

from collections.abc import Mapping

import pytest

from conftest import Repo
from minutebook.refresh.anchors import references
from minutebook.refresh.values import another_value
from test_anchors import entry_of
from test_refresh import POOL, reasons, stale
from test_refresh_kinds import fate_of, seen
from test_refresh_signals import PAGE

CODE = {"src/a.py": "MAX_TRIES = 3\nDEFAULT_TIMEOUT: float = 30.0\n", "src/b.ts": "export const PAGE_SIZE = 1_000;\n"}
DOCKER = {"Dockerfile": "FROM python:3.10-slim AS build\nFROM --platform=linux/amd64 node:20\n"}
HOOKS = {".pre-commit-config.yaml": "repos:\n- repo: https://git.example.org/psf/black\n  rev: 23.1.0\n"}
GO = {"go.mod": "module up\n\ngo 1.21\n\nrequire (\n\tgithub.com/spf13/cobra v1.7.0\n)\n"}
BLACK = {"pyproject.toml": "[tool.black]\nline-length = 100\n"}


@pytest.mark.parametrize(
    ("body", "path", "old", "new", "given"),
    [
        ("`MAX_TRIES` is 3", "src/a.py", "3", "5", "5"),
        ("`MAX_TRIES = 3`", "src/a.py", "3", "5", "5"),
        ("30 seconds: `DEFAULT_TIMEOUT = 30`", "src/a.py", "30.0", "45.0", "45"),
        ("`PAGE_SIZE` stays at 1000", "src/b.ts", "1_000", "500", "500"),
        ("`MAX_TRIES` is 3", "src/a.py", "MAX_TRIES = 3", "MAX_TRIES = 3\nOTHER = 5", ""),
        ("`MAX_TRIES` is 4", "src/a.py", "3", "5", ""),
        ("`MAX_TRIES` is small", "src/a.py", "3", "5", ""),
        ("`MAX_TRIES` is 3% of all", "src/a.py", "3", "5", ""),
        ("`MAX_TRIES` is 3", "src/a.py", "= 3", "= limit(5)", ""),
        ("`MAX_TRIES` is 3", "src/a.py", "MAX_TRIES = 3", "MAX_TRIES = 5\nMAX_TRIES = 6", ""),
        ("`MAX_TRIES` is 3", "src/a.py", "MAX_TRIES = 3", "# MAX_TRIES = 9\nMAX_TRIES = 3", ""),
    ],
)
def test_a_constant_that_had_the_value_told_and_has_another(
    body: str, path: str, old: str, new: str, given: str
) -> None:
    now = {**CODE, path: CODE[path].replace(old, new)}
    named = [each for each in references(entry_of(f"See {body}.\n")) if each.kind == "constant"]
    assert [another_value(each, seen(CODE, now), seen(now, now)) for each in named] == [given]


@pytest.mark.parametrize(
    ("body", "then", "old", "new", "kind", "state"),
    [
        ("`python:3.10-slim`", DOCKER, "3.10", "3.12", "version", "changed"),
        ("`python:3.10-slim`", DOCKER, "slim", "alpine", "version", ""),
        ("`node:20`", DOCKER, "node:20", "node:22", "version", "changed"),
        ("`redis:7`", DOCKER, "node", "deno", "version", ""),
        ("black 23.1", HOOKS, "23.1.0", "24.2.0", "version", "changed"),
        ("black 23.1", HOOKS, "23.1.0", "23.1.1", "version", ""),
        ("`github.com/spf13/cobra v1.7`", GO, "v1.7.0", "v1.8.0", "version", "changed"),
        ("cobra 1.7", GO, "v1.7.0", "v1.8.0", "version", "changed"),
        ("cobra 1.7", GO, "v1.7.0", "v1.7.4", "version", ""),
        ("Go 1.21", GO, "go 1.21", "go 1.23", "version", "changed"),
        ("`black`", BLACK, "black", "ruff", "tool", "gone"),
        ("`[tool.black]`", BLACK, "black", "ruff", "tool", "gone"),
        ("`black`", BLACK, "100", "120", "tool", ""),
    ],
)
def test_images_hooks_modules_and_tables_are_manifests_too(
    body: str, then: Mapping[str, str], old: str, new: str, kind: str, state: str
) -> None:
    keep = {"keep.txt": "x\n"}
    now = {**keep, **{path: text.replace(old, new) for path, text in then.items()}}
    found = {str(kind): fate for kind, fate in fate_of(body, now, {}, {**keep, **then}).items()}[kind]
    assert (found.kind if found is not None else "") == state


def test_the_reason_tells_both_values(memory_repo: Repo) -> None:
    memory_repo.write("src/a.py", CODE["src/a.py"])
    memory_repo.write(PAGE, POOL.format(anchor="README.md", text="We try thrice: `MAX_TRIES` is 3."))
    memory_repo.commit("Said")
    assert stale(memory_repo) == {}
    memory_repo.write("src/a.py", CODE["src/a.py"].replace("3\n", "5\n", 1))
    memory_repo.commit("Changed")
    found = stale(memory_repo)["pattern-pool"]
    assert (found["kind"], found["line"]) == ("changed", 10)
    assert "says 3 of `MAX_TRIES`, which is 5 now" in reasons(found)


@pytest.mark.parametrize("path", ["src/ünïcode.py", "src/a b.py", ".env.example", "go.sum", "src/lib/stores.ts"])
def test_a_path_of_an_unusual_shape_is_seen_to_go(memory_repo: Repo, path: str) -> None:
    memory_repo.write(path, "x = 1\n")
    said = path.replace("src/lib/", "$lib/")
    memory_repo.write(PAGE, POOL.format(anchor="README.md", text=f"It lives in `{said}`."))
    memory_repo.commit("Said")
    assert stale(memory_repo) == {}
    memory_repo.git("rm", "--quiet", path)
    memory_repo.commit("Changed")
    assert f"{said} is gone" in reasons(stale(memory_repo)["pattern-pool"])
