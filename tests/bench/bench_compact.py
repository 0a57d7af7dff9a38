"""What compaction keeps: faults in summaries that the check catches, five rounds over a year, near-duplicates.

Run: python tests/bench/bench_compact.py [faults] [rounds] [near]
Notes are made up from a seed (tests/compaction/year.py); where transcripts lie beside the checkout, or in the folder
that MINUTEBOOK_SHARED names, the notes that `minutebook extract` leaves of them are compacted with them.
"""

import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from measure import PYTHON, environment, git

from compaction import faults, rounds, year
from compaction.rounds import ROOT
from minutebook.compact.grouping import Limits
from minutebook.compact.near_duplicates import clusters
from minutebook.compact.recall import Corpus, corpus, finds, questions
from minutebook.ground.change import File, Plan, Tree
from minutebook.ground.config import Config
from minutebook.ground.entry import Entry
from minutebook.ground.memory import Memory, read_memory
from minutebook.ground.uris import ARCHIVE
from minutebook.similar import salience

FAULTS = 1000
NOTES = 365
DECISIONS = 80
ROUNDS = 5
SHARED = Path(os.environ.get("MINUTEBOOK_SHARED") or Path(__file__).parents[3] / "shared")
LARGEST = 2 << 20  # bytes of a transcript: more of them say no more here


def of_faults() -> None:
    """Faults of six kinds, one at a time, in summaries of a year; and the summaries as they are."""
    tree = rounds.tree_of({**dict(year.notes(NOTES)), "decisions/_log.md": year.log(DECISIONS)})
    after = rounds.after(tree, rounds.compacted(tree, year.TODAY, salience, Limits()))
    places = rounds.summaries(after)
    alarms = sum(bool(rounds.said(rounds.alone(after, path))) for path in places)
    caught: Counter[str] = Counter()
    made: Counter[str] = Counter()
    for kind, problems in rounds.faulty(after, FAULTS, faults.KINDS, faults.fault):
        made[kind] += 1
        caught[kind] += bool(problems)
    kinds = ", ".join(f"{kind} {caught[kind]} of {made[kind]}" for kind in faults.KINDS)
    share = 100 * caught.total() / made.total()
    print(f"faults in summaries: {caught.total()} of {made.total()} caught ({share:.1f} %): {kinds}")
    print(f"  false alarms on untouched summaries: {alarms} of {len(places)}")


def of_rounds() -> None:
    """A year in five rounds: what is kept, what comes back, what is still found, and what it costs."""
    real = real_notes()
    texts = {**dict(year.notes(NOTES)), "decisions/_log.md": year.log(DECISIONS)} | real
    tree: Tree = rounds.tree_of(texts)
    originals = {path: file for path, file in tree.items() if path.startswith(f"{ROOT}/sessions/")}
    start = read_memory(tree, ROOT, Config())
    live = {entry.id: entry.text.strip() for entry in active(start)}
    first = corpus(start)
    print(
        f"{ROUNDS} rounds over {len(originals)} notes ({len(real)} of real sessions) and {len(live)} active decisions"
    )
    for number in range(1, ROUNDS + 1):
        today = year.START + timedelta(days=365 * number // ROUNDS + 3)
        dated = {p: f for p, f in tree.items() if p not in originals or number == ROUNDS or _day(p) <= str(today)}
        plan = rounds.compacted(dated, today, salience, Limits(age=0))
        problems = rounds.said(rounds.after(dated, plan))
        tree = rounds.after(tree, plan)
        before, after = sizes(plan)
        carried = plan.figures.get("claims carried", 0)
        print(
            f"  round {number}: {plan.figures.get('notes compacted', 0)} notes, {before} tokens into {after} "
            f"({100 * after / max(1, before):.1f} %), {plan.figures.get('claims', 0)} claims, {carried} carried, "
            f"{len(problems)} problems, {len(plan.refusals)} refused"
        )
        for refusal in plan.refusals:
            print(f"    {refusal.what}: {refusal.reason[:200]}")
    report(tree, originals, live, first)


def report(tree: Tree, originals: dict[str, File], live: dict[str, str], first: Corpus) -> None:
    end = read_memory(tree, ROOT, Config())
    kept = sum(live[entry.id] == entry.text.strip() for entry in active(end) if entry.id in live)
    homes = {path: path.replace(f"{ROOT}/", f"{ROOT}/{ARCHIVE}", 1) for path in originals}
    back = sum(tree.get(homes[path], tree.get(path)) == file for path, file in originals.items())
    stands = {name: e.id for e in end.entries() if e.type == "summary" for name in e.ids("derived_from")}
    last = corpus(end)
    asked = found = still = 0
    for note in (entry for entry in first.entries if entry.type == "session"):
        for text in questions(note, first):
            asked += 1
            found += finds(first, text, (note.id,), Config().budget)
            still += finds(last, text, (note.id, stands.get(note.id, "")), Config().budget)
    print(f"  active decisions readable: {kept} of {len(live)}; originals byte for byte: {back} of {len(originals)}")
    print(f"  questions: {asked}, found before {100 * found / asked:.1f} %, after {100 * still / asked:.1f} %")


def _day(path: str) -> str:
    return path.rpartition("/")[2][:10]


def active(memory: Memory) -> list[Entry]:
    return [entry for entry in memory.entries() if entry.type == "decision" and not memory.is_closed(entry)]


def sizes(plan: Plan) -> tuple[int, int]:
    """The tokens of the notes of all summaries of a plan, and those of the summaries."""
    made = [e for change in plan.changes for e in change.entries if e.verb == "compact" and e.tokens_before]
    return sum(each.tokens_before for each in made), sum(each.tokens_after for each in made)


def real_notes() -> dict[str, str]:
    """The session notes of real transcripts, with days of the year that the other notes are of."""
    found = sorted((SHARED / "data" / "transcripts").glob("**/*.jsonl"))
    chosen = [path for path in found if path.stat().st_size < LARGEST][:60]
    if not chosen:
        print("bench_compact: no transcripts here, so notes of real sessions are left out (MINUTEBOOK_SHARED)")
        return {}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        git(place, "init", "--quiet")
        (place / ROOT).mkdir()
        (place / ROOT / "index.md").write_text("# What there is\n", "utf-8")
        for path in chosen:
            command = [PYTHON, "-m", "minutebook", "extract", str(path), "--today", str(year.TODAY)]
            subprocess.run(command, cwd=place, env=environment(), capture_output=True, check=False)
        notes = sorted((place / ROOT / "sessions").glob("*.md"))
        return {f"sessions/{path.name}": path.read_text("utf-8") for path in notes}


def of_near_duplicates() -> None:
    texts = [text.split("---\n", 2)[2] for _, text in year.notes(10_000)]
    shuffled = random.Random(1).sample(texts, len(texts))
    start = time.perf_counter()
    groups = clusters(shuffled)
    took = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    united = sum(len(group) - 1 for group in groups)
    truly = len(texts) - len({*texts})
    print(f"near-duplicates among 10,000 notes: {took:.1f} s, {peak:.0f} MB; {united} united, {truly} are copies")


PARTS = {"faults": of_faults, "rounds": of_rounds, "near": of_near_duplicates}


def main() -> int:
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
