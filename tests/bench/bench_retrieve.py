"""How well search and retrieve find the decisions that a commit cites, on 433 real commits of one project.

Run: python tests/bench/bench_retrieve.py (needs the data set retrieval/minsky beside the checkout, or in the folder
that MINUTEBOOK_SHARED names). The query is a commit's message without the ids it cites, or its first line; found are
the decisions it cites, among those that existed before it. any@k: one of them is among the first k. `served` is the
share of queries for which a bundle within the default budget holds one of them, at whatever level.
The column weights and the length of the heavy part of a text (search_index._HEAD) were chosen on this very set.
"""

import gzip
import json
import os
import sys
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from minutebook.edges.search_index import Index, find, open_index
from minutebook.ground.change import File
from minutebook.ground.config import Config
from minutebook.ground.memory import Memory, read_memory
from minutebook.retrieve.candidates import Reader
from minutebook.retrieve.selection import select

TYPE = b"""name: record
title: Record
memory: episodic
describe: An architecture decision record as the project wrote it, one file each.
place: records/{slug}.md
layout: file
write: append
id: record-{slug}
load: selective
durability: durable
"""
FIGURES = ("any@1", "any@5", "any@10", "R@5", "mrr")
Ranked = tuple[list[str], bool, int]


def shared() -> Path:
    named = os.environ.get("MINUTEBOOK_SHARED")
    return Path(named) if named else Path(__file__).resolve().parents[3] / "shared"


def read_corpus(texts: dict[str, str], version: dict[str, str]) -> Memory:
    tree = {f".memory/records/{name}.md": File(texts[key].encode()) for name, key in version.items()}
    return read_memory({**tree, ".memory/types/record.yaml": File(TYPE)}, ".memory", Config())


def answer(index: Index, query: str, gold: set[str]) -> Ranked:
    """The ranking, whether a bundle serves what is cited, and the bundle's tokens."""
    hits = find(index, query, 1000)
    scores = {(hit.path, hit.id): hit.score for hit in hits}
    bundle = select(query, index.memory, scores, index.memory.config.budget, (), Reader("nobody"), "bench")
    served = {each.entry.id for each in bundle.served}
    return [hit.id for hit in hits], bool(served & gold), bundle.total


def figures(answers: list[tuple[Ranked, set[str]]]) -> dict[str, float]:
    total = dict.fromkeys((*FIGURES, "served", "tokens"), 0.0)
    for (ranking, served, tokens), gold in answers:
        first = next((at for at, name in enumerate(ranking, 1) if name in gold), 0)
        for depth in (1, 5, 10):
            total[f"any@{depth}"] += 0 < first <= depth
        total["R@5"] += len(gold & set(ranking[:5])) / len(gold)
        total["mrr"] += 1 / first if first else 0.0
        total["served"] += served
        total["tokens"] += tokens
    return {name: value / len(answers) for name, value in total.items()}


def main() -> int:
    data = shared() / "data" / "retrieval" / "minsky"
    if not data.is_dir():
        print(f"bench_retrieve: skipped, {data.name} is not here (set MINUTEBOOK_SHARED)")
        return 0
    corpora = json.loads(gzip.decompress((data / "corpora.json.gz").read_bytes()))
    cases: list[dict[str, Any]] = [
        json.loads(line) for line in (data / "queries.jsonl").read_text().split("\n") if line
    ]
    baselines = json.loads((data / "baselines.json").read_text())
    answers: dict[str, list[tuple[Ranked, set[str]]]] = {"full": [], "subject": []}
    for key, group in groupby(sorted(cases, key=itemgetter("corpus_key")), key=itemgetter("corpus_key")):
        with closing(open_index(None, read_corpus(corpora["texts"], corpora["versions"][key]))) as index:
            for case in group:
                gold = set(case["gold"])
                answers["full"].append((answer(index, case["query"], gold), gold))
                answers["subject"].append((answer(index, case["subject"], gold), gold))
    print(f"{len(cases)} commits; any@1, any@5, any@10, R@5, MRR")
    for kind, found in answers.items():
        ours = figures(found)
        print(f"{kind:8} minutebook " + " ".join(f"{ours[name]:.3f}" for name in FIGURES))
        for name in ("bm25", "tfidf"):
            theirs = baselines[kind][name]
            print(f"{kind:8} {name:10} " + " ".join(f"{theirs[figure]:.3f}" for figure in FIGURES))
        print(f"{kind:8} served {ours['served']:.3f} within a budget of 4000, {ours['tokens']:.0f} tokens on average")
    return 0


if __name__ == "__main__":
    sys.exit(main())
