"""Type files: ours are valid, others' are judged before they are used."""

import json
import subprocess
import sys
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from minutebook.ground import shipped as shipped_module
from minutebook.ground.builtin import shipped
from minutebook.ground.errors import CannotJudge
from minutebook.ground.memory_type import builtin_types, read_type, section_field
from minutebook.ground.schema import schema_fault, violations
from minutebook.ground.strict_yaml import load, typed

SCHEMAS = shipped("schemas")
TYPE_FILES = sorted((SCHEMAS / "types").glob("*.yaml"))
GOOD = """name: note
title: Note
memory: episodic
describe: A custom type that the tests describe here.
place: notes/{slug}.md
layout: file
write: append
id: note-{slug}
load: selective
durability: durable
schema:
  required: [mood]
  properties:
    mood: {type: string, pattern: '^[a-z]+$'}
"""


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.schema.json")), ids=lambda path: path.name)
def test_the_schemas_are_schemas(path: Path) -> None:
    schema = json.loads(path.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    # What describes our own files may hold patterns that a repository's types may not.
    assert schema_fault(schema) == "" or path.name in ("config.schema.json", "memory-type.schema.json")


def test_what_a_start_loads_is_what_the_schemas_and_type_files_say() -> None:
    script = run_path(str(Path(__file__).parent / "shipped.py"))
    assert Path(shipped_module.__file__).read_text("utf-8") == script["module"]()
    assert {path.name for path in TYPE_FILES} == shipped_module.TYPES.keys()


@pytest.mark.parametrize("path", TYPE_FILES, ids=lambda path: path.stem)
def test_a_built_in_type_is_what_the_meta_schema_describes(path: Path) -> None:
    meta = json.loads((SCHEMAS / "memory-type.schema.json").read_text("utf-8"))
    value = typed(load(path.read_text("utf-8")).value, meta)
    assert list(violations(value, meta)) == []
    assert value["name"] == path.stem
    assert read_type(path.read_text("utf-8"), f"types/{path.name}").schema == builtin_types()[path.stem].schema


def test_the_built_in_types_are_the_eleven_of_the_design() -> None:
    written = {name: (mtype.write, mtype.memory, mtype.durability) for name, mtype in builtin_types().items()}
    assert written == {
        "project": ("replace", "semantic", "durable"),
        "decision": ("append", "episodic", "durable"),
        "pattern": ("merge", "procedural", "durable"),
        "summary": ("derived", "compacted", "derived"),
        "session": ("merge", "working", "ephemeral"),
        "profile": ("replace", "semantic", "durable"),
        "preference": ("merge", "semantic", "durable"),
        "entity": ("merge", "semantic", "durable"),
        "event": ("append", "episodic", "durable"),
        "case": ("append", "episodic", "durable"),
        "skill": ("accumulate", "procedural", "durable"),
    }


READ = """
import sys
from minutebook.ground.change import File
from minutebook.ground.config import read_config
from minutebook.ground.memory import read_memory
config = read_config(None)
tree = {
    ".memory/patterns/a.md": File(b"---\\nid: pattern-a\\ntitle: A pattern\\ntags: [a, 'b']\\n---\\nWords.\\n"),
    ".memory/decisions/_log.md": File(b"---\\nupdated: 2026-11-02\\n---\\n### DEC-1: x\\n**Date:** 2026-11-02\\n"),
}
memory = read_memory(tree, ".memory", config)
assert [(entry.id, entry.title) for entry in memory.entries()] == [("DEC-1", "x"), ("pattern-a", "A pattern")]
assert memory.problems == ()
print(sorted({"yaml", "json", "jsonschema", "pathlib", "datetime"} & set(sys.modules)))
"""


def test_reading_a_memory_that_is_written_plainly_needs_no_yaml_and_no_schema_library() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:] = {sys.path!r}\n{READ}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_every_section_and_required_field_is_described() -> None:
    for mtype in builtin_types().values():
        assert {section_field(section) for section in mtype.sections} <= mtype.schema["properties"].keys()
        assert set(mtype.schema["required"]) <= mtype.schema["properties"].keys()
        assert set(mtype.amend) <= mtype.schema["properties"].keys()


