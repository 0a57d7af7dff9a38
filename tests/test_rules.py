"""The rules: what each finds, where it says it is, and what it leaves alone."""

from collections.abc import Callable, Collection, Mapping
from datetime import date

import pytest

from minutebook.checks import RULES, judge
from minutebook.checks.judgement import Case
from minutebook.ground.change import File, changes_between
from minutebook.ground.memory import read_memory, tree_config
from minutebook.ground.problem import Problem
from minutebook.pages.index_page import MARKER, index_page

Tree = Mapping[str, str | bytes]
LOG = ".memory/decisions/_log.md"
PATTERN = ".memory/patterns/migrations.md"
TODAY = date(2026, 11, 20)
ONE = "### DEC-2026-11-01-01 — PostgreSQL\n**Decision:** PostgreSQL keeps the data.\n**Date:** 2026-11-01\n"
TWO = "### DEC-2026-11-02-01 — Alembic\n**Decision:** Alembic migrates the data.\n**Date:** 2026-11-02\n"
ENTRY = "---\nid: {id}\ntitle: A title that says it\nabstract: One sentence that says more.\n{more}---\n{body}"
GOOD: dict[str, str | bytes] = {LOG: f"# Decisions\n\n{TWO}\n{ONE}", PATTERN: ENTRY.format(id="a", more="", body="")}


def entry(id: str = "a", more: str = "", body: str = "") -> str:
    return ENTRY.format(id=id, more=more, body=body)


def case(new: Tree, old: Tree | None = None, root: str = ".memory", tracked: bool = True) -> Case:
    after, before = _files(new), _files(old or {})
    config = tree_config(after)
    return Case(
        result=read_memory(after, root, config),
        tree=after,
        base=read_memory(before, root, tree_config(before)) if old is not None else None,
        base_tree=before,
        changes=changes_between(before, after) if old is not None else (),
        today=TODAY,
        tracked=tracked,
    )


def _files(tree: Tree) -> dict[str, File]:
    return {path: File(text.encode() if isinstance(text, str) else text) for path, text in tree.items()}


def found(
    new: Tree, old: Tree | None = None, only: Collection[str] = (), root: str = ".memory"
) -> list[tuple[str, int, str, str]]:
    problems = judge(case(new, old, root), only)
    return [(problem.rule, problem.line, problem.severity, problem.path.rsplit("/", 1)[-1]) for problem in problems]


def one(new: Tree, old: Tree | None, rule: str) -> Problem:
    (problem,) = judge(case(new, old), [rule])
    return problem


def test_good_memory_has_no_problem_but_a_missing_index() -> None:
    assert found(GOOD) == [("index", 0, "warning", "index.md")]
    assert found(GOOD, {}) == [("index", 0, "warning", "index.md")]
    assert found(GOOD, GOOD) == []


def test_every_rule_has_its_documentation_and_its_own_name() -> None:
    assert all(len((check.__doc__ or "").split()) > 8 for check in RULES.values())
    assert len(set(RULES.values())) == len(RULES)


def test_only_narrows() -> None:
    bad = {**GOOD, ".memory/patterns/b.md": "---\nid: b\n---\nAKIA\x00\n"}
    assert {rule for rule, *_ in found(bad, only=["text"])} == {"text"}


# yaml, type, loose-text


def test_a_broken_file_is_one_problem_and_others_are_judged() -> None:
    bad = {
        **GOOD,
        PATTERN: "---\nid: a\nid: b\n---\n",
        ".memory/patterns/b.md": entry("b", "supersedes: nothing\n"),
        ".memory/types/x.yaml": "name: x\n",
        LOG: f"# D\n\n{TWO}\n{ONE}\n### Notes\n\nLoose.\n",
    }
    assert [each for each in found(bad, GOOD) if each[0] != "append-only"] == [
        ("loose-text", 11, "warning", "_log.md"),
        ("index", 0, "warning", "index.md"),
        ("relations", 5, "error", "b.md"),
        ("yaml", 3, "error", "migrations.md"),
        ("type", 1, "error", "x.yaml"),
    ]


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("id: a\nid: b\n", "keep one `id:` line"),
        ("title: a: b\n", 'put the value in quotes where it holds a colon, a # or a quote: title: "…"'),
        ("title: !!str x\n", "take the tag out"),
        ("just words\n", "title: …"),
    ],
)
def test_a_broken_front_matter_comes_with_the_line_that_mends_it(text: str, fix: str) -> None:
    assert one({**GOOD, PATTERN: f"---\n{text}---\n"}, GOOD, "yaml").fix == fix


