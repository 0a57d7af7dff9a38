"""Fences, comments and the items of lists that they may stand in: what is open while Markdown is read line by line."""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Row = tuple[str, bool, re.Match[str] | None]

_HASHES = r"(#{1,6})(?:[ \t]([^\n]*)|(?=\r?(?:\n|\Z)))"
HEADING = f" {{0,3}}{_HASHES}"
_PLAIN = f" {{0,3}}(?:{_HASHES}|(`{{3,}}|~{{3,}})([^\n]*)|<!--)"
_MARKERS = r"[ \t]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t]+)*"
_SIGN = rf"(?:{_PLAIN}|({_MARKERS}(?:```|~~~|<!--)))"
"""A heading, or what opens or closes a block that is none of Markdown; the last group is one in a list item, maybe."""
_SIGNS = frozenset("`~<# \t-+*0123456789")
_MARKS = frozenset("-+*0123456789")
_BULLETS = frozenset("-+*")
_AFTER_BULLETS = frozenset(["", *"`~<-+*0123456789 \t\r\n"])
_INDENTED_SIGNS = frozenset("`~ \t")
_DEEPEST = 100


class Blocks:
    """What is open while lines are read: items of lists, by the columns that their text starts at; a fence, or a
    comment. `opened` counts the fences and comments."""

    def __init__(self) -> None:
        self.items: list[int] = []
        self.fence = ""
        self.comment = False
        self.opened = 0

    def rows(self, lines: Iterable[str]) -> Iterator[Row]:
        """Each line, whether it is live, and the heading in it."""
        sign_of = first_sign().match
        for line in lines:
            first, inside = line[0], bool(self.fence or self.comment)
            if not inside and (first not in _SIGNS or (first in _BULLETS and line[1:2].strip())):
                if self.items and line.strip("\r\n"):
                    self.items.clear()
                yield line, True, None
            elif not inside and first in _BULLETS and line[2:3] not in _AFTER_BULLETS and line[1] == " ":
                self.items[:] = (2,)
                yield line, True, None
            elif not inside and first == "#":
                self.items.clear()
                yield line, True, sign if (sign := sign_of(line)) is not None and sign[1] else None
            elif inside and not self.items and self.fence and first not in _INDENTED_SIGNS:
                yield line, False, None
            elif not line.strip(" \t\r\n"):
                yield line, not inside, None
            else:
                shown = line.expandtabs(4) if "\t" in line else line
                indent = len(shown) - len(shown.lstrip(" "))
                self._leave(indent)
                if self.fence or self.comment:  # leaving an item ended what was open in it
                    self._close(shown, indent)
                    yield line, False, None
                elif (sign := sign_of(line)) is not None and sign[1]:
                    yield line, True, sign
                else:
                    yield line, not self._open(shown, indent), None

    def _leave(self, indent: int) -> None:
        while self.items and indent < self.items[-1]:
            self.items.pop()
            self.fence, self.comment = "", False

    def _close(self, shown: str, indent: int) -> None:
        if self.comment:
            self.comment = "-->" not in shown
        elif indent - self._column() < 4:
            sign = first_sign().match(shown, indent)
            self.fence = "" if sign and closes(sign, self.fence) else self.fence

    def _open(self, shown: str, at: int) -> bool:
        """Opens what the line opens; whether that is a fence or a comment."""
        if shown[at] in _MARKS:
            at = self._enter(shown, at)
        sign = first_sign().match(shown, at) if at - self._column() < 4 else None
        if sign is None:
            return False
        if sign[0] == "<!--":
            self.comment = "-->" not in shown[at:]
        elif sign[3] and opens(sign):
            self.fence = sign[3]
        else:
            return False
        self.opened += 1
        return True

    def _enter(self, shown: str, at: int) -> int:
        """Opens the items of lists whose markers stand at `at`; where the text behind them starts."""
        end = len(shown.rstrip("\r\n "))
        ruled = _rule_start(shown[:end])
        while at < ruled and at - self._column() < 4 and len(self.items) < _DEEPEST:
            marker = _marker().match(shown, at)
            if marker is None:
                break
            space = marker.end() - marker.end(1)
            code = marker.end() >= end or space > 4
            at = marker.end(1) + (1 if code else space)
            self.items.append(at)
            if code:
                return marker.end()
        return at

    def _column(self) -> int:
        return self.items[-1] if self.items else 0


def _rule_start(line: str) -> int:
    """Where the horizontal rule starts that the line ends with; behind its end where there is none."""
    mark = line[-1]
    start = len(line.rstrip(f"{mark} "))
    return start if mark in "-*" and line.count(mark, start) > 2 else len(line)


def has_blocks(text: str) -> bool:
    """Whether there may be a fence or a comment in it: without one, headings need no more than a look at their line."""
    # One character that is seldom there is looked for far faster than three.
    return ("`" in text and "```" in text) or ("~" in text and "~~~" in text) or ("<" in text and "<!--" in text)


def opens(sign: re.Match[str]) -> bool:
    """Whether a fence may open so: backticks allow no others behind them."""
    return not (sign[3][0] == "`" and "`" in sign[4])


def closes(sign: re.Match[str], fence: str) -> bool:
    """Whether it ends a block that opened with `fence`."""
    return bool(sign[3]) and sign[3].startswith(fence) and not sign[4].strip()


@cache
def _marker() -> re.Pattern[str]:
    return re.compile(r"([-+*]|[0-9]{1,9}[.)])(?: +|(?=[\r\n]|\Z))")


@cache
def first_sign() -> re.Pattern[str]:
    return re.compile(_SIGN)


@cache
def later_signs() -> re.Pattern[str]:
    return re.compile(f"\n{_SIGN}")
