"""The front matter of a summary: what compaction writes there, and what somebody made it claim."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import log
from typing import TypeGuard

from minutebook.compact.claims import atoms, difference
from minutebook.compact.lines import Fault
from minutebook.compact.statements import key, said, statements
from minutebook.ground.entry import KNOWN_TRUE, Entry, day_of
from minutebook.ground.markdown import cut
from minutebook.ground.nouns import counted, plural
from minutebook.ground.tombstone import read_tombstone
from minutebook.ground.words import terms

_MOST_TOPICS = 20
WRITTEN = frozenset({
    "type", "id", "title", "abstract", "created", "updated", "verified", "sources", "relations", "ledger", "anchors",
    "tags", "status", "stale", "superseded_by", "supersedes",
})  # fmt: skip
"""The fields that compaction and the verbs after it write."""


def title_of(kind: str, month: str) -> str:
    """The title of a summary of notes of a type, named as its title has it, and a month as YYYY-MM."""
    return f"{plural(kind)} of {month}"


def abstract_of(notes: Sequence[Entry]) -> str:
    """The abstract of a summary of these notes."""
    days = sorted(str(note.fields.get("date") or note.fields.get("created") or "")[:10] for note in notes)
    span = (
        f" from {days[0]} to {days[-1]}" if days[0] and days[0] != days[-1] else f" of {days[-1]}" if days[-1] else ""
    )
    titles = "; ".join(cut(note.title, 60) for note in notes[:5])
    return f"What {counted(len(notes), 'note')}{span} came to: {titles}."


def topics(notes: Sequence[Entry]) -> tuple[str, ...]:
    """The words of titles and abstracts that say best which of the notes' subjects this is, for its tags: tf-idf among
    these notes alone, so that it can be told again from them."""
    told = [dict.fromkeys(terms(f"{note.title} {note.abstract}")) for note in notes]
    counts = Counter(term for each in told for term in each if len(term) > 3 and term.isalpha())

    def weight(term: str) -> float:
        return counts[term] * log((len(notes) + 1) / counts[term])

    first = {term: at for at, term in enumerate(dict.fromkeys(term for each in told for term in each))}
    return tuple(sorted(counts, key=lambda term: (-weight(term), first[term]))[:_MOST_TOPICS])


def front_faults(originals: Sequence[Entry], summary: Entry, kinds: Collection[str]) -> Iterator[Fault]:
    """What the front matter of a summary claims beyond what compaction writes and the originals say; `kinds` are the
    titles of the originals' types."""
    strange = [name for name in summary.fields if name not in WRITTEN]
    if strange:
        yield Fault(summary.line_of(strange[0]), f"no compaction writes a field {cut(strange[0], 60)!r}")
    yield from _strange_tags(originals, summary)
    yield from _strange_sources(originals, summary)
    head, _, month = summary.title.rpartition(" of ")
    usual = head in {plural(kind) for kind in kinds} and _is_month_of(month, originals)
    written = summary.abstract == abstract_of(originals)
    if usual and written:
        return
    told = [each.text for original in originals for each in statements(original)]
    if not usual:
        yield from _unsaid(summary.title, told, summary.line_of("title"), "title")
    if not written:
        yield from _unsaid(summary.abstract, told, summary.line_of("abstract"), "abstract", abstract_of(originals))


def _strange_tags(originals: Sequence[Entry], summary: Entry) -> Iterator[Fault]:
    tags = [str(tag) for tag in _list(summary.fields.get("tags"))]
    if tags == list(topics(originals)):
        return
    known = {term for each in originals for term in terms(each.text)}
    own = {str(tag) for each in originals for tag in _list(each.fields.get("tags"))}
    strange = [tag for tag in tags if tag not in own and not known.issuperset(terms(tag))]
    if strange:
        yield Fault(summary.line_of("tags"), f"no original speaks of the tag {cut(strange[0], 60)!r}")


def _strange_sources(originals: Sequence[Entry], summary: Entry) -> Iterator[Fault]:
    """Sessions that no original comes from; of one that was expunged nobody can tell."""
    if any(read_tombstone(each) is not None for each in originals):
        return
    known = {name for each in originals for name in sessions_of(each)}
    named = [str(each["session"]) for each in _list(summary.fields.get("sources")) if _names_session(each)]
    strange = [name for name in named if name not in known]
    if strange:
        yield Fault(summary.line_of("sources"), f"no original comes from the session {cut(strange[0], 60)!r}")


def sessions_of(note: Entry) -> list[str]:
    """The sessions that the note comes from; a note that names none stands for itself."""
    named = [str(note.fields["session"])] if note.fields.get("session") else []
    named += [str(each["session"]) for each in _list(note.fields.get("sources")) if _names_session(each)]
    return named or [note.id]


def _names_session(source: object) -> TypeGuard[Mapping[str, object]]:
    return isinstance(source, Mapping) and "session" in source


def _is_month_of(month: str, originals: Sequence[Entry]) -> bool:
    """Whether it is YYYY-MM, and one that an original is dated in."""
    dated = (str(value) for each in originals for value in (each.path, *map(each.fields.get, KNOWN_TRUE)))
    return day_of(f"{month}-01") is not None and any(month in value for value in dated)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _unsaid(text: str, told: Sequence[str], line: int, field: str, usual: str = "") -> Iterator[Fault]:
    """The sentences of a field that no original says."""
    keys = {*map(key, told), *(key(each.text) for each in said(usual))}
    known = {claim for each in (usual, *told) for claim in atoms(each)}
    for each in said(text):
        if key(each.text) in keys:
            continue
        strange = [claim.text for claim in atoms(each.text) if claim not in known]
        how = difference(each.text, [usual, *told])
        words = f"no original says {cut(strange[0], 60)} of the {field}" if strange else f"no original says so: {how}"
        binds = f"the {field} rules something in or out that no original does: {cut(each.text, 80)}"
        yield Fault(line, binds if each.binds else words if strange or how else f"{words}{cut(each.text, 80)}")
