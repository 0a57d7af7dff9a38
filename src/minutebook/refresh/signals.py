"""What speaks against one entry: what became of the things that it names, what other entries say, how long ago somebody
looked. The things that it names decide; similarity of text alone doesn't tell stale from fresh (AUC 0.37 to 0.52 on
four real histories)."""

from collections.abc import Iterator, Mapping
from datetime import date
from functools import partial

from minutebook.ground import front_matter
from minutebook.ground.entry import KNOWN_TRUE, Entry, day_of
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import Memory
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.standing import closed_as
from minutebook.refresh.against_code import disagreements
from minutebook.refresh.anchors import Reference
from minutebook.refresh.fate import Fate, fates
from minutebook.refresh.findings import THRESHOLD, Drifting, Past, Signal
from minutebook.refresh.model import Model
from minutebook.refresh.moved import move_of
from minutebook.refresh.resolvers import resolve
from minutebook.refresh.values import another_value, value_told
from minutebook.refresh.verified import known_true
from minutebook.refresh.view import View
from minutebook.refresh.wished import wished_gone

_PLACES = ("path", "dir", "glob", "url")
_MOST_FILES = 50
_MOST_SOUGHT = 20
"""Things of one entry that are gone and looked for elsewhere."""
_LEAST = 0.01
_DERIVED_HOURS = 180 * 24


@frozen
class Case:
    """What the signals of every entry are worked out from."""

    memory: Memory
    past: Past
    today: date
    drift: Drifting
    model: Model
    known: Mapping[str, Entry]
    newer: Mapping[str, Entry]


def signals_of(entry: Entry, case: Case, by_change: bool) -> Iterator[Signal]:
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
        code = tuple(_of_code(entry, case.past.then(entry), case, by_change))
        case.past.remember(entry, code)
    yield from code
    if not by_change:
        yield from _resting(entry, case)
        yield from _expired(entry, case)


def _superseded(entry: Entry, newer: Entry, case: Case) -> Signal:
    day = next((str(newer.fields[name]) for name in ("date", "created") if newer.fields.get(name)), "")
    dated = f" ({day})" if day else ""
    words = f"superseded by {newer.id}{dated}, and not marked so: > SUPERSEDED by {newer.id}"
    return Signal("superseded", case.model.by_hand.get("superseded", THRESHOLD), words, entry.line)


def _of_code(entry: Entry, then: View | None, case: Case, by_change: bool) -> Iterator[Signal]:
    now = case.past.now
    if then is None or now is None:
        return
    mtype = case.memory.type_of(entry)
    record = mtype.append_only and mtype.stale_after is None
    named = [each for each in case.past.references(entry) if each.explicit or not record]
    if then.commit != now.commit:
        yield from _of_fates(entry, named, then, now, case)
    known = {each.reference for each in disagreements(named, then)} if by_change else frozenset()
    weight = case.model.by_hand.get("against code", THRESHOLD)
    for found in disagreements(named, now):
        if found.reference not in known:
            yield Signal("contradiction", weight, found.words, found.reference.line)


def _of_fates(entry: Entry, named: list[Reference], then: View, now: View, case: Case) -> Iterator[Signal]:
    home, sought = entry.path.rpartition("/")[0], 0
    for reference, fate in fates(named, home, then, now, partial(case.past.renamed, then)):
        if fate is not None:
            if fate.kind == "moved" or not wished_gone(reference.text, _words_of(entry)):
                sought += fate.kind == "gone"
                yield _of_fate(fate, then, case, sought=sought <= _MOST_SOUGHT)
        elif (then.reach is None or then.reach.may_touch(reference)) and (given := another_value(reference, then, now)):
            words = f"says {value_told(reference)} of `{reference.text}`, which is {given} now"
            yield Signal("changed", case.model.by_hand.get("against code", THRESHOLD), words, reference.line)
        elif reference.explicit and (then.reach is None or then.reach.may_touch(reference)):
            yield from _drifted(entry, reference, home, then, case)


def _words_of(entry: Entry) -> str:
    """What the entry says, without the note that a refresh left in its front matter."""
    found = None if entry.in_log else front_matter.split(entry.text)
    return entry.text if found is None else f"{entry.title}\n{entry.abstract}\n{found[1]}"


def _of_fate(fate: Fate, then: View, case: Case, *, sought: bool) -> Signal:
    weight = round(case.model.probability(fate.features), 3)
    words = fate.words
    if fate.kind == "gone":
        since = case.past.gone_since(fate.went) if fate.went and fate.reference.kind in _PLACES else ""
        hint = fate.hint or (case.past.nearest(fate, then) if sought and weight >= THRESHOLD else "")
        words = f"{words}{since}{hint}"
    return Signal(
        fate.kind, weight, words, fate.reference.line, move_of(fate, then, case.past.now), fate.reference.explicit
    )


def _drifted(entry: Entry, reference: Reference, home: str, then: View, case: Case) -> Iterator[Signal]:
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


def _resting(entry: Entry, case: Case) -> Iterator[Signal]:
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


def _expired(entry: Entry, case: Case) -> Iterator[Signal]:
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


def _sources(entry: Entry, case: Case) -> Iterator[tuple[date, str]]:
    """When each source of a derived entry was last known to be true."""
    if case.memory.type_of(entry).durability == "derived" and not entry.day("verified"):
        for name in entry.ids("derived_from"):
            source = case.known.get(name)
            day = known_true(source) if source is not None else None
            if day is not None:
                yield day, name
