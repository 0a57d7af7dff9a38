"""What is read in place of a stretch of a text, decoded or without what isn't seen, and where it stands in it."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from minutebook.redaction.finding import CROWDED, Finding
from minutebook.redaction.windows import WALL, Window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Unit = tuple[int, int, str]
    """text[start:end] of a text, and the one character, or none, that is read in its place."""

MOST = 200_000
"""Units of a stretch that are read otherwise; where there are more nobody wrote it."""


class Reading:
    """The characters of a window with other ones in place of some units, which are in order. After a good many units
    nothing is read: `crowded` is where, if it's so."""

    def __init__(self, text: str, window: Window, units: Iterable[Unit]) -> None:
        self._window = window
        self._ends: list[int] = []
        self._shifts: list[int] = []
        self._wide: dict[int, int] = {}
        self.crowded: int | None = None
        pieces: list[str] = []
        at = gone = window.start
        for start, end, instead in units:
            pieces += text[at:start], instead
            self._ends.append(start - gone + len(instead))
            if instead:
                self._wide[start - gone] = end
            at, gone = end, gone + end - start - len(instead)
            self._shifts.append(gone)
            if len(self._ends) >= MOST:
                self.crowded = at
                break
        self.text = "".join(pieces if self.crowded is not None else [*pieces, text[at : window.end]])

    def places(self, found: Finding) -> Iterator[Finding]:
        """Where what was found in the reading stands in the text, if it has to do with what is read otherwise."""
        start, last = self._place(found.start), found.end - 1
        finding = Finding(start, self._wide.get(last, self._place(last) + 1), found.kind)
        if self._window.concerns(finding):
            yield finding

    def rest(self) -> Iterator[Finding]:
        """What isn't read."""
        if self.crowded is not None:
            yield Finding(self.crowded, self._window.end, CROWDED)

    def _place(self, at: int) -> int:
        index = bisect_right(self._ends, at)
        return at + (self._shifts[index - 1] if index else self._window.start)


class Packed(Reading):
    """A word that is a text, decoded: if something is found in it, all of the word is."""

    def __init__(self, start: int, end: int, text: str) -> None:
        super().__init__("", Window(0, 0, 0, 0), ())
        self.start, self.end, self.text = start, end, text

    def places(self, found: Finding) -> Iterator[Finding]:
        """The whole word, but for something random in it: nobody knows what that is."""
        if found.kind != "entropy":
            yield Finding(self.start, self.end, found.kind)


def joined(readings: Sequence[Reading]) -> str:
    return WALL.join([each.text for each in readings])


def placed(readings: Sequence[Reading], found: Iterable[Finding]) -> Iterator[Finding]:
    """What was found in the readings, joined, where it stands in the text that they are of."""
    for each in readings:
        yield from each.rest()
    starts = list(accumulate((len(each.text) + len(WALL) for each in readings), initial=0))
    for finding in found:
        first, last = bisect_right(starts, finding.start) - 1, bisect_right(starts, finding.end - 1) - 1
        for index in range(first, last + 1):
            start, end = starts[index], starts[index] + len(readings[index].text)
            low, high = max(start, finding.start), min(end, finding.end)
            if low < high:
                yield from readings[index].places(Finding(low - start, high - start, finding.kind))
