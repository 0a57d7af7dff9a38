"""Path anchors on a real history: precision and recall of two rules over the references that minutebook reads.

Run: python tests/bench/bench_staleness.py (needs the data set staleness/minsky beside the checkout, or in the folder
that MINUTEBOOK_SHARED names). A rule that resolves paths finds what stopped resolving by construction; what is measured
is what it flags beside that, never-resolved tokens (examples, plans, other repositories) among the candidates.
The set holds the file lists of 14 commits, not of the commit at which each document was last touched. So "resolved
then" means: in one of the lists of the other 13 commits. That under-counts what resolved in between.
"""

import gzip
import json
import os
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from minutebook.ground.entry import read_entry
from minutebook.ground.memory_type import builtin_types
from minutebook.refresh.anchors import Reference, references
from minutebook.refresh.resolve import View, resolve


def shared() -> Path:
    named = os.environ.get("MINUTEBOOK_SHARED")
    return Path(named) if named else Path(__file__).resolve().parents[3] / "shared"


def read_views(folder: Path) -> dict[str, View]:
    found = {}
    for path in sorted(folder.glob("*.txt.gz")):
        files = gzip.decompress(path.read_bytes()).decode().split("\n")
        commit = path.name.split(".")[0]
        listed = {name: name for name in files if name}
        found[f"trees/{path.name}"] = View(commit, "", listed, lambda _: "", lambda _: False)
    return found


def read_references(doc: str, text: str) -> list[Reference]:
    entry, _ = read_entry(doc, text, builtin_types()["pattern"], "doc")
    found = references(entry) if entry is not None else ()
    return [reference for reference in found if reference.kind in ("path", "dir")]


def main() -> int:
    data = shared() / "data" / "staleness" / "minsky"
    if not data.is_dir():
        print(f"bench_staleness: skipped, {data.name} is not here (set MINUTEBOOK_SHARED)")
        return 0
    views = read_views(data / "trees")
    documents: dict[tuple[str, str], dict[str, Any]] = {}
    stale: dict[tuple[str, str], set[str]] = defaultdict(set)
    fresh: dict[tuple[str, str], set[str]] = defaultdict(set)
    for line in gzip.decompress((data / "cases.jsonl.gz").read_bytes()).decode().split("\n"):
        if line:
            case = json.loads(line)
            key = (case["doc"], case["tree"])
            documents[key] = case
            text = case["doc_text"]  # cut at 60,000 characters: what stands behind the cut can't be read
            stale[key] |= {ref.strip("/") for ref in (case["ref"],) if ref in text}
            fresh[key] |= {ref.strip("/") for ref in case["fresh_refs"] if ref in text}
    counts: dict[str, list[int]] = {"doesn't resolve now": [0, 0, 0], "resolved once, doesn't now": [0, 0, 0]}
    read_stale = read_fresh = flagged_fresh = never = 0
    for key, case in documents.items():
        doc, tree = key
        home, now = str(Path(doc).parent), views[tree]
        found = read_references(doc, case["doc_text"])
        texts = {reference.text for reference in found}
        read_stale += len(stale[key] & texts)
        read_fresh += len(fresh[key] & texts)
        for name, tally in counts.items():
            gone = {ref.text for ref in found if resolve(ref, now, home) is None}
            if name.startswith("resolved"):
                once = {r.text for r in found if any(resolve(r, v, home) for t, v in views.items() if t != tree)}
                never += len(gone - once)
                gone &= once
                flagged_fresh += len(gone & fresh[key])
            tally[0] += len(gone & stale[key])
            tally[1] += len(gone)
            tally[2] += len(stale[key])
    total_stale, total_fresh = sum(map(len, stale.values())), sum(map(len, fresh.values()))
    print(f"documents {len(documents)}; read {read_stale} of {total_stale} stale, {read_fresh} of {total_fresh} fresh")
    for name, (hits, flagged, there) in counts.items():
        precision = hits / flagged if flagged else 0.0
        print(f"{name}: precision {precision:.2f} ({hits} of {flagged} flags), recall {hits / there:.2f} of {there}")
    print(f"never resolved, so never flagged: {never}; fresh references flagged: {flagged_fresh}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
