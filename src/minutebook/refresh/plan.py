"""What a refresh would write: repaired paths, sentences put right by a model, and `stale` notes where a type may be
edited; elsewhere drafts that are to take an entry's place. Nothing is deleted."""

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

from minutebook.ground import front_matter
from minutebook.ground.change import Change, File, Plan, Proposal, Refusal, Tree, joined, with_changes
from minutebook.ground.entry import Entry, decode, encode
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.markdown import cut
from minutebook.ground.memory import Memory, memory_after
from minutebook.ground.tokens import tokens
from minutebook.refresh.findings import THRESHOLD, Finding, Signal
from minutebook.refresh.moved import moved_below, moves_of, with_field, with_moved, with_moves
from minutebook.refresh.superseding import plan_mended, plan_successor

_LONGEST = 400
_WORTH_SAYING = 0.2
_TEXTS = ("title", "abstract")
_MOST_PROPOSED = 20
"""Drafts of one refresh: nobody reads more at a time."""


@frozen
class Rewritten:
    """What a model made of the text of an entry's file: `text`, "" when nothing of it may be taken; then `why` says
    so. `by` names the model."""

    text: str
    by: str
    why: str = ""


Rewrite = Callable[[Entry, str], Rewritten | None]
"""From an entry and its file's text, with the paths in it put right, to that text without what the code no longer
bears out; None for an entry that nothing was asked about."""


def plan_refresh(
    memory: Memory,
    tree: Tree,
    findings: Iterable[Finding],
    today: date,
    threshold: float = THRESHOLD,
    rewrite: Rewrite = lambda *_: None,
) -> Plan:
    """The plan for the findings at or above `threshold`, in their order.

    A path that moved gets its new place, in the anchors and in the text; what else speaks against an entry is put
    right by `rewrite`, or the entry gets `stale: {since, why}`, once. Append-only entries, decisions above all, are
    never edited: a draft that supersedes them is proposed. `verified` is left as it is: a rewrite verifies nothing.
    Applied twice it changes nothing.
    """
    entries = {(entry.path, entry.id): entry for entry in memory.entries()}
    chosen = [finding for finding in findings if finding.score >= threshold and (finding.path, finding.id) in entries]
    pairs = [(entries[finding.path, finding.id], finding) for finding in chosen]
    sealed = [(entry, finding) for entry, finding in pairs if memory.type_of(entry).append_only]
    mutable = [(entry, finding) for entry, finding in pairs if not memory.type_of(entry).append_only]
    edits = [_edited(entry, finding, tree[entry.path], today, rewrite) for entry, finding in mutable]
    plan = Plan(
        tuple(change for each in edits for change in each.changes),
        tuple(refusal for each in edits for refusal in each.refusals),
        figures={"entries stale": len(chosen)} if chosen else {},
    )
    return joined(plan, _drafts(sealed, memory, tree, today))


def _drafts(pairs: Iterable[tuple[Entry, Finding]], memory: Memory, tree: Tree, today: date) -> Plan:
    """The drafts that are to take the place of these entries, each planned on what the former leaves; one that is a
    draft itself may be edited."""
    plan = Plan()
    drafts = 0
    for entry, finding in pairs:
        if drafts == _MOST_PROPOSED:
            words = f"{_MOST_PROPOSED} entries are proposed at a time: this one comes when those are settled"
            plan = joined(plan, Plan(refusals=(Refusal(entry.id, words),)))
            continue
        after = memory_after(memory, tree, plan.changes) if drafts else memory
        left = with_changes(tree, plan.changes) if drafts else tree
        if memory.type_of(entry).stage(entry.status) == "draft":
            step = plan_mended(after, left, entry, finding)
        else:
            step = plan_successor(after, left, entry, finding, today)
        drafts += len(step.changes)
        plan = joined(plan, step)
    return plan


def _edited(entry: Entry, finding: Finding, file: File, today: date, rewrite: Rewrite) -> Plan:
    if entry.in_log or front_matter.split(entry.text) is None:
        because = _words(finding.reasons)
        return Plan(refusals=(Refusal(entry.id, f"it has no front matter to hold a note; {because}"),))
    before = decode(file.data)
    doubts = [each for each in finding.signals if each.moved is None and each.kind != "marked"]
    after = _with_moves(before, entry, finding.signals)
    made = rewrite(entry, after) if doubts else None
    refusals: tuple[Refusal, ...] = ()
    by, left = "", doubts
    if made is not None and made.text:
        # An anchor that leads nowhere is no sentence: a person has to say what the entry is about now.
        after, by, left = made.text, f"; put right by {made.by}", [each for each in doubts if _is_lost_anchor(each)]
    elif made is not None:
        refusals = (Refusal(entry.id, f"what {made.by} made of it was not taken: {made.why}"),)
    after = _with_note(after, entry, finding, left, today)
    if after == before:
        return Plan(refusals=refusals)
    least = _least(doubts)
    reason = _words(each.reason for each in finding.signals if each.kind != "marked" and each.weight >= least) + by
    proposal = Proposal("edit", entry.type, entry.id, entry.title, reason, "", (), tokens(before), tokens(after))
    change = Change(entry.path, file, replace(file, data=encode(after)), f"refresh: {finding.kind}", (proposal,))
    return Plan((change,), refusals)


def _is_lost_anchor(signal: Signal) -> bool:
    return signal.anchor and signal.kind == "gone"


def _with_moves(text: str, entry: Entry, signals: Iterable[Signal]) -> str:
    moved = [each for each in signals if each.moved is not None]
    moves, anchors = moves_of(moved), moves_of(each for each in moved if each.anchor)
    home = entry.path.rpartition("/")[0]
    if anchors:
        wanted = [with_moved(str(anchor), anchors, home) for anchor in entry.fields["anchors"]]
        text = with_field(text, "anchors", wanted, anchors, home)
    for name in _TEXTS:
        said = entry.fields.get(name)
        if isinstance(said, str) and (mended := with_moves(said, moves, home)) != said and f"\n{name}:" in text:
            text = with_field(text, name, mended, moves, home)
    return moved_below(text, moves, home)


def _with_note(text: str, entry: Entry, finding: Finding, doubts: list[Signal], today: date) -> str:
    """The text with a `stale` note, unless it has one, or what moved is all that weighs against it."""
    weighs = max((each.weight for each in doubts), default=0.0) >= THRESHOLD
    if not doubts or "stale" in entry.fields or not (weighs or all(each.moved is None for each in finding.signals)):
        return text
    why = _words(each.reason for each in doubts if each.weight >= _least(doubts))
    note: dict[str, Any] = {"since": today.isoformat(), "why": why}
    return front_matter.set_fields(text, {"stale": note})


def _least(doubts: list[Signal]) -> float:
    return min(_WORTH_SAYING, max((each.weight for each in doubts), default=0.0))


def _words(reasons: Iterable[str]) -> str:
    return cut("; ".join(" ".join(reason.split()) for reason in reasons), _LONGEST)
