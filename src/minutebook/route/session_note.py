"""The note that each session leaves: what was read, how far, what came of it. Pure.

Its one source is the cursor: the last turn that was read and that turn's record hash. A session that grew is continued
from there; when that turn no longer has that hash (the transcript was rewritten), every turn is read again.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from datetime import date
from itertools import islice
from typing import Any

from minutebook.extract import session_key
from minutebook.extract.anchors import LONGEST
from minutebook.extract.cues import TYPE_OF
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
from minutebook.ground.uris import ARCHIVE, new_id, place_of, slug
from minutebook.route.provenance import quote_key

TYPE = "session"
_MOST_FILES = 30
_MOST_OPEN = 3
_COMMAND = re.compile(r"/[a-z][\w:-]{0,60}")
"""What an agent's program is told, and no words: `/drop`."""
_UNTITLED = "Session without a prompt"


def note_of(session: Session, memory: Memory) -> Entry | None:
    """The note of this session, in the archive too; the one that read furthest."""
    key = session_key(session)
    notes = [e for e in memory.entries(archived=True) if e.type == TYPE and e.fields.get("session") == key]
    return max(notes, key=lambda note: int(note.fields.get("records", 0)), default=None)


def is_read(session: Session, note: Entry | None) -> bool:
    """Whether there is nothing new in the transcript since the note was written."""
    if note is None:
        return False
    same = note.fields.get("transcript_sha256") == session.sha256
    return same or int(note.fields.get("records", 0)) >= session.records


def read_up_to(session: Session, note: Entry | None) -> int:
    """The number of the last turn that was read; 0 when none was, or when the transcript no longer has it."""
    cursor = (note.fields.get("sources") or [{}])[0] if note is not None else {}
    number, sha256 = cursor.get("turn", 0), cursor.get("sha256", "")
    known = next((turn for turn in session.turns if turn.number == number), None)
    return int(number) if known is not None and known.sha256 == sha256 else 0


def noted(session: Session, plan: Plan, memory: Memory, today: date, extractor: str = "") -> Plan:
    """The plan with the session's note as one more change. `memory` is as it lies there, before the plan; `extractor`
    names what read the session."""
    note = note_of(session, memory)
    live = note is not None and not memory.inner(note.path).startswith(ARCHIVE)
    read = {"transcript": session.format} | ({"extractor": extractor} if extractor else {})
    change = (
        _continued(session, plan, memory, today, note, read)
        if note and live
        else _new(session, plan, memory, today, note, read)
    )
    return replace(plan, changes=(*plan.changes, change))


def _new(
    session: Session, plan: Plan, memory: Memory, today: date, earlier: Entry | None, read: Mapping[str, str]
) -> Change:
    mtype = memory.types[TYPE]
    private = _private_words(session, plan, memory)
    title = _title(session, private)
    day = min(session.started[:10] or today.isoformat(), today.isoformat())
    taken = {entry.id for entry in memory.entries(archived=True)}
    base = slug(title, 40)
    for attempt in range(1, 1000):
        names = {"date": day, "slug": base if attempt == 1 else f"{base}-{attempt}"}
        path = memory.outer(place_of(mtype, names))
        archived = memory.outer(ARCHIVE + place_of(mtype, names))
        if path not in memory.files and archived not in memory.files:
            break
    fields: dict[str, Any] = {
        "type": TYPE,
        "id": new_id(mtype, names, session_key(session), taken),
        "title": title,
        "abstract": _abstract(title, sum(len(change.entries) for change in plan.changes)),
        "created": today.isoformat(),
        **_cursor(session),
        **read,
        **_about(session, plan, memory, ()),
    }
    since = read_up_to(session, earlier)
    text = front_matter.compose(fields, "## Overview\n" + _body(session, plan, memory, since, private))
    proposal = Proposal(
        "note", TYPE, fields["id"], title, "what was read, and how far", text, tokens_after=tokens(text)
    )
    return Change(path, None, File(encode(text)), "session note", (proposal,))


