"""Dates that are told by the day they were said on: “since last Friday”, “next week”, “in March”.

They are worked out against the turn's own day (as its timestamp has it, in UTC) and written behind the words, so that
a statement still says when, a year later. The quote stays as it was said. A week starts on Monday (ISO 8601); “next
Friday” is the Friday of next week, “last Friday” the last one before that day.
"""

import re
from calendar import monthrange
from datetime import date, timedelta

from minutebook.extract.phrases import choice
from minutebook.ground.frozen import replace
from minutebook.ground.session import Candidate

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNT = choice(r"\d{1,3}", "an?", *_NUMBERS[1:])
_UNIT = r"(?P<unit>days?|weeks?|months?|years?)"
_RELATIVE = re.compile(
    rf"\b(?:(?P<plain>the day before yesterday|the day after tomorrow|yesterday|tomorrow|today|tonight)|"
    rf"(?P<ago>{_COUNT}) {_UNIT} ago|in (?P<ahead>{_COUNT}) {_UNIT.replace('unit', 'units')}(?! ago)|"
    rf"(?P<which>last|this|next) (?P<period>week|month|year|{'|'.join(_DAYS)})|"
    rf"(?P<when>since|until|till|by|before|after|on|from) (?P<day>{'|'.join(_DAYS)})|"
    rf"(?P<tie>since|until|till|by|before|after|in|from) (?P<month>{'|'.join(m.capitalize() for m in _MONTHS)})"
    r"(?! ?\d)|(?P<end>end of (?:the|this) (?P<span>week|month|year)))\b",
    re.IGNORECASE,
)
_PLAIN = {"the day before yesterday": -2, "yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
_PAST = re.compile(r"\b(?:was|were|did|had|went|chose|\w{3,}ed)\b", re.IGNORECASE)
_FIELDS = ("decision", "rationale", "context")
_MOST_DAYS = 36_500


def with_dates(candidate: Candidate) -> Candidate:
    """The candidate with the dates written out in its abstract, body and fields; as it is when its turn has no time."""
    day = _day_of(candidate.turn.at)
    if day is None or not _RELATIVE.search(candidate.body):
        return candidate
    fields = {name: dated(str(value), day) if name in _FIELDS else value for name, value in candidate.fields.items()}
    return replace(candidate, abstract=dated(candidate.abstract, day), body=dated(candidate.body, day), fields=fields)


def dated(text: str, day: date) -> str:
    """The text with a date in brackets behind each phrase that is told by `day`, the day on which it was said."""
    past = _PAST.search(text) is not None

    def written(found: re.Match[str]) -> str:
        when = _resolved(found, day, past=past)
        return f"{found[0]} ({when})" if when else found[0]

    return _RELATIVE.sub(written, text)


def _day_of(at: str) -> date | None:
    try:
        return date.fromisoformat(at[:10])
    except ValueError:
        return None


def _resolved(found: re.Match[str], day: date, *, past: bool) -> str:
    """The date of one phrase: a day, the Monday of a week, a month or a year; "" when it lies outside the calendar."""
    if found["plain"]:
        return _shifted(day, _PLAIN.get(found["plain"].lower(), 2), "day")
    if found["ago"]:
        return _shifted(day, -_number(found["ago"]), found["unit"])
    if found["ahead"]:
        return _shifted(day, _number(found["ahead"]), found["units"])
    if found["which"]:
        return _of_period(found["which"].lower(), found["period"].lower(), day)
    if found["day"]:
        behind = found["when"].lower() == "since" or (past and found["when"].lower() in ("on", "after", "before"))
        return _weekday(day, found["day"].lower(), behind=behind)
    if found["month"]:
        return _month(day, found["month"].lower(), behind=found["tie"].lower() == "since" or past)
    return _end_of(found["span"].lower(), day)


def _number(word: str) -> int:
    low = word.lower()
    return int(low) if low.isdigit() else max(1, _NUMBERS.index(low)) if low in _NUMBERS else 1


def _shifted(day: date, by: int, unit: str) -> str:
    name = unit.lower().rstrip("s")
    if name in ("day", "week"):
        days = by * (7 if name == "week" else 1)
        return (day + timedelta(days=days)).isoformat() if _inside(day, days) else ""
    months = day.year * 12 + day.month - 1 + by * (12 if name == "year" else 1)
    year, month = divmod(months, 12)
    if not 1 <= year <= date.max.year:
        return ""
    last = monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last)).isoformat()


def _inside(day: date, days: int) -> bool:
    return abs(days) <= _MOST_DAYS and date.min.toordinal() <= day.toordinal() + days <= date.max.toordinal()


def _of_period(which: str, period: str, day: date) -> str:
    by = {"last": -1, "this": 0, "next": 1}[which]
    if period in _DAYS:
        if which == "last":
            return _weekday(day, period, behind=True)
        monday = -day.weekday() + 7 * by
        return _shifted(day, monday + _DAYS.index(period), "day")
    if period == "week":
        monday_of = _shifted(day, -day.weekday() + 7 * by, "day")
        return f"the week of {monday_of}" if monday_of else ""
    moved = _shifted(day.replace(day=1), by, period)
    return moved[:7] if period == "month" else moved[:4]


def _weekday(day: date, name: str, *, behind: bool) -> str:
    """The nearest day of that name before (or after) `day`, never `day` itself."""
    away = (_DAYS.index(name) - day.weekday()) % 7
    return _shifted(day, (away or 7) - 7 * (1 + (away == 0)) if behind else away or 7, "day")


def _month(day: date, name: str, *, behind: bool) -> str:
    """The nearest month of that name up to now, or from now on."""
    number = _MONTHS.index(name) + 1
    if behind:
        year = day.year if number <= day.month else day.year - 1
    else:
        year = day.year if number >= day.month else day.year + 1
    return f"{year:04d}-{number:02d}"


def _end_of(span: str, day: date) -> str:
    if span == "week":
        return _shifted(day, 6 - day.weekday(), "day")
    if span == "month":
        return day.replace(day=monthrange(day.year, day.month)[1]).isoformat()
    return f"{day.year:04d}-12-31"
