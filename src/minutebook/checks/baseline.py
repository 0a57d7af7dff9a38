"""Today's old debt, frozen: fingerprints of problems that were accepted, so that only new ones fail.

A fingerprint holds no line number, so it survives what shifts lines; no path of an entry that has an id of its own, so
it survives what moves it; and nothing of a secret: messages hold none. What is known by its file alone is accepted at
that path, or, once nothing lies there any more, wherever the very bytes of the file went.
"""

from __future__ import annotations

from collections import Counter

from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import as_tuple, cached, frozen
from minutebook.ground.memory import BASELINE
from minutebook.ground.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from minutebook.checks.judgement import Case

NEVER = frozenset({"append-only", "scope", "modes", "index"})
"""Rules whose problems no baseline accepts: history is kept, or it isn't; and the index is mended by one command."""
_VERSION = 2
_NAMES = ("path", "rule", "entry", "fingerprint", "content")


@frozen
class Row:
    """One accepted problem. `mark` is its fingerprint; `content`, when the file alone tells what it is about, the one
    that holds wherever the same bytes lie. `mark` is of version 1 where `old` says so."""

    path: str
    rule: str
    entry: str
    mark: str
    content: str = ""
    old: bool = False


@frozen
class Baseline:
    """The bytes of a baseline file and the case that its rows are compared with."""

    data: bytes
    case: Case

    @cached
    def rows(self) -> tuple[Row, ...]:
        """Raises CannotJudge when the file can't be read. One in the base accepts nothing then (`broken` tells of it):
        it would make every change impossible to judge, the one that mends it too."""
        try:
            return _rows(self.data)
        except CannotJudge:
            if self.case.base is None:
                raise
        return ()


@frozen
class Compared:
    """`new` is what the baseline doesn't hold, `known` what it does, `unused` the rows that no problem needs."""

    new: tuple[Problem, ...]
    known: tuple[Problem, ...]
    unused: tuple[Row, ...]


def compared(problems: Iterable[Problem], baseline: Baseline | None) -> Compared:
    """The problems against the rows, one row for one problem. Raises CannotJudge."""
    ordered = sorted(problems)
    if baseline is None:
        return Compared(tuple(ordered), (), ())
    left = {row.mark: row for row in baseline.rows}
    new: list[tuple[Problem, str]] = []
    known: list[Problem] = []
    for problem, row, old in _marked(ordered, baseline.case):
        mark = next((mark for mark in (row.mark, old) if mark in left and problem.rule not in NEVER), "")
        if mark:
            del left[mark]
            known.append(problem)
        else:
            new.append((problem, row.content if problem.rule not in NEVER else ""))
    # A copy of a file is another file; only one that left its place takes its debt along.
    strays: dict[str, list[str]] = {}
    for row in left.values():
        if row.content and row.path not in baseline.case.tree:
            strays.setdefault(row.content, []).append(row.mark)
    moved = [problem for problem, content in new if strays.get(content) and left.pop(strays[content].pop())]
    fresh = [problem for problem, _ in new if problem not in moved]
    return Compared(tuple(fresh), tuple(sorted([*known, *moved])), tuple(left.values()))


def without_known(problems: Iterable[Problem], baseline: Baseline | None) -> tuple[list[Problem], int]:
    """The problems that a baseline doesn't accept, and how many it does. Raises CannotJudge."""
    found = compared(problems, baseline)
    return list(found.new), len(found.known)


def unused_rows(found: Compared, case: Case) -> Iterator[Problem]:
    """A warning about the rows that accept nothing any more: what is mended should stay mended."""
    if found.unused:
        first = found.unused[0]
        about = ", ".join(part for part in (first.rule, first.entry or first.path) if part)
        more = f" and {len(found.unused) - 1} more" if len(found.unused) > 1 else ""
        message = f"what it accepts is no longer there ({about}){more}: the rows can go"
        path = case.result.outer(BASELINE)
        yield Problem(path, 0, "baseline", message, "minutebook baseline", severity="warning")


