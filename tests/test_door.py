"""What the command line does around its verbs: pipes that close, disks that are full, interrupts, wrong words."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import Repo
from minutebook import __main__

INTERRUPTED_WHILE_IMPORTING = """
import builtins, sys
real = builtins.__import__
def importing(name, *rest):
    if name == "click":
        raise KeyboardInterrupt
    return real(name, *rest)
builtins.__import__ = importing
from minutebook.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize("verb", [("types",), ("check", "--all"), ("show", "pattern-migrations"), ("index",)])
def test_a_reader_that_went_away_is_neither_a_pass_nor_a_problem(memory_repo: Repo, verb: tuple[str, ...]) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    command = [sys.executable, "-m", "minutebook", *verb]
    done = subprocess.run(
        command, cwd=memory_repo.path, env=dict(memory_repo.env), stdout=write_end, stderr=subprocess.PIPE, check=False
    )
    os.close(write_end)
    assert done.returncode == 141
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("buffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("verb", [("types",), ("check", "--all"), ("show", "pattern-migrations")])
def test_a_full_disk_is_said_in_one_line(memory_repo: Repo, verb: tuple[str, ...], buffered: str) -> None:
    command = [sys.executable, "-m", "minutebook", *verb]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command,
            cwd=memory_repo.path,
            env={**memory_repo.env, "PYTHONUNBUFFERED": buffered},
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"minutebook: No space left on device\n"


def test_a_page_that_cannot_be_written_is_said_in_one_line(memory_repo: Repo) -> None:
    done = memory_repo.minutebook("propose", "--dry-run", "--page", "nowhere/page.md")
    assert done.code == 2
    assert done.err == "minutebook: No such file or directory: nowhere/page.md\n"


def test_an_interrupt_while_modules_are_imported_is_130_without_a_traceback(repo: Repo) -> None:
    done = repo.run(sys.executable, "-c", INTERRUPTED_WHILE_IMPORTING, "types")
    assert (done.code, done.out, done.err) == (130, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="a process can't send itself SIGINT there")
def test_an_interrupted_verb_is_130_and_writes_nothing(
    memory_repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(memory_repo.path)
    monkeypatch.setattr(sys, "argv", ["minutebook", "new", "pattern", "--title", "Never written"])
    # The gate judges a new entry right before it is written: the interrupt comes there.
    monkeypatch.setattr("minutebook.commands.new.judge_plan", lambda *_: signal.raise_signal(signal.SIGINT))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # what starts in the background ignores it
    assert __main__.main() == 130
    signal.signal(signal.SIGINT, before)
    assert "Traceback" not in capsys.readouterr().err
    assert memory_repo.git("status", "--porcelain") == ""


def test_propose_without_a_commit_says_what_to_do(repo: Repo) -> None:
    done = repo.minutebook("propose", "--dry-run")
    assert done.code == 2
    assert "there is no commit yet" in done.err
    assert "try: minutebook init, and commit it" in done.err


def test_propose_takes_a_root_from_a_subfolder(repo: Repo) -> None:
    (repo.path / "a").mkdir()
    repo.minutebook("init", "--root", "a/memory")
    repo.commit()
    for root, folder in (("memory", "a"), ("a/memory", "."), ("a/memory", "a")):
        assert repo.minutebook("propose", "--dry-run", "--root", root, cwd=folder).code == 0
    assert repo.minutebook("propose", "--dry-run", "--root", "memory").code == 2


def test_show_gives_all_of_an_entry_that_lacks_the_level(memory_repo: Repo) -> None:
    memory_repo.write(".memory/patterns/short.md", "---\ntype: pattern\nid: short\ntitle: Short one\n---\n")
    done = memory_repo.minutebook("show", "short", "--level", "overview")
    assert (done.code, done.err) == (0, "note: it has no overview; this is all of it\n")
    assert "title: Short one" in done.out


def test_retrieve_with_an_empty_page_that_is_always_loaded(memory_repo: Repo) -> None:
    memory_repo.write(".memory/project/context.md", "")
    done = memory_repo.minutebook("retrieve", "alembic migrations")
    assert (done.code, done.err) == (0, "")
    assert "Alembic" in done.out


def test_check_says_when_memory_was_never_added(repo: Repo) -> None:
    repo.minutebook("init")
    told = "git holds nothing of .memory/ yet: git add .memory"
    assert told in repo.minutebook("check", "--all").err
    repo.git("add", ".memory")
    assert told not in repo.minutebook("check", "--all").err


def test_nothing_to_write_needs_no_git_directory_that_can_be_written(memory_repo: Repo) -> None:
    memory_repo.minutebook("init")
    memory_repo.minutebook("index")
    shutil.rmtree(memory_repo.path / ".git/minutebook")
    memory_repo.write(".git/minutebook", "in the way of every lock and journal\n")
    for verb in (("init",), ("compact",), ("refresh", "--apply")):
        done = memory_repo.minutebook(*verb, "--today", "2026-11-03")
        assert (done.code, done.err) == (0, ""), verb
    refused = memory_repo.minutebook("new", "pattern", "--title", "Never written")
    assert refused.code == 2
    assert "Traceback" not in refused.err
