"""The little Markdown that we read: lines, fences, comments, headings. Text is split on LF alone."""

import re
from collections.abc import Iterator

from minutebook.ground.frozen import frozen

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_COMMENT = re.compile(r" {0,3}<!--")
_OPENERS = frozenset("`~<#")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?")


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


def read_lines(text: str, first: int = 1) -> Iterator[Line]:
    """The lines of `text`, which starts at line `first` of its file.

    As CommonMark has it, a comment block opens at the start of a line and ends with the line that holds `-->`, and a
    fence closes with at least as many of its own characters and nothing else.
    """
    fence, comment = "", False
    for number, line in enumerate(split_lines(text), first):
        if not fence and not comment and line.lstrip(" ")[:1] not in _OPENERS:
            yield Line(number, line, live=True)
            continue
        opened = _FENCE.match(line)
        if fence:
            yield Line(number, line, live=False)
            if opened and opened[1].startswith(fence) and not opened[2].strip():
                fence = ""
            continue
        if comment:
            yield Line(number, line, live=False)
            comment = "-->" not in line
            continue
        if opened and not (opened[1][0] == "`" and "`" in opened[2]):
            fence = opened[1]
            yield Line(number, line, live=False)
            continue
        if _COMMENT.match(line):
            comment = "-->" not in line
            yield Line(number, line, live=False)
            continue
        heading = _HEADING.match(line)
        if heading:
            yield Line(number, line, True, len(heading[1]), _heading_text(heading[2] or ""))
        else:
            yield Line(number, line, live=True)


def _heading_text(text: str) -> str:
    bare = text.strip()
    shorter = bare.rstrip("#")
    return shorter.rstrip() if shorter != bare and (not shorter or shorter[-1] in " \t") else bare


def first_sentence(text: str, limit: int = 360) -> str:
    """The first sentence of the first paragraph as one line, cut at a word before `limit` characters."""
    paragraph = " ".join(text.strip().split("\n\n", 1)[0].split())
    match = re.match(r".{20,}?[.!?](?=\s|$)", paragraph[: limit * 2])
    sentence = match[0] if match else paragraph
    return cut(sentence, limit)


def cut(text: str, limit: int) -> str:
    """A line, cut at a word before `limit` characters when it is longer."""
    return text if len(text) <= limit else f"{text[:limit].rsplit(' ', 1)[0]} …"
