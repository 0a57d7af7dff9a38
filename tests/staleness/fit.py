"""Trains the weights of `minutebook refresh` on half of minsky's documents and on the packages that aren't held out.

Run: python tests/staleness/fit.py FOLDER (where releases.py keeps the releases). Writes refresh/weights.json. Only
what minutebook flags at all is trained on: the model says how far a flag is to be trusted, and never makes one. Rows
without evidence either way (unfixed, dropped) take no part; each of the two sets weighs as much as the other.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from ages import passages
from minsky import minsky_rows
from pairs import rows_of
from releases import HELD_OUT, RELEASES

from minutebook import refresh

WEIGHTS = Path(refresh.__file__).with_name("weights.json")
BY_HAND = {
    "superseded": 0.9, "marked": 0.7, "contradiction": 0.6, "against code": 0.6, "rests on superseded": 0.35,
}  # fmt: skip
DRIFT = {"bias": -3.0, "far": 2.5, "lost": 2.0}
EVIDENCE = ("stale", "fresh", "never", "other")
Example = tuple[dict[str, float], bool]


def held_out(document: str) -> bool:
    """Half of minsky's documents, by the digest of their names: all states of one fall on one side."""
    return sha256(document.encode()).digest()[0] % 2 == 1


def shared() -> Path:
    named = os.environ.get("MINUTEBOOK_SHARED")
    return Path(named) if named else Path(__file__).resolve().parents[3] / "shared"


def examples(rows: Iterable[object]) -> list[Example]:
    """Features and whether it is stale, of what is flagged and labelled."""
    found = []
    for row in rows:
        features, label = getattr(row, "features"), getattr(row, "label")  # noqa: B009  (two sets, one shape)
        if features is not None and label in EVIDENCE:
            found.append((features, label == "stale"))
    return found


def fitted(sets: list[list[Example]]) -> tuple[float, dict[str, float]]:
    """Bias and weights of a logistic regression (L2, C = 1) in which each set weighs the same."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    rows = [each for several in sets for each in several]
    heavy = [len(rows) / (len(sets) * len(several)) for several in sets for _ in several]
    vectors = DictVectorizer()
    model = LogisticRegression(C=1.0, max_iter=2000)
    model.fit(vectors.fit_transform([features for features, _ in rows]), [stale for _, stale in rows], heavy)
    names = vectors.get_feature_names_out()
    weights = {str(name): round(float(weight), 3) for name, weight in zip(names, model.coef_[0], strict=True)}
    return round(float(model.intercept_[0]), 3), dict(sorted(weights.items()))


def main() -> int:
    folder = Path(sys.argv[1])
    first = examples(
        row for row in minsky_rows(shared() / "data" / "staleness" / "minsky") if not held_out(row.document)
    )
    names = [name for name in RELEASES if name not in HELD_OUT]
    second = examples(row for name in names for row in rows_of(folder, name))
    bias, weights = fitted([first, second])
    aged = [stale for name in names for stale in passages(folder, name)]
    by_hand = BY_HAND | {"expired": round(sum(aged) / len(aged), 2)}
    counts = {"minsky": Counter(stale for _, stale in first), "releases": Counter(stale for _, stale in second)}
    about = {
        "trained by": "tests/staleness/fit.py",
        "packages": names,
        "flags trained on": {name: {"stale": count[True], "not stale": count[False]} for name, count in counts.items()},
        "passages older than half a year": {"stale": sum(aged), "not stale": len(aged) - sum(aged)},
        "set by hand": "`by hand`, but for `expired`, which is the share of those passages; `drift`: no set labels it",
    }
    document = {
        "about": about,
        "bias": bias,
        "weights": weights,
        "by hand": dict(sorted(by_hand.items())),
        "drift": DRIFT,
    }
    WEIGHTS.write_text(json.dumps(document, indent=2) + "\n", "utf-8")
    print(json.dumps(document, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
