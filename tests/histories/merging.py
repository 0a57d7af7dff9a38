"""Three states become one, as a careful person merges: what only one side changed is taken, nothing is lost."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from histories.model import LINK, Entry, Page, State


class Clash(Exception):
    """Both sides changed one thing; who is right isn't known here."""


Where = tuple[str, Entry]


def three_way(fork: State, ours: State, theirs: State, *, theirs_first: bool) -> State | None:
    """None where the sides clash."""
    try:
        return dict(_merged(fork, ours, theirs, theirs_first=theirs_first))
    except Clash:
        return None


def _merged(fork: State, ours: State, theirs: State, *, theirs_first: bool) -> Iterator[tuple[str, Page]]:
    old, mine, other = _where(fork), _where(ours), _where(theirs)
    stands: dict[str, dict[int, Entry]] = {}
    for uid in {**mine, **other}:
        where = _either(old.get(uid), mine.get(uid), other.get(uid))
        if where is not None:
            stands.setdefault(where[0], {})[uid] = where[1]
    for path in sorted({*ours, *theirs, *stands}):
        page = _page(fork.get(path), ours.get(path), theirs.get(path))
        entries = stands.get(path, {})
        if page is None and not entries:
            continue
        page = page or ours.get(path) or theirs.get(path)
        if page is None or (page.alone and len(entries) != 1):
            raise Clash
        first, second = (
            (_uids(side.get(path), entries) for side in (theirs, ours))
            if theirs_first
            else (_uids(side.get(path), entries) for side in (ours, theirs))
        )
        order = _woven(first, second)
        if set(order) != set(entries):
            raise Clash
        yield path, page.with_entries(*(entries[uid] for uid in order))


def _where(state: State) -> dict[int, Where]:
    found: dict[int, Where] = {}
    for path, page in state.items():
        for entry in page.entries:
            if entry.uid in found:
                raise Clash
            found[entry.uid] = (path, entry)
    return found


def _either(old: Where | None, mine: Where | None, other: Where | None) -> Where | None:
    if mine == other or other == old:
        return mine
    if mine == old:
        return other
    if old is None or mine is None or other is None:
        raise Clash
    path = str(_one(old[0], mine[0], other[0]))
    values: Mapping[str, Any] = {
        each.name: _one(*(getattr(where[1], each.name) for where in (old, mine, other))) for each in fields(Entry)
    }
    return path, replace(mine[1], **values)


def _page(old: Page | None, mine: Page | None, other: Page | None) -> Page | None:
    """Everything but the entries."""
    bare = [page.with_entries() if page is not None else None for page in (old, mine, other)]
    if bare[1] == bare[2] or bare[2] == bare[0]:
        return mine
    if bare[1] == bare[0]:
        return other
    if old is None or mine is None or other is None or LINK in (mine.mode, other.mode):
        raise Clash
    values: Mapping[str, Any] = {
        each.name: _one(*(getattr(page, each.name) for page in (old, mine, other)))
        for each in fields(Page)
        if each.name != "entries"
    }
    return replace(mine, **values)


def _one(old: object, mine: object, other: object) -> object:
    if mine == other or other == old:
        return mine
    if mine == old:
        return other
    raise Clash


def _uids(page: Page | None, known: Mapping[int, Entry]) -> list[int]:
    return [entry.uid for entry in page.entries if entry.uid in known] if page is not None else []


def _woven(first: list[int], second: list[int]) -> list[int]:
    """Both in their order; between what both hold, the first side's comes first."""
    found: list[int] = []
    rest = list(second)
    for uid in first:
        if uid in second:
            if uid not in rest:
                raise Clash  # one side has turned them round
            at = rest.index(uid)
            found += [*rest[:at], uid]
            rest = rest[at + 1 :]
        else:
            found.append(uid)
    return found + rest
