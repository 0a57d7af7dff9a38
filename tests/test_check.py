"""`minutebook check`: what it compares with what, and what it says when it can't."""

import json
import sys
from pathlib import Path

import pytest

from conftest import CASE, FIRST, LOG, LOG_HEAD, SECOND, THIRD, TODAY, Done, Repo, environment

NEW = """### DEC-2026-11-04-01 — Backups every night
**Context:** A disk broke.
**Decision:** The database is dumped every night.
**Date:** 2026-11-04
"""
OTHER = NEW.replace("11-04-01", "11-05-01").replace("Backups every night", "Restores are rehearsed")
OLD = f"{THIRD}\n{SECOND}\n{FIRST}"
HEAVY = ("sklearn", "numpy", "jinja2", "anthropic", "httpx2")


def log(*entries: str) -> str:
    return LOG_HEAD + "\n".join(entries)


def judged(repo: Repo, *arguments: str, cwd: str = ".", **extra: str) -> Done:
    return repo.minutebook("check", *arguments, "--only", "append-only", "--only", "ids", "--today", TODAY, cwd=cwd,
                           **extra)  # fmt: skip


@pytest.fixture
def cloned(memory_repo: Repo) -> Repo:
    """A clone of a bare copy of memory_repo, where origin/main is published."""
    origin = memory_repo.path.parent / "origin.git"
    memory_repo.git("clone", "--quiet", "--bare", ".", origin)
    clone = memory_repo.path.parent / "clone"
    memory_repo.git("clone", "--quiet", origin, clone)
    return Repo(clone, environment(memory_repo.path.parent))


def test_the_first_commit_has_nothing_to_be_compared_with(repo: Repo) -> None:
    repo.write(LOG, log(OLD))
    repo.git("add", "--all")
    done = judged(repo, "--staged")
    assert done.code == 0
    assert "there is no commit yet" in done.err


def test_an_orphan_branch_is_judged_by_the_history_that_is_there(memory_repo: Repo) -> None:
    memory_repo.git("checkout", "--quiet", "--orphan", "fresh")
    memory_repo.write(LOG, log(NEW))
    memory_repo.git("add", "--all")
    assert judged(memory_repo).code == 1
    memory_repo.git("rm", "-rq", "--cached", ".memory")
    assert judged(memory_repo).code == 0  # web pages, say: nothing of it is memory


def test_unpublished_entries_are_free_and_published_ones_are_not(cloned: Repo) -> None:
    cloned.git("checkout", "--quiet", "-b", "topic")
    cloned.write(LOG, log(NEW, OLD))
    cloned.commit("A decision")
    cloned.write(LOG, log(NEW.replace("every night", "every hour"), OLD))
    cloned.git("add", "--all")
    done = judged(cloned)
    left = cloned.git("rev-parse", "origin/main")[:10]
    assert (done.code, f"compared with {left}, where HEAD left origin/main\n" in done.err) == (0, True)
    cloned.git("commit", "--quiet", "--amend", "--no-edit")
    cloned.git("push", "--quiet", "origin", "HEAD:main")
    cloned.write(LOG, log(NEW.replace("every night", "every week"), OLD))
    cloned.git("add", "--all")
    assert judged(cloned).code == 1
    cloned.git("checkout", "--quiet", "--detach")
    assert judged(cloned).code == 1


def test_an_amend_without_a_remote_is_refused_and_told_how(memory_repo: Repo) -> None:
    memory_repo.write(LOG, log(NEW, OLD))
    memory_repo.commit("A decision")
    memory_repo.write(LOG, log(NEW.replace("every night", "every hour"), OLD))
    memory_repo.git("add", "--all")
    done = judged(memory_repo)
    assert done.code == 1
    assert "git reset --soft HEAD~1" in done.err
    memory_repo.git("reset", "--quiet", "--soft", "HEAD~1")
    assert judged(memory_repo).code == 0