def test_what_was_broken_before_and_is_not_touched_is_left_alone() -> None:
    broken = {**GOOD, PATTERN: "---\nid: a\nid: b\n---\n"}
    assert found({**broken, "src/x.py": "x"}, broken) == []
    assert ("yaml", 3, "error", "migrations.md") in found(broken)


def test_a_log_that_cannot_be_read_is_one_problem_and_not_one_an_entry() -> None:
    old = {**GOOD, ".memory/decisions/DEC-9.md": entry("DEC-9", "decision: It is so.\ndate: 2026-11-01\n")}
    broken = {**old, ".memory/decisions/DEC-9.md": "---\nid: DEC-9\nid: x\ntitle: t\n---\n"}
    assert found(broken, old, only=["yaml", "append-only"]) == [("yaml", 3, "error", "DEC-9.md")]


def test_a_log_whose_entries_can_be_read_is_still_kept_word_for_word() -> None:
    broken = {**GOOD, LOG: f"---\na: 1\na: 2\n---\n# Decisions\n\n{TWO}\n{ONE.replace('keeps', 'kept')}"}
    assert {rule for rule, *_ in found(broken, GOOD, only=["yaml", "append-only"])} == {"yaml", "append-only"}


# schema


@pytest.mark.parametrize(
    ("text", "line", "message", "fix"),
    [
        ("---\nid: a\ntitle: A title\n---\n", 1, "`abstract` is missing", "abstract: one or two sentences"),
        ("---\ntitle: A title\nabstract: One sentence.\n---\n", 1, "`id` is missing", "id: migrations"),
        (entry(more="created: 12/11/2026\n"), 5, "`created`: '12/11/2026' is not a day", "created: 2026-11-20"),
        (entry(more="tags: x\n"), 5, "`tags`: 'x' is not of type 'array'", "tags: […]"),
        (entry(more="type: decision\n"), 5, "`type: decision` stands in the place of type pattern", "type: pattern"),
        (entry(more="sources:\n  - turn: 3\n"), 6, "`sources.0`: `session` is missing", "sources: […]"),
        (entry("a b"), 2, "`id`: 'a b' is not a name", "id: a b"),
    ],
)
def test_schema_says_where_what_and_the_line_that_mends_it(text: str, line: int, message: str, fix: str) -> None:
    problem = one({PATTERN: text}, {}, "schema")
    assert (problem.path, problem.line, problem.severity) == (PATTERN, line, "error")
    assert problem.message.startswith(message)
    assert problem.fix.startswith(fix)


def test_schema_writes_the_fix_of_a_log_as_a_label_and_of_a_section_as_a_heading() -> None:
    problem = one({LOG: "### DEC-1 — One\n**Date:** 2026-11-01\n"}, {}, "schema")
    assert (problem.line, problem.entry) == (1, "DEC-1")
    assert problem.fix.startswith("**Decision:** what was chosen")
    path = ".memory/agents/a/cases/2026-11-01-x.md"
    problem = one({path: entry("c", "date: 2026-11-01\n", "## Problem\nIt fails.\n")}, {}, "schema")
    assert problem.fix.startswith("## Outcome\nwhat came of it")


def test_schema_suggests_the_field_that_was_meant() -> None:
    problem = one({PATTERN: entry(more="verfied: 2026-11-01\n")}, {}, "schema")
    assert (problem.severity, problem.line) == ("warning", 5)
    assert "did you mean `verified`" in problem.message
    assert judge(case({PATTERN: entry(more="colour: blue\n")}), ["schema"]) == ()


def test_unchanged_entries_of_a_changed_log_are_not_judged_again() -> None:
    old = {LOG: "# D\n\n### DEC-1 — Old\n**Decision:** Without a date.\n"}
    new = {LOG: f"# D\n\n{TWO}\n### DEC-1 — Old\n**Decision:** Without a date.\n"}
    assert found(new, old, only=["schema"]) == []


def test_what_an_old_decision_lacked_already_is_a_warning_since_nobody_may_mend_it() -> None:
    old = {LOG: "# D\n\n### DEC-1 — Old\n**Decision:** Without a date.\n"}
    new = {LOG: "# D\n\n### DEC-1 — Old\n> OBSOLETE\n**Decision:** Without a date.\n"}
    assert found(new, old, only=["schema"]) == [("schema", 3, "warning", "_log.md")]


