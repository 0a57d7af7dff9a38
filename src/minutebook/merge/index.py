"""The generated index in three versions into one. It is never in conflict: `minutebook index` makes it anew."""

from __future__ import annotations

from minutebook.ground.frozen import replace
from minutebook.ground.markdown import split_lines
from minutebook.merge.lines import settled
from minutebook.merge.log import Known
from minutebook.merge.order import by_age, in_one_order
from minutebook.pages.index_page import cell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Sections = dict[str, tuple[str, dict[str, str]]]

_HEADS = ("| id |", "|---")


def merged_index(three: tuple[str, str, str], outer: Callable[[str], str], known: Callable[[str], Known]) -> str:
    """Rows that either side added, without those that one took away; of a row that both changed, ours.

    A driver sees this file alone, and the entries may not be merged yet when it does: so the rows are joined, which
    is right but for what the merge itself changes (an id, a mark set by both), and `check` says when it is out of step.
    They stand as the entries will: by file, and in a log that both sides added to in the order that its merge makes.
    `outer` turns a path from the root into one from the top, `known` is what git knows of the file there.
    """
    versions = [_sections(text) for text in three]
    out = []
    for title in _order(versions[1], versions[2]):
        was, mine, other = (sections.get(title, ("", {})) for sections in versions)
        rows = _rows(was[1], mine[1], other[1], outer, known)
        intro = _chosen(was[0], mine[0], other[0])
        if rows or not title:
            out.append(intro.rstrip("\n") + "\n" + "".join(rows))
    return "\n".join(out)


def _sections(text: str) -> Sections:
    """By heading: what stands before the rows (the heading and the head of the table), and the rows by id."""
    found: Sections = {"": ("", {})}
    title = ""
    for line in split_lines(text):
        if line.startswith("## "):
            title = line
            found[title] = (line, {})
        elif line.startswith("| ") and not line.startswith(_HEADS):
            found[title][1][_key(line)] = line
        elif line.strip() or not found[title][1]:
            found[title] = (found[title][0] + line, found[title][1])
    return found


def _key(row: str) -> str:
    return row.split(" | ", 1)[0]


def _rows(
    was: Mapping[str, str],
    mine: Mapping[str, str],
    other: Mapping[str, str],
    outer: Callable[[str], str],
    known: Callable[[str], Known],
) -> list[str]:
    chosen = {name: _chosen(was.get(name, ""), mine.get(name, ""), other.get(name, "")) for name in {**mine, **other}}
    by_file: dict[str, list[str]] = {}
    for name, row in chosen.items():
        if row:
            by_file.setdefault(outer(_path(row)), []).append(name)
    out: list[str] = []
    for path, names in sorted(by_file.items()):
        first, second = ([name for name in side if name in names] for side in (mine, other))
        grown = all(set(side) - set(was) for side in (first, second))
        order = by_age(first, second, was, _as_rows(known(path)) if grown else Known())
        out += [chosen[name] for name in order or names]
    return out


def _as_rows(known: Known) -> Known:
    """What is published, by the key of its row."""
    return replace(known, published={_key(f"| {cell(entry.id)} | "): entry for entry in known.published.values()})


def _path(row: str) -> str:
    """The file that a row leads to."""
    return row.rstrip().rstrip(" |").rpartition("](")[2].rstrip(")")


def _chosen(was: str, mine: str, other: str) -> str:
    known = settled(was, mine, other)
    return known[0] if known else mine or other


def _order(first: Mapping[str, object], second: Mapping[str, object]) -> Sequence[str]:
    return in_one_order(list(first), list(second), lambda _: 0) or list(dict.fromkeys((*first, *second)))