@pytest.mark.parametrize(("named", "code"), [("[decoy]", 1), ("[main, release]", 0)])
def test_the_default_branch_stays_published(cloned: Repo, named: str, code: int) -> None:
    cloned.git("push", "--quiet", "origin", "main:decoy")
    cloned.write(".minutebook.yaml", f"published: {named}\n")
    cloned.git("add", "--all")
    done = cloned.minutebook("check", "--staged", "--only", "scope")
    assert (done.code, "would no longer be a published branch" in done.out) == (code, code == 1)


def test_grafts_move_no_base(cloned: Repo) -> None:
    first = cloned.git("rev-parse", "HEAD")
    cloned.write(LOG, log(NEW, OLD))
    cloned.commit("A decision")
    cloned.git("push", "--quiet", "origin", "HEAD:main")
    cloned.write("README.md", "# Other\n")
    tip = cloned.commit("Elsewhere")
    grafts = cloned.path / ".git" / "info" / "grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(f"{tip} {first}\n", "ascii")
    cloned.write(LOG, log(OLD))
    cloned.git("add", "--all")
    assert judged(cloned).code == 1
    assert judged(cloned, GIT_ICASE_PATHSPECS="1", GIT_GRAFT_FILE=str(grafts)).code == 1


def test_what_either_side_of_a_crosswise_merge_holds_is_published(memory_repo: Repo) -> None:
    """Two branches that were merged into each other left each other at two commits; a decision stands in one."""
    repo = memory_repo
    repo.git("checkout", "--quiet", "-b", "with")
    repo.write(LOG, log(NEW, OLD))
    decided = repo.commit("A decision")
    repo.git("checkout", "--quiet", "-b", "without", "main")
    repo.write("README.md", "# Other\n")
    elsewhere = repo.commit("Elsewhere")
    tips = []
    for name, ours, theirs in (("first", decided, elsewhere), ("second", elsewhere, decided)):
        repo.git("checkout", "--quiet", "-b", name, ours)
        repo.git("merge", "--quiet", "--no-edit", theirs)
        tips.append(repo.git("rev-parse", "HEAD"))
    assert len(repo.git("merge-base", "--all", *tips).split("\n")) == 2
    repo.write(LOG, log(OLD))
    repo.commit("Drop it")
    assert judged(repo, "--since", "first").err.count("where HEAD left first") == 2
    assert judged(repo, "--since", "first").code == 1
    done = judged(repo, "--since", "second", "--head", "first")
    assert (done.code, done.err.count(f"where {tips[0][:10]} left second")) == (0, 2)


def test_what_a_maintainer_changed_on_purpose_can_be_merged(cloned: Repo) -> None:
    cloned.git("checkout", "--quiet", "-b", "topic")
    cloned.write(".memory/decisions/storage.md", NEW)
    cloned.commit("A decision")
    cloned.git("checkout", "--quiet", "main")
    cloned.write(LOG, log(OLD.replace("by hand", "by [removed]")))
    cloned.commit("What must not exist")
    cloned.git("push", "--quiet", "--no-verify", "origin", "main")
    cloned.git("checkout", "--quiet", "topic")
    cloned.git("merge", "--quiet", "--no-commit", "main")
    assert judged(cloned).code == 0
    cloned.write(LOG, log(OLD))  # back to what it was: now that is the rewriting
    cloned.git("add", "--all")
    assert judged(cloned).code == 1


def test_seal_commit_seals_what_is_committed(cloned: Repo) -> None:
    cloned.write(".minutebook.yaml", "seal: commit\n")
    cloned.commit("Config")
    cloned.git("push", "--quiet", "origin", "HEAD:main")
    cloned.write(LOG, log(NEW, OLD))
    cloned.commit("A decision")
    cloned.write(LOG, log(OLD))
    cloned.git("add", "--all")
    done = judged(cloned)
    assert (done.code, "`seal: commit`" in done.err) == (1, True)


def test_a_revert_of_a_published_decision_is_refused(cloned: Repo) -> None:
    cloned.write(LOG, log(NEW, OLD))
    cloned.commit("A decision")
    cloned.git("push", "--quiet", "origin", "HEAD:main")
    cloned.git("revert", "--no-commit", "HEAD")
    assert judged(cloned).code == 1


