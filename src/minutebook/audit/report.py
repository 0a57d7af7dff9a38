"""How what was broken looks: as text for people, as a table, as JSON for scripts."""

from __future__ import annotations

from minutebook.checks.expunged import OTHER_TEXT
from minutebook.ground.nouns import counted
from minutebook.pages.report import json_text, one_line

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without the import
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from minutebook.audit.walk import Break, Broken
    from minutebook.ground.commits import Named
    from minutebook.ground.problem import Problem

_SHORT = 12
_SUBJECT = 60
_BY, _PATH = 2, 3
_FEW = 4
_LEAST, _MOST, _WORDS = 20, 40, 44
"""The table: a cell that gives way, one that doesn't, and what the path leaves to the two beside it."""
_NOT_KNOWN = "if history was rewritten to purge the text, no hash of it can be checked: judge what came after, by"
_NEXT = """\
To put one right: see what stood there (`git show COMMIT^:PATH`) and restore it in a new commit. A change of mind is a
new entry with `Supersedes: ID`; a text that must not exist goes by `minutebook expunge ID`.
"""


def commits_named(rows: Iterable[Broken]) -> tuple[str, ...]:
    """The ids of the commits that a report names."""
    ids = (
        name
        for row in rows
        for name in (*(each.commit for each in row.breaks), row.published_by, row.restored_by)
        if name
    )
    return tuple(dict.fromkeys(ids))


def audit_text(rows: Sequence[Broken], named: Mapping[str, Named]) -> str:
    """Three lines or more for each row, and what to do about those that are still broken; "" for none."""
    text = "".join(f"{line}\n" for row in rows for line in _lines(row, named))
    return text + (_NEXT if any(row.still for row in rows) else "")


def audit_table(rows: Sequence[Broken], named: Mapping[str, Named], width: int) -> str:
    """One line a row under a heading, cut to a width where that leaves something to read; "" for none."""
    if not rows:
        return ""
    cells = [("entry", "broken on", "by", "path", "what", "at HEAD")]
    for row in rows:
        first = row.breaks[0]
        by = f"{first.commit[:_SHORT]} {one_line(named[first.commit].subject)}"
        what = _what(first.problem)
        path = one_line(first.problem.path)
        entry = _cut(one_line(first.problem.entry or row.rule), _MOST)
        cells.append((entry, named[first.commit].day, by, path, what, _at_head(row)))
    widths = _widths([max(len(row[at]) for row in cells) for at in range(len(cells[0]))], width)
    lines = ("  ".join(_fitted(row, widths)).rstrip() for row in cells)
    return "".join(f"{line}\n" for line in lines)


def _widths(needed: list[int], most: int) -> list[int]:
    """What each column gets of a line; those in the middle give way, down to what can still be read."""
    entry, day, by, path, what, at_head = needed
    left = most - entry - day - at_head - 2 * (len(needed) - 1)
    path = min(path, max(_LEAST, left - _WORDS))
    by = min(by, max(_SHORT, min((left - path) // 2, left - path - _LEAST)))
    return [entry, day, by, path, min(what, max(_LEAST, left - path - by)), at_head]


def _fitted(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    """Cells in their widths. Of a path, the end is what tells it from others; of a commit, all of its id."""
    for at, (cell, most) in enumerate(zip(row, widths, strict=True)):
        if at == _PATH and len(cell) > most:
            yield f"…{cell[1 - most :]}"
        elif at == _BY and most < _SHORT + _FEW:
            yield cell[:_SHORT].ljust(most)
        else:
            yield _cut(cell, most).ljust(most)


def _at_head(row: Broken) -> str:
    if not row.published_by:
        return "branch only"
    return "broken" if row.still else "restored"


def audit_json(rows: Sequence[Broken], named: Mapping[str, Named], head: str, commits: int, entries: int) -> str:
    """The rows with every breaking commit of each, how many commits were judged, how many entries the head holds."""
    return json_text(
        {
            "head": head,
            "commits": commits,
            "entries": entries,
            "broken": [
                {
                    "entry": row.entry,
                    "rule": row.rule,
                    "published": bool(row.published_by),
                    "published_by": row.published_by,
                    "restored_by": row.restored_by,
                    "still_broken": row.still,
                    "breaks": [_break(each, named) for each in row.breaks],
                }
                for row in rows
            ],
        }
    )


def summary(rows: Sequence[Broken], commits: int, entries: int, since: str | None) -> str:
    """What was judged and what came of it, in one sentence."""
    judged = f"judged {counted(commits, 'commit')}, {counted(entries, 'entry')} at HEAD"
    if not rows:
        broken = "ever broken" if since is None else f"broken since {one_line(since)}"
        return f"{judged}: nothing published was {broken}"
    published = [row for row in rows if row.published_by]
    still = sum(row.still for row in published)
    parts = [f"{counted(len(published), 'promise')} broken, {still} still broken at HEAD"] if published else []
    beside = len(rows) - len(published)
    parts += [f"{beside} broken on a branch alone, never published"] if beside else []
    return f"{judged}: {'; '.join(parts)}"


def _lines(row: Broken, named: Mapping[str, Named]) -> list[str]:
    first = row.breaks[0]
    problem = first.problem
    place = f"{problem.path}:{problem.line}" if problem.line else problem.path
    about = problem.entry or problem.path
    out = [f"{one_line(about)}: {row.rule}: {_what(problem)}"]
    out.append(f"    first broken by {_commit(first.commit, named)}, in {one_line(place)}")
    if row.published_by and row.published_by != first.commit:
        out.append(f"    published by {_commit(row.published_by, named)}")
    more = len(dict.fromkeys(each.commit for each in row.breaks)) - 1
    if more:
        last = row.breaks[-1].commit
        out.append(f"    and by {counted(more, 'more commit')}, the last one {_commit(last, named)}")
    if row.restored_by:
        out.append(f"    restored by {_commit(row.restored_by, named)}")
    out.append(f"    {_standing(row)}")
    if problem.message.endswith(OTHER_TEXT):
        out.append(f"    {_NOT_KNOWN} `minutebook audit --since {first.commit[:_SHORT]}`")
    return out


def _what(problem: Problem) -> str:
    """The message without the id, which stands before it."""
    name = one_line(problem.entry)
    text = one_line(problem.message)
    for start in (f"{name} is sealed: ", f"{name}: ", f"{name} ") if name else ():
        if text.startswith(start):
            return text.removeprefix(start)
    return text


def _standing(row: Broken) -> str:
    if not row.published_by:
        return "on a branch, never published"
    return "still broken at HEAD" if row.still else "restored at HEAD"


def _commit(commit: str, named: Mapping[str, Named]) -> str:
    known = named[commit]
    return f"{commit[:_SHORT]} of {known.day} ({_cut(one_line(known.subject))})"


def _cut(text: str, most: int = _SUBJECT) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _break(each: Break, named: Mapping[str, Named]) -> dict[str, object]:
    problem, known = each.problem, named[each.commit]
    return {
        "commit": each.commit,
        "date": known.day,
        "subject": known.subject,
        "base": each.base,
        "published": each.published,
        "path": problem.path,
        "line": problem.line,
        "message": problem.message,
    }
