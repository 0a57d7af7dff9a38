"""The cases of the append-only promise, each judged in every way in: git, its hooks and the command line are real."""

import sys
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from cases import of_config, of_entries, of_git, of_history, of_sizes
from cases.page import RIGHT, WRONG
from cases.table import NOT_APPLICABLE, Scene
from cases.ways import ACCEPT, COLUMNS, WAYS, Answer, commit, pre_commit, unhooked
from cases.world import World, copy_of, make_template

SCENES = [*of_entries.SCENES, *of_history.SCENES, *of_git.SCENES, *of_config.SCENES, *of_sizes.SCENES]
_PRE_COMMIT = Path(sys.executable).with_name("pre-commit")
_FIRST = {id(next(each for each in SCENES if each.case == case)) for case in {scene.case for scene in SCENES}}


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cases") / "template"
    make_template(folder)
    return folder


@pytest.mark.parametrize(
    "scene",
    [pytest.param(each, id=f"{each.case} {each.name}") for each in sorted(SCENES, key=lambda each: each.case)],
)
def test_case(scene: Scene, template: Path, tmp_path: Path, record_property: Callable[[str, object], None]) -> None:
    wrong = dict(played(scene, copy_of(template, tmp_path / "world")))
    record_property("case", [scene.case, {way: cell(scene, way, wrong) for way in COLUMNS}])
    assert not wrong, shown(wrong)


def cell(scene: Scene, way: str, wrong: Collection[str]) -> str:
    expected = scene.expected(way)
    return WRONG if way in wrong else expected if expected in NOT_APPLICABLE else RIGHT


def shown(wrong: dict[str, str]) -> str:
    """The first answer in full, the others in a line."""
    way, words = next(iter(wrong.items()))
    return "\n".join([f"{way}: {words}", *(f"{each}: {text[:120]}" for each, text in wrong.items() if each != way)])


def played(scene: Scene, world: World) -> list[tuple[str, str]]:
    """The ways that judged the scene otherwise than they should, and how."""
    scene.play(world)
    wrong = []
    if scene.expected("commit") in NOT_APPLICABLE:
        unhooked(world)
    else:
        wrong.append(("commit", differs(scene, "commit", commit(world))))
    tip = world.work.git("rev-parse", "HEAD")
    for way, judge in WAYS.items():
        expected = scene.expected(way)
        if way == "pre-commit" and id(scene) in _FIRST and expected not in NOT_APPLICABLE:
            wrong.append((way, differs(scene, way, pre_commit(world, tip, tool=_PRE_COMMIT))))
        elif expected == "a" or expected not in NOT_APPLICABLE:
            wrong.append((way, differs(scene, way, judge(world, tip))))
    return [(way, words) for way, words in wrong if words]


def differs(scene: Scene, way: str, answer: Answer) -> str:
    """In words how the answer isn't what it should be; "" when it is."""
    expected = scene.expected(way)
    if expected == "a":
        return "" if "no base was compared" in answer.text else f"it doesn't say that no base was compared: {answer}"
    if answer.verdict != expected:
        return f"{answer.verdict} in place of {expected}: {answer.text}"
    told = expected == scene.verdict and expected != ACCEPT and way != "audit"  # which names each in a row of a table
    words = scene.words if told else ()
    missing = [each for each in words if each not in answer.text]
    return f"it doesn't say {missing}: {answer.text}" if missing else ""
