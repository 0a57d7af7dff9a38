"""A large memory, judged in parts, is judged as a small one is."""

import shutil
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from conftest import CASE, FIRST, LOG, LOG_HEAD, MEMORY, PATTERN, SECOND, THIRD, TODAY, Repo, environment
from example_files import examples, real_bytes
from minutebook import large, verdict
from minutebook.checks import judge
from minutebook.checks.baseline import baseline_bytes, without_known
from minutebook.checks.cases import Side, cases
from minutebook.checks.in_parts import Found, Source, judged_in_parts
from minutebook.gate import Asked
from minutebook.ground.change import EXECUTABLE, File, Tree
from minutebook.ground.config import Config
from minutebook.ground.memory import read_memory
from minutebook.pages.index_page import index_page

ROOT = ".memory"
DAY = date.fromisoformat(TODAY)
CONFIG = Config(users="commit")


def pattern(name: str, more: str = "", id: str = "") -> str:
    return (
        f"---\ntype: pattern\nid: {id or name}\ntitle: The rule {name}\nabstract: What {name} says.\n{more}---\nText.\n"
    )


def mixed() -> dict[str, File]:
    """Every example in one root, and what only a whole memory can show."""
    placed = [each for each in examples() if each.kind != "config"]
    tree = {f"{ROOT}/{each.place}": File(real_bytes(each.file), each.mode) for each in placed}
    texts = MEMORY | {
        f"{ROOT}/patterns/a-twin.md": pattern("twin"),
        f"{ROOT}/patterns/z-twin.md": pattern("TWIN", "tags: [x]\n"),
        f"{ROOT}/patterns/points.md": pattern("points", "relations: {related_to: [a-twin, nowhere, last]}\n"),
        f"{ROOT}/patterns/round-1.md": pattern("round-1", "supersedes: round-2\n"),
        f"{ROOT}/patterns/round-2.md": pattern("round-2", "supersedes: round-1\n"),
        f"{ROOT}/patterns/zz-last.md": pattern("last"),
        f"{ROOT}/patterns/untitled.md": pattern("untitled").replace("title:", "headline:"),
        CASE.replace("flaky", "old"): MEMORY[CASE].replace("-flaky", "-old") + "\n> RETRACTED\n",
        f"{ROOT}/patterns/nul.md": pattern("reserved"),
        f"{ROOT}/patterns/README.md": "# Not an entry\n",
        f"{ROOT}/patterns/POINTS.md": pattern("capital"),
        f"{ROOT}/decisions/registry.md": "### DEC-9 — Alone\n\nFile: decisions/zz.md\n",
        f"{ROOT}/decisions/zz.md": "---\ntype: decision\nid: DEC-9\ntitle: Alone\n---\n## Decision\nWe do so.\n",
        LOG: LOG_HEAD + f"{THIRD}\n{SECOND}\n{SECOND}\n{FIRST}",
        ".minutebook.yaml": "users: commit\n",
    }  # fmt: skip
    tree |= {path: File(text.encode()) for path, text in texts.items()}
    return tree | {f"{ROOT}/patterns/runs.md": File(b"x\n", EXECUTABLE)}


def indexed(tree: dict[str, File]) -> dict[str, File]:
    page = index_page(read_memory(tree, ROOT, CONFIG))
    return tree | {f"{ROOT}/index.md": File(page.encode("utf-8", "surrogateescape"))}


def accepting(tree: dict[str, File]) -> dict[str, File]:
    """With a baseline of most of what is wrong, of something that isn't, and of a file that has moved since."""
    (case,) = cases(None, Side(tree, CONFIG), DAY)
    problems = [problem for number, problem in enumerate(judge(case)) if number % 9 or problem.rule == "names"]
    data = baseline_bytes(problems, case)
    assert data is not None
    gone = b'{"path": "x", "rule": "schema", "entry": "e", "fingerprint": "0"},\nnull\n'
    moved = {path.replace("/nul.md", "/con.md"): file for path, file in tree.items()}
    return moved | {f"{ROOT}/baseline.json": File(data.replace(b"null\n", gone))}


def whole(tree: Tree, only: Sequence[str]) -> Found:
    (case,) = cases(None, Side(tree, CONFIG), DAY)
    new, known = without_known(judge(case, only), case.baseline)
    return Found(tuple(sorted(set(new))), known, sum(1 for _ in case.changed_entries()))


@pytest.mark.parametrize("only", [(), ("ids",), ("relations", "yaml"), ("names",), ("index", "text")], ids="+".join)
@pytest.mark.parametrize("kind", ["plain", "indexed", "with a baseline"])
def test_parts_of_any_size_find_what_the_whole_does(kind: str, only: tuple[str, ...]) -> None:
    tree = indexed(mixed()) if kind != "plain" else mixed()
    if kind == "with a baseline":
        tree = accepting(tree)
    expected = whole(tree, only)
    asked: list[int] = []

    def read(paths: Sequence[str]) -> Tree:
        asked.append(len(paths))
        return {path: tree[path] for path in paths}

    for size in (1, 7, 1000):
        found = judged_in_parts(Source(ROOT, sorted(tree), CONFIG, read), DAY, only, size=size)
        assert found == expected, size
    assert expected.new or only
    assert (expected.known > 0) == (kind == "with a baseline") or only


def test_a_repository_is_judged_in_parts_with_the_same_words(
    memory_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(memory_template, tmp_path / "repo", symlinks=True)
    repo = Repo(tmp_path / "repo", environment(tmp_path))
    repo.write(PATTERN.replace("migrations", "others"), repo.read(PATTERN))
    repo.write(CASE, repo.read(CASE).replace("title:", "headline:"))
    repo.write("lib/.memory/x.md", "x\n")
    repo.commit()
    monkeypatch.chdir(repo.path)
    said = []
    for most in (large.LARGE, 1):
        monkeypatch.setattr(large, "LARGE", most)
        said.append(verdict.reached(str(repo.path), Asked(everything=True, today=DAY)))
    assert said[0] == said[1]
    assert "ids" in said[0][0]
    assert "roots" in said[0][0]
