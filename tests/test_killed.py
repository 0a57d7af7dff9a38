"""kill -9 at random moments of refresh, compact and restore, on real git: the old state or the new one, never a mix,
and the next run says which."""

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

TIMES = int(os.environ.get("MINUTEBOOK_KILLS", "18"))
"""Over the three verbs; CI and `make killed` ask for 100."""
KILLING = Path(__file__).parent / "compaction" / "killing.py"
Trial = tuple[Repo, Sequence[str], int]
Contents = dict[str, bytes]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork, and no SIGKILL")


def contents(repo: Repo) -> Contents:
    """The files of the memory. A draft that a killed run left beside its target is half of a write, not of the memory;
    the next run takes it away."""
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
    done = subprocess.run([sys.executable, KILLING], input=lines, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
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


@pytest.fixture
def moved(repo: Repo) -> Repo:
    """A repository with eight conventions about files that have moved or gone since."""
    for at in range(8):
        repo.write(f"src/part{at}.py", f"def work_{at}(value):\n    return value + {at}\n")
        repo.write(
            f".memory/patterns/part-{at}.md",
            f"---\ntype: pattern\nid: pattern-part-{at}\ntitle: Part {at}\nabstract: How part {at} works.\n"
            f"created: 2026-11-02\nanchors: [src/part{at}.py]\n---\n## Overview\nSee `src/part{at}.py`.\n",
        )
    repo.commit("Code and memory")
    repo.git("mv", "src", "lib")
    repo.git("rm", "--quiet", "--force", "lib/part3.py", "lib/part5.py")
    repo.commit("Moved")
    return repo


def left_behind(repo: Repo) -> tuple[bool, bool]:
    """Whether a killed run had committed to its plan, and whether it was still writing it down."""
    folder = repo.path / ".git/minutebook"
    return (folder / "journal.json").exists(), (folder / "journal.draft").exists()


def trees_kept(repo: Repo) -> list[Contents]:
    """What the snapshots hold."""
    rows = json.loads(repo.minutebook("snapshots", "--format", "json").out)["snapshots"]
    found = []
    for row in rows:
        paths = repo.git("ls-tree", "-r", "--name-only", row["commit"]).split("\n")
        blobs = {path: subprocess.run(["git", "cat-file", "blob", f"{row['commit']}:{path}"], cwd=repo.path,
                                      capture_output=True, check=True).stdout for path in paths}  # fmt: skip
        found.append({path.removeprefix(".memory/"): data for path, data in blobs.items()})
    return found


def outcomes(repo: Repo, folder: Path, verb: Sequence[str], times: int) -> tuple[Contents, list[str]]:
    """(the tree that the verb leaves when nobody kills it, for each killed run what the next one found)."""
    old = contents(repo)
    whole, *victims = copies(repo, folder, times + 1)
    (told,) = run_all([(whole, verb, 0)])
    assert told["code"] == 0, told["err"]
    new = contents(whole)
    assert new != old
    most = int(re.findall(r"lines ([0-9]+)", told["err"])[-1])
    draw = random.Random(11)
    # Denser towards the end, where files are written.
    moments = [1 + int((most - 2) * ((at + draw.random()) / times) ** 0.4) for at in range(times)]
    killed = run_all([(each, verb, moment) for each, moment in zip(victims, moments, strict=True)])
    assert all(each["killed"] for each in killed)
    begun = [left_behind(each) for each in victims]
    half = [contents(each) for each in victims]
    again = run_all([(each, ["snapshot"], 0) for each in victims])
    found = []
    for each, was, said, (journal, draft) in zip(victims, half, again, begun, strict=True):
        assert said["code"] == 0, said["err"]
        now = contents(each)
        finished = journal and was != old
        assert ("finished an interrupted run: " in said["err"]) == finished
        assert ("its plan was dropped" in said["err"]) == ((draft or journal) and not finished)
        assert now == new if finished else now in (old, new)
        assert list((each.path / ".memory").rglob("*.minutebook-draft")) == []
        assert left_behind(each) == (False, False)
        found.append("finished" if finished else "new" if now == new else "old")
    last = victims[found.index("finished")]
    assert last.git("fsck", "--no-dangling") == ""
    assert old in trees_kept(last)
    return new, found


def test_a_refresh_that_is_killed_leaves_the_old_state_or_the_new_one(moved: Repo, tmp_path: Path) -> None:
    new, found = outcomes(moved, tmp_path, ["refresh", "--apply", "--today", TODAY], TIMES // 3)
    assert b"lib/part1.py" in new["patterns/part-1.md"]
    assert b"stale:" in new["patterns/part-3.md"]
    assert {"old", "finished"} <= {*found}


def test_a_compaction_that_is_killed_leaves_the_old_state_or_the_new_one(grown: Repo, tmp_path: Path) -> None:
    new, found = outcomes(grown, tmp_path, ["compact", "--today", TODAY, "--force"], TIMES // 3)
    assert any(path.startswith("archive/ledgers/") for path in new)
    assert {"old", "finished"} <= {*found}


def test_a_restore_that_is_killed_leaves_the_old_state_or_the_new_one(grown: Repo, tmp_path: Path) -> None:
    before = contents(grown)
    out = grown.minutebook("compact", "--today", TODAY, "--force").out
    name = re.match(r"snapshot (\S+) ", out)
    assert name is not None
    new, found = outcomes(grown, tmp_path, ["restore", name[1], "--today", TODAY], TIMES - TIMES // 3 * 2)
    assert new == before
    assert {"old", "finished"} <= {*found}
