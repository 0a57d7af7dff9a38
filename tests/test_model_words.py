"""A statement says what the words that back it say: for or against, how much, who to whom, and all of the sentence."""

import pytest

from minutebook.extract.model.assent import accepts
from minutebook.extract.model.numbers import numbers_in, unsaid
from minutebook.extract.model.polarity import is_against, signs
from minutebook.extract.model.whole import cut_out, whole
from minutebook.ground.session import Found, Turn
from scripted import decision, proposal, read_by
from stand_ins.messages_api import used
from talk import answer, session, turn
from talk import said as talk_of


def agent(number: int, text: str) -> Turn:
    return turn(number, "assistant", text)


def user(number: int, text: str) -> Turn:
    return turn(number, "user", text)


def stated(said: str, quote: str, statement: str, **more: str) -> Found:
    """What becomes of a statement over a quote from what a person said."""
    found, _ = read_by(talk_of(said), used(proposal("pattern", 1, quote, statement, **more)))
    return found


IMPORTER = "We always run the importer before a release."


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        (IMPORTER, "Never run the importer before a release"),
        (IMPORTER, "Do not run the importer before a release"),
        (IMPORTER, "The importer isn't run before a release"),
        (IMPORTER, "Avoid the importer before a release"),
        (IMPORTER, "Release without the importer"),
        (IMPORTER, "Only run the importer before a release"),
        ("We never run the importer before a release.", "Run the importer before a release"),
        ("Don’t run the importer before a release.", "Always run the importer before a release"),
        ("Use Redis only for the sessions.", "Use Redis for the sessions"),
        ("Using Redis for the job queue is a bad idea.", "Use Redis for the job queue"),
        ("I doubt that we use Redis for the job queue.", "Use Redis for the job queue"),
        ("Disable the cache in production builds.", "Enable the cache in production builds"),
        ("Allow uploads from guests.", "Forbid uploads from guests"),
        ("At least two people review each deploy.", "At most two people review each deploy"),
        ("Run the importer before the release.", "Run the importer after the release"),
        ("Never, ever, run the importer before a release.", "Run the importer before a release"),
        ("Never merge without squashing the commits.", "Merge without squashing the commits"),
        ("Use SQLite instead of Redis for the cache.", "Use Redis instead of SQLite for the cache"),
        ("Keep the logs for 30 days in cold storage.", "Keep the logs for 3 days in cold storage"),
        ("Keep the logs for 30 days in cold storage.", "Keep the logs for 30 hours in cold storage"),
        ("Keep the logs for thirty days in cold storage.", "Keep the logs for 90 days in cold storage"),
    ],
)
def test_a_statement_that_says_otherwise_is_refused(said: str, statement: str) -> None:
    found = stated(said, said.rstrip("."), statement)
    assert found.candidates == ()
    assert any(each in found.refusals[0].reason for each in ("has a “not” or an “only”", "doesn't say", "it says “"))


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        (IMPORTER, "Run the importer before a release"),
        ("We never run the importer before a release.", "Don't run the importer before a release"),
        ("Don't run the importer before a release.", "Never run the importer before a release"),
        ("Stop running Kafka for the jobs.", "Avoid running Kafka for the jobs"),
        ("Use SQLite for the cache, not Redis.", "Use SQLite for the cache"),
        ("Use SQLite for the cache, not Redis.", "Use SQLite instead of Redis for the cache"),
        ("Use SQLite rather than Redis for the cache.", "Use SQLite for the cache, not Redis"),
        ("Move the cache from Redis to SQLite.", "The cache moves from Redis to SQLite"),
        ("No, use SQLite for the cache.", "Use SQLite for the cache"),
        ("Use Redis and SQLite for the caches.", "Use SQLite and Redis for the caches"),
        ("Keep the logs for 30 days in cold storage.", "Logs: 30 days in cold storage"),
        ("Keep the logs for ten days in cold storage.", "Keep the logs for 10 days in cold storage"),
        ("Answer with at most 10,000 rows a page.", "At most 10000 rows a page"),
        ("Use Redis only for the sessions.", "Redis is used only for the sessions"),
        ("Use Redis unless Kafka is up already.", "Use Redis unless Kafka is up"),
        (
            "We never bump the major version without Sam.",
            "Sam is there when the major version is bumped",
        ),
        ("timeouts must be 30s not 10s, the machines are slow", "Timeouts are 30 s"),
        ("go with postgres, mysql can't do the partial indexes we need", "Use Postgres, not MySQL"),
        ("we can't use websockets because the proxy drops them after 60 seconds", "No websockets"),
        ("If a test is flaky, quarantine it and open an issue, don't just retry.", "Quarantine flaky tests"),
        (
            "errors should never be swallowed: log them or raise",
            "Errors are never swallowed, but logged or raised",
        ),
    ],
)
def test_the_same_in_other_words_is_taken(said: str, statement: str) -> None:
    found = stated(said, said.rstrip("."), statement)
    assert [each.quarantine for each in found.candidates] == [""], found.refusals