def _continued(session: Session, plan: Plan, memory: Memory, today: date, note: Entry, by: Mapping[str, str]) -> Change:
    since = read_up_to(session, note)
    private = _private_words(session, plan, memory)
    old = note.fields.get("anchors") or ()
    updates = {"updated": today.isoformat(), **_cursor(session), **by, **_about(session, plan, memory, old, note)}
    related = updates.get("relations", {}).get("related_to", ())
    updates["abstract"] = _abstract(note.title, len(related) + _came_of_it(plan, memory)[1])
    text = front_matter.set_fields(note.text, updates)
    read = f"records {note.fields.get('records', 0)} to {session.records}"
    more = _body(session, plan, memory, since, private, old)
    text = f"{text.rstrip()}\n\n## Continued on {today.isoformat()}, {read}\n{more}\n"
    proposal = Proposal(
        "note", TYPE, note.id, note.title, f"the session went on: {read}", text,
        tokens_before=tokens(note.text), tokens_after=tokens(text),
    )  # fmt: skip
    before = File(encode(memory.files[note.path].text))
    return Change(note.path, before, File(encode(text)), "session note continued", (proposal,))


def _cursor(session: Session) -> dict[str, Any]:
    last = session.turns[-1]
    source = {"session": session_key(session), "turn": last.number, "role": last.role, "sha256": last.sha256}
    return {
        "session": session_key(session),
        "records": session.records,
        "transcript_sha256": session.sha256,
        "sources": [source],
    }


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
    session: Session, plan: Plan, memory: Memory, since: int, private_words: Set[str], told: Sequence[str] = ()
) -> str:
    turns = [turn for turn in session.turns if turn.number > since]
    said = [turn for turn in turns if turn.role == "user"]
    read = f"A {session.format} session: {len(turns)} turns read, {len(said)} of them by a person."
    parts = [read if turns else "Nothing new was read; a person accepted what had been held back."]
    asked = next((text for turn in said if turn.kind == "text" and (text := _first_words(turn))), "")
    if asked and not _is_among(asked, private_words):
        parts.append(f"Asked: {full_stop(asked)}")
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
    left = _left_open(turns, private_words)
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
    return [plain_line(f"{each.id}: {each.reason}") for each in found[:_MOST_OPEN]]


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


def _is_among(text: str, private: Set[str]) -> bool:
    key = quote_key(text)
    return any(key in quote or quote in key for quote in private) if key else False


def _title(session: Session, private: Set[str]) -> str:
    """The first words of the talk; a neutral title when they are private."""
    prompts = (turn for turn in session.turns if turn.role == "user" and turn.kind == "text")
    found = next((words for turn in prompts if len(title_of(words := _first_words(turn))) > 2), "")
    if _is_among(found, private):
        return f"A {session.format} session"
    return title_of(found) or _UNTITLED


def _first_words(turn: Turn) -> str:
    """The first sentence that the person wrote themselves, on one line of at most 200 characters."""
    first = next((plain_line(each.text) for each in sentences(turn.text) if len(each.text) > 2), "")
    return cut(first, 200) if _COMMAND.fullmatch(first) is None else ""


def _files(session: Session) -> list[str]:
    """Changed files inside of the repository, with names that can be written down."""
    return [
        f
        for f in session.files
        if not f.startswith(("/", "~", "..")) and not set(f) & set(":`\\") and plain_line(f) == f and len(f) <= LONGEST
    ]


def _left_open(turns: Sequence[Turn], private: Set[str]) -> list[str]:
    """What a person put off in so many words."""
    marks = ("later", "follow-up", "follow up", "future enhancement", "todo", "not now", "another time")
    said = (each.text for turn in turns if turn.role == "user" for each in sentences(turn.text))
    found = [plain_line(text) for text in said if len(text) < 200 and any(mark in text.lower() for mark in marks)]
    shared = (text for text in dict.fromkeys(found) if not text.endswith("?") and not _is_among(text, private))
    return list(islice(shared, _MOST_OPEN))
