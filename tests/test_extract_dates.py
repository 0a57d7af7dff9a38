"""Dates told by the day they were said on, written out in what is remembered; the quote stays as it was."""

from datetime import date

import pytest

from minutebook.extract import offline
from minutebook.extract.dates import dated
from minutebook.ground.memory_type import builtin_types
from talk import said, session, turn

TUESDAY = date(2026, 11, 10)
TYPES = builtin_types()


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("yesterday", "yesterday (2026-11-09)"),
        ("the day before yesterday", "the day before yesterday (2026-11-08)"),
        ("the day after tomorrow", "the day after tomorrow (2026-11-12)"),
        ("today", "today (2026-11-10)"),
        ("three days ago", "three days ago (2026-11-07)"),
        ("a week ago", "a week ago (2026-11-03)"),
        ("2 months ago", "2 months ago (2026-09-10)"),
        ("in two weeks", "in two weeks (2026-11-24)"),
        ("in 1 year", "in 1 year (2027-11-10)"),
        ("last Friday", "last Friday (2026-11-06)"),
        ("since last Friday", "since last Friday (2026-11-06)"),
        ("last Tuesday", "last Tuesday (2026-11-03)"),
        ("this Friday", "this Friday (2026-11-13)"),
        ("next Friday", "next Friday (2026-11-20)"),
        ("since Monday", "since Monday (2026-11-09)"),
        ("by Monday", "by Monday (2026-11-16)"),
        ("we switched on Monday", "we switched on Monday (2026-11-09)"),
        ("last week", "last week (the week of 2026-11-02)"),
        ("next week", "next week (the week of 2026-11-16)"),
        ("next month", "next month (2026-12)"),
        ("last year", "last year (2025)"),
        ("in March", "in March (2027-03)"),
        ("we moved in March", "we moved in March (2026-03)"),
        ("since March", "since March (2026-03)"),
        ("by end of the month", "by end of the month (2026-11-30)"),
        ("by the end of this year", "by the end of this year (2026-12-31)"),
        ("in March 2025", "in March 2025"),
        ("we may use it", "we may use it"),
        ("in 999 years", "in 999 years (3025-11-10)"),
    ],
)
def test_a_relative_date_is_resolved_against_its_day(text: str, written: str) -> None:
    assert dated(text, TUESDAY) == written


@pytest.mark.parametrize(
    ("day", "text", "written"),
    [
        (date(2026, 1, 31), "in 1 month", "in 1 month (2026-02-28)"),
        (date(2024, 2, 29), "a year ago", "a year ago (2023-02-28)"),
        (date(2026, 1, 1), "yesterday", "yesterday (2025-12-31)"),
        (date(1, 1, 1), "yesterday", "yesterday"),
        (date(9999, 12, 31), "in 3 days", "in 3 days"),
        (date(9999, 12, 31), "next month", "next month"),
        (date(1, 1, 3), "last week", "last week"),
    ],
)
def test_the_edges_of_months_and_of_the_calendar(day: date, text: str, written: str) -> None:
    assert dated(text, day) == written


def test_a_candidate_shows_the_date_in_its_body_and_fields_and_keeps_its_quote() -> None:
    text = "Since last Friday we no longer support the v1 API, so let's use v2 everywhere."
    talk = session(turn(1, "user", "hm"), turn(2, "user", f"We decided to freeze the v1 API since last Friday. {text}"))
    found = offline(talk, TYPES, date(2026, 11, 20)).candidates
    assert found
    first = found[0]
    assert "since last Friday (2026-11-06)" in first.abstract
    assert "since last Friday (2026-11-06)" in first.body
    assert "since last Friday (2026-11-06)" in str(first.fields["decision"])
    assert "2026" not in first.quote
    assert first.quote in first.turn.text


@pytest.mark.parametrize("at", ["", "soon", "2026-13-45T00:00:00Z"])
def test_without_a_time_of_its_own_nothing_is_resolved(at: str) -> None:
    talk = session(turn(1, "user", "We decided to freeze the v1 API since last Friday.", at=at))
    (found,) = offline(talk, TYPES, date(2026, 11, 20)).candidates
    assert found.body == "Freeze the v1 API since last Friday."


@pytest.mark.parametrize("since", ["From today", "From today on"])
def test_a_rule_that_holds_from_today_is_no_step_of_today(since: str) -> None:
    (found,) = offline(said("hm", f"{since} we store all events in Kafka."), TYPES, TUESDAY).candidates
    assert (found.type, found.abstract) == (
        "pattern",
        f"{since} we store all events in Kafka.".replace("today", "today (2026-11-10)"),
    )
    assert offline(said("hm", "We store all events in Kafka today."), TYPES, TUESDAY).candidates == ()
