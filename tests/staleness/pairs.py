"""The second staleness set: what the documentation of one release names, judged against the code of the next one.

A token that meant something in the older release, means nothing in the newer one and is gone from its documentation is
confirmed stale. One that still means something and still stands is fresh. One that meant nothing is a candidate that
must not be flagged. What changed in one of the two alone (still documented though gone, dropped though there) is no
evidence either way, and counted apart. What a token means is told by Python's own parser (truth.py).
"""

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from documents import documents
from releases import RELEASES, UNSEEN, fetch, read_release
from truth import Release, is_file

from minutebook import refresh
from minutebook.edges.memory_history import code_files, differences, renames, text_reader
from minutebook.edges.refresh_cache import open_cache
from minutebook.ground.entry import Entry
from minutebook.refresh.anchors import references
from minutebook.refresh.fate import Fate, fates
from minutebook.refresh.listing import Listing, Tree
from minutebook.refresh.view import View
from minutebook.staleness.past import finder, inverted, spots_of, words_of

T = TypeVar("T")
_MADE_BY = ("anchors", "believable", "fate", "listing", "view", "vocabulary")
_SPAN = re.compile(r"`{1,2}([^`\n]{2,120})`{1,2}")
_NAME = re.compile(r"[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*")
_FLAG = re.compile(r"--[A-Za-z][\w-]+")
_GIT = ("-c", "user.name=set", "-c", "user.email=set@example.org", "-c", "core.autocrlf=false", "-c", "gc.auto=0")


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate: a token of one document of one package between two releases. `label` is stale, fresh, never,
    unfixed (gone, and still documented) or dropped (there, and no longer documented). `features` are what minutebook
    makes of it, None for what stands, or never resolved, in its eyes. `line` is the line that it stands on, `days` lie
    between the releases, `exists` says whether the newer one has a file of that path."""

    package: str
    pair: str
    document: str
    token: str
    label: str
    line: str
    days: int
    exists: bool
    features: dict[str, float] | None


def rows_of(folder: Path, name: str, *, chain: bool = False) -> list[Row]:
    """The rows of a package; kept in the folder as long as nothing changes that they are made by."""
    parts = [Path(refresh.__file__).parent / f"{each}.py" for each in _MADE_BY]
    scripts = [Path(__file__).with_name(f"{each}.py") for each in ("documents", "pairs", "truth")]
    sources = [*parts, *sorted((Path(refresh.__file__).parent / "resolvers").glob("*.py")), *scripts]
    made_by = sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]
    kept = folder / "rows" / f"{name}{'-chain' if chain else ''}-{made_by}.jsonl"
    if not kept.is_file():
        kept.parent.mkdir(exist_ok=True)
        rows = [json.dumps(asdict(row)) for row in package_rows(folder, name, chain=chain)]
        kept.write_text("".join(f"{row}\n" for row in rows), "utf-8")
    return [Row(**json.loads(line)) for line in kept.read_text("utf-8").splitlines()]


def package_rows(folder: Path, name: str, *, chain: bool = False) -> Iterator[Row]:
    """The rows of a package over pairs of the releases that could be fetched: the first with the middle one, that with
    the last, the first with the last, or of two just these; as a `chain`, each with the next."""
    versions = (RELEASES | UNSEEN)[name]
    there = [(version, place) for version in versions if (place := fetch(folder, name, version)) is not None]
    top = _repository(folder / "git" / name, there)
    for (old, old_place), (new, new_place) in pairwise(there) if chain or len(there) < 3 else _wide(there):
        days = round(max(0.0, _written(new_place) - _written(old_place)) / 86400)
        yield from _pair(top, name, (old, new), read_release(old_place), read_release(new_place), days)


def _wide(there: list[T]) -> list[tuple[T, T]]:
    first, middle, last = there[0], there[len(there) // 2], there[-1]
    return [(first, middle), (middle, last), (first, last)]


def _pair(
    top: Path, name: str, versions: tuple[str, str], old: dict[str, str], new: dict[str, str], days: int
) -> Iterator[Row]:
    before, after, docs = Release(old), Release(new), documents(old)
    newer = "\n".join(entry.text for entry in documents(new).values())
    stands = cache(lambda token: _stands(token, newer))
    found = _fates(top, versions, docs)
    for path, entry in docs.items():
        for token, line in candidates(entry).items():
            label = _label(before.means(token), after.means(token), stands(token))
            fate = found.get((path, token.strip("/"))) or found.get((path, token.rpartition(".")[2]))
            features = dict(fate.features) if fate is not None else None
            yield Row(name, "..".join(versions), path, token, label, line, days, token in after.paths, features)


def _stands(token: str, text: str) -> bool:
    """Whether a text has the token as a whole."""
    at = text.find(token)
    while at >= 0:
        around = text[at - 1 : at] + text[at + len(token) : at + len(token) + 1]
        if not any(each.isalnum() or each in "_-" for each in around):
            return True
        at = text.find(token, at + 1)
    return False


def _label(was: bool, there: bool, stands: bool) -> str:
    if not was:
        return "never"
    if there:
        return "fresh" if stands else "dropped"
    return "unfixed" if stands else "stale"


def candidates(entry: Entry) -> dict[str, str]:
    """Each token of the document's code spans that is one path, flag or name, with the line that it first stands on."""
    found: dict[str, str] = {}
    fenced = False
    for line in entry.text.split("\n"):
        fenced ^= line.lstrip().startswith("```")
        for match in () if fenced else _SPAN.finditer(line):
            token = re.sub(r"\(.*\)$", "", match[1].strip())
            if _FLAG.fullmatch(token) or _NAME.fullmatch(token) or (is_file(token) and " " not in token):
                found.setdefault(token, line)
    return found


