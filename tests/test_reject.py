"""`minutebook reject`: what was rejected isn't asked again, in this clone or another, and no word of it is kept."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import PATTERN, Done, Repo, environment
from talk import jsonl, records

TODAY = "2026-11-20"
STATE = "minutebook/state"
FILE = "rejected.jsonl"
WORDS = "Let's store the zebrafish sessions in PostgreSQL tables"
AGAIN = "From now on store the sessions of the zebrafish in tables of PostgreSQL"
OTHER = "Let's use httpx for outgoing calls because it has timeouts"


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("talks") / "talk.jsonl", WORDS, OTHER)


@pytest.fixture(scope="module")
def taught(memory_template: Path, talk: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A repository in which a plan was made of the talk, and the id of what it says of zebrafish."""
    folder = tmp_path_factory.mktemp("taught") / "repo"
    shutil.copytree(memory_template, folder, symlinks=True)
    found = proposed(plan(Repo(folder, environment(folder.parent)), talk))
    return folder, next(name for title, name in found.items() if "zebrafish" in title)


@pytest.fixture
def repo(taught: tuple[Path, str], tmp_path: Path) -> Repo:
    shutil.copytree(taught[0], tmp_path / "repo", symlinks=True)
    return Repo(tmp_path / "repo", environment(tmp_path))


@pytest.fixture
def zebrafish(taught: tuple[Path, str]) -> str:
    return taught[1]


def written(path: Path, *texts: str, session: int = 1) -> Path:
    name = f"{session:08d}-2222-4333-8444-555555555555"
    path.write_text(jsonl(records(*(("user", text) for text in texts), id=name)), "utf-8")
    return path


def plan(repo: Repo, *arguments: str | Path) -> dict[str, Any]:
    done = repo.minutebook("extract", *map(str, arguments), "--dry-run", "--format", "json", "--today", TODAY)
    assert done.code == 0, done.err + done.out
    found: dict[str, Any] = json.loads(done.out)
    return found


def proposed(found: dict[str, Any]) -> dict[str, str]:
    """The ids of the candidates that are proposed, by the titles of their entries."""
    rows = [entry for change in found["changes"] for entry in change["entries"]]
    return {entry["title"]: entry["candidate"] for entry in rows if entry["candidate"]}


def reject(repo: Repo, *arguments: str | Path, **env: str) -> Done:
    return repo.minutebook("reject", *map(str, arguments), "--today", TODAY, **env)


def rejected(repo: Repo, *arguments: str | Path) -> Done:
    done = reject(repo, *arguments)
    assert done.code == 0, done.err + done.out
    return done


def lines(repo: Repo) -> list[dict[str, Any]]:
    return [json.loads(row) for row in repo.git("show", f"{STATE}:{FILE}").split("\n")]


def held(found: dict[str, Any]) -> list[str]:
    return [each["what"] for each in found["refusals"] if each["kind"] == "rejected"]


def clone(repo: Repo, bare: Path, name: str) -> Repo:
    target = bare.parent / name
    repo.git("clone", "--quiet", bare, target)
    return Repo(target, repo.env)


@pytest.fixture
def two_clones(repo: Repo, tmp_path: Path) -> tuple[Repo, Repo]:
    bare = tmp_path / "bare.git"
    repo.git("clone", "--quiet", "--bare", repo.path, bare)
    ada, bob = clone(repo, bare, "ada"), clone(repo, bare, "bob")
    shutil.copytree(repo.path / ".git/minutebook", ada.path / ".git/minutebook")
    return ada, bob


def test_what_was_rejected_is_not_proposed_again_and_the_rest_is(repo: Repo, talk: Path, zebrafish: str) -> None:
    done = rejected(repo, zebrafish, "--reason", "sessions stay in memory")
    assert done.out.endswith(f"{zebrafish} won't be proposed again\n")
    again = plan(repo, talk)
    assert [each[:10] for each in proposed(again)] == ["Use httpx "]
    (row,) = [each for each in again["refusals"] if each["kind"] == "rejected"]
    assert row["id"] == zebrafish
    assert row["reason"].startswith("rejected on 2026-11-20 by Ada Example: sessions stay in memory (rej-")
    assert "rejected: cand-" in repo.minutebook("extract", str(talk), "--dry-run", "--today", TODAY).out


