"""What refresh compares the entries with: git's past and present, and what the cache knows of both."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from minutebook import refresh
from minutebook.commands.recall import Place, Read, Recalled, disagreements, place_of, read_entries, recalled, touches
from minutebook.edges import git
from minutebook.edges.memory_history import (
    Touch,
    code_files,
    commits_since,
    differences,
    ids_held,
    renames,
    text_reader,
    vanished,
)
from minutebook.edges.refresh_cache import Cache, Spots, scan
from minutebook.ground.entry import Entry
from minutebook.ground.memory import Memory
from minutebook.refresh.anchors import Reference
from minutebook.refresh.drifted import Drift, counts_of, drift_between, summed
from minutebook.refresh.findings import Past
from minutebook.refresh.listing import Listing, Tree
from minutebook.refresh.model import WEIGHTS, Model, model_of
from minutebook.refresh.reach import Reach, reach_of
from minutebook.refresh.view import View
from minutebook.refresh.vocabulary import NO_CODE, spots_in
from minutebook.refresh.went import nearest
from minutebook.workspace import Workspace

Deltas = Mapping[str, Mapping[str, str]]
"""Commit to what its files were in place of those at HEAD: path to blob id, "" for none."""


def shipped_model() -> Model:
    """The model that this version was trained to."""
    return model_of(json.loads((_refresh() / WEIGHTS).read_text("utf-8")))


def _rules() -> str:
    """The digest of all that decides what is read and said, so that nobody remembers what older rules made of it."""
    sources = sorted(path for path in _refresh().rglob("*") if path.suffix in (".py", ".json"))
    return sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()


def _refresh() -> Path:
    return Path(refresh.__file__).parent


def past_of(workspace: Workspace, memory: Memory, head: str, cached: Cache, since: str = "") -> tuple[Past, Recalled]:
    """The past of `memory` as of the commit `head`, and a place for what the code says of its entries. With `since`, a
    commit, entries that were last touched before it are compared with what it held, so that only what changed from
    there on shows."""
    top, roots = workspace.repo.top, workspace.config.roots or (memory.root,)
    cached.made_by(_rules())
    read = read_entries(memory, cached)
    touched = touches(top, memory, head, read, cached)
    asked = {word for each in read.values() for word in words_of(each.references)}
    before = Recalled({}, {})
    if since:
        later = commits_since(top, since, head)
        start = Touch(since, git.asked(top, "log", "-1", "--format=%cs", since) or "")
        touched = {key: touch if touch.commit in later else start for key, touch in touched.items()}
    else:
        before = _recalled(top, memory, head, roots, read, touched, asked, cached)
    waiting = {place: touch for place, touch in touched.items() if read[place].key not in before.signals}
    base = Listing(code_files(top, head, roots) if waiting else {})
    commits = list(dict.fromkeys(touch.commit for touch in waiting.values() if touch.commit != head))
    deltas = differences(top, commits, head, roots)
    spots = spots_of(top, cached, base, deltas, asked) if waiting else {}
    return _past(top, memory, head, touched, deltas, base, spots, read, before, cached), before


def _recalled(
    top: Path, memory: Memory, head: str, roots: Sequence[str], read: Mapping[Place, Read],
    touched: Mapping[Place, Touch], asked: set[str], cached: Cache,
) -> Recalled:  # fmt: skip
    """What the run before heard of the code, as far as nothing that it was about has changed since."""
    ids = sha256("\n".join(sorted(entry.id for entry in memory.entries(archived=True))).encode()).hexdigest()
    old = cached.notes("head")
    cached.note("head", {"heard": head, "ids": ids})
    reach = None
    if "heard" in old and git.commit_id(top, old["heard"]) is not None:
        reach = _reach(top, old["heard"], head, roots, asked, cached)
    return recalled(read, touched, cached, reach, old.get("ids") != ids)


def _reach(top: Path, old: str, head: str, roots: Sequence[str], asked: set[str], cached: Cache) -> Reach:
    """What the change from one commit to another may touch."""
    if old == head:
        return reach_of({}, ())
    before = differences(top, [old], head, roots)[old]
    after = differences(top, [head], old, roots)[head]
    spots = spots_of(top, cached, Listing(after), {old: before}, asked)
    return reach_of(before, {word for blob in (*before.values(), *after.values()) for word in spots.get(blob, ())})


def _past(
    top: Path, memory: Memory, head: str, touched: Mapping[Place, Touch], deltas: Deltas, base: Listing, spots: Spots,
    read: Mapping[Place, Read], before: Recalled, cached: Cache,
) -> Past:  # fmt: skip
    reader, gone, where = text_reader(top), vanished(top, head), inverted(base, spots)
    ids = {entry.id for entry in memory.entries(archived=True)}
    # Versions, hashes and module names look like ids: only what starts as an id of this memory does is worth a look.
    heads = {name.partition("-")[0].lower() for name in (*ids, *(mtype.id for mtype in memory.types.values()))}

    @cache
    def view(touch: Touch) -> View:
        delta = deltas.get(touch.commit, {})
        held = ids_held(top, memory, touch.commit) if touch.commit != head else ids.__contains__
        return View(
            touch.commit, touch.day, Tree(base, delta), reader, finder(where, delta, spots),
            lambda name: name.partition("-")[0].lower() in heads and held(name),
            reach_of(delta, _words_in(delta, base, spots)),
        )  # fmt: skip

    def then(entry: Entry) -> View | None:
        touch = touched.get(place_of(entry))
        return view(touch) if touch is not None else None

    def gone_since(path: str) -> str:
        touch = gone(path)
        return f" since {touch.commit[:8]} ({touch.day})" if touch is not None else ""

    def commit_of(entry: Entry) -> str:
        touch = touched.get(place_of(entry))
        return touch.commit if touch is not None else ""

    now = view(Touch(head, git.asked(top, "log", "-1", "--format=%cs", head) or ""))
    moved = cache(lambda commit: renames(top, commit, head))
    key = {place: each.key for place, each in read.items()}
    return Past(
        then, now, gone_since,
        lambda view, path: moved(view.commit).get(path, ""),
        lambda fate, view: nearest(fate, view, now),
        lambda entry: read[place_of(entry)].references,
        lambda memory: disagreements(memory, read, cached),
        lambda entry: touched[place_of(entry)].day if place_of(entry) in touched else "",
        lambda entry: before.signals.get(key[place_of(entry)]),
        lambda entry, signals: before.remember(key[place_of(entry)], commit_of(entry), signals),
    )  # fmt: skip


def drifting(top: Path, cached: Cache) -> Callable[[Entry, Sequence[str], Sequence[str]], Drift]:
    """How far an anchor's files moved, by term counts that the cache keeps by blob."""
    reader = text_reader(top)
    kept = cached.notes("terms")

    @cache
    def counts(blob: str) -> dict[str, int]:
        if blob not in kept:
            kept[blob] = json.dumps(counts_of(reader(blob)))
            cached.note("terms", {blob: kept[blob]})
        found: dict[str, int] = json.loads(kept[blob])
        return found

    def drift(entry: Entry, before: Sequence[str], after: Sequence[str]) -> Drift:
        said = counts_of(f"{entry.title}\n{entry.abstract}\n{entry.body}")
        return drift_between(summed(map(counts, before)), summed(map(counts, after)), said)

    return drift


