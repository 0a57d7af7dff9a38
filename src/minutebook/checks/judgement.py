"""What a check is given, and what every check is: a function from a case to problems."""

from collections.abc import Callable, Iterator
from datetime import date

from minutebook.ground.change import Change, Tree
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import cached, frozen
from minutebook.ground.memory import BASELINE, Memory
from minutebook.ground.problem import Problem


@frozen
class Case:
    """One memory root before and after.

    `base` is None when there is nothing to compare with (`--all`): structure alone is judged. `tree` and
    `base_tree` hold the files beneath the root, and the config. `changes` are the files that differ.
    `promised` is the result read with the base's config and types, which decide what is append-only: what the
    change itself says about that must not excuse it. None means that it is `result`.
    `parents` are what a merge under judgement joins (HEAD and MERGE_HEAD): what they hold must survive too.
    `forks` are where these parted.
    `tracked` says that the files are git's (an index, a commit); a work tree may hold private ones too.
    `merged` are the parents of merges between the base and the result: they say why an entry stands where it does.
    """

    result: Memory
    tree: Tree
    base: Memory | None
    base_tree: Tree
    changes: tuple[Change, ...]
    today: date
    parents: tuple[Memory, ...] = ()
    promised: Memory | None = None
    merged: tuple[Memory, ...] = ()
    forks: tuple[Memory, ...] = ()
    tracked: bool = True

    @cached
    def changed_paths(self) -> frozenset[str]:
        return frozenset(change.path for change in self.changes)

    @property
    def baseline(self) -> bytes | None:
        """The bytes of the baseline file that counts, the base's where there is one: a change can't excuse itself."""
        stored = (self.tree if self.base is None else self.base_tree).get(self.result.outer(BASELINE))
        return stored.data if stored is not None else None

    @property
    def kept(self) -> Memory:
        """The result as the base's config and types see it."""
        return self.result if self.promised is None else self.promised

    def is_changed(self, path: str) -> bool:
        """Whether the file is under judgement: it differs from the base, or everything is judged."""
        return self.base is None or path in self.changed_paths

    def changed_entries(self) -> Iterator[Entry]:
        """The entries whose text or place isn't in the base; all of them when there is no base. The blank line that
        an entry gets when the next one is written below it is no change."""
        known = set()
        if self.base is not None:
            before = (self.base.files.get(path) for path in self.changed_paths)
            known = {(entry.path, entry.text.rstrip()) for file in before if file is not None for entry in file.entries}
        for path, file in self.result.files.items():
            if self.is_changed(path):
                yield from (entry for entry in file.entries if (entry.path, entry.text.rstrip()) not in known)


Check = Callable[[Case], Iterator[Problem]]
