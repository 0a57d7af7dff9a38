"""Which entry a candidate is about: the one that says the same, and those that it contradicts. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from minutebook.extract.contradiction import is_same, judged
from minutebook.extract.stance import stance
from minutebook.ground.entry import Entry
from minutebook.ground.fingerprint import content, differ_in_numbers, likeness
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import Memory
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.session import Candidate
from minutebook.ground.uris import placed
from minutebook.route.known import Known, holding
from minutebook.route.provenance import quotes_of

Similarities = Callable[[Sequence[str], Sequence[str]], list[list[float]]]
"""Cosine of every text of the first list (rows) with every text of the second."""
Standing = Mapping[str, Sequence[Entry]]
"""By type the entries within reach that hold."""
Owner = Mapping[str, str]
"""Whose spaces are written, by the placeholders of a place: user, agent."""

KNOWN = 0.7
"""Cosine from which an active entry says the same. Among the 43 decisions of one real repository no two came above
0.22; one-line decisions about one subject with another value lie between 0.3 and 0.5, paraphrases from 0.74 on."""
SUBJECT = 0.3
"""Cosine from which a correction is taken to be about that entry."""
TOPIC = 0.6
"""Cosine from which a candidate of a merged type belongs to an entry with another slug."""
SAME_WORDS = 0.75
"""Jaccard index of the content words from which two statements are one, however common their words are in the memory:
what is said two hundred times weighs next to nothing in a cosine."""
_BINDING = ("decision", "pattern")
"""Types whose entries bind all who work here: one that contradicts another, of whichever of these types, is a second
truth."""


@frozen
class Match:
    """The active entry most like a candidate, with its cosine; None when there is none of its type and owner. `same`
    is one that says it in nearly the same words."""

    entry: Entry | None = None
    score: float = 0.0
    same: Entry | None = None

    @property
    def known(self) -> Entry | None:
        """The entry that says it already."""
        return self.entry if self.score >= KNOWN else self.same

    @property
    def topic(self) -> Entry | None:
        """The entry that the candidate adds to."""
        return self.same if self.same is not None else self.entry if self.score >= TOPIC else None


@frozen
class Corpus:
    """What a session's candidates are compared with: by type the active entries before it, and the cosines of each
    candidate (by its id) with those of its type."""

    entries: Standing
    rows: Mapping[str, Sequence[float]]


def active(memory: Memory, type_name: str) -> list[Entry]:
    """The entries of a type that hold: not closed, not superseded by another, not in the archive."""
    return holding([entry for entry in memory.entries() if entry.type == type_name], memory)


def within_reach(known: Known, type_name: str, owner: Owner) -> list[Entry]:
    """The active entries of a type that this user or agent may add to: never those of another's space."""
    mtype = known.memory.types[type_name]
    if not _owners(mtype):
        return known.active(type_name)
    return [entry for entry in known.active(type_name) if _is_own(entry, mtype, known.memory, owner)]


def compare(found: Sequence[Candidate], known: Known, owner: Owner, similarities: Similarities) -> Corpus:
    """Compared once a type, on the memory before the session."""
    memory = known.memory
    mine = {each.type for each in found}
    names = sorted(mine | ({*_BINDING} & memory.types.keys() if mine & {*_BINDING} else set()))
    entries = {name: within_reach(known, name, owner) for name in names}
    rows: dict[str, Sequence[float]] = {}
    for name in sorted(mine):
        of_type = [each for each in found if each.type == name]
        whole = not memory.types[name].append_only  # what an event is called says little of what happened
        texts = [_compared(entry, whole) for entry in entries[name]]
        scores = similarities([_compared(each, whole) for each in of_type], texts)
        rows |= {each.id: row for each, row in zip(of_type, scores, strict=True)}
    return Corpus(entries, rows)


def match(candidate: Candidate, corpus: Corpus, now: Sequence[Entry]) -> Match:
    """The entry of `now` (those within reach as they stand after the candidates before it) that it is most like."""
    standing = {entry.id: entry for entry in now}
    scores = zip(corpus.entries[candidate.type], corpus.rows[candidate.id], strict=True)
    best = max(((score, standing[old.id]) for old, score in scores if old.id in standing), key=_score, default=None)
    alike = max(((_shared(candidate, entry), entry) for entry in now), key=_score, default=None)
    same = alike[1] if alike is not None and alike[0] >= SAME_WORDS else _chosen_already(candidate, now)
    return Match(best[1], best[0], same) if best is not None and best[0] > 0 else Match(same=same)