def test_gaai_trees_are_adopted_with_warnings_until_an_entry_is_edited() -> None:
    root = ".gaai/project/contexts/memory"
    path = f"{root}/patterns/conventions.md"
    theirs = "---\ntype: memory\ncategory: patterns\nid: PATTERNS-001\ncreated_at: 2026-01-01\n---\n# Conventions\n"
    assert found({path: theirs}, root=root, only=["schema"]) == [("schema", 1, "warning", "conventions.md")]
    assert found({path: theirs}, {}, root=root, only=["schema"]) == [("schema", 1, "warning", "conventions.md")]
    edited = found({path: theirs + "More.\n"}, {path: theirs}, root=root, only=["schema"])
    assert edited == [("schema", 1, "error", "conventions.md")]
    assert found({PATTERN: theirs}, only=["schema"]) == [("schema", 1, "warning", "migrations.md")]


@pytest.mark.parametrize("rule", ["schema", "relations"])
def test_an_entry_that_gets_a_neighbour_below_it_is_not_edited(rule: str) -> None:
    poor = "### DEC-1 — Old\n**Decision:** Without a date.\n**Supersedes:** DEC-0\n"
    assert found({LOG: f"# D\n\n{poor}\n{TWO}"}, {LOG: f"# D\n\n{poor}"}, only=[rule]) == []


# ids


@pytest.mark.parametrize(
    "other",
    [
        {".memory/patterns/b.md": entry("a")},
        {".memory/patterns/b.md": entry("A")},
        {".memory/archive/patterns/migrations.md": entry("a")},
        {".memory/decisions/api.md": ONE},
        {".memory/decisions/DEC-2026-11-01-01.md": entry("DEC-2026-11-01-01", "decision: So.\ndate: 2026-11-01\n")},
    ],
)
def test_an_id_stands_once_and_the_newer_place_is_named(other: Tree) -> None:
    problem = one({**GOOD, **other}, GOOD, "ids")
    assert problem.path == next(iter(other))
    assert "too" in problem.message
    assert any(path in problem.message for path in GOOD)
    assert len(judge(case({**GOOD, **other}), ["ids"])) == 1


def test_the_same_text_twice_in_one_log_is_found() -> None:
    problem = one({**GOOD, LOG: f"# D\n\n{TWO}\n{ONE}\n{ONE}"}, GOOD, "ids")
    assert (problem.path, problem.line) == (LOG, 11)
    assert "twice in this file" in problem.message


def test_an_old_duplicate_is_left_alone() -> None:
    old = {**GOOD, ".memory/patterns/b.md": entry("a")}
    assert found({**old, ".memory/patterns/c.md": entry("c")}, old, only=["ids"]) == []


# relations


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("supersedes: nothing-1\n", "names nothing-1"),
        ("superseded_by: [nothing-1]\n", "names nothing-1"),
        ("relations: {related_to: [nothing-1]}\n", "names nothing-1"),
        ("relations:\n  derived_from:\n    - nothing-1\n", "names nothing-1"),
        ("supersedes: b\n", "names the entry itself"),
    ],
)
def test_relations_resolve(more: str, words: str) -> None:
    problem = one({**GOOD, ".memory/patterns/b.md": entry("b", more)}, GOOD, "relations")
    assert words in problem.message
    assert problem.line in (5, 6)


@pytest.mark.parametrize("target", ["DEC-2026-11-01-01", "dec-2026-11-01-01", "a", "old"])
def test_relations_find_entries_in_logs_and_in_the_archive(target: str) -> None:
    tree = {**GOOD, ".memory/archive/patterns/old.md": entry("old")}
    new = {**tree, ".memory/patterns/b.md": entry("b", f"supersedes: {target}\n")}
    assert found(new, tree, only=["relations"]) == []


def test_removing_an_entry_that_others_point_to_is_reported_where_they_point() -> None:
    old = {**GOOD, ".memory/patterns/b.md": entry("b", "relations: {related_to: [a]}\n")}
    new = {path: text for path, text in old.items() if path != PATTERN}
    problem = one(new, old, "relations")
    assert (problem.path, problem.line) == (".memory/patterns/b.md", 5)


