"""`minutebook propose` through the door: real git over HTTP, GitHub stood in for by one that checks every request."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import CASE, PATTERN, TODAY, Done, Repo
from minutebook.edges import git as our_git
from minutebook.edges import git_objects
from minutebook.edges.bot_branch import BRANCH, EMAIL, build_commit
from minutebook.edges.work_tree import work_files
from minutebook.ground.change import Change, File
from minutebook.ground.config import Config
from minutebook.ground.errors import Refused
from minutebook.ground.memory import read_memory
from minutebook.pages.index_page import index_page
from stand_ins.github_rest import Reply
from stand_ins.hosting import TOKEN, Hosting, hosted
from test_compact import with_notes
from test_compact_model import longer

CODE = "src/app/db.py"
STALE = "stale:\n"
SECRET = "ghp_" + "9aZk3LqPw7Xc2VbN8mTr5YuI1oSdFgHjKlQz"
SESSION = Path(__file__).parent / "transcripts" / "claude-code" / "session-share.jsonl"


def put_index(repo: Repo) -> None:
    memory = read_memory(work_files(repo.path, ".memory"), ".memory", Config())
    repo.write(".memory/index.md", index_page(memory))


def with_something_stale(repo: Repo) -> Repo:
    """The pattern names a file; a later commit removes it. The index is in step."""
    repo.write(CODE, "def connect() -> None: ...\n")
    repo.write(PATTERN, repo.read(PATTERN).replace("created:", f"anchors: [{CODE}]\ncreated:"))
    put_index(repo)
    repo.commit("Anchor the pattern")
    (repo.path / CODE).unlink()
    repo.commit("Drop the module")
    return repo


@pytest.fixture
def stale_repo(memory_repo: Repo) -> Repo:
    return with_something_stale(memory_repo)


@pytest.fixture
def hosting(stale_repo: Repo, tmp_path: Path) -> Iterator[Hosting]:
    with hosted(stale_repo, tmp_path / "remotes") as host:
        yield host


def propose(repo: Repo, *arguments: str, **env: str) -> Done:
    return repo.minutebook("propose", "--today", TODAY, *arguments, **env)


def everything(repo: Repo) -> tuple[object, ...]:
    """All that propose may not touch: files, index, HEAD, branches, stashes, config."""
    files = {
        path.relative_to(repo.path).as_posix(): path.read_bytes()
        for path in sorted(repo.path.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(repo.path).parts
    }
    refs = repo.git("for-each-ref", "refs/heads", "refs/tags", "refs/stash")
    state = (repo.git("status", "--porcelain=v2", "--branch"), refs, repo.git("ls-files", "--stage"))
    return files, state, (repo.path / ".git/HEAD").read_bytes(), (repo.path / ".git/config").read_bytes()


def test_dry_run_writes_the_page_and_touches_nothing_else(stale_repo: Repo, tmp_path: Path) -> None:
    before = everything(stale_repo)
    done = propose(stale_repo, "--dry-run", "--page", str(tmp_path / "page.md"))
    assert (done.code, done.err) == (0, "")
    assert done.out == "Memory: 1 stale; nothing was pushed\n"
    text = (tmp_path / "page.md").read_bytes().decode()
    assert f"{CODE} is gone" in text
    assert "+stale:" in text
    assert everything(stale_repo) == before


def test_figures_say_what_the_plan_comes_to(stale_repo: Repo) -> None:
    document = json.loads(propose(stale_repo, "--dry-run", "--format", "json").out)
    (entry,) = document["changes"][0]["entries"]
    assert (entry["verb"], entry["type"]) == ("edit", "pattern")
    assert document["figures"] == {
        "entries stale": 1,
        "tokens before": entry["tokens_before"],
        "tokens after": entry["tokens_after"],
        "entries by type": {"pattern": 1},
    }
    assert 0 < entry["tokens_before"] < entry["tokens_after"]


def test_dry_run_without_a_file_prints_the_page(stale_repo: Repo) -> None:
    done = propose(stale_repo, "--dry-run")
    assert done.code == 0
    assert done.out.startswith("**0 entries proposed**")


def test_it_opens_one_pull_request_from_the_bot_branch(stale_repo: Repo, hosting: Hosting) -> None:
    stale_repo.write("notes.txt", "not committed\n")
    stale_repo.write(PATTERN, stale_repo.read(PATTERN) + "\nAlso not committed.\n")
    stale_repo.git("add", PATTERN)
    before = everything(stale_repo)
    done = propose(stale_repo, **hosting.env)
    assert (done.code, done.err) == (0, "")
    assert done.out == "opened pull request 1: https://github.com/acme/mem/pull/1\n"
    assert everything(stale_repo) == before
    pull = hosting.github.pulls[0]
    assert (pull["title"], pull["draft"], pull["head"]["ref"], pull["base"]["ref"]) == (
        "Memory: 1 stale", True, BRANCH, "main",
    )  # fmt: skip
    assert hosting.github.labels == {1: ["minutebook"]}
    assert hosting.git("diff", "--name-only", "main", BRANCH) == PATTERN
    proposed = hosting.git("show", f"{BRANCH}:{PATTERN}")
    assert STALE in proposed
    assert "Also not committed" not in proposed
    assert hosting.git("log", "--format=%an %ae %cn %ce %s%n%b", f"main..{BRANCH}") == (
        f"minutebook {EMAIL} minutebook {EMAIL} Memory: 1 stale"
    )


def test_the_memory_that_it_plans_for_is_kept_first(stale_repo: Repo, hosting: Hosting) -> None:
    base = stale_repo.git("rev-parse", "HEAD:.memory")
    stale_repo.write(PATTERN, stale_repo.read(PATTERN) + "\nNot committed.\n")
    assert propose(stale_repo, "--dry-run").code == 0
    assert stale_repo.minutebook("snapshots").out == "no snapshots\n"
    assert propose(stale_repo, **hosting.env).code == 0
    name = stale_repo.minutebook("snapshots").out.split()[0]
    assert name.endswith("-before-propose")
    assert stale_repo.git("rev-parse", f"refs/minutebook/snapshots/{name}:.memory") == base


def test_what_it_proposes_passes_the_gate(stale_repo: Repo, hosting: Hosting) -> None:
    propose(stale_repo, **hosting.env)
    stale_repo.git("fetch", "--quiet", "origin")
    stale_repo.git("checkout", "--quiet", f"origin/{BRANCH}")
    done = stale_repo.minutebook("check", "--since", "origin/main", "--today", TODAY)
    assert done.code == 0, done.out + done.err


def test_again_it_pushes_nothing_and_opens_no_second_one(stale_repo: Repo, hosting: Hosting) -> None:
    propose(stale_repo, **hosting.env)
    first = hosting.git("rev-parse", BRANCH)
    done = propose(stale_repo, GIT_COMMITTER_DATE="2026-11-21T12:00:00Z", **hosting.env)
    assert done.out == "updated pull request 1: https://github.com/acme/mem/pull/1\n"
    assert hosting.git("rev-parse", BRANCH) == first
    assert len(hosting.github.pulls) == 1


def test_when_the_base_moves_the_branch_is_rebuilt_on_it(stale_repo: Repo, hosting: Hosting) -> None:
    propose(stale_repo, **hosting.env)
    stale_repo.write("README.md", "# Uploads, moved on\n")
    stale_repo.commit("Move on")
    stale_repo.git("push", "--quiet", hosting.remote, "main")
    stale_repo.git("fetch", "--quiet", "origin")
    assert propose(stale_repo, **hosting.env).code == 0
    assert hosting.git("rev-parse", f"{BRANCH}^") == hosting.git("rev-parse", "main")
    assert hosting.git("show", f"{BRANCH}:README.md") == "# Uploads, moved on"


def test_a_persons_commit_on_the_bot_branch_is_never_overwritten(stale_repo: Repo, hosting: Hosting) -> None:
    propose(stale_repo, **hosting.env)
    stale_repo.git("fetch", "--quiet", "origin")
    stale_repo.git("checkout", "--quiet", "-b", "review", f"origin/{BRANCH}")
    stale_repo.write(PATTERN, stale_repo.read(PATTERN).replace("is gone", "went away"))
    theirs = stale_repo.commit("Say it better")
    stale_repo.git("push", "--quiet", hosting.remote, f"review:{BRANCH}")
    stale_repo.git("checkout", "--quiet", "main")
    requests = len(hosting.github.requests)
    done = propose(stale_repo, **hosting.env)
    assert done.code == 1
    assert f"commit {theirs[:12]} that minutebook didn't make; it is left alone" in done.err
    assert hosting.git("rev-parse", BRANCH) == theirs
    assert len(hosting.github.requests) == requests


def test_a_branch_that_moved_meanwhile_is_not_overwritten(stale_repo: Repo, hosting: Hosting) -> None:
    propose(stale_repo, **hosting.env)
    # The server moves the branch between what we saw and what we push: its own hook, run before the update.
    stale_repo.write("README.md", "# x\n")
    stale_repo.commit("x")
    stale_repo.git("push", "--quiet", hosting.remote, "main")
    stale_repo.git("fetch", "--quiet", "origin")
    hook = hosting.remote / "hooks" / "pre-receive"
    hook.write_text(f"#!/bin/sh\nunset GIT_QUARANTINE_PATH\ngit update-ref refs/heads/{BRANCH} main\n")
    hook.chmod(0o755)
    done = propose(stale_repo, **hosting.env)
    assert done.code == 3
    assert hosting.git("rev-parse", BRANCH) == hosting.git("rev-parse", "main")


def test_a_push_without_the_right_token_fails_and_shows_no_token(stale_repo: Repo, hosting: Hosting) -> None:
    wrong = "another-token-" + "3" * 20
    done = propose(stale_repo, **(hosting.env | {"GITHUB_TOKEN": wrong}))
    assert done.code == 3
    assert "contents: write" in done.err
    assert wrong not in done.out + done.err
    assert not hosting.has_branch(BRANCH)
    assert hosting.github.pulls == []


def test_an_address_with_a_password_is_not_shown(stale_repo: Repo, hosting: Hosting) -> None:
    address = stale_repo.git("remote", "get-url", "origin").replace("//", "//me:hunter2hunter2@")
    stale_repo.git("remote", "set-url", "origin", address)
    done = propose(stale_repo, **(hosting.env | {"GITHUB_SERVER_URL": "https://github.com"}))
    assert done.code == 3
    assert "hunter2" not in done.out + done.err


@pytest.mark.parametrize("status", [401, 422])
def test_when_github_refuses_the_exit_code_is_3(stale_repo: Repo, hosting: Hosting, status: int) -> None:
    hosting.github.faults = [Reply(status, {"message": "no"})]
    done = propose(stale_repo, **hosting.env)
    assert done.code == 3
    assert f"GitHub answered {status}" in done.err
    assert TOKEN not in done.out + done.err


def test_without_a_token_nothing_is_pushed(stale_repo: Repo, hosting: Hosting) -> None:
    done = propose(stale_repo, **(hosting.env | {"GITHUB_TOKEN": ""}))
    assert done.code == 2
    assert "GITHUB_TOKEN" in done.err
    assert not hosting.has_branch(BRANCH)


def test_nothing_to_propose_is_said_and_opens_nothing(memory_repo: Repo, tmp_path: Path) -> None:
    put_index(memory_repo)
    memory_repo.commit("Index")
    with hosted(memory_repo, tmp_path / "remotes") as host:
        done = propose(memory_repo, **host.env)
        assert (done.code, done.out) == (0, "nothing to propose\n")
        assert host.github.requests == []
        assert not host.has_branch(BRANCH)


def test_an_index_out_of_step_is_mended(memory_repo: Repo, tmp_path: Path) -> None:
    with hosted(memory_repo, tmp_path / "remotes") as host:
        assert propose(memory_repo, **host.env).code == 0
        assert host.git("diff", "--name-only", "main", BRANCH) == ".memory/index.md"


def test_an_index_made_by_hand_is_left_alone(memory_repo: Repo) -> None:
    memory_repo.write(".memory/index.md", "# Ours\n")
    memory_repo.commit("By hand")
    done = propose(memory_repo, "--dry-run")
    assert (done.code, done.out, done.err) == (0, "nothing to propose\n", "")
    assert propose(memory_repo, "--dry-run", "--page", "page.md").out == "nothing to propose\n"
    assert memory_repo.read("page.md").startswith("**Nothing to propose** · **0 problems**")


def test_what_was_refused_is_told_when_nothing_is_proposed(stale_repo: Repo) -> None:
    stale_repo.write(CASE, stale_repo.read(CASE).replace("date:", f"anchors: [{CODE}]\ndate:"))
    stale_repo.write(CODE, "def connect() -> None: ...\n")
    stale_repo.write(PATTERN, stale_repo.read(PATTERN).replace(f"anchors: [{CODE}]\n", ""))
    put_index(stale_repo)
    stale_repo.commit("Only a case names the module")
    (stale_repo.path / CODE).unlink()
    stale_repo.commit("Drop the module")
    done = propose(stale_repo, "--dry-run")
    assert done.code == 0, done.err
    why = "a case tells what happened and is never edited"
    assert re.match(rf"nothing to propose\n  1 stale: {why}; .*\n  all of it: ", done.out)


def test_a_plan_that_the_gate_refuses_is_not_pushed(memory_repo: Repo, tmp_path: Path) -> None:
    # A secret that is in a title already: the index in step would spread it.
    memory_repo.write(PATTERN, memory_repo.read(PATTERN).replace("Database migrations", f"Migrations with {SECRET}"))
    memory_repo.commit("Nobody looked")
    with hosted(memory_repo, tmp_path / "remotes") as host:
        done = propose(memory_repo, **host.env)
        assert done.code == 1
        assert "nothing was proposed" in done.err
        assert host.github.requests == []
        assert not host.has_branch(BRANCH)
    assert SECRET not in done.out + done.err


def test_one_entry_s_old_debt_does_not_hold_up_the_rest(stale_repo: Repo) -> None:
    other = ".memory/patterns/broken.md"
    lines = stale_repo.read(PATTERN).replace("pattern-migrations", "pattern-broken").split("\n")
    stale_repo.write(other, "\n".join(line for line in lines if not line.startswith("abstract:")))
    stale_repo.write(CODE, "def connect() -> None: ...\n")
    stale_repo.commit("Lose an abstract")
    (stale_repo.path / CODE).unlink()
    put_index(stale_repo)
    stale_repo.commit("Drop the module")
    done = propose(stale_repo, "--dry-run", "--format", "json")
    document = json.loads(done.out)
    assert done.code == 0, done.err
    assert [change["path"] for change in document["changes"]] == [PATTERN]
    assert [refusal["what"] for refusal in document["refusals"]] == [f"refresh of {other}"]


def test_the_plan_is_made_on_the_base_and_not_on_the_work_tree(stale_repo: Repo) -> None:
    stale_repo.git("checkout", "--quiet", "-b", "feature")
    stale_repo.write(".memory/decisions/_log.md", "# emptied\n")
    stale_repo.commit("A feature that spoils the log")
    done = propose(stale_repo, "--dry-run", "--base", "main", "--format", "json")
    document = json.loads(done.out)
    assert [change["path"] for change in document["changes"]] == [PATTERN]
    assert document["notes"] == []


def test_what_looks_stale_is_told_from_the_base_and_not_from_head(memory_repo: Repo) -> None:
    memory_repo.write(CODE, "def connect() -> None: ...\n")
    memory_repo.write(PATTERN, memory_repo.read(PATTERN).replace("created:", f"anchors: [{CODE}]\ncreated:"))
    put_index(memory_repo)
    memory_repo.commit("Anchor the pattern")
    memory_repo.git("checkout", "--quiet", "-b", "feature")
    (memory_repo.path / CODE).unlink()
    memory_repo.commit("Drop the module here")
    assert propose(memory_repo, "--dry-run", "--base", "main").out == "nothing to propose\n"
    assert f"{CODE} is gone" in propose(memory_repo, "--dry-run", "--base", "feature").out


@pytest.mark.parametrize("base", ["--upload-pack=x", "no such", "a..b", "-x", "nowhere", "$(touch x)"])
def test_a_base_that_is_none_is_exit_2(stale_repo: Repo, base: str) -> None:
    done = propose(stale_repo, "--dry-run", f"--base={base}")
    assert done.code == 2
    assert not (stale_repo.path / "x").exists()


@pytest.mark.parametrize("remote", ["--upload-pack=x", "-x", "elsewhere", ""])
def test_a_remote_that_is_none_is_exit_2(stale_repo: Repo, remote: str) -> None:
    assert propose(stale_repo, f"--remote={remote}", GITHUB_TOKEN=TOKEN).code == 2


@pytest.mark.parametrize("module", ["jinja2", "sklearn"])
def test_without_the_extra_it_says_what_to_install(stale_repo: Repo, tmp_path: Path, module: str) -> None:
    for path, text in with_notes(stale_repo, {"uploader": "2026-10-10", "queue": "2026-10-11"}).items():
        stale_repo.write(path, longer(text, path))
    stale_repo.commit("Notes with details: sklearn tells which of them are salient")
    blocker = tmp_path / "blocked"
    blocker.mkdir()
    (blocker / "sitecustomize.py").write_text(f"import sys\nsys.modules[{module!r}] = None\n")
    done = propose(stale_repo, "--dry-run", PYTHONPATH=str(blocker))
    assert done.code == 2
    assert "pip install 'minutebook[maintain]'" in done.err


def test_importing_the_verb_loads_nothing_heavy(tmp_path: Path) -> None:
    program = (
        "import sys, minutebook.commands.propose\n"
        "print(sorted({'sklearn', 'numpy', 'jinja2', 'anthropic', 'httpx2'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "[]\n"


def test_a_commit_is_built_on_any_base_with_odd_names_and_no_filter(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    for name in [name for name in repo.env if name.startswith("GIT_")]:
        monkeypatch.setenv(name, repo.env[name])
    repo.write(".gitattributes", "* text=auto eol=lf\n")
    base = repo.commit("Base")
    ours = our_git.repository(repo.path)
    changes = (
        Change("a b/é\t\u2028.md", None, File(b"x\r\ny\r\n")),
        Change("-x", None, File(b"")),
        Change(".gitattributes", File(b"* text=auto eol=lf\n"), None),
    )
    made = build_commit(ours, base, changes, "Memory\n")
    files = git_objects.read_files(repo.path, git_objects.list_tree(repo.path, made))
    assert files == {"a b/é\t\u2028.md": File(b"x\r\ny\r\n"), "-x": File(b"")}
    assert our_git.parents(repo.path, made) == (base,)
    with pytest.raises(Refused, match="differs"):
        build_commit(ours, base, (Change("-x", File(b"other"), None),), "Memory\n")


def test_what_a_transcript_teaches_is_proposed_with_the_words_that_back_it(
    stale_repo: Repo, hosting: Hosting, tmp_path: Path
) -> None:
    page_file = tmp_path / "page.md"
    done = propose(stale_repo, "--transcripts", str(SESSION), "--page", str(page_file), **hosting.env)
    assert done.code == 0, done.err
    text = page_file.read_text("utf-8")
    assert hosting.github.pulls[0]["body"] == text
    quotes = [line for line in text.split("\n") if line.startswith("> ")]
    assert "### New decision: " in text
    assert "session `" in text
    assert len(quotes) >= 1
    assert ".memory/decisions/_log.md" in hosting.git("diff", "--name-only", "main", BRANCH)
    stale_repo.git("fetch", "--quiet", "origin")
    stale_repo.git("checkout", "--quiet", f"origin/{BRANCH}")
    judged = stale_repo.minutebook("check", "--since", "origin/main", "--today", TODAY)
    assert judged.code == 0, judged.out + judged.err


def test_once_merged_the_same_transcript_proposes_nothing(memory_repo: Repo, tmp_path: Path) -> None:
    with hosted(memory_repo, tmp_path / "remotes") as host:
        assert propose(memory_repo, "--transcripts", str(SESSION), **host.env).code == 0
        memory_repo.git("fetch", "--quiet", "origin")
        memory_repo.git("merge", "--quiet", "--ff-only", f"origin/{BRANCH}")
        memory_repo.git("push", "--quiet", host.remote, "main")
        memory_repo.git("fetch", "--quiet", "origin")
        again = propose(memory_repo, "--transcripts", str(SESSION), **host.env)
    assert (again.code, again.out.split("\n")[0]) == (0, "nothing to propose")


def prompt(words: str) -> str:
    record = {
        "type": "user", "uuid": "u1", "parentUuid": None, "sessionId": "5e55", "isSidechain": False, "cwd": "/srv/app",
        "version": "2.1.0", "timestamp": "2026-11-19T10:00:00.000Z", "message": {"role": "user", "content": words},
    }  # fmt: skip
    return json.dumps(record) + "\n"


def test_private_spaces_are_counted_and_never_named(memory_repo: Repo, tmp_path: Path) -> None:
    words = "I prefer tabs over spaces in every file you write for me, zebrafish style."
    (tmp_path / "one.jsonl").write_text(prompt(words))
    extracted = memory_repo.minutebook("extract", str(tmp_path / "one.jsonl"), "--dry-run", "--today", TODAY)
    assert ".memory/users/user/preferences/" in extracted.out
    done = propose(memory_repo, "--dry-run", "--transcripts", str(tmp_path), "--format", "json")
    document = json.loads(done.out)
    assert done.code == 0, done.err
    assert not any("/users/" in change["path"] for change in document["changes"])
    assert "1 left out: private owner spaces stay out of git" in done.out
    assert any("/sessions/" in change["path"] for change in document["changes"])
    assert document["figures"]["entries written"] == 0
    assert document["figures"]["entries by type"] == {"session": 1}
    for told in ("prefer", "zebrafish", "tabs"):
        assert told not in done.out


def test_what_is_refused_of_a_private_space_is_not_named_either(memory_repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text(prompt("I prefer to keep the zebrafish password in my diary."))
    extracted = memory_repo.minutebook("extract", str(tmp_path / "one.jsonl"), "--dry-run", "--today", TODAY)
    assert "it talks about credentials" in extracted.out
    done = propose(memory_repo, "--dry-run", "--transcripts", str(tmp_path), "--format", "json")
    assert done.code == 0, done.err
    assert "1 left out: private owner spaces stay out of git" in done.out
    assert "zebrafish" not in done.out


def test_secrets_in_a_transcript_reach_neither_page_nor_branch(memory_repo: Repo, tmp_path: Path) -> None:
    words = f"From now on always deploy with the token {SECRET} because the old one expired."
    (tmp_path / "one.jsonl").write_text(prompt(words))
    with hosted(memory_repo, tmp_path / "remotes") as host:
        done = propose(memory_repo, "--transcripts", str(tmp_path / "one.jsonl"), "--format", "json", **host.env)
        assert done.code == 0, done.err
        pushed = host.git("log", "-p", f"main..{BRANCH}")
    assert pushed
    assert SECRET not in done.out + done.err + pushed
