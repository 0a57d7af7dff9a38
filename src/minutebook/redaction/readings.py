"""What is read in place of a stretch of a text, decoded or without what isn't seen, and where it stands in it."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import accumulate

from minutebook.redaction.finding import CROWDED, Finding
from minutebook.redaction.windows import WALL, Window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Parted = Callable[[str], list[str]]
    """A stretch in parts: what stays, a unit that is read otherwise, what stays, and so on."""
    Meant = Callable[[str], str]
    """What is read in place of a unit: one character, none, or the unit itself."""


class Reading:
    """The characters of a window with other ones in place of some units. Which stands where is worked out when
    something is found there: in most windows nothing is."""

    def __init__(self, text: str, window: Window, parted: Parted, meant: Meant) -> None:
        self._window, self._parted, self._meant = window, parted, meant
        self._whole = text[window.start : window.end]
        self._map: tuple[array[int], array[int], bytearray] | None = None
        parts = parted(self._whole)
        parts[1::2] = map(meant, parts[1::2])
        self.text = "".join(parts)

    def places(self, found: Finding) -> Iterator[Finding]:
        """Where what was found in the reading stands in the text, if it has to do with what is read otherwise."""
        finding = Finding(self._place(found.start), self._end(found.end), found.kind)
        if self._window.concerns(finding):
            yield finding

    def unread(self) -> Finding:
        """All that is read otherwise, if nobody looks at it."""
        return Finding(self._window.first, self._window.last, CROWDED)

    def _place(self, at: int) -> int:
        ends, gone, _ = self._units()
        index = bisect_right(ends, at)
        return self._window.start + at + (gone[index - 1] if index else 0)

    def _end(self, end: int) -> int:
        """Where what ends there in the reading ends in the text: behind the unit that its last character is."""
        ends, gone, full = self._units()
        index = bisect_right(ends, end - 1)
        if index < len(ends) and ends[index] == end and full[index]:
            return self._window.start + end + gone[index]
        return self._place(end - 1) + 1

    def _units(self) -> tuple[array[int], array[int], bytearray]:
        """Of each unit where it ends in the reading, how much longer the text is up to there, and whether anything is
        read in its place."""
        if self._map is None:
            ends, gone, full = array("I"), array("I"), bytearray()
            size = longer = 0
            for number, part in enumerate(self._parted(self._whole)):
                instead = self._meant(part) if number % 2 else part
                size += len(instead)
                if instead is not part and instead != part:
                    longer += len(part) - len(instead)
                    ends.append(size)
                    gone.append(longer)
                    full.append(bool(instead))
            self._map = ends, gone, full
        return self._map


class Packed:
    """A word that is a text, decoded: if something is found in it, all of the word is."""

    def __init__(self, start: int, end: int, text: str) -> None:
        self.start, self.end, self.text = start, end, text

    def places(self, found: Finding) -> Iterator[Finding]:
        """The whole word, but for something random in it: nobody knows what that is."""
        if found.kind != "entropy":
            yield Finding(self.start, self.end, found.kind)

    def unread(self) -> Finding:
        return Finding(self.start, self.end, CROWDED)


def joined(readings: Sequence[Reading | Packed]) -> str:
    return WALL.join([each.text for each in readings])


def placed(readings: Sequence[Reading | Packed], found: Iterable[Finding]) -> Iterator[Finding]:
    """What was found in the readings, joined, where it stands in the text that they are of."""
    starts = list(accumulate((len(each.text) + len(WALL) for each in readings), initial=0))
    for finding in found:
        first, last = bisect_right(starts, finding.start) - 1, bisect_right(starts, finding.end - 1) - 1
        for index in range(first, last + 1):
            start, end = starts[index], starts[index] + len(readings[index].text)
            low, high = max(start, finding.start), min(end, finding.end)
            if low < high:
                yield from readings[index].places(Finding(low - start, high - start, finding.kind))
