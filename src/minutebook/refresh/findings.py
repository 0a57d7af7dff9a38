"""Which entries look stale, and why. Anchors decide; similarity of text only ranks, because plain TF-IDF of an entry
against today's project does not tell stale from fresh (AUC 0.37 to 0.52 on four real histories)."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from math import prod
from posixpath import basename, dirname
from typing import Literal

from minutebook.ground.entry import KNOWN_TRUE, Entry, day_of
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.memory import Memory
from minutebook.ground.standing import successors
from minutebook.ground.unseen import made_visible
from minutebook.refresh.anchors import Reference, references
from minutebook.refresh.resolve import Resolution, View, files_named, files_with_blob, resolve

FindingKind = Literal["superseded", "gone", "moved", "expired", "drift", "marked"]
Drift = Callable[[str, str], float]

THRESHOLD = 0.5
_MOST_FILES = 50
_HIGHEST = 0.99
_GONE = {"path": 0.7, "glob": 0.7, "dir": 0.7, "command": 0.6, "identifier": 0.55}
_GONE_ANCHOR, _MOVED_ANCHOR, _MOVED = 0.85, 0.6, 0.5
_SUPERSEDED, _MARKED, _EXPIRED, _DRIFT = 0.9, 0.7, 0.5, 0.6


@frozen
class Signal:
    """One reason in words, with how much it weighs alone (0 to 1) and its line in the entry's file. `moved` is
    (from, to) when an anchor's file lies elsewhere now."""

    kind: FindingKind
    weight: float
    reason: str
    line: int
    moved: tuple[str, str] | None = None


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
    """What is known of the time before: `then` gives the view at the commit that last touched an entry (None when
    it was never committed), `now` the view at HEAD, `gone_since` says in words when a path went ("" if unknown)."""

    then: Callable[[Entry], View | None]
    now: View | None
    gone_since: Callable[[str], str]


def find_stale(memory: Memory, past: Past, today: date, drift: Drift) -> list[Finding]:
    """Every entry with at least one signal, the most doubtful first.

    A reference counts only when it resolved at the commit that last touched its entry: what never resolved is
    unknown, never stale. Session notes and closed entries are history and aren't looked at; records of an event
    (append-only types without a time to live) are judged by their explicit anchors alone. `drift(then, now)` is
    0 for the same text and 1 for texts with nothing in common. Several signals add up as independent chances:
    1 - Π(1 - weight).
    """
    newer = successors(memory.entries())
    found = []
    for entry in memory.entries():
        if memory.type_of(entry).durability == "ephemeral" or memory.is_closed(entry):
            continue
        successor = newer.get(entry.id)
        signals = tuple(_superseded(entry, successor) if successor else _signals(entry, memory, past, today, drift))
        if signals:
            found.append(_finding(entry, signals))
    return sorted(found, key=lambda finding: (-finding.score, finding.path, finding.line, finding.id))


def _finding(entry: Entry, signals: tuple[Signal, ...]) -> Finding:
    strongest = max(signals, key=lambda signal: signal.weight)
    signals = tuple(replace(signal, reason=_printable(signal.reason)) for signal in signals)
    score = min(_HIGHEST, 1 - prod(1 - signal.weight for signal in signals))
    return Finding(entry.id, entry.type, entry.path, strongest.line, strongest.kind, round(score, 3), signals)


def _printable(text: str) -> str:
    # Reasons quote memory, and are printed: no escape sequence, hidden character or line end of it may survive.
    return made_visible(" ".join(text.split()), lambda _: "\N{REPLACEMENT CHARACTER}")


def _superseded(entry: Entry, newer: Entry) -> Iterator[Signal]:
    words = f"superseded by {newer.id}{_dated(newer)}, and not marked so: > SUPERSEDED by {newer.id}"
    yield Signal("superseded", _SUPERSEDED, words, entry.line)


