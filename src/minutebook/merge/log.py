"""A log in three versions into one: entry by entry, in an order that is right for both sides."""

from __future__ import annotations

from collections import Counter

from minutebook.ground.frozen import EMPTY, frozen, replace
from minutebook.merge.entries import Sides, continues, merged_entry, published_side, same, settled_side, trouble_with
from minutebook.merge.lines import NEITHER, OURS, THEIRS, Way, conflict, merged_lines, settled
from minutebook.merge.order import by_age
from minutebook.merge.page import merged_page
from minutebook.merge.pieces import Log, Piece, ended, laid_out, parted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from minutebook.ground.entry import Entry
    from minutebook.ground.memory_type import MemoryType

NAMES = ("ours", "theirs")


def nothing(side: int) -> Mapping[str, Entry]:
    """No entries anywhere else."""
    return EMPTY


@frozen
class Known:
    """What is known beside the three versions: the open end of the log, its entries as they are published, and what
    the other files of a side hold. Ids are casefolded.

    Of what nobody has published, `under` (OURS or THEIRS) is the side that will be first: its new entries stand under
    the other's, as one block, and its words of an entry stay. So the result can later go onto that branch, whether by
    a merge, a rebase or a squash.
    """

    newest_first: bool = True
    has_published: bool = False
    under: int = OURS
    published: Mapping[str, Entry] = EMPTY
    elsewhere: Callable[[int], Mapping[str, Entry]] = nothing

    def first(self, sides: Sides, mtype: MemoryType) -> int:
        """The side whose words of an entry stay where they are."""
        found = published_side(sides, self.published.get(sides.ours.id.casefold()), mtype)
        return self.under if found == NEITHER else found


@frozen
class Renamed:
    """A new entry whose `id` both sides had given away: `side` (OURS or THEIRS) has it as `fresh` now."""

    id: str
    fresh: str
    title: str
    side: int


@frozen
class Merged:
    """The text of the file; `conflicts` are what a person has to decide, by entry ("" is none of them), `renamed` the
    entries that got an id of their own."""

    text: str
    conflicts: tuple[tuple[str, str], ...] = ()
    renamed: tuple[Renamed, ...] = ()


@frozen
class _Three:
    base: Log
    ours: Log
    theirs: Log
    mtype: MemoryType
    known: Known
    way: Way

    def piece(self, name: str) -> tuple[Piece | None, Piece | None, Piece | None]:
        return self.base.pieces.get(name), self.ours.pieces.get(name), self.theirs.pieces.get(name)


def merged_log(base: Log, ours: Log, theirs: Log, mtype: MemoryType, known: Known, way: Way) -> Merged | None:
    """The union of the new entries at the open end, what is published first; an entry that one side changed as that
    side has it. None when the two sides hold entries in orders that contradict each other."""
    three = _Three(base, ours, theirs, mtype, known, way)
    conflicts: list[tuple[str, str]] = []
    pieces: dict[str, Piece] = {}
    for name in {**ours.pieces, **theirs.pieces}:
        found, trouble = _outcome(name, three)
        if found is not None:
            pieces[name] = found
        if found is not None and trouble:
            conflicts.append((found.entry.id, trouble))

    sides = [[name for name in side.pieces if name in pieces] for side in (ours, theirs)]
    order = by_age(sides[OURS], sides[THEIRS], base.pieces, known)
    if order is None:
        return None
    head, clean = _head(three)
    rest = merged_lines(base.rest, ours.rest, theirs.rest, way)
    for fine, where in ((clean, "before the first entry"), (rest.clean, "after the last entry")):
        if not fine:
            conflicts.append(("", f"both sides changed what stands {where}"))
    in_order = _each_heading_once([pieces[name] for name in order], three)
    end = settled(*(_end(log, in_order) for log in (base, ours, theirs)))
    text = laid_out(head, in_order, rest.text, _between(three), end[0] if end else _end(ours, in_order))
    return Merged(text, tuple(conflicts))


