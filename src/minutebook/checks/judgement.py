"""What a check is given, and what every check is: a function from a case to problems."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from minutebook.change import Change, Tree
from minutebook.entry import Entry
from minutebook.memory import Memory
from minutebook.problem import Problem


@dataclass(frozen=True, slots=True)
class Case:
    """One memory root before and after.

    `base` is None when there is nothing to compare with (`--all`): structure alone is judged. `tree` and
    `base_tree` hold the files beneath the root, and the config. `changes` are the files that differ.
    `parents` are the other parents of a merge under judgement (MERGE_HEAD): what they published must survive too.
    """

    result: Memory
    tree: Tree
    base: Memory | None
    base_tree: Tree
    changes: tuple[Change, ...]
    today: date
    parents: tuple[Memory, ...] = ()

    def is_changed(self, path: str) -> bool:
        """Whether the file is under judgement: it differs from the base, or everything is judged."""
        return self.base is None or any(change.path == path for change in self.changes)

    def changed_entries(self) -> Iterator[Entry]:
        """The entries whose text or place isn't in the base; all of them when there is no base."""
        known = set() if self.base is None else {(e.path, e.text) for e in self.base.entries(archived=True)}
        for entry in self.result.entries(archived=True):
            if (entry.path, entry.text) not in known:
                yield entry


Check = Callable[[Case], Iterator[Problem]]