def _signals(entry: Entry, memory: Memory, past: Past, today: date, drift: Drift) -> Iterator[Signal]:
    mtype = memory.type_of(entry)
    stale = entry.fields.get("stale")
    if isinstance(stale, dict):
        words = f"marked stale since {stale.get('since')}: {stale.get('why')}"
        yield Signal("marked", _MARKED, words, entry.line_of("stale"))
    then = past.then(entry)
    if then is not None and past.now is not None and then.commit != past.now.commit:
        record = mtype.append_only and mtype.stale_after is None
        for reference in references(entry):
            if reference.explicit or not record:
                yield from _compare(reference, entry, then, past.now, past.gone_since, drift)
    yield from _expired(entry, mtype.stale_after, then.day if then is not None else "", today)


def _compare(
    reference: Reference, entry: Entry, then: View, now: View, gone_since: Callable[[str], str], drift: Drift
) -> Iterator[Signal]:
    home = dirname(entry.path)
    was, there = resolve(reference, then, home), resolve(reference, now, home)
    if was is None:
        return
    if there is not None and (was.loose or not there.loose):
        if reference.explicit:
            yield from _drifted(reference, was, there, then, now, drift)
        return
    weight = _GONE_ANCHOR if reference.explicit else _GONE[reference.kind]
    if not was.files:
        words = f"`{reference.text}` is gone: it was there at {then.commit[:8]} ({then.day})"
        yield Signal("gone", weight, words, reference.line)
        return
    target = _moved_to(reference, was, then, now)
    if target:
        moved = (reference.text, target) if reference.explicit else None
        weight = _MOVED_ANCHOR if reference.explicit else _MOVED
        yield Signal("moved", weight, f"{reference.text} moved to {target}", reference.line, moved)
        return
    went = next((path for path in was.files if path not in now.files), was.files[0])
    words = f"{reference.text} is gone{gone_since(went)}"
    alike = files_named(now, basename(went)) if len(was.files) == 1 else ()
    words += f"; a file of that name is at {alike[0]}" if len(alike) == 1 else ""
    yield Signal("gone", weight, words, reference.line)


def _moved_to(reference: Reference, was: Resolution, then: View, now: View) -> str:
    """Where the same content lies now, when there is one such place: for a folder, where most of its files went."""
    if reference.kind not in ("path", "dir") or was.loose:
        return ""
    one_file = len(was.files) == 1 and basename(was.files[0]) == basename(reference.text)
    place = was.files[0] if one_file else reference.text
    homes: Counter[str] = Counter()
    looked_at = was.files[:_MOST_FILES]
    for path in looked_at:
        if not path.startswith(place):  # a folder that was named from the entry's own place
            return ""
        rest = path[len(place) :]
        same = [each for each in files_with_blob(now, then.files[path]) if each.endswith(rest) and each != path]
        named = [each for each in same if basename(each) == basename(path)]
        chosen = named if len(named) == 1 else same
        if len(chosen) == 1:
            homes[chosen[0].removesuffix(rest)] += 1
    best = homes.most_common(1)
    return best[0][0] if best and best[0][1] * 2 > len(looked_at) else ""


def _drifted(
    reference: Reference, was: Resolution, there: Resolution, then: View, now: View, drift: Drift
) -> Iterator[Signal]:
    before, after = was.files[:_MOST_FILES], there.files[:_MOST_FILES]
    if {then.files[path] for path in before} == {now.files[path] for path in after}:
        return
    old = "\n".join(then.read(then.files[path]) for path in before)
    far = drift(old, "\n".join(now.read(now.files[path]) for path in after))
    if far > 0:
        words = f"{reference.text} has changed by {far:.0%} since {then.commit[:8]} ({then.day})"
        yield Signal("drift", _DRIFT * far, words, reference.line)


def _expired(entry: Entry, stale_after: int | None, touched: str, today: date) -> Iterator[Signal]:
    field = next((name for name in KNOWN_TRUE if entry.day(name)), "")
    since = entry.day(field) if field else day_of(touched)
    if stale_after is None or since is None:
        return
    days = (today - since).days
    if days * 24 > stale_after:
        words = f"not verified for {days} days (since {since}); its type allows {stale_after // 24}"
        yield Signal("expired", _EXPIRED, words, entry.line_of(field) if field else entry.line)


def _dated(entry: Entry) -> str:
    day = entry.day("date", "created")
    return f" ({day})" if day else ""
