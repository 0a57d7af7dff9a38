"""A log cut into pieces that can be joined again, and the joining."""

from __future__ import annotations

from minutebook.checks.parts import BREAK, SPACE
from minutebook.ground.frozen import EMPTY, cached, frozen
from minutebook.ground.markdown import split_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from minutebook.ground.entry import Entry, MemoryFile

_SPACE = f"{SPACE}\n"


@frozen
class Piece:
    """An entry in its place: what stands `before` it and belongs to no entry (the heading of a year), its `text`, and
    what parts it from the next one (`after`: blank lines, rules)."""

    entry: Entry
    before: str
    text: str
    after: str


@frozen
class Log:
    """A log cut up: head, pieces and `rest` joined are the file. `pieces` are by id, whatever the case of its
    letters, in the order of the file."""

    head: str = ""
    pieces: Mapping[str, Piece] = EMPTY
    rest: str = ""

    @cached
    def last(self) -> str:
        """The id of the last entry."""
        return next(reversed(list(self.pieces)), "")


def cut(file: MemoryFile) -> Log | None:
    """The log in pieces; None when an id stands twice, or the pieces don't make up the file."""
    lines = split_lines(file.text)
    pieces: dict[str, Piece] = {}
    at = len(split_lines(file.head)) if file.entries else len(lines)
    for entry in file.entries:
        start, end = entry.line - 1, entry.line - 1 + len(split_lines(entry.text))
        text, after = parted("".join(lines[start:end]))
        pieces[entry.id.casefold()] = Piece(entry, "".join(lines[at:start]), text, after)
        at = end
    log = Log(file.head if file.entries else file.text, pieces, "".join(lines[at:]))
    whole = joined(log.head, pieces.values(), log.rest) == file.text
    return log if whole and len(pieces) == len(file.entries) else None


def joined(head: str, pieces: Iterable[Piece], rest: str) -> str:
    """The text of a log, as it stands in its pieces."""
    return head + "".join(f"{each.before}{each.text}{each.after}" for each in pieces) + rest


def parted(text: str) -> tuple[str, str]:
    """The text without the blank lines and rules at its end, and these."""
    lines = split_lines(text)
    end = len(lines)
    while end and (not lines[end - 1].strip(_SPACE) or BREAK.fullmatch(lines[end - 1].rstrip(_SPACE))):
        end -= 1
    return "".join(lines[:end]), "".join(lines[end:])


def laid_out(head: str, pieces: Sequence[Piece], rest: str, between: str, end: str) -> str:
    """The text of a log from pieces of several: each on lines of its own, with `between` after one that was the last
    of its file; what stands after the last one is `end`."""
    out = [ended(head)]
    for number, piece in enumerate(pieces, 1):
        after = piece.after or between
        if number == len(pieces) and not rest:
            after = end
        out += [ended(piece.before), ended(piece.text), after]
    return "".join(out) + rest


def ended(text: str) -> str:
    """The text with a newline at its end, unless it is empty."""
    if not text or text.endswith("\n"):
        return text
    return text + ("\r\n" if "\r\n" in text else "\n")
