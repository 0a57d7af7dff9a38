"""A memory as abstract entries: what was written where. Nothing here is ever read back from text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

REGULAR, EXECUTABLE, LINK = "100644", "100755", "120000"
LOG, DATABASE, API = (f".memory/decisions/{name}.md" for name in ("_log", "database", "api"))
ARCHIVED = ".memory/archive/decisions/_log.md"
LOGS = (LOG, DATABASE, API)
CASES, FILES, ELSEWHERE = ".memory/agents/reviewer/cases", ".memory/decisions", ".memory/attic"
TODAY = date(2026, 11, 20)
_FIRST = date(2026, 1, 1)
FUTURE = (TODAY - _FIRST).days + 40
STAGES = {
    "proposed": 0, "draft": 0,
    "": 1, "accepted": 1, "active": 1,
    "superseded": 2, "deprecated": 2, "retracted": 2, "obsolete": 2,
}  # fmt: skip
"""Draft, sealed, closed."""
MARKERS = ("> SUPERSEDED by DEC-2026-02-02-77", "> RETRACTED", "> OBSOLETE — the service is gone")
EXTRAS = ("plain", "fence", "comment", "heading")


@dataclass(frozen=True, slots=True)
class Entry:
    """`uid` is what it is, whatever becomes of it; `words` what it says, and `said` by part how often that changed.

    `spaces` stand at the end of a line, `blanks` are lines after its end.
    """

    uid: int
    id: str
    words: int
    day: int
    type: str = "decision"
    said: tuple[int, int, int, int] = (0, 0, 0, 0)
    extra: str = "plain"
    wrapped: bool = False
    status: str = ""
    marker: str = ""
    supersedes: str = ""
    addenda: tuple[int, ...] = ()
    spaces: int = 0
    blanks: int = 0

    @property
    def is_sealed(self) -> bool:
        return STAGES[self.status] > 0

    @property
    def is_closed(self) -> bool:
        return STAGES[self.status] == 2 or bool(self.marker)

    @property
    def body(self) -> tuple[object, ...]:
        """What may never change."""
        return self.words, self.said, self.extra, self.wrapped, self.day, self.supersedes

    @property
    def content(self) -> tuple[object, ...]:
        """All that it says, but for its id and white space."""
        return self.body, self.status, self.marker, self.addenda


@dataclass(frozen=True, slots=True)
class Page:
    """A file: a log, or with `alone` one entry. `type` is that of its place, "" where no type has one.

    `loose` text, in one version or another, stands at the end of a log; a heading with a word below follows the entry
    whose uid is `group`.
    """

    entries: tuple[Entry, ...]
    type: str = "decision"
    alone: bool = False
    preamble: int = 0
    loose: int = 0
    group: int = 0
    crlf: bool = False
    newline: bool = True
    mode: str = REGULAR

    def with_entries(self, *entries: Entry) -> "Page":
        return replace(self, entries=entries)


State = Mapping[str, Page]


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry stands: `follower` is the file and the next entry's id, `end` how many line ends lie between."""

    entry: Entry
    path: str
    at: int
    alone: bool
    spaces: tuple[int, bool]
    end: int
    follower: tuple[str, str]


def places(state: State) -> Iterator[Place]:
    """Every entry that a reader finds in its type's place."""
    for path in sorted(state):
        page = state[path]
        if page.mode == LINK or not page.type:
            continue
        for at, entry in enumerate(page.entries):
            if entry.type != page.type:
                continue
            after = page.entries[at + 1].id if at + 1 < len(page.entries) else ""
            more = not page.alone and (bool(after) or page.loose > 0 or page.group == entry.uid)
            end = entry.blanks + (2 if more else page.newline)
            yield Place(entry, path, at, page.alone, (entry.spaces, page.crlf), end, (path, after))


def day_of(number: int) -> str:
    return (_FIRST + timedelta(days=number)).isoformat()


def rendered(state: State) -> dict[str, tuple[str, bytes]]:
    """(mode, bytes) of each file."""
    return {path: (page.mode, _bytes(page)) for path, page in state.items()}


