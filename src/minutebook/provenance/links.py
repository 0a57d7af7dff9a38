"""The sources that an entry names, and the note of the session that they were read from."""

from collections.abc import Iterable, Mapping
from typing import Any

from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.memory import Memory
from minutebook.ground.session import Candidate, Role, Turn

_NOTE = "session"
_WORDS = ("session", "role", "quote", "sha256", "at", "extractor")
_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "tool": "tool"}


@frozen
class Source:
    """One source of an entry as it stands there: "" or 0 for what it doesn't say. `line` is where the entry's sources
    begin in the file; `accepts` is the number of the agent's turn that this turn of a person accepts."""

    entry: str
    type: str
    path: str
    line: int
    session: str
    turn: int = 0
    role: str = ""
    quote: str = ""
    sha256: str = ""
    at: str = ""
    extractor: str = ""
    accepts: int = 0


def sources_of(entry: Entry) -> list[Source]:
    """The sources that can be read; what a person wrote into the field otherwise is none."""
    listed = entry.fields.get("sources")
    found = [_source(entry, each) for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    return [_accepting(found, at, each) for at, each in enumerate(found) if each.session]


def candidate_of(source: Source) -> str:
    """The name of the words that the candidate was made of, the beginning of its id; "" when the source doesn't say
    enough, or is the turn that accepted another's words."""
    if source.accepts or not source.sha256 or not source.quote or source.role not in _ROLES:
        return ""
    turn = Turn(source.turn, _ROLES[source.role], "text", "", source.at, 0, source.sha256)
    return Candidate(source.type, "", "", "", source.quote, turn, source.session, "", 0.0).words_id


def entry_of(candidate: str, row: Mapping[str, Any], entries: Iterable[Entry]) -> Entry | None:
    """The entry that a candidate with this id became: one of its sources has that id, or says the words of `row`, which
    is what the git directory keeps of the candidate."""
    turn = row.get("turn")
    words = row.get("type"), row.get("session"), turn.get("sha256") if isinstance(turn, dict) else "", row.get("quote")
    for entry in entries:
        for source in sources_of(entry):
            said = source.type, source.session, source.sha256, source.quote
            if _begins(candidate, candidate_of(source)) or (source.sha256 and said == words):
                return entry
    return None


def note_of(source: Source, memory: Memory) -> Entry | None:
    """The note of a source's session, in the archive too: of several talks with one name the one that the entry came
    of, of several notes of one talk the one that read furthest."""
    notes = (each for each in memory.entries(archived=True) if each.type == _NOTE)
    named = (each for each in notes if each.fields.get("session") == source.session)
    return max(named, key=lambda note: (source.entry in note.ids("related_to"), records_of(note)), default=None)


def records_of(note: Entry) -> int:
    """How many records of the transcript had been read when the note was written."""
    records = note.fields.get("records")
    return records if isinstance(records, int) else 0


def by_session(entries: Iterable[Entry]) -> dict[str, list[Source]]:
    """The sources of many entries, by the session that they name."""
    found: dict[str, list[Source]] = {}
    for entry in entries:
        for source in sources_of(entry):
            found.setdefault(source.session, []).append(source)
    return found


def _source(entry: Entry, given: Mapping[str, Any]) -> Source:
    turn = given.get("turn")
    number = turn if isinstance(turn, int) else 0
    session, role, quote, sha256, at, extractor = (_text(given, name) for name in _WORDS)
    line = entry.line_of("sources")
    return Source(entry.id, entry.type, entry.path, line, session, number, role, quote, sha256, at, extractor)


def _accepting(found: list[Source], at: int, source: Source) -> Source:
    """A person's turn after an agent's, in the same session, stands there because it accepts it."""
    before = found[at - 1] if at else source
    accepts = (before.role, source.role) == ("assistant", "user") and before.session == source.session
    return replace(source, accepts=before.turn) if accepts and before.turn < source.turn else source


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    return value if isinstance(value, str) else ""


def _begins(candidate: str, words: str) -> bool:
    """Whether a candidate's id, or the beginning of one, is made of these words."""
    return words != "" and (candidate == words or candidate.startswith(f"{words}-"))
