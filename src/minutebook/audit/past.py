"""What commits hold: files by path with their blobs, and these as the trees that the gate is given."""

from __future__ import annotations

from collections import OrderedDict

from minutebook.ground.change import SUBMODULE, File
from minutebook.ground.commits import NO_FILE, Listed, after
from minutebook.ground.config import CONFIG, USUAL_ROOTS, Config, read_config
from minutebook.ground.errors import CannotJudge
from minutebook.ground.memory import read_file

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without the import
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from minutebook.ground.change import Tree
    from minutebook.ground.commits import Edit
    from minutebook.ground.entry import MemoryFile
    from minutebook.ground.memory_type import MemoryType

_MOST_LISTED = 1_000_000
_MOST_TEXT = 24 << 20


class Past:
    """The memory of every commit of a history, worked out from what each changed. `read` gives a blob's bytes,
    `listed_at` the files of a commit that is no part of the walk, or that was forgotten; `given` is a config that
    counts for all commits in place of their own."""

    def __init__(
        self, edits: Mapping[str, tuple[Edit, ...]], read: Callable[[str], bytes],
        listed_at: Callable[[str], Listed], known: Iterable[Config], given: Config | None,
    ) -> None:  # fmt: skip
        self._edits, self._read, self._listed_at, self.given = edits, read, listed_at, given
        self._configs = (given,) if given is not None else tuple(known)
        self._roots = tuple(dict.fromkeys(root for each in self._configs for root in each.places)) or USUAL_ROOTS
        self._listings: OrderedDict[str, Listed] = OrderedDict()
        self._uses: dict[int, int] = {}
        self._size = 0
        self._parsed: dict[str, Config | None] = {}

    def covers(self, path: str) -> bool:
        """Whether a path is a config that counts, or may lie in memory as any config of the history has it."""
        if path == CONFIG:
            return self.given is None
        if any(path.startswith(f"{root}/") or path == root or root.startswith(f"{path}/") for root in self._roots):
            return True
        return any(config.mapped_as(path) for config in self._configs if config.mapped)

    def order(self, walked: Iterable[str]) -> Iterator[str]:
        """The blobs that these commits bring, in the order in which they are judged."""
        for commit in walked:
            for edit in self._edits.get(commit, ()):
                if edit.mode not in (NO_FILE, SUBMODULE) and self.covers(edit.path):
                    yield edit.blob

    def follow(self, commit: str, parent: str, *, walked: bool) -> None:
        """Work out what the commit holds from what its first parent does."""
        before = self._listings.get(parent) if parent else {}
        if before is None or not walked:
            return
        edits = tuple(edit for edit in self._edits.get(commit, ()) if self.covers(edit.path))
        self._remember(commit, after(before, edits) if edits else before)

    def changed(self, commit: str) -> tuple[str, ...]:
        """The paths of memory that a walked commit changed against its first parent."""
        return tuple(edit.path for edit in self._edits.get(commit, ()) if self.covers(edit.path))

    def listed(self, commit: str) -> Listed:
        """The files of memory, and the config."""
        found = self._listings.get(commit)
        if found is None:
            found = {path: each for path, each in self._listed_at(commit).items() if self.covers(path)}
            self._remember(commit, found)
        return found

    def _remember(self, commit: str, listed: Listed) -> None:
        """Most commits leave memory alone: they share the listing of their parent, and it counts once."""
        self._listings[commit] = listed
        uses = self._uses.get(id(listed), 0)
        self._uses[id(listed)] = uses + 1
        self._size += 0 if uses else len(listed)
        while self._size > _MOST_LISTED and len(self._listings) > 2:
            _, old = self._listings.popitem(last=False)
            self._uses[id(old)] -= 1
            if not self._uses[id(old)]:
                del self._uses[id(old)]
                self._size -= len(old)

    def config(self, listed: Listed, otherwise: Config | None = None) -> Config:
        """The config that counts for these files: when theirs is broken, `otherwise` does, as in a check."""
        if self.given is not None:
            return self.given
        mode, blob = listed.get(CONFIG, ("", ""))
        if blob not in self._parsed:
            self._parsed[blob] = _read(self._read(blob) if blob and mode != SUBMODULE else None)
        found = self._parsed[blob]
        return found if found is not None else otherwise or Config()

    def tree(self, listed: Listed) -> Tree:
        """The files with their bytes."""
        return {path: self.file(*each) for path, each in listed.items()}

    def file(self, mode: str, blob: str) -> File:
        return File(self._read(blob) if mode != SUBMODULE else b"", mode)


def _read(data: bytes | None) -> Config | None:
    try:
        return read_config(data)
    except CannotJudge:
        return None


class Reading:
    """Reads files of memory, and remembers those that stay as they are from one commit to the next."""

    def __init__(self, most: int = _MOST_TEXT) -> None:
        self._known: OrderedDict[tuple[str, bytes, str], tuple[MemoryFile, MemoryType, Config]] = OrderedDict()
        self._most, self._size = most, 0

    def __call__(self, path: str, file: File, mtype: MemoryType, config: Config) -> MemoryFile:
        key = (path, file.data, file.mode)
        found = self._known.get(key)
        if found is not None and found[1:] == (mtype, config):
            self._known.move_to_end(key)
            return found[0]
        read = read_file(path, file, mtype, config)
        self._size += len(file.data) if found is None else 0
        self._known[key] = read, mtype, config
        while self._size > self._most and len(self._known) > 1:
            dropped, _ = self._known.popitem(last=False)
            self._size -= len(dropped[1])
        return read
