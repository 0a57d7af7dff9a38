"""Text is what it looks like."""

import re
import unicodedata
from collections.abc import Iterator

from minutebook.checks.judged import entry_finder, judged_files, old_lines
from minutebook.checks.judgement import Case
from minutebook.ground.entry import decode
from minutebook.ground.markdown import read_lines, split_lines
from minutebook.ground.problem import Problem
from minutebook.ground.unseen import UNSEEN

_TEXT = (".md", ".yaml", ".yml", ".json", ".txt")
_MOST = 20
_CODE = re.compile(r"(?<!`)(`+)(?!`)[^`]*(?<!`)\1(?!`)")
_HIDING = re.compile(
    r"(?i)(?P<open><!--|<(?P<tag>script|style|textarea|title|template)\b)(?P<rest>[^\n]*?(?:-->|</(?P=tag)\b))?"
)
_JOINERS = "\u200c\u200d"
_EMOJI_STYLE = "\ufe0e\ufe0f"
_IN_CONTEXT = _JOINERS + _EMOJI_STYLE
_SOMETIMES = re.compile(f"[{_IN_CONTEXT}]")
_KEYCAPS = "#*0123456789"
# Scripts in which joiners change how letters are written: Arabic, Syriac, N'Ko, and those of India.
_JOINING = re.compile("[\u0600-\u08ff\u0900-\u0dff]")


def text(case: Case) -> Iterator[Problem]:
    """New text holds nothing that a reader can't see: no byte order mark, NUL or control character, no byte that is no
    UTF-8, no U+2028, U+2029 or U+0085, no bidirectional controls, zero-width, tag or filler characters, and no
    variation selectors except in emoji. Joiners are fine between emoji and in scripts that need them. Nor does it
    open, in the middle of Markdown, what hides the lines below from whoever reads the rendered page: a comment or a
    `<style>` that isn't closed on its line.

    Lines that stood there before are left alone. A new file that doesn't end with a line end, or has CRLF line ends,
    is a warning.
    """
    known = old_lines(case)
    for path, file in judged_files(case):
        if not path.endswith(_TEXT):
            continue
        if file.data.startswith((b"\xff\xfe", b"\xfe\xff")):
            yield Problem(path, 1, "text", "the file is UTF-16, not UTF-8", fix="save it as UTF-8 without a mark")
            continue
        content = decode(file.data)
        yield from _ends(case, path, content)
        yield from _hiding(case, path, content, known)
        entry_at = entry_finder(case.result.files.get(path))
        seen: set[tuple[str, str]] = set()
        for number, line in enumerate(split_lines(content), 1):
            strange = list(dict.fromkeys(_unseen(line)))
            if not strange or line.rstrip("\r\n") in known:
                continue
            entry = entry_at(number)
            for character in strange:
                if (entry, character) not in seen:
                    seen.add((entry, character))
                    yield Problem(path, number, "text", _words(character), "take it out", entry)
            if len(seen) >= _MOST:
                break


def _hiding(case: Case, path: str, content: str, known: frozenset[str]) -> Iterator[Problem]:
    if not path.endswith(".md") or "<" not in content:
        return
    entry_at = entry_finder(case.result.files.get(path))
    for row in read_lines(content):
        opened = _opened(row.text) if row.live and "<" in row.text else ""
        if opened and row.text.rstrip("\r\n") not in known:
            message = f"`{opened}` isn't closed on its line: on a rendered page it hides what stands below"
            entry = entry_at(row.number)
            yield Problem(path, row.number, "text", message, "close it, or put it in backticks", entry)


def _opened(line: str) -> str:
    """What a line opens and leaves open, of what hides text."""
    for match in _HIDING.finditer(_CODE.sub("", line)):
        if not match["rest"]:
            return match["open"].lower()
    return ""


def _ends(case: Case, path: str, content: str) -> Iterator[Problem]:
    if case.base is None or path in case.base_tree:
        return
    if content and not content.endswith("\n"):
        yield Problem(path, 0, "text", "the file doesn't end with a line end", "add one", severity="warning")
    if "\r\n" in content:
        yield Problem(path, 0, "text", "the file has CRLF line ends", "save it with LF", severity="warning")


def _unseen(line: str) -> Iterator[str]:
    found = dict.fromkeys(UNSEEN.findall(line.removesuffix("\r\n")))
    yield from (character for character in found if character not in _IN_CONTEXT)
    for match in _SOMETIMES.finditer(line) if any(character in _IN_CONTEXT for character in found) else ():
        at = match.start()
        previous, following = line[at - 1 : at], line[at + 1 : at + 2]
        if match[0] in _JOINERS and _may_join(previous, following):
            continue
        if match[0] in _EMOJI_STYLE and (previous in _KEYCAPS or _is_symbol(previous)) and previous:
            continue
        yield match[0]


def _may_join(previous: str, following: str) -> bool:
    if _JOINING.fullmatch(previous) and (_JOINING.fullmatch(following) or not following.strip()):
        return True
    return (_is_symbol(previous) or previous in ("\ufe0f",)) and _is_symbol(following)


def _is_symbol(character: str) -> bool:
    """A pictograph or one of the older symbols that have an emoji form."""
    return bool(character) and unicodedata.category(character) in ("So", "Sk", "Sm", "Po") and character > "\x7f"


def _words(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"byte 0x{code - 0xDC00:02X} is no UTF-8"
    name = unicodedata.name(character, "a control character" if code < 0xA0 else "no character")
    return f"U+{code:04X} ({name}) can't be seen"
