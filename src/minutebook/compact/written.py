"""One group of notes as a summary: its front matter, its body, its certificate."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date

from minutebook.compact.by_model import Outcome, Writer
from minutebook.compact.certificate import Certificate, certify
from minutebook.compact.front import abstract_of, topics
from minutebook.compact.grouping import Group
from minutebook.compact.ledger import SHARE, ledger_place, why_longer
from minutebook.compact.recall import Corpus, telling
from minutebook.compact.summary import Detail, Salience, summarize, written_out
from minutebook.ground import front_matter
from minutebook.ground.entry import KNOWN_TRUE, Entry, read_entry
from minutebook.ground.frozen import EMPTY, frozen
from minutebook.ground.markdown import cut
from minutebook.ground.memory import Memory
from minutebook.ground.nouns import counted
from minutebook.ground.tokens import tokens
from minutebook.ground.uris import place_of

EXTRACTED = "extracted"
"""By what a summary was written that no model wrote."""
MOST_LOADED = 10_000
"""Tokens of a summary's body: the gate refuses a longer one."""
_MOST_SOURCES = 200
_MOST_ANCHORS = 100


@frozen
class Writing:
    """What summaries are written with: the day, the salience of sentences, what is known of all entries, and the model
    with its name, if there is one."""

    memory: Memory
    today: date
    salience: Salience
    known: Corpus
    writer: Writer | None = None
    writer_name: str = EXTRACTED


@frozen
class Written:
    """A summary: the notes that go, the path, text and certificate. `by` is what wrote it; `note` says what came of
    the model, `figures` what it cost, and `failed` why nothing more can be asked."""

    group: Group
    notes: tuple[Entry, ...]
    path: str
    text: str
    entry: Entry
    certificate: Certificate
    before: int
    by: str = EXTRACTED
    note: str = ""
    figures: Mapping[str, int] = EMPTY
    failed: bool = False

    @property
    def name(self) -> str:
        return f"summary-{self.group.slug}"

    @property
    def after(self) -> int:
        return tokens(self.text)

    @property
    def why(self) -> str:
        """Why the summary is longer than a fifth of its notes; "" when it isn't."""
        return why_longer(self.before, self.after, self.certificate)

    @property
    def fault(self) -> str:
        """Why the summary isn't worth being written; "" when it is."""
        if self.failed:
            return "the model's service failed: the notes stay where they are"
        if self.after >= self.before:
            words = f"its summary would have {self.after} tokens, {counted(len(self.notes), 'note')} {self.before}"
            return f"{words}: nothing is gained"
        if tokens(self.entry.body) > MOST_LOADED:
            return f"what binds in it alone is longer than can be loaded ({self.after} tokens): it stays as it is"
        faults = self.certificate.faults
        return f"its certificate would not hold: {faults[0].message}" if faults else ""

    @property
    def reason(self) -> str:
        said = f"sums up {counted(len(self.notes), 'note')} in {self.after} tokens, down from {self.before}; "
        said += "the originals are archived" + (f" ({self.why})" if self.why else "")
        return said if self.by == EXTRACTED else f"{said}; details written by {self.by} from the originals"


def write(group: Group, notes: tuple[Entry, ...], writing: Writing) -> Written:
    """The summary of these notes of a group: by the model where there is one and the certificate holds, else extracted.

    Everything is made of the notes as they stand, and of no earlier summary.
    """
    memory = writing.memory
    before = sum(tokens(note.text) for note in notes)
    fields = _fields(group, notes, writing.today)
    room = before // SHARE - tokens(front_matter.compose(fields, ""))
    path = memory.outer(place_of(memory.types["summary"], {"slug": group.slug}))

    def tell(note: Entry) -> Sequence[str]:
        return telling(note, writing.known)

    def made(body: str, outcome: Outcome | None = None) -> Written:
        text = front_matter.compose(fields, body)
        entry, _ = read_entry(path, text, memory.types["summary"], group.slug)
        assert entry is not None  # we wrote its front matter just now
        found = Written(group, notes, path, text, entry, certify(notes, entry), before)
        return found if outcome is None else _by_model(found, outcome, writing.writer_name)

    if writing.writer is None:
        return made(summarize(notes, writing.salience, room, tell))
    outcome = writing.writer(notes, room, _judge(lambda details: made(written_out(notes, details, before, tell))))
    if outcome.details is None:
        return made(summarize(notes, writing.salience, room, tell), outcome)
    return made(written_out(notes, outcome.details, room, tell), outcome)


def _by_model(found: Written, outcome: Outcome, name: str) -> Written:
    written = outcome.details is not None
    note = "" if written else f"{found.name}: without the model, {outcome.why}"
    return Written(
        found.group, found.notes, found.path, found.text, found.entry, found.certificate, found.before,
        name if written else EXTRACTED, note, outcome.figures, outcome.failed,
    )  # fmt: skip


def _judge(made: Callable[[Sequence[Detail]], Written]) -> Callable[[Sequence[Detail]], list[str]]:
    """What the certificate says of a summary with these details, each line of them named."""

    def judge(details: Sequence[Detail]) -> list[str]:
        faults = made(details).certificate.faults
        return [cut(fault.message, 300) for fault in faults]

    return judge


def _fields(group: Group, notes: Sequence[Entry], today: date) -> dict[str, object]:
    oldest = min((day for note in notes if (day := note.day(*KNOWN_TRUE)) is not None), default=None)
    sessions = list(dict.fromkeys(session for note in notes for session in _sessions(note)))
    fields: dict[str, object] = {
        "type": "summary",
        "id": f"summary-{group.slug}",
        "title": group.title,
        "abstract": abstract_of(notes),
        "tags": list(topics(notes)),
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
    return {name: value for name, value in fields.items() if value}


def _sessions(entry: Entry) -> Iterator[str]:
    """The sessions that the note comes from; a note that names none stands for itself."""
    named = [str(entry.fields["session"])] if entry.fields.get("session") else []
    named += [str(each["session"]) for each in _list(entry.fields.get("sources")) if isinstance(each, Mapping)]
    yield from named or [entry.id]


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
