"""Logs as people write them, and logs as minutebook writes them."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minutebook.ground import front_matter
from minutebook.ground.entry import Entry
from minutebook.ground.errors import CannotJudge
from minutebook.ground.log_entry import read_log
from minutebook.ground.log_lines import entry_heading
from minutebook.ground.log_text import compose_log_entry, with_new_entry
from minutebook.ground.markdown import Line, headings, left_open, read_lines, split_lines
from minutebook.ground.memory_type import MemoryType, builtin_types, read_type

DECISION = builtin_types()["decision"]
PATH = ".memory/decisions/_log.md"
ONE = """### DEC-2026-11-01-01 — PostgreSQL
**Decision:** The service stores its data in PostgreSQL.
**Date:** 2026-11-01
"""
TWO = """### DEC-2026-11-02-01 — Alembic
**Decision:** Every schema change is an Alembic migration.
**Date:** 2026-11-02
"""
NEW = """### DEC-2026-11-03-01 — Queue
**Decision:** Jobs are kept in a table.
**Date:** 2026-11-03
"""
NOTES = """name: note
title: Note
memory: episodic
describe: A custom type whose entries are kept in one log for the tests.
place: notes/log.md
layout: log
write: append
id: note-{slug}
load: selective
durability: durable
sections: [What, Step 2]
schema:
  properties:
    uses: {type: integer}
    done: {type: boolean}
    people: {type: array, items: {type: string}}
"""

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"), max_size=60)
structured = st.lists(
    st.sampled_from(
        [
            "# Heading", "### DEC-9 — injected", "   #### deep", "**Decision:** other", "- **Date:** 2020-01-01",
            "> SUPERSEDED by DEC-1", "```", "~~~python", "    indented", "<!-- hidden", "-->", "<!-- a --> b",
            "---", "", "\\# already", "\\\\**Date:** x", "\\> RETRACTED", "plain words", "#hash",
            "**bold** words", "> quoted", "* item", "\ttab", "trailing  ", "`code` <!-- mid",
            "\u2028odd", "**Source:** session x", "- ```", "  ```", "1. ~~~", "   ~~~", "2) <!-- x", "- -", "> ```",
            "\t```", "\\1. ```",
        ]
    ),
    max_size=8,
).map("\n".join)  # fmt: skip
values = words | structured
line = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=40).filter(str.strip)
item = line.filter(lambda text: "`" not in text).map(str.strip)
plain_id = st.from_regex(r"[A-Z][A-Z0-9]{0,5}-[0-9]{1,4}", fullmatch=True)
source = st.fixed_dictionaries(
    {"session": st.from_regex(r"[A-Za-z0-9_-]{1,40}", fullmatch=True)},
    optional={
        "turn": st.integers(1, 999_999),
        "role": st.sampled_from(["user", "assistant", "tool"]),
        "sha256": st.from_regex(r"[0-9a-f]{64}", fullmatch=True),
        "quote": values.filter(str.strip),
    },
)
decisions = st.fixed_dictionaries(
    {"id": plain_id, "title": line, "decision": values, "date": st.dates().map(str)},
    optional={
        "context": values,
        "rationale": values,
        "impact": values,
        "status": st.sampled_from(["proposed", "accepted", "superseded"]),
        "supersedes": plain_id | st.lists(plain_id, min_size=1, unique=True),
        "superseded_by": plain_id,
        "tags": st.lists(item, min_size=1, max_size=4),
        "anchors": st.lists(item, min_size=1, max_size=4),
        "relations": st.dictionaries(
            st.sampled_from(["related_to", "derived_from", "contradicts"]), st.lists(plain_id, min_size=1)
        ),
        "sources": st.lists(source, min_size=1, max_size=3),
        "owner": values,
    },
)


def read(text: str, mtype: MemoryType = DECISION) -> tuple[Entry, ...]:
    return read_log(PATH, text, mtype).entries


def expected(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What reading gives back: values stripped, empty ones left out, one line where a line is all there is."""
    found = {key: _stripped(value) if isinstance(value, str) else value for key, value in fields.items()}
    found["title"] = " ".join(found["title"].split())
    for key in ("supersedes",):
        if isinstance(found.get(key), list):
            found[key] = ", ".join(found[key])
    return {key: value for key, value in found.items() if value or key == "title"}


def _stripped(value: str) -> str:
    first, newline, rest = value.strip().partition("\n")
    return first.rstrip() + newline + rest


@given(decisions)
def test_what_is_composed_is_what_is_read(fields: dict[str, Any]) -> None:
    (entry,) = read(compose_log_entry(fields, DECISION))
    assert dict(entry.fields) == expected(fields)


