"""A new memory type is one YAML file: dropped into the memory root it works in every verb."""

import json
from pathlib import Path

import pytest

from conftest import TODAY, Repo

HANDOFF = Path(__file__).with_name("examples") / "types" / "good" / "handoff.yaml"
ENTRY = ".memory/handoffs/2026-11-20-ferry-timetable-import.md"


@pytest.fixture
def house(repo: Repo) -> Repo:
    """A repository with memory and the type dropped in."""
    assert repo.minutebook("init", "--today", TODAY).code == 0
    repo.write(".memory/types/handoff.yaml", HANDOFF.read_bytes())
    repo.commit("Memory, with a type of our own")
    return repo


def hand_off(repo: Repo, *arguments: str) -> None:
    given = (
        ("--title", "Ferry timetable import"),
        ("--set", "abstract=The importer reads the harbour feed and stops at tide gaps."),
        ("--set", "state=The importer lies in src/feeds and reads two of three harbours."),
        ("--set", "next_step=Read the third harbour and retry when a tide is missing."),
    )
    flat = [part for pair in given for part in pair]
    done = repo.minutebook("new", "handoff", *flat, *arguments, "--today", TODAY)
    assert done.code == 0, done.err
    assert done.out == f"{ENTRY}:1\n"


def test_a_field_may_be_described_by_true_or_by_several_types(house: Repo) -> None:
    loose = HANDOFF.read_text("utf-8").replace(
        "  properties:\n", "  properties:\n    anything: true\n    either: {type: [integer, 'null']}\n"
    )
    house.write(".memory/types/handoff.yaml", loose.replace("required: [", "required: [anything, either, ").encode())
    for arguments in (("types", "handoff"), ("index",), ("new", "handoff", "--title", "Tides", "--set", "either=3")):
        done = house.minutebook(*arguments)
        assert done.code == 0, done.err
    house.git("add", "--all")
    assert "`anything` is missing" in house.minutebook("check", "--staged").out


def test_types_shows_it(house: Repo) -> None:
    rows = {row["name"]: row for row in json.loads(house.minutebook("types", "--format", "json").out)}
    assert rows["handoff"]["source"] == ".memory/types/handoff.yaml"
    assert "next_step" in house.minutebook("types", "handoff").out


def test_a_new_entry_of_it_passes_the_check(house: Repo) -> None:
    hand_off(house, "--set", "tags=import")
    text = house.read(ENTRY)
    assert text.startswith("---\ntype: handoff\nid: handoff-2026-11-20-ferry-timetable-import\n")
    assert "next_step: Read the third harbour" in text
    assert "## State\nThe importer lies in src/feeds" in text
    house.git("add", "--all")
    done = house.minutebook("check", "--staged", "--today", TODAY)
    assert done.code == 0, done.out + done.err


def test_the_check_asks_for_what_its_schema_asks_for(house: Repo) -> None:
    hand_off(house)
    house.write(ENTRY, house.read(ENTRY).replace("next_step:", "step:"))
    house.git("add", "--all")
    done = house.minutebook("check", "--staged", "--today", TODAY)
    assert done.code == 1
    assert "`next_step` is missing" in done.out


def test_a_broken_type_file_is_a_problem_on_its_line(house: Repo) -> None:
    house.write(".memory/types/handoff.yaml", HANDOFF.read_text("utf-8").replace("layout: file", "layout: scroll"))
    house.git("add", "--all")
    done = house.minutebook("check", "--staged", "--today", TODAY)
    assert done.code == 1
    line = HANDOFF.read_text("utf-8").split("\n").index("layout: file") + 1
    assert f".memory/types/handoff.yaml:{line}:" in done.out


def test_the_index_and_the_template_list_it(house: Repo) -> None:
    hand_off(house)
    assert house.minutebook("index").code == 0
    index = house.read(".memory/index.md")
    assert "## Handoff" in index
    assert "| handoff-2026-11-20-ferry-timetable-import |" in index
    assert "handoffs/{date}-{slug}.md" in house.read(".memory/_template.md")


def test_the_extraction_is_given_a_tool_for_it(house: Repo) -> None:
    tools = {tool["name"]: tool for tool in json.loads(house.minutebook("extract", "--list-tools").out)}
    schema = tools["extract_handoff"]["input_schema"]
    assert {"state", "next_step"} <= set(schema["properties"])
    assert "leaves to the next" in tools["extract_handoff"]["description"]


def test_it_is_retrieved_by_its_words_and_shown_by_its_id(house: Repo) -> None:
    hand_off(house)
    task = "finish the timetable import of the third harbour"
    done = house.minutebook("retrieve", task, "--phase", "delivery", "--format", "json")
    assert done.code == 0, done.err
    served = [entry["id"] for entry in json.loads(done.out)["entries"]]
    assert "handoff-2026-11-20-ferry-timetable-import" in served
    shown = house.minutebook("show", "handoff-2026-11-20-ferry-timetable-import")
    assert "Read the third harbour" in shown.out
