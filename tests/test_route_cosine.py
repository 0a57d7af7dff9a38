"""The cosine by which candidates are matched is that of scikit-learn, and nothing heavy is imported for it."""

import subprocess
import sys
from random import Random

import pytest

from conftest import Repo
from minutebook.route.cosine import cosines
from minutebook.similar import similarities
from talk import jsonl, records

WORDS = (
    "queue cache queues sessionStore PostgreSQL retry_limit v2.1 the of migrations Übersicht 数据库 DEC-2026-11-02-01"
)


def texts(random: Random, count: int) -> list[str]:
    return [" ".join(random.choices(WORDS.split(), k=random.randrange(12))) for _ in range(count)]


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_cosine_that_scikit_learn_gives(seed: int) -> None:
    random = Random(seed)
    first, second = texts(random, random.randrange(8)), texts(random, random.randrange(40))
    ours, theirs = cosines(first, second), similarities(first, second)
    assert [len(row) for row in ours] == [len(row) for row in theirs]
    for row, known in zip(ours, theirs, strict=True):
        assert row == pytest.approx(known, abs=1.01e-4)


def test_texts_without_a_word_are_like_nothing() -> None:
    assert cosines(["the of", ""], ["", "a cache"]) == [[0.0, 0.0], [0.0, 0.0]]
    assert cosines(["a cache"], []) == [[]]
    assert cosines([], ["a cache"]) == []


def test_a_session_is_extracted_into_a_memory_without_an_import_that_takes_a_second(memory_repo: Repo) -> None:
    memory_repo.write("talk.jsonl", jsonl(records(("user", "Let's use httpx for outgoing calls."))))
    script = (
        "import sys\n"
        "from minutebook.cli import run\n"
        "code = run(['extract', 'talk.jsonl', '--dry-run'])\n"
        "print(code, sorted({name.split('.')[0] for name in sys.modules} & {'sklearn', 'numpy', 'scipy'}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=memory_repo.path, env=dict(memory_repo.env), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Use httpx for outgoing calls" in done.stdout
    assert done.stdout.endswith("0 []\n")