def test_words_in_a_log_that_are_no_id_are_left_alone() -> None:
    log = "### DEC-1 — One\n**Decision:** It is so.\n**Date:** 2026-11-01\n**Related:** the auth rework, DEC-404\n"
    problem = one({LOG: log}, {}, "relations")
    assert "DEC-404" in problem.message


def test_supersedes_goes_round_in_no_circle() -> None:
    circle = {
        f".memory/patterns/{a}.md": entry(a, f"supersedes: {b}\n") for a, b in [("x", "y"), ("y", "z"), ("z", "x")]
    }
    problem = one({**GOOD, **circle}, GOOD, "relations")
    assert "x → y → z" in problem.message
    assert found({**GOOD, **circle, "src/a.py": ""}, {**GOOD, **circle}, only=["relations"]) == []
    both = {
        ".memory/patterns/x.md": entry("x", "supersedes: y\nsuperseded_by: y\n"),
        ".memory/patterns/y.md": entry("y"),
    }
    assert len(judge(case(both), ["relations"])) == 1


def test_a_long_chain_is_no_circle() -> None:
    log = "\n".join(
        f"### DEC-{n} — Step\n**Decision:** Step {n}.\n**Date:** 2026-11-01\n"
        + f"**Supersedes:** DEC-{n - 1}\n" * (n > 0)
        for n in range(3000)
    )
    assert found({LOG: log}, only=["relations"]) == []


# sizes


@pytest.mark.parametrize(
    ("text", "result"),
    [
        (entry().replace("One sentence that says more.", "word " * 90), [("sizes", 4, "warning", "migrations.md")]),
        (entry().replace("One sentence that says more.", "word " * 200), [("sizes", 4, "error", "migrations.md")]),
        (entry(body="## Overview\n" + "word " * 450), [("sizes", 1, "warning", "migrations.md")]),
        (entry(body="## Overview\nShort.\n## More\n" + "word " * 4500), [("sizes", 1, "warning", "migrations.md")]),
        (entry(body="## Overview\nShort.\n## More\n" + "word " * 9000), [("sizes", 1, "error", "migrations.md")]),
        (entry(body="## Overview\nShort.\n"), []),
    ],
)
def test_levels_have_their_size(text: str, result: list[tuple[str, int, str, str]]) -> None:
    assert found({PATTERN: text}, only=["sizes"]) == result


def test_a_page_has_its_length_and_the_archive_any() -> None:
    path = ".memory/project/context.md"
    page = entry("p", body="## Overview\nShort.\n\n" + "- x\n" * 200)
    assert found({path: page}, only=["sizes"]) == [("sizes", 1, "warning", "context.md")]
    long = entry(body="## Overview\nShort.\n## More\n" + "word " * 9000)
    assert found({".memory/archive/patterns/x.md": long}, only=["sizes"]) == []


def test_one_entry_of_five_megabytes_is_refused_with_a_clear_message() -> None:
    problem = one({LOG: f"{ONE}**Impact:** " + "word " * 1_000_000 + "\n"}, {}, "sizes")
    assert (problem.severity, problem.entry) == ("error", "DEC-2026-11-01-01")
    assert "the body is longer than 5000 tokens" in problem.message


# index


def test_the_index_is_in_step_or_a_warning_or_with_strict_an_error() -> None:
    index = ".memory/index.md"
    page = index_page(case(GOOD).result)
    assert found({**GOOD, index: page}, GOOD, only=["index"]) == []
    assert found({**GOOD, index: page + "x\n"}, GOOD, only=["index"]) == [("index", 0, "warning", "index.md")]
    strict = {".minutebook.yaml": "index: strict\n"}
    assert found({**GOOD, **strict, index: f"{MARKER}\n"}, GOOD, ["index"]) == [("index", 0, "error", "index.md")]
    assert found({**GOOD, index: "# Made by hand\n"}, GOOD, only=["index"]) == []
    assert found({".memory/README.md": "x\n"}, {}, only=["index"]) == []
    assert found({**GOOD, "src/x.py": "x"}, GOOD, only=["index"]) == []


