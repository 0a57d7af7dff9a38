"""Paths of a text that lie elsewhere now, put right where the text speaks of today, each in the form that it was named
in."""

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from posixpath import normpath, relpath
from typing import Any

from minutebook.ground import front_matter
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import read_lines, split_lines
from minutebook.ground.strict_yaml import StrictYamlError, load
from minutebook.refresh.fate import Fate
from minutebook.refresh.findings import Signal
from minutebook.refresh.view import View

Spans = Sequence[tuple[int, int]]
_ALL = 1 << 30
_APART = re.compile(r"[.;!?](?=[\s)*_\"'”]|$)|\n(?=[ \t]*(?:\n|[-*+|>][ \t]|[0-9]{1,3}[.)][ \t]|#))")
"""Where a sentence ends: at its sign, and before an empty line, an item, a row of a table, a quotation, a heading."""
_PAST = re.compile(
    r"(?i)\b(?:"
    r"(?:was|were|had|lay|lived|sat|stood|resided|belonged)(?:\s+\w+){0,3}\s+"
    r"(?:in|at|from|under|beneath|inside|within|to|by|as|called|named)"
    r"|(?:(?:re)?named|moved|split|extracted|copied|ported|migrated|taken|came)(?:\s+\w+){0,4}\s+(?:from|out\s+of)"
    r"|formerly|previously|originally|historically|until|till|used\s+to|no\s+longer|not\s+any\s?more|in\s+the\s+past"
    r"|before(?=\s*(?:[.,;:!?)]|\Z|[0-9]|v[0-9]|that\b|then\b|the\s+(?:move|rename|split|rewrite|refactor\w*|release)\b)"
    r"|[^\S\n]*\n[^\S\n]*(?:\n|[-*+|>#]))"
    r")(?!\w)"
)
"""That a sentence tells how it was: a path in it is true of then."""
_LINES = r"#L[0-9]{1,7}(?:-L?[0-9]{1,7})?(?![\w-])|:[0-9]{1,7}(?:[-:][0-9]{1,7})?(?!\w)"
_COMMENT = re.compile(r"<!--.*?(?:-->|$)")
_YAML_COMMENT = re.compile(r"(?:^|\s)#")


@frozen
class Move:
    """A thing that is named `named` lies at `target` now, from the top, and lay at `place` ("" for a folder). The
    first `kept` of its lines are as they were."""

    named: str
    target: str
    place: str = ""
    kept: int = 0

    def named_from(self, home: str) -> str:
        """The new place as it was named before: from the top, or from the folder of the entry's file."""
        own = normpath(self.named) != self.place if self.place else self.named.startswith("../")
        return relpath(f"/{self.target}", f"/{home}") if own else self.target


def move_of(fate: Fate, then: View, now: View | None) -> tuple[str, str, str, int] | None:
    """What a signal keeps of a fate that is a move: the fields of a `Move`."""
    if fate.kind != "moved":
        return None
    return fate.reference.text, fate.target, fate.went, _lines_kept(fate, then, now) if fate.went and now else 0