@lru_cache(maxsize=20_000)
def _bytes(page: Page) -> bytes:
    if page.mode == LINK:
        return b"../../README.md"
    if page.alone:
        entry = page.entries[0]
        text = _file(entry) + "\n" * entry.blanks
    else:
        pieces = []
        for entry in page.entries:
            pieces.append(_log_entry(entry) + "\n" * entry.blanks)
            pieces += [f"## Group {entry.uid}\n\nWhat stands below is older.\n"] if page.group == entry.uid else []
        pieces += [f"## Notes\n\nLoose words, version {page.loose}.\n"] if page.loose else []
        text = "\n".join([_head(page.preamble), *pieces])
    if not page.newline:
        text = text.removesuffix("\n")
    return text.replace("\n", "\r\n").encode() if page.crlf else text.encode()


def _head(version: int) -> str:
    """A log's first lines: an example in a fence and one in a comment among them."""
    front = f"---\nupdated: {day_of(version)}\n---\n" if version % 3 == 2 else ""
    example = "```markdown\n### DEC-2026-01-01-99 — An example\n**Status:** proposed\n```\n" if version % 2 else ""
    return f"{front}# Decisions\n\nVersion {version} of the words above the log.\n{example}"


def _log_entry(entry: Entry) -> str:
    title, context, decision, _ = entry.said
    lines = [f"### {entry.id} — Title {entry.words}{_again(title)}"]
    lines += [entry.marker] if entry.marker else []
    lines += [f"**Context:** It was seen {entry.words} times{_again(context)}."]
    if entry.extra in ("fence", "comment"):
        lines += _extra(entry)
    lines += [f"**Decision:** The service{_wrap(entry)}does thing {entry.words}{_again(decision)}.{' ' * entry.spaces}"]
    lines += [f"**Date:** {day_of(entry.day)}"]
    lines += [f"**Status:** {entry.status}"] if entry.status else []
    lines += [f"**Supersedes:** {entry.supersedes}"] if entry.supersedes else []
    if entry.extra == "heading":
        lines += _extra(entry)
    lines += [f"\n**Addendum:** It held, seen {number} times." for number in entry.addenda]
    return "\n".join(lines) + "\n"


def _file(entry: Entry) -> str:
    title, context, decision, _ = entry.said
    lines = ["---", f"type: {entry.type}", f"id: {entry.id}", f"title: Title {entry.words}{_again(title)}"]
    lines += [f"abstract: It is thing {entry.words}.", f"date: {day_of(entry.day)}"]
    lines += [f"status: {entry.status}"] if entry.status else []
    lines += [f"supersedes: [{entry.supersedes}]"] if entry.supersedes else []
    lines += ["---"]
    lines += [entry.marker, ""] if entry.marker else []
    first, second = ("Problem", "Outcome") if entry.type == "case" else ("Context", "Decision")
    lines += [f"## {first}", f"It was seen {entry.words} times{_again(context)}."]
    lines += _extra(entry)
    lines += [
        "",
        f"## {second}",
        f"The service{_wrap(entry)}does thing {entry.words}{_again(decision)}.{' ' * entry.spaces}",
    ]
    lines += [f"\nAddendum: it held, seen {number} times." for number in entry.addenda]
    return "\n".join(lines) + "\n"


def _extra(entry: Entry) -> list[str]:
    """What looks like something else: headings, labels and markers that aren't alive, or a sub-heading that is."""
    again = _again(entry.said[3])
    if entry.extra == "fence":
        return ["```markdown", f"### DEC-2026-01-01-98 — Quoted{again}", "**Status:** proposed", "> RETRACTED", "```"]
    if entry.extra == "comment":
        return ["<!--", f"### DEC-2026-01-01-97 — Left out{again}", "**Status:** superseded", "-->"]
    return ["", "#### Alternatives", f"None of {entry.words}{again}."] if entry.extra == "heading" else []


def _again(number: int) -> str:
    return f" and again {number}" if number else ""


def _wrap(entry: Entry) -> str:
    return "\n" if entry.wrapped else " "
