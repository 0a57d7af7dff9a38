"""The tools that a model is given follow from the types, a repository's own ones too."""

import pytest

from minutebook.extract.tools import extraction_tools, memory_tools, proposable
from minutebook.ground.memory_type import MemoryType, builtin_types, read_type
from scripted import memory_with, read_by
from stand_ins.messages_api import used
from talk import said

TYPE = """name: {name}
title: Team rule
memory: procedural
describe: A rule of one team, as a test describes it.
place: {place}
layout: file
write: append
id: {name}-{{slug}}
load: selective
durability: durable
schema:
  required: [{field}]
  properties:
    {field}: {{type: string, minLength: 5}}
"""
QUOTE = "use SQLite for the local cache"


def own(name: str = "team-rule", place: str = "rules/{slug}.md", field: str = "rule") -> str:
    return TYPE.format(name=name, place=place, field=field)


def types_with(*texts: str) -> dict[str, MemoryType]:
    read = (read_type(text, "types/x.yaml") for text in texts)
    return {**builtin_types(), **{mtype.name: mtype for mtype in read}}


def test_names_that_differ_by_a_hyphen_alone_are_two_tools() -> None:
    types = types_with(own("team-rule", "a/{slug}.md"), own("team_rule", "b/{slug}.md"))
    tools = {tool["name"] for tool in extraction_tools(types)}
    assert {"extract_team-rule", "extract_team_rule"} <= tools
    assert proposable(types)["extract_team-rule"].name == "team-rule"


@pytest.mark.parametrize("field", ["größe", "a b", "x" * 65])
def test_a_type_with_a_field_that_no_tool_can_have_gets_none(field: str) -> None:
    tools = {tool["name"] for tool in extraction_tools(types_with(own(field=f'"{field}"')))}
    assert "extract_team-rule" not in tools
    assert "extract_decision" in tools


def test_every_tool_may_replace_and_has_to_prove() -> None:
    for tool in extraction_tools(types_with(own())):
        schema = tool["input_schema"]
        assert {"turn", "quote"} <= set(schema["required"])
        assert "replaces" not in schema["required"]
        assert schema["properties"]["replaces"]["type"] == "string"
        assert schema["additionalProperties"] is False
    assert [tool["name"] for tool in memory_tools()] == ["read", "list", "get_relations"]


def test_an_own_type_is_proposed_like_any_other_and_needs_a_person() -> None:
    memory = memory_with({".memory/types/team-rule.yaml": own()})
    given = {"title": QUOTE, "abstract": QUOTE, "rule": QUOTE, "turn": 1, "quote": QUOTE}
    call = ("extract_team-rule", given)
    found, api = read_by(said(f"Let's {QUOTE}."), used(call), memory=memory)
    assert [(each.type, each.fields["rule"]) for each in found.candidates] == [("team-rule", QUOTE)]
    assert "extract_team-rule" in str(api.created[0]["tools"])


def test_a_type_whose_place_asks_for_what_nobody_knows_is_refused_and_no_crash() -> None:
    memory = memory_with({".memory/types/team-rule.yaml": own(place="rules/{squad}/{slug}.md")})
    call = ("extract_team-rule", {"title": QUOTE, "abstract": QUOTE, "rule": QUOTE, "turn": 1, "quote": QUOTE})
    found, _ = read_by(said(f"Let's {QUOTE}."), used(call), memory=memory)
    assert found.candidates == ()
    assert "has no place" in found.refusals[0].reason
