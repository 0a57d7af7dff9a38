"""Session notes become summaries, closed decisions leave the log; every original goes to the archive byte for byte."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from minutebook.compact.archive import plan_archive
from minutebook.compact.certificate import FOLDER, Certificate, Head, abstract_of, certify, ledger_text
from minutebook.compact.decisions import plan_decisions
from minutebook.compact.grouping import Group, Limits, grouped
from minutebook.compact.guard import guarded
from minutebook.compact.recall import Corpus, Recall, corpus, distinctive, recall
from minutebook.compact.summary import Salience, summarize
from minutebook.ground import front_matter
from minutebook.ground.change import Change, File, Plan, Proposal, Refusal, Tree, joined, with_changes
from minutebook.ground.entry import KNOWN_TRUE, Entry, encode, read_entry
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.memory import Memory, memory_after
from minutebook.ground.nouns import counted
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import ARCHIVE, place_of

SHARE = 5
"""A summary takes at most one token in SHARE of its originals', or says why not."""
USUAL = Limits()
"""Each type's own age."""
_MOST_SOURCES = 200
_MOST_ANCHORS = 100


@frozen
class _Written:
    """A group whose summary is worth writing: the notes that go, the summary's path, text and certificate."""

    group: Group
    notes: tuple[Entry, ...]
    path: str
    text: str
    entry: Entry
    certificate: Certificate
    before: int

    @property
    def after(self) -> int:
        return tokens(self.text)

    @property
    def why(self) -> str:
        """Why the summary is longer than a fifth of its notes; "" when it isn't."""
        if self.after * SHARE <= self.before:
            return ""
        lines = sum(row.claim.kind in ("decision", "constraint", "question", "negation", "modal") and row.line > 0
                    for row in self.certificate.rows)  # fmt: skip
        return f"{100 * self.after // self.before} %: {counted(lines, 'sentence')} of the notes bind, and are carried"


def plan_compact(
    memory: Memory, tree: Tree, today: date, salience: Salience, limits: Limits = USUAL, *, force: bool = False
) -> Plan:
    """The plan that compacts what is due.

    Ephemeral entries that are due (`Limits`, or their type's `compact_after`) become one summary for each month of
    their dates and every 40 notes, with a ledger of their claims; closed entries of append-only types move to the
    archive; active decisions get a page beside them. A summary is made of its originals alone, names them, inherits
    the oldest date on which one of them was known to be true, and is written only when it is smaller than they are.

    Refused without `force`: a plan that takes away too much of the memory, or after which the notes aren't found any
    more. Applied twice it changes nothing.
    """
    due = grouped(memory, today, limits)
    before = corpus(memory) if due.groups else None
    plan, written = Plan(refusals=due.refusals), list[_Written]()
    for group in due.groups:
        step, made = _compacted(group, memory, tree, today, salience, before)
        plan = joined(plan, step)
        written += [made] if made is not None else []
    if before is not None and written:
        plan = _with_ledgers(plan, written, memory, tree, before, force=force)
    left = with_changes(dict(tree), plan.changes)
    plan = joined(plan, plan_archive(memory, left))
    plan = _with_united(plan, due.united) if written else plan
    plan = plan if force else guarded(plan, memory, tree)
    after = memory_after(memory, tree, plan.changes) if plan.changes else memory
    return joined(plan, plan_decisions(after, with_changes(tree, plan.changes), today))


def _with_united(plan: Plan, united: int) -> Plan:
    return replace(plan, figures={**plan.figures, "near-duplicates united": united}) if united else plan


def _compacted(
    group: Group, memory: Memory, tree: Tree, today: date, salience: Salience, known: Corpus | None
) -> tuple[Plan, _Written | None]:
    """The plan of a group without its ledger; None, with the reason as a refusal, where no summary is worth it."""
    moves, refusals, moved = list[Change](), list[Refusal](), list[Entry]()
    for note in group.notes:
        target = memory.outer(ARCHIVE + memory.inner(note.path))
        if target in tree and tree[target] != tree[note.path]:
            refusals.append(Refusal(note.id, f"{target} holds another text already; rename the note"))
            continue
        moved.append(note)
        moves += _moves(note, target, tree, f"compacted into summary-{group.slug}")
    if not moved or known is None:
        return Plan(refusals=tuple(refusals)), None
    written = _write(group, tuple(moved), memory, tree, today, salience, known)
    fault = _fault(written)
    if fault:
        return Plan(refusals=(*refusals, Refusal(f"summary-{group.slug}", fault))), None
    reason = (
        f"sums up {counted(len(moved), 'note')} in {written.after} tokens, down from {written.before}; "
        "the originals are archived"
    ) + (f" ({written.why})" if written.why else "")
    name = f"summary-{group.slug}"
    proposal = Proposal(
        "compact", "summary", name, group.title, reason, written.text, (), written.before, written.after
    )
    moves.append(Change(written.path, tree.get(written.path), File(encode(written.text)), reason, (proposal,)))
    changes = tuple(sorted((move for move in moves if move.old != move.new), key=lambda move: move.path))
    return Plan(changes, tuple(refusals), (), {"notes compacted": len(moved)}), written


