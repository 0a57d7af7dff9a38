"""The note that each session leaves: what was read, how far (`cursor`), what came of it. Pure.

A session that grew is continued where reading stopped; when what was read is no longer the same (the transcript was
rewritten), every turn is read again, and the plan and the note say so.

A note is memory like any other, and nobody asked for its words: what a person must look at before it may be written
(`extract/danger.py`), what can't be seen, and secrets that only the note's own cutting and joining would put together
don't get into it.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from datetime import date
from itertools import count
from typing import Any

from minutebook.extract import session_key
from minutebook.extract.anchors import LONGEST
from minutebook.extract.cues import TYPE_OF
from minutebook.extract.danger import why_dangerous
from minutebook.extract.prose import plain_line, sentences
from minutebook.extract.spoken import cue_of
from minutebook.extract.wording import full_stop, title_of
from minutebook.ground import front_matter
from minutebook.ground.change import Change, File, Plan, Proposal
from minutebook.ground.entry import Entry, encode
from minutebook.ground.frozen import replace
from minutebook.ground.markdown import cut
from minutebook.ground.memory import Memory
from minutebook.ground.nouns import counted
from minutebook.ground.session import Session, Turn
from minutebook.ground.tokens import tokens
from minutebook.ground.unseen import has_unseen
from minutebook.ground.uris import ARCHIVE, new_id, place_of, slug
from minutebook.redaction.redact import Redactor
from minutebook.route.cursor import cursor_fields, cursor_of, is_read, own_note, read_up_to, was_rewritten
from minutebook.route.known import NOTE, Known, known_of
from minutebook.route.provenance import quote_key

TYPE = NOTE
_MOST_FILES = 30
_MOST_OPEN = 3
_COMMAND = re.compile(r"/[a-z][\w:-]{0,60}")
"""What an agent's program is told, and no words: `/drop`."""
_UNTITLED = "Session without a prompt"


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
    private = _private_words(session, plan, memory)
    title = _title(session, private)
    day = min(session.started[:10] or today.isoformat(), today.isoformat())
    names = _free_names(known, day, slug(title, 40))
    path = memory.outer(place_of(mtype, names))
    fields: dict[str, Any] = {
        "type": TYPE,
        "id": new_id(mtype, names, session_key(session), known.taken),
        "title": title,
        "abstract": _abstract(title, sum(len(change.entries) for change in plan.changes)),
        "created": today.isoformat(),
        **cursor_fields(session),
        **read,
        **_about(session, plan, memory, ()),
    }
    since = read_up_to(session, earlier)
    text = front_matter.compose(fields, "## Overview\n" + _body(session, plan, known, since, private))
    proposal = Proposal(
        "note", TYPE, fields["id"], title, "what was read, and how far", text, tokens_after=tokens(text)
    )
    return Change(path, None, File(encode(text)), "session note", (proposal,))


def _continued(session: Session, plan: Plan, known: Known, today: date, note: Entry, by: Mapping[str, str]) -> Change:
    memory = known.memory
    since = read_up_to(session, note)
    private = _private_words(session, plan, memory)
    anchors = note.fields.get("anchors")
    old = [each for each in anchors if isinstance(each, str)] if isinstance(anchors, list) else []
    updates = {"updated": today.isoformat(), **cursor_fields(session), **by, **_about(session, plan, memory, old, note)}
    related = updates.get("relations", {}).get("related_to", ())
    updates["abstract"] = _abstract(note.title, len(related) + _came_of_it(plan, memory)[1])
    text = front_matter.set_fields(note.text, updates)
    head, reason = _went_on(session, note, today)
    more = _body(session, plan, known, since, private, old)
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
    files = [file for file in _files(session) if file not in anchors]
    shared, _ = _came_of_it(plan, memory)
    old = list(note.ids("related_to")) if note is not None else []
    ids = list(dict.fromkeys([*old, *(proposal.id for proposal in shared)]))
    found: dict[str, Any] = {}
    if anchors or files:
        found["anchors"] = [*anchors, *files][:100]
    if ids:
        found["relations"] = {"related_to": ids}
    return found


def _body(
    session: Session, plan: Plan, known: Known, since: int, private_words: Set[str], told: Sequence[str] = ()
) -> str:
    memory = known.memory
    turns = [turn for turn in session.turns if turn.number > since]
    said = [turn for turn in turns if turn.role == "user"]
    read = f"{_a(session)}: {counted(len(turns), 'turn')} read, {len(said)} of them by a person."
    parts = [read if turns else "Nothing new was read; a person accepted what had been held back."]
    asked = next((text for turn in said if turn.kind == "text" and (text := _first_words(turn))), "")
    if asked and not _is_among(asked, private_words):
        why = _unfit(asked)
        parts.append(f"What was asked is not repeated here: {why}." if why else f"Asked: {full_stop(asked)}")
    shared, private = _came_of_it(plan, memory)
    if shared or private:
        rows = [f"- {each.id}: {plain_line(each.title)} ({each.verb})" for each in shared]
        rows += [f"- {private} more in owner spaces"] if private else []
        parts.append("### What came of it\n" + "\n".join(rows))
    held_back = _held_back(plan)
    if held_back:
        parts.append(f"Held back: {held_back}.")
    asked_of_people = _questions(plan, memory)
    if asked_of_people:
        parts.append("### Open questions\n" + "\n".join(f"- {each}" for each in asked_of_people))
    files = [file for file in _files(session) if file not in told][:_MOST_FILES]
    if files:
        parts.append("### Files changed\n" + "\n".join(f"- `{file}`" for file in files))
    left = _left_open(turns, private_words | _judged(session, plan, known))
    if left:
        parts.append("### Left open\n" + "\n".join(f"- {each}" for each in left))
    return "\n\n".join(parts)


