"""Figures of a score against labels: ranking, precision and recall, calibration."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Scored(NamedTuple):
    score: float
    stale: bool


def auc(rows: Sequence[Scored]) -> float:
    """The chance that a stale row scores higher than one that isn't; a tie is half (Mann and Whitney 1947)."""
    ordered = sorted(rows)
    ranks = 0.0
    at = 0
    while at < len(ordered):
        end = at
        while end < len(ordered) and ordered[end].score == ordered[at].score:
            end += 1
        ranks += sum(row.stale for row in ordered[at:end]) * (at + 1 + end) / 2
        at = end
    stale = sum(row.stale for row in rows)
    fresh = len(rows) - stale
    return (ranks - stale * (stale + 1) / 2) / (stale * fresh) if stale and fresh else float("nan")


def at_threshold(rows: Sequence[Scored], threshold: float) -> tuple[float, float, int]:
    """Precision, recall and the number of flags."""
    flagged = [row for row in rows if row.score >= threshold]
    hits = sum(row.stale for row in flagged)
    stale = sum(row.stale for row in rows)
    return hits / len(flagged) if flagged else float("nan"), hits / stale if stale else float("nan"), len(flagged)


def at_recall(rows: Sequence[Scored], wanted: float) -> tuple[float, float]:
    """The best precision at a recall of at least `wanted`, and the threshold that gives it."""
    found = [
        (precision, threshold)
        for threshold in sorted({row.score for row in rows if row.stale})
        for precision, recall, _ in [at_threshold(rows, threshold)]
        if recall >= wanted
    ]
    return max(found, default=(float("nan"), float("nan")))


def calibration(rows: Sequence[Scored], bins: int = 5) -> Iterator[tuple[str, int, float, float]]:
    """For each bin of scores: its name, how many rows it holds, what they said on average, how many were stale."""
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        inside = [row for row in rows if low <= row.score < high or (number == bins - 1 and row.score == 1.0)]
        if inside:
            said = sum(row.score for row in inside) / len(inside)
            yield f"{low:.1f}-{high:.1f}", len(inside), said, sum(row.stale for row in inside) / len(inside)