def _fates(top: Path, versions: tuple[str, str], docs: dict[str, Entry]) -> dict[tuple[str, str], Fate]:
    """By document and token, what minutebook's resolvers make of it: the strangest of several readings first."""
    then, now, renamed = views(top, *versions, docs)
    found: dict[tuple[str, str], Fate] = {}
    for path, entry in docs.items():
        home = path.rpartition("/")[0]
        for reference, fate in fates(references(entry), home, then, now, lambda old: renamed.get(old, "")):
            if fate is not None:
                found.setdefault((path, reference.text), fate)
    return found


def views(top: Path, old: str, new: str, docs: dict[str, Entry]) -> tuple[View, View, dict[str, str]]:
    """The package at two releases, and git's renames between them: by the code that `minutebook refresh` runs."""
    asked = {word for entry in docs.values() for word in words_of(references(entry))}
    base = Listing(code_files(top, new, ()))
    deltas = differences(top, [old], new, ())
    with open_cache(top / ".git", "set") as cached:
        spots = spots_of(top, cached, base, deltas, asked)
    where, read = inverted(base, spots), text_reader(top)
    now = View(new, "", Tree(base), read, finder(where, {}, spots))
    then = View(old, "", Tree(base, deltas[old]), read, finder(where, deltas[old], spots))
    return then, now, renames(top, old, new)


def _repository(top: Path, releases: list[tuple[str, Path]]) -> Path:
    """A repository with one commit and one tag a release."""
    if (top / ".git").is_dir():
        return top
    top.mkdir(parents=True)
    _git(top, "init", "--quiet", "--initial-branch=main")
    for version, place in releases:
        inner = next(each for each in place.iterdir() if each.is_dir())
        tree = ("--git-dir", str(top / ".git"), "--work-tree", str(inner))
        _git(inner, *tree, "add", "--all", "--force", ".")
        _git(inner, *tree, "commit", "--quiet", "--no-verify", "--allow-empty", "--message", version)
        _git(top, "tag", version)
    return top


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *_GIT, *arguments], cwd=folder, check=True, capture_output=True)


def _written(place: Path) -> float:
    """When a release was made: when its newest file was written."""
    return max(path.stat().st_mtime for path in place.rglob("*") if path.is_file())
