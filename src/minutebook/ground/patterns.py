"""Regular expressions of schemas, matched in time linear in the text: no backtracking, so none without end.

Read is what JSON Schema recommends (core, section 6.4): characters, classes, repeats, groups, alternatives, `^` and
`$`; and Python's `\\d`, `\\w` and `\\s`. Method: Thompson's construction, its subsets worked out as texts lead to them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from minutebook.ground.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

_LONGEST = 1000
_DEEPEST = 20
_MOST_STEPS = 2000
_MOST_WORK = 20_000
_MOST_CLASSES = 4096
_REPEAT = lazy(r"\{[0-9]*,?[0-9]{4,}|\{[0-9]{4,}")
_ENDS = lazy(r"(?<!\\)(?:\\\\)*\$\Z")
_NESTED_REPEAT = lazy(
    r"\([^()]*(?:[+*|]|\{[0-9]*,)[^()]*\)(?:[+*]|\{[0-9]*,)|\([^()]*\([^()]*\)[^()]*\)(?:[+*]|\{[0-9]*,)"
)
# `(-[a-z0-9]+)*`, as slugs have it: each round starts with what no round holds, so there is one way to read a text.
_SEPARATED = lazy(r"\((?:\?:)?(?:[-_/:, ]|\\[.-])\[(?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9])+\][+*]\)[+*]")
_MATCHED, _DEAD, _START = 0, 1, 2
_AT_START = frozenset({"AT_BEGINNING", "AT_BEGINNING_STRING"})
_AT_END = frozenset({"AT_END", "AT_END_STRING"})
_CATEGORIES = {"DIGIT": 1, "WORD": 2, "SPACE": 4}
_KINDS = (0, 2, 3, 4)
"""What a character may be of these three at once: none, a letter, a digit (which is a letter too), a blank."""


OURS = frozenset(
    {
        r"^archive/ledgers/[A-Za-z0-9_][A-Za-z0-9._-]*\.jsonl$",
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([T ][0-9:.+Zz-]+)?$",
        "^[0-9a-f]{64}$",
        "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$",
        "^[a-z][a-z0-9_-]{0,39}$",
    }
)
"""The patterns of the built-in types: `re` takes no longer for them than for the text, and is made faster."""


class _Unread(Exception):
    """The pattern is none that we match."""


def finder(pattern: str) -> Callable[[str], bool]:
    """Tells whether the pattern is found in a text; `$` is its end, never the place before a last line end.

    Patterns that `fault` has a word against are left to `re`: ours only, since a type file with one is refused.
    """
    if pattern in OURS:
        compiled = re.compile(pattern[:-1] + r"\Z")
        return lambda text: compiled.match(text) is not None
    automaton = _read(pattern)
    if automaton is not None:
        return automaton.found_in
    expression = re.compile(pattern[:-1] + r"\Z" if _ENDS.search(pattern) else pattern)
    return lambda text: expression.search(text) is not None


def fault(pattern: str) -> str:
    """Why a pattern that somebody wrote can't be used, or ""."""
    import warnings

    if len(pattern) > _LONGEST or pattern.count("(") > _DEEPEST or _REPEAT.search(pattern):
        return f"{pattern[:80]!r} is too long, or repeats too often; matching it can take for ever"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(pattern)
    except (re.error, FutureWarning):
        return f"{pattern!r} is not a 'regex'"
    if _NESTED_REPEAT.search(_SEPARATED.sub("", pattern)):
        return f"{pattern!r} repeats a repetition; that can take for ever"
    automaton = _read(pattern)
    if automaton is None:
        return f"{pattern!r} holds more than classes, repeats, groups, `|`, `^` and `$`; that can take for ever"
    return "" if automaton.is_small() else f"{pattern!r} is too ambiguous; matching it can take for ever"


@lru_cache(maxsize=256)
def _read(pattern: str) -> Automaton | None:
    try:
        return Automaton(pattern)
    except _Unread:
        return None


