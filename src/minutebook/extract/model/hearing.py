"""One session before a model: what it may read, what it proposes, what became of each proposal."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from minutebook.extract import MOST, MOST_QUARANTINED
from minutebook.extract.contradiction import conflict
from minutebook.extract.model.candidate import judge_proposal
from minutebook.extract.model.case import Case, Judged
from minutebook.extract.model.memory import listed, read, relations, shown
from minutebook.extract.prose import plain_line
from minutebook.extract.stance import overlap, stance, words
from minutebook.extract.tools import LONGEST_QUOTE, READING, memory_tools
from minutebook.ground.asking import Call
from minutebook.ground.change import Refusal
from minutebook.ground.entry import Entry
from minutebook.ground.errors import CannotJudge
from minutebook.ground.markdown import cut
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.schema import violations
from minutebook.ground.session import Candidate
from minutebook.redaction.redact import Redactor

_SAME = 0.7
_LONGEST_TITLE = 1000
_LOOK = (
    "Not taken yet: it touches entries that you haven't read. Here they are. Leave it if one of them says it already; "
    "else propose it again, with `replaces` if one of them has to give way."
)
Key = tuple[str, str]
Answer = tuple[str, bool]
"""What a call is answered with, and whether that is an error."""


@dataclass(slots=True)
class Hearing:
    """`types` may be proposed, by the names of their tools; `tools` are what the model may use. `read` are the ids of
    entries read in this talk: it starts anew with each window, since nothing of the former is before the model then.

    A refusal is `waiting` once it went back to the model, and `dropped` when it was refused again.
    """

    types: Mapping[str, MemoryType]
    tools: list[dict[str, Any]]
    read: set[str] = field(default_factory=set)
    kept: list[Candidate] = field(default_factory=list)
    waiting: dict[Key, Refusal] = field(default_factory=dict)
    dropped: dict[Key, Refusal] = field(default_factory=dict)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """What was refused in the end."""
        return (*self.dropped.values(), *self.waiting.values())

    def answer(self, call: Call, case: Case) -> Answer:
        """Do what the model asks for, if it may."""
        if call.name in READING:
            return self._looked(call, case)
        mtype = self.types.get(call.name)
        if mtype is None:
            return self._refused(call, f"there is no operation {call.name!r:.60}", "")
        schema = next(tool["input_schema"] for tool in self.tools if tool["name"] == call.name)
        return self._heard(call, mtype.name, judge_proposal(call.input, mtype, schema, case, self.read), case)

    def _looked(self, call: Call, case: Case) -> Answer:
        schema = memory_tools()[0]["input_schema"]
        wrong = next((each.message for each in violations(call.input, schema)), "")
        if wrong or not isinstance(call.input, dict):
            return f"the input doesn't fit the tool: {wrong[:200]}", True
        try:
            return self._found(call.name, call.input["uri"], case), False
        except CannotJudge as error:
            return str(error), True

    def _found(self, name: str, uri: str, case: Case) -> str:
        if name == "list":
            return listed(case.shelf, uri)
        if name == "get_relations":
            return relations(case.shelf, uri)
        text, entry = read(case.shelf, uri)
        if entry is not None:
            self.read.add(entry.id)
        return text

    def _heard(self, call: Call, type_name: str, judged: Judged, case: Case) -> Answer:
        if judged.unread:
            return self._shown(call, judged.unread, type_name, case)
        if judged.candidate is None:
            return self._refused(call, judged.refusal, type_name)
        refusal = self._crowded(judged.candidate, case)
        if refusal:
            return self._refused(call, refusal, type_name)
        return self._taken(call, judged.candidate)

    def _shown(self, call: Call, entries: tuple[Entry, ...], type_name: str, case: Case) -> Answer:
        self.read |= {entry.id for entry in entries}
        names = ", ".join(entry.id for entry in entries)
        why = f"it touches {names}, which wasn't read before; once it was shown, the model left it at that"
        self.waiting.setdefault(_key(call), _refusal(call, why, type_name))
        return "\n".join((_LOOK, *(shown(case.shelf, entry) for entry in entries))), False

    def _crowded(self, new: Candidate, case: Case) -> str:
        """Why there is no place for the candidate beside those that are kept; "". What is in quarantine stands in the
        way of nothing else."""
        if any(old.words_id == new.words_id for old in self.kept if new.quarantine or not old.quarantine):
            return "the same words back an entry that was proposed"
        text, position = words(f"{new.title} {new.abstract}"), stance(new.abstract)
        for old in self._beside(new):
            against = conflict(position, stance(old.abstract))
            if against and new.turn.number < old.turn.number:
                return f"turn {old.turn.number} says otherwise later, and that was proposed"
            if not against and overlap(words(f"{old.title} {old.abstract}"), text) >= _SAME:
                return f"it says the same as “{old.title}”, which was proposed"
        alike = [old for old in self.kept if bool(old.quarantine) == bool(new.quarantine)]
        most = MOST_QUARANTINED if new.quarantine else MOST
        here = sum(old.turn.number in case.window.turns for old in alike)
        return f"a session gives at most {most} of them" if here >= most else ""

    def _beside(self, new: Candidate) -> list[Candidate]:
        """Those that are kept, of the same type, both in quarantine or neither."""
        return [old for old in self.kept if old.type == new.type and bool(old.quarantine) == bool(new.quarantine)]

    def _taken(self, call: Call, new: Candidate) -> Answer:
        position = stance(new.abstract)
        for old in self._beside(new):
            if conflict(position, stance(old.abstract)):
                reason = f"turn {new.turn.number} says otherwise later: “{new.title}”"
                self.dropped[old.type, old.id] = Refusal(old.title, reason, old.quote, old.type, id=old.id)
                self.kept.remove(old)
        self.kept = [*(old for old in self.kept if old.words_id != new.words_id), new]
        self.waiting.pop(_key(call), None)
        if new.quarantine:
            return f"Put aside, a person has to look at it: {new.quarantine}.", False
        return "Taken.", False

    def _refused(self, call: Call, reason: str, type_name: str) -> Answer:
        key, refusal = _key(call), _refusal(call, reason, type_name)
        if key in self.waiting or key in self.dropped:
            self.waiting.pop(key, None)
            self.dropped[key] = refusal
            return f"Refused again and dropped: {reason}. Don't propose it another time.", True
        self.waiting[key] = refusal
        return f"Refused: {reason}. Mend it and propose it once more, or leave it.", True


def _title(call: Call) -> str:
    given = call.input.get("title") if isinstance(call.input, dict) else None
    title = plain_line(given[:_LONGEST_TITLE]) if isinstance(given, str) else ""
    return cut(title or plain_line(call.name), 160)


def _key(call: Call) -> Key:
    return call.name, _title(call).casefold()


def _refusal(call: Call, reason: str, type_name: str) -> Refusal:
    """What a reader is told. A model that makes up a secret doesn't get it into a report."""
    quote = call.input.get("quote") if isinstance(call.input, dict) else None
    clean = Redactor().redact
    words = quote[:LONGEST_QUOTE] if isinstance(quote, str) else ""
    return Refusal(clean(_title(call)), clean(reason), clean(words), type_name)