def test_where_the_index_was_left_alone_only_the_rows_of_what_changed_are_looked_for() -> None:
    index, other = ".memory/index.md", {".memory/patterns/b.md": entry("b")}
    old = {**GOOD, **other, index: index_page(case({**GOOD, **other}).result).replace("Alembic", "Flyway")}
    assert found(old, only=["index"]) == [("index", 0, "warning", "index.md")]
    assert found({**old, ".memory/notes.txt": "x\n"}, old, only=["index"]) == []
    assert found({**old, ".memory/patterns/b.md": entry("b", body="More.\n")}, old, only=["index"]) == []
    for change in ({**old, ".memory/patterns/c.md": entry("c")}, {**old, PATTERN: entry("a").replace("sentence", "x")}):
        assert found(change, old, only=["index"]) == [("index", 0, "warning", "index.md")]
    left = {path: text for path, text in old.items() if path not in other}
    assert found(left, old, only=["index"]) == [("index", 0, "warning", "index.md")]


# attributes


@pytest.mark.parametrize(
    ("line", "reported"),
    [
        ("*.md -diff", True), (".memory/** filter=crypt", True), ("*.md merge=union", True), ("* binary", True),
        ("*.md ident", True), ("/.memory/decisions/*.md working-tree-encoding=UTF-16", True), ("**/*.md diff=x", True),
        ('".memory/**" -diff', True), (".memory/** merge=minutebook", False), ("*.md diff=markdown", False),
        ("*.png binary", False), ("docs/** -diff", False), ("* text=auto", False), ("# *.md -diff", False), ("", False),
        ("*.md eol=lf", False),
    ],
)  # fmt: skip
def test_attributes_that_reach_memory_are_reported(line: str, reported: bool) -> None:
    new = {**GOOD, ".gitattributes": f"*.txt text\n{line}\n"}
    expected = [("attributes", 2, "warning", ".gitattributes")] if reported else []
    assert found(new, GOOD, only=["attributes"]) == expected
    assert found({**new, "x": ""}, new, only=["attributes"]) == []
    more = {**new, ".gitattributes": f"*.txt text\n{line}\n*.csv text\n"}
    assert found(more, new, only=["attributes"]) == []
    inside = {**GOOD, ".memory/.gitattributes": f"{line}\n"}
    reaches = reported and "memory" not in line
    assert found(inside, GOOD, only=["attributes"]) == [("attributes", 1, "warning", ".gitattributes")] * reaches


# secrets

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize(
    ("path", "text", "line", "id"),
    [
        (PATTERN, entry(body=f"Use {SECRET} for it.\n"), 6, "a"),
        (PATTERN, entry(more=f"token: {SECRET}\n"), 5, "a"),
        (LOG, f"# Decisions {SECRET}\n\n{TWO}\n{ONE}", 1, ""),
        (LOG, f"# Decisions\n\n{TWO}\n{ONE}**Impact:** {SECRET}\n", 10, "DEC-2026-11-01-01"),
        (".memory/types/x.yaml", f"# {SECRET}\n", 1, ""),
        (".minutebook.yaml", f"# {SECRET}\n", 1, ""),
        (".memory/notes.bin", b"\xff\n" + SECRET.encode(), 2, ""),
        (".memory/archive/patterns/x.md", entry("x", body=SECRET), 6, "x"),
    ],
)
def test_secrets_are_found_everywhere_and_never_said(path: str, text: str | bytes, line: int, id: str) -> None:
    problem = one({**GOOD, path: text}, GOOD, "secrets")
    assert (problem.path, problem.line, problem.entry, problem.severity) == (path, line, id, "error")
    assert SECRET[4:] not in f"{problem.message}{problem.fix}"
    assert "rotate" in problem.fix


def test_a_secret_that_stood_there_before_is_a_warning() -> None:
    old = {**GOOD, LOG: f"# Decisions {SECRET}\n\n{ONE}"}
    new = {**GOOD, LOG: f"# Decisions {SECRET}\n\n{TWO}\n{ONE}"}
    assert found(new, old, only=["secrets"]) == [("secrets", 1, "warning", "_log.md")]


def test_in_a_long_log_what_is_new_is_found_wherever_it_stands() -> None:
    entries = [
        f"### DEC-{n} — Step\n**Decision:** Step {n} is taken now.\n**Date:** 2026-11-01\n\n" for n in range(4000)
    ]
    old = "# Decisions\n\n" + "".join(entries)
    for at in (0, 2000, 3999):
        new = [*entries[:at], entries[at].replace("now", SECRET), *entries[at + 1 :]]
        problem = one({LOG: "# Decisions\n\n" + "".join(new)}, {LOG: old}, "secrets")
        assert (problem.line, problem.entry, problem.severity) == (4 + 4 * at, f"DEC-{at}", "error")
    moved = [entries[0].replace("now", SECRET), *entries[1:]]
    turned = [*moved[1:], moved[0]]
    problem = one({LOG: "# Decisions\n\n" + "".join(turned)}, {LOG: "# Decisions\n\n" + "".join(moved)}, "secrets")
    assert (problem.severity, problem.line) == ("warning", 4 + 4 * 3999)
    assert "minutebook expunge DEC-0 --reason" in problem.fix


