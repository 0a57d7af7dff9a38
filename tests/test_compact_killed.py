"""kill -9 at random moments of compact and restore, on real git: the old state or the new one, never a mix."""

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from compaction import year
from conftest import TODAY, Repo

TIMES = int(os.environ.get("MINUTEBOOK_KILLS", "12"))
"""Of each verb; CI asks for 50."""
KILLING = Path(__file__).parent / "compaction" / "killing.py"
Trial = tuple[Repo, Sequence[str], int]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork, and no SIGKILL")


def contents(repo: Repo) -> dict[str, bytes]:
    root = repo.path / ".memory"
    files = (path for path in root.rglob("*") if path.is_file() and not path.name.endswith(".minutebook-draft"))
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def run_all(trials: Sequence[Trial]) -> list[dict[str, Any]]:
    """What `killing.py` says of each trial, in one process."""
    lines = "".join(
        json.dumps({"folder": str(repo.path), "verb": list(verb), "after": after}) + "\n"
        for repo, verb, after in trials
    )
    env = {**trials[0][0].env, "PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run([sys.executable, KILLING], input=lines, env=env, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def copies(repo: Repo, folder: Path, number: int) -> list[Repo]:
    for at in range(number):
        shutil.copytree(repo.path, folder / f"copy{at}")
    return [Repo(folder / f"copy{at}", repo.env) for at in range(number)]


@pytest.fixture
def grown(repo: Repo) -> Repo:
    """A repository with sixteen notes of one month, all of them due, and six decisions."""
    for path, text in list(year.notes(200))[:16]:
        repo.write(f".memory/{path}", text)
    repo.write(".memory/decisions/_log.md", year.log(6))
    repo.commit("Memory")
    return repo


def outcomes(repo: Repo, folder: Path, verb: Sequence[str]) -> tuple[dict[str, bytes], list[str]]:
    """(the tree that the verb leaves when nobody kills it, for each killed run whether the next found old or new)."""
    old = contents(repo)
    whole, *victims = copies(repo, folder, TIMES + 1)
    (told,) = run_all([(whole, verb, 0)])
    assert told["code"] == 0, told["err"]
    new = contents(whole)
    assert new != old
    most = int(re.findall(r"lines ([0-9]+)", told["err"])[-1])
    draw = random.Random(11)
    moments = [draw.randint(1, most) for _ in victims]
    killed = run_all([(each, verb, moment) for each, moment in zip(victims, moments, strict=True)])
    assert all(each["killed"] for each in killed)
    again = run_all([(each, ["snapshots"], 0) for each in victims])
    found = []
    for each, said in zip(victims, again, strict=True):
        assert said["code"] == 0, said["err"]
        now = contents(each)
        assert now in (old, new)
        finished = "finished an interrupted run: " in said["err"]
        assert not finished or now == new
        found.append("finished" if finished else "new" if now == new else "old")
        assert not list((each.path / ".memory").rglob("*.minutebook-draft")) or now == new
    return new, found


def test_a_compaction_that_is_killed_leaves_the_old_state_or_the_new_one(grown: Repo, tmp_path: Path) -> None:
    new, found = outcomes(grown, tmp_path, ["compact", "--today", TODAY, "--force"])
    assert any(path.startswith("archive/ledgers/") for path in new)
    assert {"old", "finished"} <= {*found}


def test_a_restore_that_is_killed_leaves_the_old_state_or_the_new_one(grown: Repo, tmp_path: Path) -> None:
    before = contents(grown)
    out = grown.minutebook("compact", "--today", TODAY, "--force").out
    name = re.match(r"snapshot (\S+) ", out)
    assert name is not None
    new, found = outcomes(grown, tmp_path, ["restore", name[1], "--today", TODAY])
    assert new == before
    assert {"old", "finished"} <= {*found}
