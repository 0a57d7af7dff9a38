"""Closed entries of append-only types leave the live files for the archive, their text untouched."""

from collections.abc import Iterable

from minutebook.ground.change import Change, File, Plan, Proposal, Refusal, Tree
from minutebook.ground.entry import Entry, MemoryFile, decode, encode
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import split_lines
from minutebook.ground.memory import Memory, read_file
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import ARCHIVE


@frozen
class _Move:
    path: str
    target: str
    closed: tuple[Entry, ...]


def plan_archive(memory: Memory, tree: Tree) -> Plan:
    """The plan that archives every entry of an append-only type whose own text says that it is closed
    (`> SUPERSEDED by …`, a closed status, `superseded_by`); an active entry never moves.

    A one-entry file moves as it is. From a log the entry's exact text is cut and put at the open end of the archive's
    log of the same name, where entries keep the order that they had.
    """
    changes: list[Change] = []
    refusals: list[Refusal] = []
    for path, file in memory.files.items():
        append_only = memory.types[file.type].append_only
        closed = tuple(entry for entry in file.entries if append_only and memory.is_closed(entry))
        if not closed or memory.inner(path).startswith((ARCHIVE, "../")) or path not in tree or memory.is_private(path):
            continue
        move = _Move(path, memory.outer(ARCHIVE + memory.inner(path)), closed)
        if file.log:
            cut = _cut(move, file, memory, tree)
            changes += cut
            if not cut:
                words = f"in {move.target} its heading's level would make it part of another entry"
                refusals.append(Refusal(closed[0].id, words))
        elif move.target in tree and tree[move.target] != tree[path]:
            refusals.append(Refusal(closed[0].id, f"{move.target} holds another text already"))
        else:
            changes.append(Change(path, tree[path], None, "closed: to the archive", _proposals(move)))
            changes.append(Change(move.target, tree.get(move.target), tree[path], "closed: to the archive"))
    moved = sum(len(change.entries) for change in changes)
    kept = tuple(sorted((each for each in changes if each.old != each.new), key=lambda change: change.path))
    return Plan(kept, tuple(refusals), (), {"entries archived": moved} if moved else {})


def _cut(move: _Move, file: MemoryFile, memory: Memory, tree: Tree) -> tuple[Change, ...]:
    """The log without the closed entries and the archive's log with them; nothing when the headings' levels would
    make one entry swallow another."""
    mtype = memory.types[file.type]
    taken = {at for entry in move.closed for at in range(entry.line, entry.line + len(split_lines(entry.text)))}
    left = "".join(line for number, line in enumerate(split_lines(file.text), 1) if number not in taken)
    there = tree.get(move.target)
    text = decode(there.data) if there is not None else f"# Archive of {memory.inner(move.path)}\n\n"
    before = read_file(move.target, File(encode(text)), mtype)
    pieces = "".join(_ended(entry.text) for entry in move.closed)
    if memory.order(mtype) == "newest-first" and before.entries:
        text = before.head + pieces + text[len(before.head) :]
    else:
        text = _ended(text) + pieces
    after = read_file(move.target, File(encode(text)), mtype)
    rest = read_file(move.path, File(encode(left)), mtype)
    remaining = [entry for entry in file.entries if entry not in move.closed]
    if _texts(after.entries) != _texts((*before.entries, *move.closed)) or _texts(rest.entries) != _texts(remaining):
        return ()
    return (
        Change(move.path, tree[move.path], File(encode(left)), "closed entries to the archive", _proposals(move)),
        Change(move.target, there, File(encode(text)), "closed entries of the log"),
    )


def _ended(text: str) -> str:
    """With a blank line after it, whatever it ended with."""
    return text if text.endswith("\n\n") else f"{text}\n" if text.endswith("\n") else f"{text}\n\n"


def _texts(entries: Iterable[Entry]) -> set[str]:
    return {entry.text.strip() for entry in entries}


def _proposals(move: _Move) -> tuple[Proposal, ...]:
    reason = "closed; its text stands in the archive as it was"
    return tuple(
        Proposal("archive", entry.type, entry.id, entry.title, reason, "", (), tokens(entry.text), 0)
        for entry in move.closed
    )