def words_of(named: Iterable[Reference]) -> Iterable[str]:
    """The words of code that these references are looked for by."""
    for reference in named:
        if reference.kind == "symbol":
            yield from reference.text.split(".")[-2:]
        elif reference.kind in ("word", "constant", "flag"):
            yield reference.text
        elif reference.kind == "command":
            yield from (form for word in reference.text.split()[1:4] for form in (word, word.replace("-", "_")))


def spots_of(top: Path, cached: Cache, base: Listing, deltas: Deltas, asked: set[str]) -> Spots:
    """What the code of all these commits holds of the words that are asked for."""
    pairs = [*base.files.items(), *(pair for delta in deltas.values() for pair in delta.items())]
    code = {blob: path for path, blob in pairs if blob and not NO_CODE.fullmatch(path)}
    return scan(top, cached, code if asked else {}, asked, spots_in)


def inverted(base: Listing, spots: Spots) -> dict[str, dict[str, int]]:
    """Word to path to bits, of the code at HEAD."""
    found: dict[str, dict[str, int]] = {}
    for path, blob in base.files.items():
        if blob in spots and not NO_CODE.fullmatch(path):
            for word, bits in spots[blob].items():
                found.setdefault(word, {})[path] = bits
    return found


def _words_in(delta: Mapping[str, str], base: Listing, spots: Spots) -> set[str]:
    """The words that memory names in the files that differ, before and after."""
    blobs = {blob for path, old in delta.items() for blob in (old, base.files.get(path, ""))}
    return {word for blob in blobs for word in spots.get(blob, ())}


def finder(
    where: Mapping[str, Mapping[str, int]], delta: Mapping[str, str], spots: Spots
) -> Callable[[str], Mapping[str, int]]:
    """As `where`, at the commit that `delta` leads to."""
    if not delta:
        return lambda word: where.get(word, {})
    changed = {path: spots[blob] for path, blob in delta.items() if blob in spots and not NO_CODE.fullmatch(path)}

    @cache
    def find(word: str) -> Mapping[str, int]:
        same = {path: bits for path, bits in where.get(word, {}).items() if path not in delta}
        return same | {path: held[word] for path, held in changed.items() if word in held}

    return find
