"""Somebody looked and found an entry true: its `verified` date, which nothing else advances."""

import re
from datetime import date
from typing import Any

from minutebook.ground import front_matter
from minutebook.ground.change import Change, File, Plan, Proposal, Refusal, Tree, joined, with_changes
from minutebook.ground.entry import KNOWN_TRUE, Entry, day_of, decode, encode
from minutebook.ground.markdown import split_lines
from minutebook.ground.memory import Memory, memory_after

_LABEL = "**Verified:**"
_SAID = re.compile(r"(?mi)^\*\*Verified:\*\*[ \t]*([0-9]{4}-[0-9]{2}-[0-9]{2})[ \t]*\r?$")


def known_true(entry: Entry) -> date | None:
    """The day on which the entry was last known to be true: the latest addendum that says so, else its fields."""
    days = [day for said in (_SAID.findall(entry.text) if _LABEL in entry.text else ()) if (day := day_of(said))]
    return max(days) if days else entry.day(*KNOWN_TRUE)


def plan_verified(memory: Memory, tree: Tree, names: tuple[str, ...], today: date) -> Plan:
    """The plan that says of each entry that it was found true today; a `stale` note leaves it.

    An entry that can't be edited gets an addendum, where its type takes one: `**Verified:** DAY` as its last line.
    An entry that holds no more isn't verified but refused.
    """
    plan = Plan()
    for name in names:
        after, left = memory_after(memory, tree, plan.changes), with_changes(tree, plan.changes)
        entry = next(each for each in after.entries() if each.id == name)
        plan = joined(plan, _one(after, left, entry, today))
    return plan


def _one(memory: Memory, tree: Tree, entry: Entry, today: date) -> Plan:
    file, mtype = tree[entry.path], memory.type_of(entry)
    if memory.is_closed(entry):
        return Plan(refusals=(Refusal(entry.id, "it holds no more, so there is nothing to verify"),))
    before = decode(file.data)
    if mtype.append_only or entry.in_log or front_matter.split(before) is None:
        if mtype.addenda != "end" and mtype.append_only:
            return Plan(refusals=(Refusal(entry.id, f"a {entry.type} takes no addendum: add a new one that says so"),))
        after = _with_addendum(before, entry, today)
    else:
        updates: dict[str, Any] = {"verified": today.isoformat()}
        after = front_matter.set_fields(before, updates | ({"stale": None} if "stale" in entry.fields else {}))
    if after == before:
        return Plan(notes=(f"{entry.id} was verified today already",))
    reason = f"verified on {today}"
    proposal = Proposal("edit", entry.type, entry.id, entry.title, reason)
    return Plan((Change(entry.path, file, File(encode(after), file.mode), reason, (proposal,)),))


def _with_addendum(text: str, entry: Entry, today: date) -> str:
    """The file's text with the label as the last line of the entry's own."""
    row = f"{_LABEL} {today.isoformat()}"
    if row in entry.text:
        return text
    lines = split_lines(text)
    start = entry.line - 1
    end = start + len(split_lines(entry.text))
    own = lines[start:end]
    newline = "\r\n" if own and own[0].endswith("\r\n") else "\n"
    body = "".join(own).rstrip("\r\n-*_ ")
    tail = "".join(own)[len(body) :].lstrip("\r\n") if len("".join(own)) > len(body) else ""
    blank = newline if "".join(own).endswith((newline * 2, newline + "\n")) and not tail else ""
    return "".join(lines[:start]) + f"{body}{newline}{newline}{row}{newline}{blank}{tail}" + "".join(lines[end:])
