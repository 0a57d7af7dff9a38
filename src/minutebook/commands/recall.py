"""What refresh remembers of the run before: what entries name, when they were touched, what the code said of them."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from minutebook.edges.memory_history import Touch, changed_since, last_touched
from minutebook.edges.refresh_cache import Cache
from minutebook.ground.entry import Entry, encode
from minutebook.ground.frozen import as_tuple, frozen
from minutebook.ground.memory import Memory
from minutebook.refresh.anchors import Reference, references
from minutebook.refresh.claims import Claim, claims
from minutebook.refresh.contradictions import Contradiction, contradictions
from minutebook.refresh.findings import Signal
from minutebook.refresh.reach import Reach

Place = tuple[str, str]
"""Path and id of an entry."""


@frozen
class Read:
    """What was read of one entry: the things it names, and as JSON what it claims. `key` is the digest of all that was
    read."""

    key: str
    references: tuple[Reference, ...]
    claimed: str

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(Claim(*row) for row in json.loads(self.claimed))


def place_of(entry: Entry) -> Place:
    return entry.path, entry.id


def read_entries(memory: Memory, cached: Cache) -> dict[Place, Read]:
    """What the entries name and claim; what nobody has any more leaves the cache."""
    kept = cached.notes("entry")
    found: dict[Place, Read] = {}
    fresh: dict[str, str] = {}
    for entry in memory.entries():
        key = _digest(entry)
        if key in kept:
            named, _, claimed = kept[key].partition("\n")
            read = Read(key, tuple(Reference(*row) for row in json.loads(named)), claimed)
        else:
            read = Read(key, references(entry), json.dumps([list(as_tuple(each)) for each in claims(entry)]))
            named = json.dumps([list(as_tuple(each)) for each in read.references])
            fresh[key] = f"{named}\n{read.claimed}"
        found[place_of(entry)] = read
    cached.note("entry", fresh)
    used = {read.key for read in found.values()}
    gone = [key for key in kept if key not in used]
    cached.forget("entry", gone)
    if gone:
        cached.keep_only("code", "entry")
    return found


def _digest(entry: Entry) -> str:
    said = f"{entry.type}\0{entry.path}\0{entry.id}\0{entry.line}\0{entry.in_log}\0{entry.text}"
    return sha256(encode(said)).hexdigest()[:32]


def disagreements(memory: Memory, read: Mapping[Place, Read], cached: Cache) -> list[Contradiction]:
    """The pairs of entries that can't both hold; worked out anew when any entry changed."""
    key = sha256("".join(sorted(each.key for each in read.values())).encode()).hexdigest()
    kept = cached.notes("pairs")
    if key not in kept:
        found = contradictions(memory, lambda entry: read[place_of(entry)].claims)
        rows = json.dumps([list(as_tuple(each)) for each in found])
        cached.forget("pairs", kept)
        cached.note("pairs", {key: rows})
        kept = {key: rows}
    return [Contradiction(*row) for row in json.loads(kept[key])]


def touches(top: Path, memory: Memory, head: str, read: Mapping[Place, Read], cached: Cache) -> dict[Place, Touch]:
    """When each entry was last touched; what the cache knows holds for files that no commit changed since."""
    old = cached.notes("head").get("touched", "")
    changed = changed_since(top, memory, old, head) if old else None
    kept = cached.notes("touch") if changed is not None else {}
    found: dict[Place, Touch] = {}
    waiting: dict[Place, str] = {}
    for place, each in read.items():
        key, _, row = kept.get("\0".join(place), "").partition(" ")
        if row and changed is not None and place[0] not in changed and key == each.key:
            commit, _, day = row.partition(" ")
            found[place] = Touch(commit, day)
        else:
            waiting[place] = each.key
    if waiting:
        now = last_touched(top, memory, head, {path for path, _ in waiting})
        rows = {place: now[place] for place in waiting if place in now}
        cached.note("touch", {"\0".join(at): f"{waiting[at]} {to.commit} {to.day}" for at, to in rows.items()})
        found |= rows
    cached.note("head", {"touched": head})
    return found


@frozen
class Recalled:
    """What the code said of entries, by their keys; `heard` collects what it says now, to be kept for the next run."""

    signals: Mapping[str, tuple[Signal, ...]]
    heard: dict[str, str]

    def remember(self, key: str, commit: str, signals: tuple[Signal, ...]) -> None:
        self.heard[key] = json.dumps([commit, [list(as_tuple(signal)) for signal in signals]])


def recalled(
    read: Mapping[Place, Read], touched: Mapping[Place, Touch], cached: Cache, reach: Reach | None, ids_changed: bool
) -> Recalled:
    """The signals that still hold: of entries that speak of the same commit as then, and name nothing that the change
    from the run before may have touched. Where new files came, what was gone may have gone there."""
    found: dict[str, tuple[Signal, ...]] = {}
    kept = cached.notes("code") if reach is not None else {}
    for place, each in read.items():
        row = kept.get(each.key)
        if row is None or reach is None:
            continue
        commit, signals = json.loads(row)
        touch = touched.get(place)
        same = commit == (touch.commit if touch is not None else "")
        if same and not (signals and reach.has_new) and not _any_touched(each.references, reach, ids_changed):
            found[each.key] = tuple(_signal(signal) for signal in signals)
    return Recalled(found, {})


def _any_touched(named: Iterable[Reference], reach: Reach, ids_changed: bool) -> bool:
    if not reach.paths and not ids_changed:
        return False
    return any(ids_changed if each.kind == "entry" else reach.may_touch(each) for each in named)


def _signal(row: list[object]) -> Signal:
    kind, weight, reason, line, moved, anchor = row
    return Signal(kind, weight, reason, line, tuple(moved) if isinstance(moved, list) else None, anchor)  # type: ignore[arg-type]
