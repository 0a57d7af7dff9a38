"""A memory root as read from a tree of files."""

import pytest

from minutebook.ground.change import File
from minutebook.ground.config import Config
from minutebook.ground.errors import CannotJudge
from minutebook.ground.memory import Memory, read_memory, roots_of, stray_roots, tree_config

ENTRY = "---\nid: {}\ntitle: A title\nabstract: One sentence that says it.\n---\n"
DECISION = "### DEC-1 — One\n**Decision:** It is so.\n**Date:** 2026-11-01\n"
TYPE = """name: handoff
title: Handoff
memory: working
describe: What the next person needs to know, written at the end of a day.
place: handoffs/{slug}.md
layout: file
write: append
id: handoff-{slug}
load: selective
durability: durable
"""


def memory(files: dict[str, str], root: str = ".memory") -> Memory:
    return read_memory({f"{root}/{path}": File(text.encode()) for path, text in files.items()}, root, Config())


def test_what_holds_entries_and_what_does_not() -> None:
    read = memory(
        {
            "patterns/a.md": ENTRY.format("a"),
            "patterns/README.md": ENTRY.format("readme"),
            "patterns/x.example.md": ENTRY.format("example"),
            "_template.md": ENTRY.format("template"),
            "index.md": "# Index\n",
            "decisions/_log.md": DECISION,
            "decisions/DEC-2.md": ENTRY.format("DEC-2"),
            "archive/patterns/old.md": ENTRY.format("old"),
            "notes.md": "# Notes\n",
            "patterns/a.txt": "text",
        }
    )
    assert [entry.id for entry in read.entries()] == ["DEC-2", "DEC-1", "a"]
    assert {entry.id for entry in read.entries(archived=True)} == {"DEC-2", "DEC-1", "a", "old"}
    assert [entry.in_log for entry in read.entries()] == [False, True, False]


def test_one_broken_file_is_one_problem_and_the_rest_is_read() -> None:
    read = memory({"patterns/a.md": "---\nid: a\nid: b\n---\n", "patterns/b.md": ENTRY.format("b")})
    assert [entry.id for entry in read.entries()] == ["b"]
    assert [(problem.path, problem.line, problem.rule) for problem in read.problems] == [
        (".memory/patterns/a.md", 3, "yaml")
    ]


def test_a_type_file_makes_a_type_and_a_broken_one_is_a_problem() -> None:
    read = memory({"types/handoff.yaml": TYPE, "handoffs/x.md": ENTRY.format("x")})
    assert [entry.type for entry in read.entries()] == ["handoff"]
    read = memory({"types/handoff.yaml": TYPE.replace("layout: file", "layout: pile"), "patterns/x.md": ENTRY})
    assert [(problem.path, problem.line, problem.rule) for problem in read.problems] == [
        (".memory/types/handoff.yaml", 6, "type")
    ]
    assert len(list(read.entries())) == 1


def test_symlinks_are_not_followed_and_hold_nothing() -> None:
    tree = {".memory/patterns/a.md": File(b"../../secret.md", "120000")}
    assert list(read_memory(tree, ".memory", Config()).entries()) == []


def test_roots_are_found_or_named() -> None:
    gaai = ".gaai/project/contexts/memory"
    assert roots_of([".memory/x.md", "src/a.py"], Config()) == (".memory",)
    assert roots_of([f"{gaai}/x.md"], Config()) == (gaai,)
    assert roots_of(["docs/x.md"], Config(roots=("docs/memory",))) == ("docs/memory",)
    paths = [".memory/a.md", "lib/.memory/b.md", f"app/{gaai}/c.md", "x/.Memory/d.md"]
    assert stray_roots(paths, (".memory",)) == (f"app/{gaai}", "lib/.memory", "x/.Memory")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rots: [a]\n", ".minutebook.yaml:1: "),
        ("index: strict\nindex: warn\n", ".minutebook.yaml:2: `index` stands twice"),
        ("root: a\nroots: [b]\n", "not"),
        ("root: ../outside\n", "`root`"),
        ("root: /etc\n", "`root`"),
        ("root: .git/x\n", "`root`"),
        ("root: docs//memory\n", "`root`"),
        ('root: ":(top)"\n', "`root`"),
        ('root: "a\\n"\n', "`root`"),
        ("\udcff: 1\n", "not UTF-8"),
    ],
)
def test_a_broken_config_is_no_pass(text: str, words: str) -> None:
    with pytest.raises(CannotJudge) as caught:
        tree_config({".minutebook.yaml": File(text.encode("utf-8", "surrogateescape"))})
    assert words in str(caught.value)


def test_a_config_is_read() -> None:
    config = tree_config({".minutebook.yaml": File(b"roots: [a/, b]\nindex: strict\nusers: commit\nseal: [commit]\n")})
    assert (config.roots, config.index, config.users, config.seal) == (
        ("a", "b"),
        "strict",
        "commit",
        frozenset({"commit"}),
    )
    assert tree_config({}) == Config()
