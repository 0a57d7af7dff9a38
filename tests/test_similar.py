"""Cosines of TF-IDF vectors: what is alike, what says most."""

import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from minutebook.similar import salience, similarities

CORPUS = ["The session store is PostgreSQL.", "Every migration has a way down.", "Uploads are retried three times."]
BLOCKED = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "sklearn":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Block())
from minutebook.ground.errors import CannotJudge
from minutebook.similar import similarities
assert similarities(["a text"], []) == [[]]
try:
    similarities(["a text"], ["another text"])
except CannotJudge as error:
    print(error, "|", error.hint, "|", error.exit_code)
"""


def test_the_nearest_text_is_found_across_ways_of_writing_an_identifier() -> None:
    first, second = similarities(["sessionStore in PostgreSQL", "migrations have a way down"], CORPUS)
    assert (first.index(max(first)), second.index(max(second))) == (0, 1)
    assert 0.5 < max(first) <= 1


def test_nothing_in_common_and_nothing_to_compare_with() -> None:
    assert similarities(["quokka"], CORPUS) == [[0.0, 0.0, 0.0]]
    assert similarities(["quokka"], []) == [[]]
    assert similarities([], CORPUS) == []


def test_similarities_are_rows_of_the_first_by_columns_of_the_second() -> None:
    rows = similarities(["PostgreSQL", "migration"], CORPUS)
    assert [len(row) for row in rows] == [3, 3]
    assert rows[0][0] > 0 == rows[0][1]
    assert rows[1][1] > 0 == rows[1][0]


def test_salience_is_highest_for_what_the_others_talk_about() -> None:
    scores = salience(["The cache is Redis.", "Redis keeps the cache warm.", "Lunch was good.", ""])
    assert scores[1] > scores[2]
    assert scores[3] == 0.0
    assert salience([]) == []


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=40), max_size=4), st.lists(st.text(max_size=40), max_size=4))
def test_any_text_gives_cosines_between_0_and_1_and_no_warning(first: list[str], second: list[str]) -> None:
    rows = similarities(first, second)
    assert [len(row) for row in rows] == [len(second)] * len(first)
    assert all(0 <= score <= 1 for row in rows for score in row)
    assert all(0.0 <= score <= 1.0 for score in salience(first))


def test_without_scikit_learn_it_says_which_extra_to_install() -> None:
    done = subprocess.run([sys.executable, "-c", BLOCKED], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ("comparing texts needs the maintain extra | pip install 'minutebook[maintain]' | 2")
