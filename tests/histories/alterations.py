"""What happens to an entry, or to a file, where it stands."""

from dataclasses import replace

from histories.given import Given, altered, is_log
from histories.model import EXECUTABLE, LINK, MARKERS, REGULAR, STAGES, Entry, State

_STATUSES = tuple(STAGES)


def edit(given: Given) -> State | None:
    """One word of an entry: in its title, its text, or in what it has in a fence, a comment or a sub-heading."""
    fresh = given.supply.number()

    def alter(entry: Entry) -> Entry:
        part = given.b % (4 if entry.extra != "plain" else 3)
        title, context, decision, extra = (fresh if at == part else said for at, said in enumerate(entry.said))
        return replace(entry, said=(title, context, decision, extra))

    return altered(given, lambda entry: True, alter)


def rewrap(given: Given) -> State | None:
    return altered(given, lambda entry: True, lambda entry: replace(entry, wrapped=not entry.wrapped))


def change_id(given: Given) -> State | None:
    fresh = given.supply.number()

    def alter(entry: Entry) -> Entry:
        name = "case-reviewer-2026-01-01-n" if entry.type == "case" else "DEC-2026-05-06-"
        return replace(entry, id=f"{name}{fresh:02}")

    return altered(given, lambda entry: True, alter)


def change_day(given: Given) -> State | None:
    return altered(given, lambda entry: True, lambda entry: replace(entry, day=entry.day + 1))


def space(given: Given) -> State | None:
    """White space at a line's end, or blank lines after the entry."""
    if given.b % 2:
        return altered(given, lambda entry: True, lambda entry: replace(entry, spaces=2 - entry.spaces))
    return altered(given, lambda entry: True, lambda entry: replace(entry, blanks=1 - entry.blanks))


def line_ends(given: Given) -> State | None:
    path = given.path(lambda page: bool(page.type))
    if path is None:
        return None
    page = given.state[path]
    return given.with_page(
        path, replace(page, crlf=not page.crlf) if given.b % 2 else replace(page, newline=not page.newline)
    )


def mark(given: Given) -> State | None:
    """A marker where there is none."""
    return altered(
        given,
        lambda entry: not entry.marker and entry.is_sealed,
        lambda entry: replace(entry, marker=MARKERS[given.b % 3]),
    )


def unmark(given: Given) -> State | None:
    """A marker taken away, or set again to say something else."""

    def alter(entry: Entry) -> Entry:
        other = next(marker for marker in MARKERS if marker != entry.marker)
        return replace(entry, marker=other if given.b % 2 else "")

    return altered(given, lambda entry: bool(entry.marker), alter)


def status(given: Given) -> State | None:
    """Any status after any other: forward, backward, or gone."""

    def alter(entry: Entry) -> Entry:
        others = [name for name in _STATUSES if name != entry.status]
        return replace(entry, status=others[given.b % len(others)])

    return altered(given, lambda entry: entry.type == "decision" and not entry.marker, alter)


def seal(given: Given) -> State | None:
    """A draft is accepted."""
    return altered(given, lambda entry: not entry.is_sealed, lambda entry: replace(entry, status="accepted"))


def edit_draft(given: Given) -> State | None:
    fresh = given.supply.number()
    return altered(given, lambda entry: not entry.is_sealed, lambda entry: replace(entry, words=fresh))


def addendum(given: Given) -> State | None:
    fresh = given.supply.number()
    return altered(given, lambda entry: True, lambda entry: replace(entry, addenda=(*entry.addenda, fresh)))


def edit_addendum(given: Given) -> State | None:
    fresh = given.supply.number()
    return altered(
        given, lambda entry: bool(entry.addenda), lambda entry: replace(entry, addenda=(*entry.addenda[:-1], fresh))
    )


def mode(given: Given) -> State | None:
    """Executable, a symlink, or regular again."""
    found = sorted(path for path in given.state if given.state[path].type)
    if not found:
        return None
    path = found[given.a % len(found)]
    page = given.state[path]
    others = [each for each in (REGULAR, EXECUTABLE, LINK) if each != page.mode]
    return given.with_page(path, replace(page, mode=others[given.b % 2]))


def preamble(given: Given) -> State | None:
    """The words above a log, its front matter, loose text below, or a heading between its entries."""
    path = given.path(is_log)
    if path is None:
        return None
    page = given.state[path]
    if given.b % 2:
        return given.with_page(path, replace(page, preamble=page.preamble + 1))
    if page.entries and given.b % 4:
        return given.with_page(path, replace(page, group=page.entries[given.a % len(page.entries)].uid))
    return given.with_page(path, replace(page, loose=page.loose + 1))
