"""One memory: its fields, its three levels, its exact text; and the files that hold one or many."""

from __future__ import annotations

from minutebook.ground import front_matter
from minutebook.ground.frozen import cached, frozen
from minutebook.ground.markdown import first_sentence, headings
from minutebook.ground.problem import Problem
from minutebook.ground.sections import levels, sections
from minutebook.ground.strict_yaml import StrictYamlError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date
    from typing import Any, Protocol

    from minutebook.ground.memory_type import MemoryType

    Lines = Mapping[tuple[str | int, ...], int]

    class Reader(Protocol):
        """How the text of an entry is read, when somebody asks for more than its id."""

        def fields(self, entry: Entry) -> Mapping[str, Any]: ...

        def lines(self, entry: Entry) -> Lines: ...

        def abstract(self, entry: Entry) -> str: ...

        def levels(self, entry: Entry) -> tuple[str, str]: ...


_MOST_IDS = 1000
_LONGEST_PIECE = 1000
KNOWN_TRUE = ("verified", "updated", "date", "created")
"""The fields that say when an entry was last known to be true, the one that counts first."""


@frozen
class Entry:
    """`path` is from the top of the repository, `line` the 1-based first line there; `text` is exact.

    All else is read from the text by `reader` when it is first asked for: most entries of a memory are only asked for
    their id and their text.
    """

    id: str
    type: str
    path: str
    line: int
    text: str
    reader: Reader
    in_log: bool = False

    @cached
    def fields(self) -> Mapping[str, Any]:
        """The front matter or the labels, and the sections that the type names."""
        return self.reader.fields(self)

    @cached
    def lines(self) -> Lines:
        """From a field, or a deeper path in it, to its line."""
        return self.reader.lines(self)

    @cached
    def abstract(self) -> str:
        """Level L0."""
        return self.reader.abstract(self)

    @cached
    def levels(self) -> tuple[str, str]:
        """Levels L1 and L2: the overview and the body."""
        return self.reader.levels(self)

    @property
    def overview(self) -> str:
        return self.levels[0]

    @property
    def body(self) -> str:
        return self.levels[1]

    @property
    def title(self) -> str:
        return str(self.fields.get("title", self.id))

    @property
    def status(self) -> str:
        return str(self.fields.get("status", "")).lower()

    def ids(self, field: str) -> tuple[str, ...]:
        """The ids in `supersedes` or `superseded_by`, or in a relation such as `related_to`."""
        value = self.fields.get(field)
        if value is None:
            relations = self.fields.get("relations")
            value = relations.get(field) if isinstance(relations, dict) else None
        if isinstance(value, str):
            return tuple(part for piece in value.split(",", _MOST_IDS) if (part := _bare(piece)))
        return tuple(str(item) for item in value) if isinstance(value, list) else ()

    def day(self, *names: str) -> date | None:
        """The day in the first of these fields that holds one."""
        return next((day for name in names if (day := day_of(str(self.fields.get(name, ""))))), None)

    def line_of(self, field: str) -> int:
        return self.lines.get((field,), self.line)


@frozen
class Known:
    """The reader of an entry all of whose parts are known."""

    known_fields: Mapping[str, Any]
    known_lines: Lines
    known_abstract: str
    known_levels: tuple[str, str]

    def fields(self, _: Entry) -> Mapping[str, Any]:
        return self.known_fields

    def lines(self, _: Entry) -> Lines:
        return self.known_lines

    def abstract(self, _: Entry) -> str:
        return self.known_abstract

    def levels(self, _: Entry) -> tuple[str, str]:
        return self.known_levels


@frozen
class MemoryFile:
    """A file of memory as read. In a log, `head` stands before the first entry; head and entries joined are the
    text, but for what stands under headings that are no entries (those of a year, say)."""

    path: str
    type: str
    text: str
    head: str
    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...] = ()
    log: bool = False


def _bare(piece: str) -> str:
    """`DEC-1` of `**DEC-1** (in part)` or `[DEC-1](#dec-1)`: people write ids with what Markdown has to offer."""
    words = piece.strip()[:_LONGEST_PIECE].lstrip("[*`").split(maxsplit=1)
    word = words[0] if words else ""
    return word[: next((at for at, sign in enumerate(word) if sign in "]*`("), len(word))]


def day_of(text: str) -> date | None:
    """The day that a date field begins with, or None when it's none."""
    from datetime import date

    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def encode(text: str) -> bytes:
    """The bytes that `decode` read."""
    return text.encode("utf-8", "surrogateescape")


def decode(data: bytes) -> str:
    """Bytes as text; what is no UTF-8 is kept as lone surrogates, so that `encode` gives the same bytes."""
    return data.decode("utf-8", "surrogateescape")


def read_entry(path: str, text: str, mtype: MemoryType, stem: str) -> tuple[Entry | None, tuple[Problem, ...]]:
    """A file that holds one entry. Without front matter the first heading is its title and `stem` its id.

    Front matter is read at once, since a broken one is the file's problem.
    """
    found = front_matter.bounds(text)
    if found is None and front_matter.opens(text):
        return None, (Problem(path, 1, "yaml", "front matter is opened with --- and never closed", fix="---"),)
    try:
        front = front_matter.read_values(text[found[0] : found[1]], mtype) if found is not None else {}
    except StrictYamlError as error:
        return None, (Problem(path, error.line, "yaml", str(error), error.hint),)
    start = found[2] if found is not None else 0
    said = front.get("id") or next((value for name, value, _ in sections(text, start, mtype) if name == "id"), stem)
    return Entry(str(said), mtype.name, path, 1, text, _FileReader(mtype, front, start)), ()


@frozen
class _FileReader:
    """The reader of a file that holds one entry: its front matter is read, the rest starts at `start`."""

    mtype: MemoryType
    front: Mapping[str, Any]
    start: int

    def fields(self, entry: Entry) -> Mapping[str, Any]:
        if "title" in self.front and not self.mtype.sections:
            return self.front
        found = dict(self.front)
        for name, value, _ in sections(entry.text, self.start, self.mtype):
            found.setdefault(name, value)
        heading = next(headings(entry.text, self.start), None)
        if "title" not in found and heading is not None and heading.level == 1:
            found["title"] = heading.heading
        return found

    def lines(self, entry: Entry) -> Lines:
        found = front_matter.split(entry.text)
        lines = front_matter.read_fields(found[0], self.mtype)[1] if found is not None else {}
        for name, _, at in sections(entry.text, self.start, self.mtype):
            lines.setdefault((name,), entry.text.count("\n", 0, at) + entry.line)
        return lines

    def abstract(self, entry: Entry) -> str:
        fields = entry.fields
        return str(fields.get("abstract") or first_sentence(entry.overview) or fields.get("title", ""))

    def levels(self, entry: Entry) -> tuple[str, str]:
        return levels(entry.text[self.start :])
