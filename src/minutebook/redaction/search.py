"""All the secrets of a text, however they are written."""

from __future__ import annotations

from bisect import bisect_right

from minutebook.ground.lazy import lazy
from minutebook.redaction.finding import CROWDED, Effort, Finding
from minutebook.redaction.hidden import odd, unseen
from minutebook.redaction.literals import all_places
from minutebook.redaction.look import Look
from minutebook.redaction.numbers import numbers
from minutebook.redaction.packed import packed
from minutebook.redaction.readings import joined, placed
from minutebook.redaction.rules import RULES
from minutebook.redaction.scan import LITERALS, scan
from minutebook.redaction.spelled import SIGNS, spelled
from minutebook.redaction.windows import windows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SHORTEST = 8
"""Characters of a text; a shorter one holds no secret."""
_DEPTH = 2
_SOUGHT = (*LITERALS, *SIGNS)
_DONE = lazy(r"\[redacted:[a-z0-9-]{1,40}:[0-9]{1,9}\]|\[SCRUBBED\]")
_RANK = {kind: number for number, kind in reversed(list(enumerate(rule.kind for rule in RULES)))} | {CROWDED: -1}


def find_secrets(text: str) -> list[Finding]:
    """The secrets in a text, sorted, without overlaps. What is redacted already is no secret."""
    found = _all(text, _DEPTH) if len(text) >= SHORTEST else []
    return _apart(found, text) if found else []


def _all(text: str, depth: int) -> list[Finding]:
    """What is found in a text, in no order, and in what is read in place of stretches of it, which may be spelled in
    another way again, up to some depth."""
    look = Look(text)
    look.known = all_places(_SOUGHT, look.lower)
    effort = Effort(len(text))
    found = [*scan(look, effort), *numbers(look, effort)]
    if depth:
        hidden, wide = odd(text)
        readings = [*unseen(look, hidden), *spelled(look, wide), *packed(look)]
        if readings:
            found += placed(readings, _all(joined(readings), depth - 1))
    return found


def find_near(text: str, spans: Iterable[tuple[int, int]], reach: int) -> list[Finding]:
    """The secrets that stand near one of these spans, which are in order: in a text of which the rest was searched."""
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
