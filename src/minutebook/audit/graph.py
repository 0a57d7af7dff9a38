"""What was published when: the first-parent line of a history, and where everything beside it left it."""

from __future__ import annotations

from heapq import heappop, heappush

from minutebook.ground.frozen import cached, frozen

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without the import
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from minutebook.ground.commits import Commit


@frozen
class Graph:
    """The commits that a head reaches, parents before children; the last one is the head."""

    commits: tuple[Commit, ...]

    @cached
    def place(self) -> Mapping[str, int]:
        """By id, where the commit stands among all."""
        return {commit.id: at for at, commit in enumerate(self.commits)}

    @cached
    def published(self) -> Mapping[str, int]:
        """The first-parent line of the head, by id, with the number of commits of the line before it."""
        line: list[str] = []
        here = self.commits[-1].id if self.commits else ""
        while here in self.place:
            line.append(here)
            here = next(iter(self.commits[self.place[here]].parents), "")
        return {name: at for at, name in enumerate(reversed(line))}

    @cached
    def left(self) -> Mapping[str, str]:
        """By id of each commit, the newest published one that it reaches: itself, or where its branch had left the
        line; "" when its history shares none with it."""
        found: dict[str, str] = {}
        for commit in self.commits:
            if commit.id in self.published:
                found[commit.id] = commit.id
                continue
            known = [found[parent] for parent in commit.parents if found.get(parent)]
            found[commit.id] = max(known, key=self.published.__getitem__, default="")
        return found

    def base(self, commit: Commit) -> str:
        """What was published before the commit: the first parent of a published one, else where its branch left the
        line. "" when nothing was."""
        if commit.id in self.published:
            return next(iter(commit.parents), "")
        return self.left[commit.id]

    def merge_bases(self, first: str, second: str) -> tuple[str, ...]:
        """The best common ancestors of two commits."""
        found: list[int] = []
        for at, sides in self._walked({first: 1, second: 2}):
            if sides == _BOTH:
                found.append(at)
        return tuple(self.commits[at].id for at in found)

    def merges(self, base: str, head: str) -> tuple[Commit, ...]:
        """The merges that `head` reaches and `base` doesn't, `head` itself included."""
        commits = (self.commits[at] for at, sides in self._walked({base: 1, head: 2}) if sides == 2)
        return tuple(commit for commit in commits if len(commit.parents) > 1)

    def _walked(self, starts: Mapping[str, int]) -> Iterator[tuple[int, int]]:
        """(place, which starts reach it) of commits from the newest on, until all that is left is reached by both.
        What is reached by both and from such a one is no best ancestor: it is left out."""
        sides: dict[int, int] = {}
        heap: list[int] = []
        for name, side in starts.items():
            if name in self.place:
                at = self.place[name]
                if at not in sides:
                    heappush(heap, -at)
                sides[at] = sides.get(at, 0) | side
        open_ends = len(heap)
        while heap and open_ends:
            at = -heappop(heap)
            mine = sides[at]
            open_ends -= mine < _STALE
            if mine < _STALE:
                yield at, mine
            passed = mine | _STALE if mine & _BOTH == _BOTH else mine
            for parent in self.commits[at].parents:
                above = self.place.get(parent)
                if above is None:
                    continue
                before = sides.get(above)
                if before is None:
                    heappush(heap, -above)
                    open_ends += passed < _STALE
                elif before < _STALE <= passed | before:
                    open_ends -= 1
                sides[above] = passed | (before or 0)


_BOTH, _STALE = 3, 4