@given(st.lists(decisions, min_size=1, max_size=4, unique_by=lambda fields: str(fields["id"])), st.sampled_from("nb"))
def test_a_log_of_composed_entries_keeps_them_apart(made: list[dict[str, Any]], order: str) -> None:
    text = "# Decisions\n"
    for fields in made:
        file = read_log(PATH, text, DECISION)
        text = with_new_entry(
            file, compose_log_entry(fields, DECISION), "newest-first" if order == "n" else "oldest-first"
        )
    file = read_log(PATH, text, DECISION)
    in_order = reversed(made) if order == "n" else made
    assert [entry.id for entry in file.entries] == [fields["id"] for fields in in_order]
    assert file.head + "".join(entry.text for entry in file.entries) == text
    assert file.problems == ()


@given(structured | words)
def test_any_text_is_read_and_its_parts_stand_in_it_in_order(text: str) -> None:
    file = read_log(PATH, text, DECISION)
    at = len(file.head)
    assert text.startswith(file.head)
    for entry in file.entries:
        at = text.index(entry.text, at) + len(entry.text)
        assert text[: text.index(entry.text)].count("\n") + 1 <= entry.line


structural = st.lists(
    st.sampled_from(
        [
            "# Log", "## 2026", "### DEC-1 — one", "### DEC-2: two ##", "## D-3", "#### DEC-4 (2026-11-02)", "   # H-5",
            "<!-- a -->", "   <!-- b", "    # H-6", "#hash-7", "####### H-8", "#", "##\t \tH-9", "#\r", "## H-10\r",
            "# \u2028 H-11", "```", "````", "``` md", "``` a`b", "  ~~~", "~~~ x", "    ```", "`````", "~~~~  ", "<!--",
            "<!-->",
            "    <!--", "x <!--", "-->", "x --> y", "---", "***", " _ _ _", "- - -\t", "--", "", "   ", "\x0c", "words",
            "**Decision:** x", "> SUPERSEDED by DEC-9", "\\# no", "é", "\x0b---", "-*-", "- a", "- ```", "  ```sh",
            "* ~~~", " + ```", "1. b", "2) ```", "   ```", "    ````", "      ```", "       ```", "\t```", "-\t```",
            "- - ```", "* * *", "-", "1.", "-     ```", "- <!-- c", "  <!--", "  ### DEC-7", "   # H-8", "> ```",
            "> - ```", "- > ```", "10. x", "  code",
        ]
    ),
    max_size=14,
).map("\n".join)  # fmt: skip
whole = st.tuples(st.sampled_from(["", "", "---\nupdated: 2026-11-02\n---\n", "---\nopen\n", "\n"]), structural).map(
    "".join
)


@settings(max_examples=1000, deadline=None)
@given(structural | words, st.integers(0, 20))
def test_headings_are_those_that_reading_line_by_line_finds(text: str, skipped: int) -> None:
    lines = split_lines(text)
    start = sum(map(len, lines[:skipped]))
    at, expected = start, []
    for row in read_lines(text[start:]):
        if row.level:
            expected.append((at, at + len(row.text), row.level, row.heading))
        at += len(row.text)
    assert [(each.start, each.end, each.level, each.heading) for each in headings(text, start)] == expected


@settings(max_examples=1000, deadline=None)
@given(whole)
def test_a_log_is_cut_as_reading_it_line_by_line_cuts_it(text: str) -> None:
    file = read_log(PATH, text, DECISION)
    found = front_matter.split(text)
    body, first = (found[1], found[2]) if found is not None else (text, 1)
    spans, loose = cut_line_by_line(body, first)
    assert [(entry.id, entry.line, entry.text) for entry in file.entries] == spans
    assert [problem.line for problem in file.problems if problem.rule == "loose-text"] == loose
    assert file.head == ("".join(split_lines(text)[: spans[0][1] - 1]) if spans else text)


def cut_line_by_line(body: str, first: int) -> tuple[list[tuple[str, int, str]], list[int]]:
    """(id, line, text) of each entry and the lines of headings with loose text, found with no short cut."""
    rule = re.compile(r"\s*([-*_])[ \t]*(?:\1[ \t]*){2,}")
    spans: list[tuple[str, int, list[str]]] = []
    loose: list[int] = []
    opened: Line | None = None
    group: Line | None = None
    for row in read_lines(body, first):
        outside = opened is None or row.level <= opened.level
        match = entry_heading(row, "DEC-") if row.level and outside else None
        if match:
            opened, group = row, None
            spans.append((match["id"], row.number, [row.text]))
        elif row.level and outside and spans:
            opened, group = None, row
        elif opened is not None:
            spans[-1][2].append(row.text)
        elif group is not None and row.live and row.text.strip() and not rule.fullmatch(row.text.rstrip("\r\n")):
            loose.append(group.number)
            group = None
    return [(name, line, "".join(rows)) for name, line, rows in spans], loose


