"""How likely a clause is worth remembering: a logistic regression over its features, and what it was moved by.

The weights are trained by scikit-learn (tests/labels/train.py says how and on what) and written as JSON; here they are
a sum in plain Python. `weights.json` is a part of the program: it lies beside this module and is read once.
"""

from collections.abc import Mapping
from functools import lru_cache
from json import loads
from math import exp
from pathlib import Path

from minutebook.extract.clause import Clause
from minutebook.extract.features import CUE, features_of
from minutebook.extract.signals import SEEN
from minutebook.ground.frozen import frozen

VERSION = "5"
EXTRACTOR = f"offline-{VERSION}"
"""What the evidence of an entry says that it was found by. A new version for new rules, features or weights."""
_TOLD = 5
_LEAST_TOLD = 0.1
_WHAT = {
    "cue:adoption": "a choice",
    "cue:rejection": "ruled out",
    "cue:rule": "standing rule",
    "cue:preference": "a preference",
    "cue:correction": "a correction",
    "cue:fact": "a fact",
}


@frozen
class Weights:
    """`bias` and `weights` add up to log odds; a clause is proposed from the probability `threshold` on, and one that
    must be quarantined is shown from `least` on."""

    version: str
    bias: float
    threshold: float
    least: float
    weights: Mapping[str, float]


@frozen
class Weighed:
    """A probability from 0 to 1, and what moved it, the weightiest first, each with its part of the log odds."""

    score: float
    why: tuple[str, ...]


@lru_cache(maxsize=1)
def weights() -> Weights:
    """The weights that come with this version."""
    return weights_from(Path(__file__).with_name("weights.json").read_text("utf-8"))


def weights_from(text: str) -> Weights:
    """The weights in a text as `tests/labels/train.py` writes it."""
    found = loads(text)
    return Weights(
        str(found["version"]),
        float(found["bias"]),
        float(found["threshold"]),
        float(found["least"]),
        {str(name): float(value) for name, value in found["weights"].items()},
    )


def weigh(clause: Clause, known: Weights) -> Weighed:
    """The clause's probability and reasons by these weights."""
    parts = {name: known.weights.get(name, 0.0) * value for name, value in features_of(clause).items()}
    score = 1 / (1 + exp(-(known.bias + sum(parts.values()))))
    return Weighed(round(score, 3), _why(clause, parts, score))


def _why(clause: Clause, parts: Mapping[str, float], score: float) -> tuple[str, ...]:
    """The signal with its turn first; then the parts, those that say how it was recognised as one."""
    signal = clause.draft.signal
    what = _WHAT.get(signal, SEEN[signal])
    seen = f"{what}: “{clause.cue}”" if clause.cue and signal in _WHAT else what
    told = {seen: sum(part for name, part in parts.items() if name.startswith(CUE))}
    told |= {name: part for name, part in parts.items() if not name.startswith(CUE)}
    listed = sorted(((part, name) for name, part in told.items()), key=lambda row: (-abs(row[0]), row[1]))
    rows = [f"{name} {part:+.1f}" for part, name in listed if abs(part) >= _LEAST_TOLD or name == seen]
    return (f"turn {clause.draft.turn.number}: {SEEN[signal]} ({score:.2f})", *rows[:_TOLD])