def _outcome(name: str, three: _Three) -> tuple[Piece | None, str]:
    """The entry as it is to stand, None when it is rightly gone; and why it is in conflict, or ""."""
    was, mine, other = three.piece(name)
    if mine is not None and other is not None:
        return _in_both(was, mine, other, three)
    here, gone = (mine, THEIRS) if mine is not None else (other, OURS)
    if here is None or was is None:
        return here, ""
    sealed = three.mtype.append_only and three.mtype.stage(was.entry.status) != "draft"
    moved = three.known.elsewhere(gone).get(name)
    lawful = not sealed or (moved is not None and (same(was.entry, moved) or continues(was.entry, moved, three.mtype)))
    if lawful and same(was.entry, here.entry):
        return None, ""
    text = ended(here.text)
    marked = conflict(text, "", three.way) if gone == THEIRS else conflict("", text, three.way)
    did = f"moved it to {moved.path}" if moved is not None else "deleted it"
    why = "and the other side changed it" if lawful else "and it is sealed"
    return replace(here, text=marked), f"{NAMES[gone]} {did}, {why}"


def _in_both(was: Piece | None, mine: Piece, other: Piece, three: _Three) -> tuple[Piece, str]:
    sides = Sides(was.entry if was is not None else None, mine.entry, other.entry)
    gap = merged_lines(was.before if was else "", mine.before, other.before, three.way)
    after = _settled_or(was.after if was else "", mine.after, other.after)
    found, trouble = _words(sides, was, mine, other, three)
    if not gap.clean:
        trouble = trouble or "both sides changed what stands before it"
    return Piece(mine.entry, gap.text, found, after), trouble


def _words(sides: Sides, was: Piece | None, mine: Piece, other: Piece, three: _Three) -> tuple[str, str]:
    """The text of an entry that both sides hold, and why it is in conflict, or ""."""
    side = settled_side(sides, three.mtype)
    if side is not None:
        text = mine.text if side is mine.entry else other.text
        if side is mine.entry and same(mine.entry, other.entry):
            text = _settled_or(was.text if was else "", mine.text, other.text)
        return text, ""
    texts = (ended(was.text) if was else "", ended(mine.text), ended(other.text))
    way = replace(three.way, first=three.known.first(sides, three.mtype))
    found = merged_entry(sides, texts, three.mtype, way)
    return found.text, "" if found.clean else trouble_with(sides, three.mtype)


def _settled_or(base: str, ours: str, theirs: str) -> str:
    """The settled text; where both sides changed it, the longer one (it is white space and rules)."""
    known = settled(base, ours, theirs)
    return known[0] if known else max(ours, theirs, key=len)


def _head(three: _Three) -> tuple[str, bool]:
    """What stands before the first entry; blank lines at its end are nobody's change."""
    heads = [parted(log.head) for log in (three.base, three.ours, three.theirs)]
    texts = [ended(text) for text, _ in heads]
    found = merged_page(texts[0], texts[1], texts[2], three.mtype, three.way)
    return found.text + max((after for _, after in heads[1:]), key=len), found.clean


def _each_heading_once(pieces: list[Piece], three: _Three) -> list[Piece]:
    """Both sides may have written the heading of the same new year before an entry of their own: it stands once."""
    seen: dict[str, int] = {}
    out = []
    for piece in pieces:
        was, mine, other = three.piece(piece.entry.id.casefold())
        group = piece.before.strip()
        if group and was is None and (mine is None) != (other is None):
            side = OURS if mine is not None else THEIRS
            piece = replace(piece, before="") if seen.setdefault(group, side) != side else piece
        out.append(piece)
    return out


def _end(log: Log, pieces: list[Piece]) -> str:
    """What stands after the last entry at the end of the file, when it is this log's last one too."""
    last = pieces[-1].entry.id.casefold() if pieces else ""
    return log.pieces[last].after if last and log.last == last else ""


def _between(three: _Three) -> str:
    """What the log puts between two entries as a rule."""
    pieces = [*three.ours.pieces.values(), *three.theirs.pieces.values()]
    found = Counter(piece.after for piece in pieces if piece.after).most_common(1)
    crlf = any("\r\n" in piece.text for piece in pieces[:1])
    return found[0][0] if found else "\r\n" if crlf else "\n"
