"""`minutebook check --merged-with REF`: whether two open branches collide, told before either is merged."""

import json
from pathlib import Path

import pytest

from conftest import LOG, MEMORY, PATTERN, SECOND, TODAY, Done, Repo
from test_merge_driver import ADDENDUM, ATTRIBUTES, BASE, MARK, OTHER_MARK, OURS, THEIRS, branches, marked, top

CHUNKS = ".memory/decisions/uploads.md"


def tried(repo: Repo, *more: str, rev: str = "other") -> Done:
    return repo.minutebook("check", "--merged-with", rev, "--today", TODAY, *more)


def everything(repo: Repo) -> dict[str, bytes]:
    """Every file, git's own too."""
    return {str(path): path.read_bytes() for path in sorted(repo.path.rglob("*")) if path.is_file()}


def test_branches_that_change_different_entries_do_not_collide(memory_repo: Repo) -> None:
    branches(memory_repo, {LOG: top(OURS)}, {PATTERN: MEMORY[PATTERN] + "\nMore.\n", CHUNKS: f"# Uploads\n\n{THEIRS}"})
    done = tried(memory_repo)
    assert done.code == 0, done.out
    assert "judged the merge of HEAD and other as a server makes it, without the driver" in done.err


def test_nothing_is_left_behind(memory_repo: Repo) -> None:
    branches(memory_repo, {LOG: top(OURS)}, {LOG: top(THEIRS)})
    before = everything(memory_repo)
    assert tried(memory_repo).code == 1
    assert everything(memory_repo) == before


def test_one_id_for_two_entries_is_told_where_the_text_merges_cleanly(memory_repo: Repo) -> None:
    other = THEIRS.replace("2026-11-05-01", "2026-11-04-01")
    branches(memory_repo, {LOG: top(OURS)}, {CHUNKS: f"# Uploads\n\n{other}"})
    done = tried(memory_repo)
    assert done.code == 1
    assert "DEC-2026-11-04-01 stands in" in done.out


def test_two_logs_that_both_grew_are_told_with_the_ids_of_both_sides(memory_repo: Repo) -> None:
    branches(memory_repo, {LOG: top(OURS)}, {LOG: top(THEIRS)})
    done = tried(memory_repo)
    assert done.code == 1
    message = "git alone can't merge that: DEC-2026-11-04-01 here; DEC-2026-11-05-01 in other"
    assert f"{LOG}:1: merge: both sides changed it, and {message}" in done.out
    assert "git merge other    # after `minutebook init --merge-driver`" in done.out
    assert "DEC-2026-11-04-01 nearest to the open end" in done.out
    rows = json.loads(tried(memory_repo, "--format", "json").out)["problems"]
    assert [(row["rule"], row["path"], row["entry"]) for row in rows if row["severity"] == "error"] == [
        ("merge", LOG, "DEC-2026-11-04-01")
    ]


def test_it_is_as_on_a_server_whether_this_clone_has_a_driver_or_not(memory_repo: Repo) -> None:
    memory_repo.write(".gitattributes", ATTRIBUTES)
    memory_repo.commit("Attributes")
    branches(memory_repo, {LOG: top(OURS)}, {LOG: top(THEIRS)})
    without = tried(memory_repo)
    memory_repo.git("config", "merge.minutebook.driver", "true")
    assert tried(memory_repo) == without
    assert without.code == 1


def test_one_id_for_two_entries_of_one_log(memory_repo: Repo) -> None:
    branches(memory_repo, {LOG: top(OURS)}, {LOG: top(THEIRS.replace("2026-11-05-01", "2026-11-04-01"))})
    done = tried(memory_repo)
    assert done.code == 1
    assert "merge: DEC-2026-11-04-01 stands for two new entries, one here and one in other" in done.out
    assert "give the one that isn't published yet another id" in done.out
    assert "1 error" in done.out


def test_one_entry_in_two_versions_is_one_problem_and_its_markers_are_none(memory_repo: Repo) -> None:
    branches(memory_repo, {LOG: marked(MARK)}, {LOG: marked(OTHER_MARK)})
    done = tried(memory_repo, "--format", "json")
    rows = [row for row in json.loads(done.out)["problems"] if row["severity"] == "error"]
    assert [(row["rule"], row["entry"]) for row in rows] == [("merge", "DEC-2026-11-01-01")]
    assert rows[0]["message"] == (
        "DEC-2026-11-01-01: both sides set its marker, “> SUPERSEDED by DEC-2026-11-04-01” (HEAD) and “> RETRACTED” "
        "(other): keep one marker; let the other entry supersede that one"
    )


def test_what_one_side_broke_is_told_even_where_git_alone_merges(memory_repo: Repo) -> None:
    branches(memory_repo, {PATTERN: MEMORY[PATTERN] + "\nMore.\n"}, {LOG: BASE.replace(f"{SECOND}\n", "")})
    done = tried(memory_repo)
    assert done.code == 1
    assert "append-only: DEC-2026-11-02-01 is sealed and is gone" in done.out


def test_a_file_that_is_gone_on_one_side(memory_repo: Repo) -> None:
    branches(memory_repo, {LOG: BASE + ADDENDUM}, {})
    memory_repo.git("checkout", "--quiet", "other")
    memory_repo.git("rm", "--quiet", LOG)
    memory_repo.commit("Gone")
    memory_repo.git("checkout", "--quiet", "main")
    done = tried(memory_repo)
    assert done.code == 1
    assert "merge: other deleted or moved the file, and HEAD changed it: DEC-2026-11-01-01" in done.out


