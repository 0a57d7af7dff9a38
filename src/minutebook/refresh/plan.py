"""What a refresh would write: repaired paths and `stale` notes where a type may be edited, proposals elsewhere."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from minutebook.ground import front_matter
from minutebook.ground.change import Change, File, Plan, Proposal, Refusal, Tree
from minutebook.ground.entry import Entry, decode, encode
from minutebook.ground.markdown import cut, read_lines
from minutebook.ground.memory import Memory
from minutebook.ground.tokens import tokens
from minutebook.refresh.anchors import looked_for
from minutebook.refresh.findings import THRESHOLD, Finding

_LONGEST = 400
_WORTH_SAYING = 0.2


def plan_refresh(
    memory: Memory, tree: Tree, findings: Iterable[Finding], today: date, threshold: float = THRESHOLD
) -> Plan:
    """The plan for the findings at or above `threshold`.

    A path that moved gets its new place, in the anchors and in the text; for any other reason the entry gets
    `stale: {since, why}`, once. Append-only entries, decisions above all, are never edited: the refusal says what to
    add instead. `verified` is left as it is: a rewrite verifies nothing. Applied twice it changes nothing.
    """
    entries = {(entry.path, entry.id): entry for entry in memory.entries()}
    changes: list[Change] = []
    refusals: list[Refusal] = []
    chosen = [finding for finding in findings if finding.score >= threshold]
    for finding in chosen:
        entry = entries.get((finding.path, finding.id))
        if entry is None:
            continue
        reason = _hindrance(entry, memory, finding)
        if reason:
            refusals.append(Refusal(entry.id, reason))
            continue
        change = _edit(entry, tree[entry.path], finding, today)
        if change is not None:
            changes.append(change)
    return Plan(tuple(changes), tuple(refusals), figures={"entries stale": len(chosen)} if chosen else {})


def _hindrance(entry: Entry, memory: Memory, finding: Finding) -> str:
    because = _words(finding.reasons)
    if memory.type_of(entry).append_only:
        if finding.kind == "superseded":
            return f"a {entry.type} is never edited by a refresh; a person may mark it: {because}"
        return (
            f"a {entry.type} is never edited; proposed: a new {entry.type} that supersedes {entry.id} "
            f"(minutebook new {entry.type}, with `Supersedes: {entry.id}`), because {because}"
        )
    if entry.in_log or front_matter.split(entry.text) is None:
        return f"it has no front matter to hold a note; {because}"
    return ""


def _edit(entry: Entry, file: File, finding: Finding, today: date) -> Change | None:
    moved = [(signal.anchor, *signal.moved) for signal in finding.signals if signal.moved is not None]
    doubts = [each for each in finding.signals if each.moved is None and each.kind != "marked"]
    strongest = max((each.weight for each in doubts), default=0.0)
    least = min(_WORTH_SAYING, strongest)
    updates: dict[str, Any] = {}
    anchors = {old: new for anchor, old, new in moved if anchor}
    if anchors:
        updates["anchors"] = [_replaced(str(anchor), anchors) for anchor in entry.fields["anchors"]]
    if doubts and "stale" not in entry.fields and (strongest >= THRESHOLD or not moved):
        why = _words(each.reason for each in doubts if each.weight >= least)
        updates["stale"] = {"since": today.isoformat(), "why": why}
    before = decode(file.data)
    after = front_matter.set_fields(before, updates) if updates else before
    after = _with_moves(after, {old: new for _, old, new in moved})
    if after == before:
        return None
    reason = _words(each.reason for each in finding.signals if each.kind != "marked" and each.weight >= least)
    proposal = Proposal("edit", entry.type, entry.id, entry.title, reason, "", (), tokens(before), tokens(after))
    return Change(entry.path, file, File(encode(after), file.mode), f"refresh: {finding.kind}", (proposal,))


def _replaced(anchor: str, moves: Mapping[str, str]) -> str:
    target = moves.get(looked_for(anchor))
    if target is None:
        return anchor
    return f"{target}/" if anchor.endswith("/") else target


def _with_moves(text: str, moves: Mapping[str, str]) -> str:
    """The text beneath the front matter with the new paths, in lines that speak for themselves: no quotation, no
    example, no comment."""
    found = front_matter.bounds(text)
    if not moves or found is None:
        return text
    longest = sorted(moves, key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w./@-])(?:\./)?({'|'.join(map(re.escape, longest))})(?![\w-]|\.\w)")
    rows = []
    for row in read_lines(text[found[2] :]):
        speaks = row.live and not row.text.lstrip().startswith(">")
        rows.append(pattern.sub(lambda match: moves[match[1]], row.text) if speaks else row.text)
    return text[: found[2]] + "".join(rows)


def _words(reasons: Iterable[str]) -> str:
    return cut("; ".join(" ".join(reason.split()) for reason in reasons), _LONGEST)
