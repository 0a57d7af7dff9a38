"""Whether an entry still holds: what it says of itself, and what other entries say of it."""

from __future__ import annotations

from minutebook.ground import front_matter
from minutebook.ground.lazy import lazy
from minutebook.ground.log_lines import MARKER, read_label
from minutebook.ground.markdown import read_lines
from minutebook.ground.tombstone import read_tombstone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from minutebook.ground.entry import Entry
    from minutebook.ground.memory_type import MemoryType

DRAFTS = ("draft", "proposed")
"""How the built-in types call what nobody has agreed to yet."""
_ANYWHERE = lazy(f"(?i)(?m)^(?:{MARKER.pattern})")


def closed_as(entry: Entry, mtype: MemoryType) -> str:
    """The word by which an entry says that it no longer holds: its status, `superseded` where `superseded_by` is set,
    that of a marker such as `> RETRACTED`, or `expunged` for a tombstone; "" when it holds."""
    if read_tombstone(entry) is not None:
        return "expunged"
    if mtype.stage(entry.status) == "closed":
        return entry.status
    return "superseded" if entry.ids("superseded_by") else _marker(entry)


def _marker(entry: Entry) -> str:
    """The word of a marker in the text; quoted evidence holds none."""
    if ">" not in entry.text or not _ANYWHERE.search(entry.text):
        return ""
    found = None if entry.in_log else front_matter.split(entry.text)
    quote = False
    for row in read_lines(found[1] if found is not None else entry.text):
        label = read_label(row.text) if row.live and entry.in_log else None
        if label:
            quote = label[0] == "source"
        elif row.live and not quote and (marker := MARKER.match(row.text)):
            return marker[1].lower()
        else:
            quote = quote and row.text.lstrip().startswith(">")
    return ""


def successors(entries: Iterable[Entry]) -> dict[str, Entry]:
    """By id of what is superseded, the entry that says so; none supersedes itself, and a draft takes nobody's place."""
    found = ((old, entry) for entry in entries for old in entry.ids("supersedes") if old != entry.id)
    return {old: entry for old, entry in found if not entry.status.startswith(DRAFTS)}


def says_superseded(entry: Entry, names: Collection[str]) -> Iterator[str]:
    """Those of the casefolded ids that the entry says it supersedes. Its fields are read only when its text has the
    word and one of the ids."""
    text = entry.text.casefold()
    if "supersede" in text and any(name in text for name in names):
        said = {name.casefold() for name in entry.ids("supersedes")}
        yield from (name for name in names if name in said and name != entry.id.casefold())
