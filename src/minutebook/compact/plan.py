"""Session notes become summaries, closed decisions leave the log; every original goes to the archive byte for byte."""

from collections.abc import Sequence
from datetime import date

from minutebook.compact.archive import plan_archive
from minutebook.compact.by_model import Writer
from minutebook.compact.decisions import plan_decisions
from minutebook.compact.grouping import Group, Limits, grouped
from minutebook.compact.guard import part_of, too_much
from minutebook.compact.ledger import Head, ledger_place, ledger_text
from minutebook.compact.lines import body_starts
from minutebook.compact.recall import Recall, Search, corpus, ranking, recall, sought
from minutebook.compact.summary import Salience
from minutebook.compact.uniting import plan_uniting
from minutebook.compact.written import EXTRACTED, Writing, Written, write
from minutebook.ground.change import Change, File, Plan, Proposal, Refusal, Tree, joined, with_changes
from minutebook.ground.entry import Entry, encode
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.memory import Memory, memory_after
from minutebook.ground.nouns import counted
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import ARCHIVE


@frozen
class By:
    """How a compaction works: the salience of sentences, the search that has to find the notes before and after, and
    the model that writes details, with its name."""

    salience: Salience
    search: Search = ranking
    writer: Writer | None = None
    writer_name: str = EXTRACTED


@frozen
class Bounds:
    """What is due (`limits`), and how much may go: `force` takes everything, `in_parts` as much as one plan may take
    and leaves the rest to the next one; else a plan that takes too much is refused as a whole."""

    limits: Limits = Limits()
    force: bool = False
    in_parts: bool = False


USUAL = Bounds()


def plan_compact(memory: Memory, tree: Tree, today: date, by: By, bounds: Bounds = USUAL) -> Plan:
    """The plan that compacts what is due.

    Durable entries that say nothing which another one doesn't are united with it. Ephemeral entries that are due
    (`Limits`, or their type's `compact_after`) become one summary for each month of their dates and every 40 notes,
    with a ledger of their claims; closed entries of append-only types move to the archive; active decisions get a page
    beside them. A summary is made of its originals alone, names them, inherits the oldest date on which one of them was
    known to be true, and is written only when it is smaller than they are.

    Refused without `force`: a plan that takes away too much of the memory, or after which the notes aren't found any
    more. Applied twice it changes nothing.
    """
    plan = plan_uniting(memory, tree)
    due = grouped(memory, today, bounds.limits)
    plan = joined(plan, Plan(refusals=due.refusals))
    groups, waiting = part_of(due.groups, memory) if bounds.in_parts and not bounds.force else (due.groups, 0)
    made = _summaries(groups, memory, tree, today, by, force=bounds.force) if groups else Plan()
    united = {"near-duplicates united": due.united} if due.united and made.changes else {}
    plan = joined(plan, replace(made, figures={**made.figures, **united}))
    if waiting:
        plan = replace(plan, notes=(*plan.notes, f"{counted(waiting, 'note')} wait for the next compaction: {_HALF}"))
    plan = joined(plan, plan_archive(memory, with_changes(dict(tree), plan.changes)))
    words = "" if bounds.force else too_much(plan, memory, tree)
    if words:
        plan = replace(Plan(), refusals=(*plan.refusals, Refusal("compaction", words)), notes=plan.notes)
    after = memory_after(memory, tree, plan.changes) if plan.changes else memory
    return joined(plan, plan_decisions(after, with_changes(tree, plan.changes), today))


_HALF = "one plan takes at most half of the live memory away"


def _summaries(groups: Sequence[Group], memory: Memory, tree: Tree, today: date, by: By, *, force: bool) -> Plan:
    """The summaries of the groups with their ledgers."""
    writing = Writing(memory, today, by.salience, corpus(memory), by.writer, by.writer_name)
    plan, written = Plan(), list[Written]()
    for group in groups:
        step, made = _compacted(group, memory, tree, writing)
        plan = joined(plan, step)
        written += [made] if made is not None else []
    return _with_ledgers(plan, written, memory, tree, writing, by.search, force=force) if written else plan


def _compacted(group: Group, memory: Memory, tree: Tree, writing: Writing) -> tuple[Plan, Written | None]:
    """The plan of a group without its ledger; None, with the reason as a refusal, where no summary is worth it."""
    moves, refusals, moved = list[Change](), list[Refusal](), list[Entry]()
    for note in group.notes:
        target = memory.outer(ARCHIVE + memory.inner(note.path))
        if target in tree and tree[target] != tree[note.path]:
            refusals.append(Refusal(note.id, f"{target} holds another text already; rename the note"))
            continue
        moved.append(note)
        moves += _moves(note, target, tree, f"compacted into summary-{group.slug}")
    if not moved:
        return Plan(refusals=tuple(refusals)), None
    made = write(group, tuple(moved), writing)
    notes = (made.note,) if made.note else ()
    if made.fault:
        return Plan((), (*refusals, Refusal(made.name, made.fault)), notes, made.figures), None
    proposal = Proposal(
        "compact", "summary", made.name, group.title, made.reason, made.text, (), made.before, made.after
    )
    moves.append(Change(made.path, tree.get(made.path), File(encode(made.text)), made.reason, (proposal,)))
    changes = tuple(sorted((move for move in moves if move.old != move.new), key=lambda move: move.path))
    return Plan(changes, tuple(refusals), notes, {"notes compacted": len(moved), **made.figures}), made


def _moves(note: Entry, target: str, tree: Tree, why: str) -> tuple[Change, Change]:
    original = tree[note.path]
    proposal = Proposal("archive", note.type, note.id, note.title, why, tokens_before=tokens(original.data))
    return Change(note.path, original, None, why, (proposal,)), Change(target, tree.get(target), original, why)


def _with_ledgers(
    plan: Plan, written: Sequence[Written], memory: Memory, tree: Tree, writing: Writing, search: Search, *, force: bool
) -> Plan:
    """The plan with a ledger for each summary, or a refusal where too few notes are found by their summaries."""
    then = sought(memory, search)
    now = sought(memory_after(memory, tree, plan.changes), search)
    changes, total = list[Change](), Recall()
    for each in written:
        found = recall(each.notes, writing.known, then, now, each.name)
        total = total.and_of(found)
        questions = (found.asked, found.before, found.after)
        head = Head(each.name, each.before, each.after, each.why, questions, body_starts(each.entry), each.by)
        text = ledger_text(head, each.notes, each.certificate)
        path = memory.outer(ledger_place(each.group.slug))
        changes.append(
            Change(path, tree.get(path), File(encode(text)), f"accounts for every claim of {each.name}'s notes")
        )
    if total.lost and not force:
        words = f"of {total.asked} questions about the notes {total.before} find them now, and then {total.after}"
        refusal = Refusal("compaction", f"{words} would find them or their summaries; --force writes it all the same")
        return replace(Plan(), refusals=(*plan.refusals, refusal), notes=plan.notes)
    claims = sum(len(each.certificate.rows) for each in written)
    carried = sum(row.line > 0 for each in written for row in each.certificate.rows)
    figures = {
        "claims": claims, "claims carried": carried, "questions": total.asked,
        "found before": total.before, "found after": total.after,
    }  # fmt: skip
    return joined(plan, Plan(tuple(changes), figures=figures))