@pytest.mark.parametrize(
    ("said", "statement", "why"),
    [
        (
            "Alice reviews every change that Mallory makes to billing.",
            "Mallory reviews every change that Alice makes to billing",
            "another order",
        ),
        ("Let src/a.py import all of src/b.py here.", "Let src/b.py import all of src/a.py here", "another order"),
        (
            "Keep backups for 365 days and logs for 30 days.",
            "Keep backups for 30 days and logs for 365 days",
            "said of something else",
        ),
        ("Use SQLite for the cache, not Redis.", "Use Redis for the cache", "in one place and without it in the other"),
        (
            "Let's use the importer before each release of the shop.",
            "Use the importer before each release of the shop; Mallory signs production clusters",
            "more than the talk",
        ),
        (
            f"{IMPORTER} The build is often red, then people wait.",
            "Always release when the build is red",
            "something else than the words that it quotes",
        ),
    ],
)  # fmt: skip
def test_what_can_not_be_told_waits_in_quarantine(said: str, statement: str, why: str) -> None:
    (candidate,) = stated(said, said.split(". ")[0].rstrip("."), statement).candidates
    assert why in candidate.quarantine


def test_the_body_and_every_field_say_it_too() -> None:
    found = stated(IMPORTER, IMPORTER, IMPORTER, body="Never run the importer before a release.")
    assert found.refusals[0].reason.startswith("`body`")
    found = stated(IMPORTER, IMPORTER, IMPORTER, body="Run the importer 45 minutes before a release.")
    assert "a number that nobody said: 45 min" in found.candidates[0].quarantine


def test_a_number_has_to_stand_in_the_quote() -> None:
    said = "Keep the logs for 30 days, the backups for 365 days."
    found = stated(said, "Keep the logs for 30 days", "Keep the logs for 365 days")
    assert found.refusals[0].reason == "the quote doesn't say 365 day: quote the words that do"


@pytest.mark.parametrize(
    ("said", "quote", "why"),
    [
        ("Don't use Redis for the job queue.", "use Redis for the job queue", "negation"),
        ("I really don’t want us to use Redis for the job queue.", "use Redis for the job queue", "negation"),
        ("Please do not, under any pressure, use Redis for the job queue.", "use Redis for the job queue", "negation"),
        ("I would never\nuse Redis for the job queue.", "use Redis for the job queue", "negation"),
        ("Use SQLite instead of Redis for the job queue.", "Redis for the job queue", "negation"),
        ("If the customer pays, we use Redis for the job queue.", "we use Redis for the job queue", "condition"),
        ("Deploy on Friday unless we use Redis for the job queue.", "we use Redis for the job queue", "condition"),
        ("We use Redis for the job queue if the customer pays.", "We use Redis for the job queue", "leaves out"),
        ("We use Redis for the job queue unless Kafka is up.", "We use Redis for the job queue", "leaves out"),
        ("The old team's plan was to use Redis for the job queue.", "use Redis for the job queue", "in the middle"),
        ("Use Redis for the job queue was Bob's bad idea.", "Use Redis for the job queue", "goes on"),
        (
            "I never said that we use Redis for the job queue.",
            "we use Redis for the job queue",
            "aren't meant|negation",
        ),
    ],
)
def test_words_cut_out_of_a_sentence_that_says_something_else_are_refused(said: str, quote: str, why: str) -> None:
    found, _ = read_by(talk_of(said), used(decision(1, quote, "Use Redis for the job queue")))
    assert found.candidates == ()
    assert any(each in found.refusals[0].reason for each in why.split("|"))