def test_a_type_of_ones_own_is_read_with_the_common_fields() -> None:
    mtype = read_type(GOOD, "types/note.yaml")
    assert mtype.append_only
    assert mtype.schema["required"] == ["id", "mood", "title"]
    assert {"title", "mood", "anchors"} <= mtype.schema["properties"].keys()
    assert [found.field for found in violations({"id": "x", "title": "abc"}, mtype.schema)] == ["mood"]


def test_own_definitions_stand_beside_the_common_ones() -> None:
    own = (
        GOOD
        + "    born: {$ref: '#/$defs/date'}\n    size: {$ref: '#/$defs/size'}\n  $defs:\n    size: {enum: [s, m]}\n"
    )
    schema = read_type(own, "types/note.yaml").schema
    entry = {"id": "x", "title": "abc", "mood": "ok", "created": "2026-11-02", "born": "2026-11-02", "size": "m"}
    assert list(violations(entry, schema)) == []
    assert [found.field for found in violations({**entry, "size": "xl"}, schema)] == ["size"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("layout: file", "layout: folder", "types/note.yaml:6: `layout`"),
        ("write: append", "write: append\nwrite: merge", "types/note.yaml:8: `write` stands twice"),
        ("title: Note\n", "", "`title` is missing"),
        ("notes/{slug}.md", "../{slug}.md", "`place`"),
        ("notes/{slug}.md", "archive/{slug}.md", "`place`"),
        ("name: note", 'name: "note\\n"', "`name`"),
        ("'^[a-z]+$'", "'^(a+)+$'", "for ever"),
        ("'^[a-z]+$'", "'(a|a)*b'", "for ever"),
        ("'^[a-z]+$'", "'['", "not a 'regex'"),
        ("{type: string, pattern: '^[a-z]+$'}", "{type: sting}", "not valid"),
        ("{type: string, pattern: '^[a-z]+$'}", "{$ref: 'https://example.org/x.json'}", "nothing is fetched"),
        ("{type: string, pattern: '^[a-z]+$'}", "{$ref: 'file:///etc/passwd'}", "nothing is fetched"),
        ("required: [mood]", "required: mood", "`schema`"),
        ("durability: durable", "durability: durable\nsurprise: 1", "surprise"),
    ],
)
def test_a_broken_type_is_refused_with_its_line(old: str, new: str, words: str) -> None:
    assert old in GOOD
    with pytest.raises(CannotJudge) as caught:
        read_type(GOOD.replace(old, new), "types/note.yaml")
    assert words in str(caught.value)
    assert str(caught.value).startswith("types/note.yaml:")


@pytest.mark.parametrize(
    ("pattern", "value", "fits"),
    [
        ("^[a-z]+$", "abc", True),
        ("^[a-z]+$", "abc\n", False),
        (r"^[a-z]+\$", "abc$", True),
        ("[a-z]", "1a2", True),
        ("^[a-z]*$", "a" * 20_000, False),
    ],
)
def test_a_pattern_means_the_whole_text(pattern: str, value: str, fits: bool) -> None:
    assert (list(violations(value, {"pattern": pattern})) == []) is fits


def test_schemas_that_refer_outside_or_to_themselves_are_violations_and_no_crash() -> None:
    outside: dict[str, Any] = {"$ref": "https://example.org/schema.json"}
    endless: dict[str, Any] = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}
    for schema in (outside, endless):
        assert [found.keyword for found in violations({}, schema)] == ["$ref"]


def test_violations_lead_to_their_lines() -> None:
    mtype = read_type(GOOD, "types/note.yaml")
    document = load("id: x\ntitle: abc\nmood: ok\nsources:\n  - session: s\n  - turn: 0\n", first_line=2)
    found = list(violations(typed(document.value, mtype.schema), mtype.schema))
    assert [(each.line(document.lines), each.field) for each in found] == [(7, "sources"), (7, "sources")]


def test_stages_of_a_status() -> None:
    decision = builtin_types()["decision"]
    assert [decision.stage(status) for status in ("Proposed", "accepted", "Superseded by DEC-2", "", "?")] == [
        "draft", "sealed", "closed", "sealed", "sealed",
    ]  # fmt: skip
