"""What somebody wrote in a turn, as sentences; what they only pasted or quoted is left out."""

import re
from collections.abc import Iterator

from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import read_lines
from minutebook.ground.unseen import one_line

_MOST_TEXT = 60_000
_LONGEST = 600
_LOOKED_AT = 20_000
_FEW_LINES = 6
_STRANGE = ("#", "```", "    ", "\t", "> ", "User:", "Assistant:", "<")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?")
_STOP = re.compile(r"[.!?…]+[\"')\]*_]*(?:\s+|$)|;\s+")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|vs|etc|cf|approx|incl|resp|[A-Z])|\b\d{1,2})\.$", re.IGNORECASE)
_LONGEST_ABBREVIATION = 12
_ROLE = re.compile(
    r"\s*[\[(<*#]{0,3}\s*(?:user|human|assistant|system|developer|tool|claude|codex|ai)\s*[\])>*]{0,3}\s*:|"
    r"\s*\[(?:user|human|assistant|system|developer|tool)\]",
    re.IGNORECASE,
)
_TAG = re.compile(r"\s*<([A-Za-z][A-Za-z0-9_-]{0,40})(?:\s[^<>]{0,200})?>")
_PASTED = re.compile(
    r"\s*(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:|\[[0-9]|[{}\[\]|]|Traceback\b|File \"|at \S{1,120}\(|\$ |❯|>>>|"
    r"(?:\+\+\+|---|@@)(?:\s|$)|[A-Za-z.]{1,60}(?:Error|Exception|Warning)\b|"
    r"(?i:error|warning|fatal|panic|debug|info)\s?[:\[(]|(?:FAIL|PASS|ok)\s+\S|commit [0-9a-f]{7,40}\b|"
    r"https?://\S+\s*$)"
    r"|.{0,400}[│┃┌└├╭╰─═]"
)


@frozen
class Sentence:
    """`text` is text[start:end] of the turn, verbatim."""

    text: str
    start: int
    end: int


def sentences(text: str) -> list[Sentence]:
    """The sentences that the writer of `text` says in their own words, in order.

    Left out are fenced code, quoted lines, tagged blocks, log lines, pasted talk (everything from a line such as
    `User:` on) and pasted documents (everything from a heading on), and sentences over 600 characters.
    """
    found: list[Sentence] = []
    for start, line in _own_lines(text[:_MOST_TEXT]):
        bullet = _BULLET.match(line)
        begin = bullet.end() if bullet else 0
        found += [
            Sentence(piece, start + at, start + at + len(piece))
            for at, piece in _pieces(line, begin)
            if len(piece) <= _LONGEST and "<!--" not in piece
        ]
    return found


def looks_pasted(text: str) -> bool:
    """Whether a third of the lines of a longer text are logs, code, tables, headings or quoted talk."""
    lines = [line for line in text[:_LOOKED_AT].split("\n") if line.strip()]
    odd = sum(_PASTED.match(line[:_LONGEST]) is not None or line.startswith(_STRANGE) for line in lines)
    return len(lines) >= _FEW_LINES and 3 * odd >= len(lines)


def plain_line(text: str) -> str:
    """One line without hidden characters and HTML comment marks: fit for a title or a note."""
    return " ".join(one_line(text).replace("<!--", " ").replace("-->", " ").split())


def _own_lines(text: str) -> Iterator[tuple[int, str]]:
    at, closing = 0, ""
    for row in read_lines(text):
        start, line = at, row.text.rstrip("\n")
        at += len(row.text)
        if closing:
            closing = "" if closing in line.lower() else closing
            continue
        if not row.live or line.lstrip().startswith(">") or line.startswith("    "):
            continue
        if row.level or _ROLE.match(line):
            return
        tag = _TAG.match(line)
        if tag:
            closing = f"</{tag[1].lower()}>"
            closing = "" if closing in line.lower() else closing
            continue
        if not _PASTED.match(line):
            yield start, line


def _pieces(line: str, begin: int) -> Iterator[tuple[int, str]]:
    start = begin
    for stop in _STOP.finditer(line, begin):
        end = stop.start() + 1  # a look at the end alone: the whole piece each time would be quadratic
        if stop.end() < len(line) and _ABBREVIATION.search(line[max(start, end - _LONGEST_ABBREVIATION) : end]):
            continue
        yield from _trimmed(line, start, stop.end())
        start = stop.end()
    yield from _trimmed(line, start, len(line))


def _trimmed(line: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    piece = line[start:end]
    kept = piece.strip().rstrip(";")
    if kept:
        yield start + len(piece) - len(piece.lstrip()), kept