def test_many_secrets_of_one_kind_on_a_line_are_one_problem_and_each_line_has_its_own() -> None:
    others = [SECRET.replace("a1", f"z{number}") for number in range(5)]
    text = f"{' '.join(others)}\n\n{SECRET}\n"
    assert found({**GOOD, ".memory/notes.txt": text}, GOOD, only=["secrets"]) == [
        ("secrets", 1, "error", "notes.txt"),
        ("secrets", 3, "error", "notes.txt"),
    ]


def test_no_message_of_any_rule_says_a_secret() -> None:
    bad = {
        **GOOD,
        PATTERN: entry(more=f"created: {SECRET}\nsupersedes: {SECRET}\n{SECRET}: 1\ntype: {SECRET}\n"),
        ".memory/patterns/y.md": f"---\n{SECRET}: 1\n{SECRET}: 2\n---\n",
        LOG: f"# D\n\n{TWO}\n{ONE}\n### Notes {SECRET}\nloose\n",
    }
    problems = judge(case(bad, GOOD))
    assert {"schema", "relations", "yaml", "loose-text", "secrets"} <= {problem.rule for problem in problems}
    assert all(SECRET[4:] not in f"{problem.message}{problem.fix}" for problem in problems)


# text


@pytest.mark.parametrize(
    ("character", "named"),
    [
        ("\ufeff", "U+FEFF"), ("\x00", "U+0000"), ("\x1b", "U+001B"), ("\x7f", "U+007F"), ("\x85", "U+0085"),
        ("\u2028", "U+2028 (LINE SEPARATOR)"), ("\u2029", "U+2029"), ("\u202e", "U+202E (RIGHT-TO-LEFT OVERRIDE)"),
        ("\u2066", "U+2066"), ("\u200f", "U+200F"), ("\u200b", "U+200B (ZERO WIDTH SPACE)"), ("\u2060", "U+2060"),
        ("\u00ad", "U+00AD"), ("\U000e0041", "U+E0041 (TAG LATIN CAPITAL LETTER A)"), ("\ufe0f", "U+FE0F"),
        ("\ufe00", "U+FE00"), ("\U000e0101", "U+E0101"), ("\u3164", "U+3164"), ("\u200d", "U+200D"), ("\r", "U+000D"),
    ],
)  # fmt: skip
def test_what_cannot_be_seen_is_refused_in_new_text_and_left_alone_in_old(character: str, named: str) -> None:
    bad = {**GOOD, PATTERN: entry(body=f"a word{character}here\n")}
    problem = one(bad, GOOD, "text")
    assert (problem.path, problem.line, problem.severity, problem.entry) == (PATTERN, 6, "error", "a")
    assert problem.message.startswith(named)
    assert found({**bad, PATTERN: f"{bad[PATTERN]!s}More.\n"}, bad, only=["text"]) == []
    assert found(bad, only=["text"]) == [("text", 6, "error", "migrations.md")]


@pytest.mark.parametrize(
    "opened", ["<div><!--", "> <!-- x", "- <!--", "<STYLE>", "a <script src=x>", "``<!--`` <!--", "<?", "  <!x",
               "<title>", "<![CDATA[ x", "<details><summary>more</summary>", "<pre>", "a <XMP>", "<noscript >",
               "<plaintext>", "<pre", "<iframe src=x>", "<div hidden>", "<p class=a HIDDEN=''>",
               "<div hidden><div></div>", "</pre><pre>", "```", "  ~~~ md", "- <!-- a\n  b\n\nc"]
)  # fmt: skip
def test_new_text_opens_nothing_that_hides_what_stands_below(opened: str) -> None:
    new = {**GOOD, LOG: f"# Decisions\n\n{opened}\n\n{TWO}\n{ONE}"}
    assert [(rule, line) for rule, line, *_ in found(new, GOOD, ["text"])] == [("text", 3)]
    assert found({**new, PATTERN: entry("b")}, new, ["text"]) == []


