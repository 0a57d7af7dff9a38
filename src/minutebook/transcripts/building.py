"""A JSON value built from a parser's events, within bounds."""

from typing import Any

from minutebook.transcripts.lines import PARTS_MOST

TEXT_MOST = 16 * 2**20
"""Characters of all the strings of one value that are kept."""
DEEPEST = 100
KEY_MOST = 1000
STARTS, ENDS = frozenset(("start_map", "start_array")), frozenset(("end_map", "end_array"))
"""Events, by the names that ijson gives them."""


class Building:
    """One value while it is built, within bounds; `lacks` says why something of it isn't there."""

    __slots__ = ("_characters", "_keys", "_open", "_parts", "_passing", "lacks", "whole")

    def __init__(self) -> None:
        self._open: list[Any] = []
        self._keys: list[str] = []
        self._passing, self._characters, self._parts = 0, TEXT_MOST, PARTS_MOST
        self.lacks: set[str] = set()
        self.whole: Any = None

    def take(self, event: str, value: Any) -> bool:
        """Whether the value is whole with this event."""
        if self._passing:
            self._passing += (event in STARTS) - (event in ENDS)
        elif event == "map_key":
            self._keys[-1] = value[:KEY_MOST]
        elif event in ENDS:
            self._open.pop()
            self._keys.pop()
        elif event in STARTS:
            self._begin({} if event == "start_map" else [])
        elif isinstance(value, str):
            self._put(self._within(value))
        else:
            self._put(value if value is None or isinstance(value, bool | int) else float(value))
        return not self._open

    def half(self) -> Any:
        """What there is of it so far."""
        return self._open[0] if self._open else self.whole

    def passed(self) -> int:
        """Parts that were left out for being too many, or how deep it goes below what is kept."""
        return max(self._passing, -self._parts)

    def _begin(self, made: Any) -> None:
        if len(self._open) >= DEEPEST or self._parts <= 0:
            self.lacks.add("too-deep" if self._parts > 0 else "too-many-parts")
            self._put(None)
            self._passing = 1
            return
        self._put(made)
        self._open.append(made)
        self._keys.append("")

    def _put(self, value: Any) -> None:
        self._parts -= 1
        if not self._open:
            self.whole = value
        elif self._parts <= 0:
            self.lacks.add("too-many-parts")
        elif isinstance(self._open[-1], dict):
            self._open[-1][self._keys[-1]] = value
        else:
            self._open[-1].append(value)

    def _within(self, text: str) -> str:
        self._characters -= len(text)
        if self._characters >= 0:
            return text
        self.lacks.add("too-long")
        return ""
