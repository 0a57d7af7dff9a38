"""The verb `types`, and the type files that ship."""

import json

import pytest
from jsonschema import Draft202012Validator

from conftest import Repo
from minutebook.ground.memory_type import builtin_types

BROKEN = "name: handoff\ntitle: Handoff\nmemory: working\n"


def test_outside_of_any_memory_the_built_in_types_are_listed(repo: Repo) -> None:
    done = repo.minutebook("types")
    assert done.code == 0
    names = [line.split()[0] for line in done.out.splitlines()[1:]]
    assert names == sorted(builtin_types())
    assert len(names) == 11


def test_the_list_as_json_says_where_and_how_each_type_is_written(repo: Repo) -> None:
    rows = {row["name"]: row for row in json.loads(repo.minutebook("types", "--format", "json").out)}
    assert rows["decision"]["place"] == "decisions/{domain}.md"
    assert rows["decision"]["written"] == "append"
    assert rows["project"]["loaded"] == "always"
    assert rows["skill"]["source"] == "builtin:skill.yaml"


@pytest.mark.parametrize("name", sorted(builtin_types()))
def test_each_type_is_shown_with_its_required_fields_and_a_template(repo: Repo, name: str) -> None:
    shown = json.loads(repo.minutebook("types", name, "--format", "json").out)
    required = {field["name"] for field in shown["fields"] if field["required"]}
    assert required == set(builtin_types()[name].schema["required"])
    text = repo.minutebook("types", name).out
    assert all(f"* {field}" in text for field in required)
    assert shown["template"].strip() in text
    assert all(section in shown["template"] for section in shown["sections"])


def test_an_unknown_type_is_exit_2_and_names_the_known_ones(repo: Repo) -> None:
    done = repo.minutebook("types", "decison")
    assert done.code == 2
    assert "decision" in done.err


def test_a_repository_overrides_a_type_and_its_source_is_named(memory_repo: Repo) -> None:
    text = repo_type("pattern", place="house-rules/{slug}.md")
    memory_repo.write(".memory/types/pattern.yaml", text)
    rows = {row["name"]: row for row in json.loads(memory_repo.minutebook("types", "--format", "json").out)}
    assert rows["pattern"]["place"] == "house-rules/{slug}.md"
    assert rows["pattern"]["source"] == ".memory/types/pattern.yaml"


def test_a_broken_type_file_is_named_with_its_line_and_the_rest_is_listed(memory_repo: Repo) -> None:
    memory_repo.write(".memory/types/handoff.yaml", BROKEN + "layout: scroll\n")
    done = memory_repo.minutebook("types")
    assert done.code == 1
    assert ".memory/types/handoff.yaml:" in done.err
    assert "decision" in done.out


@pytest.mark.parametrize("name", sorted(builtin_types()))
def test_the_schema_of_a_built_in_type_says_nothing_by_accident(name: str) -> None:
    # An unquoted comma in `{description: why, and why not}` makes a second key of what follows it.
    schema = builtin_types()[name].schema
    Draft202012Validator.check_schema(schema)
    for field, described in schema["properties"].items():
        assert all(key == key.strip() and " " not in key for key in described), (name, field, described)


def repo_type(name: str, place: str) -> str:
    return (
        f"name: {name}\ntitle: House rule\nmemory: procedural\n"
        "describe: A rule of this house that its people agreed on.\n"
        f"place: {place}\nlayout: file\nwrite: merge\nid: {name}-{{slug}}\nload: selective\ndurability: durable\n"
    )
