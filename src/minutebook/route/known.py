"""A memory that grows step by step, with what every step asks of it: kept up, not worked out again. Pure, but for the
value that grows.

Twenty thousand sessions in one run would else go through twenty thousand notes each.
"""

from bisect import insort
from collections.abc import Collection, Iterable, Sequence

from minutebook.ground.change import Change
from minutebook.ground.entry import Entry, MemoryFile
from minutebook.ground.frozen import replace
from minutebook.ground.memory import Memory, read_file
from minutebook.ground.standing import successors
from minutebook.ground.uris import ARCHIVE
from minutebook.route.provenance import Key, keys_in, rows_of

NOTE = "session"
"""The type of what a session leaves."""


class Known:
    """`memory` is as it stands after all steps taken. `taken` are the ids that were ever given, also in lower case;
    `keys` those of every source; `numbers` the last number that made a name free, by what it was added to."""

    def __init__(self, memory: Memory) -> None:
        self._files = dict(memory.files)
        self.memory = replace(memory, files=self._files)
        self.taken: set[str] = set()
        self.keys: set[Key] = set()
        self.numbers: dict[str, int] = {}
        self._quotes: dict[str, set[str]] = {}
        self._notes: dict[str, list[Entry]] = {}
        self._paths: dict[str, list[str]] = {}
        self._active: dict[str, list[Entry]] = {}
        for path, file in self._files.items():
            self._place(path, file.type)
            self._learn(file.entries)

    def take(self, changes: Iterable[Change]) -> None:
        """The memory goes on to what these changes leave."""
        for change in changes:
            old, new = self._files.get(change.path), file_after(self.memory, change)
            before = {(entry.id, entry.text) for entry in old.entries} if old is not None else set()
            if old is not None:
                self._forget(old)
            if new is None:
                continue
            self._files[change.path] = new
            self._place(change.path, new.type)
            self._learn(entry for entry in new.entries if (entry.id, entry.text) not in before or entry.type == NOTE)

    def notes(self, session: str) -> Sequence[Entry]:
        """The notes that bear a session's name, in the archive too."""
        return self._notes.get(session, ())

    def quotes(self, session: str) -> Collection[str]:
        """The words of a session that ever backed an entry."""
        return self._quotes.get(session, ())

    def active(self, type_name: str) -> list[Entry]:
        """The entries of a type that hold: not closed, not superseded by another, not in the archive."""
        if type_name not in self._active:
            files = (self._files[path] for path in self._paths.get(type_name, ()))
            self._active[type_name] = holding([entry for file in files for entry in file.entries], self.memory)
        return self._active[type_name]

    def _place(self, path: str, type_name: str) -> None:
        self._active.pop(type_name, None)
        if not self.memory.inner(path).startswith(ARCHIVE):
            insort(self._paths.setdefault(type_name, []), path)

    def _forget(self, file: MemoryFile) -> None:
        del self._files[file.path]
        paths = self._paths.get(file.type, [])
        if file.path in paths:
            paths.remove(file.path)
        self._active.pop(file.type, None)
        for name in {str(entry.fields.get("session")) for entry in file.entries if entry.type == NOTE}:
            self._notes[name] = [note for note in self._notes.get(name, ()) if note.path != file.path]

    def _learn(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self.taken |= {entry.id, entry.id.lower()}
            self.keys |= keys_in(entry)
            if entry.type == NOTE:
                self._notes.setdefault(str(entry.fields.get("session")), []).append(entry)
            else:
                for row in rows_of(entry):
                    self._quotes.setdefault(str(row.get("session")), set()).add(str(row.get("quote", "")))


def known_of(memory: Memory | Known) -> Known:
    """What is known of a memory that doesn't grow with what is planned on it; one that does as it is."""
    return memory if isinstance(memory, Known) else Known(memory)


def file_after(memory: Memory, change: Change) -> MemoryFile | None:
    """A file that the memory's types cover, after a change; None for one that is gone."""
    if change.new is None:
        return None
    known = memory.files.get(change.path)
    name = known.type if known is not None else next(entry.type for entry in change.entries)
    return read_file(change.path, change.new, memory.types[name], memory.config, earlier=known)


def holding(entries: Sequence[Entry], memory: Memory) -> list[Entry]:
    """Those that hold: neither closed nor superseded by another of them."""
    gone = successors(entry for entry in entries if "supersede" in entry.text.casefold())
    return [entry for entry in entries if entry.id not in gone and not memory.is_closed(entry)]
