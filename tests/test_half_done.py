"""A run that was killed in the middle of writing: no text is lost at any moment, no check passes it, what reads leaves
it alone and says so, one verb finishes it and one gives it up."""

import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from compaction import year
from conftest import TODAY, Done, Repo
from minutebook.ground.change import Change, File
from minutebook.ground.journal import journal_of, undoing
from test_killed import contents

pytestmark = pytest.mark.skipif(os.name == "nt", reason="names and signals as POSIX has them")
COMPACT = ("compact", "--today", TODAY, "--force")
DYING = """
import os, signal, sys
from minutebook.edges import store
real, calls = store._put, []
def dying(target, row):
    calls.append(target)
    if len(calls) == int(sys.argv[1]):
        os.kill(os.getpid(), int(sys.argv[2]))
    real(target, row)
store._put = dying
from minutebook.cli import run
sys.exit(run(sys.argv[3:]))
"""
FULL = """
import os, sys
from minutebook.edges import store
real, calls = store.write_synced, []
def full(path, data, *rest):
    calls.append(path)
    if len(calls) == 6 or (len(calls) > 6 and sys.argv[1] == "for good"):
        raise OSError(28, "No space left on device")
    real(path, data, *rest)
store.write_synced = full
if sys.argv[1] == "for good":
    def stuck(*_):
        raise OSError(5, "Input/output error")
    real_put = store._put
    store._put = lambda target, row: real_put(target, row) if len(calls) < 6 else stuck()
from minutebook.cli import run
sys.exit(run(sys.argv[2:]))
"""


@pytest.fixture
def grown(repo: Repo) -> Repo:
    """Notes that are due, and a config, committed."""
    for path, text in list(year.notes(200))[:12]:
        repo.write(f".memory/{path}", text)
    repo.write(".memory/decisions/_log.md", year.log(3))
    repo.commit("Memory")
    return repo


def killed(repo: Repo, at: int, *verb: str) -> None:
    """A run that ends by SIGKILL just before it writes its `at`-th file."""
    done = repo.run(sys.executable, "-c", DYING, str(at), "9", *(verb or COMPACT))
    assert done.code == -9, done.err
    assert (repo.path / ".git/minutebook/journal.json").exists()


def texts(tree: Mapping[str, bytes]) -> set[bytes]:
    return {data for path, data in tree.items() if not path.endswith("index.md")}


def new_state(repo: Repo, folder: Path) -> dict[str, bytes]:
    shutil.copytree(repo.path, folder)
    other = Repo(folder, repo.env)
    assert other.minutebook(*COMPACT).code == 0
    return contents(other)


def snapshot_name(repo: Repo) -> str:
    found = re.match(r"\S+", repo.minutebook("snapshots").out)
    assert found is not None
    return found[0]


def test_a_plan_adds_before_it_takes_away() -> None:
    rows = [
        Change("r/gone.md", File(b"g"), None),
        Change("r/changed.md", File(b"a"), File(b"b")),
        Change("r/z.md", None, File(b"g")),
        Change("r/file", File(b"f"), None),
        Change("r/file/now/folder.md", None, File(b"n")),
        Change("r/folder/deep.md", File(b"d"), None),
        Change("r/folder", None, File(b"n")),
    ]
    journal = journal_of("r", rows)
    assert [row.path for row in journal.rows] == [
        "r/z.md", "r/changed.md", "r/file", "r/folder/deep.md", "r/file/now/folder.md", "r/folder", "r/gone.md",
    ]  # fmt: skip
    back = undoing(journal)
    assert back is not None
    assert [row.path for row in back.rows][:2] == ["r/gone.md", "r/changed.md"]
    assert undoing(back) == journal


@pytest.mark.parametrize("at", [2, 14, 20])
def test_wherever_a_compaction_is_killed_every_text_is_in_some_file(grown: Repo, at: int) -> None:
    old = contents(grown)
    killed(grown, at)
    assert texts(old) <= {*contents(grown).values()}


WAYS = ((), ("--staged",), ("--all",), ("--since", "HEAD"), ("--only", "ids"), ("--staged", "--format", "json"))


@pytest.mark.parametrize("at", [2, 16])
def test_no_way_of_checking_passes_a_run_that_is_half_done(grown: Repo, at: int) -> None:
    killed(grown, at)
    grown.git("add", "--all")
    now = contents(grown)
    for way in WAYS:
        done = grown.minutebook("check", *way)
        assert done.code == 2, way
        assert "half done" in done.err
        assert "`minutebook snapshot` finishes that run, `minutebook restore NAME` gives it up" in done.err
    assert contents(grown) == now


def test_a_commit_of_code_alone_is_stopped_as_well(grown: Repo) -> None:
    killed(grown, 3)
    grown.write("code.py", "pass\n")
    grown.git("add", "code.py")
    assert grown.minutebook("check", "--staged").code == 2
    assert grown.minutebook("snapshot").code == 0
    assert grown.minutebook("check", "--staged").code == 0