@pytest.mark.parametrize("line", ["#123 is closed by this", "#hashtag", "####### seven", "#!shebang"])
def test_a_line_that_only_looks_like_a_heading_ends_no_entry(line: str) -> None:
    first, second = read(f"### DEC-1 — x\n**Decision:** yes\n{line}\nand more\n### DEC-2 — y\n")
    assert first.fields["decision"] == f"yes\n{line}\nand more"
    assert (second.id, second.line) == ("DEC-2", 5)


def test_only_a_backslash_at_the_start_of_a_line_is_taken_away() -> None:
    (entry,) = read("### DEC-1 — x\n**Decision:** yes\n  \\# here, not \\# there\nnor \\> there\n")
    assert entry.fields["decision"] == "yes\n  # here, not \\# there\nnor \\> there"


@pytest.mark.parametrize(
    ("heading", "entry_id", "title", "date"),
    [
        ("### DEC-2026-11-02-01 — Alembic", "DEC-2026-11-02-01", "Alembic", None),
        ("## D-001 – Alembic", "D-001", "Alembic", None),
        ("# ADR-7 - Alembic for us", "ADR-7", "Alembic for us", None),
        ("### DEC-12: Alembic: now", "DEC-12", "Alembic: now", None),
        ("### DEC-12 (2026-11-02): Alembic", "DEC-12", "Alembic", "2026-11-02"),
        ("### DEC-12 [2026-11-02] — Alembic", "DEC-12", "Alembic", "2026-11-02"),
        ("### DEC-12", "DEC-12", "", None),
        ("   ### DEC-12 — indented ###", "DEC-12", "indented", None),
        ("### DEC-12 — C #", "DEC-12", "C", None),
        ("### DEC-12 — C \\#", "DEC-12", "C #", None),
        ("### DEC-12 — " + "long " * 200, "DEC-12", ("long " * 200).strip(), None),
    ],
)
def test_headings_that_open_an_entry(heading: str, entry_id: str, title: str, date: str | None) -> None:
    (entry,) = read(f"{heading}\n**Decision:** x\n")
    assert (entry.id, entry.title, entry.fields.get("date")) == (entry_id, title, date)


@pytest.mark.parametrize(
    "heading",
    ["### Trade-offs: many", "### 2026", "### Decisions", "###DEC-1 — no space", "    ### DEC-1 — code", "#### —"],
)
def test_headings_that_open_none(heading: str) -> None:
    assert read(f"{heading}\n**Decision:** x\n") == ()


@pytest.mark.parametrize("opened", ["```", "~~~", "````md", "<!--", "   <!-- note"])
def test_fences_and_comments_hold_no_entries(opened: str) -> None:
    close = "-->" if "<!--" in opened else opened.rstrip("md")
    file = read_log(PATH, f"{opened}\n### DEC-1 — example\n{close}\n\n{ONE}", DECISION)
    assert [entry.id for entry in file.entries] == ["DEC-2026-11-01-01"]


@pytest.mark.parametrize(
    "listed",
    [
        "- ```sh\n  code\n  ```\n", "- a\n\n  ```sh\n  code\n  ```\n", "* ~~~\n\n  code\n     ~~~\n",
        "1. x\n   ```sh\n   code\n    ````\n", "12) ```\n    code\n    ```\n", "- ```sh\n  left open\n",
        "+ a\n  ```sh\n  left open\n\n", "- - ```\n    code\n    ```\n", "-\t```\n\tcode\n\t```\n",
        "- a\n\n\t```\n\tx\n\t```\n",
        "> ```\n> code\n> ```\n", "> - ```\n>   code\n", "- > ```\n  > code\n", "- <!-- left open\n", "- a\n  <!-- b\n",
        "- ```md\n  ### DEC-7 — example\n  ```\n", "1. x\n   ~~~md\n   ### DEC-7: example\n    ~~~\n",
        "- <!--\n  ### DEC-7 — example\n  -->\n", "- a\n\n      ```\n      code\n  ```\n",
        "* * *\n  ```\n### DEC-7 — example\n  ```\n", "- - -\n  ```\n### DEC-7 — example\n  ```\n",
    ],
)  # fmt: skip
def test_a_fence_or_comment_in_a_list_or_a_quote_ends_with_it(listed: str) -> None:
    file = read_log(PATH, f"# Log\n\n{listed}\n{TWO}\n{listed}\n{ONE}", DECISION)
    assert [entry.id for entry in file.entries] == ["DEC-2026-11-02-01", "DEC-2026-11-01-01"]
    assert left_open(file.text) == 0