def test_a_cherry_pick_that_repeats_an_id_is_refused(cloned: Repo) -> None:
    cloned.write(LOG, log(NEW, OLD))
    picked = cloned.commit("A decision")
    cloned.git("reset", "--quiet", "--hard", "origin/main")
    cloned.write(".memory/decisions/storage.md", NEW)
    cloned.commit("The same decision elsewhere")
    cloned.git("cherry-pick", "--no-commit", picked)
    done = judged(cloned, "--staged")
    assert (done.code, "DEC-2026-11-04-01" in done.out) == (1, True)


def test_a_rebase_may_reorder_and_squash_own_entries(cloned: Repo) -> None:
    cloned.write(LOG, log(OTHER, NEW, OLD))
    cloned.commit("Two decisions")
    cloned.write(LOG, log(NEW, OTHER, OLD))
    cloned.git("add", "--all")
    assert judged(cloned).code == 0


def branches(repo: Repo, ours: str, theirs: str) -> Done:
    """Two branches append to the log, and one is being merged into the other."""
    repo.git("checkout", "--quiet", "-b", "theirs")
    repo.write(LOG, log(theirs, OLD))
    repo.commit("Theirs")
    repo.git("checkout", "--quiet", "main")
    repo.write(LOG, log(ours, OLD))
    repo.commit("Ours")
    return repo.run("git", "merge", "--no-commit", "theirs")


@pytest.mark.parametrize("published", [False, True])
@pytest.mark.parametrize(
    ("resolved", "code", "words"),
    [
        (log(OTHER, NEW, OLD), 0, ""),
        (log(NEW, OTHER, OLD), 0, ""),
        (log(NEW, OLD), 1, "DEC-2026-11-05-01 is sealed and is gone"),
        (log(OTHER, NEW.replace("A disk broke.", "It broke."), OLD), 1, "[-A disk-]{+It+} broke."),
        (log(OTHER, NEW.replace("**Date:** 2026-11-04\n", ""), OLD), 1, "DEC-2026-11-04-01"),
        (log(OTHER, NEW, OLD.replace("Every schema", "Some schema")), 1, "[-Every-]{+Some+}"),
        (log(OTHER, NEW, THIRD, FIRST), 1, "DEC-2026-11-02-01 is sealed and is gone"),
        (log(NEW.replace("-04-01", "-06-01").replace("Backups", "Nothing"), OTHER, NEW, OLD), 1, "neither side holds"),
    ],
)
def test_a_merge(memory_repo: Repo, cloned: Repo, published: bool, resolved: str, code: int, words: str) -> None:
    repo = cloned if published else memory_repo
    assert branches(repo, NEW, OTHER).code == 1  # plain git calls it a conflict
    repo.write(LOG, resolved)
    repo.git("add", "--all")
    done = judged(repo)
    assert done.code == code, done
    assert words in done.out


THEIRS = NEW.replace("Backups every night", "Restores are rehearsed").replace("dumped", "restored")
FOLLOWS = """### DEC-2026-11-05-01 — Rehearsals are logged
**Context:** See DEC-2026-11-04-01.
**Decision:** Every rehearsal is logged.
**Date:** 2026-11-05
"""


@pytest.mark.parametrize(
    ("theirs", "follows", "code"),
    [
        (THEIRS.replace("11-04-01", "11-04-02"), FOLLOWS.replace("11-04-01", "11-04-02"), 0),
        (THEIRS.replace("11-04-01", "11-04-02"), FOLLOWS, 0),
        (THEIRS.replace("11-04-01", "11-04-02").replace("restored", "kept"), FOLLOWS, 1),
        (THEIRS.replace("11-04-01", "11-04-02"), FOLLOWS.replace("11-04-01", "11-04-03"), 1),
        ("", FOLLOWS, 1),
    ],
)
def test_of_two_entries_with_one_id_one_gets_another_and_its_side_follows(
    memory_repo: Repo, theirs: str, follows: str, code: int
) -> None:
    assert branches(memory_repo, NEW, f"{FOLLOWS}\n{THEIRS}").code == 1
    memory_repo.write(LOG, log(*filter(None, (follows, theirs, NEW, OLD))))
    memory_repo.git("add", "--all")
    done = judged(memory_repo)
    assert done.code == code, done.out


