"""Trains the weights of the offline extractor: `python tests/labels/train.py`, with what the README here says.

`harvest` first writes the features of the clauses of the work part (`work.jsonl`: no words, so that anybody can train
without the transcripts). The measured part is never read here.
"""

import json
import sys
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from labelled import HERE, digest, found_in, heard, label_of, labels, sessions

sys.path.insert(0, str(HERE.parent))
from minutebook.extract import clauses
from minutebook.extract.features import features_of
from minutebook.extract.scoring import VERSION
from minutebook.ground.session import Session
from talk import session, turn

WEIGHTS = HERE.parents[1] / "src" / "minutebook" / "extract" / "weights.json"
FOLDS = 5
THRESHOLD = 0.65
"""From what probability on a clause is proposed: fixed before anything was measured, precision first. Each run prints
what it gives out of fold, beside `COMPARED`."""
COMPARED = 0.5
C_TRIED = (0.1, 0.2, 0.5)
FIRST = 4
"""One sentence of the bank in so many opens its session."""
WORK_WEIGHT = 2.0
"""What a clause that somebody really said weighs against a sentence of the bank."""


@dataclass(frozen=True)
class Row:
    """A clause to learn from: its features, whether it is worth remembering, and what it must not be parted from."""

    features: dict[str, float]
    wanted: bool
    group: str
    work: bool
    text: str = ""


@dataclass(frozen=True)
class Sentence:
    """A line of the bank: how it was said, the type that it should become ("" for none), what the agent said before."""

    kind: str
    type: str
    text: str
    before: str


def bank() -> list[Sentence]:
    """The sentences that were written for training."""
    lines = (HERE / "bank.tsv").read_text("utf-8").split("\n")[1:]
    cells = [[_unescaped(cell) for cell in line.split("\t")] for line in lines if line]
    return [Sentence(kind, "" if name == "-" else name, text, "" if b == "-" else b) for kind, name, text, b in cells]


def _unescaped(cell: str) -> str:
    return cell.replace("\\n", "\n").replace("\\\\", "\\")


def as_session(said: Sentence, *, first: bool = False) -> Session:
    """A session in which a person says just this, after an errand that holds nothing, or as its first words."""
    errand = turn(1, "assistant" if first else "user", "have a look at the code")
    if said.kind == "answer":
        return session(errand, turn(2, "user", said.text, "answer", question=said.before, answer=said.text))
    agent = [turn(2, "assistant", said.before)] if said.before else []
    kind: Any = said.kind
    return session(errand, *agent, turn(3, "user", said.text, kind, plan=said.text, correction=said.text))


def bank_rows() -> tuple[list[Row], list[Sentence]]:
    """(the clauses of the bank, the sentences worth remembering in which the grammar sees nothing)."""
    rows, missed = [], []
    for number, said in enumerate(bank()):
        talk = as_session(said, first=number % FIRST == 0)
        found = [clause for _, each in clauses(talk) for clause in each]
        rows += [Row(features_of(c), bool(said.type), f"bank {number}", work=False, text=c.draft.quote) for c in found]
        if said.type and not found:
            missed.append(said)
    return rows, missed


def harvest() -> list[Row]:
    """The clauses of the work part, each with whether it holds a labelled memory; disputed ones are left out."""
    known = labels("work")
    rows, seen = [], set()
    for name, talk in sessions(known):
        for _, each in clauses(talk):
            for clause in each:
                key = digest(heard(clause.draft)), clause.draft.quote, clause.draft.signal
                memory = found_in(clause.draft, label_of(heard(clause.draft), name, known))
                if key in seen or (memory is not None and memory.strength == "disputed"):
                    continue
                seen.add(key)
                rows.append(Row(features_of(clause), memory is not None, name, work=True, text=clause.draft.quote))
    return rows


def work_rows() -> list[Row]:
    found = map(json.loads, (HERE / "work.jsonl").read_text("utf-8").splitlines())
    return [Row(dict.fromkeys(row["features"], 1.0), row["wanted"], row["file"], work=True) for row in found]


def write_harvest(rows: Iterable[Row]) -> None:
    lines = [{"file": row.group, "wanted": row.wanted, "features": sorted(row.features)} for row in rows]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (HERE / "work.jsonl").write_text(text, "utf-8")


