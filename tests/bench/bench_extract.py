"""Prints how good the offline extractor is against the labelled turns, on the part that it was fitted to and on the
part that is only measured (tests/labels/README.md); then against learnings that a language model wrote.

python tests/bench/bench_extract.py [work | measured | silver | speed]...
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from itertools import combinations
from pathlib import Path
from statistics import median
from time import perf_counter
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1] / "labels"))
from labelled import DATA, Label, Memory, by_words, found_in, heard, label_of, labels, sessions

from minutebook.extract import MOST, clauses, offline
from minutebook.extract.scoring import weigh, weights
from minutebook.extract.stance import overlap, words
from minutebook.ground.frozen import replace
from minutebook.ground.memory_type import builtin_types
from minutebook.ground.session import Candidate, Session
from minutebook.transcripts import read_transcript

TODAY = date(2026, 11, 20)
TYPES = builtin_types()
ALIKE = 0.3
"""Share of a learning's content words that a proposal has to hold to count as the same thing."""
TWICE = 0.7
WORST = 10
FREE = frozenset({"decision", "pattern"})


@dataclass(frozen=True)
class Judged:
    """A proposal with the label of its turn and the labelled memory that it holds, if any."""

    file: str
    found: Candidate
    label: Label | None
    memory: Memory | None

    @property
    def is_right(self) -> bool:
        return self.memory is not None and self.memory.strength != "disputed"

    @property
    def is_typed(self) -> bool:
        return self.is_right and self.memory is not None and self.memory.type == self.found.type

    @property
    def is_near(self) -> bool:
        """Right, or off by no more than decision for pattern."""
        free = self.memory is not None and {self.memory.type, self.found.type} <= FREE
        return self.is_typed or (self.is_right and free)


