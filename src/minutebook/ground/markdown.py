"""The little Markdown that we read: lines, fences, comments, headings. Text is split on LF alone."""

from __future__ import annotations

import re
from functools import cache

from minutebook.ground.blocks import HEADING, Blocks, closes, first_sign, has_blocks, later_signs, opens
from minutebook.ground.frozen import frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


@frozen
class Line:
    """One line, its end included. `live` is False inside fenced blocks and HTML comments; `level` is 1 to 6 for
    a heading outside of them, else 0; `heading` is its text."""

    number: int
    text: str
    live: bool
    level: int = 0
    heading: str = ""


def split_lines(text: str) -> list[str]:
    """Lines with their LF; joined again they give `text`. U+2028 and its kin are no line ends here."""
    parts = text.split("\n")
    kept = [part + "\n" for part in parts[:-1]]
    return [*kept, parts[-1]] if parts[-1] else kept


@frozen
class Heading:
    """A heading outside of fences and comments, as `headings` finds it: its line is `text[start:end]`."""

    start: int
    end: int
    level: int
    heading: str


def read_lines(text: str, first: int = 1) -> Iterator[Line]:
    """The lines of `text`, which starts at line `first` of its file.

    As CommonMark has it, a comment block opens at the start of a line and ends with the line that holds `-->`, and a
    fence closes with at least as many of its own characters and nothing else. Both may open in an item of a list,
    behind its marker as well, and end with it, at a line that is indented less. A heading that is indented by three at
    most counts wherever it stands. No line continues an item without its indent, and quoted lines are text.
    """
    for number, (line, live, sign) in enumerate(read_rows(text), first):
        if sign is None:
            yield Line(number, line, live)
        else:
            yield Line(number, line, live, len(sign[1]), _heading_text(sign[2] or ""))


def read_rows(text: str) -> Iterator[tuple[str, bool, re.Match[str] | None]]:
    """What `read_lines` finds, as (line, whether it is live, the heading in it), for what reads many."""
    return Blocks().rows(split_lines(text))


def left_open(text: str, start: int = 0) -> int:
    """The number of the line that opens the fence or comment that all of the text below it is in; 0 if none is."""
    if not has_blocks(text):
        return 0
    since = start
    for heading in headings(text, start):
        since = heading.start if text[heading.start] == "#" else since
    blocks, line, seen = Blocks(), 0, 0
    for number, _ in enumerate(blocks.rows(_lines(text, since)), text.count("\n", 0, since) + 1):
        if blocks.opened > seen:
            line, seen = number, blocks.opened
    return line if (blocks.fence or blocks.comment) and not blocks.items else 0


def headings(text: str, start: int = 0) -> Iterator[Heading]:
    """The headings among the lines from `start` on, as `read_lines` finds them; every other line is skipped over, but
    from what may stand in an item of a list to the next heading that ends all lists."""
    if not has_blocks(text):
        first = first_sign().match(text, start)
        if first is not None and first[1]:
            yield heading_of(text, start, first)
        for sign in _heading_lines().finditer(text, start):
            yield heading_of(text, sign.start() + 1, sign)
        return
    fence, live, since = "", start, start
    for sign in _signs(text, start):
        at = sign.start() + (text[sign.start()] == "\n")
        if at < live:
            continue
        if fence:
            fence = "" if closes(sign, fence) else fence
        elif sign[1]:
            yield _heading(sign, at, text.find("\n", sign.end()) + 1 or len(text))
            since = at if text[at] == "#" else since
        elif sign[5] or text[at] == " ":
            row = None
            for row in _among_lists(text, since, at):
                yield row
            if row is None or text[row.start] != "#":
                return
            live, since = row.end, row.start
        elif not sign[3]:
            closing = text.find("-->", at)
            live = text.find("\n", closing) + 1 if closing >= 0 else 0
            if not live:
                return
        elif opens(sign):
            fence = sign[3]


def _among_lists(text: str, since: int, start: int) -> Iterator[Heading]:
    """The headings from `start` on to the first that ends all lists, read line by line from `since`, where none is
    open."""
    at = since
    for line, _, sign in Blocks().rows(_lines(text, since)):
        if sign is not None and at >= start:
            yield _heading(sign, at, at + len(line))
            if line[0] == "#":
                return
        at += len(line)


@cache
def _heading_lines() -> re.Pattern[str]:
    return re.compile(f"\n{HEADING}")


def heading_of(text: str, start: int, sign: re.Match[str]) -> Heading:
    """The heading whose line starts there."""
    return _heading(sign, start, text.find("\n", sign.end()) + 1 or len(text))


def _heading(sign: re.Match[str], start: int, end: int) -> Heading:
    return Heading(start, end, len(sign[1]), _heading_text(sign[2] or ""))


def _lines(text: str, at: int) -> Iterator[str]:
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        yield text[at:end]
        at = end


def _signs(text: str, start: int) -> Iterator[re.Match[str]]:
    """The lines that open or close something. A pattern that starts with a line end is found far faster than one that
    starts with ^."""
    first = first_sign().match(text, start)
    if first:
        yield first
    yield from later_signs().finditer(text, start)


def _heading_text(text: str) -> str:
    bare = text.strip()
    shorter = bare.rstrip("#")
    return shorter.rstrip() if shorter != bare and (not shorter or shorter[-1] in " \t") else bare


def first_sentence(text: str, limit: int = 360) -> str:
    """The first sentence of the first paragraph as one line, cut at a word before `limit` characters."""
    paragraph = " ".join(text.strip().split("\n\n", 1)[0].split())
    match = _sentence().match(paragraph[: limit * 2])
    sentence = match[0] if match else paragraph
    return cut(sentence, limit)


def cut(text: str, limit: int) -> str:
    """A line, cut at a word before `limit` characters when it is longer."""
    return text if len(text) <= limit else f"{text[:limit].rsplit(' ', 1)[0]} …"


@cache
def _sentence() -> re.Pattern[str]:
    return re.compile(r".{20,}?[.!?](?=\s|$)")
