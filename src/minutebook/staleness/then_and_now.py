"""What refresh compares the entries with: git's past and present, and what the cache knows of both."""

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from sqlite3 import DatabaseError

from minutebook.edges.entry_rows import Row, all_ids, holds_id
from minutebook.edges.memory_history import code_rows, differences, ids_held, renames, text_reader, vanished
from minutebook.edges.refresh_cache import Cache
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import Memory
from minutebook.refresh.against_code import OF_TODAY
from minutebook.refresh.drifted import Drift, counts_of, drift_between, summed
from minutebook.refresh.findings import Past, Signal
from minutebook.refresh.listing import Files, Listing, Tree
from minutebook.refresh.raw_listing import RawListing
from minutebook.refresh.reach import reach_of
from minutebook.refresh.view import View
from minutebook.refresh.went import nearest
from minutebook.staleness.past import Deltas, Spots, by_scan, finder, inverted, spots_of, words_in, words_of
from minutebook.staleness.recall import Place, disputes_in, place_of, references_in, signals_in, with_signals

_FEW = 10


@frozen
class Ground:
    """Where the entries are looked at from: `head` is the commit that is now, `roots` are all memory roots."""

    top: Path
    head: str
    roots: Sequence[str]
    cached: Cache


def past_of(
    ground: Ground, memory: Memory, rows: dict[Place, Row], places: Collection[Place],
) -> Past:  # fmt: skip
    """The past of the entries of `memory`, of which `rows` knows what they name and when they were touched; those at
    `places` may be judged by the code. What it says of an entry is put into its row, and looked up there."""
    waiting = [rows[place] for place in places if rows[place].heard is None and not rows[place].archived]
    commits = {commit_of(row) for row in waiting} - {"", ground.head}
    if not commits and not any(each.kind in OF_TODAY for row in waiting for each in references_in(row)):
        return _past(ground, memory, rows, views_of(ground, memory, Listing({}), {}, {}))
    asked = {word for row in waiting for word in words_of(references_in(row))}
    listed = RawListing(code_rows(ground.top, ground.head, ground.roots))
    deltas = differences(ground.top, commits, ground.head, ground.roots)
    if not commits <= deltas.keys():
        raise DatabaseError("the cache names a commit that isn't here")
    scanned = ground.cached.said("state", "scanned") == ground.head
    spots = spots_of(ground.top, ground.cached, Listing({}) if scanned else listed.listing, deltas, asked)
    ground.cached.note("state", {"scanned": ground.head})
    few = len(waiting) + sum(map(len, spots.values())) < _FEW
    views = views_of(ground, memory, listed if few else listed.listing, deltas, spots)
    return _past(ground, memory, rows, views)


def commit_of(row: Row) -> str:
    """The commit that the entry speaks of; "" for none."""
    return (row.touch or "").partition(" ")[0]


def views_of(ground: Ground, memory: Memory, base: Files, deltas: Deltas, spots: Spots) -> Callable[[str, str], View]:
    """The view at a commit and its day."""
    connection = ground.cached.connection
    reader, where, held_by = text_reader(ground.top), inverted(base, spots), by_scan(spots)
    # Versions, hashes and module names look like ids: only what starts as an id of this memory does is worth a look.
    heads = cache(lambda: id_heads(all_ids(connection), memory))

    @cache
    def view(commit: str, day: str) -> View:
        delta = deltas.get(commit, {})
        held = (
            ids_held(ground.top, memory, commit) if commit != ground.head else lambda name: holds_id(connection, name)
        )
        return View(
            commit, day, Tree(base, delta), reader, finder(where, delta, spots),
            lambda name: name.partition("-")[0].lower() in heads() and held(name),
            reach_of(delta, words_in(delta, base, held_by)),
        )  # fmt: skip

    return view


def id_heads(ids: Iterable[str], memory: Memory) -> frozenset[str]:
    """What ids of this memory start with, up to their first `-`."""
    return frozenset(name.partition("-")[0].lower() for name in (*ids, *(each.id for each in memory.types.values())))


def _past(
    ground: Ground, memory: Memory, rows: dict[Place, Row], view: Callable[[str, str], View],
) -> Past:  # fmt: skip
    top, head = ground.top, ground.head
    gone = vanished(top, head)
    now = view(head, "")
    moved = cache(lambda commit: renames(top, commit, head))
    doubted = [each for place in rows for each in disputes_in(rows[place])]

    def then(entry: Entry) -> View | None:
        touch = rows[place_of(entry)].touch
        return view(*touch.split(" ")) if touch else None

    def gone_since(path: str) -> str:
        touch = gone(path)
        return f" since {touch[0][:8]} ({touch[1]})" if touch is not None else ""

    def remember(entry: Entry, signals: tuple[Signal, ...]) -> None:
        rows[place_of(entry)] = with_signals(rows[place_of(entry)], signals)

    return Past(
        then, now, gone_since,
        lambda view, path: moved(view.commit).get(path, ""),
        lambda fate, view: nearest(fate, view, now),
        lambda entry: references_in(rows[place_of(entry)]),
        lambda _: doubted,
        lambda entry: (rows[place_of(entry)].touch or "").rpartition(" ")[2],
        lambda entry: signals_in(rows[place_of(entry)]),
        remember,
    )  # fmt: skip


def drifting(top: Path, cached: Cache) -> Callable[[Entry, Sequence[str], Sequence[str]], Drift]:
    """How far an anchor's files moved, by term counts that the cache keeps by blob."""
    reader = text_reader(top)

    @cache
    def counts(blob: str) -> dict[str, int]:
        kept = cached.said("terms", blob)
        if kept is None:
            kept = json.dumps(counts_of(reader(blob)))
            cached.note("terms", {blob: kept})
        found: dict[str, int] = json.loads(kept)
        return found

    def drift(entry: Entry, before: Sequence[str], after: Sequence[str]) -> Drift:
        said = counts_of(f"{entry.title}\n{entry.abstract}\n{entry.body}")
        return drift_between(summed(map(counts, before)), summed(map(counts, after)), said)

    return drift
