"""Trees that are read object by object are those that `git ls-tree` lists."""

import pytest

from conftest import Repo
from minutebook.edges import git, git_objects
from minutebook.ground.errors import CannotJudge

PATHS = [(".memory",), (".memory/a", ".memory/b.md"), ("deep/er/still",), ("link",), ("sub",), ("sub/x",), ("link/x",),
         (".mem",), (".memory/a b\nc",), ("gone", "deep"), (".memory/b.md/x",), ("é",)]  # fmt: skip


@pytest.fixture
def odd(repo: Repo) -> Repo:
    for path in (
        ".memory/a/1.md",
        ".memory/a/2.md",
        ".memory/b.md",
        ".memory/a b\nc",
        "deep/er/still/x",
        "é",
        ".memo/x",
    ):
        repo.write(path, f"{path}\n")
    (repo.path / "link").symlink_to(".memory")
    (repo.path / ".memory/a/1.md").chmod(0o755)
    repo.git("add", "--all")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub")
    repo.git("commit", "--quiet", "--no-verify", "--message", "Odd")
    return repo


@pytest.mark.parametrize("paths", PATHS)
def test_the_same_files_are_listed(odd: Repo, paths: tuple[str, ...]) -> None:
    asked = [odd.git("rev-parse", "HEAD"), "HEAD", "main", odd.git("rev-parse", "HEAD^{tree}")]
    for rev in asked:
        expected = set(git_objects.list_tree(odd.path, rev, *paths))
        with git.Batch(odd.path):
            assert set(git_objects.list_tree(odd.path, rev, *paths)) == expected


def test_modes_of_old_are_those_of_today(odd: Repo) -> None:
    blob = bytes.fromhex(odd.git("rev-parse", "HEAD:é"))
    odd.write("tree", b"100664 a\0" + blob + b"100775 b\0" + blob)
    tree = odd.git("hash-object", "-w", "--literally", "-t", "tree", "tree")
    expected = set(git_objects.list_tree(odd.path, tree, "a", "b"))
    with git.Batch(odd.path):
        assert set(git_objects.list_tree(odd.path, tree, "a", "b")) == expected
    assert {mode for _, mode, _ in expected} == {"100644", "100755"}


def test_what_is_not_there_cannot_be_listed(odd: Repo) -> None:
    with git.Batch(odd.path), pytest.raises(CannotJudge):
        list(git_objects.list_tree(odd.path, "nothing", ".memory"))
    tree = odd.git("rev-parse", "HEAD:.memory/a")
    (odd.path / ".git/objects" / tree[:2] / tree[2:]).unlink()
    with git.Batch(odd.path), pytest.raises(CannotJudge, match=tree[:12]):
        list(git_objects.list_tree(odd.path, "HEAD", ".memory"))


def test_more_objects_are_asked_for_than_a_pipe_holds(repo: Repo) -> None:
    for number in range(700):
        repo.write(f"many/{number:04}.md", f"{number}\n" * 50)
    repo.commit()
    listed = list(git_objects.list_tree(repo.path, "HEAD"))
    with git.Batch(repo.path):
        files = git_objects.read_files(repo.path, listed)
        assert git.commit_id(repo.path, "HEAD") == git.commit_id(repo.path, "main")
        assert git.commit_id(repo.path, "nothing") is None
    assert [files[path].data for path, _, _ in listed] == [f"{number}\n".encode() * 50 for number in range(700)]