class Automaton:
    """A pattern as a machine that reads a text once. States are sets of steps; `rows` lead from a class of
    characters to the next state, and grow as texts are read."""

    def __init__(self, pattern: str) -> None:
        from re import _parser  # type: ignore[attr-defined]

        parsed = _parser.parse(pattern)
        if parsed.state.flags != re.UNICODE.value:
            raise _Unread
        self.spent = 0
        self.steps: list[tuple[str, Any, tuple[int, ...]]] = [("done", None, ())]
        self.cuts = {0}
        self.by_kind = False
        self.entry = self._sequence(parsed, 0)
        self.bounds = sorted(self.cuts)
        self.classes: dict[str, tuple[int, int]] = {}
        first = self._closed([self.entry], start=True)
        self.sets: list[frozenset[int]] = [frozenset({0}), frozenset(), first]
        self.numbers = {self.sets[_MATCHED]: _MATCHED, self.sets[_DEAD]: _DEAD}
        self.rows: list[dict[tuple[int, int], int]] = [{}, {}, {}]
        self.ends: dict[int, bool] = {}

    def found_in(self, text: str) -> bool:
        """Whether the pattern is found anywhere in the text."""
        state, rows, classes = _START, self.rows, self.classes
        if 0 in self.sets[_START]:
            return True
        for character in text:
            kind = classes.get(character) or self._class(character)
            following = rows[state].get(kind)
            state = self._follow(state, kind) if following is None else following
            if state <= _DEAD:
                return state == _MATCHED
        if state not in self.ends:
            self.ends[state] = 0 in self._closed(self.sets[state], end=True)
        return self.ends[state] if text else 0 in self._closed([self.entry], start=True, end=True)

    def is_small(self) -> bool:
        """Whether all its states can be worked out at little cost."""
        work, state = 0, _START
        while state < len(self.sets):
            for interval in range(len(self.bounds)):
                for kind in _KINDS if self.by_kind else (0,):
                    self._follow(state, (interval, kind))
                    work += 1 + len(self.sets[state])
                    if work > _MOST_WORK:
                        return False
            state += 1
        return True

    def _class(self, character: str) -> tuple[int, int]:
        kind = 0
        if self.by_kind:
            word = character.isalnum() or character == "_"
            kind = 3 if character.isdecimal() else 2 if word else 4 if character.isspace() else 0
        if len(self.classes) > _MOST_CLASSES:
            self.classes.clear()
        found = self.classes[character] = (bisect_right(self.bounds, ord(character)) - 1, kind)
        return found

    def _follow(self, state: int, kind: tuple[int, int]) -> int:
        code = self.bounds[kind[0]]
        steps = (self.steps[number] for number in self.sets[state])
        reached = [step[2][0] for step in steps if step[0] == "one" and _holds(step[1], code, kind[1])]
        found = self._closed([*reached, self.entry])
        if 0 in found:
            found = self.sets[_MATCHED]
        if found not in self.numbers:
            self.numbers[found] = len(self.sets)
            self.sets.append(found)
            self.rows.append({})
        self.rows[state][kind] = self.numbers[found]
        return self.numbers[found]

    def _closed(self, numbers: Iterable[int], *, start: bool = False, end: bool = False) -> frozenset[int]:
        """The steps that are reached without reading a character."""
        seen: set[int] = set()
        waiting = list(numbers)
        while waiting:
            number = waiting.pop()
            if number in seen:
                continue
            seen.add(number)
            name, _, following = self.steps[number]
            if name == "split" or (name == "start" and start) or (name == "end" and end):
                waiting += following
        return frozenset(number for number in seen if self.steps[number][0] in ("one", "end", "done"))

    def _add(self, name: str, argument: Any, *following: int) -> int:
        self._spend()
        self.steps.append((name, argument, following))
        return len(self.steps) - 1

    def _spend(self) -> None:
        self.spent += 1
        if self.spent > _MOST_STEPS:
            raise _Unread

    def _sequence(self, items: Sequence[Any], after: int) -> int:
        for operation, argument in reversed(items):
            after = self._item(str(operation), argument, after)
        return after

    def _item(self, operation: str, argument: Any, after: int) -> int:
        match operation:
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                return self._add("one", self._characters(operation, argument), after)
            case "BRANCH":
                return self._add("split", None, *(self._sequence(branch, after) for branch in argument[1]))
            case "SUBPATTERN" if not argument[1] and not argument[2]:
                return self._sequence(argument[3], after)
            case "MAX_REPEAT" | "MIN_REPEAT":
                return self._repeat(argument[0], argument[1], argument[2], after)
            case "AT" if str(argument) in _AT_START:
                return self._add("start", None, after)
            case "AT" if str(argument) in _AT_END:
                return self._add("end", None, after)
        raise _Unread

    def _repeat(self, least: int, most: Any, items: Sequence[Any], after: int) -> int:
        if str(most) == "MAXREPEAT":
            loop = self._add("split", None, after)
            self.steps[loop] = ("split", None, (self._sequence(items, loop), after))
            state = loop
        else:
            state = after
            for _ in range(most - least):
                state = self._add("split", None, self._sequence(items, state), after)
        for _ in range(least):
            self._spend()
            state = self._sequence(items, state)
        return state

    def _characters(self, operation: str, argument: Any) -> tuple[bool, tuple[tuple[int, int], ...], tuple[Any, ...]]:
        """(whether it is all but these, ranges, kinds as (bit, whether it is all but it))."""
        items: Any = argument if operation == "IN" else [("LITERAL", 10 if argument is None else argument)]
        negated = operation in ("NOT_LITERAL", "ANY")
        ranges: list[tuple[int, int]] = []
        kinds: list[tuple[int, bool]] = []
        for name, value in items:
            self._spend()
            if str(name) == "NEGATE":
                negated = True
            elif str(name) == "CATEGORY":
                words = str(value).removeprefix("CATEGORY_")
                kinds.append((_CATEGORIES[words.removeprefix("NOT_")], words.startswith("NOT_")))
                self.by_kind = True
            else:
                low, high = (value, value) if str(name) == "LITERAL" else value
                ranges.append((low, high))
        for low, high in ranges:
            self.cuts |= {low, high + 1}
        return negated, tuple(ranges), tuple(kinds)


def _holds(characters: tuple[bool, tuple[tuple[int, int], ...], tuple[Any, ...]], code: int, kind: int) -> bool:
    negated, ranges, kinds = characters
    inside = any(low <= code <= high for low, high in ranges)
    return (inside or any(bool(kind & bit) != but for bit, but in kinds)) != negated
