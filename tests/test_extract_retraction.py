"""What is taken back later in a session, by whatever words, and what takes its place."""

from datetime import date

import pytest

from minutebook.extract import offline
from minutebook.ground.memory_type import builtin_types
from minutebook.ground.session import Candidate, Turn
from talk import answer, session, turn

TODAY = date(2026, 11, 20)
TYPES = builtin_types()
ERRAND = turn(1, "user", "have a look at the upload")
CHOICE = "Let's use Postgres for the orders service."
USED = "Use Postgres for the orders service"


def proposed(*turns: Turn) -> list[Candidate]:
    found = offline(session(ERRAND, *turns), TYPES, TODAY).candidates
    return [each for each in found if not each.quarantine]


def after(later: str, choice: str = CHOICE, gap: int = 1) -> list[Candidate]:
    done = (turn(number, "assistant", "done") for number in range(3, 2 + gap))
    return proposed(turn(2, "user", choice), *done, turn(2 + gap, "user", later))


@pytest.mark.parametrize("gap", [1, 40])
@pytest.mark.parametrize(
    ("later", "title"),
    [
        ("Actually, scrap Postgres, we go with SQLite.", "We go with SQLite for the orders service"),
        ("Drop Postgres, use SQLite.", "Use SQLite for the orders service"),
        ("Change of plan: SQLite rather than Postgres.", "SQLite rather than Postgres for the orders service"),
        ("Postgres is out. We use SQLite.", "We use SQLite for the orders service"),
        ("Let's switch from Postgres to SQLite.", "Switch from Postgres to SQLite"),
        ("Undo the Postgres thing, we stay on MySQL.", "We stay on MySQL"),
        ("We go with SQLite instead of Postgres.", "We go with SQLite instead of Postgres for the orders service"),
        ("Actually, use SQLite instead of Postgres.", "Use SQLite instead of Postgres for the orders service"),
        ("Replace Postgres with SQLite.", "Replace Postgres with SQLite"),
        ("Postgres won't work here, use SQLite", "Use SQLite for the orders service"),
        ("forget Postgres, MySQL it is", "MySQL it is for the orders service"),
    ],
)
def test_what_was_chosen_goes_and_what_replaces_it_is_proposed(later: str, title: str, gap: int) -> None:
    (found,) = after(later, gap=gap)
    assert found.title.startswith(title)
    assert found.type == "decision"
    assert found.quote in later
    assert found.fields["context"] == f"Before, in turn 2: {CHOICE}"
    assert found.why[-1] == "takes the place of what was said in turn 2"


@pytest.mark.parametrize(
    ("later", "title"),
    [
        ("Cancel that. MySQL it is.", "MySQL it is for the orders service"),
        ("Scratch that, let's use SQLite", "Use SQLite for the orders service"),
        ("I changed my mind, we go with SQLite", "We go with SQLite for the orders service"),
        ("Let's go with SQLite for it instead.", "Go with SQLite for the orders service"),
        ("MySQL instead", "MySQL for the orders service"),
    ],
)
def test_that_a_moment_ago_is_replaced_with_its_purpose_kept(later: str, title: str) -> None:
    assert [each.title for each in after(later)] == [title]


@pytest.mark.parametrize(
    "later",
    [
        "Forget Postgres.",
        "I was wrong, revert that",
        "We won't use Postgres after all.",
        "Let's not do Postgres",
        "hmm, no Postgres please",
        "We're ditching Postgres",
        "I take back the Postgres thing",
        "rip out postgres",
        "Postgres is overkill",
        "Postgres didn't work out",
        "I changed my mind about Postgres",
        "Remove Postgres again",
        "ignore what I said about Postgres",
        "We don't need the orders service at all.",
        "Go back to files for the orders service.",
    ],
)
def test_what_is_taken_back_is_not_proposed(later: str) -> None:
    assert USED not in [each.title for each in after(later)]


