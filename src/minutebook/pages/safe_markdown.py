"""Untrusted text as Markdown that says what it says and does nothing: no HTML, no links, no images, no mentions.

GitHub looks for @names, #numbers, addresses and commit ids in the rendered text, so that neither a backslash nor an
entity stops them; only code does. Words with such a sign become code spans, the rest is escaped, and characters that
can't be seen are shown by their code point. Rules of CommonMark 0.31 and GitHub Flavored Markdown 0.29.
"""

import re

from minutebook.ground.lazy import lazy
from minutebook.ground.nouns import counted
from minutebook.ground.unseen import made_visible

_FIRES = lazy(r"[@#]|://|(?i:www\.)|(?i:\bgh-[0-9])|(?i:\b[0-9a-f]{7,64}\b)|[{}]")
_INLINE = lazy(r"[\\`*_\[\]~|$]")
_HTML = lazy("[&<>]")
_LINE_START = lazy(r"[-+=>:]|[0-9]{1,9}(?=[.)])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_LONGEST_WORD = 120


class Markdown(str):
    """Text that is Markdown already; everything else is escaped when it is put into a page."""

    __slots__ = ()


def spelled_out(text: str) -> str:
    """The text with every character that can't be seen, but tab and LF, shown as ‹U+202E›."""
    return made_visible(text.replace("\r\n", "\n"), lambda each: f"‹U+{ord(each):04X}›")


def inline(text: str, limit: int = 300) -> Markdown:
    """One line of plain words, at most about `limit` characters of Markdown, the end cut off with `…`."""
    if _says_what_it_says(text, limit):
        return Markdown(text)
    out: list[str] = []
    size = 0
    for word in re.split(r"[ \t\n]+", spelled_out(text).strip(" \t\n")):
        shown = word if len(word) <= _LONGEST_WORD else f"{word[:_LONGEST_WORD]}…"
        safe = _as_code(shown) if _FIRES.search(shown) else _escaped(shown, first=not out)
        size += len(safe) + 1
        if size > limit:
            out.append("…")
            break
        out.append(safe)
    return Markdown(" ".join(out))


def _as_code(word: str) -> str:
    """A word that would do something as code, without the punctuation that ends it."""
    bare = word.rstrip(":,;.!?")
    return f"{code(bare)}{word[len(bare) :]}" if bare != word and _FIRES.search(bare) else code(word)


def _says_what_it_says(text: str, limit: int) -> bool:
    """Whether nothing in it has to be escaped, spelled out or cut: an index has ten thousand such words."""
    if not (text.isascii() and text.isprintable() and 0 < len(text) < limit) or " " in (text[0], text[-1]):
        return False
    if "  " in text or (len(text) > _LONGEST_WORD and max(map(len, text.split(" "))) > _LONGEST_WORD):
        return False
    return not (_INLINE.search(text) or _LINE_START.match(text) or _HTML.search(text) or _FIRES.search(text))


def code(text: str, limit: int = 200) -> Markdown:
    """A code span on one line, delimited by more backticks than it holds."""
    line = " ".join(spelled_out(text).split())
    line = line if len(line) <= limit else f"{line[:limit]}…"
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return Markdown(f"{ticks}{pad}{line}{pad}{ticks}" if line else "")


def quoted(text: str, lines: int = 2, width: int = 280) -> Markdown:
    """A block quote of the first lines that aren't empty."""
    said = [line for line in spelled_out(text).split("\n") if line.strip()]
    shown = [f"> {inline(line, width)}" for line in said[:lines]]
    if len(said) > lines:
        shown[-1] += " …"
    return Markdown("\n".join(shown))


def fenced(text: str, info: str = "", lines: int = 20, width: int = 240) -> Markdown:
    """A fenced block whose fence is longer than any run of backticks in it; says how many lines were left out."""
    rows = spelled_out(text).strip("\n").split("\n")
    shown = [row if len(row) <= width else f"{row[:width]}…" for row in rows[:lines]]
    if len(rows) > lines:
        left = len(rows) - lines
        shown.append(f"… {counted(left, 'more line')}")
    fence = fence_for("\n".join(shown))
    return Markdown("\n".join([f"{fence}{info}", *shown, fence]))


def fence_for(text: str) -> str:
    """A fence that the text can't close: more backticks than it holds in a row."""
    return "`" * max(3, _longest_run(text) + 1)


def _escaped(word: str, *, first: bool) -> str:
    opened = _LINE_START.match(word) if first else None
    head = opened[0] if opened else ""
    rest = word[len(head) :]
    safe = _INLINE.sub(r"\\\g<0>", rest)
    safe = "".join(_ENTITIES.get(each, each) for each in safe)
    if not head:
        return safe
    if head.isdecimal():
        return f"{head}\\{safe}"
    return f"{_ENTITIES.get(head, chr(92) + head)}{safe}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
