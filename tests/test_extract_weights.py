"""The linear model of the offline extractor: where its weights are from, what it explains, what it doesn't import."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "labels"))
import labelled
import train

from minutebook.extract import clauses, offline
from minutebook.extract.errands import WEAK
from minutebook.extract.features import CUE, features_of
from minutebook.extract.grammar import SURE
from minutebook.extract.scoring import EXTRACTOR, Weights, weigh, weights, weights_from
from minutebook.extract.signals import SEEN
from minutebook.ground.memory_type import builtin_types
from talk import said

TODAY = date(2026, 11, 20)
TYPES = builtin_types()
MARKS = {
    "sure",
    "weak",
    "the goal",
    "the solution",
    "the approach",
    "a bare letter",
    "a bare number",
    "the replacement",
}


def test_the_weights_are_those_that_training_gives() -> None:
    rows = [*train.bank_rows()[0], *train.work_rows()]
    shipped = json.loads(train.WEIGHTS.read_text("utf-8"))
    bias, found = train.trained(rows, shipped["c"])
    assert bias == pytest.approx(shipped["bias"], abs=0.02)
    kept = {name: value for name, value in found.items() if abs(value) >= 0.02}
    assert kept == pytest.approx({name: shipped["weights"].get(name, 0.0) for name in kept}, abs=0.02)


@pytest.mark.skipif(not labelled.DATA.is_dir(), reason="no shared data beside the checkout")
def test_the_kept_features_of_the_work_part_are_those_that_the_code_gives() -> None:
    now = sorted((row.group, row.wanted, sorted(row.features)) for row in train.harvest())
    kept = sorted((row.group, row.wanted, sorted(row.features)) for row in train.work_rows())
    assert now == kept, "run python tests/labels/train.py harvest"


def test_nothing_of_the_measured_part_is_trained_on() -> None:
    measured = {label.file for label in labelled.labels("measured")}
    assert {row.group for row in train.work_rows()} & measured == set()


def test_the_bank_is_large_and_has_hard_negatives() -> None:
    found = train.bank()
    assert len(found) >= 400
    assert sum(not each.type for each in found) >= 200
    assert {each.type for each in found} == {"", "decision", "pattern", "preference", "entity"}


def test_every_weighted_cue_is_a_row_of_the_grammar_or_a_signal() -> None:
    named = {name.removeprefix(CUE) for name in weights().weights if name.startswith(CUE)}
    rows = {name for _, name, _ in (*SURE, *WEAK)} | {"correction"}
    assert named <= rows | set(SEEN) | MARKS


def test_names_of_rows_are_unique() -> None:
    names = [name for _, name, _ in (*SURE, *WEAK)]
    assert len(names) == len(set(names))


def test_a_candidate_says_why_with_its_turn_and_the_weightiest_first() -> None:
    (found,) = offline(
        said("hm", "From now on every handler checks the tenant, since we had a leak"), TYPES, TODAY
    ).candidates
    assert found.why[0] == f"turn 2: the user said that it is a standing rule ({found.score:.2f})"
    parts = [float(each.rsplit(" ", 1)[1]) for each in found.why[1:]]
    assert parts == sorted(parts, key=abs, reverse=True)
    assert any(each.startswith("standing rule: “from now on”") for each in found.why)
    assert any(each.startswith("gives a reason +") for each in found.why)
    assert found.extractor == EXTRACTOR


def test_the_score_is_the_logistic_function_of_the_sum() -> None:
    text = '{"version": "t", "bias": -1, "threshold": 0.5, "least": 0.2, "weights": {"speaks of we": 1.5}}'
    known = weights_from(text)
    assert known == Weights("t", -1.0, 0.5, 0.2, {"speaks of we": 1.5})
    ((_, found),) = clauses(said("We should use one queue per tenant"))
    (clause,) = found
    assert weigh(clause, known).score == 0.622
    assert "speaks of we" in features_of(clause)


def test_extraction_imports_no_training_library() -> None:
    script = (
        "import sys; from datetime import date; from minutebook.extract import offline;"
        "from minutebook.ground.memory_type import builtin_types; from talk import said;"
        "found = offline(said('Let\\'s use SQLite for the local cache'), builtin_types(), date(2026, 1, 2));"
        "print(len(found.candidates));"
        "print(sorted({'sklearn', 'numpy', 'scipy', 'pickle', 'joblib'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=Path(__file__).parent
    )
    assert done.stdout.split("\n")[:2] == ["1", "[]"]