def test_nor_is_what_says_the_same_in_other_words_in_another_session(
    repo: Repo, tmp_path: Path, zebrafish: str
) -> None:
    rejected(repo, zebrafish, "--reason", "no")
    other = plan(repo, written(tmp_path / "other.jsonl", AGAIN, session=2))
    assert proposed(other) == {}
    assert len(held(other)) == 1


def test_the_opposite_is_another_thing(repo: Repo, tmp_path: Path) -> None:
    (name,) = proposed(plan(repo, written(tmp_path / "a.jsonl", "Always squash commits before merging"))).values()
    rejected(repo, name, "--reason", "no")
    other = plan(repo, written(tmp_path / "b.jsonl", "Never squash commits before merging", session=2))
    assert len(proposed(other)) == 1


def test_it_outlives_the_record_of_what_was_found(repo: Repo, talk: Path, zebrafish: str) -> None:
    rejected(repo, zebrafish, "--reason", "no")
    (repo.path / ".git/minutebook/candidates.jsonl").unlink()
    assert len(held(plan(repo, talk))) == 1


def test_nothing_that_is_kept_holds_a_word_of_it(repo: Repo, zebrafish: str) -> None:
    rejected(repo, zebrafish, "--reason", "we decided otherwise")
    repo.write(PATTERN.replace("migrations", "quokka"), repo.read(PATTERN).replace("migrations", "quokka"))
    rejected(repo, "pattern-quokka", "--reason", "not a rule")
    kept = repo.git("log", "--patch", STATE).lower()
    for word in ("zebrafish", "postgresql", "sessions", "quokka", "alembic"):
        assert word not in kept
    assert [row.keys() for row in lines(repo)] == [
        {"rejected", "of", "type", "day", "reason", "who", "key", "prints", "n"}
    ] * 2


def test_a_secret_in_the_reason_is_replaced(repo: Repo, zebrafish: str) -> None:
    secret = "ghp_" + "Zk3v9QwLx7Tb2Rm8Yc5Nd1Hf6Jg4Ps0Ua2Ve"
    rejected(repo, zebrafish, "--reason", f"it names {secret}")
    assert secret not in repo.git("log", "--patch", STATE)
    assert "[redacted:" in lines(repo)[0]["reason"]


def test_work_tree_index_head_and_other_branches_are_left_alone(repo: Repo, zebrafish: str) -> None:
    repo.write("half.txt", "not committed\n")
    repo.write("staged.txt", "staged\n")
    repo.git("add", "staged.txt")

    def everything() -> tuple[str, ...]:
        status = repo.git("status", "--porcelain=v2", "--branch", "--untracked-files=all")
        return status, repo.git("ls-files", "--stage"), repo.git("rev-parse", "HEAD", "main")

    before = everything()
    rejected(repo, zebrafish, "--reason", "no")
    assert everything() == before
    assert repo.git("rev-list", "--count", STATE) == "1"
    assert repo.git("ls-tree", "--name-only", STATE) == FILE
    assert repo.git("log", "--format=%an", STATE) == "Ada Example"


def test_lines_are_only_ever_added(repo: Repo, talk: Path) -> None:
    found = proposed(plan(repo, talk))
    for name in found.values():
        rejected(repo, name, "--reason", "no")
    rejected(repo, "--undo", next(iter(found.values())))
    assert repo.git("rev-list", "--count", STATE) == "3"
    old, new = (repo.git("show", f"{rev}:{FILE}") for rev in (f"{STATE}~1", STATE))
    assert new.startswith(old)


def test_an_entry_of_memory_can_be_rejected_and_stays(repo: Repo, tmp_path: Path) -> None:
    rejected(repo, "pattern-migrations", "--reason", "we use Flyway")
    repo.git("rm", "--quiet", PATTERN)
    repo.commit("Without the pattern")
    talk = written(tmp_path / "a.jsonl", "Every schema change must always be a reversible Alembic migration")
    assert len(held(plan(repo, talk))) == 1


def test_a_plan_names_it_where_it_was_made_elsewhere(repo: Repo, talk: Path, tmp_path: Path, zebrafish: str) -> None:
    found = plan(repo, talk)
    (tmp_path / "plan.json").write_text(json.dumps(found), "utf-8")
    (repo.path / ".git/minutebook/candidates.jsonl").unlink()
    done = reject(repo, zebrafish, "--reason", "no")
    assert (done.code, "--from PLAN.json" in done.err) == (2, True)
    rejected(repo, zebrafish, "--reason", "no", "--from", tmp_path / "plan.json")
    assert len(held(plan(repo, talk))) == 1


