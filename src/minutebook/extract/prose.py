"""What somebody wrote in a turn, as sentences; what they only pasted or quoted is left out."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from minutebook.extract.pasted import HANDS_OVER, skipped_to, talk_start
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import Line, read_lines
from minutebook.ground.unseen import one_line

_MOST_TEXT = 60_000
_MOST_LINES, _MOST_PIECES = 3000, 2000
MOST_SENTENCES = 500
"""Sentences of one turn that are read: what is longer was pasted."""
_SHORT_TEXT = 1000
_LETTER = re.compile(r"[^\W\d_]")
_LONGEST = 600
_LOOKED_AT = 20_000
_INDENTED = ("    ", "\t", "\u00a0")
_FEW_LINES = 6
_STRANGE = ("#", "```", "    ", "\t", "> ", "User:", "Assistant:", "<")
_MANY_HEADINGS = 4
_LONG_UNDER = 3000
_FILE = re.compile(
    r"[\w./-]{1,80}\.(?:md|mdx|rst|txt|mdc)\b|(?:system prompt|table of contents|contents|memory (?:for|of))\b",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(
    r"(?:readme|agents|claude|gemini|copilot|cursor ?rules|contributing|changelog|licen[cs]e|security|memory|"
    r"code of conduct|release notes)\b|"
    r".{0,80}\b(?:guide(?:lines)?|handbook|manual|documentation|reference|specification|playbook|wiki|tutorial|"
    r"instructions|conventions)\b",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"[A-Z]{2,10}-[0-9]{4}-[0-9]{2}|v?[0-9]+\.[0-9]+\.[0-9]+\b|\[[0-9]+\.[0-9]+")
_CONTENTS = re.compile(r"\s*(?:[-*+]|[0-9]{1,2}\.)\s+\[[^\]\n]{1,120}\]\(#")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?")
_STOP = re.compile(r"[.!?…]+[\"')\]*_]*(?:\s+|$)|;\s+")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|vs|etc|cf|approx|incl|resp|[A-Z])|\b\d{1,2})\.$", re.IGNORECASE)
_LONGEST_ABBREVIATION = 12
_EMPHASIS = re.compile(
    r"(?<![\w*])(?P<stars>\*{1,3})(?=[^\s*])(?P<starred>[^*\n]{1,300}?)(?<=[^\s*])(?P=stars)(?![\w*])|"
    r"(?<!\w)_(?=[^\W_])(?P<lined>[^_\n]{0,200}?[^\W_])_(?!\w)|"
    r"(?<!\w)__(?=[^\W_])(?P<double>[^_\n]{1,200} [^_\n]{0,200}?[^\W_])__(?!\w)"
)
_ROLE = re.compile(
    r"\s*[\[(<*#]{0,3}\s*(?:user|human|assistant|system|developer|tool|claude|codex|ai)\s*[\])>*]{0,3}\s*:|"
    r"\s*\[(?:user|human|assistant|system|developer|tool)\]|"
    r"\s*#{1,6}\s+(?:user|human|assistant|system|developer|tool)\s*#*\s*$",
    re.IGNORECASE,
)
_PASTED = re.compile(
    r"\s*(?:[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:|\[[0-9]|[{}\[\]|]|Traceback\b|File \"|at \S{1,120}\(|\$ |❯|>>>|"
    r"(?:\+\+\+|---|@@)(?:\s|$)|[A-Za-z.]{1,60}(?:Error|Exception|Warning)\b|"
    r"(?i:error|warn(?:ing)?|fatal|panic|debug|info)(?:\s?[:\[(]|\s+-\s)|(?:FAIL|PASS|ok)\s+\S|commit [0-9a-f]{7,40}\b|"
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
    """The sentences that the writer of `text` says in their own words, in order, at most 500.

    Left out are fenced code, quoted lines, tagged blocks, log lines, headings, pasted talk (everything from a line such
    as `User:` or `The docs say:` on), pasted documents (everything from their first heading on; `_is_document` tells
    them from a person's own notes under a heading), what holds no letter, and sentences over 600 characters.
    """
    return list(_short(text) if len(text) <= _SHORT_TEXT else _long(text[:_MOST_TEXT]))


def _read(text: str) -> tuple[Sentence, ...]:
    pieces = islice(_all_pieces(text), _MOST_PIECES)
    return tuple(islice((each for each in pieces if _LETTER.search(each.text)), MOST_SENTENCES))


_short = lru_cache(maxsize=65536)(_read)
_long = lru_cache(maxsize=128)(_read)
"""A turn is read by several who don't know of each other; together they hold some 40 MB at most."""


def _all_pieces(text: str) -> Iterator[Sentence]:
    for start, line in _own_lines(text):
        bullet = _BULLET.match(line)
        begin = bullet.end() if bullet else 0
        for at, piece in _pieces(line, begin):
            if len(piece) <= _LONGEST and "<!--" not in piece:
                yield Sentence(piece, start + at, start + at + len(piece))


def unmarked(text: str) -> str:
    """The sentence without Markdown's bold and italics: “**never** do that” is “never do that”."""
    return _EMPHASIS.sub(lambda found: next(filter(None, (found["starred"], found["lined"], found["double"]))), text)


def looks_pasted(text: str) -> bool:
    """Whether a third of the lines of a longer text are logs, code, tables, headings or quoted talk."""
    lines = [line for line in text[:_LOOKED_AT].split("\n") if line.strip()]
    odd = sum(_PASTED.match(line[:_LONGEST]) is not None or line.startswith(_STRANGE) for line in lines)
    return len(lines) >= _FEW_LINES and 3 * odd >= len(lines)


def plain_line(text: str) -> str:
    """One line without hidden characters and HTML comment marks: fit for a title or a note."""
    return " ".join(one_line(text).replace("<!--", " ").replace("-->", " ").split())


def _own_lines(text: str) -> Iterator[tuple[int, str]]:
    at = until = 0
    rows = list(islice(read_lines(text), _MOST_LINES))
    document, low, talk = _is_document(rows), _lower(text), talk_start(row.text for row in rows)
    for number, row in enumerate(rows):
        start, line = at, row.text.rstrip("\n")
        at += len(row.text)
        if start < until or not row.live or line.lstrip().startswith(">") or line.startswith(_INDENTED):
            continue
        if number == talk or (row.level and document) or _ROLE.match(line) or HANDS_OVER.match(line):
            return
        until = skipped_to(line, low, at)
        if until < 0 and not row.level and not _PASTED.match(line):
            yield start, line


def _lower(text: str) -> str:
    """In small letters, each in its place."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _is_document(rows: Sequence[Line]) -> bool:
    """Whether what stands under the headings of a turn is a document that was put in, not what somebody wrote there:
    by its name, its front matter, its table of contents, an entry's id, many headings, or its length."""
    headings = [at for at, row in enumerate(rows) if row.level]
    if not headings:
        return False
    length = sum(len(row.text) for row in rows[headings[0] :])
    names = [rows[at].heading for at in headings[:_MANY_HEADINGS]]
    titled = not any(row.text.strip() for row in rows[: headings[0]]) and _DOCUMENT.match(names[0]) is not None
    named = titled or any(_FILE.match(name) or _ENTRY.match(name) for name in names)
    front = rows[0].text.rstrip() in ("---", "+++")
    contents = any(_CONTENTS.match(row.text) for row in rows)
    return named or front or contents or len(headings) >= _MANY_HEADINGS or length > _LONG_UNDER // len(headings)


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
