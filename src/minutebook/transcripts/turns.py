"""The turns of a session that is being read, bounded: a gigabyte of transcript fits in memory."""

from collections import Counter
from collections.abc import Callable
from operator import attrgetter, itemgetter

from minutebook.ground.session import Turn

TURN_WEIGHT = 700
WEIGHT_MOST = 64 * 2**20
"""What the turns of one session may weigh, in bytes of memory, roughly."""
_TURN, _TEXT = itemgetter(0), attrgetter("text")
_TOOL_KINDS = ("tool-call", "tool-result")


Kept = tuple[Turn, int, bool]
"""A turn, what it hangs on where the talk is a tree, and whether it is a spare copy."""


class Turns:
    """Numbered as they come. When they weigh too much the oldest go: of what tools were asked and answered first, then
    of what agents said, and of people's words only when nothing else is left. Numbers stay as they were."""

    def __init__(self, most: int = WEIGHT_MOST) -> None:
        self.dropped: Counter[str] = Counter()
        self._most = most
        self._kept: list[Kept] = []
        self._weight = 0

    def extend(self, kept: list[Kept], beside: int) -> None:
        """The next turns, which have about so many characters beside their texts."""
        self._kept += kept
        self._weight += TURN_WEIGHT * len(kept) + _weight(list(map(_TEXT, map(_TURN, kept)))) + 4 * beside
        if self._weight > self._most:
            self._weight = sum(weight(turn) for turn, _, _ in self._kept)
            self._lighten()

    def without_spare(self) -> int:
        """Forget spare copies, and say how many; the others are numbered as if these had never been."""
        kept: list[Kept] = []
        gone = 0
        for turn, branch, spare in self._kept:
            if spare:
                gone += 1
                self._weight -= weight(turn)
            else:
                kept.append((turn._replace(number=turn.number - gone), branch, False))
        self._kept = kept
        return gone

    def prune(self, stays: Callable[[int], object]) -> int:
        """Forget the branches that don't stay, and say how many turns hung on them."""
        kept = [each for each in self._kept if stays(each[1])]
        gone = len(self._kept) - len(kept)
        self._kept = kept
        return gone

    def taken(self) -> tuple[Turn, ...]:
        return tuple(map(_TURN, self._kept))

    def _lighten(self) -> None:
        """A quarter goes at once, so that a long session isn't gone over at every record."""
        if self._weight <= self._most:
            return
        for reason in ("dropped-tool-turns", "dropped-agent-turns", "dropped-user-turns"):
            kept = []
            for each in self._kept:
                if self._weight > self._most * 3 // 4 and _reason(each[0]) == reason:
                    self._weight -= weight(each[0])
                    self.dropped[reason] += 1
                else:
                    kept.append(each)
            self._kept = kept


def _reason(turn: Turn) -> str:
    if turn.kind in _TOOL_KINDS:
        return "dropped-tool-turns"
    return "dropped-user-turns" if turn.role == "user" else "dropped-agent-turns"


def weight(turn: Turn) -> int:
    return TURN_WEIGHT + _weight([turn.text]) + 4 * sum(map(len, turn.detail.values()))


def _weight(texts: list[str]) -> int:
    """Bytes of memory, roughly: beyond ASCII a character takes up to four."""
    if all(map(str.isascii, texts)):
        return sum(map(len, texts))
    return sum(len(text) if text.isascii() else 4 * len(text) for text in texts)
