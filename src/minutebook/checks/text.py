"""Text is what it looks like."""

from __future__ import annotations

from itertools import islice

from minutebook.checks.html import hiding
from minutebook.checks.judged import changed_part, entry_finder, judged_files, old_lines, text_of
from minutebook.ground.entry import decode
from minutebook.ground.lazy import lazy
from minutebook.ground.markdown import left_open, split_lines
from minutebook.ground.problem import Problem
from minutebook.ground.unseen import UNSEEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Generator, Iterator

    from minutebook.checks.judgement import Case

_TEXT = (".md", ".yaml", ".yml", ".json", ".txt")
_MOST = 20
_BLOCKS = (b"```", b"~~~", b"<!--")
_MOST_LINES = 10_000
"""So many lines with something strange are looked at in a change; in a file of it the first twenty in any case."""
_JOINERS = "\u200c\u200d"
_EMOJI_STYLE = "\ufe0e\ufe0f"
_IN_CONTEXT = _JOINERS + _EMOJI_STYLE
_KEYCAPS = "#*0123456789"
# Scripts in which joiners change how letters are written: Arabic, Syriac, N'Ko, and those of India.
_JOINING = lazy("[\u0600-\u08ff\u0900-\u0dff]")


def text(case: Case) -> Iterator[Problem]:
    """New text holds nothing that a reader can't see, and opens nothing that hides what stands below.

    Markdown, YAML, JSON and plain text are read. Not seen: a byte order mark, NUL and control characters, bytes that
    are no UTF-8, U+2028, U+2029 and U+0085, bidirectional controls, zero-width, tag and filler characters, and
    variation selectors except in emoji. Joiners are fine between emoji and in scripts that need them. Hidden, on a
    rendered page: what stands below a comment or a `<style>` that is opened in the middle of Markdown and isn't closed
    on its line, and below a `<details>`, `<pre>` or `<?`, or an element that is `hidden`, that isn't closed in its
    entry. In a log, a fence or comment that is never closed hides every entry below it.

    Lines that stood there before are left alone, and a file gets some twenty problems at most.

    Severity: error. A new file that doesn't end with a line end, or has CRLF line ends, is a warning.
    """
    known = _OldLines(case)
    looked_at = 0
    for path, file in judged_files(case):
        if not path.endswith(_TEXT):
            continue
        if file.data.startswith((b"\xff\xfe", b"\xfe\xff")):
            yield Problem(path, 1, "text", "the file is UTF-16, not UTF-8", fix="save it as UTF-8 without a mark")
            continue
        content = text_of(path, file, case.result)
        yield from _ends(case, path, content)
        yield from _hiding(case, path, content, known)
        looked_at += yield from _hidden(case, path, content, known, max(_MOST, _MOST_LINES - looked_at))


class _OldLines:
    """The lines that changed files had before. Most changes hold nothing for which anybody asks."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._lines: frozenset[str] | None = None

    def __contains__(self, line: object) -> bool:
        if self._lines is None:
            self._lines = old_lines(self._case)
        return line in self._lines


def _hidden(case: Case, path: str, content: str, known: Container[str], most: int) -> Generator[Problem, None, int]:
    """Gives back how many lines it looked at, of `most`."""
    entry_at = entry_finder(case.result.files.get(path))
    seen: set[tuple[str, str]] = set()
    start, end = _changed(case, path, content)
    doubtful = _doubtful(content[start:end], content.count("\n", 0, start) + 1)
    lines = ((number, line, _unseen(line)) for number, line in doubtful if line.rstrip("\r") not in known)
    looked_at = 0
    for number, line, strange in islice((each for each in lines if each[2]), most):
        looked_at += 1
        entry = entry_at(number)
        for character in sorted(strange, key=line.index):
            if (entry, character) not in seen:
                seen.add((entry, character))
                yield Problem(path, number, "text", _words(character), "take it out", entry)
        if len(seen) >= _MOST:
            break
    return looked_at


def _changed(case: Case, path: str, content: str) -> tuple[int, int]:
    """The part of a file outside of which every line stood there before."""
    before = case.base_tree.get(path) if case.base is not None else None
    return (0, len(content)) if before is None else changed_part(text_of(path, before, case.base), content, 0)


def _doubtful(content: str, number: int) -> Iterator[tuple[int, str]]:
    """The lines, without their LF, that hold what mostly can't be seen, with their numbers from `number` on."""
    if content.isascii() and content.replace("\n", "").replace("\t", "").isprintable():
        return  # most text, and asking for this takes a tenth of the time
    at = 0
    while match := UNSEEN.search(content, at):
        start = content.rfind("\n", 0, match.start()) + 1
        number += content.count("\n", at, start)
        at = content.find("\n", match.start()) + 1 or len(content) + 1
        yield number, content[start : at - 1]
        number += 1