@pytest.mark.parametrize("item", ["- words\n", "1. words\n\n", "* * *\n", "-     ```\n", "- a\nb\n", "- > ```\nb\n"])
def test_a_heading_in_an_item_of_a_list_and_what_follows_it_count_as_before(item: str) -> None:
    file = read_log(PATH, f"{item}  ### DEC-1 — one\n\n   ### DEC-2 — two\n\n{item}\n{ONE}", DECISION)
    assert [entry.id for entry in file.entries] == ["DEC-1", "DEC-2", "DEC-2026-11-01-01"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("```\n", 1), (f"{ONE}\n```sh\nx\n", 5), (f"# L\n<!-- a\n\n{ONE}", 2), ("- ```\n  x\n```\n", 3),
        ("```\n```\n", 0), ("```\n```\n~~~\n```\n", 3), ("<!-- -->\n<!--\n```\n", 2), (f"- a\n  ```\n\n{ONE}\n```", 8),
        ("- ```\n", 0), ("", 0),
    ],
)  # fmt: skip
def test_what_is_left_open_at_the_end_is_found_with_its_line(text: str, line: int) -> None:
    assert left_open(text) == line


def test_a_line_of_a_million_markers_is_read_at_once() -> None:
    for text in ("- " * 500_000 + "x", "* " * 500_000, "1. " * 300_000 + "```", "- " * 500_000 + "```\n" * 3):
        assert len(list(read_lines(text))) == text.count("\n") + (not text.endswith("\n"))
        assert not list(headings(f"# a\n{text}\n", 4))


def test_a_comment_in_the_middle_of_a_line_hides_no_entry() -> None:
    assert len(read(f"words <!-- and\n\n{ONE}-->\n\n{TWO}")) == 2


def test_labels_may_be_list_items_of_several_lines_in_any_case() -> None:
    (entry,) = read(
        "### DEC-1 — x\n- **DATE**: 2026-11-01\n* **decision:** first line\n  second line\n\n  - a point\n"
        "- **Tags:** a, `b,c` ,d\n- **Supersedes:** none\n- **Reviewed by us:** yes\n"
    )
    assert entry.fields["date"] == "2026-11-01"
    assert entry.fields["decision"] == "first line\n  second line\n\n  - a point"
    assert entry.fields["tags"] == ["a", "b,c", "d"]
    assert "supersedes" not in entry.fields
    assert entry.fields["reviewed_by_us"] == "yes"


def test_sub_headings_belong_to_their_entry_and_end_a_label() -> None:
    first, second = read("## D-1 — x\n**Decision:** yes\n### More: D-9\nwords\n### D-3 — not one\n## D-2 — y\n")
    assert first.fields["decision"] == "yes"
    assert "D-3" in first.text
    assert second.id == "D-2"


def test_entries_under_headings_of_years_are_all_read() -> None:
    file = read_log(PATH, f"# Log\n\n## 2026\n\n{TWO}\n## 2025\n\n---\n\n{ONE}\n## Notes\n\nLoose words.\n", DECISION)
    assert [entry.id for entry in file.entries] == ["DEC-2026-11-02-01", "DEC-2026-11-01-01"]
    assert [(problem.rule, problem.line, problem.severity) for problem in file.problems] == [
        ("loose-text", 17, "warning")
    ]


def test_the_first_of_two_equal_labels_counts_and_keeps_its_own_lines() -> None:
    (entry,) = read("### DEC-1 — x\n**Decision:** one\nmore\n**Decision:** two\nand more\n")
    assert entry.fields["decision"] == "one\nmore"


@pytest.mark.parametrize("label", ["Sources", "Source", "Relations", "Related", "Stale", "Id", "Title"])
def test_labels_that_share_a_name_with_a_field_of_another_form_are_read(label: str) -> None:
    (entry,) = read(f"### DEC-1 — x\n**{label}:** session a, turn 1\n**{label}:** session b, turn 2\n> quote\n")
    assert (entry.id, entry.title) == ("DEC-1", "x")