def trained(rows: Sequence[Row], c: float) -> tuple[float, dict[str, float]]:
    """(bias, weights by feature) of a logistic regression."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    shape = DictVectorizer(sparse=False)
    matrix = shape.fit_transform([row.features for row in rows])
    model = LogisticRegression(C=c, max_iter=5000, tol=1e-8)
    model.fit(matrix, [row.wanted for row in rows], sample_weight=[WORK_WEIGHT if r.work else 1.0 for r in rows])
    weights = dict(zip(shape.feature_names_, map(float, model.coef_[0]), strict=True))
    return float(model.intercept_[0]), weights


def score(bias: float, weights: dict[str, float], row: Row) -> float:
    from math import exp

    return 1 / (1 + exp(-(bias + sum(weights.get(name, 0.0) * value for name, value in row.features.items()))))


def out_of_fold(rows: Sequence[Row], c: float) -> list[float]:
    """Each row's score by weights that were trained without its file, or without its fifth of the bank."""
    folds = [zlib.crc32(row.group.encode()) % FOLDS if not row.work else row.group for row in rows]
    scores = [0.0] * len(rows)
    for fold in set(folds):
        model = trained([row for row, its in zip(rows, folds, strict=True) if its != fold], c)
        for at, its in enumerate(folds):
            if its == fold:
                scores[at] = score(*model, rows[at])
    return scores


def average_precision(rows: Sequence[Row], scores: Sequence[float]) -> float:
    from sklearn.metrics import average_precision_score

    return float(average_precision_score([row.wanted for row in rows], scores))


def with_words(row: Row) -> Row:
    """The same with its words hashed into 256 features: what the README compares."""
    hashed = {f"word {zlib.crc32(word.encode()) % 256}": 1.0 for word in row.text.lower().split()}
    return Row(row.features | hashed, row.wanted, row.group, row.work, row.text)


def told(rows: Sequence[Row], scores: Sequence[float], threshold: float) -> str:
    """Precision and recall of the bank and of the work part at a threshold, by clause."""
    parts = []
    for work, name in ((False, "bank"), (True, "work part")):
        mine = [(row.wanted, value >= threshold) for row, value in zip(rows, scores, strict=True) if row.work == work]
        right, kept = sum(wanted and is_kept for wanted, is_kept in mine), sum(is_kept for _, is_kept in mine)
        wanted = sum(wanted for wanted, _ in mine)
        parts.append(f"{name} precision {right}/{kept} = {right / (kept or 1):.3f}, recall {right / wanted:.3f}")
    return f"threshold {threshold}, out of fold: {'; '.join(parts)}"


def write_weights(c: float, bias: float, weights: dict[str, float], threshold: float) -> None:
    kept = {name: round(value, 3) for name, value in sorted(weights.items()) if abs(value) >= 0.0005}
    found = {
        "version": VERSION,
        "c": c,
        "bias": round(bias, 3),
        "threshold": threshold,
        "least": round(threshold / 2, 2),
        "weights": kept,
    }
    WEIGHTS.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


def main() -> None:
    if "harvest" in sys.argv[1:]:
        write_harvest(harvest())
    said, missed = bank_rows()
    heard_rows = work_rows()
    rows = [*said, *heard_rows]
    tried = {c: out_of_fold(rows, c) for c in C_TRIED}
    work = [at for at, row in enumerate(rows) if row.work]
    for c, scores in tried.items():
        mine = average_precision([rows[at] for at in work], [scores[at] for at in work])
        print(f"C {c}: average precision out of fold {average_precision(rows, scores):.3f}, work part {mine:.3f}")
    c = max(tried, key=lambda c: average_precision(rows, tried[c]))
    write_weights(c, *trained(rows, c), THRESHOLD)
    print("\n".join(told(rows, tried[c], each) for each in (THRESHOLD, COMPARED)))
    wanted = sum(row.wanted for row in heard_rows)
    print(
        f"bank: {len(said)} clauses, {sum(r.wanted for r in said)} wanted; the grammar misses {len(missed)} sentences"
    )
    print(f"work part: {len(heard_rows)} clauses, {wanted} wanted; C {c}")
    if "words" in sys.argv[1:]:
        spelled = [with_words(row) for row in (*said, *harvest())]
        print(f"with hashed words: {average_precision(spelled, out_of_fold(spelled, c)):.3f}")
    if "errors" in sys.argv[1:]:
        show(rows, tried[c], THRESHOLD, missed)


def show(rows: Sequence[Row], scores: Sequence[float], threshold: float, missed: Sequence[Sentence]) -> None:
    for row, value in sorted(zip(rows, scores, strict=True), key=lambda each: each[1]):
        if row.wanted != (value >= threshold) and row.text:
            print(f"{value:.2f} {'missed' if row.wanted else 'wrong '} {row.text[:100]!r}")
    for each in missed:
        print(f"unseen {each.type}: {each.text[:90]!r}")


if __name__ == "__main__":
    main()
