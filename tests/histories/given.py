"""Numbers, choices and the state at hand: what every operation on memory is given."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from histories.model import EXTRAS, LINK, LOG, LOGS, Entry, Page, State


class Supply:
    """Numbers that nobody has had yet, and the day that it is."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self.day = 10

    def number(self) -> int:
        return next(self._numbers)

    def entry(self, a: int, b: int) -> Entry:
        """A new decision, now and then a draft, or with something in it that looks like another entry."""
        number = self.number()
        self.day += a % 3 == 0
        status = ("", "", "proposed", "accepted")[b % 4]
        return Entry(number, f"DEC-2026-05-05-{number:02}", number, self.day, extra=EXTRAS[(a + b) % 4], status=status)

    def case(self, a: int, b: int) -> Entry:
        number = self.number()
        extra = ("plain", "fence", "comment")[(a + b) % 3]
        return Entry(number, f"case-reviewer-2026-01-01-n{number}", number, self.day, type="case", extra=extra)


@dataclass(frozen=True, slots=True)
class Given:
    """What an operation works on; `a` and `b` choose, among the entries `only` where there are such."""

    state: State
    supply: Supply
    newest_first: bool
    a: int
    b: int
    only: frozenset[int] = frozenset()

    def opened(self, entries: tuple[Entry, ...], *new: Entry) -> tuple[Entry, ...]:
        return (*new, *entries) if self.newest_first else (*entries, *new)

    def with_page(self, path: str, page: Page) -> State:
        return {**self.state, path: page}

    def without(self, path: str) -> dict[str, Page]:
        return {name: page for name, page in self.state.items() if name != path}

    def spots(self, wanted: Callable[[Entry], bool] = lambda entry: True) -> list[tuple[str, int]]:
        """(path, number) of the entries that a reader finds."""
        pages = [(path, page) for path, page in sorted(self.state.items()) if page.mode != LINK and page.type]
        found = [(path, at) for path, page in pages for at, entry in enumerate(page.entries) if wanted(entry)]
        return [spot for spot in found if self.state[spot[0]].entries[spot[1]].uid in self.only] or found

    def spot(self, wanted: Callable[[Entry], bool] = lambda entry: True) -> tuple[str, int] | None:
        found = self.spots(wanted)
        return found[self.a % len(found)] if found else None

    def path(self, wanted: Callable[[Page], bool]) -> str | None:
        found = [path for path, page in sorted(self.state.items()) if wanted(page) and page.mode != LINK]
        return found[self.a % len(found)] if found else None


Operation = Callable[[Given], State | None]


def altered(given: Given, wanted: Callable[[Entry], bool], alter: Callable[[Entry], Entry]) -> State | None:
    spot = given.spot(wanted)
    if spot is None:
        return None
    path, at = spot
    page = given.state[path]
    entry = alter(page.entries[at])
    return given.with_page(path, page.with_entries(*page.entries[:at], entry, *page.entries[at + 1 :]))


def is_log(page: Page) -> bool:
    return not page.alone and page.type == "decision"


def log_path(given: Given) -> str:
    return next((path for path in LOGS if path in given.state and given.state[path].mode != LINK), LOG)


def log_page(given: Given, path: str) -> Page:
    return given.state.get(path) or Page(())