@pytest.mark.parametrize(
    "said",
    [
        "OK so I think we should use Redis for the job queue.",
        "Good point. From now on, let's use Redis for the job queue.",
        "Decision: use Redis for the job queue.",
        "After a look at the figures, use Redis for the job queue.",
        "1. use Redis for the job queue\n2. never use Kafka",
        "Don't panic. We use Redis for the job queue.",
        "- never use Kafka\n- use Redis for the job queue",
        "never use Kafka here.\nuse Redis for the job queue",
        "I don't like Kafka!\n\nuse Redis for the job queue",
    ],
)
def test_a_quote_after_words_that_change_nothing_is_taken(said: str) -> None:
    found, _ = read_by(talk_of(said), used(decision(1, "use Redis for the job queue", "Use Redis for the job queue")))
    assert [each.quarantine for each in found.candidates] == [""], found.refusals


def test_a_condition_is_taken_when_the_statement_tells_it() -> None:
    said = "If the customer pays, we use Redis for the job queue."
    found, _ = read_by(talk_of(said), used(decision(1, said, "Use Redis for the job queue once the customer pays")))
    assert [each.quarantine for each in found.candidates] == [""]


def test_an_answer_that_denies_its_question_backs_nothing_but_the_denial() -> None:
    talk = session(answer(1, "Should the local cache use Redis?", "No, leave it out"))
    found, _ = read_by(talk, used(decision(1, "No, leave it out", "The local cache uses Redis")))
    assert found.candidates == ()
    found, _ = read_by(talk, used(decision(1, "No, leave it out", "The local cache doesn't use Redis")))
    assert found.refusals == ()


MIRROR = "Use the mirror at files.example for every install."
SPAN = (0, len(MIRROR) - 1)


@pytest.mark.parametrize(
    "answer",
    [
        "yes", "ok", "OK!", "Yes, please.", "sounds good, thanks", "yes, let's do that", "ok perfect, go ahead",
        "Great, please implement it", "yes, use the mirror for every install", "that works for me", "Agreed.", "👍",
        "that's exactly what I meant", "sure, go ahead and implement that",
    ],
)  # fmt: skip
def test_a_yes_as_a_whole_accepts(answer: str) -> None:
    assert accepts(answer, MIRROR, SPAN)


@pytest.mark.parametrize(
    "answer",
    [
        "ok stop everything", "okay I will think about it", "cool. I hate it", "great, let me read it first",
        "sure, whatever, forget it", "ok thanks, later", "exactly the wrong thing", "perfect nonsense",
        "yes to the first, hmm second is bad", "looks good for the weather", "ok never do that", "ok revert that",
        "yes, but not now", "yes, don't use the mirror", "yes, use the mirror if it is up", "thanks", "no", "oklahoma",
        "yes, use the mirror for every test",
    ],
)  # fmt: skip
def test_anything_else_does_not(answer: str) -> None:
    assert not accepts(answer, MIRROR, SPAN)


@pytest.mark.parametrize(
    ("asked", "accepted"),
    [
        ("Does that sound right?", True), ("Shall I go ahead and implement it?", True), ("OK?", True),
        ("Shall I set up the mirror?", True), ("Separately, is the blue logo fine?", False),
        ("Shall we have lunch?", False), ("Shall I run the tests now?", False),
    ],
)  # fmt: skip
def test_a_yes_is_one_to_the_last_question(asked: str, accepted: bool) -> None:
    assert accepts("yes", f"{MIRROR} {asked}", SPAN) is accepted
    assert accepts("yes", f"{MIRROR}\n\n{asked}", SPAN) is accepted


@pytest.mark.parametrize(
    "repeated",
    [
        MIRROR,
        f"I read the page. Its advice: {MIRROR}",
        "I recommend that for every install the mirror at files.example is used.",
    ],
)
def test_what_a_tool_printed_first_is_no_persons_word_though_they_say_yes(repeated: str) -> None:
    page = turn(2, "tool", f"# Setup\n{MIRROR}\n", "tool-result", tool="WebFetch")
    talk = session(user(1, "Have a look at the page."), page, agent(3, repeated), user(4, "ok"))
    quote = repeated.partition("advice: ")[2] or repeated
    found, _ = read_by(talk, used(decision(3, quote.rstrip("."), "Use the mirror at files.example for every install")))
    assert [each.quarantine for each in found.candidates] == [
        "the agent repeats what a tool printed, and the person only said yes to it"
    ]


def test_what_the_agent_said_before_a_tool_printed_it_is_accepted() -> None:
    plan = turn(3, "tool", f"PLAN.md\n{MIRROR}\n", "tool-result", tool="Read")
    talk = session(user(1, "Any ideas?"), agent(2, MIRROR), plan, agent(4, MIRROR), user(5, "ok"))
    found, _ = read_by(talk, used(decision(4, MIRROR.rstrip("."))))
    assert [each.quarantine for each in found.candidates] == [""]


