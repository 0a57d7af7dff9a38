"""A talk that is a tree: each record hangs on an earlier one, and going back in the talk makes a branch."""

from array import array
from itertools import islice

IDS_MOST = 200_000
"""Records that are remembered by their ids; of a longer session the last."""


class Branches:
    """What was taken back: a prompt that isn't on the way from the last prompt to the root, if nothing hung on it any
    more once the prompt came that stands in its place.

    Otherwise both go on side by side: what a person types while the agent works may hang far above. A record belongs
    to the nearest prompt above it, and that alone is kept of each (ids as 64-bit hashes), because parallel tool calls
    branch too and are no going back. A record whose parent is missing goes on from the one before it in the file.
    Branches are numbers: 0 before any prompt, then one for each prompt.
    """

    def __init__(self) -> None:
        self._branch_of: dict[int, int] = {}
        self._said: set[int] = set()
        self._above = array("I", [0])
        self._began = array("I", [0])
        self._ended = array("I", [0])
        self._last = 0
        self._time = 0

    def has_said(self, id: str) -> bool:
        """Whether a record of this id has said something before."""
        return hash(id) in self._said and id != ""

    def links(self, id: str, parent: str) -> None:
        """A record of the harness: others may hang on it."""
        if id:
            self._keep(hash(id), self._branch_of.get(hash(parent), self._last), False)

    def hangs(self, id: str, parent: str, says: bool) -> int:
        """The branch of a record that is no prompt."""
        branch_of = self._branch_of
        branch = self._last = branch_of.get(hash(parent), self._last)
        self._ended[branch] = self._time = self._time + 1
        if id:
            branch_of.setdefault(hash(id), branch)
            if says:
                self._said.add(hash(id))
            if len(branch_of) > IDS_MOST:
                self._forget()
        return branch

    def prompts(self, id: str, parent: str) -> int:
        """The branch that a prompt begins."""
        branch = len(self._above)
        self._time += 1
        self._above.append(self._branch_of.get(hash(parent), self._last))
        self._began.append(self._time)
        self._ended.append(self._time)
        if id:
            self._keep(hash(id), branch, True)
        self._last = branch
        return branch

    def stay(self) -> bytearray:
        """For each branch, whether it stays: 1, or 0 where it was taken back."""
        above, began, ended = self._above, self._began, array("I", self._ended)
        instead = array("I", bytes(above.itemsize * len(above)))
        stays, at = bytearray(len(above)), len(above) - 1
        stays[0] = 1
        while at:
            stays[at] = 1
            instead[above[at]] = began[at]
            at = above[at]
        for branch in range(len(above) - 1, 0, -1):
            ended[above[branch]] = max(ended[above[branch]], ended[branch])
        for branch in range(1, len(above)):
            if not stays[branch]:
                instead[branch] = instead[above[branch]]
                stays[branch] = ended[branch] > instead[branch]
        return stays

    def _keep(self, mark: int, branch: int, says: bool) -> None:
        self._branch_of.setdefault(mark, branch)
        if says:
            self._said.add(mark)
        if len(self._branch_of) > IDS_MOST:
            self._forget()

    def _forget(self) -> None:
        for old in list(islice(self._branch_of, IDS_MOST // 2)):
            del self._branch_of[old]
            self._said.discard(old)
