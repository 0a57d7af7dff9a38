"""A listing of git that is searched as it is answers as an index of it does."""

from collections.abc import Mapping
from hashlib import sha1

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import Repo
from minutebook.edges.memory_history import absent, code_files, code_rows, follows
from minutebook.refresh.listing import Listing
from minutebook.refresh.raw_listing import RawListing

NAMES = ("a.py", "b.py", "src/a.py", "src/up/a.py", "src-up/a.py", "src/up.py", "src/up/pool.py", "é/a.py", "src/xa.py")


def rows_of(files: Mapping[str, str]) -> bytes:
    return b"".join(b"100644 blob %s\t%s\0" % (files[path].encode(), path.encode()) for path in files)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES), st.sampled_from("xyz"), max_size=9))
def test_a_raw_listing_answers_as_a_listing(chosen: dict[str, str]) -> None:
    files = {path: sha1(chosen[path].encode()).hexdigest() for path in sorted(chosen)}
    raw, plain = RawListing(rows_of(files)), Listing(files)
    assert list(raw) == list(plain)
    for path in NAMES:
        assert raw.blob(path) == plain.blob(path)
        assert raw.called(path.rpartition("/")[2]) == plain.called(path.rpartition("/")[2])
        assert raw.holding(plain.blob(path)) == plain.holding(plain.blob(path))
    for folder in ("src", "src/up", "src-up", "s", "é", "src/up.py"):
        assert raw.under(folder) == plain.under(folder)
    for glob in ("*.py", "src/**", "**/a.py"):
        assert raw.matching(glob) == plain.matching(glob)


@pytest.mark.parametrize("odd", ["", "odd\tname.py", "a\t.memory/x.py"])
def test_what_git_lists_is_read_without_memory_links_and_submodules(memory_repo: Repo, odd: str) -> None:
    for path in ("src/a.py", ".memory.py", ".memory-2/b.py", "z.py", *([odd] if odd else [])):
        memory_repo.write(path, path)
    (memory_repo.path / "link.py").symlink_to("z.py")
    memory_repo.commit("Files")
    files = code_files(memory_repo.path, "HEAD", (".memory",))
    assert {"src/a.py", ".memory.py", ".memory-2/b.py", "z.py"} <= files.keys()
    assert not any(path.startswith(".memory/") or path == "link.py" for path in files)
    listed = RawListing(code_rows(memory_repo.path, "HEAD", (".memory",))).listing
    assert dict(listed.files) == files


def test_a_commit_follows_from_those_on_its_first_line_alone(memory_repo: Repo) -> None:
    first = memory_repo.commit("One")
    memory_repo.git("switch", "--quiet", "--create", "topic")
    side = memory_repo.commit("Side")
    memory_repo.git("switch", "--quiet", "main")
    second = memory_repo.commit("Two")
    memory_repo.git("merge", "--quiet", "--no-ff", "-m", "Both", "topic")
    top, head = memory_repo.path, memory_repo.git("rev-parse", "HEAD")
    assert [follows(top, each, head) for each in (head, second, first, side)] == [True, True, True, False]
    assert not follows(top, head, second)


def test_a_commit_that_lacks_a_file_is_told(memory_repo: Repo) -> None:
    before = memory_repo.git("rev-parse", "HEAD")
    memory_repo.write("a.py", "x\n")
    after = memory_repo.commit("A")
    assert absent(memory_repo.path, [before, after], ["a.py"]) == {before}
    assert absent(memory_repo.path, [after], ["a.py", "b\n.py"]) == {after}