def test_after_a_merge_its_order_is_no_insertion(cloned: Repo) -> None:
    assert branches(cloned, NEW, OTHER).code == 1
    cloned.git("push", "--quiet", "origin", "theirs:main")
    cloned.write(LOG, log(OTHER, NEW, OLD))
    cloned.commit("Merge")
    assert judged(cloned, "--since", "origin/main").code == 0
    cloned.write(LOG, log(OTHER, NEW.replace("-04-01", "-06-01"), NEW, OLD))
    cloned.commit("Insert")
    assert judged(cloned, "--since", "origin/main").code == 1


def test_a_merge_that_drops_the_other_side_is_refused(memory_repo: Repo) -> None:
    branches(memory_repo, NEW, OTHER)
    memory_repo.git("merge", "--abort")
    memory_repo.git("merge", "--quiet", "--no-commit", "--strategy=ours", "theirs")
    done = judged(memory_repo)
    assert (done.code, "DEC-2026-11-05-01 is sealed and is gone" in done.out) == (1, True)


def test_since_judges_the_range_by_its_commits(cloned: Repo) -> None:
    cloned.write(LOG, log(OLD.replace("SKIP LOCKED", "a lock")))
    cloned.commit("Tamper")
    cloned.write(LOG, log(OLD))  # the work tree is clean again, the commit isn't
    done = judged(cloned, "--since", "origin/main")
    assert (done.code, "[-SKIP LOCKED.-]{+a lock.+}" in done.out) == (1, True)
    assert judged(cloned, "--since", "0" * 40).code == 1
    assert judged(cloned, "--since", "origin/main", "--head", "origin/main").code == 0


def test_exact_wants_an_ancestor(cloned: Repo) -> None:
    cloned.write("README.md", "# Other\n")
    tip = cloned.commit("Elsewhere")
    assert judged(cloned, "--since", "origin/main", "--exact").code == 0
    cloned.git("reset", "--quiet", "--hard", "origin/main")
    done = judged(cloned, "--since", tip, "--exact")
    assert (done.code, "published history is rewritten" in done.out) == (1, True)


def test_what_cannot_be_judged_is_no_pass(cloned: Repo, tmp_path: Path) -> None:
    gone = judged(cloned, "--since", "f" * 40)
    assert (gone.code, "git fetch" in gone.err) == (2, True)
    cloned.write("README.md", "# Other\n")
    cloned.commit("More")
    cloned.git("push", "--quiet", "origin", "HEAD:main")
    cloned.run("git", "clone", "--quiet", "--depth=1", f"file://{tmp_path / 'origin.git'}", tmp_path / "shallow")
    shallow = judged(Repo(tmp_path / "shallow", cloned.env), "--since", cloned.git("rev-parse", "HEAD~1"))
    assert (shallow.code, "fetch-depth" in shallow.err) == (2, True)
    outside = judged(Repo(tmp_path, cloned.env))
    assert outside.code == 2


