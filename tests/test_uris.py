"""Places, URIs and ids, both ways, for every type."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minutebook.ground.errors import CannotJudge
from minutebook.ground.memory_type import MemoryType, builtin_types, read_type
from minutebook.ground.uris import ARCHIVE, Location, locate, new_id, place_of, placed, slug, type_at, uri_of

HANDOFF = """name: handoff
title: Handoff
memory: working
describe: What the next person needs to know, written at the end of a day.
place: handoffs/{user}/{date}-{slug}.md
layout: file
write: append
id: handoff-{date}-{slug}
load: selective
durability: durable
"""
TYPES = {**builtin_types(), "handoff": read_type(HANDOFF, "types/handoff.yaml")}
NAMES = re.compile(r"\{([a-z_]+)")

names = st.from_regex(r"[a-z0-9][a-z0-9-]{0,20}", fullmatch=True).filter(lambda name: slug(name) == name)
values = st.fixed_dictionaries(
    {"date": st.dates().map(str), "slug": names, "user": names, "agent": names, "domain": names | st.just("_log")}
)


@pytest.mark.parametrize("mtype", TYPES.values(), ids=TYPES)
@given(fields=values, archived=st.booleans())
def test_a_place_has_one_uri_and_a_uri_one_place(mtype: MemoryType, fields: dict[str, str], archived: bool) -> None:
    place = place_of(mtype, fields)
    assert type_at(TYPES, place) is mtype
    assert placed(mtype, place) is not None
    path = f"{ARCHIVE}{place}" if archived else place
    entry_id = "DEC-1" if mtype.layout == "log" else ""
    uri = uri_of("acme", TYPES, path, entry_id)
    assert uri.startswith("ctx://acme/")
    assert locate("acme", TYPES, uri) == Location(mtype.name, path, entry_id)


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("project/context.md", "ctx://acme/project/project/context"),
        ("decisions/_log.md", "ctx://acme/project/decisions/_log#DEC-1"),
        ("patterns/x.md", "ctx://acme/project/patterns/x"),
        ("users/ada/profile.md", "ctx://acme/users/ada/memories/profile"),
        ("users/ada/preferences/tabs.md", "ctx://acme/users/ada/memories/preferences/tabs"),
        ("agents/rev/cases/2026-11-02-x.md", "ctx://acme/agents/rev/memories/cases/2026-11-02-x"),
        ("agents/rev/skills/deploy.md", "ctx://acme/agents/rev/skills/deploy"),
        ("archive/sessions/2026-11-02-x.md", "ctx://acme/archive/project/sessions/2026-11-02-x"),
    ],
)
def test_the_shapes_of_uris(path: str, uri: str) -> None:
    assert uri_of("acme", TYPES, path, "DEC-1") == uri
    assert locate("acme", TYPES, uri).path == path


@pytest.mark.parametrize(
    "uri",
    [
        "ctx://other/project/patterns/x",
        "ctx://acme.evil/project/patterns/x",
        "ctx://acme/project/../../etc/passwd",
        "ctx://acme/project/patterns/../../x",
        "ctx://acme/users/../users/ada/memories/profile",
        "ctx://acme/users/ada/profile",
        "ctx://acme/patterns/x",
        "ctx://acme/agents/rev/memories/skills/deploy",
        "ctx://acme/project/patterns/x#DEC-1",
        "ctx://acme/project/patterns/x\n",
        "ctx://acme/project/nowhere/x",
        "ctx://acme/archive/archive/project/patterns/x",
        "/etc/passwd",
    ],
)
def test_what_names_no_place_of_this_memory_is_refused(uri: str) -> None:
    with pytest.raises(CannotJudge):
        locate("acme", TYPES, uri)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "..",
        "../x",
        "a/b",
        "a\\b",
        "/etc",
        "C:x",
        "-rf",
        ".git",
        "con",
        "NUL",
        "com1.txt",
        "a\n",
        "x.",
        "é",
        "$(id)",
    ],
)
def test_names_that_are_no_safe_part_of_a_path_are_refused(name: str) -> None:
    with pytest.raises(CannotJudge):
        place_of(TYPES["pattern"], {"slug": name})


@given(st.text(max_size=80))
def test_a_slug_is_always_a_safe_name_and_its_own_slug(text: str) -> None:
    made = slug(text)
    assert slug(made) == made
    assert place_of(TYPES["pattern"], {"slug": made}) == f"patterns/{made}.md"


@given(values, st.text(max_size=10))
def test_ids_are_free_and_the_same_for_the_same_seed(fields: dict[str, str], seed: str) -> None:
    for mtype in TYPES.values():
        taken: set[str] = set()
        for _ in range(3):
            made = new_id(mtype, fields, seed, taken)
            assert made == new_id(mtype, fields, seed, taken)
            assert made not in taken
            taken.add(made)


def test_the_more_literal_place_wins() -> None:
    notes = read_type(HANDOFF.replace("handoffs/{user}/{date}-{slug}", "patterns/{slug}-note"), "types/x.yaml")
    types = {**builtin_types(), "note": notes}
    assert type_at(types, "patterns/a-note.md") is notes
    assert type_at(types, "patterns/a.md") is types["pattern"]