def test_a_check_in_a_linked_worktree_asks_its_own_journal(grown: Repo, tmp_path: Path) -> None:
    grown.git("worktree", "add", "--quiet", tmp_path / "linked")
    linked = Repo(tmp_path / "linked", grown.env)
    done = linked.run(sys.executable, "-c", DYING, "3", "9", *COMPACT)
    assert done.code == -9
    assert linked.minutebook("check", "--staged").code == 2
    assert grown.minutebook("check", "--staged").code == 0


READING = (("search", "upload"), ("snapshots",), ("types",), ("refresh",), (*COMPACT, "--dry-run"))


def test_what_only_reads_leaves_the_work_tree_alone_and_says_so(grown: Repo) -> None:
    killed(grown, 5)
    now = contents(grown)
    for verb in READING:
        done = grown.minutebook(*verb)
        assert "a run is half done, and what is read here may be a mix" in done.err, verb
        assert contents(grown) == now
    assert (grown.path / ".git/minutebook/journal.json").exists()


@pytest.mark.parametrize("at", [2, 16])
def test_the_next_verb_that_writes_finishes_it(grown: Repo, tmp_path: Path, at: int) -> None:
    new = new_state(grown, tmp_path / "whole")
    killed(grown, at)
    done = grown.minutebook("snapshot")
    assert "finished an interrupted run" in done.err
    assert contents(grown) == new
    assert grown.minutebook("snapshot").err == ""


def test_a_run_that_was_undone_by_hand_is_dropped(grown: Repo) -> None:
    old = contents(grown)
    killed(grown, 16)
    grown.git("checkout", "--quiet", "--", ".")
    grown.git("clean", "--quiet", "-fd", ".memory")
    assert grown.minutebook("search", "upload").code == 0
    assert contents(grown) == old
    done = grown.minutebook("snapshot")
    assert "an interrupted run had changed nothing yet, and its plan was dropped" in done.err
    assert contents(grown) == old
    assert grown.minutebook("check", "--all").code == 0


def edited(grown: Repo) -> tuple[str, str]:
    """(the note that somebody edits after git brought the notes back, its text)."""
    killed(grown, 20)
    grown.git("checkout", "--quiet", "--", ".")
    path = sorted(path for path in contents(grown) if path.startswith("sessions/"))[-2]
    text = grown.read(f".memory/{path}") + "\nWe never forget this edit.\n"
    grown.write(f".memory/{path}", text)
    return path, text


def test_an_edit_stops_it_before_anything_else_is_touched(grown: Repo) -> None:
    path, _ = edited(grown)
    now = contents(grown)
    done: Done = grown.minutebook("snapshot")
    assert done.code == 2
    assert f"{path} was edited while an interrupted run was half done" in done.err
    assert "gives it up" in done.err
    assert contents(grown) == now


def test_restore_gives_it_up_and_keeps_the_edit(grown: Repo) -> None:
    old = contents(grown)
    path, text = edited(grown)
    done = grown.minutebook("restore", snapshot_name(grown), "decisions", "--today", TODAY)
    assert done.code == 0, done.err
    assert "gave an interrupted run up; as they were: " in done.err
    assert f"left alone, since they were edited: .memory/{path}" in done.err
    assert contents(grown) == old | {path: text.encode()}
    assert grown.minutebook("snapshot").err == ""


@pytest.mark.parametrize("at", [9, 20])
def test_restore_brings_back_notes_that_git_never_held(grown: Repo, at: int) -> None:
    grown.git("rm", "--quiet", "-r", "--cached", ".memory/sessions")
    old = contents(grown)
    killed(grown, at)
    done = grown.minutebook("restore", snapshot_name(grown), "--today", TODAY)
    assert done.code == 0, done.err
    assert contents(grown) == old


@pytest.mark.parametrize("at", [2, 16])
def test_ctrl_c_while_files_are_written_takes_them_back(grown: Repo, at: int) -> None:
    old = contents(grown)
    done = grown.run(sys.executable, "-c", DYING, str(at), "2", *COMPACT)
    assert done.code == 130
    assert "minutebook: interrupted; what was written is taken back" in done.err
    assert contents(grown) == old
    assert not (grown.path / ".git/minutebook/journal.json").exists()


def test_a_disk_that_fills_up_while_files_are_written_takes_them_back(grown: Repo) -> None:
    old = contents(grown)
    done = grown.run(sys.executable, "-c", FULL, "once", *COMPACT)
    assert done.code == 2
    assert "No space left on device; what was written is taken back" in done.err
    assert contents(grown) == old
    assert grown.minutebook("check", "--all").code == 0


def test_where_it_can_not_be_taken_back_either_it_says_how_to_go_on(grown: Repo, tmp_path: Path) -> None:
    old, new = contents(grown), new_state(grown, tmp_path / "whole")
    done = grown.run(sys.executable, "-c", FULL, "for good", *COMPACT)
    assert done.code == 2
    assert "No space left on device; the run is half done" in done.err
    assert "gives it up" in done.err
    assert texts(old) <= {*contents(grown).values()}
    assert grown.minutebook("check", "--all").code == 2
    assert grown.minutebook("snapshot").code == 0
    assert contents(grown) == new