def mended(repo: Repo, *arguments: str) -> tuple[int, int]:
    """(exit code before, exit code after the command that the answer names was run)."""
    first = judged(repo, *arguments)
    command = first.err.split("try: ", 1)[1].split("\n", 1)[0]
    done = repo.run("sh", "-c", command)
    assert done.code == 0, (command, done)
    return first.code, judged(repo, *arguments).code


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="the commands are a shell's")
@pytest.mark.parametrize(
    ("cut", "asked"),
    [
        (("--depth=1",), "origin/main"),
        (("--depth=1",), "0"),
        (("--depth=1",), "sha"),
        ((), "origin/main"),
        ((), "main"),
        ((), "sha"),
        ((), "0"),
        (("--filter=blob:none",), "origin/topic~1"),
    ],
)
def test_the_command_that_is_named_mends_it(cloned: Repo, tmp_path: Path, cut: tuple[str, ...], asked: str) -> None:
    cloned.git("checkout", "--quiet", "-b", "topic")
    cloned.write(LOG, log(SECOND))
    cloned.commit("Tamper")
    cloned.git("checkout", "--quiet", "main")
    cloned.write("README.md", "# Other\n")
    main = cloned.commit("Elsewhere")
    cloned.git("push", "--quiet", "--no-verify", "origin", "main", "topic")
    origin = tmp_path / "origin.git"
    cloned.git("-C", origin, "config", "uploadpack.allowFilter", "true")
    work = Repo(tmp_path / "checkout", cloned.env)
    work.path.mkdir()
    work.git("init", "--quiet", "--initial-branch=work")
    work.git("remote", "add", "origin", f"file://{origin}")
    # As actions/checkout does it: one ref, and no word on which branch is the default.
    work.git("fetch", "--quiet", "--no-tags", *cut, "origin", "+refs/heads/topic:refs/remotes/origin/topic")
    partial = cut == ("--filter=blob:none",)
    work.git("symbolic-ref" if partial else "checkout", *(("HEAD", "refs/heads/topic") if partial else
             ("--quiet", "--detach", "origin/topic")))  # fmt: skip
    if partial:
        work.git("update-ref", "refs/heads/topic", "origin/topic")
    assert mended(work, "--since", {"0": "0" * 40, "sha": main}.get(asked, asked)) == (2, 1)


def test_a_pull_request_that_is_not_checked_out_is_no_pass(cloned: Repo, tmp_path: Path) -> None:
    base = cloned.git("rev-parse", "HEAD")
    cloned.git("checkout", "--quiet", "-b", "topic")
    cloned.write(LOG, log(SECOND))
    head = cloned.commit("Tamper")
    event = tmp_path / "event.json"
    event.write_text(json.dumps({"pull_request": {"base": {"sha": base}, "head": {"sha": head}}}), "utf-8")
    asked = {"GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": str(event)}
    assert judged(cloned, **asked).code == 1
    cloned.git("checkout", "--quiet", "main")  # what pull_request_target does
    done = judged(cloned, **asked)
    assert (done.code, f"--since {base} --head {head}" in done.err) == (2, True)


def test_a_repository_with_sha256(tmp_path: Path) -> None:
    path = tmp_path / "sha256"
    path.mkdir()
    repo = Repo(path, environment(tmp_path))
    repo.git("init", "--quiet", "--object-format=sha256")
    repo.write(LOG, log(OLD))
    repo.git("add", "--all")
    assert judged(repo).code == 0
    repo.commit("First")
    assert judged(repo, "--all").code == 0
    repo.write(LOG, log(FIRST))
    repo.git("add", "--all")
    assert judged(repo).code == 1


@pytest.mark.parametrize("text", ["a" * 8_000_001, "\n" * 400_001, "\n#" * 25_001])
def test_what_would_take_for_ever_is_exit_2(memory_repo: Repo, text: str) -> None:
    memory_repo.write(LOG, log(OLD) + text)
    memory_repo.git("add", "--all")
    done = judged(memory_repo)
    assert (done.code, "too large to be judged" in done.err) == (2, True)


def test_unrelated_histories_are_exit_2(cloned: Repo) -> None:
    cloned.git("checkout", "--quiet", "--orphan", "fresh")
    cloned.git("commit", "--quiet", "--no-verify", "--message", "Fresh")
    cloned.write(LOG, log(NEW, OLD))
    cloned.git("add", "--all")
    done = judged(cloned)
    assert (done.code, "shares no commit with origin/main" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("where", "code"), [("base", 1), ("change", 1), ("all", 2)],
)  # fmt: skip
def test_a_broken_config(memory_repo: Repo, where: str, code: int) -> None:
    memory_repo.write(".minutebook.yaml", "roots: [.memory]\nroots: [lib]\n")
    if where == "base":
        memory_repo.commit("Broken")
        memory_repo.write(LOG, log(NEW, OLD))
    memory_repo.git("add", "--all")
    done = memory_repo.minutebook("check", "--all" if where == "all" else "--staged")
    assert done.code == code, done
    assert "`roots` stands twice" in done.out + done.err


