"""Snapshots and writes when the machine is against them: two runs at once, locks left behind, a disk that is full or
can't be written, Ctrl-C, hooks, files that can't be kept."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import PATTERN, TODAY, Repo
from test_snapshots import contents, taken

POSIX = pytest.mark.skipif(os.name == "nt", reason="needs POSIX")
COMMAND = [sys.executable, "-m", "minutebook"]


def refs(repo: Repo) -> list[str]:
    return repo.git("for-each-ref", "--format=%(refname)", "refs/minutebook/").split()


def limited(repo: Repo, most_bytes: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A run in which no file can grow over so many bytes: what a full disk does, to minutebook and to git."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({most_bytes}, {most_bytes})); "
    ignored = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    run = "from minutebook.cli import run; import sys; sys.exit(run(sys.argv[1:]))"
    command = [sys.executable, "-c", limit + ignored + run, *arguments]
    return subprocess.run(command, cwd=repo.path, env=dict(repo.env), capture_output=True, text=True, check=False)


def test_snapshots_taken_at_the_same_time_all_get_a_name(memory_repo: Repo) -> None:
    for number in range(2):
        for running in [
            subprocess.Popen(
                [*COMMAND, "snapshot", "--today", TODAY, "--label", f"run {number}"],
                cwd=memory_repo.path,
                env=dict(memory_repo.env),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for _ in range(3)
        ]:
            out, err = running.communicate(timeout=100)
            assert running.returncode == 0, err
            assert memory_repo.minutebook("restore", out.split()[1], "--dry-run").out == "nothing to write\n"
        memory_repo.write(PATTERN, "changed\n")


def test_two_restores_at_the_same_time_leave_one_of_the_two_whole(memory_repo: Repo) -> None:
    trees, names = [], []
    for number in range(2):
        for at in range(20):
            memory_repo.write(f".memory/project/{at}.md", f"{number}\n" * 200)
        names.append(taken(memory_repo))
        trees.append(contents(memory_repo))
    memory_repo.write(".memory/project/7.md", "spoilt\n")
    commands = [[*COMMAND, "restore", name] for name in names]
    running = [
        subprocess.Popen(each, cwd=memory_repo.path, env=dict(memory_repo.env), stderr=subprocess.PIPE, text=True)
        for each in commands
    ]
    ends = [(each.communicate(timeout=100)[1], each.returncode) for each in running]
    assert all(code == 0 or (code == 1 and "changed since this was planned" in err) for err, code in ends), ends
    assert 0 in [code for _, code in ends]
    assert contents(memory_repo) in trees


def test_the_file_of_a_lock_that_a_dead_run_left_stops_nobody(memory_repo: Repo) -> None:
    name = taken(memory_repo)
    folder = memory_repo.path / ".git/minutebook"
    folder.mkdir(exist_ok=True)
    (folder / "lock").write_bytes(b"")
    (folder / "journal.draft").write_bytes(b'{"within": ".mem')
    memory_repo.write(PATTERN, "spoilt\n")
    done = memory_repo.minutebook("restore", name)
    assert done.code == 0, done.err
    assert "an interrupted run had changed nothing yet, and its plan was dropped" in done.err
    assert memory_repo.minutebook("snapshots").err == ""
    assert "reversible" in memory_repo.read(PATTERN)


def test_a_lock_of_git_that_was_left_behind_is_reported_and_left(memory_repo: Repo) -> None:
    stamp = f"{TODAY.replace('-', '')}T000000Z"
    lock = memory_repo.write(f".git/refs/minutebook/snapshots/{stamp}.lock", b"")
    done = memory_repo.minutebook("snapshot", "--today", TODAY)
    assert done.code == 2
    assert "no snapshot could be made" in done.err
    assert f"{stamp}.lock" in done.err
    assert lock.exists()
    memory_repo.write(".git/index.lock", b"")
    assert memory_repo.minutebook("snapshot", "--label", "beside it").code == 0


@POSIX
def test_where_the_git_directory_is_no_place_to_write_nothing_is_changed(memory_repo: Repo) -> None:
    name = taken(memory_repo)
    memory_repo.write(PATTERN, "spoilt\n")
    now = contents(memory_repo)
    shutil.rmtree(memory_repo.path / ".git/refs/minutebook")
    memory_repo.git("pack-refs", "--all")
    memory_repo.git("update-ref", f"refs/minutebook/snapshots/{name}", "HEAD")
    shutil.rmtree(memory_repo.path / ".git/objects/pack", ignore_errors=True)
    memory_repo.write(".git/objects/pack", b"a file in its place\n")
    done = memory_repo.minutebook("snapshot")
    assert (done.code, "no snapshot could be made" in done.err) == (2, True), done.err
    assert memory_repo.minutebook("compact", "--today", TODAY).code in (0, 2)
    assert contents(memory_repo) == now


@POSIX
def test_in_a_git_directory_that_is_read_only_reading_works_and_writing_is_refused(memory_repo: Repo) -> None:
    memory_repo.minutebook("index")
    name = taken(memory_repo)
    memory_repo.write(PATTERN, memory_repo.read(PATTERN).replace("reversible", "one-way"))
    now = contents(memory_repo)
    folders = [path for path in (memory_repo.path / ".git").rglob("*") if path.is_dir()]
    try:
        for path in (memory_repo.path / ".git", *folders):
            path.chmod(0o555)
        if os.access(memory_repo.path / ".git", os.W_OK):
            pytest.skip("root may write everywhere")
        assert memory_repo.minutebook("snapshot").code == 2
        assert memory_repo.minutebook("restore", name).code == 2
        assert name in memory_repo.minutebook("snapshots").out
        assert memory_repo.minutebook("retrieve", "migrations").code == 0
    finally:
        for path in (memory_repo.path / ".git", *folders):
            path.chmod(0o755)
    assert contents(memory_repo) == now


@POSIX
def test_a_disk_that_is_full_leaves_the_old_state_or_is_finished_later(memory_repo: Repo) -> None:
    memory_repo.write(PATTERN, os.urandom(30_000))
    name, old = taken(memory_repo), contents(memory_repo)
    memory_repo.write(PATTERN, os.urandom(30_000))
    taken(memory_repo)
    now = contents(memory_repo)
    before = refs(memory_repo)
    memory_repo.write(PATTERN, os.urandom(30_000))
    done = limited(memory_repo, 10_000, "snapshot")
    assert done.returncode == 2
    assert "no snapshot could be made: " in done.stderr, done.stderr
    assert refs(memory_repo) == before
    memory_repo.write(PATTERN, now["patterns/migrations.md"])
    done = limited(memory_repo, 40_000, "restore", name)  # the journal doesn't fit
    assert done.returncode == 2
    assert "the git directory can't be written" in done.stderr
    assert contents(memory_repo) == now
    assert memory_repo.minutebook("snapshots").err == ""
    assert memory_repo.minutebook("restore", name).code == 0
    assert contents(memory_repo) == old


INTERRUPTED = """
import os, signal, sys
from minutebook.edges import store
real, calls = store.replace, []
def interrupted(draft, target):
    calls.append(target)
    if len(calls) == int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGINT)
    real(draft, target)