@pytest.mark.parametrize(
    "fine", ["<!-- a note -->", "a <!-- note --> b", "`<!--` opens", "```html\n<style>\n```", "a < b <!b>",
             "<!-- a note\nof two lines -->", "<style>b {}</style>", "<titles>", "a Box<Template> and Vec<Title>",
             "<details>\n<summary>more</summary>\n\nx\n\n</details>", "<PRE>\nx\n</pre>", "`<pre>`", "Vec<Pre>",
             "<previous>", "<?php\nx\n?>", "<!DOCTYPE html>", "<![CDATA[ x\n]]>", "a <? b", "<div hidden>\nx\n</div>",
             "<img hidden>", '<p title="a hidden b">', "<div\thiddens>", "- ```\n  <pre>\n  ```",
             "1. x\n   ```\n   x\n    ```", "- <!-- a\n  b -->", "- <!-- a\nb -->"]
)  # fmt: skip
def test_what_hides_nothing_is_fine(fine: str) -> None:
    assert found({**GOOD, LOG: f"# Decisions\n\n{fine}\n\n{TWO}\n{ONE}"}, GOOD, ["text"]) == []


@pytest.mark.parametrize(("opened", "shut"), [("<pre>", "</pre>"), ("<?x", "?>"), ("<div hidden>", "</div>")])
def test_what_only_the_next_entry_closes_hides_something(opened: str, shut: str) -> None:
    new = {**GOOD, LOG: f"# Decisions\n\n{TWO}{opened}\n\n{ONE}{shut}\n"}
    (problem,) = judge(case(new, GOOD), ["text"])
    assert (problem.line, problem.entry) == (6, "DEC-2026-11-02-01")


@pytest.mark.parametrize("opened", ["```", "~~~ sh", "<!-- x\n\ny"])
def test_a_log_that_is_left_open_says_where_until_it_is_old(opened: str) -> None:
    log = f"# Decisions\n\n```\nx\n```\n\n{TWO}\n{opened}\n{ONE}"
    old, new = {**GOOD, LOG: log.replace(f"{opened}\n{ONE}", ONE)}, {**GOOD, LOG: log}
    (problem,) = [each for each in judge(case(new, old), ["text"]) if "never closed" in each.message]
    assert (problem.line, problem.severity, problem.entry) == (11, "error", "DEC-2026-11-02-01")
    assert found({**new, LOG: log.replace("# Decisions", "# Our decisions")}, new, ["text"]) == []
    assert found({**GOOD, PATTERN: entry(body="```\n")}, GOOD, ["text"]) == []


def test_bytes_that_are_no_text_are_refused() -> None:
    assert "byte 0xFF" in one({**GOOD, PATTERN: entry().encode() + b"\xff\n"}, GOOD, "text").message
    assert "UTF-16" in one({**GOOD, ".memory/patterns/b.md": "x\n".encode("utf-16")}, GOOD, "text").message
    problem = one({**GOOD, PATTERN: "\ufeff" + entry()}, GOOD, "text")
    assert (problem.line, problem.message[:6]) == (1, "U+FEFF")


@pytest.mark.parametrize(
    "words",
    [
        "done \u2714\ufe0f and \u2764\ufe0f", "family \U0001f468\u200d\U0001f469\u200d\U0001f467",
        "flag \U0001f3f3\ufe0f\u200d\U0001f308", "keycap 1\ufe0f\u20e3", "skin \U0001f44d\U0001f3fd tone",
        "\u06a9\u062a\u0627\u0628\u200c\u0647\u0627", "\u0915\u094d\u200d\u0937", "naïve – “quoted” …", "tab\there",
        "\ufffd is what a broken decoder leaves",
    ],
)  # fmt: skip
def test_emoji_and_scripts_that_need_joiners_are_fine(words: str) -> None:
    assert found({**GOOD, PATTERN: entry(body=f"{words}\n")}, GOOD, only=["text"]) == []


def test_a_secret_alphabet_of_variation_selectors_is_seen_even_after_an_emoji() -> None:
    assert found({PATTERN: entry(body="😀\ufe0f\ufe0f\n")}, {}, only=["text"])
    assert found({PATTERN: entry(body="😀\U000e0131\n")}, {}, only=["text"])