def broken(case: Case) -> Iterator[Problem]:
    """A baseline file that can't be read: an error when the change brings it, a warning when the base has it."""
    path = case.result.outer(BASELINE)
    if case.base is None:
        return
    before, after = case.base_tree.get(path), case.tree.get(path)
    old, new = (_fault(file.data) if file is not None else "" for file in (before, after))
    if new and before != after:
        yield Problem(path, 0, "baseline", new, "minutebook baseline")
    elif old:
        message = f"{old}: it accepts nothing"
        yield Problem(path, 0, "baseline", message, "minutebook baseline", severity="warning")


def _fault(data: bytes) -> str:
    try:
        _rows(data)
    except CannotJudge as error:
        return str(error)
    return ""


def baseline_bytes(problems: Iterable[Problem], case: Case) -> bytes | None:
    """The baseline file that accepts these problems of the case, or None when there is nothing to accept.

    One row a line, sorted, each with a comma, so that rows come and go in merges without touching their neighbours.
    """
    import json

    marked = _marked(sorted(problems), case)
    rows = sorted(as_tuple(row)[:-1] for problem, row, _ in marked if problem.rule not in NEVER)
    if not rows:
        return None
    lines = [json.dumps({name: part for name, part in zip(_NAMES, row, strict=True) if part}) for row in rows]
    known = "".join(f"{line},\n" for line in lines)
    return f'{{\n"version": {_VERSION},\n"known": [\n{known}null\n]\n}}\n'.encode()


def _marked(ordered: Iterable[Problem], case: Case) -> Iterator[tuple[Problem, Row, str]]:
    """(problem, the row that accepts it, its fingerprint of version 1), each counting which of the equal ones it is.

    The severity counts: what was accepted as a warning and has become an error is new.
    """
    before: Counter[tuple[str, ...]] = Counter()
    seen: Counter[tuple[str, ...]] = Counter()
    for problem in ordered:
        was = (problem.rule, problem.severity, problem.path, problem.entry, problem.message)
        said = _without_paths(problem.message, case)
        own = _has_own_id(problem, case)
        where = ("entry", problem.entry) if own else ("path", problem.path, problem.entry)
        now = (problem.rule, problem.severity, *where, said)
        content = ""
        if not own and (file := case.tree.get(problem.path)) is not None:
            content = _hash(problem.rule, problem.severity, "content", said, _hash_bytes(file.data))
        mark, old = _hash(*now, str(seen[now])), _hash(*was, str(before[was]))
        yield problem, Row(problem.path, problem.rule, problem.entry, mark, content), old
        before[was] += 1
        seen[now] += 1


def _has_own_id(problem: Problem, case: Case) -> bool:
    """Whether the entry is called so by itself: an id that is the file's name goes when the file is renamed."""
    file = case.result.files.get(problem.path)
    entries = file.entries if file is not None and problem.entry else ()
    return any(each.id == problem.entry and (each.in_log or "id" in each.fields) for each in entries)


def _without_paths(message: str, case: Case) -> str:
    import re

    root = re.escape(case.result.root)
    return re.sub(rf"(?<!\S){root}/\S+", "…", message)


def _hash(*parts: str) -> str:
    return _hash_bytes("\0".join(parts).encode("utf-8", "surrogateescape"))


def _hash_bytes(data: bytes) -> str:
    from hashlib import sha256

    return sha256(data).hexdigest()


def _rows(data: bytes) -> tuple[Row, ...]:
    import json

    try:
        document: Any = json.loads(data)
    except (ValueError, RecursionError):
        raise CannotJudge("the baseline is no JSON", "minutebook baseline") from None
    version = document.get("version") if isinstance(document, dict) else None
    known = type(version) is int and version in (1, _VERSION)
    rows = document.get("known") if isinstance(document, dict) and known else None
    if not isinstance(rows, list) or not all(isinstance(row, dict | None) for row in rows):
        raise CannotJudge("the baseline isn't one that this version wrote", "minutebook baseline")
    return tuple(_row(row, old=version == 1) for row in rows if row is not None)


def _row(row: Mapping[str, object], *, old: bool) -> Row:
    path, rule, entry, mark, content = (str(row.get(name, "")) for name in _NAMES)
    return Row(path, rule, entry, mark, "" if old else content, old)
