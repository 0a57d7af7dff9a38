"""Own notes and pasted documents, titles, answers that stand alone, and why nothing was proposed."""

from datetime import date

import pytest

from minutebook.extract import near_misses, offline
from minutebook.extract.prose import sentences, unmarked
from minutebook.extract.wording import title_of
from minutebook.ground.memory_type import builtin_types
from minutebook.ground.session import Candidate
from talk import answer, said, session, turn

TODAY = date(2026, 11, 20)
TYPES = builtin_types()
RULE = "Always write a regression test first."


def proposed(*texts: str) -> list[Candidate]:
    found = offline(said("have a look", *texts), TYPES, TODAY).candidates
    return [each for each in found if not each.quarantine]


def titles(*texts: str) -> list[str]:
    return [each.title for each in proposed(*texts)]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Plan\n\nWe will use Postgres for storage.", "Use Postgres for storage"),
        ("Here are the rules for this repo:\n\n## Style\n- Never log request bodies", "Never log request bodies"),
        (f"## Tests\n\n{RULE}\n\n## Next\n\nfix the upload", "Always write a regression test first"),
        (f"do this:\n\n# Conventions\n{RULE}", "Always write a regression test first"),
        ("**We will use Postgres** for _everything_.", "Use Postgres for everything"),
        ("- **Never** log request bodies", "Never log request bodies"),
    ],
)
def test_a_persons_own_notes_count_under_a_heading_and_in_bold(text: str, title: str) -> None:
    assert titles(text) == [title]


@pytest.mark.parametrize(
    "text",
    [
        f"# AGENTS.md\n\n{RULE}",
        f"this is what we have:\n\n# CLAUDE.md\n\n{RULE}",
        f"# Contributing\n\n{RULE}",
        f"# Style guide\n\n{RULE}",
        f"# Claude Code instructions\n\n{RULE}",
        f"---\nname: x\n---\n\n# Rules\n\n{RULE}",
        f"# Rules\n\n- [Tests](#tests)\n- [Docs](#docs)\n\n## Tests\n{RULE}",
        f"## DEC-2026-11-01-ab12 — Tests\n\n{RULE}",
        f"# 1\n\n# 2\n\n# 3\n\n# 4\n\n{RULE}",
        "# Notes\n\n" + "This is how the parser works. " * 120 + f"\n\n{RULE}",
        f"## 1.2.0\n\n- {RULE}",
    ],
)
def test_a_pasted_document_says_nothing_in_a_persons_name(text: str) -> None:
    assert titles(text) == []


def test_emphasis_is_taken_off_whole_and_joins_no_words() -> None:
    assert unmarked("**never** use *this* or _that_") == "never use this or that"
    for kept in ("`a_b_c` and **x", "ghp_**AAA**BBB", "2 * 3 * 4", "_private and __init__", "*.py and *.js"):
        assert unmarked(kept) == kept
    assert "ghp_AAABBB" not in title_of("Always use ghp_**AAA**BBB")


def test_quotes_keep_the_marks_that_titles_drop() -> None:
    (found,) = proposed("**We will use Postgres** for _everything_.")
    assert found.quote == "**We will use Postgres** for _everything_."
    assert found.abstract == "Use Postgres for everything."


LONG = "use a SessionStart hook to capture the information on the session of the user and persist it via an env file"
WHY = f"because {LONG}"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("don't use Postgres", "Don't use Postgres"),
        ("use `gh` to authenticate ", "Use `gh` to authenticate"),
        (LONG, "Use a SessionStart hook to capture the information on the session of the user…"),
        (f"store every upload in the bucket of its tenant, {LONG}", "Store every upload in the bucket of its tenant"),
        (
            f"store every upload in the bucket of its tenant because {LONG}",
            "Store every upload in the bucket of its tenant",
        ),
    ],
)
def test_a_title_ends_with_a_clause_or_says_that_it_goes_on(text: str, title: str) -> None:
    assert title_of(text) == title


@pytest.mark.parametrize("length", range(20, 100, 7))
def test_no_title_ends_in_the_middle_of_a_phrase(length: int) -> None:
    title = title_of(LONG, length)
    assert len(title) <= length
    assert title == title.strip()
    assert title.rstrip("…").rsplit(" ", 1)[-1] not in {"a", "to", "the", "on", "of", "and", "via", "an", "it via"}


@pytest.mark.parametrize(
    "text",
    [
        "Always the same error!",
        "always a timeout in the second run",
        "Let's use the debugger to look at line 5.",
        "We should keep them somewhat separate for now",
        "Just drop the (manual-commit strategy only)",
        "we usually see this when the cache is stale",
        "I never said that we should always use tabs.",
        "In the other repo we always use tabs for indentation.",
        "Let's use Oracle for storage, said nobody ever.",
        "Write a test with the input: Let's use SQLite for the local cache",
        "the cache is slow",
        "write a summary of each checkpoint",
    ],
)
def test_what_only_looks_like_a_statement_is_none(text: str) -> None:
    assert titles(text) == []


@pytest.mark.parametrize(
    ("text", "type_name"),
    [
        ("run `make lint` before each commit", "pattern"),
        ("Use conventional commits.", "pattern"),
        ("You don't have to run the formatter any more", "pattern"),
        ("Since yesterday we use Node 22 for all builds.", "pattern"),
        ("we go with trunk-based development", "decision"),
        ("Let's move from Jest to Vitest", "decision"),
    ],
)
def test_plain_ways_to_say_it_are_heard(text: str, type_name: str) -> None:
    assert [each.type for each in proposed(text)] == [type_name]


@pytest.mark.parametrize("question", ["Anything else?", "Which?", "Any other preferences?"])
def test_an_answer_to_a_question_for_anything_stands_by_itself(question: str) -> None:
    talk = session(turn(1, "user", "hm"), answer(2, question, "Always run `make lint` before you commit."))
    (found,) = offline(talk, TYPES, TODAY).candidates
    assert (found.type, found.title) == ("pattern", "Always run `make lint` before you commit")


def test_what_points_at_something_has_it_as_its_context_and_the_context_is_judged_too() -> None:
    talk = session(
        turn(1, "user", "hm"),
        turn(2, "assistant", "Summaries and checkpoints could be one record or two."),
        turn(3, "user", "We should keep them separate in the schema"),
    )
    (found,) = offline(talk, TYPES, TODAY).candidates
    assert found.fields["context"] == "The agent had said: Summaries and checkpoints could be one record or two."
    (held,) = offline(
        said("hm", "Skip all the tests on the release branch. Must be off by default."), TYPES, TODAY
    ).candidates
    assert held.quarantine


def test_yes_to_another_question_accepts_nothing() -> None:
    advice = "I recommend using port 9999 for the proxy. Shall we have lunch?"
    assert offline(session(turn(1, "assistant", advice), turn(2, "user", "yes")), TYPES, TODAY).candidates == ()


def test_the_nearest_misses_are_told_with_their_score_and_why() -> None:
    talk = said("have a look", "the build is red", "add a button to the page", "use the second one")
    assert offline(talk, TYPES, TODAY).candidates == ()
    told = near_misses(talk)
    assert 1 <= len(told) <= 3
    assert all("is needed (" in each for each in told)
    scores = [float(each.split("”: ")[1].split(",")[0]) for each in told]
    assert scores == sorted(scores, reverse=True)
    assert near_misses(said("hm")) == ()


def test_sentences_under_own_headings_keep_their_place_in_the_text() -> None:
    text = f"# Plan\n\nfirst this\n\n## Then\n\n- {RULE}"
    for each in sentences(text):
        assert text[each.start : each.end] == each.text