def _hiding(case: Case, path: str, content: str, known: Container[str]) -> Iterator[Problem]:
    file = case.result.files.get(path)
    if path.endswith(".md") and "<" in content:
        starts = frozenset(entry.line for entry in file.entries) if file is not None else frozenset[int]()
        entry_at = entry_finder(file)
        for number, message in islice(hiding(content, known, starts), _MOST):
            yield Problem(path, number, "text", message, "close it, or put it in backticks", entry_at(number))
    blocks = file is not None and file.log and any(sign in case.tree[path].data for sign in _BLOCKS)
    if blocks and (number := left_open(content)) and not _was_left_open(case, path, content):
        message = "what opens here is never closed: no entry below it is read"
        yield Problem(path, number, "text", message, "close it", entry_finder(file)(number))


def _was_left_open(case: Case, path: str, content: str) -> bool:
    """Whether the log was left open before, by the same line with the same below it."""
    before = case.base_tree.get(path)
    old = decode(before.data) if before is not None and before.is_regular else ""
    number = left_open(old)
    return bool(number) and split_lines(old)[number - 1 :] == split_lines(content)[left_open(content) - 1 :]


def _ends(case: Case, path: str, content: str) -> Iterator[Problem]:
    if case.base is None or path in case.base_tree:
        return
    if content and not content.endswith("\n"):
        yield Problem(path, 0, "text", "the file doesn't end with a line end", "add one", severity="warning")
    if "\r\n" in content:
        yield Problem(path, 0, "text", "the file has CRLF line ends", "save it with LF", severity="warning")


def _unseen(line: str) -> set[str]:
    """What can't be seen in a line where it stands; a line end of CRLF is none of it."""
    line = line.removesuffix("\r")
    found = set(UNSEEN.findall("".join(set(line))))  # a line may be all of the file
    if found.isdisjoint(_IN_CONTEXT):
        return found
    around = set(zip(f"\n{line}", line, f"{line[1:]}\n", strict=False))
    fine = {middle for _, middle, _ in around if middle in _IN_CONTEXT}
    return found - fine | {middle for before, middle, after in around if _is_hidden(before, middle, after)}


def _is_hidden(before: str, middle: str, after: str) -> bool:
    if middle in _JOINERS:
        return not _may_join(before, after)
    return middle in _EMOJI_STYLE and not (before in _KEYCAPS or _is_symbol(before))


def _may_join(previous: str, following: str) -> bool:
    if _JOINING.fullmatch(previous) and (_JOINING.fullmatch(following) or not following.strip()):
        return True
    return (_is_symbol(previous) or previous in ("\ufe0f",)) and _is_symbol(following)


def _is_symbol(character: str) -> bool:
    """A pictograph or one of the older symbols that have an emoji form."""
    from unicodedata import category

    return bool(character) and category(character) in ("So", "Sk", "Sm", "Po") and character > "\x7f"


def _words(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"byte 0x{code - 0xDC00:02X} is no UTF-8"
    from unicodedata import name as name_of

    name = name_of(character, "a control character" if code < 0xA0 else "no character")
    return f"U+{code:04X} ({name}) can't be seen"
