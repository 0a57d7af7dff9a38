"""The note that each session leaves: what was read, how far (`cursor`), what came of it. Pure.

A session that grew is continued where reading stopped; when what was read is no longer the same (the transcript was
rewritten), every turn is read again, and the plan and the note say so. `note_words` says which words it repeats.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from itertools import count
from typing import Any

from minutebook.extract import session_key
from minutebook.extract.wording import full_stop
from minutebook.ground import front_matter
from minutebook.ground.change import Change, File, Plan, Proposal
from minutebook.ground.entry import Entry, encode
from minutebook.ground.frozen import replace
from minutebook.ground.memory import Memory
from minutebook.ground.nouns import counted
from minutebook.ground.session import Session
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import ARCHIVE, new_id, place_of, slug
from minutebook.route.cursor import cursor_fields, cursor_of, is_read, own_note, read_up_to, was_rewritten
from minutebook.route.known import NOTE, Known, known_of
from minutebook.route.note_body import body_of, came_of_it, files_of
from minutebook.route.note_words import words_of
from minutebook.route.provenance import quote_key

TYPE = NOTE
_MOST_ANCHORS = 100


def note_of(session: Session, memory: Memory | Known) -> Entry | None:
    """The note of this session, in the archive too."""
    return own_note(session, known_of(memory).notes(session_key(session)))


def noted(session: Session, plan: Plan, memory: Memory | Known, today: date, extractor: str = "") -> Plan:
    """The plan with the session's note as one more change. The note of a memory is as it lies there; `extractor` names
    what read the session."""
    known = known_of(memory)
    memory = known.memory
    note = note_of(session, known)
    live = note is not None and not memory.inner(note.path).startswith(ARCHIVE)
    read = {"transcript": session.format} | ({"extractor": extractor} if extractor else {})
    change = (
        _continued(session, plan, known, today, note, read)
        if note and live
        else _new(session, plan, known, today, note, read)
    )
    return replace(plan, changes=(*plan.changes, change))


def _new(
    session: Session, plan: Plan, known: Known, today: date, earlier: Entry | None, read: Mapping[str, str]
) -> Change:
    memory = known.memory
    mtype = memory.types[TYPE]
    since = read_up_to(session, earlier)
    words = words_of(session, plan, memory, since, _judged(session, plan, known))
    day = min(session.started[:10] or today.isoformat(), today.isoformat())
    names = _free_names(known, day, slug(words.title, 40))
    path = memory.outer(place_of(mtype, names))
    fields: dict[str, Any] = {
        "type": TYPE,
        "id": new_id(mtype, names, session_key(session), known.taken),
        "title": words.title,
        "abstract": _abstract(words.title, sum(len(change.entries) for change in plan.changes)),
        "created": today.isoformat(),
        **cursor_fields(session),
        **read,
        **_about(session, plan, memory, ()),
    }
    text = front_matter.compose(fields, "## Overview\n" + body_of(session, plan, memory, since, words))
    why = "what was read, and how far"
    proposal = Proposal("note", TYPE, fields["id"], words.title, why, text, tokens_after=tokens(text))
    return Change(path, None, File(encode(text)), "session note", (proposal,))


def _continued(session: Session, plan: Plan, known: Known, today: date, note: Entry, by: Mapping[str, str]) -> Change:
    memory = known.memory
    since = read_up_to(session, note)
    words = words_of(session, plan, memory, since, _judged(session, plan, known))
    anchors = note.fields.get("anchors")
    old = [each for each in anchors if isinstance(each, str)] if isinstance(anchors, list) else []
    updates = {"updated": today.isoformat(), **cursor_fields(session), **by, **_about(session, plan, memory, old, note)}
    related = updates.get("relations", {}).get("related_to", ())
    updates["abstract"] = _abstract(note.title, len(related) + came_of_it(plan, memory)[1])
    text = front_matter.set_fields(note.text, updates)
    head, reason = _went_on(session, note, today)
    more = body_of(session, plan, memory, since, words, old)
    text = f"{text.rstrip()}\n\n## {head}\n{more}\n"
    proposal = Proposal(
        "note", TYPE, note.id, note.title, reason, text,
        tokens_before=tokens(note.text), tokens_after=tokens(text),
    )  # fmt: skip
    before = File(encode(memory.files[note.path].text))
    return Change(note.path, before, File(encode(text)), "session note continued", (proposal,))


def _went_on(session: Session, note: Entry, today: date) -> tuple[str, str]:
    """The heading under which a note is continued, and the reason that a reviewer is told."""
    day, before = today.isoformat(), cursor_of(note).records
    if is_read(session, note):
        return f"Accepted on {day}", "a person accepted what had been held back"
    if was_rewritten(session, note):
        read = f"all {counted(session.records, 'record')}"
        return f"Read again on {day}, {read}", f"what was read before has changed in the transcript: read again, {read}"
    read = f"records {before + 1} to {session.records}" if session.records > before + 1 else f"record {session.records}"
    return f"Continued on {day}, {read}", f"the session went on: {read}"


def _free_names(known: Known, day: str, base: str) -> dict[str, str]:
    """The names by which a note has a place of its own, in the archive too."""
    memory, mtype, start = known.memory, known.memory.types[TYPE], f"{day}-{base}"
    for attempt in count(known.numbers.get(start, 1)):
        names = {"date": day, "slug": base if attempt == 1 else f"{base}-{attempt}"}
        inner = place_of(mtype, names)
        if memory.outer(inner) not in memory.files and memory.outer(ARCHIVE + inner) not in memory.files:
            known.numbers[start] = attempt
            return names
    raise AssertionError(base)


def _about(
    session: Session, plan: Plan, memory: Memory, anchors: Sequence[str], note: Entry | None = None
) -> dict[str, Any]:
    files = files_of(session, anchors, _MOST_ANCHORS)
    shared, _ = came_of_it(plan, memory)
    old = list(note.ids("related_to")) if note is not None else []
    ids = list(dict.fromkeys([*old, *(proposal.id for proposal in shared)]))
    found: dict[str, Any] = {}
    if anchors or files:
        found["anchors"] = [*anchors, *files][:_MOST_ANCHORS]
    if ids:
        found["relations"] = {"related_to": ids}
    return found


def _abstract(title: str, entries: int) -> str:
    came = counted(entries, "entry") if entries else "No entry"
    return f"{full_stop(title)} {came} came of it."


def _judged(session: Session, plan: Plan, known: Known) -> frozenset[str]:
    """What isn't left open, as keys: the words that back an entry of this session, that were known, or are asked
    about."""
    quotes = list(known.quotes(session_key(session)))
    quotes += [proof.quote for change in plan.changes for entry in change.entries for proof in entry.evidence]
    quotes += [each.quote for each in plan.refusals]
    return frozenset(map(quote_key, quotes)) - {""}
