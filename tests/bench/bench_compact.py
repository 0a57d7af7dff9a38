"""What compaction keeps: faults in summaries that the check catches, five rounds over a year, near-duplicates.

Run: python tests/bench/bench_compact.py [faults] [certificates] [rounds] [near]
Notes are made up from a seed (tests/compaction/year.py); where transcripts lie beside the checkout, or in the folder
that MINUTEBOOK_SHARED names, the notes that `minutebook extract` leaves of them are compacted with them.
"""

import json
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
from minutebook.commands.compact import searched
from minutebook.compact.claims import atoms
from minutebook.compact.grouping import Limits
from minutebook.compact.near_duplicates import clusters
from minutebook.compact.recall import Corpus, Sought, corpus, questions, sought
from minutebook.compact.statements import key
from minutebook.compact.uniting import plan_uniting
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
    """Faults one at a time in summaries of a year: of the kinds that the issue names, and of others; and the summaries
    as they are."""
    tree = rounds.tree_of({**dict(year.notes(NOTES)), "decisions/_log.md": year.log(DECISIONS)})
    after = rounds.after(tree, rounds.compacted(tree, year.TODAY, salience, Limits()))
    places = rounds.summaries(after)
    alarms = sum(bool(rounds.said(rounds.alone(after, path))) for path in places)
    for what, kinds in (("faults in summaries", faults.KINDS), ("  of further kinds", faults.FURTHER)):
        caught: Counter[str] = Counter()
        made: Counter[str] = Counter()
        for kind, problems in rounds.faulty(
            after, FAULTS if kinds is faults.KINDS else FAULTS // 2, kinds, faults.fault
        ):
            made[kind] += 1
            caught[kind] += bool(problems)
        told = ", ".join(f"{kind} {caught[kind]} of {made[kind]}" for kind in kinds)
        share = 100 * caught.total() / made.total()
        print(f"{what}: {caught.total()} of {made.total()} caught ({share:.1f} %): {told}")
    print(f"  false alarms on untouched summaries: {alarms} of {len(places)}")


def of_certificates() -> None:
    """What it costs to make the certificates of a year again, against reading the notes alone."""
    tree = rounds.tree_of(dict(year.notes(NOTES)))
    after = rounds.after(tree, rounds.compacted(tree, year.TODAY, salience, Limits()))
    pairs = []
    for _ in range(5):
        start = time.process_time()
        for entry in read_memory(after, ROOT, Config()).entries(archived=True):
            entry.fields  # noqa: B018  (read on first use)
        middle = time.process_time()
        key.cache_clear()
        atoms.cache_clear()
        rounds.said(after)
        pairs.append((middle - start, time.process_time() - middle))
    alone, judged = min(pairs, key=lambda pair: pair[1] / pair[0])
    print(
        f"certificates made again: {1000 * judged / NOTES:.2f} ms an original, "
        f"{judged / alone:.1f} times what reading the memory takes ({1000 * alone / NOTES:.2f} ms)"
    )


def of_rounds() -> None:
    """A year in five rounds: what is kept, what comes back, what is still found, and what it costs."""
    real = real_notes()
    texts = {**dict(year.notes(NOTES)), "decisions/_log.md": year.log(DECISIONS)} | real
    tree: Tree = rounds.tree_of(texts)
    originals = {path: file for path, file in tree.items() if path.startswith(f"{ROOT}/sessions/")}
    start = read_memory(tree, ROOT, Config())
    live = {entry.id: entry.text.strip() for entry in active(start)}
    known = corpus(start)
    first = sought(start, searched)
    print(
        f"{ROUNDS} rounds over {len(originals)} notes ({len(real)} of real sessions) and {len(live)} active decisions"
    )
    for number in range(1, ROUNDS + 1):
        today = year.START + timedelta(days=365 * number // ROUNDS + 3)
        dated = {p: f for p, f in tree.items() if p not in originals or number == ROUNDS or _day(p) <= str(today)}
        plan = rounds.compacted(dated, today, salience, Limits(age=0), search=searched)
        problems = rounds.said(rounds.after(dated, plan))
        tree = rounds.after(tree, plan)
        before, after = sizes(plan)
        carried = plan.figures.get("claims carried", 0)
        print(
            f"  round {number}: {plan.figures.get('notes compacted', 0)} notes, {before} tokens into {after} "
            f"({100 * after / max(1, before):.1f} %), {plan.figures.get('claims', 0)} claims, {carried} carried, "
            f"{len(problems)} problems, {len(plan.refusals)} refused; {reasons(plan)}"
        )
        for refusal in plan.refusals:
            print(f"    {refusal.what}: {refusal.reason[:200]}")
    report(tree, originals, live, known, first)


def reasons(plan: Plan) -> str:
    """How many of the summaries are longer than a fifth of their notes, and how many of these say why."""
    heads = [
        json.loads(change.new.data.partition(b"\n")[0])
        for change in plan.changes
        if "/ledgers/" in change.path and change.new is not None
    ]
    longer = [head for head in heads if head["tokens"][1] * 5 > head["tokens"][0]]
    return f"{len(longer)} of {len(heads)} over a fifth, {sum('why' in head for head in longer)} say why"


def report(tree: Tree, originals: dict[str, File], live: dict[str, str], known: Corpus, first: Sought) -> None:
    end = read_memory(tree, ROOT, Config())
    kept = sum(live[entry.id] == entry.text.strip() for entry in active(end) if entry.id in live)
    homes = {path: path.replace(f"{ROOT}/", f"{ROOT}/{ARCHIVE}", 1) for path in originals}
    back = sum(tree.get(homes[path], tree.get(path)) == file for path, file in originals.items())
    stands = {name: e.id for e in end.entries() if e.type == "summary" for name in e.ids("derived_from")}
    last, pure = sought(end, searched), sought(end)
    asked = found = still = agreed = 0
    for note in (entry for entry in known.entries if entry.type == "session"):
        for text in questions(note, known):
            asked += 1
            found += first.finds(text, (note.id,))
            now = last.finds(text, (note.id, stands.get(note.id, "")))
            still += now
            agreed += now == pure.finds(text, (note.id, stands.get(note.id, "")))
    print(f"  active decisions readable: {kept} of {len(live)}; originals byte for byte: {back} of {len(originals)}")
    print(
        f"  questions: {asked}, found before {100 * found / asked:.1f} %, after {100 * still / asked:.1f} % by the "
        f"search; what `check` counts by agrees in {100 * agreed / asked:.1f} %"
    )


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


def fact(number: int, text: str) -> str:
    """A note's body as something that lasts, titled by its first sentence."""
    body = text.split("---\n", 2)[2]
    title = body.split("\n")[1].partition(". ")[0].replace(":", "").replace("`", "")
    return f"---\nid: pattern-{number}\ntitle: {title}\nabstract: {title}.\ncreated: 2026-01-01\n---\n{body}"


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
    facts = {f"patterns/p{at}.md": fact(at, text) for at, (_, text) in enumerate(year.notes(10_000))}
    tree = rounds.tree_of(facts)
    memory = read_memory(tree, ROOT, Config())
    start = time.perf_counter()
    plan = plan_uniting(memory, tree)
    took = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    united = plan.figures.get("entries united", 0)
    print(
        f"  among 10,000 facts: {took:.1f} s, {peak:.0f} MB with the memory itself; {united} united, "
        f"{len(plan.refusals)} asked about, {plan.notes[0] if plan.notes else 'no more'}"
    )


PARTS = {"faults": of_faults, "certificates": of_certificates, "rounds": of_rounds, "near": of_near_duplicates}


def main() -> int:
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
