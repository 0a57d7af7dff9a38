"""HTML in Markdown that hides or swallows what stands below it until it is closed."""

from __future__ import annotations

from minutebook.ground.blocks import Blocks
from minutebook.ground.lazy import lazy
from minutebook.ground.markdown import split_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator

_CODE = lazy(r"(?<!`)(`+)(?!`)[^`]*(?<!`)\1(?!`)")
_ON_LINE = lazy(
    r"(?i)(?P<open><!--|(?<!\w)<(?P<tag>script|style|textarea|title|template)(?=[\s/>]|\Z))"
    r"(?P<rest>[^\n]*?(?:-->|</(?P=tag)\b))?"
)
_BLOCK = lazy(r"(?i) {0,3}(<\?|<!\[CDATA\[|<![a-z])")
_ENDS = {"<?": "?>", "<![CDATA[": "]]>"}
_TAG = lazy(r"(?<![\w<])<(/?)([A-Za-z][A-Za-z0-9-]{0,40})(?=[\s/>]|\Z)([^<>]*)")
_HIDDEN = lazy(r"(?i)\shidden(?=[\s=/]|\Z)")
_QUOTED = lazy(r"""=\s*(?:"[^"]*"|'[^']*')""")
_SWALLOWING = frozenset({"details", "pre", "noscript", "xmp", "plaintext", "iframe"})
_EMPTY = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
_BELOW = "on a rendered page it hides what stands below"


def hiding(content: str, known: Container[str], starts: frozenset[int]) -> Iterator[tuple[int, str]]:
    """The lines of Markdown that hide what stands below, and what to say of them; those in `known` are left alone.
    Entries start at the lines `starts`."""
    blocks, unclosed, comment = Blocks(), _Unclosed(), (0, False)
    for number, (line, live, _) in enumerate(blocks.rows(split_lines(content)), 1):
        old = line.rstrip("\r\n") in known
        if number in starts:
            yield from unclosed.taken()
        if comment[0] and not blocks.comment:
            if "-->" not in line and not comment[1]:
                yield comment[0], f"`<!--` isn't closed in its list: {_BELOW}"
            comment = (0, False)
        elif blocks.comment and not comment[0]:
            comment = (number, old)
        if live and ("<" in line or unclosed.end):
            bare = _CODE.sub("", line)
            unclosed.read(number, bare, old)
            opened = "" if old else _left_on_line(bare)
            if opened:
                yield number, f"`{opened}` isn't closed on its line: {_BELOW}"
    if comment[0] and not comment[1] and blocks.items:
        yield comment[0], f"`<!--` isn't closed in its list: {_BELOW}"
    yield from unclosed.taken()


def _left_on_line(line: str) -> str:
    """What a line opens and leaves open, of what hides text for certain."""
    for match in _ON_LINE.finditer(line):
        if not match["rest"]:
            return match["open"].lower()
    return ""


class _Unclosed:
    """What lines opened and left open, as (line, what to call it; "" where that is old), elements by their names."""

    def __init__(self) -> None:
        self.elements: dict[str, list[tuple[int, str]]] = {}
        self.block = (0, "")
        self.end = ""

    def read(self, number: int, line: str, old: bool) -> None:
        """Reads a line without its code."""
        if self.end:
            self.end = "" if self.end in line else self.end
            return
        block = _BLOCK.match(line)
        if block:
            end = _ENDS.get(block[1].upper(), ">")
            self.end = "" if end in line[block.end() :] else end
            self.block = (number, "" if old else block[1])
            return
        for tag in _TAG.finditer(line):
            self._tag(number, tag[1], tag[2].lower(), tag[3], old)

    def _tag(self, number: int, slash: str, name: str, attributes: str, old: bool) -> None:
        inside = self.elements.get(name)
        if slash:
            if inside:
                inside.pop()
        elif name in _SWALLOWING or (name not in _EMPTY and _HIDDEN.search(_QUOTED.sub("=", attributes))):
            self.elements.setdefault(name, []).append((number, "" if old else f"<{name}"))
        elif inside:
            inside.append((number, ""))

    def taken(self) -> Iterator[tuple[int, str]]:
        """What is open, once."""
        left = sorted(each for elements in self.elements.values() for each in elements)
        left += [self.block] if self.end else []
        self.elements, self.end = {}, ""
        yield from ((number, f"`{name}` isn't closed in its entry: {_BELOW}") for number, name in left if name)