def test_a_new_file_ends_with_a_line_end_and_has_lf() -> None:
    assert found({PATTERN: entry(body="x")}, {}, only=["text"]) == [("text", 0, "warning", "migrations.md")]
    crlf = {PATTERN: entry().replace("\n", "\r\n")}
    assert found(crlf, {}, only=["text"]) == [("text", 0, "warning", "migrations.md")]
    assert found({PATTERN: entry(body="x")}, GOOD, only=["text"]) == []


def test_a_file_of_nothing_but_rubbish_gives_a_few_problems() -> None:
    rubbish = "".join(chr(code) for code in range(0x200B, 0x2070)) + "\x00" * 10_000
    assert 0 < len(judge(case({PATTERN: f"{rubbish}\n" * 50}), ["text"])) < 60


# names


@pytest.mark.parametrize(
    "name",
    ["con.md", "AUX", "com1.txt", "a:b.md", "x.md.", "x ", "a\\b.md", "a\nb.md", "-rf.md", "e\u0301.md", "a\u200bb.md",
     "a*b.md", "a?.md", 'a".md', "a|b", "a\x1bb.md", "sub/-x/a.md", "nul/a.md", "x" * 201, "\udcff.md", " x.md"],
)  # fmt: skip
def test_names_that_differ_between_machines_are_refused(name: str) -> None:
    path = f".memory/patterns/{name}"
    problem = one({**GOOD, path: entry("b")}, GOOD, "names")
    assert (problem.path, problem.severity) == (path, "error")
    assert found({**GOOD, path: entry("b"), "x": ""}, {**GOOD, path: entry("b")}, only=["names"]) == []


@pytest.mark.parametrize(
    "name", ["a.md", "DEC-2026-11-02-01.md", "_log.md", ".gitkeep", "über.md", "日本.md", "v1.2 (new)"]
)
def test_ordinary_names_are_fine(name: str) -> None:
    assert found({**GOOD, f".memory/patterns/{name}": entry("b")}, GOOD, only=["names"]) == []


@pytest.mark.parametrize(
    "path", [".memory/decisions/_LOG.md", ".memory/Patterns/x.md", ".memory/patterns/MIGRATIONS.MD"]
)
def test_paths_that_differ_in_case_alone_are_refused(path: str) -> None:
    problem = one({**GOOD, path: "x\n"}, GOOD, "names")
    assert problem.path == path
    assert "one name on some machines" in problem.message


# place


def test_a_file_where_no_type_has_its_place_is_a_warning_with_the_nearest() -> None:
    problem = one({**GOOD, ".memory/pattern/x.md": "x\n"}, GOOD, "place")
    assert (problem.severity, problem.fix) == ("warning", ".memory/patterns/{slug}.md is the place of a pattern")
    others = {".memory/README.md": "x\n", ".memory/patterns/a.example.md": "x\n", ".memory/notes.txt": "x\n"}
    assert found({**GOOD, **others}, GOOD, only=["place"]) == []


def test_owner_spaces_stay_out_of_git_unless_the_team_says_otherwise() -> None:
    profile = {".memory/users/ada/profile.md": entry("profile-ada")}
    problem = one({**GOOD, **profile}, GOOD, "place")
    assert "private" in problem.message
    assert "git rm --cached .memory/users/ada/profile.md" in problem.fix
    assert found({**GOOD, **profile, ".minutebook.yaml": "users: commit\n"}, GOOD, only=["place"]) == []
    assert judge(case({**GOOD, **profile}, GOOD, tracked=False), ["place"]) == ()


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_no_rule_stumbles_over_rubbish(rule: Callable[[Case], object]) -> None:
    rubbish: Tree = {
        ".memory/patterns/a.md": b"\x00\xff---\n",
        ".memory/patterns/b.md": "---\n- a\n---\n",
        ".memory/patterns/c.md": (
            "---\nid: [1]\ntitle: {a: 1}\nabstract: 3\nsupersedes: {a: b}\nrelations: [x]\ntype: [y]\n---\n"
        ),
        ".memory/decisions/_log.md": "### DEC-1 —\n**Sources:** x\n**Related:**\n**Supersedes:** , ,\n",
        ".memory/types/a.yaml": "name: a\nschema: {properties: 3}\n",
        ".memory/baseline.json": "{",
        ".memory/index.md": MARKER,
        ".memory/users": "a file",
    }
    for old in (None, {}, rubbish, GOOD):
        for new in (rubbish, {}):
            list(rule(case(new, old)))  # type: ignore[call-overload]