def test_markers_set_the_status_and_quotes_never_do() -> None:
    (entry,) = read("### DEC-1 — x\n> **SUPERSEDED** by DEC-2\n**Decision:** x\n**Status:** accepted\n")
    assert (entry.status, entry.ids("superseded_by")) == ("superseded", ("DEC-2",))
    (entry,) = read("### DEC-1 — x\n**Source:** session s, turn 3, user\n> RETRACTED, he said\n>\n>  twice\n")
    assert entry.status == ""
    assert entry.fields["sources"] == [
        {"session": "s", "turn": 3, "role": "user", "quote": "RETRACTED, he said\n\n twice"}
    ]
    (entry,) = read("### DEC-1 — x\n**Source:** session s\n> words\n\n> OBSOLETE — no longer\n")
    assert entry.status == "obsolete"


def test_lines_of_fields_are_those_of_the_file() -> None:
    (entry,) = read(f"---\nupdated: 2026-11-01\n---\n# Log\n\n{ONE}")
    assert (entry.line, entry.line_of("title"), entry.line_of("decision"), entry.line_of("date")) == (6, 6, 7, 8)


def test_broken_front_matter_is_a_problem_and_the_entries_are_still_read() -> None:
    for head in ("---\na: 1\na: 2\n---\n", "---\nnever closed\n\n"):
        file = read_log(PATH, f"{head}{ONE}", DECISION)
        assert [problem.rule for problem in file.problems] == ["yaml"]
        assert len(file.entries) == 1


@pytest.mark.parametrize(
    ("old", "order", "result"),
    [
        (f"# Log\n\n{TWO}\n{ONE}", "newest-first", f"# Log\n\n{NEW}\n{TWO}\n{ONE}"),
        (f"# Log\n\n{ONE}\n{TWO}", "oldest-first", f"# Log\n\n{ONE}\n{TWO}\n{NEW}"),
        (f"# Log\n\n{ONE}\n{TWO}".rstrip("\n"), "oldest-first", f"# Log\n\n{ONE}\n{TWO}\n{NEW}"),
        ("# Log", "newest-first", f"# Log\n\n{NEW}"),
        ("# Log\n\n", "oldest-first", f"# Log\n\n{NEW}"),
        ("", "newest-first", NEW),
        (f"# Log\n{ONE}", "newest-first", f"# Log\n\n{NEW}\n{ONE}"),
        (f"#{ONE}".replace("####", "##"), "oldest-first", f"##{ONE[3:]}\n##{NEW[3:]}"),
    ],
)
def test_a_new_entry_goes_to_the_open_end_and_nothing_else_changes(old: str, order: str, result: str) -> None:
    assert with_new_entry(read_log(PATH, old, DECISION), NEW, order) == result


def test_a_new_entry_has_the_line_ends_of_its_log() -> None:
    old = f"# Log\n\n{ONE}".replace("\n", "\r\n")
    text = with_new_entry(read_log(PATH, old, DECISION), NEW, "newest-first")
    assert re.sub("\r\n", "", text).count("\n") == 0
    assert text.endswith(ONE.replace("\n", "\r\n"))
    assert [entry.fields["date"] for entry in read(text)] == ["2026-11-03", "2026-11-01"]


@pytest.mark.parametrize("left_open", ["```\n", "<!-- todo\n"])
def test_a_new_entry_never_disappears_in_what_the_log_leaves_open(left_open: str) -> None:
    with pytest.raises(CannotJudge, match="open"):
        with_new_entry(read_log(PATH, f"# Log\n\n{ONE}\n{left_open}", DECISION), NEW, "oldest-first")


def test_a_custom_type_keeps_its_ids_labels_and_forms() -> None:
    notes = read_type(NOTES, "types/note.yaml")
    fields = {
        "id": "note-use-uv", "title": "uv", "what": "Use uv.", "step_2": "Lock.", "uses": 3, "done": False,
        "people": ["ada", "b, c"], "verified": "2026-11-01",
    }  # fmt: skip
    (entry,) = read(compose_log_entry(fields, notes), notes)
    assert dict(entry.fields) == fields


@pytest.mark.parametrize(
    "fields",
    [
        {"id": "no digits", "title": "x"},
        {"id": "DEC-1 — y", "title": "x"},
        {"id": "DEC-1\n### DEC-2", "title": "x"},
        {"id": "DEC-1", "title": "x", "tags": ["a`b"]},
        {"id": "DEC-1", "title": "x", "anchors": ["a\nb"]},
        {"id": "DEC-1", "title": "x", "sources": [{"session": "a, turn 9"}]},
    ],
)
def test_what_a_log_cannot_hold_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(CannotJudge):
        compose_log_entry(fields, DECISION)