store.replace = interrupted
from minutebook.cli import run
sys.exit(run(["restore", sys.argv[2]]))
"""


@POSIX
@pytest.mark.parametrize("at", [1, 2, 4])
def test_ctrl_c_takes_back_what_was_written_and_says_so(memory_repo: Repo, at: int) -> None:
    name = taken(memory_repo)
    for path in contents(memory_repo):
        memory_repo.write(f".memory/{path}", memory_repo.read(f".memory/{path}") + "\nmore\n")
    now = contents(memory_repo)
    done = memory_repo.run(sys.executable, "-c", INTERRUPTED, str(at), name)
    assert done.code == 130
    assert "Traceback" not in done.err
    told = "nothing was changed" if at == 1 else "what was written is taken back"
    assert f"minutebook: interrupted; {told}" in done.err
    assert contents(memory_repo) == now
    assert memory_repo.minutebook("snapshot").err == ""


@POSIX
def test_no_hook_of_the_repository_runs(memory_repo: Repo, tmp_path: Path) -> None:
    memory_repo.git("init", "--quiet", "--bare", tmp_path / "remote.git")
    memory_repo.git("remote", "add", "origin", tmp_path / "remote.git")
    for hook in ("reference-transaction", "pre-push", "post-index-change"):
        path = memory_repo.write(f".git/hooks/{hook}", f"#!/bin/sh\ntouch '{tmp_path}/{hook}-ran'\nexit 1\n")
        path.chmod(0o755)
    name = taken(memory_repo, "--push")
    assert taken(memory_repo, "--label", "again") == name
    memory_repo.write(PATTERN, "spoilt\n")
    assert memory_repo.minutebook("restore", name).code == 0
    assert list(tmp_path.glob("*-ran")) == []


@pytest.fixture
def odd_file(memory_repo: Repo) -> Iterator[Path]:
    path = memory_repo.path / ".memory/project/odd"
    yield path
    path.unlink(missing_ok=True)


@POSIX
def test_what_is_no_file_makes_no_snapshot(memory_repo: Repo, odd_file: Path) -> None:
    os.mkfifo(odd_file)
    done = memory_repo.minutebook("snapshot")
    assert done.code == 2
    assert "project/odd is neither a file nor a folder" in done.err
    assert refs(memory_repo) == []


def test_a_folder_that_can_not_be_read_makes_no_snapshot(memory_repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    from minutebook.edges.git import repository
    from minutebook.edges.snapshots import present
    from minutebook.ground.errors import CannotJudge

    real = os.scandir

    def scandir(path: str) -> object:
        if str(path).endswith("patterns"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(CannotJudge, match=r"patterns can't be read, so it can't be kept: Permission denied"):
        present(repository(memory_repo.path), ".memory")


def test_a_root_that_is_a_symlink_makes_no_snapshot(memory_repo: Repo, tmp_path: Path) -> None:
    shutil.move(memory_repo.path / ".memory", tmp_path / "elsewhere")
    try:
        (memory_repo.path / ".memory").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    except OSError:
        pytest.skip("symlinks can't be made here")
    done = memory_repo.minutebook("snapshot")
    assert done.code == 2
    assert ".memory is a symlink" in done.err


@pytest.mark.parametrize(("path", "text", "told"), [
    (".memory/users/ada/profile.md", "mine\n", "users/ada/profile.md is private"),
    (".memory/project/local.md", "mine\n", "git ignores .memory/project/local.md"),
    (".memory/project/notes.md", "password = hunter2-Correct9Horse\n", "notes.md:1: "),
])  # fmt: skip
def test_what_is_meant_to_stay_here_is_kept_and_never_pushed(
    memory_repo: Repo, tmp_path: Path, path: str, text: str, told: str
) -> None:
    memory_repo.git("init", "--quiet", "--bare", tmp_path / "remote.git")
    memory_repo.git("remote", "add", "origin", tmp_path / "remote.git")
    memory_repo.write(".gitignore", "local.md\n")
    memory_repo.write(path, text)
    done = memory_repo.minutebook("snapshot", "--push")
    assert done.code == 1
    assert told in done.err
    assert "hunter2" not in done.err
    assert memory_repo.git("ls-remote", "origin") == ""
    name = taken(memory_repo)
    assert memory_repo.git("show", f"refs/minutebook/snapshots/{name}:{path}") == text.strip()


def test_a_remote_that_does_not_take_it_is_told_without_the_password(memory_repo: Repo, tmp_path: Path) -> None:
    memory_repo.git("remote", "add", "dead", "http://ada:s3cret-word@127.0.0.1:9/uploads.git")
    memory_repo.git("remote", "add", "gone", tmp_path / "nowhere.git")
    for remote in ("dead", "gone"):
        done = memory_repo.minutebook("snapshot", "--push", "--remote", remote)
        assert done.code == 3
        assert f"could not be pushed to {remote}" in done.err
        assert "it is kept here" in done.err
        assert "s3cret-word" not in done.err
    assert len(refs(memory_repo)) == 1
