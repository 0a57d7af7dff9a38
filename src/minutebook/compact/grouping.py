"""Which notes are due, and which of them one summary is made of."""

from collections.abc import Sequence
from datetime import date

from minutebook.compact.front import title_of
from minutebook.compact.near_duplicates import clusters
from minutebook.compact.statements import statements
from minutebook.ground.change import Refusal
from minutebook.ground.entry import Entry, day_of
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import Memory
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.nouns import plural
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import ARCHIVE, place_of, placed

_Cost = tuple[int, int, int]
MOST_NOTES = 40
MOST_TOKENS = 20_000
"""Of the notes of one summary: a fifth of that is a page that can be loaded."""
MOST_BOUND = 3_500
"""Tokens of what binds in them, which is carried whole."""


@frozen
class Limits:
    """What makes a note due, each None where it doesn't count: an age in hours; more notes of a type than `count`, or
    more tokens of them than `size`, and then the oldest are due, whatever their age. Each takes the place of what the
    type itself says, `compact_after` and `compact_over`."""

    age: int | None = None
    count: int | None = None
    size: int | None = None


@frozen
class Group:
    """Notes of one type and month, at most MOST_NOTES, oldest first; `slug` names their summary."""

    slug: str
    title: str
    notes: tuple[Entry, ...]


@frozen
class Grouped:
    """The groups, what is left out and why, and how many notes are near-duplicates of one in the same group."""

    groups: tuple[Group, ...]
    refusals: tuple[Refusal, ...]
    united: int


def grouped(memory: Memory, today: date, limits: Limits) -> Grouped:
    """What is due, in groups: by type and month, near-duplicates together in that of the oldest of them."""
    dated, refusals = _dated(memory)
    groups: list[Group] = []
    taken = {memory.inner(path) for path in memory.files}
    united = 0
    for type_name, notes in sorted(dated.items()):
        due = _due(notes, today, _limits(limits, memory.types[type_name]))
        alike = clusters([entry.body for _, entry in due])
        united += sum(len(group) - 1 for group in alike)
        for month, chosen in sorted(_by_month(due, alike).items()):
            title = title_of(memory.types[type_name].title, month)
            for part in _parts(chosen):
                slug = _free_slug(memory, f"{plural(type_name)}-{month}", taken)
                groups.append(Group(slug, title, tuple(part)))
    return Grouped(tuple(groups), tuple(refusals), united)


def _dated(memory: Memory) -> tuple[dict[str, list[tuple[date, Entry]]], list[Refusal]]:
    """The notes that may be compacted by type, the oldest first, and those that can't be with the reason."""
    found: dict[str, list[tuple[date, Entry]]] = {}
    refusals = []
    for entry in memory.entries():
        mtype = memory.type_of(entry)
        if mtype.durability != "ephemeral" or entry.in_log or (mtype.compact_after is None and not mtype.compact_over):
            continue
        day = _written(entry, memory)
        if day is None:
            refusals.append(Refusal(entry.id, "it has no date, so its age is unknown: add `updated: YYYY-MM-DD`"))
        elif memory.is_private(entry.path):
            words = "it lies in a private space; no shared summary is made of it"
            refusals.append(Refusal(entry.id, words, "", entry.type))
        else:
            found.setdefault(entry.type, []).append((day, entry))
    for notes in found.values():
        notes.sort(key=lambda pair: (pair[0], pair[1].path))
    return found, refusals


def _limits(given: Limits, mtype: MemoryType) -> Limits:
    own = Limits(mtype.compact_after, mtype.compact_over.get("entries"), mtype.compact_over.get("tokens"))
    return Limits(*(mine if asked is None else asked for asked, mine in zip(_all(given), _all(own), strict=True)))


def _all(limits: Limits) -> tuple[int | None, ...]:
    return limits.age, limits.count, limits.size


def _due(notes: Sequence[tuple[date, Entry]], today: date, limits: Limits) -> list[tuple[date, Entry]]:
    """Those of the notes (oldest first) that are old enough, or too many, or too long together."""
    due = []
    left, size = len(notes), sum(tokens(entry.text) for _, entry in notes)
    for day, entry in notes:
        old = limits.age is not None and (today - day).days * 24 >= limits.age
        many = limits.count is not None and left > limits.count
        long = limits.size is not None and size > limits.size
        if old or many or long:
            due.append((day, entry))
            left, size = left - 1, size - tokens(entry.text)
    return due


def _by_month(due: Sequence[tuple[date, Entry]], alike: Sequence[Sequence[int]]) -> dict[str, list[list[Entry]]]:
    """By month, its notes in runs that belong together: a note alone, or near-duplicates."""
    of = {at: group for group in alike for at in group}
    found: dict[str, list[list[Entry]]] = {}
    for at, (day, entry) in enumerate(due):
        group = of.get(at)
        if group is None:
            found.setdefault(f"{day:%Y-%m}", []).append([entry])
        elif group[0] == at:
            found.setdefault(f"{day:%Y-%m}", []).append([due[each][1] for each in group])
    return found


def _parts(runs: Sequence[Sequence[Entry]]) -> list[list[Entry]]:
    """The notes in parts of at most MOST_NOTES, MOST_TOKENS and MOST_BOUND; no run is cut that fits into one."""
    parts: list[list[Entry]] = []
    held = (0, 0, 0)
    for run in runs:
        costs = [(1, tokens(entry.text), _bound(entry)) for entry in run]
        fresh = not parts or _over(held, *costs)
        for entry, cost in zip(run, costs, strict=True):
            if fresh or _over(held, cost):
                parts.append([])
                held, fresh = (0, 0, 0), False
            parts[-1].append(entry)
            held = _sum(held, cost)
    return parts


def _over(held: _Cost, *more: _Cost) -> bool:
    whole = _sum(held, *more)
    return any(cost > most for cost, most in zip(whole, (MOST_NOTES, MOST_TOKENS, MOST_BOUND), strict=True))


def _sum(*costs: _Cost) -> _Cost:
    notes, size, bound = (sum(each) for each in zip(*costs, strict=True))
    return notes, size, bound


def _bound(entry: Entry) -> int:
    return sum(tokens(each.text) + 2 for each in statements(entry) if each.binds)


def _free_slug(memory: Memory, wanted: str, taken: set[str]) -> str:
    number, slug = 1, wanted
    while not {place_of(memory.types["summary"], {"slug": slug}), _archived(memory, slug)}.isdisjoint(taken):
        number += 1
        slug = f"{wanted}-{number}"
    taken.add(place_of(memory.types["summary"], {"slug": slug}))
    return slug


def _archived(memory: Memory, slug: str) -> str:
    return ARCHIVE + place_of(memory.types["summary"], {"slug": slug})


def _written(entry: Entry, memory: Memory) -> date | None:
    """The day on which the note was last written: what its age counts from."""
    named = placed(memory.type_of(entry), memory.inner(entry.path)) or {}
    return entry.day("updated", "date", "created") or day_of(str(named.get("date", "")))
