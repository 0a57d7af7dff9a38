"""Compaction undone: notes return from the archive, and the summary that stood for them goes."""

from __future__ import annotations

from minutebook.ground.change import Change, File, Plan, Proposal
from minutebook.ground.errors import Refused
from minutebook.ground.nouns import counted
from minutebook.ground.tombstone import read_tombstone
from minutebook.ground.uris import ARCHIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from minutebook.ground.change import Tree
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory import Memory

_WHY = "back from the archive"


def plan_back(memory: Memory, tree: Tree, originals: Sequence[Entry], summary: Entry | None = None) -> Plan:
    """The plan that puts archived entries back where they were, byte for byte as they lie there now.

    A summary with a ledger stands for all of its notes or for none: with one note the others of its summary return,
    and the summary (`summary` is one that may have none of them left) goes with its ledger. Tombstones stay.

    Raises Refused where another text stands in the place, and for an entry of a log.
    """
    summaries, names = _together(memory, {entry.id for entry in originals}, summary)
    entries = [each for each in memory.entries(archived=True) if each.id in names and _lies_in_archive(memory, each)]
    stones = [each for each in entries if read_tombstone(each) is not None]
    changes = [change for each in entries if each not in stones for change in _moved(memory, tree, each)]
    for each in summaries:
        why = "the notes that it stood for are back"
        gone = Proposal("archive", each.type, each.id, each.title, why)
        ledger = memory.outer(str(each.fields["ledger"]))
        changes.append(Change(each.path, tree[each.path], None, why, (gone,)))
        changes += [Change(ledger, tree[ledger], None, why)] if ledger in tree else []
    notes = [f"{each.id} was expunged, and its tombstone stays in the archive" for each in stones]
    more = len(entries) - len(stones) - len(originals)
    if more > 0 and len(originals) == 1:
        notes.append(f"{counted(more, 'more note')} return: {summaries[0].id} stands for all of them, or for none")
    return Plan(tuple(change for change in changes if change.old != change.new), notes=tuple(notes))


def _together(memory: Memory, names: set[str], summary: Entry | None) -> tuple[list[Entry], Collection[str]]:
    """(the summaries with ledgers that stand for one of these, or for one that another of them stands for; all that
    they stand for, with these)."""
    waiting = [
        each
        for each in memory.entries()
        if each.type == "summary" and "ledger" in each.text and each.fields.get("ledger")
    ]
    found: list[Entry] = []
    while ready := [each for each in waiting if each == summary or names.intersection(each.ids("derived_from"))]:
        waiting = [each for each in waiting if each not in ready]
        found += ready
        names = names.union(*(each.ids("derived_from") for each in ready))
    return found, names


def _lies_in_archive(memory: Memory, entry: Entry) -> bool:
    return memory.inner(entry.path).startswith(ARCHIVE)


def _moved(memory: Memory, tree: Tree, entry: Entry) -> Iterator[Change]:
    if entry.in_log:
        raise Refused(f"{entry.id} is closed and stays in the archive of its log", f"minutebook expand {entry.id}")
    path = memory.outer(memory.inner(entry.path).removeprefix(ARCHIVE))
    if path in tree and tree[path] != tree[entry.path]:
        raise Refused(f"{path} holds another text", "rename it first")
    proposal = Proposal("create", entry.type, entry.id, entry.title, _WHY, entry.text)
    yield Change(path, tree.get(path), File(tree[entry.path].data), _WHY, (proposal,))
    yield Change(entry.path, tree[entry.path], None, _WHY)