def wilson(right: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    if of == 0:
        return 0.0, 1.0
    share, square = right / of, z * z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = z * ((share * (1 - share) / of + square / (4 * of * of)) ** 0.5) / (1 + square / of)
    return max(0.0, middle - half), min(1.0, middle + half)


def proposals(part: str) -> tuple[list[Judged], list[Label], int, int]:
    """(what is proposed in a part, its labels, its sessions, what went into quarantine)."""
    known = labels(part)
    judged: dict[tuple[str, str], Judged] = {}
    count, held = 0, 0
    for name, talk in sessions(known):
        count += 1
        for found in offline(talk, TYPES, TODAY).candidates:
            if found.quarantine:
                held += 1
                continue
            label = label_of(heard(found), name, known)
            judged.setdefault((heard(found).text, found.quote), Judged(name, found, label, found_in(found, label)))
    return list(judged.values()), known, count, held


def quality(part: str) -> None:
    found, known, count, held = proposals(part)
    print(
        f"## {part}: {len(known)} labelled turns, {count} sessions read, {len(found)} proposals, {held} in quarantine"
    )
    per_session = Counter(each.file for each in found)
    print(f"most in a session: {max(per_session.values(), default=0)} (at most {MOST} allowed)")
    for name, is_right in (
        ("worth remembering", "is_right"),
        ("and decision or pattern", "is_near"),
        ("and its very type", "is_typed"),
    ):
        right = sum(getattr(each, is_right) for each in found)
        low, high = wilson(right, len(found))
        print(f"precision, {name}: {right}/{len(found)} = {right / max(1, len(found)):.2f} [{low:.2f}, {high:.2f}]")
    picked = sum(each.is_right and each.memory is not None and not by_words(each.found, each.memory) for each in found)
    print(f"right by the option that was picked, not by its words: {picked}")
    recall(found, known)
    print(f"memories that {MOST} a session leave room for: {reachable(known)}")
    verbatim = sum(each.found.quote in each.found.turn.text for each in found)
    print(f"verbatim quotes: {verbatim}/{len(found)}; duplicates: {duplicates(found)}")
    confusion(found)
    wrong = errors(found)
    missed(found, known, WORST - wrong)
    curve(part)


def curve(part: str) -> None:
    """Precision and recall at other thresholds than the one that ships, which was chosen on the work part."""
    shipped = weights()
    for threshold in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        with patch("minutebook.extract.weights", partial(replace, shipped, threshold=threshold)):
            found, known, _, _ = proposals(part)
        right = sum(each.is_right for each in found)
        wanted = sum(m.strength != "disputed" for row in known for m in row.memories)
        print(f"threshold {threshold}: precision {right}/{len(found)}, recall {recalled(found)}/{wanted}")


def recalled(found: Sequence[Judged]) -> int:
    return len(
        {(each.label.sha256, each.memory.quote) for each in found if each.is_right and each.label and each.memory}
    )


def recall(found: Sequence[Judged], known: Sequence[Label]) -> None:
    """Of the memories that are not disputed, and of the clear ones among them."""
    got = {(each.label.sha256, each.memory.quote) for each in found if each.label and each.memory}
    for name, strengths in (("all", {"clear", "arguable"}), ("clear", {"clear"})):
        wanted = {(row.sha256, m.quote) for row in known for m in row.memories if m.strength in strengths}
        met = len(wanted & got)
        low, high = wilson(met, len(wanted))
        print(f"recall, {name}: {met}/{len(wanted)} = {met / max(1, len(wanted)):.2f} [{low:.2f}, {high:.2f}]")


def reachable(known: Sequence[Label]) -> int:
    """How many memories could be proposed at five a session."""
    held = Counter(row.file for row in known for memory in row.memories if memory.strength != "disputed")
    return sum(min(count, MOST) for count in held.values())


def duplicates(found: Sequence[Judged]) -> int:
    """Pairs of proposals of one session that say the same."""
    said = [(each.file, words(each.found.abstract)) for each in found]
    return sum(a[0] == b[0] and overlap(a[1], b[1]) >= TWICE for a, b in combinations(said, 2))


def confusion(found: Sequence[Judged]) -> None:
    """Rows: what was proposed; columns: what the judges called it."""
    names = ("decision", "pattern", "preference", "entity")
    table = Counter(
        (each.found.type, each.memory.type if each.is_right and each.memory else "nothing") for each in found
    )
    print("proposed \\ labelled".ljust(20) + "".join(name.rjust(12) for name in (*names, "nothing")))
    for row in names:
        print(row.ljust(20) + "".join(str(table[row, column]).rjust(12) for column in (*names, "nothing")))


def errors(found: Sequence[Judged]) -> int:
    """The proposals that nobody wanted, the surest first, each with what made it; how many there are."""
    wrong = sorted((each for each in found if not each.is_right), key=lambda each: -each.found.score)
    for each in wrong[:WORST]:
        turn = heard(each.found).number
        print(f"wrong: {each.file.rsplit('/', 1)[-1]} turn {turn}, {each.found.type}: {each.found.quote[:140]!r}")
        print(f"       {'; '.join(each.found.why)}")
    return len(wrong)


def missed(found: Sequence[Judged], known: Sequence[Label], most: int) -> None:
    """Clear memories that weren't proposed, the nearest first: with their score, or 0 where no clause holds them."""
    got = {(each.label.sha256, each.memory.quote) for each in found if each.label and each.memory}
    best: dict[tuple[str, str], tuple[float, str]] = {}
    for name, talk in sessions(known):
        for turn, each in clauses(talk):
            for clause in each:
                label = label_of(clause.draft.accepted or turn, name, known)
                memory = found_in(clause.draft, label)
                if label is not None and memory is not None:
                    weighed = weigh(clause, weights())
                    key = label.sha256, memory.quote
                    best[key] = max(best.get(key, (0.0, "")), (weighed.score, "; ".join(weighed.why)))
    rows = [
        (*best.get((row.sha256, m.quote), (0.0, "the grammar sees nothing")), row, m)
        for row in known
        for m in row.memories
        if m.strength == "clear" and (row.sha256, m.quote) not in got
    ]
    for score, why, row, memory in sorted(rows, key=lambda each: -each[0])[: max(0, most)]:
        place = f"{row.file.rsplit('/', 1)[-1]} turn {row.turn}"
        print(f"missed: {place}, {memory.type} ({score:.2f}): {memory.quote[:110]!r}")
        print(f"        {why}")


def silver() -> None:
    """Learnings that a model wrote of ten sessions: how many have a proposal that shares their words, either way."""
    rows = [json.loads(line) for line in (DATA / "learnings" / "learnings.jsonl").read_text("utf-8").splitlines()]
    met, of, used, made = 0, 0, 0, 0
    for row in rows:
        path = DATA / "learnings" / "transcripts" / f"{row['key']}.jsonl"
        found = [
            words(f"{c.abstract} {c.body}") for c in offline(_read(path), TYPES, TODAY).candidates if not c.quarantine
        ]
        told = [words(text) for text in _texts(row["summary"].get("learnings", {}))]
        met += sum(any(_share(each, other) >= ALIKE for other in found) for each in told)
        used += sum(any(_share(each, other) >= ALIKE for each in told) for other in found)
        of, made = of + len(told), made + len(found)
    print(f"## silver: {met} of {of} written learnings meet a proposal (overlap coefficient >= {ALIKE})")
    print(f"{used} of {made} proposals meet a learning")


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    """The overlap coefficient: common words by those of the shorter text."""
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0


def _texts(found: object) -> Iterator[str]:
    if isinstance(found, str):
        yield found
    elif isinstance(found, dict):
        for name, value in found.items():
            yield from _texts(value) if name not in ("path", "line", "end_line") else ()
    elif isinstance(found, list):
        for value in found:
            yield from _texts(value)


def _read(path: Path) -> Session:
    with path.open("rb") as content:
        return read_transcript(content, path.name)


def speed() -> None:
    """The largest sample: extraction as a multiple of reading, both in this process and after a warm-up."""
    path = max(DATA.glob("transcripts/claude-code/**/*.jsonl"), key=lambda each: each.stat().st_size)
    offline(_read(path), TYPES, TODAY)
    rows = []
    for _ in range(5):
        start = perf_counter()
        talk = _read(path)
        middle = perf_counter()
        offline(talk, TYPES, TODAY)
        rows.append((middle - start, perf_counter() - middle))
    ratio = median(extracted / read for read, extracted in rows)
    print(f"## speed: {path.stat().st_size / 1e6:.1f} MB extracted in {ratio:.2f} x its reading time")


def main() -> None:
    wanted = sys.argv[1:] or ["work", "measured", "silver", "speed"]
    for name in wanted:
        {"silver": silver, "speed": speed}.get(name, lambda part=name: quality(part))()


if __name__ == "__main__":
    main()
