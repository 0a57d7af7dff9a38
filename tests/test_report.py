"""How problems look; what other people's text can't do to a terminal or a runner."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minutebook.ground.errors import CannotJudge
from minutebook.ground.problem import Problem
from minutebook.pages.report import MOST_ANNOTATIONS, report, summary

BAD = Problem(".memory/a.md", 3, "schema", "`date` is missing", "**Date:** 2026-11-02", "DEC-1")
MEH = Problem(".memory/index.md", 0, "index", "out of step", "minutebook index", severity="warning")
HOSTILE = "a\x1b[31m%0A\r\n::add-mask::x\n  ::stop-commands::y\n##[set-output]z,:\u202e\u2028\udc80\x9b"


def test_text_says_where_what_and_how_to_mend_it() -> None:
    assert report([MEH, BAD], "text") == (
        ".memory/a.md:3: schema: `date` is missing\n"
        "    **Date:** 2026-11-02\n"
        ".memory/index.md: index: warning: out of step\n"
        "    minutebook index\n"
        "1 error, 1 warning\n"
    )


def test_nothing_is_said_of_nothing() -> None:
    assert (report([], "text"), report([], "github"), summary([])) == ("", "", "no problems")
    assert json.loads(report([], "json")) == {"problems": [], "errors": 0, "warnings": 0}


def test_github_annotates_the_lines() -> None:
    assert report([MEH, BAD], "github") == (
        "::error file=.memory/a.md,line=3,title=minutebook schema::`date` is missing%0A**Date:** 2026-11-02\n"
        "::warning file=.memory/index.md,title=minutebook index::out of step%0Aminutebook index\n"
        "1 error, 1 warning\n"
    )


def test_text_shows_twenty_of_a_kind_in_a_file_and_counts_the_rest() -> None:
    many = [Problem("a.md", n, "append-only", f"no. {n}", "restore it") for n in range(1, 10_001)]
    many += [Problem("a.md", n, "append-only", f"no. {n}", severity="warning") for n in range(1, 23)]
    many += [Problem("a.md", 30_000, "schema", "bad"), *(Problem("b.md", n, "append-only", "too") for n in range(20))]
    lines = report(many, "text").split("\n")
    assert len(lines) == 20 * 2 + 20 + 1 + 2 + 20 + 2
    at = lines.index("… and 9980 more of append-only in a.md")
    assert (lines[at - 1], lines[at + 1][:4]) == ("… and 2 more warnings of append-only in a.md", "b.md")
    assert lines[-2] == "10021 errors, 22 warnings"
    assert len(json.loads(report(many, "json"))["problems"]) == len(many)


def test_github_shows_ten_of_a_level_and_counts_the_rest() -> None:
    many = [Problem("a.md", n, "text", f"no. {n}") for n in range(25)]
    many += [Problem("b.md", n, "index", f"no. {n}", severity="warning") for n in range(11)]
    lines = report(many, "github").split("\n")
    assert sum(line.startswith("::error ") for line in lines) == MOST_ANNOTATIONS
    assert sum(line.startswith("::warning ") for line in lines) == MOST_ANNOTATIONS
    assert [line for line in lines if line.startswith("::notice")] == [
        "::notice title=minutebook::16 more; `minutebook check` shows all of them"
    ]


def test_json_is_the_whole_of_it() -> None:
    document = json.loads(report([MEH, BAD], "json"))
    assert document["problems"][0] == {
        "path": ".memory/a.md", "line": 3, "rule": "schema", "severity": "error", "entry": "DEC-1",
        "message": "`date` is missing", "fix": "**Date:** 2026-11-02",
    }  # fmt: skip
    assert (document["errors"], document["warnings"]) == (1, 1)


def test_an_unknown_form_is_bad_usage() -> None:
    with pytest.raises(CannotJudge):
        report([BAD], "xml")


hostile = st.lists(st.text(max_size=10) | st.sampled_from([HOSTILE, "\n", "::", "##[", "\r", "\x1b]0;", " ", "\t"]))
hostile_text = hostile.map("".join)
problems = st.lists(
    st.builds(
        Problem,
        path=hostile_text,
        line=st.integers(0, 5),
        rule=st.sampled_from(["text", "schema"]),
        message=hostile_text,
        fix=hostile_text,
        entry=hostile_text,
        severity=st.sampled_from(["error", "warning"]),
    ),
    min_size=1,
    max_size=5,
)


@given(problems)
def test_text_of_others_reaches_no_terminal_and_no_runner(found: list[Problem]) -> None:
    for form in ("text", "github", "json"):
        shown = report(found, form)
        assert not any((c < " " and c not in "\n\t") or "\x7f" <= c <= "\x9f" for c in shown)
        assert "\u202e" not in shown
        assert "##[" not in shown
        shown.encode()
        commands = [line for line in shown.split("\n") if line.lstrip().startswith("::")]
        levels = ("::error file=", "::warning file=") if form == "github" else ()
        assert all(line.startswith(levels) for line in commands)
        assert len(commands) == (len(found) if form == "github" else 0)


@given(problems)
def test_an_annotation_has_the_properties_that_we_gave_it(found: list[Problem]) -> None:
    for line in report(found, "github").split("\n"):
        if line.startswith("::"):
            properties = line.split(" ", 1)[1].split("::", 1)[0].split(",")
            assert [each.split("=", 1)[0] for each in properties] in (["file", "line", "title"], ["file", "title"])


@given(problems)
def test_json_gives_the_very_text_back(found: list[Problem]) -> None:
    rows = json.loads(report(found, "json"))["problems"]
    assert [(row["path"], row["message"]) for row in rows] == [(each.path, each.message) for each in sorted(found)]
