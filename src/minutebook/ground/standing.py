"""Whether an entry still holds: what it says of itself, and what other entries say of it."""

import re
from collections.abc import Iterable

from minutebook.ground import front_matter
from minutebook.ground.entry import Entry
from minutebook.ground.log_lines import MARKER, read_label
from minutebook.ground.markdown import read_lines
from minutebook.ground.memory_type import MemoryType

_ANYWHERE = re.compile(f"(?m)^(?:{MARKER.pattern})", re.IGNORECASE)


def closed_as(entry: Entry, mtype: MemoryType) -> str:
    """The word by which an entry says that it no longer holds: its status, `superseded` where `superseded_by` is set,
    or that of a marker such as `> RETRACTED`; "" when it holds."""
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
    """By id of what is superseded, the entry that says so; none supersedes itself."""
    return {old: entry for entry in entries for old in entry.ids("supersedes") if old != entry.id}