def test_a_root_that_no_config_names_is_a_problem(memory_repo: Repo) -> None:
    memory_repo.write("lib/.memory/decisions/_log.md", log(NEW))
    memory_repo.git("add", "--all")
    done = memory_repo.minutebook("check")
    assert (done.code, "lib/.memory looks like a memory root" in done.out) == (1, True)
    memory_repo.write(".minutebook.yaml", "roots: [.memory, lib/.memory]\n")
    memory_repo.git("add", "--all")
    assert memory_repo.minutebook("check", "--today", TODAY).code == 0
    memory_repo.commit("Two roots")
    memory_repo.write("lib/.memory/decisions/_log.md", log(NEW.replace("every night", "never")))
    memory_repo.git("add", "--all")
    assert memory_repo.minutebook("check").code == 1


def test_the_index_is_judged_and_never_the_work_tree(memory_repo: Repo) -> None:
    memory_repo.write(LOG, log(FIRST))
    memory_repo.git("add", "--all")
    memory_repo.write(LOG, log(OLD))
    assert judged(memory_repo, "--staged").code == 1
    memory_repo.git("reset", "--quiet")
    memory_repo.write(LOG, log(FIRST))
    assert judged(memory_repo, "--staged").code == 0
    memory_repo.git("rm", "-q", "--cached", LOG)
    memory_repo.git("add", "--intent-to-add", LOG)
    assert judged(memory_repo, "--staged").code == 1


@pytest.mark.parametrize("staged", [log(OLD.replace("Every schema", "Some schema")), log(NEW, OLD)])
def test_the_verdict_is_the_same_wherever_it_runs(memory_repo: Repo, staged: str) -> None:
    code = 1 if "Some" in staged else 0
    memory_repo.write(LOG, staged)
    memory_repo.git("add", "--all")
    assert judged(memory_repo).code == code
    assert judged(memory_repo, cwd=".memory/decisions").code == code
    assert judged(memory_repo, GIT_DIR=str(memory_repo.path / ".git")).code == code
    memory_repo.git("reset", "--quiet", "--hard")
    linked = Repo(memory_repo.path.parent / "linked", memory_repo.env)
    memory_repo.git("worktree", "add", "--quiet", linked.path)
    linked.write(LOG, staged)
    linked.git("add", "--all")
    assert judged(linked).code == code


def test_all_says_that_no_base_was_compared(memory_repo: Repo) -> None:
    done = memory_repo.minutebook("check", "--all", "--today", TODAY)
    assert (done.code, "no base was compared" in done.err) == (0, True)
    memory_repo.write(".memory/decisions/more.md", SECOND)
    memory_repo.git("add", "--all")
    assert memory_repo.minutebook("check", "--all").code == 1


def test_with_nothing_staged_a_branch_is_judged_against_what_it_left(cloned: Repo) -> None:
    assert "no base was compared" in judged(cloned).err
    cloned.git("checkout", "--quiet", "-b", "topic")
    cloned.write(LOG, log(FIRST))
    cloned.commit("Tamper")
    done = judged(cloned)
    assert (done.code, "where HEAD left origin/main" in done.err) == (1, True)
    assert "append-only" in done.out
    cloned.git("push", "--quiet", "--no-verify", "origin", "HEAD:main")
    assert "no base was compared" in judged(cloned).err