def test_a_conflict_beside_memory_is_none_of_ours(memory_repo: Repo) -> None:
    branches(memory_repo, {"README.md": "ours\n"}, {"README.md": "theirs\n"})
    assert tried(memory_repo).code == 0


def test_an_index_that_both_sides_regenerated_is_no_collision(memory_repo: Repo) -> None:
    memory_repo.minutebook("index")
    memory_repo.commit("Index")
    cache = ".memory/decisions/sessions.md"
    branches(memory_repo, {cache: f"# Sessions\n\n{OURS}"}, {CHUNKS: f"# Uploads\n\n{THEIRS}"})
    for branch in ("other", "main"):
        memory_repo.git("checkout", "--quiet", branch)
        memory_repo.minutebook("index")
        memory_repo.commit("Index")
    done = tried(memory_repo)
    assert (done.code, done.out) == (0, "")
    assert memory_repo.run("git", "merge", "other").code == 1


def test_a_type_file_that_both_sides_changed(memory_repo: Repo) -> None:
    branches(memory_repo, {".memory/types/a.yaml": "name: a\n"}, {".memory/types/a.yaml": "name: b\n"})
    done = tried(memory_repo)
    assert done.code == 1
    assert ".memory/types/a.yaml:1: merge: it can't be merged: both sides changed the same lines" in done.out


def test_the_published_side_is_the_base(memory_repo: Repo) -> None:
    """What the other branch has published already may not be changed by the merge, whoever has it first."""
    branches(memory_repo, {LOG: top(OURS)}, {PATTERN: MEMORY[PATTERN] + "\nMore.\n"})
    memory_repo.git("update-ref", "refs/remotes/origin/main", "main")
    memory_repo.git("checkout", "--quiet", "other")
    done = tried(memory_repo, rev="origin/main")
    assert done.code == 0
    assert ", where HEAD left origin/main" in done.err


def test_a_draft_that_was_sealed_meanwhile_is_sealed(memory_repo: Repo) -> None:
    """The merge is judged by where it will have left the published branch, not by where this branch left it."""
    draft = BASE.replace("**Date:** 2026-11-03", "**Status:** proposed\n**Date:** 2026-11-03")
    memory_repo.write(LOG, draft)
    memory_repo.commit("A draft")
    branches(memory_repo, {LOG: draft.replace("Jobs are lost", "Many jobs are lost")},
             {LOG: draft.replace("proposed", "accepted")})  # fmt: skip
    memory_repo.git("update-ref", "refs/remotes/origin/main", "other")
    done = tried(memory_repo, rev="origin/main")
    assert done.code == 1
    assert "append-only: DEC-2026-11-03-01 is sealed: its text was changed" in done.out


@pytest.mark.parametrize("rev", ["nowhere", "--output=x", ""])
def test_a_revision_that_is_none_is_exit_2(memory_repo: Repo, rev: str) -> None:
    done = memory_repo.minutebook("check", f"--merged-with={rev}")
    assert done.code == 2
    assert "is no commit of this clone" in done.err


def test_histories_that_share_nothing_are_exit_2(memory_repo: Repo) -> None:
    memory_repo.git("checkout", "--quiet", "--orphan", "lone")
    memory_repo.commit("Lone")
    memory_repo.git("checkout", "--quiet", "main")
    done = tried(memory_repo, rev="lone")
    assert done.code == 2
    assert "unrelated histories" in done.err


def test_a_clone_too_shallow_to_merge_names_the_command_that_mends_it(memory_repo: Repo, tmp_path: Path) -> None:
    branches(memory_repo, {LOG: top(OURS)}, {PATTERN: MEMORY[PATTERN] + "\nMore.\n"})
    memory_repo.git(
        "clone", "--quiet", "--depth=1", "--no-single-branch", memory_repo.path.as_uri(), tmp_path / "clone"
    )
    done = tried(Repo(tmp_path / "clone", memory_repo.env), rev="origin/other")
    assert done.code == 2
    assert "git fetch --unshallow" in done.err


def test_in_the_middle_of_a_merge_it_is_exit_2(memory_repo: Repo) -> None:
    branches(memory_repo, {LOG: top(OURS)}, {LOG: top(THEIRS)})
    assert memory_repo.run("git", "merge", "other").code == 1
    done = tried(memory_repo)
    assert done.code == 2
    assert "a merge is under way here" in done.err


def test_an_old_git_is_named(memory_repo: Repo, tmp_path: Path) -> None:
    real = memory_repo.run("sh", "-c", "command -v git").out.strip()
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text(
        f'#!/bin/sh\ncase " $* " in *" version "*) echo "git version 2.37.1";; *) exec {real} "$@";; esac\n'
    )
    fake.chmod(0o755)
    done = memory_repo.minutebook("check", "--merged-with", "HEAD", PATH=f"{fake.parent}:{memory_repo.env['PATH']}")
    assert done.code == 2
    assert "git version 2.37.1 can't try a merge" in done.err
    assert "install git 2.38 or newer" in done.err


def test_it_excludes_the_other_questions(memory_repo: Repo) -> None:
    done = memory_repo.minutebook("check", "--merged-with", "HEAD", "--all")
    assert done.code == 2
    assert "exclude each other" in done.err


def test_only_names_the_rule_too(memory_repo: Repo) -> None:
    branches(memory_repo, {LOG: top(OURS)}, {LOG: top(THEIRS)})
    assert tried(memory_repo, "--only", "ids").code == 0
    assert tried(memory_repo, "--only", "merge").code == 1
