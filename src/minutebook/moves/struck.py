"""A note that was expunged leaves the summary that stood for it: its lines, its words in front matter, its claims."""

from __future__ import annotations

import re

from minutebook.compact.certificate import certify
from minutebook.compact.front import abstract_of, topics
from minutebook.compact.ledger import read_ledger, struck_ledger
from minutebook.compact.lines import body_starts
from minutebook.ground import front_matter
from minutebook.ground.change import Change, File
from minutebook.ground.entry import decode, encode, read_entry
from minutebook.ground.frozen import replace
from minutebook.ground.tombstone import TITLE, read_tombstone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from minutebook.ground.change import Tree
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory import Memory

_FROM = re.compile(r"(- .+) \[([0-9]+(?:, [0-9]+)*)\]")
_BARE = re.compile(r"(?m)^## [^\n]+\n+(?=## |\Z)")
_WHY = "says no more of what was expunged"


def plan_struck(memory: Memory, tree: Tree, stone: Entry) -> Iterator[Change]:
    """The changes of every summary with a ledger that stands for the archived note in whose place `stone` comes."""
    entries = {**{each.id: each for each in memory.entries(archived=True)}, stone.id: stone}
    for summary in memory.entries():
        names = summary.ids("derived_from") if summary.type == "summary" and "ledger" in summary.text else ()
        place = memory.outer(str(summary.fields.get("ledger"))) if stone.id in names else ""
        ledger = read_ledger(decode(tree[place].data)) if place in tree else None
        if ledger is None or not entries.keys() >= set(names):
            continue
        originals = [entries[name] for name in names]
        text = _struck(summary, originals, names.index(stone.id) + 1)
        new, _ = read_entry(summary.path, text, memory.type_of(summary), summary.id)
        if new is None:
            continue
        expunged = {at for at, each in enumerate(originals, 1) if read_tombstone(each) is not None}
        rows = struck_ledger(ledger, certify(originals, new, expunged), body_starts(new))
        yield Change(summary.path, tree[summary.path], replace(tree[summary.path], data=encode(text)), _WHY)
        yield Change(place, tree[place], File(encode(rows)), _WHY)


def _struck(summary: Entry, originals: Sequence[Entry], number: int) -> str:
    """The text of the summary without what it says of the original of that number."""
    found = front_matter.split(summary.text)
    body = found[1] if found is not None else summary.text
    head = summary.text[: len(summary.text) - len(body)]
    lines = (_line(line, number) for line in body.split("\n"))
    left = _BARE.sub("", "\n".join(line for line in lines if line is not None))
    updates = {"abstract": abstract_of(originals), "tags": list(topics(originals))}
    return front_matter.set_fields(head + left, updates)


def _line(line: str, number: int) -> str | None:
    """The line as it is, under the other numbers alone, or None for none."""
    if line.startswith(f"- [{number}] "):
        return f"- [{number}] {TITLE}"
    match = _FROM.fullmatch(line)
    numbers = match[2].split(", ") if match is not None else []
    if match is None or str(number) not in numbers:
        return line
    rest = ", ".join(each for each in numbers if each != str(number))
    return f"{match[1]} [{rest}]" if rest else None
