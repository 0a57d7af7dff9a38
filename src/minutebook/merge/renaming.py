"""One id, two new entries: the one that isn't published gets another, and what refers to it on its side follows."""

from __future__ import annotations

import re

from minutebook.ground.frozen import replace
from minutebook.ground.log_lines import read_label
from minutebook.ground.markdown import read_lines
from minutebook.ground.uris import new_id, slug
from minutebook.merge.entries import Sides, settled_side
from minutebook.merge.lines import OURS, THEIRS
from minutebook.merge.log import Renamed
from minutebook.merge.pieces import cut, joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from minutebook.ground.entry import Entry, MemoryFile
    from minutebook.ground.memory_type import MemoryType
    from minutebook.merge.log import Known
    from minutebook.merge.pieces import Log, Piece

    Logs = tuple[Log, Log, Log]
    Read = Callable[[str], MemoryFile]


def with_ids_of_their_own(logs: Logs, read: Read, mtype: MemoryType, known: Known) -> tuple[Logs, tuple[Renamed, ...]]:
    """The logs (base, ours, theirs) in which no id stands for two new entries, and which entries got another."""
    done = []
    for name, side in list(_collisions(logs, mtype, known)):
        entry = logs[1 + side].pieces[name].entry
        fresh = _fresh(entry, logs, mtype, known)
        changed = _followed(logs[1 + side], logs[0], entry.id, fresh)
        log = cut(read(changed))
        if log is None or fresh.casefold() not in log.pieces or name in log.pieces:
            continue  # the id is written in a way that nobody foresaw: the collision stays a conflict
        logs = (logs[0], log, logs[2]) if side == OURS else (logs[0], logs[1], log)
        done.append(Renamed(entry.id, fresh, entry.title, side))
    return logs, tuple(done)


def _collisions(logs: Logs, mtype: MemoryType, known: Known) -> Iterator[tuple[str, int]]:
    """(id, the side whose entry gives way). Of one entry with one title there are two versions: that's a conflict."""
    base, ours, theirs = logs
    for name, mine in ours.pieces.items():
        other = theirs.pieces.get(name)
        if other is None or name in base.pieces:
            continue
        sides = Sides(None, mine.entry, other.entry)
        if settled_side(sides, mtype) is None and mine.entry.title.casefold() != other.entry.title.casefold():
            yield name, THEIRS if known.first(sides, mtype) == OURS else OURS


def _fresh(entry: Entry, logs: Logs, mtype: MemoryType, known: Known) -> str:
    fields = {"slug": slug(entry.title), **{key: str(value) for key, value in entry.fields.items()}}
    taken = {name for log in logs for name in log.pieces}
    taken |= {name for side in (OURS, THEIRS) for name in known.elsewhere(side)}
    for attempt in range(1000):
        found = new_id(mtype, fields, f"{entry.text}\0{attempt}", taken)
        if found.casefold() not in taken:
            return found
    return entry.id


def _followed(log: Log, base: Log, old: str, new: str) -> str:
    """The log's text, with the new id in the lines that the base doesn't have."""
    word = re.compile(rf"(?<![\w.-]){re.escape(old)}(?!\w|[.-]\w)", re.IGNORECASE)
    return joined(log.head, (_renamed(piece, base.pieces.get(name), word, new) for name, piece in log.pieces.items()),
                  log.rest)  # fmt: skip


def _renamed(piece: Piece, was: Piece | None, word: re.Pattern[str], new: str) -> Piece:
    known = {row.text.rstrip() for row in read_lines(was.text)} if was is not None else set()
    out, quote = [], False
    for row in read_lines(piece.text):
        label = read_label(row.text) if row.live else None
        quote = label[0] in ("source", "sources") if label else quote and row.text.lstrip().startswith(">")
        verbatim = row.text.rstrip() in known or (quote and label is None)  # what a quote says was said so
        out.append(row.text if verbatim else word.sub(new, row.text))
    return replace(piece, text="".join(out))
