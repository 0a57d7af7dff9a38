"""The first staleness set: path references of one project's documents, with the file lists of fourteen commits.

A list holds names and no bytes, so what moved shows only by its name. A reference resolved once where it does in one
of the other lists, or where the set says so (that is what its label "stale" means: fourteen lists don't hold every
commit between). It is stale when the set says so of any state of the document, and it doesn't resolve in this one;
fresh when it survived the fix and resolves. What never resolved must not be flagged, and what resolved at another time
and is in no label (`other`) counts against whoever flags it.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minutebook.ground.entry import Entry, read_entry
from minutebook.ground.memory_type import builtin_types
from minutebook.refresh.anchors import references
from minutebook.refresh.fate import compare
from minutebook.refresh.listing import Listing, Tree
from minutebook.refresh.resolvers import resolve
from minutebook.refresh.view import View

KINDS = ("path", "dir", "glob")


@dataclass(frozen=True, slots=True)
class Row:
    """A path that a document names at one commit. `label` is stale, fresh, never or other; `features` are what
    minutebook makes of it; `exists` says whether the path as it is written is in the list."""

    document: str
    tree: str
    token: str
    label: str
    line: str
    days: float
    exists: bool
    features: dict[str, float] | None


def minsky_rows(data: Path) -> Iterator[Row]:
    """The rows of every document at every commit that a case speaks of, each token once."""
    views = listed_views(data / "trees")
    cases: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for line in gzip.decompress((data / "cases.jsonl.gz").read_bytes()).decode().split("\n"):
        if line:
            case = json.loads(line)
            cases[case["doc"], case["tree"]].append(case)
    newest = max(case["stale_ts"] for several in cases.values() for case in several)
    known: dict[str, set[str]] = defaultdict(set)
    for (doc, _), several in cases.items():
        known[doc] |= {case["ref"].strip("/") for case in several}
    for (doc, tree), several in cases.items():
        entry, _ = read_entry(doc, several[0]["doc_text"], builtin_types()["pattern"], "doc")
        if entry is not None:
            days = (newest - max(case["stale_ts"] for case in several)) / 86400
            yield from _of_document(entry, doc, tree, several, views, days, known[doc])


def _of_document(
    entry: Entry, doc: str, tree: str, cases: list[dict[str, Any]], views: dict[str, View], days: float, known: set[str]
) -> Iterator[Row]:
    stale = {case["ref"].strip("/") for case in cases}
    fresh = {ref.strip("/") for case in cases for ref in case["fresh_refs"]} - stale
    home, now = doc.rpartition("/")[0], views[tree]
    lines = entry.text.split("\n")
    read: set[str] = set()
    for reference in references(entry):
        if reference.kind not in KINDS or reference.text in read:
            continue
        read.add(reference.text)
        there = resolve(reference, now, home) is not None
        said = reference.text in stale or (reference.text in known and not there)
        then = next((each for name, each in views.items() if name != tree and resolve(reference, each, home)), None)
        then = _as_said(reference.text, now) if then is None and said else then
        fate = compare(reference, home, then, now, lambda _: "") if then is not None else None
        label = "stale" if said else "fresh" if reference.text in fresh else "other"
        label = "never" if label == "other" and then is None and not there else label
        exists = reference.text in now.tree or bool(now.tree.under(reference.text))
        if label != "other" or not there:
            features = dict(fate.features) if fate is not None else None
            yield Row(doc, tree, reference.text, label, lines[reference.line - 1], days, exists, features)
    text = entry.text
    for label, missed in (("stale", stale - read), ("fresh", fresh - read)):
        yield from (Row(doc, tree, each, label, "", days, False, None) for each in sorted(missed) if each in text)


def _as_said(path: str, now: View) -> View:
    """The repository as the set says it was: with this path in it."""
    inside = path if "." in path.rpartition("/")[2] else f"{path}/file"
    return View("", "", Tree(now.tree.base, {inside: "then"}), lambda _: "", lambda _: {})


def listed_views(folder: Path) -> dict[str, View]:
    found = {}
    for path in sorted(folder.glob("*.txt.gz")):
        listed = {name: name for name in gzip.decompress(path.read_bytes()).decode().split("\n") if name}
        view = View(path.name.partition(".")[0], "", Tree(Listing(listed)), lambda _: "", lambda _: {})
        found[f"trees/{path.name}"] = view
    return found
