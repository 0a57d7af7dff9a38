"""One-file entries: what is composed is what is read, and every byte is kept."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minutebook.ground.change import File
from minutebook.ground.entry import decode, encode, read_entry
from minutebook.ground.front_matter import compose, set_fields, split
from minutebook.ground.frozen import replace
from minutebook.ground.memory import read_file
from minutebook.ground.memory_type import builtin_types
from minutebook.ground.strict_yaml import StrictYamlError

TYPES = builtin_types()
PATTERN, CASE = TYPES["pattern"], TYPES["case"]
PATH = ".memory/patterns/x.md"

# What no file may hold (lone surrogates, control characters) is for the `text` rule to refuse.
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
odd = st.sampled_from(
    ["no", "012", "1e3", "2026-11-02", "null", "~", "", " ", "---", "a\n---\nid: evil", "a: b", "# c", "- d", "&x",
     "*x", "!!python/object", "{", "[", "'", '"', "a\u2028b", "a\x85b", "\ufeff", "a\n\n\nb", "| x", "> x", "a\tb",
     "%", "@", "`", "x: |\n  y", "true", "0x1F", "1_000", "1:30", "=", "<<", "é\n ü", "  lead\ntrail  ", "\r\n", "a\rb"]
)  # fmt: skip
value = text | odd
day = st.dates().map(str)
fields_of_any_entry = st.fixed_dictionaries(
    {"id": st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,40}", fullmatch=True), "title": value},
    optional={
        "type": st.just("pattern"),
        "abstract": value,
        "tags": st.lists(value, max_size=4),
        "status": value,
        "created": day,
        "verified": day,
        "stale": st.fixed_dictionaries({"since": day, "why": value}),
        "anchors": st.lists(value, max_size=3),
        "sources": st.lists(
            st.fixed_dictionaries({"session": value}, optional={"turn": st.integers(1, 10**9), "quote": value})
        ),
        "relations": st.dictionaries(st.sampled_from(["related_to", "derived_from"]), st.lists(value, max_size=2)),
        "supersedes": value | st.lists(value, min_size=1, max_size=2),
        "extra": value | st.booleans() | st.integers(-(10**15), 10**15),
        "no": value,
    },
)


@given(fields_of_any_entry, text | odd)
def test_what_is_composed_is_what_is_read(fields: dict[str, Any], body: str) -> None:
    composed = compose(fields, body)
    entry, problems = read_entry(PATH, composed, PATTERN, "x")
    assert problems == ()
    assert entry is not None
    assert dict(entry.fields) == fields
    assert entry.text == composed


@given(st.binary(max_size=200) | fields_of_any_entry.map(lambda fields: compose(fields, "x").encode()), st.data())
def test_reading_keeps_every_byte(data: bytes, more: st.DataObject) -> None:
    cut = more.draw(st.integers(0, len(data)))
    mangled = data[:cut] + more.draw(st.binary(max_size=5)) + data[cut:]
    for mtype in (PATTERN, TYPES["decision"]):
        file = read_file(PATH, File(mangled), mtype)
        assert encode(file.text) == mangled
        assert all(entry.text in file.text for entry in file.entries)


@given(fields_of_any_entry, fields_of_any_entry, text)
def test_setting_fields_sets_these_and_no_others(fields: dict[str, Any], updates: dict[str, Any], body: str) -> None:
    entry, _ = read_entry(PATH, set_fields(compose(fields, body), updates), PATTERN, "x")
    assert entry is not None
    assert dict(entry.fields) == {**fields, **updates}


def test_setting_a_field_touches_its_own_lines_alone() -> None:
    old = (
        "---\nid: x\ntitle: 'A'   # why\n# about the tags\ntags:\n  - a\n  - b\n\n# the end\n"
        'quote: "one\n  two: three"\nupdated_at: 2026-01-01\n---\n# Body\ntags: not a field\n'
    )
    new = set_fields(old, {"tags": ["c"], "updated": "2026-02-02", "quote": None, "verified": "2026-02-02"})
    assert new == (
        "---\nid: x\ntitle: 'A'   # why\n# about the tags\ntags: [c]\n\n# the end\nupdated_at: 2026-02-02\n"
        "verified: 2026-02-02\n---\n# Body\ntags: not a field\n"
    )


def test_setting_a_field_keeps_crlf_line_ends() -> None:
    assert set_fields("---\r\nid: x\r\na: 1\r\n---\r\nB\r\n", {"a": 2}) == "---\r\nid: x\r\na: 2\r\n---\r\nB\r\n"


@pytest.mark.parametrize("head", ["{id: x, title: y}\n", "id: x\nid: y\n", "  id: x\n", "id: [x\n"])
def test_what_is_not_understood_is_not_edited(head: str) -> None:
    with pytest.raises(StrictYamlError):
        set_fields(f"---\n{head}---\n", {"title": "z"})


def test_front_matter_ends_at_the_first_fence() -> None:
    assert split("---\na: 1\n---\nb\n---\nc\n") == ("a: 1\n", "b\n---\nc\n", 4)
    entry, problems = read_entry(PATH, '---\nid: x\ntitle: "one\n---\nid: evil\n---\n', PATTERN, "x")
    assert entry is None
    assert [(problem.rule, problem.path) for problem in problems] == [("yaml", PATH)]


@pytest.mark.parametrize("opening", ["---\n", "---  \n", "---\r\n", "---"])
def test_front_matter_that_is_never_closed_is_one_problem(opening: str) -> None:
    entry, problems = read_entry(PATH, f"{opening}", PATTERN, "x")
    assert entry is None
    assert [(problem.rule, problem.line, problem.fix) for problem in problems] == [("yaml", 1, "---")]


def test_levels_and_sections() -> None:
    entry, _ = read_entry(
        PATH,
        "---\nid: x\ntitle: Upload\n---\n## Overview\nShort.\n\n"
        "## Problem\nIt fails.\n```\n## Outcome\n```\n\n## Outcome\nMended.\n",
        CASE,
        "x",
    )
    assert entry is not None
    assert (entry.overview, entry.abstract) == ("Short.", "Short.")
    assert entry.fields["problem"] == "It fails.\n```\n## Outcome\n```"
    assert entry.fields["outcome"] == "Mended."
    assert (entry.line_of("title"), entry.line_of("problem"), entry.line_of("outcome")) == (3, 8, 14)
    assert "Short." not in entry.body


def test_an_entry_is_equal_to_another_reading_of_it_and_keeps_its_parts_elsewhere() -> None:
    text = "---\nid: x\ntitle: Upload\n---\n## Problem\nIt fails.\n"
    entry, other = (read_entry(PATH, text, CASE, "x")[0] for _ in range(2))
    assert entry is not None
    assert entry.fields["problem"] == "It fails."
    assert entry == other
    assert entry != read_entry(PATH, text.replace("fails", "failed"), CASE, "x")[0]
    moved = replace(entry, path="elsewhere.md", line=7)
    assert (moved.path, moved.fields, moved.body) == ("elsewhere.md", entry.fields, entry.body)
    assert (moved.line_of("problem"), entry.line_of("problem")) == (11, 5)


def test_a_type_whose_entries_say_their_id_in_a_section_keeps_it() -> None:
    entry, _ = read_entry(PATH, "---\ntitle: Upload\n---\n## Id\nx-1\n", replace(CASE, sections=("Id",)), "stem")
    assert entry is not None
    assert (entry.id, entry.fields["id"]) == ("x-1", "x-1")


def test_a_file_without_front_matter_has_its_stem_as_id_and_its_heading_as_title() -> None:
    entry, _ = read_entry(PATH, "# How we migrate\n\nAlways down, too.\n", PATTERN, "migrations")
    assert entry is not None
    assert (entry.id, entry.title, entry.abstract) == ("migrations", "How we migrate", "Always down, too.")


def test_gaai_names_are_read_as_ours() -> None:
    entry, _ = read_entry(
        PATH,
        "---\nid: x\ntitle: t\ncreated_at: 2026-01-01\nupdated_at: 2026-01-02\nsupersedes: null\n---\n",
        PATTERN,
        "x",
    )
    assert entry is not None
    assert dict(entry.fields) == {"id": "x", "title": "t", "created": "2026-01-01", "updated": "2026-01-02"}
    assert entry.line_of("updated") == 5


@pytest.mark.parametrize(
    ("written", "ids"),
    [
        ("DEC-1", ("DEC-1",)),
        ("DEC-1, DEC-2 (in part)", ("DEC-1", "DEC-2")),
        ("`DEC-1`, **DEC-2**, [DEC-3](#dec-3)", ("DEC-1", "DEC-2", "DEC-3")),
        ("[DEC-1, DEC-2]", ("DEC-1", "DEC-2")),
    ],
)
def test_ids_as_people_write_them(written: str, ids: tuple[str, ...]) -> None:
    entry, _ = read_entry(PATH, f"---\nid: x\ntitle: t\nsupersedes: {written!r}\n---\n", PATTERN, "x")
    assert entry is not None
    assert entry.ids("supersedes") == ids


def test_text_that_is_no_utf8_is_kept() -> None:
    assert encode(decode(b"a\xff\xc3(\xed\xa0\x80")) == b"a\xff\xc3(\xed\xa0\x80"
