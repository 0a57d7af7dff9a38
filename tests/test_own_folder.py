"""What minutebook keeps beside the memory is its own: no link leads it elsewhere, no hook of the repository runs."""

from pathlib import Path

import pytest

from conftest import Repo
from talk import jsonl, records

WORDS = "Let's use httpx for outgoing calls because it has timeouts"
LINKS = ["", "candidates.jsonl", "candidates.lock", "candidates.draft"]


def talk(folder: Path) -> str:
    path = folder / "talk.jsonl"
    path.write_text(jsonl(records(("user", WORDS))), "utf-8")
    return str(path)


def linked(repo: Repo, name: str, target: Path) -> None:
    """A link from `.git/minutebook`, or from a file in it, to the target."""
    place = repo.path / ".git" / "minutebook" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        place.symlink_to(target)
    except OSError:
        pytest.skip("symlinks can't be made here")


@pytest.mark.parametrize("name", LINKS)
def test_what_was_found_is_written_through_no_link(memory_repo: Repo, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    if name:
        outside.write_bytes(b"precious\n")
    else:
        outside.mkdir()
    linked(memory_repo, name, outside)
    done = memory_repo.minutebook("extract", talk(tmp_path), "--dry-run")
    assert done.code == 0, done.err
    assert "what was found can't be kept" in done.out
    assert "is a symlink" in done.out
    assert (outside.read_bytes() == b"precious\n") if name else (list(outside.iterdir()) == [])


def test_what_was_found_is_read_through_no_link(memory_repo: Repo, tmp_path: Path) -> None:
    kept = memory_repo.path / ".git/minutebook/candidates.jsonl"
    assert memory_repo.minutebook("extract", talk(tmp_path), "--dry-run").code == 0
    kept.replace(tmp_path / "rows")
    name = (tmp_path / "rows").read_text("utf-8").partition('"id": "')[2].partition('"')[0]
    linked(memory_repo, "candidates.jsonl", tmp_path / "rows")
    done = memory_repo.minutebook("reject", name, "--reason", "no")
    assert done.code == 2
    assert name in done.err


def test_what_was_loaded_is_written_through_no_link(memory_repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(b"precious\n")
    linked(memory_repo, "loads.jsonl", tmp_path / "outside")
    done = memory_repo.minutebook("retrieve", "uploads")
    assert done.code == 0, done.err
    assert "is a symlink" in done.out + done.err
    assert (tmp_path / "outside").read_bytes() == b"precious\n"


def test_a_rejection_runs_no_hook_of_the_repository(memory_repo: Repo, tmp_path: Path) -> None:
    for name in ("reference-transaction", "pre-push", "post-commit", "post-update"):
        hook = memory_repo.write(f".git/hooks/{name}", f"#!/bin/sh\necho {name} >> '{tmp_path}/ran'\nexit 1\n")
        hook.chmod(0o755)
    memory_repo.run("git", "init", "--quiet", "--bare", str(tmp_path / "remote.git"))
    memory_repo.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    (entry,) = memory_repo.git("grep", "-hoE", "^id: [a-z0-9-]+", "--", ".memory").split("\n")[:1]
    done = memory_repo.minutebook("reject", entry.removeprefix("id: "), "--reason", "no", "--push")
    assert done.code == 0, done.err
    assert not (tmp_path / "ran").exists()
    assert memory_repo.run("git", "ls-remote", str(tmp_path / "remote.git")).out.count("minutebook/state") == 1