def _came_of_it(plan: Plan, memory: Memory) -> tuple[list[Proposal], int]:
    """(entries that may be named in a shared note, how many lie in owner spaces that stay out of git)."""
    shared: list[Proposal] = []
    private = 0
    for change in plan.changes:
        hidden = memory.is_private(change.path)
        private += len(change.entries) if hidden else 0
        shared += () if hidden else change.entries
    return shared, private


def _held_back(plan: Plan) -> str:
    """How much was found and not written, by what keeps it back."""
    kinds = {"quarantine": "in quarantine", "question": "with an open question", "rejected": "rejected before"}
    count = Counter(refusal.kind for refusal in plan.refusals)
    return ", ".join(f"{count[kind]} {words}" for kind, words in kinds.items() if count[kind])


def _questions(plan: Plan, memory: Memory) -> list[str]:
    """What a person has to say before it can be written, but for what lies in private owner spaces."""
    private = memory.private_types
    found = [each for each in plan.refusals if each.kind == "question" and each.type not in private]
    return [Redactor().redact(plain_line(f"{each.id}: {each.reason}")) for each in found[:_MOST_OPEN]]


def _abstract(title: str, entries: int) -> str:
    came = counted(entries, "entry") if entries else "No entry"
    return f"{full_stop(title)} {came} came of it."


def _private_words(session: Session, plan: Plan, memory: Memory) -> frozenset[str]:
    """What a note that is shared carries nothing of, as keys: what a person said that belongs in a private owner space,
    what is in quarantine, and what was rejected.

    It is told by the plan's quotes, and by the sentences themselves: what was known, or one too many, is no part of
    the plan and just as private.
    """
    types = memory.private_types
    inside = (change for change in plan.changes if memory.is_private(change.path))
    quotes = [proof.quote for change in inside for entry in change.entries for proof in entry.evidence]
    quotes += [each.quote for each in plan.refusals if each.type in types or each.kind in ("quarantine", "rejected")]
    spoken = (each.text for turn in session.turns if turn.role == "user" for each in sentences(turn.text))
    cues = ((text, cue_of(text)[1]) for text in spoken)
    quotes += [text for text, cue in cues if cue is not None and TYPE_OF[cue.kind] in types]
    return frozenset(quote_key(quote) for quote in quotes) - {""}


def _judged(session: Session, plan: Plan, known: Known) -> frozenset[str]:
    """What isn't left open, as keys: the words that back an entry of this session, that were known, or are asked
    about."""
    quotes = list(known.quotes(session_key(session)))
    quotes += [proof.quote for change in plan.changes for entry in change.entries for proof in entry.evidence]
    quotes += [each.quote for each in plan.refusals]
    return frozenset(map(quote_key, quotes)) - {""}


def _a(session: Session) -> str:
    return f"{'An' if session.format[:1] in 'aeiou' else 'A'} {session.format} session"


def _is_among(text: str, private: Set[str]) -> bool:
    key = quote_key(text)
    return any(key in quote or quote in key for quote in private) if key else False


def _title(session: Session, private: Set[str]) -> str:
    """The first words of the talk; a neutral title when they are private."""
    prompts = (turn for turn in session.turns if turn.role == "user" and turn.kind == "text")
    found = next((words for turn in prompts if len(title_of(words := _first_words(turn))) > 2), "")
    title = Redactor().redact(title_of(found))
    if _is_among(found, private) or _unfit(found) or _unfit(title):
        return _a(session)
    return title or _UNTITLED


def _first_words(turn: Turn) -> str:
    """The first sentence that the person wrote themselves, on one line of at most 200 characters."""
    first = next((plain_line(each.text) for each in sentences(turn.text) if len(each.text) > 2), "")
    return Redactor().redact(cut(first, 200)) if _COMMAND.fullmatch(first) is None else ""


def _unfit(text: str) -> str:
    """Why words of the talk don't stand in a note; "" when they may."""
    return "it holds characters that nobody can see" if has_unseen(text) else why_dangerous(text)


def _files(session: Session) -> list[str]:
    """Changed files inside of the repository, with names that can be written down."""
    found = [
        f
        for f in session.files
        if not f.startswith(("/", "~", "..")) and not set(f) & set(":`\\") and plain_line(f) == f and len(f) <= LONGEST
    ]
    return [f for f, redacted in zip(found, Redactor().redact_all(found), strict=True) if f == redacted]


def _left_open(turns: Sequence[Turn], private: Set[str]) -> list[str]:
    """What a person put off in so many words."""
    marks = ("later", "follow-up", "follow up", "future enhancement", "todo", "not now", "another time")
    said = (each.text for turn in turns if turn.role == "user" for each in sentences(turn.text))
    found = [plain_line(text) for text in said if len(text) < 200 and any(mark in text.lower() for mark in marks)]
    shared = [text for text in dict.fromkeys(found) if not text.endswith("?") and not _is_among(text, private)]
    fit = [Redactor().redact(text) for text in shared if not _unfit(text)]
    unfit = len(shared) - len(fit)
    return [*fit[:_MOST_OPEN], *([f"{unfit} more, not repeated here: a person should look at the talk"] * (unfit > 0))]
