"""What a check is given, and what every check is: a function from a case to problems."""

from __future__ import annotations

from minutebook.checks.baseline import Baseline
from minutebook.checks.pairing import same_ends
from minutebook.ground.frozen import cached, frozen
from minutebook.ground.memory import BASELINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import date

    from minutebook.ground.change import Change, Tree
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory import Memory
    from minutebook.ground.problem import Problem

    Check = Callable[["Case"], Iterator[Problem]]


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
    def baseline(self) -> Baseline | None:
        """The baseline file that counts, the base's where there is one: a change can't excuse itself."""
        stored = (self.tree if self.base is None else self.base_tree).get(self.result.outer(BASELINE))
        return Baseline(stored.data, self) if stored is not None else None

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
        return iter(self.judged)

    @cached
    def ends(self) -> Mapping[str, tuple[int, int]]:
        """By path of a changed file, how many of its entries are the same at its beginning and at its end."""
        files = self.base.files if self.base is not None else {}
        both = ((path, files.get(path), self.result.files.get(path)) for path in self.changed_paths)
        return {
            path: same_ends(old.entries, new.entries) for path, old, new in both if old is not None and new is not None
        }

    @cached
    def judged(self) -> tuple[Entry, ...]:
        """What `changed_entries` gives, worked out once."""
        if self.base is None:
            return tuple(self.result.entries(archived=True))
        found: list[Entry] = []
        for path, file in self.result.files.items():
            if path in self.changed_paths:
                before = self.base.files.get(path)
                found += _fresh(file.entries, before.entries if before is not None else (), self.ends.get(path, (0, 0)))
        return tuple(found)


def _fresh(entries: tuple[Entry, ...], before: tuple[Entry, ...], ends: tuple[int, int]) -> list[Entry]:
    """The entries whose text isn't among those of the same file before."""
    start, end = ends
    window = entries[start : len(entries) - end]
    names = {entry.id for entry in window}
    known = {entry.text.rstrip() for entry in before if entry.id in names}
    return [entry for entry in window if entry.text.rstrip() not in known]
