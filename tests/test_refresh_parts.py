"""The small parts that a refresh stands on: listings told by differences, what a change can reach, drift, the model."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minutebook.ground.entry import read_entry
from minutebook.ground.errors import CannotJudge
from minutebook.ground.memory_type import builtin_types
from minutebook.refresh.anchors import Kind, Reference
from minutebook.refresh.claims import claims
from minutebook.refresh.drifted import counts_of, drift_between
from minutebook.refresh.listing import Listing, Tree
from minutebook.refresh.model import Model, model_of
from minutebook.refresh.reach import reach_of
from minutebook.refresh.resolvers import RESOLVERS, resolve
from minutebook.refresh.view import View
from minutebook.refresh.vocabulary import NO_CODE, spots_in
from minutebook.similar import similarities
from minutebook.staleness.past import shipped_model

NAMES = st.sampled_from(["a.py", "b.py", "src/a.py", "src/up/a.py", "src/up/pool.py", "docs/a.md", "package.json",
                         "Makefile", "pyproject.toml", "jest.config.js", "up/__init__.py"])  # fmt: skip
TEXTS = st.sampled_from([
    "class Pool:\n    def connect(self): ...\n", "def connect(): ...\n", "Pool().connect()\n", "LIMIT = 3\n",
    "add('--port', LIMIT)\n", '{"scripts": {"dev": "x"}, "dependencies": {"up": "1"}}', "lint:\n\ttrue\n",
    '[project]\nname = "p"\ndependencies = ["up>=1.2"]\n[project.scripts]\nup = "up:main"\n', "",
])  # fmt: skip
FILES = st.dictionaries(NAMES, TEXTS, max_size=6)
REFERENCES: list[tuple[Kind, str]] = [
    ("path", "a.py"), ("path", "src/up/pool.py"), ("dir", "src/up"), ("glob", "src/**/*.py"), ("glob", "*.py"),
    ("url", "src/a.py"), ("symbol", "Pool"), ("symbol", "Pool.connect"), ("symbol", "up.pool"), ("word", "connect"),
    ("constant", "LIMIT"), ("flag", "--port"), ("package", "up"), ("version", "up 1.2"), ("tool", "jest"),
    ("command", "make lint"), ("command", "npm run dev"), ("command", "up connect"), ("command", "python -m up"),
]  # fmt: skip


def words_in(files: Mapping[str, str]) -> dict[str, dict[str, int]]:
    asked = {"Pool", "connect", "LIMIT", "--port", "up", "pool", "lint", "dev", "run"}
    code = {path: text for path, text in files.items() if not NO_CODE.fullmatch(path)}
    return {path: spots_in(text, path.rpartition(".")[2], asked) for path, text in code.items()}


def view_of(tree: Tree, files: Mapping[str, str]) -> View:
    held = words_in(files)
    return View(
        "", "", tree, lambda text: text, lambda word: {p: spots[word] for p, spots in held.items() if word in spots}
    )


def delta_of(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    return {path: old.get(path, "") for path in {*old, *new} if old.get(path) != new.get(path)}


@settings(max_examples=150, deadline=None)
@given(FILES, FILES)
def test_a_tree_told_by_its_differences_answers_as_a_listing_of_its_own(
    old: dict[str, str], new: dict[str, str]
) -> None:
    old = {path: text or "empty" for path, text in old.items()}
    new = {path: text or "empty" for path, text in new.items()}
    told, plain = Tree(Listing(new), delta_of(old, new)), Tree(Listing(old))
    assert sorted(told.paths()) == sorted(old)
    for path in {*old, *new}:
        assert told.blob(path) == plain.blob(path)
        assert (path in told) == (path in old)
        assert sorted(told.named(path)) == sorted(plain.named(path))
        assert sorted(told.holding(old.get(path, ""))) == sorted(plain.holding(old.get(path, "")))
    for folder in ("src", "src/up", "docs", "sr"):
        assert sorted(told.under(folder)) == sorted(plain.under(folder))
    for glob in ("*.py", "src/**", "**/a.py"):
        assert sorted(told.matching(glob)) == sorted(plain.matching(glob))


@settings(max_examples=300, deadline=None)
@given(FILES, FILES)
def test_what_a_change_cannot_reach_resolves_as_before(old: dict[str, str], new: dict[str, str]) -> None:
    old = {path: text or "empty" for path, text in sorted(old.items())}
    new = {path: text or "empty" for path, text in sorted(new.items())}
    delta = delta_of(old, new)
    held = [words_in({path: files[path] for path in delta if path in files}) for files in (old, new)]
    reach = reach_of(delta, {word for each in held for spots in each.values() for word in spots})
    then, now = view_of(Tree(Listing(old)), old), view_of(Tree(Listing(new)), new)
    for kind, text in REFERENCES:
        reference = Reference(kind, text, 1)
        if not reach.may_touch(reference):
            assert resolve(reference, then, "docs") == resolve(reference, now, "docs"), reference


def test_every_kind_of_reference_has_a_resolver() -> None:
    assert set(RESOLVERS) == set(Kind.__args__)  # type: ignore[attr-defined]


CODE = "def publish(transcript, visibility):\n    # keep the visibility\n    return upload(transcript, visibility)\n"


@pytest.mark.parametrize(
    "after", [CODE, CODE.replace("visibility", "audience"), "class Gateway:\n    upload = None\n", ""]
)
def test_drift_is_what_scikit_learn_says_it_is(after: str) -> None:
    ours = drift_between(counts_of(CODE), counts_of(after), ())
    assert ours.far == pytest.approx(1 - similarities([CODE], [after])[0][0], abs=1e-3)


def test_drift_weighs_what_the_entry_speaks_of() -> None:
    after = CODE.replace("visibility", "audience")
    about = drift_between(counts_of(CODE), counts_of(after), {"visibility", "quokka"})
    beside = drift_between(counts_of(CODE), counts_of(after), {"transcript", "upload"})
    assert (about.lost, about.words) == (1.0, ("visibility",))
    assert (beside.lost, beside.words) == (0.0, ())
    assert about.far == beside.far > 0


def test_the_shipped_model_is_one_and_knows_what_it_was_trained_on() -> None:
    model = shipped_model()
    assert model.probability({"gone path": 1.0}) > 0.5 > model.probability({"gone word": 1.0, "came from outside": 1.0})
    assert model.drifted(1.0, 1.0) > 0.5 > model.drifted(0.1, 0.0)
    assert set(model.by_hand) == {
        "superseded", "marked", "expired", "contradiction", "against code", "rests on superseded",
    }  # fmt: skip
    assert model.probability({"gone path": 1e9}) <= 1.0


@pytest.mark.parametrize("document", ["[]", "{}", '{"bias": "1"}', '{"bias": 1.0, "weights": {}, "by hand": {}}',
                                      '{"bias": 1.0, "weights": {"a": "x"}, "by hand": {}, "drift": {}}'])  # fmt: skip
def test_what_is_no_model_cannot_judge(document: str) -> None:
    with pytest.raises(CannotJudge):
        model_of(json.loads(document))


def test_a_model_without_weights_says_nothing_either_way() -> None:
    assert Model().probability({"gone path": 1.0}) == 0.5


def test_hostile_sentences_are_read_in_linear_time() -> None:
    for piece in ("a ", "`", "1.", "A b. ", "not ", "a\n", "\N{RIGHT SINGLE QUOTATION MARK}"):
        text = f"---\nid: pattern-x\ntitle: X\n---\n## Overview\n{piece * 100_000}\n"
        entry, _ = read_entry(".memory/patterns/x.md", text, builtin_types()["pattern"], "x")
        assert entry is not None
        assert len(claims(entry)) < 500


def test_the_weights_are_written_by_the_training_and_by_nobody_else() -> None:
    document = json.loads((Path(__file__).parents[1] / "src/minutebook/refresh/weights.json").read_text("utf-8"))
    script = Path(__file__).parents[1] / document["about"]["trained by"]
    assert script.is_file()
    assert document["weights"] == dict(sorted(document["weights"].items()))