def test_what_was_rejected_can_be_listed_and_taken_back_and_rejected_once_more(
    repo: Repo, talk: Path, zebrafish: str
) -> None:
    assert rejected(repo, "--list").out == "nothing was rejected\n"
    rejected(repo, zebrafish, "--reason", "no\x1b[31m ::error::x")
    listed = rejected(repo, "--list").out
    assert listed.split("  ")[1:3] == ["2026-11-20", "decision"]
    assert "\x1b" not in listed
    (row,) = json.loads(rejected(repo, "--list", "--format", "json").out)["rejected"]
    rejected(repo, "--undo", row["id"])
    assert len(proposed(plan(repo, talk))) == 2
    rejected(repo, zebrafish, "--reason", "no\x1b[31m ::error::x")
    assert len(proposed(plan(repo, talk))) == 1
    rejected(repo, "--undo", zebrafish)
    assert len(proposed(plan(repo, talk))) == 2


def test_what_is_in_quarantine_can_be_rejected_and_is_not_shown_there_again(repo: Repo, tmp_path: Path) -> None:
    talk = written(tmp_path / "a.jsonl", "Always keep the API key in the file config/keys.yaml")
    (row,) = plan(repo, talk)["refusals"]
    rejected(repo, row["id"], "--reason", "no")
    assert [each["kind"] for each in plan(repo, talk)["refusals"]] == ["rejected"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "which candidate or entry?"),
        (("--undo",), "which candidate or entry?"),
        (("cand-0000000000", "--reason", "x"), "no candidate or entry is called cand-0000000000 here"),
        (("pattern-migrations",), "--reason says why"),
        (("pattern-migrations", "--reason", " \n "), "--reason says why"),
        (("--undo", "rej-0000000000"), "nothing that was rejected is called"),
        (("--push",), "no remote is called 'origin'"),
        (("--push", "--remote=--upload-pack=x"), "no remote is called"),
        (("pattern-migrations", "--reason", "x", "--from", "README.md"), "this is no plan"),
        (("pattern-migrations", "--reason", "x", "--from", "missing.json"), "missing.json"),
    ],
)
def test_what_can_t_be_rejected_is_exit_2_and_leaves_no_branch(
    repo: Repo, arguments: tuple[str, ...], words: str
) -> None:
    done = reject(repo, *arguments)
    assert done.code == 2
    assert words in done.err
    assert repo.run("git", "rev-parse", "--verify", "--quiet", STATE).code == 1


ODD = {"rejected": "rej-0123456789", "of": "0" * 10, "type": "x", "day": "2026-01-01", "reason": "", "who": ""} | {
    "key": "0" * 32
}
HOSTILE = [
    b"not json", b"[1, 2]", b'"x"', b"{}", b"[" * 4000, b'{"rejected": ' * 900, b"{" + b"x" * 5000, b"\xff\xfe\x00",
    b'{"undo": "rej-xyz"}', b'{"undo": ["rej-0000000000"]}',
    b'{"rejected": "rej-0123456789", "of": 1, "type": "x", "day": "x", "reason": "x", "who": "x", "key": "x"}',
    json.dumps(ODD | {"prints": ["m1+zz"]}).encode(), json.dumps(ODD | {"prints": ["m1+" + "0" * 32] * 5}).encode(),
    json.dumps(ODD | {"prints": [], "day": "2026-01-01\n"}).encode(),
]  # fmt: skip


def put_state(repo: Repo, data: bytes, mode: str = "100644") -> None:
    """The branch as somebody with a text editor would leave it."""
    repo.write("state.tmp", data)
    blob = repo.git("hash-object", "-w", "--no-filters", "state.tmp")
    (repo.path / "state.tmp").unlink()
    tree = repo.run("git", "mktree", stdin=f"{mode} blob {blob}\t{FILE}\n").out.strip()
    repo.git("update-ref", f"refs/heads/{STATE}", repo.git("commit-tree", tree, "-m", "by hand"))


