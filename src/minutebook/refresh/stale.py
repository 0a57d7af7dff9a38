"""Which entries look stale: one probability each, with its reasons."""

from collections.abc import Iterator
from datetime import date
from math import prod

from minutebook.ground.entry import Entry
from minutebook.ground.frozen import replace
from minutebook.ground.memory import Memory
from minutebook.ground.standing import successors
from minutebook.ground.unseen import made_visible
from minutebook.refresh.findings import THRESHOLD, Drifting, Finding, Past, Signal
from minutebook.refresh.model import Model
from minutebook.refresh.signals import Case, signals_of

_HIGHEST = 0.99
_MOST_AGAINST = 3
_TURNED_DOWN = frozenset({"rejected", "declined", "withdrawn", "abandoned", "cancelled", "canceled"})


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
    case = Case(memory, past, today, drift, model or Model(), known, successors(_sealed(memory)))
    against = {} if by_change else _contradicted(case)
    found = []
    for entry in memory.entries():
        if memory.type_of(entry).durability == "ephemeral" or memory.is_closed(entry) or _was_turned_down(entry):
            continue
        signals = tuple(signals_of(entry, case, by_change)) + tuple(against.get((entry.path, entry.id), ()))
        if signals:
            found.append(_finding(entry, signals))
    return sorted(found, key=lambda finding: (-finding.score, finding.path, finding.line, finding.id))


def _was_turned_down(entry: Entry) -> bool:
    """What was never decided can't stop being true, whether or not its type has a word for it."""
    return entry.status.lower().partition(" ")[0].strip(".,:;") in _TURNED_DOWN


def _sealed(memory: Memory) -> Iterator[Entry]:
    """A draft takes nobody's place until it is accepted."""
    return (entry for entry in memory.entries() if memory.type_of(entry).stage(entry.status) != "draft")


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


def _contradicted(case: Case) -> dict[tuple[str, str], list[Signal]]:
    found: dict[tuple[str, str], list[Signal]] = {}
    weight = case.model.by_hand.get("contradiction", THRESHOLD)
    for each in case.past.contradictions(case.memory):
        signals = found.setdefault((each.path, each.id), [])
        if len(signals) < _MOST_AGAINST:
            signals.append(Signal("contradiction", weight, each.words, case.known[each.id].line))
    return found
