"""Where the code of now, and of the commits that entries speak of, holds the words that memory names."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from pathlib import Path

from minutebook import refresh
from minutebook.edges.code_words import holders, scan, scan_name
from minutebook.edges.refresh_cache import Cache
from minutebook.refresh.anchors import Reference
from minutebook.refresh.listing import Files, Listing
from minutebook.refresh.model import WEIGHTS, Model, model_of
from minutebook.refresh.vocabulary import NO_CODE, spots_in

Deltas = Mapping[str, Mapping[str, str]]
"""Commit to what its files were in place of those at HEAD: path to blob id, "" for none."""
Spots = Mapping[str, Mapping[str, int]]
"""Word to the scans of code that hold it (`edges/code_words.py`), each with its bits."""


def shipped_model() -> Model:
    """The model that this version was trained to."""
    return model_of(json.loads((Path(refresh.__file__).parent / WEIGHTS).read_text("utf-8")))


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
    """Where the code of all these commits holds the words that are asked for."""
    pairs = [*base.files.items(), *(pair for delta in deltas.values() for pair in delta.items())]
    scan(top, cached.connection, scans_of(pairs), asked, spots_in)
    return {word: found for word in asked if (found := holders(cached.connection, word))}


def scans_of(pairs: Iterable[tuple[str, str]]) -> dict[str, None]:
    """The scans that these files of path and blob need."""
    return {scan_name(path, blob): None for path, blob in pairs if blob and not NO_CODE.fullmatch(path)}


def inverted(base: Files, spots: Spots) -> dict[str, dict[str, int]]:
    """Word to path to bits, of the code at HEAD."""
    found: dict[str, dict[str, int]] = {}
    for word, held in spots.items():
        for name, bits in held.items():
            blob = name.partition(".")[0]
            found.setdefault(word, {}).update(
                (path, bits)
                for path in base.holding(blob)
                if scan_name(path, blob) == name and not NO_CODE.fullmatch(path)
            )
    return found


def finder(
    where: Mapping[str, Mapping[str, int]], delta: Mapping[str, str], spots: Spots
) -> Callable[[str], Mapping[str, int]]:
    """As `where`, at the commit that `delta` leads to."""
    if not delta:
        return lambda word: where.get(word, {})
    changed = {path: scan_name(path, blob) for path, blob in delta.items() if blob and not NO_CODE.fullmatch(path)}

    @cache
    def find(word: str) -> Mapping[str, int]:
        held = spots.get(word, {})
        same = {path: bits for path, bits in where.get(word, {}).items() if path not in delta}
        return same | {path: held[name] for path, name in changed.items() if name in held}

    return find


def by_scan(spots: Spots) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for word, held in spots.items():
        for name in held:
            found.setdefault(name, set()).add(word)
    return found


def words_in(delta: Mapping[str, str], base: Files, by_scan: Mapping[str, Collection[str]]) -> set[str]:
    """The words that memory names in the files that differ, before and after."""
    names = scans_of(pair for path, old in delta.items() for pair in ((path, old), (path, base.blob(path))))
    return {word for name in names for word in by_scan.get(name, ())}
