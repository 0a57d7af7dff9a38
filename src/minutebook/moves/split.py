"""A log split by domain: entries go from one log to others of their type, byte for byte, in their order."""

from __future__ import annotations

from minutebook.checks.parts import sealed_text
from minutebook.ground.change import Change, File, Plan, Proposal, joined, with_changes
from minutebook.ground.entry import decode, encode
from minutebook.ground.errors import CannotJudge, Refused
from minutebook.ground.log_text import log_page
from minutebook.ground.markdown import split_lines
from minutebook.ground.memory import INDEX, memory_after, read_file
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import place_of
from minutebook.pages.in_step import index_change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from minutebook.ground.change import Tree
    from minutebook.ground.entry import Entry, MemoryFile
    from minutebook.ground.memory import Memory
    from minutebook.ground.memory_type import MemoryType


def log_of(memory: Memory, mtype: MemoryType, domain: str) -> str:
    """The path from the top of the type's log for this domain. Raises Refused when the type isn't split by domain,
    and CannotJudge when the name can't be one."""
    if mtype.layout != "log" or "{domain}" not in mtype.place:
        raise Refused(f"{mtype.name} has no logs by domain: its place is {mtype.place}")
    path = memory.outer(place_of(mtype, {"domain": domain}))
    if memory.type_at(path) != mtype:
        raise CannotJudge(f"{domain!r} can't be a domain: {path} is no place of a {mtype.name}")
    return path


def plan_split(memory: Memory, tree: Tree, mtype: MemoryType, source: str, domains: Mapping[str, str]) -> Plan:
    """The plan that moves each entry of `domains` (id to domain) out of the log at `source`, and brings a generated
    index along. What is in its domain's log already stays there.

    Raises Refused for an id that stands elsewhere, or where one entry would swallow another.
    """
    file = memory.files.get(source)
    by_domain: dict[str, list[Entry]] = {}
    for entry in file.entries if file is not None and file.log else ():
        target = log_of(memory, mtype, domains[entry.id]) if entry.id in domains else source
        if target != source:
            by_domain.setdefault(target, []).append(entry)
    _must_stand(memory, mtype, source, domains)
    moved = [entry for entries in by_domain.values() for entry in entries]
    if file is None or not moved:
        return Plan(notes=("every entry is where it should be",))
    changes = [Change(source, tree[source], _without(file, moved, memory, mtype), "split by domain")]
    changes += [_with(target, entries, memory, tree, mtype) for target, entries in sorted(by_domain.items())]
    plan = Plan(tuple(changes), figures={"entries moved": len(moved)})
    left = with_changes(tree, plan.changes)
    change = index_change(memory_after(memory, tree, plan.changes), left) if memory.outer(INDEX) in tree else None
    return joined(plan, Plan((change,) if change is not None else ()))


def _must_stand(memory: Memory, mtype: MemoryType, source: str, domains: Mapping[str, str]) -> None:
    where = {entry.id: entry.path for entry in memory.entries(archived=True)}
    for name, domain in domains.items():
        if name not in where:
            raise CannotJudge(f"there is no entry {name}", "minutebook search WORDS")
        if where[name] not in (source, log_of(memory, mtype, domain)):
            raise Refused(f"{name} stands in {where[name]}, and not in {source}")


def _without(file: MemoryFile, moved: Sequence[Entry], memory: Memory, mtype: MemoryType) -> File:
    taken = {at for entry in moved for at in range(entry.line, entry.line + len(split_lines(entry.text)))}
    rows = [line for number, line in enumerate(split_lines(file.text), 1) if number not in taken]
    names = {entry.id for entry in moved}
    rest = [entry for entry in file.entries if entry.id not in names]
    return _checked(file.path, "".join(rows), rest, memory, mtype)


def _with(target: str, entries: Sequence[Entry], memory: Memory, tree: Tree, mtype: MemoryType) -> Change:
    """The log with the entries at its open end: a log of its own begins as `minutebook new` would begin it."""
    order, there = memory.order(mtype), tree.get(target)
    file = memory.files.get(target)
    if file is not None and not file.log:
        raise Refused(f"{target} is one entry, and no log")
    text = decode(there.data) if there is not None else log_page(mtype, order)
    pieces = "".join(map(_ended, (entry.text for entry in entries)))
    before = file.entries if file is not None else ()
    if order == "newest-first" and file is not None and before:
        text = file.head + pieces + text[len(file.head) :]
    else:
        text = _ended(text) + pieces
    new = _checked(target, text, [*before, *entries], memory, mtype)
    why = "split by domain"
    proposals = tuple(
        Proposal("move", each.type, each.id, each.title, f"from {each.path}, byte for byte", "", (), size, size)
        for each in entries
        for size in (tokens(each.text),)
    )
    return Change(target, there, new, why, proposals)


def _checked(path: str, text: str, expected: Iterable[Entry], memory: Memory, mtype: MemoryType) -> File:
    """The file, when it is read as exactly these entries."""
    new = File(encode(text))
    found = read_file(path, new, mtype, memory.config).entries
    if sorted(sealed_text(each.text) for each in found) != sorted(sealed_text(each.text) for each in expected):
        raise Refused(f"in {path} one entry would become part of another: their headings' levels differ")
    return new


def _ended(text: str) -> str:
    """With a blank line after it, whatever it ended with."""
    newline = "\r\n" if text.endswith("\r\n") else "\n"
    return text if text.endswith(newline * 2) else f"{text}{newline}" if text.endswith("\n") else f"{text}\n\n"
