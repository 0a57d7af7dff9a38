"""The headings of a log that looks as most do, found fast: a hook looks at ten thousand of them."""

from __future__ import annotations

import re
from functools import cache

from minutebook.ground.blocks import first_sign, has_blocks
from minutebook.ground.log_lines import entry_heading
from minutebook.ground.markdown import heading_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_ID = 128
_LONGEST_LINE = 1000


def plain_entries(text: str, start: int, prefix: str) -> tuple[list[str], list[int]] | None:
    """The ids of the entries from `start` on, and where each starts, in a log in which, from the first entry on, every
    heading opens one, all of one level; None for another, or where that isn't plain to see."""
    if has_blocks(text):
        return None
    signs = list(_later().finditer(text, start))
    first = first_sign().match(text, start)
    if first is not None and first[1] and entry_heading(heading_of(text, start, first), prefix):
        return None
    at = 0
    for sign in signs:
        if sign[2]:
            break
        again = first_sign().match(text, sign.start() + 1)
        if again is None or entry_heading(heading_of(text, sign.start() + 1, again), prefix):
            return None
        at += 1
    rest = signs[at:]
    names = [sign[2] for sign in rest]
    levels = {sign.end(1) - sign.start(1) for sign in rest}
    if len(levels) > 1 or not all(names) or not all(_are_ids(names, prefix.lower())):
        return None
    if any(sign.end() - sign.start() > _LONGEST_LINE for sign in rest):
        return None
    return names, [sign.start() + 1 for sign in rest]


def _are_ids(names: list[str], known: str) -> Iterator[bool]:
    for name in names:
        yield len(name) <= _LONGEST_ID and (
            (bool(known) and name.lower().startswith(known)) or any(map(str.isdigit, name))
        )


@cache
def _later() -> re.Pattern[str]:
    """The line end before a heading, and the heading; the second group is an id where a sign and a title stand behind
    it, as `entry_heading` reads them."""
    plain = r"[ \t]{1,4}([A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)+) (?:[—–:-]) [^\s#][^\n#]*(?=\n|\Z)"
    return re.compile(rf"\n {{0,3}}(#{{1,6}})(?:{plain}|[ \t]|(?=\r?(?:\n|\Z)))")