def _lines_kept(fate: Fate, then: View, now: View) -> int:
    """How many lines at the head of the file are as they were."""
    if then.tree.blob(fate.went) == now.tree.blob(fate.target):
        return _ALL
    pairs = zip(then.text(fate.went).split("\n"), now.text(fate.target).split("\n"), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def moves_of(signals: Iterable[Signal]) -> dict[str, Move]:
    """From a path as it is named to where it lies now."""
    return {each.moved[0]: Move(*each.moved) for each in signals if each.moved is not None}


def with_moves(text: str, moves: Mapping[str, Move], home: str = "") -> str:
    """The text with the new paths, in lines that speak for themselves (no quotation, no example, no comment) and in
    sentences that don't tell how it was. `home` is the folder of its file. The number of a line that is another one
    now is left out."""
    if not moves:
        return text
    pattern, past, rows, at = _pattern(moves), _told_as_past(text), [], 0
    for row in read_lines(text):
        speaks = row.live and not row.text.lstrip().startswith(">")
        rows.append(_mended(row.text, at, past, pattern, moves, home) if speaks else row.text)
        at += len(row.text)
    return "".join(rows)


def moved_below(text: str, moves: Mapping[str, Move], home: str = "") -> str:
    """The file's text with the new paths beneath its front matter; that is written by fields."""
    found = front_matter.bounds(text)
    return text if found is None else text[: found[2]] + with_moves(text[found[2] :], moves, home)


def with_field(text: str, name: str, value: Any, moves: Mapping[str, Move], home: str = "") -> str:
    """The file's text with the field set to `value`, which is what these moves make of it: comments, quotes and line
    ends of the field stay where that can be done, else it is written anew. Raises StrictYamlError when the front matter
    can't be read."""
    found = front_matter.bounds(text)
    if found is None:
        return front_matter.set_fields(text, {name: value})
    yaml, pattern = text[found[0] : found[1]], _pattern(moves)
    rows = [
        _field_row(row, pattern, moves, home) if inside else row for row, inside in _rows_of(split_lines(yaml), name)
    ]
    mended = "".join(rows)
    if _value_in(mended, name) == value:
        return text[: found[0]] + mended + text[found[1] :]
    return front_matter.set_fields(text, {name: value})


def with_moved(anchor: str, moves: Mapping[str, Move], home: str = "") -> str:
    """An anchor in its new place."""
    return _pattern(moves).sub(lambda match: _place(match, moves, home), anchor)


def _pattern(moves: Mapping[str, Move]) -> re.Pattern[str]:
    """A whole path of these, with the number of a line behind it: what goes on beneath it is another path."""
    longest = "|".join(map(re.escape, sorted(moves, key=len, reverse=True)))
    return re.compile(rf"(?<![\w./@-])(?:\./)?({longest})({_LINES})?(?![\w-]|\.\w|/[\w.*?@+\[-])")


def _mended(row: str, at: int, past: Spans, pattern: re.Pattern[str], moves: Mapping[str, Move], home: str) -> str:
    """The row, which starts at `at` in its text; what lies in one of the spans stays."""
    asides = [match.span() for match in _COMMENT.finditer(row)] if "<!--" in row else []

    def mended(match: re.Match[str]) -> str:
        stays = _lies_in(past, at + match.start()) or _lies_in(asides, match.start())
        return match[0] if stays else _place(match, moves, home)

    return pattern.sub(mended, row)


def _lies_in(spans: Spans, at: int) -> bool:
    before = bisect_right(spans, (at, sys.maxsize))
    return before > 0 and at < spans[before - 1][1]


def _place(match: re.Match[str], moves: Mapping[str, Move], home: str) -> str:
    move, line = moves[match[1]], match[2] or ""
    numbers = re.findall(r"[0-9]+", line.rpartition(":")[0] if line.count(":") > 1 else line)
    return move.named_from(home) + (line if all(int(each) <= move.kept for each in numbers) else "")


def _told_as_past(text: str) -> list[tuple[int, int]]:
    """Where the sentences lie that tell how it was, in their order."""
    cues = list(_PAST.finditer(text))
    if not cues:
        return []
    ends = [0, *(match.end() for match in _APART.finditer(text)), len(text)]
    found = ((ends[bisect_right(ends, cue.start()) - 1], ends[bisect_left(ends, cue.end())]) for cue in cues)
    return list(dict.fromkeys(found))


def _rows_of(rows: list[str], name: str) -> Iterator[tuple[str, bool]]:
    """Each row of the front matter, and whether it belongs to the field."""
    inside = False
    for row in rows:
        if row[:1] not in (" ", "\t", "-", "#", "\n", "\r"):
            inside = row.startswith(f"{name}:")
        yield row, inside


def _field_row(row: str, pattern: re.Pattern[str], moves: Mapping[str, Move], home: str) -> str:
    comment = _YAML_COMMENT.search(row)
    end = comment.start() if comment else len(row)
    return pattern.sub(lambda match: _place(match, moves, home), row[:end]) + row[end:]


def _value_in(yaml: str, name: str) -> Any:
    """What the front matter says of the field; None where it can't be read."""
    try:
        value = load(yaml, first_line=2).value
    except StrictYamlError:
        return None
    return value.get(name) if isinstance(value, dict) else None