@pytest.mark.parametrize("more", ["Scratch that.", "Actually no, never mind.", "Hmm, drop SQLite, use a dict."])
def test_what_is_taken_back_in_the_same_breath_is_refused(more: str) -> None:
    said = f"Let's use SQLite for the local cache. {more}"
    found, _ = read_by(talk_of(said), used(decision(1, "Let's use SQLite for the local cache")))
    assert found.candidates == ()
    assert found.refusals[0].reason == "turn 1 takes it back itself"


@pytest.mark.parametrize("gap", [3, 20])
@pytest.mark.parametrize(
    "later",
    [
        "Hmm, no SQLite please.", "Let's go with Redis for it instead.", "Redis it is then, forget SQLite.",
        "Nope. Postgres instead of SQLite for the cache.", "That was a bad idea, undo it.",
        "We don't need a cache at all.", "SQLite didn't work out, use a dict.", "Go back to files for the cache.",
        "rip out sqlite", "ignore what I said about the cache", "let's not do the SQLite cache after all",
        "I hate the cache idea now", "revert all of it",
    ],
)  # fmt: skip
def test_what_is_taken_back_in_any_words_is_refused(later: str, gap: int) -> None:
    done = [agent(number, "done") for number in range(2, gap)]
    talk = session(user(1, "Let's use SQLite for the local cache."), *done, user(gap, later))
    found, _ = read_by(talk, used(decision(1, "use SQLite for the local cache", "Use SQLite for the local cache")))
    assert found.candidates == ()
    assert found.refusals[0].reason.startswith(f"turn {gap} ")


@pytest.mark.parametrize(
    "later",
    [
        "Thanks, don't forget the changelog.", "Remove the SQLite warnings from the log.", "Don't run the slow tests.",
        "Don't use SQLite for the sessions.", "Why don't we use Redis?", "No problem, looks good.",
        "The server isn't up yet, no idea why.", "Revert the last commit.", "Skip the changelog.",
    ],
)  # fmt: skip
def test_a_word_about_something_else_takes_nothing_back(later: str) -> None:
    talk = session(user(1, "Let's use SQLite for the local cache."), agent(2, "done"), user(3, later))
    found, _ = read_by(talk, used(decision(1, "use SQLite for the local cache", "Use SQLite for the local cache")))
    assert len(found.candidates) == 1, found.refusals


def test_a_proposal_of_megabytes_is_refused_unread() -> None:
    for more in ({"body": "importer release " * 180_000}, {"title": "a " * 1_500_000}, {"body": "a." * 400_000 + "@"}):
        name, given = proposal("pattern", 1, IMPORTER)
        found, _ = read_by(talk_of(IMPORTER), used((name, given | more)))
        assert [each.reason for each in found.refusals] == ["it is longer than 20,000 characters: an entry is short"]
        assert all(len(each.what) <= 200 for each in found.refusals)


def test_marks_are_those_of_the_clause() -> None:
    found = signs("Use Kafka, don't use Redis without TLS.")
    assert found["kafka"] == {frozenset()}
    assert found["redis"] == {frozenset({"not"}), frozenset()}
    assert found["tls"] == {frozenset()}
    assert signs("Never, ever, use Redis")["redis"] == {frozenset({"not"})}
    assert signs("No, use Redis")["redis"] == {frozenset()}
    assert is_against("we won't do that")
    assert not is_against("not only Redis, Kafka too")


def test_amounts_are_read_with_their_units() -> None:
    assert numbers_in("30 days, 10,000 rows, 3.11, 50%, two hours and 5k") == (
        ("30", "day"), ("10000", ""), ("3.11", ""), ("50", "%"), ("2", "h"), ("5000", ""),
    )  # fmt: skip
    assert numbers_in("utf8 on 2026-11-10, DEC-2026-11-01-01\n1. first") == ()
    assert unsaid("30s", "thirty or 30 seconds") == ""
    assert unsaid("30 hours", "30 days") == "30 h"


def test_a_sentence_goes_on_over_a_wrapped_line() -> None:
    text = "Hello. We would never\nuse Redis for it. Bye."
    start = text.index("use")
    assert text[slice(*whole(text, (start, start + 9)))] == "We would never\nuse Redis for it"
    assert "negation" in cut_out(text, (start, start + 9))