@pytest.mark.parametrize(
    "later",
    [
        "Don't use Postgres for the unit tests.",
        "Don't use Postgres enums.",
        "don't drop Postgres",
        "should we drop Postgres?",
        "maybe we could drop Postgres",
        "Postgres, not MySQL",
        "drop the second test",
        "the docs say never use Postgres",
        "remove the upload button",
        "use SQLite instead of Postgres in the unit tests",
    ],
)
def test_what_is_said_of_something_else_takes_nothing_back(later: str) -> None:
    assert USED in [each.title for each in after(later)]


def test_that_is_what_a_person_said_last_however_long_the_agent_worked_since() -> None:
    assert after("That was a bad idea, undo it.", gap=60) == []


def test_ruling_a_thing_out_twice_takes_nothing_back() -> None:
    ruled_out = after("no moment.js please", "Don't use moment.js for dates")
    assert ruled_out[0].title == "Don't use moment.js for dates"
    ended = after("we no longer support the v1 API", "We decided to freeze the v1 API")
    assert "Freeze the v1 API" in [each.title for each in ended]


def test_an_answer_is_taken_back_by_its_name() -> None:
    asked = answer(2, "Which database should we use?", "Postgres")
    (found,) = proposed(asked, turn(3, "user", "Drop Postgres, use SQLite."))
    assert (found.turn.number, found.title) == (3, "Use SQLite")


def test_within_one_turn_the_last_word_counts() -> None:
    (found,) = proposed(turn(2, "user", "Let's use Postgres for orders. Actually scrap Postgres, use SQLite."))
    assert found.title == "Use SQLite"
    both = proposed(turn(2, "user", "Don't use Postgres. Use SQLite."))
    assert [each.title for each in both] == ["Don't use Postgres", "Use SQLite"]


def test_a_person_who_takes_back_a_step_leaves_the_rules() -> None:
    rule = "Always write a regression test first."
    assert len(after("drop the last test", rule)) == 1
    assert len(after("don't write a test for this", rule)) == 1
    taken = after("Don't write a regression test first any more", rule)
    assert "Always write a regression test first" not in [each.title for each in taken]


def much_later(later: str, *between: str) -> list[Candidate]:
    """What comes of a choice, of the person's turns after it, and of one that takes something back; the agent works
    long after each of them."""
    texts = [CHOICE, *between, later]
    turns = [turn(2 + 10 * at, "user", text) for at, text in enumerate(texts)]
    work = [turn(each.number + more, "tool", "done", "tool-result") for each in turns for more in range(1, 10)]
    talk = session(ERRAND, *sorted((*turns, *work), key=lambda each: each.number))
    return list(offline(talk, TYPES, TODAY).candidates)


ERRANDS = ("look at the tests", "run them", "fix the typo there")


@pytest.mark.parametrize("later", ["Undo it.", "Scrap that.", "hm, that was a bad idea", "never mind"])
def test_what_may_have_been_taken_back_several_turns_later_is_held_back(later: str) -> None:
    (found,) = much_later(later, *ERRANDS)
    assert found.title == USED
    assert found.quarantine == "in turn 42 the person takes something back and doesn't say what"
    assert much_later("Looks good to me.", *ERRANDS)[0].quarantine == ""


def test_turns_that_say_yes_and_nothing_else_are_no_turns_between() -> None:
    assert much_later("Scrap that.", "yes", "ok", "sounds good, go ahead") == []


def test_a_choice_that_points_back_several_turns_is_held_back_with_what_it_may_replace() -> None:
    old, new = much_later("SQLite for it instead.", *ERRANDS)
    assert (old.title, new.title) == (USED, "SQLite for the orders service")
    assert old.quarantine
    assert new.quarantine == old.quarantine
    old, new = much_later("On second thought, let's use httpx for outgoing calls.", *ERRANDS)
    assert (old.quarantine != "", new.title, new.quarantine) == (True, "Use httpx for outgoing calls", "")


def test_what_is_taken_back_a_day_later_isnt_what_was_said_at_the_start() -> None:
    (found,) = much_later("Scrap that.", *(f"now fix test {number}" for number in range(12)))
    assert found.quarantine == ""