@pytest.mark.parametrize("path", [LOG, "docs/what we decided.md"])
def test_what_is_to_be_restored_names_the_command_that_shows_it(cloned: Repo, path: str) -> None:
    if path != LOG:
        cloned.write(".minutebook.yaml", f"places: {{decision: [{path}]}}\n")
        cloned.write(path, cloned.read(LOG))
        (cloned.path / LOG).unlink()
        cloned.commit("A place of its own")
    cloned.git("push", "--quiet", "--no-verify", "origin", "HEAD:main")
    published = cloned.git("rev-parse", "HEAD")
    cloned.write("README.md", "# Other\n")
    cloned.commit("HEAD is not what is compared")
    for text, way in ((log(FIRST), "restore it, and append"), (log(OLD).replace("\n", "\r\n"), "restore their lines"),
                      (log(FIRST, SECOND, THIRD), "restore their order")):  # fmt: skip
        cloned.write(path, text)
        cloned.git("add", "--all")
        done = judged(cloned, "--staged")
        quoted = f"'{path}'" if " " in path else path
        shown = f"\n    git diff {published[:10]} -- {quoted}    # what stood there\n"
        assert (way in done.out, shown in done.out) == (True, True), done.out
        assert "checkout" not in done.out
    cloned.git("commit", "--quiet", "--no-verify", "--message", "Tamper")
    tip = cloned.git("rev-parse", "HEAD")
    assert f"git diff {published[:10]} {tip[:10]} -- " in judged(cloned, "--since", "origin/main").out


def test_of_an_entry_that_was_moved_and_changed_both_places_are_shown(memory_repo: Repo) -> None:
    memory_repo.write(".memory/decisions/database.md", FIRST.replace("PostgreSQL", "MySQL"))
    memory_repo.write(LOG, log(THIRD, SECOND))
    memory_repo.git("add", "--all")
    head = memory_repo.git("rev-parse", "HEAD")
    assert f"    git diff {head[:10]}    # what stood there\n" in judged(memory_repo).out


def test_without_options_it_takes_the_range_it_is_given(memory_repo: Repo, tmp_path: Path) -> None:
    start = memory_repo.git("rev-parse", "HEAD")
    memory_repo.write(LOG, log(FIRST))
    memory_repo.commit("Tamper")
    assert judged(memory_repo).code == 0
    assert judged(memory_repo, PRE_COMMIT_FROM_REF=start, PRE_COMMIT_TO_REF="HEAD").code == 1
    for event in ({"pull_request": {"base": {"sha": start}}}, {"before": start, "ref": "refs/heads/main"},
                  {"merge_group": {"base_sha": start}}):  # fmt: skip
        path = tmp_path / "event.json"
        path.write_text(json.dumps(event), "utf-8")
        assert judged(memory_repo, GITHUB_ACTIONS="true", GITHUB_EVENT_PATH=str(path)).code == 1, event


def test_the_formats(memory_repo: Repo) -> None:
    memory_repo.write(LOG, log(THIRD, SECOND))
    memory_repo.git("add", "--all")
    found = json.loads(judged(memory_repo, "--format", "json").out)
    assert [(each["rule"], each["entry"]) for each in found["problems"]] == [("append-only", "DEC-2026-11-01-01")]
    assert judged(memory_repo, "--format", "github").out.startswith(f"::error file={LOG},line=1,")


@pytest.mark.parametrize(
    "arguments", [("--staged", "--all"), ("--exact",), ("--head", "HEAD"), ("--only", "nonsense"), ("--since", "--all")]
)
def test_wrong_usage_is_exit_2(memory_repo: Repo, arguments: tuple[str, ...]) -> None:
    assert memory_repo.minutebook("check", *arguments).code == 2


def test_a_merge_conflict_cannot_be_judged(memory_repo: Repo) -> None:
    branches(memory_repo, NEW, OTHER)
    done = judged(memory_repo)
    assert (done.code, "has merge conflicts" in done.err) == (2, True)


def loaded(repo: Repo, *arguments: str) -> tuple[int, set[str]]:
    """The exit code of a run in a process of its own, and the modules that it loaded."""
    script = (
        "import sys; sys.argv = ['minutebook', *sys.argv[1:]]\n"
        "from minutebook.__main__ import main\ncode = main()\n"
        "print(code, *sys.modules, file=sys.stderr)"
    )
    done = repo.run(sys.executable, "-c", script, *arguments)
    code, *modules = done.err.strip().split("\n")[-1].split(" ")
    return int(code), set(modules)