def _moves(note: Entry, target: str, tree: Tree, why: str) -> tuple[Change, Change]:
    original = tree[note.path]
    proposal = Proposal("archive", note.type, note.id, note.title, why, tokens_before=tokens(original.data))
    return Change(note.path, original, None, why, (proposal,)), Change(target, tree.get(target), original, why)


def _fault(written: _Written) -> str:
    """Why the summary isn't written; "" when it is."""
    if written.after >= written.before:
        words = f"its summary would have {written.after} tokens, {counted(len(written.notes), 'note')} {written.before}"
        return f"{words}: nothing is gained"
    faults = written.certificate.faults
    return f"its certificate would not hold: {faults[0].message}" if faults else ""


def _write(
    group: Group, notes: tuple[Entry, ...], memory: Memory, tree: Tree, today: date, salience: Salience, known: Corpus
) -> _Written:
    before = sum(tokens(tree[note.path].data) for note in notes)
    fields = _fields(group, notes, today)
    room = before // SHARE - tokens(front_matter.compose(fields, ""))
    body = summarize(notes, salience, room, lambda note: distinctive(note, known))
    text = front_matter.compose(fields, body)
    path = memory.outer(place_of(memory.types["summary"], {"slug": group.slug}))
    entry, _ = read_entry(path, text, memory.types["summary"], group.slug)
    assert entry is not None  # we wrote its front matter just now
    return _Written(group, notes, path, text, entry, certify(notes, entry), before)


def _with_ledgers(
    plan: Plan, written: Sequence[_Written], memory: Memory, tree: Tree, before: Corpus, *, force: bool
) -> Plan:
    """The plan with a ledger for each summary, or a refusal where too few notes are found by their summaries."""
    after = corpus(memory_after(memory, tree, plan.changes))
    changes, total = list[Change](), Recall()
    for each in written:
        name = f"summary-{each.group.slug}"
        found = recall(each.notes, before, after, name, memory.config.budget)
        if found.lost and not force:
            words = f"of {found.asked} questions about the notes of {name} {found.before} find them now, and then"
            words += f" {found.after} would find them or it; --force writes it all the same"
            return replace(Plan(), refusals=(*plan.refusals, Refusal("compaction", words)))
        total = Recall(total.asked + found.asked, total.before + found.before, total.after + found.after)
        head = Head(name, each.before, each.after, each.why, (found.asked, found.before, found.after))
        text = ledger_text(head, each.notes, each.certificate)
        path = memory.outer(ledger_place(each.group.slug))
        changes.append(Change(path, tree.get(path), File(encode(text)), f"accounts for every claim of {name}'s notes"))
    claims = sum(len(each.certificate.rows) for each in written)
    carried = sum(row.line > 0 for each in written for row in each.certificate.rows)
    figures = {
        "claims": claims, "claims carried": carried, "questions": total.asked,
        "found before": total.before, "found after": total.after,
    }  # fmt: skip
    return joined(plan, Plan(tuple(changes), figures=figures))


def ledger_place(slug: str) -> str:
    """Where the ledger of a summary lies, from the memory root."""
    return f"{FOLDER}{slug}.jsonl"


def _fields(group: Group, notes: Sequence[Entry], today: date) -> dict[str, object]:
    oldest = min((day for note in notes if (day := note.day(*KNOWN_TRUE)) is not None), default=None)
    sessions = list(dict.fromkeys(session for note in notes for session in _sessions(note)))
    fields: dict[str, object] = {
        "type": "summary",
        "id": f"summary-{group.slug}",
        "title": group.title,
        "abstract": abstract_of(notes),
        "created": today.isoformat(),
        "sources": [{"session": session} for session in sessions[:_MOST_SOURCES]],
        "relations": {"derived_from": [note.id for note in notes]},
        "ledger": ledger_place(group.slug),
    }
    if oldest is not None:
        fields["verified"] = oldest.isoformat()
    anchors = list(dict.fromkeys(str(each) for note in notes for each in _list(note.fields.get("anchors"))))
    if anchors:
        fields["anchors"] = anchors[:_MOST_ANCHORS]
    return fields


def _sessions(entry: Entry) -> Iterator[str]:
    """The sessions that the note comes from; a note that names none stands for itself."""
    named = [str(entry.fields["session"])] if entry.fields.get("session") else []
    named += [str(each["session"]) for each in _list(entry.fields.get("sources")) if isinstance(each, Mapping)]
    yield from named or [entry.id]


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
