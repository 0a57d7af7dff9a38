"""The probability that an entry is stale, from what is known of one reference: a logistic model (Cox 1958) whose
weights lie beside this module as JSON, trained by tests/staleness/fit.py."""

from collections.abc import Mapping
from math import exp

from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import EMPTY, frozen

WEIGHTS = "weights.json"
_STEEPEST = 30.0


@frozen
class Model:
    """`weights` leads from the name of a feature to what it adds to the log-odds; a feature without one adds nothing.
    `by_hand` leads from a signal that no data set shows (an age, a supersession) to a probability that was set, not
    measured. `drift` weighs how far an anchor's files moved."""

    bias: float = 0.0
    weights: Mapping[str, float] = EMPTY
    by_hand: Mapping[str, float] = EMPTY
    drift: Mapping[str, float] = EMPTY

    def drifted(self, far: float, lost: float) -> float:
        """The probability for an anchor whose files moved that far, and lost that much of what the entry speaks of."""
        said = self.drift
        return _chance(said.get("bias", 0.0) + said.get("far", 0.0) * far + said.get("lost", 0.0) * lost)

    def probability(self, features: Mapping[str, float]) -> float:
        odds = self.bias + sum(self.weights.get(name, 0.0) * value for name, value in features.items())
        return _chance(odds)


def _chance(odds: float) -> float:
    return 1 / (1 + exp(-max(-_STEEPEST, min(_STEEPEST, odds))))


def model_of(document: object) -> Model:
    """The model in a JSON document. Raises CannotJudge for another."""
    if isinstance(document, dict) and isinstance(document.get("bias"), float):
        parts = [document.get(name) for name in ("weights", "by hand", "drift")]
        tables = [part for part in parts if isinstance(part, dict)]
        if len(tables) == len(parts) and all(isinstance(each, float) for table in tables for each in table.values()):
            return Model(document["bias"], *tables)
    raise CannotJudge(f"{WEIGHTS} is no model of minutebook", "reinstall minutebook")
