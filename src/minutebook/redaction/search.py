"""All the secrets of a text, however they are written."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from minutebook.ground.lazy import lazy
from minutebook.redaction.finding import CROWDED, Effort, Finding
from minutebook.redaction.hints import emphasised, shape_of, spelled_otherwise
from minutebook.redaction.literals import LEAST, all_places
from minutebook.redaction.look import Look
from minutebook.redaction.rules import RULES
from minutebook.redaction.scan import LITERALS, scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from minutebook.redaction.readings import Packed, Reading

SHORTEST = 8
"""Characters of a text; a shorter one holds no secret."""
_DEPTH = 2
_AT_ONCE = 1 << 18
_DONE = lazy(r"\[redacted:[a-z0-9-]{1,40}:[0-9]{1,9}\]|\[SCRUBBED\]")
_RANK = {kind: number for number, kind in reversed(list(enumerate(rule.kind for rule in RULES)))} | {CROWDED: -1}


def find_secrets(text: str) -> list[Finding]:
    """The secrets in a text, sorted, without overlaps. What is redacted already is no secret."""
    found = _all(text, _DEPTH, Effort(len(text))) if len(text) >= SHORTEST else []
    return _apart(found, text) if found else []


def _all(text: str, depth: int, effort: Effort) -> list[Finding]:
    """What is found in a text, in no order, and in what is read in place of stretches of it, which may be spelled in
    another way again, up to some depth."""
    look = Look(text)
    if len(text) >= LEAST:
        look.known = all_places(_sought(), look.lower)
    found = scan(look, effort)
    if shape := shape_of(look.plain):
        from minutebook.redaction.numbers import numbers

        found += numbers(look, shape, effort)
    if depth:
        for readings in _some(_readings(look, [*found])):
            found += _read(readings, depth - 1, effort.further)
    return found


def _read(readings: list[Reading | Packed], depth: int, effort: Effort) -> Iterable[Finding]:
    """What is found in readings. Where they are more than of any text that people write, all of them is."""
    from minutebook.redaction.readings import joined, placed

    text = joined(readings)
    effort.unread -= len(text)
    return placed(readings, _all(text, depth, effort)) if effort.unread >= 0 else [each.unread() for each in readings]


def _some(readings: Iterable[Reading | Packed]) -> Iterator[list[Reading | Packed]]:
    """As many at a time as make a text of some size: not all of them are held at once."""
    some: list[Reading | Packed] = []
    size = 0
    for each in readings:
        some.append(each)
        size += len(each.text)
        if size >= _AT_ONCE:
            yield some
            some, size = [], 0
    if some:
        yield some


def _readings(look: Look, found: list[Finding]) -> Iterator[Reading | Packed]:
    """What is to be read otherwise, beside what was found. What finds it is loaded where there may be something: a hook
    pays for imports."""
    wide: list[tuple[int, int]] = []
    if not look.text.isascii() or emphasised(look):
        from minutebook.redaction.hidden import odd, unseen

        hidden, wide = odd(look.text)
        yield from unseen(look, hidden)
    if wide or spelled_otherwise(look.lower):
        from minutebook.redaction.spelled import spelled

        yield from spelled(look, wide, found)
    if look.packed:
        from minutebook.redaction.packed import packed

        yield from packed(look)


@lru_cache(maxsize=1)
def _sought() -> tuple[bytes, ...]:
    """What is looked for all at once in a long text."""
    from minutebook.redaction.spelled import SIGNS

    return (*LITERALS, *SIGNS)


def find_near(text: str, spans: Iterable[tuple[int, int]], reach: int) -> list[Finding]:
    """The secrets that stand near one of these spans, which are in order: in a text of which the rest was searched."""
    from minutebook.redaction.windows import windows

    found: list[Finding] = []
    for each in windows(text, spans, reach):
        part = find_secrets(text[each.start : each.end])
        moved = (Finding(one.start + each.start, one.end + each.start, one.kind) for one in part)
        found += filter(each.concerns, moved)
    return found


def _place(finding: Finding) -> tuple[int, int]:
    return finding.start, finding.end


def _apart(found: list[Finding], text: str) -> list[Finding]:
    """Overlapping findings become one over the whole of both (half a secret left is a secret lost), named by the
    earlier rule; what touches an earlier redaction is dropped, but for a stretch that holds it."""
    done = [match.span() for match in _DONE.finditer(text)]
    starts = [start for start, _ in done]
    kept: list[Finding] = []
    for finding in sorted(found, key=_place):
        before = bisect_right(starts, finding.end - 1) - 1
        if before >= 0 and done[before][1] > finding.start and finding.kind != CROWDED:
            continue
        if kept and finding.start < kept[-1].end:
            last = kept.pop()
            kind = min(last.kind, finding.kind, key=lambda kind: _RANK.get(kind, len(RULES)))
            kept.append(Finding(last.start, max(last.end, finding.end), kind))
        else:
            kept.append(finding)
    return kept