def test_check_loads_nothing_heavy(memory_repo: Repo) -> None:
    memory_repo.write(LOG, log(NEW, OLD))
    memory_repo.git("add", "--all")
    for arguments in (("check", "--staged"), ("check", "--all"), ("check", "--since", "HEAD")):
        code, modules = loaded(memory_repo, *arguments, "--today", TODAY)
        assert code == 0
        assert "minutebook.checks.append_only" in modules
        assert not modules & set(HEAVY)


@pytest.mark.skipif(not hasattr(__import__("os"), "posix_spawn"), reason="the quick way needs posix_spawn")
@pytest.mark.parametrize(
    ("path", "quick"),
    [
        ("src/app.py", True),
        ("docs/a b\nc.md", True),
        (LOG, False),
        ("lib/.Memory/x.md", False),
        (".gitattributes", False),
        (".minutebook.yaml", False),
        ("docs/memory/decisions/_log.md", False),
        ("docs/memory", False),
        ("docs", False),
        ("docs2/memory.md", True),
    ],
)
def test_a_commit_without_memory_is_passed_before_anything_is_imported(
    memory_repo: Repo, path: str, quick: bool
) -> None:
    memory_repo.write(".minutebook.yaml", "roots: [.memory, docs/memory]\n")
    memory_repo.commit("Config")
    text = "# nothing\n" if path != ".minutebook.yaml" else "roots: [.memory, docs/memory]   # both\n"
    memory_repo.write(path, text if path != LOG else log(NEW, OLD))
    memory_repo.git("add", "--all")
    _, modules = loaded(memory_repo, "check", "--staged")
    assert ("minutebook.gate" not in modules) == quick
    if quick:
        assert not {name for name in modules if name.startswith("minutebook.")} - {
            "minutebook.__main__", "minutebook.quick",
        }  # fmt: skip


FORMS = {
    "config in another form": "roots:\n  - .memory\n  - docs/memory\n",
    "an escaped key": '"\\x72oot": docs\n',
    "a name of two lines": "root: docs\n  more\n",
    "a line end of another kind": "account: x\rroot: docs\n",
    "letters beyond ASCII": "# \u2028root: docs\n",
    "no YAML": "account: x\nnothing\n",
    "a path, as a symlink holds it": "shared/minutebook.yaml",
    "a flow mapping": "{root: docs}\n",
}


@pytest.mark.parametrize("state", ["unborn", "nothing staged", "merging", "subfolder", *FORMS])
def test_the_quick_way_leaves_what_it_does_not_know_to_the_check(memory_repo: Repo, state: str) -> None:
    where = memory_repo
    if state == "unborn":
        where.git("checkout", "--quiet", "--orphan", "fresh")
        where.git("rm", "-rq", "--cached", ".memory")
    elif state == "merging":
        branches(where, NEW, OTHER)
        where.git("merge", "--abort")
        where.git("merge", "--quiet", "--no-commit", "--strategy=ours", "theirs")
    elif state in FORMS:
        where.write(".minutebook.yaml", FORMS[state])
        where.commit("Config")
    if state != "nothing staged":
        where.write("src/app.py", "print(1)\n")
        where.git("add", "src")
    inside = Repo(where.path / "src", where.env) if state == "subfolder" else where
    _, modules = loaded(inside, "check", "--staged")
    assert "minutebook.gate" in modules


def test_memory_that_was_there_already_is_read_once(memory_repo: Repo) -> None:
    memory_repo.write(CASE.replace("flaky", "other"), memory_repo.read(CASE).replace("-flaky", "-other"))
    memory_repo.git("add", "--all")
    done = memory_repo.minutebook("check", "--staged", "--today", TODAY)
    assert (done.code, "judged 1 entry" in done.err) == (0, True)