def test_lines_that_say_nothing_of_ours_are_counted_and_left_out(repo: Repo, talk: Path, zebrafish: str) -> None:
    rejected(repo, zebrafish, "--reason", "no")
    good = repo.git("show", f"{STATE}:{FILE}").encode()
    put_state(repo, b"\n".join([*HOSTILE, good]))
    found = plan(repo, talk)
    assert len(held(found)) == 1
    told = f"minutebook/state: {len(HOSTILE)} of {len(HOSTILE) + 1} lines can't be read and are left out"
    assert told in found["notes"]
    assert told in reject(repo, "--list").err
    rejected(repo, "pattern-migrations", "--reason", "x")
    assert repo.run("git", "show", f"{STATE}:{FILE}").out.count("\n") == len(HOSTILE) + 2


def test_a_state_that_is_no_file_of_lines_is_said_and_not_added_to(repo: Repo, talk: Path) -> None:
    put_state(repo, b"/etc/passwd", mode="120000")
    found = plan(repo, talk)
    assert f"minutebook/state: {FILE} is no regular file; nothing counts as rejected" in found["notes"]
    done = reject(repo, "pattern-migrations", "--reason", "x")
    assert done.code == 1
    assert "is no regular file" in done.err


def test_a_branch_that_is_checked_out_is_not_moved_beneath_it(repo: Repo) -> None:
    rejected(repo, "pattern-migrations", "--reason", "x")
    repo.git("worktree", "add", "--quiet", repo.path.parent / "looked at", STATE)
    done = reject(repo, "project-context", "--reason", "x")
    assert done.code == 1
    assert "is checked out in" in done.err


def test_without_a_name_git_is_told_to_be_given_one(repo: Repo) -> None:
    env = {name: "" for name in repo.env if name.startswith(("GIT_AUTHOR_", "GIT_COMMITTER_"))}
    bare = Repo(repo.path, {name: value for name, value in repo.env.items() if name not in env})
    bare.git("config", "user.useConfigOnly", "true")
    done = reject(bare, "pattern-migrations", "--reason", "x")
    assert (done.code, "git config user.name" in done.err) == (2, True)


def test_rejections_at_the_same_time_are_all_kept(repo: Repo, tmp_path: Path) -> None:
    jobs = {"ruff": "linting", "mypy": "types", "pytest": "unit cases", "httpx": "outgoing calls", "redis": "queues"}
    texts = [f"Let's use {tool} for {job}" for tool, job in jobs.items()]
    names = list(proposed(plan(repo, written(tmp_path / "many.jsonl", *texts))).values())
    assert len(names) == 5
    command = [sys.executable, "-m", "minutebook", "reject", "--reason", "no", "--today", TODAY]
    runs = [subprocess.Popen([*command, name], cwd=repo.path, env=dict(repo.env)) for name in names]
    assert [run.wait() for run in runs] == [0] * 5
    assert len(lines(repo)) == 5
    assert repo.git("rev-list", "--count", STATE) == "5"


# two clones


def test_pushed_it_counts_in_another_clone_once_that_has_fetched(
    two_clones: tuple[Repo, Repo], talk: Path, zebrafish: str
) -> None:
    ada, bob = two_clones
    rejected(ada, zebrafish, "--reason", "no", "--push")
    assert held(plan(bob, talk)) == []
    bob.git("fetch", "--quiet")
    assert len(held(plan(bob, talk))) == 1
    assert bob.run("git", "rev-parse", "--verify", "--quiet", f"refs/heads/{STATE}").code == 1


def test_two_clones_join_what_they_rejected(two_clones: tuple[Repo, Repo], zebrafish: str) -> None:
    ada, bob = two_clones
    rejected(ada, zebrafish, "--reason", "ada says no", "--push")
    rejected(bob, "pattern-migrations", "--reason", "bob says no")
    done = rejected(bob, "--push")
    assert "pushed minutebook/state to origin" in done.err
    rejected(ada, "project-context", "--reason", "ada again", "--push")
    bob.git("fetch", "--quiet")
    for repo in (ada, bob):
        listed = rejected(repo, "--list").out
        assert [f"{who} says no" in listed for who in ("ada", "bob")] == [True, True]
        assert "ada again" in listed
    assert ada.git("rev-list", "--merges", "--count", STATE) == "2"


def test_a_remote_that_refuses_is_exit_3_and_the_rejection_stays(two_clones: tuple[Repo, Repo]) -> None:
    ada, _ = two_clones
    hook = ada.path.parent / "bare.git" / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho no entry; exit 1\n")
    hook.chmod(0o755)
    done = reject(ada, "pattern-migrations", "--reason", "x", "--push")
    assert done.code == 3
    assert "git push origin" in done.err
    assert "1 rejection\n" in rejected(ada, "--list").out
