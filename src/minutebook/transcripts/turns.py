"""The turns of a session that is being read, bounded: a gigabyte of transcript fits in memory."""

from collections import Counter
from collections.abc import Callable

from minutebook.ground.frozen import replace
from minutebook.ground.session import Turn

WEIGHT_MOST = 64 * 2**20
"""What the turns of one session may weigh, in bytes of memory, roughly."""
_TURN_WEIGHT = 700
_TOOL_KINDS = ("tool-call", "tool-result")


_Kept = tuple[Turn, int, bool]
"""A turn, what it hangs on where the talk is a tree, and whether it is a spare copy."""


class Turns:
    """Numbered as they come. When they weigh too much the oldest go: of what tools were asked and answered first, then
    of what agents said, and of people's words only when nothing else is left. Numbers stay as they were."""

    def __init__(self, most: int = WEIGHT_MOST) -> None:
        self.dropped: Counter[str] = Counter()
        self._most = most
        self._kept: list[_Kept] = []
        self._number = 0
        self._weight = 0

    def number(self) -> int:
        """The number of the next turn."""
        self._number += 1
        return self._number

    def add(self, turn: Turn, branch: int, spare: bool) -> None:
        self._kept.append((turn, branch, spare))
        self._weight += weight(turn)
        if self._weight > self._most:
            self._lighten()

    def without_spare(self) -> None:
        """Forget spare copies; the others are numbered as if these had never been."""
        kept: list[_Kept] = []
        gone = 0
        for turn, branch, spare in self._kept:
            if spare:
                gone += 1
                self._weight -= weight(turn)
            else:
                kept.append((replace(turn, number=turn.number - gone), branch, False))
        self._kept = kept
        self._number -= gone

    def prune(self, stays: Callable[[int], object]) -> int:
        """Forget the branches that don't stay, and say how many turns hung on them."""
        kept = [each for each in self._kept if stays(each[1])]
        gone = len(self._kept) - len(kept)
        self._kept = kept
        return gone

    def taken(self) -> tuple[Turn, ...]:
        return tuple(turn for turn, _, _ in self._kept)

    def _lighten(self) -> None:
        """A quarter goes at once, so that a long session isn't gone over at every record."""
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
    """Bytes of memory, roughly: beyond ASCII a character takes up to four."""
    weight = _TURN_WEIGHT + (len(turn.text) if turn.text.isascii() else 4 * len(turn.text))
    return weight + 4 * sum(map(len, turn.detail.values())) if turn.detail else weight
