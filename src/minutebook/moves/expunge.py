"""The one way out of an append-only type: a tombstone in place of a text that must not exist."""

from __future__ import annotations

import re

from minutebook.checks.parts import BREAK, SPACE, sealed_hash
from minutebook.compact.ledger import hash_of
from minutebook.ground.change import Change, File, Plan, Proposal, joined, with_changes
from minutebook.ground.entry import decode, encode, read_entry
from minutebook.ground.frozen import frozen
from minutebook.ground.log_lines import read_label
from minutebook.ground.markdown import split_lines
from minutebook.ground.memory import INDEX, memory_after
from minutebook.ground.tokens import tokens
from minutebook.ground.tombstone import TITLE, compose_tombstone
from minutebook.ground.uris import ARCHIVE
from minutebook.moves.struck import plan_struck
from minutebook.pages.in_step import index_change
from minutebook.redaction.redact import find_secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from minutebook.ground.change import Tree
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory import Memory
    from minutebook.ground.tombstone import Tombstone

_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*:[ \t]+")
_TELLING = 24
_LEAST = 8


@frozen
class Quote:
    """Where a text is repeated: a file beneath the root, its line, and the entry there ("" in none)."""

    path: str
    line: int
    entry: str


def plan_expunge(memory: Memory, tree: Tree, entry: Entry, stone: Tombstone) -> Plan:
    """The plan that puts the tombstone where the entry stands, takes what a summary says of it out of the summary and
    its ledger, and brings a generated index along.

    What parts the entry from the next one stays: blank lines and thematic breaks.
    """
    lines = split_lines(decode(tree[entry.path].data))
    start, end = entry.line - 1, entry.line - 1 + len(split_lines(entry.text))
    while end > start + 1 and _parts(lines[end - 1]):
        end -= 1
    text = compose_tombstone(entry, stone)
    newline = "\r\n" if lines[start].endswith("\r\n") else "\n"
    whole = "".join([*lines[:start], text.replace("\n", newline), *lines[end:]])
    before, after = tokens(entry.text), tokens(text)
    proposal = Proposal("expunge", entry.type, entry.id, TITLE, stone.reason, text, (), before, after)
    old = tree[entry.path]
    plan = Plan((Change(entry.path, old, File(encode(whole), old.mode), "a tombstone in its place", (proposal,)),))
    if is_original(memory, entry):
        plan = joined(plan, Plan(tuple(plan_struck(memory, tree, _stone(memory, entry, text)))))
    left = with_changes(tree, plan.changes)
    if memory.outer(INDEX) not in tree:
        return plan
    change = index_change(memory_after(memory, tree, plan.changes), left)
    return joined(plan, Plan((change,))) if change is not None else plan


def is_original(memory: Memory, entry: Entry) -> bool:
    """Whether it lies in the archive and is of a type that isn't append-only: what a compaction took away."""
    return memory.inner(entry.path).startswith(ARCHIVE) and not memory.type_of(entry).append_only


def stone_hash(memory: Memory, entry: Entry) -> str:
    """The hash that a tombstone in its place names: of an original the one that its ledger names too."""
    return hash_of(entry) if is_original(memory, entry) else sealed_hash(entry.text)


def _stone(memory: Memory, entry: Entry, text: str) -> Entry:
    found, _ = read_entry(entry.path, text, memory.type_of(entry), entry.id)
    assert found is not None  # a tombstone: we wrote its front matter
    return found


def telling(text: str, name: str) -> tuple[str, ...]:
    """The pieces of an entry's text by which it is known elsewhere: its secrets, and the words of its longer lines
    without labels and quotation marks. The id `name` stays, so it tells nothing."""
    secrets = [text[found.start : found.end] for found in find_secrets(text)]
    rows = [_words(line.replace(name, "")) for line in text.split("\n")]
    long = [row for row in rows if len(row) >= _TELLING]
    most = max(rows, key=len, default="")
    return tuple(dict.fromkeys([*secrets, *(long or ([most] if len(most) >= _LEAST else []))]))


def quotes(memory: Memory, tree: Tree, pieces: Collection[str], but: str) -> Iterator[Quote]:
    """Every place beneath the root where one of the pieces stands, one an entry; the entry `but` is left out."""
    for path, file in tree.items():
        lines = decode(file.data).split("\n")
        hits = [number for number, line in enumerate(lines, 1) if any(piece in line for piece in pieces)]
        seen: set[str] = set()
        for number in hits:
            name = _entry_at(memory, path, number)
            if name != but and name not in seen:
                seen.add(name)
                yield Quote(path, number, name)


def _words(line: str) -> str:
    label = read_label(line)
    bare = label[1] if label is not None else line.strip(" \t\r\v\f>#*+—–-")
    return _KEY.sub("", bare, count=1).strip("\"' ")


def _entry_at(memory: Memory, path: str, line: int) -> str:
    file = memory.files.get(path)
    around = (each for each in (file.entries if file is not None else ()))
    return next((each.id for each in around if each.line <= line <= each.line + each.text.count("\n")), "")


def _parts(line: str) -> bool:
    bare = line.rstrip("\n").rstrip(SPACE)
    return not bare or BREAK.fullmatch(bare) is not None
