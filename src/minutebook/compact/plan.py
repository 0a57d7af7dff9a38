"""Session notes become summaries, closed decisions leave the log; every original goes to the archive byte for byte."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date

from minutebook.compact.archive import plan_archive
from minutebook.ground import front_matter
from minutebook.ground.change import Change, File, Plan, Proposal, Refusal, Tree, joined, with_changes
from minutebook.ground.entry import KNOWN_TRUE, Entry, day_of, encode
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import cut
from minutebook.ground.memory import Memory
from minutebook.ground.nouns import counted, plural
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import ARCHIVE, place_of, placed

Summarise = Callable[[Sequence[str], int], str]

MOST_NOTES = 40
SHARE = 5
_LEAST_BUDGET = 40
_MOST_SOURCES = 200
_NUMBERED = "Numbers in brackets count the entries of `derived_from`."
_NOTHING = "The notes hold no sentence that could be carried over."


@frozen
class Group:
    """Notes of one type and month, at most MOST_NOTES, oldest first; `slug` names their summary."""

    slug: str
    title: str
    notes: tuple[Entry, ...]


def plan_compact(memory: Memory, tree: Tree, today: date, summarise: Summarise, older_than: int | None = None) -> Plan:
    """The plan that compacts what is due.

    Ephemeral entries older than their type's `compact_after` (or `older_than` hours) become one summary for each
    month of their dates and every 40 notes; closed entries of append-only types move to the archive. A summary
    names its originals, inherits the oldest date on which one of them was known to be true, and is written only
    when it is smaller than they are. `summarise(texts, budget)` gives a summary's body. Applied twice it changes
    nothing.
    """
    groups, refusals = _groups(memory, today, older_than)
    plan = Plan(refusals=tuple(refusals))
    for group in groups:
        plan = joined(plan, _compact(group, memory, tree, today, summarise))
    left = with_changes(dict(tree), plan.changes)
    return joined(plan, plan_archive(memory, left))


def _groups(memory: Memory, today: date, older_than: int | None) -> tuple[list[Group], list[Refusal]]:
    due: dict[tuple[str, str], list[tuple[date, Entry]]] = {}
    refusals = []
    for entry in memory.entries():
        mtype = memory.type_of(entry)
        limit = mtype.compact_after if older_than is None else older_than
        if mtype.durability != "ephemeral" or mtype.compact_after is None or limit is None or entry.in_log:
            continue
        day = _written(entry, memory)
        if day is None:
            refusals.append(Refusal(entry.id, "it has no date, so its age is unknown: add `updated: YYYY-MM-DD`"))
        elif memory.is_private(entry.path):
            refusals.append(
                Refusal(entry.id, "it lies in a private space; no shared summary is made of it", "", entry.type)
            )
        elif (today - day).days * 24 >= limit:
            due.setdefault((entry.type, f"{day:%Y-%m}"), []).append((day, entry))
    groups = []
    taken = {memory.inner(path) for path in memory.files}
    for (type_name, month), dated in sorted(due.items()):
        notes = [entry for _, entry in sorted(dated, key=lambda pair: (pair[0], pair[1].path))]
        for start in range(0, len(notes), MOST_NOTES):
            slug = _free_slug(memory, f"{plural(type_name)}-{month}", taken)
            title = f"{plural(memory.types[type_name].title)} of {month}"
            groups.append(Group(slug, title, tuple(notes[start : start + MOST_NOTES])))
    return groups, refusals


def _free_slug(memory: Memory, wanted: str, taken: set[str]) -> str:
    number, slug = 1, wanted
    while place_of(memory.types["summary"], {"slug": slug}) in taken:
        number += 1
        slug = f"{wanted}-{number}"
    taken.add(place_of(memory.types["summary"], {"slug": slug}))
    return slug


def _compact(group: Group, memory: Memory, tree: Tree, today: date, summarise: Summarise) -> Plan:
    moves, refusals = list[Change](), list[Refusal]()
    moved = []
    for note in group.notes:
        target = memory.outer(ARCHIVE + memory.inner(note.path))
        original = tree[note.path]
        if target in tree and tree[target] != original:
            refusals.append(Refusal(note.id, f"{target} holds another text already; rename the note"))
            continue
        moved.append(note)
        why = f"compacted into summary-{group.slug}"
        proposal = Proposal("archive", note.type, note.id, note.title, why, tokens_before=tokens(original.data))
        moves.append(Change(note.path, original, None, why, (proposal,)))
        moves.append(Change(target, tree.get(target), original, why))
    before = sum(tokens(tree[note.path].data) for note in moved)
    if not moved:
        return Plan(refusals=tuple(refusals))
    text = _summary(group, moved, today, summarise, before)
    after = tokens(text)
    if after >= before:
        words = f"its summary would have {after} tokens, {counted(len(moved), 'note')} {before}: nothing is gained"
        return Plan(refusals=(*refusals, Refusal(f"summary-{group.slug}", words)))
    path = memory.outer(place_of(memory.types["summary"], {"slug": group.slug}))
    reason = f"sums up {counted(len(moved), 'note')} in {after} tokens, down from {before}; the originals are archived"
    proposal = Proposal("compact", "summary", f"summary-{group.slug}", group.title, reason, text, (), before, after)
    moves.append(Change(path, tree.get(path), File(encode(text)), reason, (proposal,)))
    figures = {"notes compacted": len(moved)}
    changes = tuple(sorted((move for move in moves if move.old != move.new), key=lambda move: move.path))
    return Plan(changes, tuple(refusals), (), figures)


def _summary(group: Group, notes: Sequence[Entry], today: date, summarise: Summarise, before: int) -> str:
    texts = [(front_matter.split(note.text) or ("", note.text, 1))[1] for note in notes]
    with_abstracts = [f"{note.abstract}\n\n{text}" for note, text in zip(notes, texts, strict=True)]
    body = summarise(with_abstracts, max(_LEAST_BUDGET, before // SHARE))
    oldest = min((day for note in notes if (day := note.day(*KNOWN_TRUE)) is not None), default=None)
    sessions = list(dict.fromkeys(session for note in notes for session in _sessions(note)))
    days = sorted(str(note.fields.get("date") or note.fields.get("created") or "")[:10] for note in notes)
    span = (
        f" from {days[0]} to {days[-1]}" if days[0] and days[0] != days[-1] else f" of {days[-1]}" if days[-1] else ""
    )
    titles = "; ".join(cut(note.title, 60) for note in notes[:5])
    fields: dict[str, object] = {
        "type": "summary",
        "id": f"summary-{group.slug}",
        "title": group.title,
        "abstract": f"What {counted(len(notes), 'note')}{span} came to: {titles}.",
        "created": today.isoformat(),
        "sources": [{"session": session} for session in sessions[:_MOST_SOURCES]],
        "relations": {"derived_from": [note.id for note in notes]},
    }
    if oldest is not None:
        fields["verified"] = oldest.isoformat()
    anchors = list(dict.fromkeys(str(each) for note in notes for each in _list(note.fields.get("anchors"))))
    if anchors:
        fields["anchors"] = anchors[:100]
    return front_matter.compose(fields, f"{body or _NOTHING}\n\n{_NUMBERED}")


def _written(entry: Entry, memory: Memory) -> date | None:
    """The day on which the note was last written: what its age counts from."""
    named = placed(memory.type_of(entry), memory.inner(entry.path)) or {}
    return entry.day("updated", "date", "created") or day_of(str(named.get("date", "")))


def _sessions(entry: Entry) -> Iterator[str]:
    """The sessions that the note comes from; a note that names none stands for itself."""
    named = [str(entry.fields["session"])] if entry.fields.get("session") else []
    named += [str(each["session"]) for each in _list(entry.fields.get("sources")) if isinstance(each, Mapping)]
    yield from named or [entry.id]


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
