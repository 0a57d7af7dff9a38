"""What comes in: new entries in their place or out of it, and copies of old ones."""

from dataclasses import replace

from histories.given import Given, altered, is_log, log_page, log_path
from histories.model import CASES, FILES, FUTURE, LINK, Page, State


def append(given: Given) -> State | None:
    """One to three entries at the open end."""
    path = log_path(given)
    page = log_page(given, path)
    if page.mode == LINK:
        return None
    new = [given.supply.entry(given.a + more, given.b + more) for more in range(1 + given.b % 3)]
    return given.with_page(path, page.with_entries(*given.opened(page.entries, *new)))


def insert(given: Given) -> State | None:
    """An entry in the middle, or at the closed end."""
    path = given.path(lambda page: is_log(page) and len(page.entries) > 0)
    if path is None:
        return None
    page = given.state[path]
    back = 1 + given.b % len(page.entries)
    at = back if given.newest_first else len(page.entries) - back
    return given.with_page(
        path, page.with_entries(*page.entries[:at], given.supply.entry(given.a, given.b), *page.entries[at:])
    )


def new_file(given: Given) -> State | None:
    """An entry in a file of its own: a case, or a decision in the other layout."""
    if given.a % 2:
        entry = given.supply.case(given.a, given.b)
        return given.with_page(f"{CASES}/2026-01-01-n{entry.uid}.md", Page((entry,), "case", alone=True))
    entry = given.supply.entry(given.a, given.b)
    return given.with_page(f"{FILES}/{entry.id}.md", Page((entry,), alone=True))


def backdated(given: Given) -> State | None:
    path = log_path(given)
    page = log_page(given, path)
    if page.mode == LINK:
        return None
    entry = replace(given.supply.entry(given.a, 0), day=FUTURE if given.b % 2 else given.b % 9)
    return given.with_page(path, page.with_entries(*given.opened(page.entries, entry)))


def supersede(given: Given) -> State | None:
    """A new entry in place of an old one, which gets its marker; or in place of any, without a word there."""
    path = log_path(given)
    again = given.b % 3 == 0
    spot = given.spot(
        lambda entry: entry.type == "decision" and (again or not (entry.is_closed or not entry.is_sealed))
    )
    if spot is None or log_page(given, path).mode == LINK:
        return None
    old = given.state[spot[0]].entries[spot[1]]
    new = replace(given.supply.entry(given.a, 0), supersedes=old.id)
    marker = "" if again else f"> SUPERSEDED by {new.id}"
    marked = altered(given, lambda entry: entry is old, lambda entry: replace(entry, marker=marker or entry.marker))
    if marked is None:
        return None
    page = marked.get(path) or Page(())
    return {**marked, path: page.with_entries(*given.opened(page.entries, new))}


def duplicate(given: Given) -> State | None:
    """An id stands twice: with the same text, or with another one; in the same log or elsewhere."""
    spot = given.spot(lambda entry: entry.type == "decision")
    path = log_path(given)
    if spot is None or log_page(given, path).mode == LINK:
        return None
    entry = given.state[spot[0]].entries[spot[1]]
    if given.b % 2:
        entry = replace(given.supply.entry(given.a, 0), id=entry.id.lower() if given.b % 4 == 3 else entry.id)
    page = log_page(given, path)
    return given.with_page(path, page.with_entries(*given.opened(page.entries, entry)))


def copy(given: Given) -> State | None:
    """The words of another entry under an id of its own."""
    spot = given.spot(lambda entry: entry.type == "decision" and entry.is_sealed)
    path = log_path(given)
    if spot is None or log_page(given, path).mode == LINK:
        return None
    new = given.supply.entry(given.a, 0)
    old = given.state[spot[0]].entries[spot[1]]
    page = log_page(given, path)
    entry = replace(old, uid=new.uid, id=new.id, day=new.day)
    return given.with_page(path, page.with_entries(*given.opened(page.entries, entry)))