def can_contradict(mtype: MemoryType) -> bool:
    """Whether entries of a type say what holds. What happened to a person or an agent doesn't gainsay what happened
    before."""
    return not (mtype.append_only and _owners(mtype))


def is_against(new: Candidate, old: Candidate) -> str:
    """How one candidate contradicts an earlier one; "" when it doesn't, as far as can be told for sure."""
    return _against(new, [old.abstract], str(old.fields.get("context", "")))[0]


def contradicted(candidate: Candidate, now: Sequence[Entry]) -> Iterator[tuple[Entry, str]]:
    """The entries of the candidate's own type that it can't stand beside, and why."""
    for entry in now:
        if why := _against(candidate, _says(entry), str(entry.fields.get("context", "")))[0]:
            yield entry, why


def doubted(candidate: Candidate, now: Sequence[Entry]) -> Iterator[tuple[Entry, str]]:
    """The entries of the candidate's own type of which nobody can tell whether it can stand beside them, and why."""
    for entry in now:
        sure, unsure = _against(candidate, _says(entry), str(entry.fields.get("context", "")))
        if unsure and not sure:
            yield entry, unsure


def _against(new: Candidate, olds: Sequence[str], context: str) -> tuple[str, str]:
    """How a candidate surely contradicts one of these statements, and how it may."""
    asked = str(new.fields.get("context", ""))
    if asked and asked == context and new.signal in ("answer", "option") and olds[0] != new.abstract:
        return "the same question was answered differently", ""
    pairs = [judged(stance(new.abstract), stance(old)) for old in olds]
    sure = next((sure for sure, _ in pairs if sure), "")
    numbers = "it gives another number" if differ_in_numbers(new.abstract, olds[0]) else ""
    return sure or numbers, next((unsure for _, unsure in pairs if unsure), "")


def _says(entry: Entry) -> list[str]:
    """What an entry states: its statement, and its title where that isn't the start of it."""
    title = entry.title.rstrip(" .…")
    own = title and not entry.abstract.casefold().startswith(title.casefold())
    return [entry.abstract, entry.title] if own else [entry.abstract]


def _chosen_already(candidate: Candidate, now: Sequence[Entry]) -> Entry | None:
    """An entry that makes the same choice for the same purpose, in whatever words."""
    ours = stance(candidate.abstract)
    return next((entry for entry in now if is_same(ours, stance(entry.abstract))), None) if ours.choice else None


def contradicted_elsewhere(candidate: Candidate, standing: Standing) -> tuple[Entry, str] | None:
    """A decision that a pattern contradicts, or may, or a pattern that a decision does."""
    found = ((entry, _against(candidate, _says(entry), "")) for entry in _others(candidate, standing))
    return next(((entry, sure or unsure) for entry, (sure, unsure) in found if sure or unsure), None)


def known_elsewhere(candidate: Candidate, standing: Standing) -> Entry | None:
    """A decision that says what a pattern would, or a pattern that says what a decision would."""
    others = _others(candidate, standing)
    found = (each for each in others if _shared(candidate, each) >= SAME_WORDS)
    return next(found, None) or _chosen_already(candidate, others)


def _others(candidate: Candidate, standing: Standing) -> list[Entry]:
    names = [name for name in _BINDING if name != candidate.type] if candidate.type in _BINDING else []
    return [entry for name in names for entry in standing.get(name, ())]


def _score(pair: tuple[float, Entry]) -> float:
    return pair[0]


def _shared(candidate: Candidate, entry: Entry) -> float:
    """How much of the words is the same: of the two statements, or of one and a quote of which the other statement is a
    part. Two quotes aren't compared: one sentence may say two things."""
    pairs = [(candidate.abstract, entry.abstract)]
    if content(candidate.abstract) <= content(candidate.quote):
        pairs.append((candidate.quote, entry.abstract))
    said = content(entry.abstract)
    pairs += [(candidate.abstract, quote) for quote in quotes_of(entry) if said <= content(quote)]
    return max(likeness(*pair) for pair in pairs)


def _compared(one: Candidate | Entry, whole: bool) -> str:
    return f"{one.title}\n{one.abstract}" if whole else one.abstract


def _owners(mtype: MemoryType) -> tuple[str, ...]:
    return tuple(name for name in ("user", "agent") if f"{{{name}}}" in mtype.place)


def _is_own(entry: Entry, mtype: MemoryType, memory: Memory, owner: Owner) -> bool:
    values = placed(mtype, memory.inner(entry.path)) or {}
    return all(values.get(name) == owner[name] for name in _owners(mtype))
