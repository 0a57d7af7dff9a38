"""The blocks of a note: headings, paragraphs, items of lists, rows of tables, code, comments, each as it stands."""

import re
from collections.abc import Iterator

from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import read_lines

HEADING, PROSE, ITEM, ROW, CODE, COMMENT, APART = "heading", "prose", "item", "row", "code", "comment", "apart"
_BULLET = re.compile(r"^(?P<indent>\s*)(?:[-*+]|[0-9]{1,3}[.)])\s+(?P<box>\[[ xX]\]\s+)?")
_RULE = re.compile(r"[\s|:-]*")
_CELL = re.compile(r"(?<!\\)\|")


@frozen
class Block:
    """`text` is on one line, but for CODE and COMMENT, whose lines it holds without their ends. `depth` is the level
    of a heading, or by how many columns something is indented. `box` is `[ ]` or `[x]` before an item; `cells` are
    those of a ROW, and `heads` what stands above them, none where its table has no heads, or where it is these itself.
    APART is a blank line, which ends a paragraph and no list."""

    kind: str
    text: str
    depth: int = 0
    box: str = ""
    cells: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()


def blocks(text: str) -> Iterator[Block]:
    """The blocks of a Markdown text, in its order; a quote is read like what it quotes."""
    lines: list[str] = []
    kind, depth, box = "", 0, ""
    heads: tuple[str, ...] = ()
    waiting = ""

    def flushed() -> Iterator[Block]:
        nonlocal kind
        if kind:
            joined = "\n".join(lines) if kind in (CODE, COMMENT) else " ".join(" ".join(lines).split())
            yield Block(kind, joined, depth, box)
        kind = ""
        lines.clear()

    for row in read_lines(text):
        bare = row.text.strip()
        inner = bare.lstrip("> ") if bare.startswith(">") else bare
        in_table = row.live and not row.level and inner.startswith("|")
        if waiting and not in_table:
            yield _row(waiting)  # heads of nothing
        if not in_table:
            waiting, heads = "", ()
        if row.level:
            yield from flushed()
            yield Block(HEADING, row.heading, row.level)
        elif not row.live:
            hidden = COMMENT if "<!--" in bare or kind == COMMENT else CODE
            if kind != hidden:
                yield from flushed()
                kind, depth, box = hidden, _indent(row.text), ""
            lines.append(bare)
            if kind == COMMENT and "-->" in bare:
                yield from flushed()
        elif in_table:
            yield from flushed()
            if _RULE.fullmatch(inner):
                heads, waiting = heads or _cells(waiting), waiting if not heads else ""
            elif heads:
                waiting = ""
                yield _row(inner, heads)
            else:
                if waiting:
                    yield _row(waiting)
                waiting = inner
        elif not inner:
            yield from flushed()
            yield Block(APART, "")
        elif found := _BULLET.match(inner):
            yield from flushed()
            kind, box = ITEM, (found["box"] or "").strip().lower()
            depth = _indent(row.text)
            lines.append(inner[found.end() :])
        else:
            if kind in (CODE, COMMENT, "") or bare.startswith(">"):
                yield from flushed()
                kind, depth, box = PROSE, _indent(row.text), ""
            lines.append(inner)
    yield from flushed()
    if waiting:
        yield _row(waiting)


def _row(line: str, heads: tuple[str, ...] = ()) -> Block:
    return Block(ROW, line.strip("| "), 0, "", _cells(line), heads)


def _cells(line: str) -> tuple[str, ...]:
    """The cells of a row, an empty one as "", without the bars at its ends."""
    found = [each.strip() for each in _CELL.split(line.strip().removeprefix("|"))]
    return tuple(found[:-1] if found and not found[-1] else found)


def _indent(line: str) -> int:
    """By how many columns a line is indented, quote marks aside."""
    shown = line.rstrip("\n").expandtabs(4)
    inner = shown.lstrip("> ") if shown.lstrip().startswith(">") else shown.lstrip()
    return len(shown) - len(inner)
