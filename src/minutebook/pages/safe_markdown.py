"""Untrusted text as Markdown that says what it says and does nothing: no HTML, no links, no images, no mentions.

GitHub looks for @names, #numbers, addresses and commit ids in the rendered text, so that neither a backslash nor an
entity stops them; only code does. Words with such a sign become code spans, the rest is escaped, and characters that
can't be seen are shown by their code point. Rules of CommonMark 0.31 and GitHub Flavored Markdown 0.29.
"""

import re
import unicodedata

_FIRES = re.compile(r"[@#]|://|(?i:www\.)|(?i:\bgh-[0-9])|(?i:\b[0-9a-f]{7,64}\b)|[{}]")
_INLINE = re.compile(r"[\\`*_\[\]~|$]")
_LINE_START = re.compile(r"[-+=>:]|[0-9]{1,9}(?=[.)])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_LONGEST_WORD = 120


class Markdown(str):
    """Text that is Markdown already; everything else is escaped when it is put into a page."""

    __slots__ = ()


def visible(text: str) -> str:
    """The text with every character that can't be seen, but tab and LF, shown as ‹U+202E›."""
    text = text.replace("\r\n", "\n")
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(f"‹U+{ord(each):04X}›" if _is_unseen(each) else each for each in text)


def inline(text: str, limit: int = 300) -> Markdown:
    """One line of plain words, at most about `limit` characters of Markdown, the end cut off with `…`."""
    out: list[str] = []
    size = 0
    for word in re.split(r"[ \t\n]+", visible(text).strip(" \t\n")):
        shown = word if len(word) <= _LONGEST_WORD else f"{word[:_LONGEST_WORD]}…"
        safe = code(shown) if _FIRES.search(shown) else _escaped(shown, first=not out)
        size += len(safe) + 1
        if size > limit:
            out.append("…")
            break
        out.append(safe)
    return Markdown(" ".join(out))


def code(text: str, limit: int = 200) -> Markdown:
    """A code span on one line, delimited by more backticks than it holds."""
    line = " ".join(visible(text).split())
    line = line if len(line) <= limit else f"{line[:limit]}…"
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return Markdown(f"{ticks}{pad}{line}{pad}{ticks}" if line else "")


def quoted(text: str, lines: int = 2, width: int = 280) -> Markdown:
    """A block quote of the first lines that aren't empty."""
    said = [line for line in visible(text).split("\n") if line.strip()]
    shown = [f"> {inline(line, width)}" for line in said[:lines]]
    if len(said) > lines:
        shown[-1] += " …"
    return Markdown("\n".join(shown))


def fenced(text: str, info: str = "", lines: int = 20, width: int = 240) -> Markdown:
    """A fenced block whose fence is longer than any run of backticks in it; says how many lines were left out."""
    rows = visible(text).strip("\n").split("\n")
    shown = [row if len(row) <= width else f"{row[:width]}…" for row in rows[:lines]]
    if len(rows) > lines:
        left = len(rows) - lines
        shown.append(f"… {left} more {'line' if left == 1 else 'lines'}")
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


def _is_unseen(character: str) -> bool:
    if character in "\t\n" or " " <= character <= "~":
        return False
    if character in _FILLERS or "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef":
        return True
    return unicodedata.category(character) in _UNSEEN


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
