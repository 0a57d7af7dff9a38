"""Which entries look stale, and why: a probability with its reasons. What became of the things that an entry names
decides; similarity of text alone doesn't tell stale from fresh (AUC 0.37 to 0.52 on four real histories)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from math import prod
from typing import Literal

from minutebook.ground.entry import KNOWN_TRUE, Entry, day_of
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.memory import Memory
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.standing import closed_as, successors
from minutebook.ground.unseen import made_visible
from minutebook.refresh.anchors import Reference, references
from minutebook.refresh.claims import claims
from minutebook.refresh.contradictions import Contradiction, contradictions
from minutebook.refresh.drifted import Drift
from minutebook.refresh.fate import Fate, fates
from minutebook.refresh.model import Model
from minutebook.refresh.resolvers import resolve
from minutebook.refresh.verified import known_true
from minutebook.refresh.view import View

FindingKind = Literal[
    "superseded", "gone", "moved", "changed", "expired", "drift", "marked", "contradiction", "rests on superseded"
]
Drifting = Callable[[Entry, Sequence[str], Sequence[str]], Drift]
"""From an entry and the blobs of an anchor then and now to how far they moved."""

THRESHOLD = 0.5
_MOST_FILES = 50
_HIGHEST = 0.99
_LEAST = 0.01
_MOST_AGAINST = 3
_DERIVED_HOURS = 180 * 24


@frozen
class Signal:
    """One reason in words, with the probability that it alone gives and its line in the entry's file. `moved` is
    (from, to) when what is named lies elsewhere now; `anchor` says whether an anchor names it."""

    kind: FindingKind
    weight: float
    reason: str
    line: int
    moved: tuple[str, str] | None = None
    anchor: bool = False


@frozen
class Finding:
    """An entry that looks stale. `score` is 0 to 1; `kind` and `line` are those of its strongest signal."""

    id: str
    type: str
    path: str
    line: int
    kind: FindingKind
    score: float
    signals: tuple[Signal, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        return tuple(signal.reason for signal in self.signals)


@frozen
class Past:
    """What is known of the time before.

    `then` gives the view that an entry speaks of (None when it was never committed), `touched_on` the day of its
    commit ("" for none), `now` the view at HEAD. `gone_since` says in words when a path went ("" if unknown), `renamed`
    where git finds a view's file now, `nearest` what may have taken the place of what is gone. `references` and
    `contradictions` read entries, or know what was read of them. `remembered` gives what the code said of an entry when
    nothing that it names has changed since somebody looked, and `remember` keeps what it says now.
    """

    then: Callable[[Entry], View | None]
    now: View | None
    gone_since: Callable[[str], str]
    renamed: Callable[[View, str], str] = lambda *_: ""
    nearest: Callable[[Fate, View], str] = lambda *_: ""
    references: Callable[[Entry], tuple[Reference, ...]] = references
    contradictions: Callable[[Memory], Iterable[Contradiction]] = lambda memory: contradictions(memory, claims)
    touched_on: Callable[[Entry], str] = lambda _: ""
    remembered: Callable[[Entry], tuple[Signal, ...] | None] = lambda _: None
    remember: Callable[[Entry, tuple[Signal, ...]], None] = lambda *_: None


@frozen
class _Case:
    """What the signals of every entry are worked out from."""

    memory: Memory
    past: Past
    today: date
    drift: Drifting
    model: Model
    known: Mapping[str, Entry]
    newer: Mapping[str, Entry]


def find_stale(
    memory: Memory, past: Past, today: date, drift: Drifting, model: Model | None = None, *, by_change: bool = False
) -> list[Finding]:
    """Every entry with at least one signal, the most doubtful first.

    A reference counts only when it resolved in the view that its entry speaks of: what never resolved is unknown,
    never stale. Session notes and closed entries are history and aren't looked at; records of an event (append-only
    types without a time to live) are judged by their explicit anchors alone. Of the references the most doubtful one
    counts, since what happens to one of them happens to its neighbours; that and the other kinds of signal add up as
    independent chances: 1 - Π(1 - p). With `by_change` only what the code shows counts, not age, marks or other
    entries.
    """
    known = {entry.id: entry for entry in memory.entries(archived=True)}
    case = _Case(memory, past, today, drift, model or Model(), known, successors(memory.entries()))
    against = {} if by_change else _contradicted(case)
    found = []
    for entry in memory.entries():
        if memory.type_of(entry).durability == "ephemeral" or memory.is_closed(entry):
            continue
        signals = tuple(_signals(entry, case, by_change)) + tuple(against.get((entry.path, entry.id), ()))
        if signals:
            found.append(_finding(entry, signals))
    return sorted(found, key=lambda finding: (-finding.score, finding.path, finding.line, finding.id))


def _finding(entry: Entry, signals: tuple[Signal, ...]) -> Finding:
    strongest = max(signals, key=lambda signal: signal.weight)
    signals = tuple(replace(signal, reason=_printable(signal.reason)) for signal in signals)
    best: dict[str, float] = {}
    for signal in signals:
        group = "reference" if signal.kind in ("gone", "moved", "changed") else signal.kind
        best[group] = max(best.get(group, 0.0), signal.weight)
    score = min(_HIGHEST, 1 - prod(1 - weight for weight in best.values()))
    return Finding(entry.id, entry.type, entry.path, strongest.line, strongest.kind, round(score, 3), signals)


def _printable(text: str) -> str:
    # Reasons quote memory, and are printed: no escape sequence, hidden character or line end of it may survive.
    return made_visible(" ".join(text.split()), lambda _: "\N{REPLACEMENT CHARACTER}")


def _signals(entry: Entry, case: _Case, by_change: bool) -> Iterator[Signal]:
    newer = case.newer.get(entry.id)
    if newer is not None and not by_change:
        yield _superseded(entry, newer, case)
        return
    stale = entry.fields.get("stale")
    if isinstance(stale, dict) and not by_change:
        words = f"marked stale since {stale.get('since')}: {stale.get('why')}"
        yield Signal("marked", case.model.by_hand.get("marked", THRESHOLD), words, entry.line_of("stale"))
    code = case.past.remembered(entry)
    if code is None:
        code = tuple(_of_code(entry, case.past.then(entry), case))
        case.past.remember(entry, code)
    yield from code
    if not by_change:
        yield from _resting(entry, case)
        yield from _expired(entry, case)


def _superseded(entry: Entry, newer: Entry, case: _Case) -> Signal:
    day = next((str(newer.fields[name]) for name in ("date", "created") if newer.fields.get(name)), "")
    dated = f" ({day})" if day else ""
    words = f"superseded by {newer.id}{dated}, and not marked so: > SUPERSEDED by {newer.id}"
    return Signal("superseded", case.model.by_hand.get("superseded", THRESHOLD), words, entry.line)


def _of_code(entry: Entry, then: View | None, case: _Case) -> Iterator[Signal]:
    now = case.past.now
    if then is None or now is None or then.commit == now.commit:
        return
    mtype, home = case.memory.type_of(entry), entry.path.rpartition("/")[0]
    record = mtype.append_only and mtype.stale_after is None
    named = [each for each in case.past.references(entry) if each.explicit or not record]
    for reference, fate in fates(named, home, then, now, partial(case.past.renamed, then)):
        if fate is not None:
            yield _of_fate(fate, then, case)
        elif reference.explicit and (then.reach is None or then.reach.may_touch(reference)):
            yield from _drifted(entry, reference, home, then, case)


def _of_fate(fate: Fate, then: View, case: _Case) -> Signal:
    weight = round(case.model.probability(fate.features), 3)
    words = fate.words
    if fate.kind == "gone":
        since = case.past.gone_since(fate.went) if fate.went and fate.reference.kind in _PLACES else ""
        hint = fate.hint or (case.past.nearest(fate, then) if weight >= THRESHOLD else "")
        words = f"{words}{since}{hint}"
    moved = (fate.reference.text, fate.target) if fate.kind == "moved" else None
    return Signal(fate.kind, weight, words, fate.reference.line, moved, fate.reference.explicit)


_PLACES = ("path", "dir", "glob", "url")


def _drifted(entry: Entry, reference: Reference, home: str, then: View, case: _Case) -> Iterator[Signal]:
    now = case.past.now
    was = resolve(reference, then, home)
    there = resolve(reference, now, home) if now is not None else None
    if was is None or there is None or now is None:
        return
    before = [then.tree.blob(path) for path in was.files[:_MOST_FILES]]
    after = [now.tree.blob(path) for path in there.files[:_MOST_FILES]]
    if set(before) == set(after):
        return
    drift = case.drift(entry, before, after)
    weight = round(case.model.drifted(drift.far, drift.lost), 3)
    if drift.far > 0 and weight >= _LEAST:
        words = f"{reference.text} has changed by {drift.far:.0%} since {then.commit[:8]} ({then.day})"
        words += f"; {', '.join(drift.words)} left it" if drift.words else ""
        yield Signal("drift", weight, words, reference.line, None, anchor=True)


def _resting(entry: Entry, case: _Case) -> Iterator[Signal]:
    """An entry that names one that holds no more, unless to say so itself."""
    named = [each for each in case.past.references(entry) if each.kind == "entry"]
    if not named:
        return
    settled = {*entry.ids("supersedes"), *entry.ids("superseded_by"), *entry.ids("contradicts"), entry.id}
    settled |= set(entry.ids("derived_from"))
    for reference in named:
        other = case.known.get(reference.text)
        if other is None or other.id in settled:
            continue
        newer = case.newer.get(other.id)
        if newer is not None and newer.id != entry.id and closed_as(other, case.memory.type_of(other)):
            words = f"names {other.id}, which {newer.id} supersedes"
            weight = case.model.by_hand.get("rests on superseded", _LEAST)
            yield Signal("rests on superseded", weight, words, reference.line)
            return


def _expired(entry: Entry, case: _Case) -> Iterator[Signal]:
    own = known_true(entry) or day_of(case.past.touched_on(entry))
    allowed = _allowed(case.memory.type_of(entry))
    if allowed is None or own is None:
        return
    since, source = min([(own, ""), *_sources(entry, case)], key=lambda each: each[0])
    days = (case.today - since).days
    if days * 24 > allowed:
        of = f", of its source {source}" if source else ""
        words = f"not verified for {days} days (since {since}{of}); its type allows {allowed // 24}"
        field = next((name for name in KNOWN_TRUE if entry.day(name)), "")
        line = entry.line_of(field) if field else entry.line
        yield Signal("expired", case.model.by_hand.get("expired", THRESHOLD), words, line)


def _allowed(mtype: MemoryType) -> int | None:
    """Hours; what is derived has those of a decision, counted from the oldest of its sources."""
    return mtype.stale_after or (_DERIVED_HOURS if mtype.durability == "derived" else None)


def _sources(entry: Entry, case: _Case) -> Iterator[tuple[date, str]]:
    """When each source of a derived entry was last known to be true."""
    if case.memory.type_of(entry).durability == "derived" and not entry.day("verified"):
        for name in entry.ids("derived_from"):
            source = case.known.get(name)
            day = known_true(source) if source is not None else None
            if day is not None:
                yield day, name


def _contradicted(case: _Case) -> dict[tuple[str, str], list[Signal]]:
    found: dict[tuple[str, str], list[Signal]] = {}
    weight = case.model.by_hand.get("contradiction", THRESHOLD)
    for each in case.past.contradictions(case.memory):
        signals = found.setdefault((each.path, each.id), [])
        if len(signals) < _MOST_AGAINST:
            signals.append(Signal("contradiction", weight, each.words, case.known[each.id].line))
    return found
