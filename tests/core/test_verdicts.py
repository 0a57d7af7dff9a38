"""The promise, judged in memory: which problems, in which words, on which lines, with which way out."""

import pytest

from core.promise import CASES
from core.sketch import judged, memory
from core.verdicts import GROUPS, SCENES, kept

KEPT = kept()


# One test a group, not one a scene: mutation testing pays for every test that pytest collects, two thousand times.
@pytest.mark.parametrize("group", GROUPS)
def test_verdicts(group: str) -> None:
    for name, scene in GROUPS[group].items():
        assert scene.verdict() == KEPT[f"{group}: {name}"], name


def test_every_verdict_has_its_scene() -> None:
    assert list(KEPT) == list(SCENES)


def test_a_change_of_a_published_log_is_judged_as_on_real_git() -> None:
    for name, edit, verdict, words in CASES:
        found = judged(memory(), memory(edit))
        errors = [each for each in found if each.severity == "error"]
        assert (int(bool(errors)), len(found) > len(errors)) == verdict, name
        assert words in "\n".join(each.message for each in found), name


def test_without_a_base_nothing_is_compared() -> None:
    assert judged(None, memory()) == []
