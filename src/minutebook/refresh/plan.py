"""What a refresh would write: repaired anchors and `stale` notes where a type may be edited, proposals elsewhere."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from minutebook.ground import front_matter
from minutebook.ground.change import Change, File, Plan, Proposal, Refusal, Tree
from minutebook.ground.entry import Entry, decode, encode
from minutebook.ground.markdown import cut
from minutebook.ground.memory import Memory
from minutebook.ground.tokens import tokens
from minutebook.refresh.anchors import looked_for
from minutebook.refresh.findings import THRESHOLD, Finding

_LONGEST = 400


def plan_refresh(
    memory: Memory, tree: Tree, findings: Iterable[Finding], today: date, threshold: float = THRESHOLD
) -> Plan:
    """The plan for the findings at or above `threshold`.

    An anchor whose file moved gets the new path; for any other reason the entry gets `stale: {since, why}`, once.
    Append-only entries, decisions above all, are never edited: the refusal says what to add instead. Applied twice
    it changes nothing.
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
    moves = dict(signal.moved for signal in finding.signals if signal.moved is not None)
    doubts = [signal.reason for signal in finding.signals if signal.moved is None and signal.kind != "marked"]
    updates: dict[str, Any] = {}
    if moves:
        updates["anchors"] = [_replaced(str(anchor), moves) for anchor in entry.fields["anchors"]]
    if doubts and "stale" not in entry.fields:
        updates["stale"] = {"since": today.isoformat(), "why": _words(doubts)}
    if not updates:
        return None
    before = decode(file.data)
    after = front_matter.set_fields(before, updates)
    reason = _words(signal.reason for signal in finding.signals if signal.kind != "marked")
    proposal = Proposal("edit", entry.type, entry.id, entry.title, reason, "", (), tokens(before), tokens(after))
    return Change(entry.path, file, File(encode(after), file.mode), f"refresh: {finding.kind}", (proposal,))


def _replaced(anchor: str, moves: dict[str, str]) -> str:
    target = moves.get(looked_for(anchor))
    if target is None:
        return anchor
    return f"{target}/" if anchor.endswith("/") else target


def _words(reasons: Iterable[str]) -> str:
    return cut("; ".join(" ".join(reason.split()) for reason in reasons), _LONGEST)
