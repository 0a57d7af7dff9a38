"""What goes away, and what goes elsewhere."""

from dataclasses import replace

from histories.alterations import edit
from histories.given import Given, is_log, log_page
from histories.model import API, ARCHIVED, CASES, DATABASE, ELSEWHERE, FILES, LINK, LOGS, MARKERS, Page, State


def delete(given: Given) -> State | None:
    spot = given.spot()
    if spot is None:
        return None
    path, at = spot
    page = given.state[path]
    if page.alone:
        return given.without(path)
    return given.with_page(path, page.with_entries(*page.entries[:at], *page.entries[at + 1 :]))


def delete_file(given: Given) -> State | None:
    path = given.path(lambda page: bool(page.type))
    return None if path is None else given.without(path)


def cut(given: Given) -> State | None:
    """A log cut at its end, or emptied."""
    path = given.path(lambda page: is_log(page) and len(page.entries) > 0)
    if path is None:
        return None
    page = given.state[path]
    return given.with_page(path, page.with_entries(*page.entries[: given.b % len(page.entries)]))


def reorder(given: Given) -> State | None:
    path = given.path(lambda page: is_log(page) and len(page.entries) > 1)
    if path is None:
        return None
    entries = list(given.state[path].entries)
    pairs = [at for at in range(len(entries) - 1) if given.only >= {entries[at].uid, entries[at + 1].uid}]
    at = pairs[given.b % len(pairs)] if pairs else given.b % (len(entries) - 1)
    entries[at], entries[at + 1] = entries[at + 1], entries[at]
    return given.with_page(path, given.state[path].with_entries(*entries))


def split(given: Given) -> State | None:
    """Some entries go to a log of their own, in their order; with an odd `b` one is lost on the way."""
    path = given.path(lambda page: is_log(page) and len(page.entries) > 1)
    if path is None:
        return None
    page = given.state[path]
    target = DATABASE if path != DATABASE else API
    goes = [entry for at, entry in enumerate(page.entries) if (at + given.b) % 2]
    stays = [entry for entry in page.entries if entry not in goes]
    old = log_page(given, target)
    if old.mode == LINK:
        return None
    moved = given.opened(old.entries, *(goes[1:] if given.b % 5 == 4 else goes))
    return {**given.state, path: page.with_entries(*stays), target: old.with_entries(*moved)}


def move(given: Given) -> State | None:
    """One entry to another log, or to the archive."""
    spot = given.spot(lambda entry: entry.type == "decision")
    if spot is None:
        return None
    path, at = spot
    page = given.state[path]
    targets = [target for target in (*LOGS, ARCHIVED, ARCHIVED) if target != path]
    target = targets[given.b % len(targets)]
    old = log_page(given, target)
    if page.alone or old.mode == LINK:
        return None
    left = page.with_entries(*page.entries[:at], *page.entries[at + 1 :])
    moved = given.opened(old.entries, page.entries[at]) if given.b % 7 else (page.entries[at], *old.entries)
    return {**given.state, path: left, target: old.with_entries(*moved)}


def archive(given: Given) -> State | None:
    """What is closed goes to the archive; with an odd `b` it is closed in the same breath."""
    wanted = (lambda entry: entry.is_sealed) if given.b % 2 else (lambda entry: entry.is_closed)
    logs = {path for path, page in given.state.items() if is_log(page) and path != ARCHIVED}
    spots = [spot for spot in given.spots(wanted) if spot[0] in logs]
    if not spots:
        return None
    path, at = spots[given.a % len(spots)]
    page = given.state[path]
    old = log_page(given, ARCHIVED)
    if old.mode == LINK:
        return None
    left = page.with_entries(*page.entries[:at], *page.entries[at + 1 :])
    entry = page.entries[at]
    closed = entry if entry.is_closed else replace(entry, marker=MARKERS[given.a % 3])
    return {**given.state, path: left, ARCHIVED: old.with_entries(*given.opened(old.entries, closed))}


def rename(given: Given) -> State | None:
    """A file gets another name in its place, or lies where no type has its place; or another takes its old name."""
    path = given.path(lambda page: bool(page.type))
    if path is None:
        return None
    page = given.state[path]
    fresh = given.supply.number()
    if given.b % 4 == 0:
        return {**given.without(path), f"{ELSEWHERE}/n{fresh}.md": replace(page, type="")}
    target = f"{CASES}/2026-01-02-n{fresh}.md" if page.type == "case" else f"{FILES}/n{fresh}.md"
    after = {**given.without(path), target: page}
    if given.b % 4 == 1 and page.alone and page.type == "decision":
        after[path] = Page((given.supply.entry(given.a, 0),), alone=True)
    return after


def rename_and_edit(given: Given) -> State | None:
    spot = given.spot()
    if spot is None:
        return None
    renamed = rename(replace(given, b=2))
    if renamed is None:
        return None
    return edit(replace(given, state=renamed))
