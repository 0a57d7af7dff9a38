"""Names and places that mean harm: traversal, git's own folders, Windows, symlinks, two names that are one."""

from collections.abc import Callable

import pytest
from limits import committed, found, limited

from conftest import LOG, LOG_HEAD, MEMORY, PATTERN, TODAY, Repo

ENTRY = "---\nid: {id}\ntitle: A title that says it\nabstract: One sentence that says more.\n---\n"
EVIL = [
    "../outside.md", "a/../../outside.md", "..", "./here.md", ".git/config", ".GIT/config", ".git./config",
    ".git /config", ".git::$INDEX_ALLOCATION/config", "git~1/config", "GIT~1/config", ".g\u200cit/config",
    ".gi\u2060t/config", "\ufeff.git/config", ".git\\config", "C:/x.md", "C:x.md", "\\\\server\\share\\x.md",
    "con.md", "AUX.md", "aux", "lpt1.md", "COM¹.md", "con .md", "nul.tar.md", "CONIN$", "prn/x.md", "a:b.md", "a\\b.md",
    "x.md.", "x.md ", " x.md", "-rf.md", "--upload-pack=sh.md", "sub/-x/a.md", "a\nb.md", "a\tb.md", "a\x1b[2Jb.md",
    "a\x00b.md"[:1] + "\x01b.md", "a\x7fb.md", "a\u202eb.md", "a\u200bb.md", "a\U000e0041b.md", "a\u2028b.md",
    "e\u0301.md", "a*b.md", "a?b.md", 'a"b.md', "a<b.md", "a|b.md", "$(id).md", "`id`.md", "a;b.md", "{{x}}.md",
    "\udcff.md", "x" * 201 + ".md",
]  # fmt: skip
ONE_NAME = [
    (".memory/decisions/LOG.md", ".memory/decisions/log.md"),
    (".memory/decisions/_LOG.md", LOG),
    (".memory/Patterns/x.md", ".memory/patterns"),
    (".memory/patterns/strasse.md", ".memory/patterns/straße.md"),
    (".memory/patterns/e\u0301.md", ".memory/patterns/é.md"),
    (".memory/patterns/\u212b.md", ".memory/patterns/å.md"),
]


@pytest.fixture
def evil(memory_repo: Repo) -> Callable[[dict[str, str | bytes]], str]:
    """A commit on main that adds these files to its memory, whatever their names."""

    def commit(files: dict[str, str | bytes]) -> str:
        return committed(memory_repo, {**MEMORY, "README.md": "# Uploads\n", **files}, "main")

    return commit


def test_every_evil_name_is_refused_and_left_alone_once_it_is_there(
    memory_repo: Repo, evil: Callable[[dict[str, str | bytes]], str]
) -> None:
    paths = {f".memory/patterns/{name}": "x\n" for name in EVIL}
    head = evil(dict(paths))
    places = found(memory_repo, "--since", "main", "--head", head)
    assert {path for path in paths if ("names", 0) not in places.get(path, [])} == set()
    memory_repo.git("update-ref", "refs/heads/main", head)
    later = committed(memory_repo, {**MEMORY, **paths, PATTERN: MEMORY[PATTERN] + "More.\n"}, head)
    assert found(memory_repo, "--since", "main", "--head", later, "--only", "names") == {}


@pytest.mark.parametrize(("new", "old"), ONE_NAME, ids=ascii)
def test_two_paths_that_are_one_name_somewhere_are_refused(
    memory_repo: Repo, evil: Callable[[dict[str, str | bytes]], str], new: str, old: str
) -> None:
    there: dict[str, str | bytes] = {} if old in MEMORY or old == ".memory/patterns" else {old: "x\n"}
    head = evil({**there, new: "x\n"})
    done = limited(memory_repo, "check", "--since", "main", "--head", head, "--only", "names")
    assert done.code == 1
    assert "are one name on some machines" in done.out


@pytest.mark.parametrize(
    ("files", "path"),
    [
        ({".memory/patterns/x": "link:/etc"}, ".memory/patterns/x"),
        ({".memory/patterns/x.md": "link:../../.git/config"}, ".memory/patterns/x.md"),
        ({".memory/types/x.yaml": "link:/dev/zero"}, ".memory/types/x.yaml"),
        ({".memory": "link:elsewhere"}, ".memory"),
        ({".gaai/project/contexts": "link:/"}, ".gaai/project/contexts"),
    ],
)
def test_links_are_no_memory(memory_repo: Repo, files: dict[str, str | bytes], path: str) -> None:
    rest = {} if path == ".memory" else MEMORY
    head = committed(memory_repo, {**rest, **files}, "main")
    assert ("modes", 0) in found(memory_repo, "--since", "main", "--head", head)[path]


@pytest.mark.parametrize(
    "root",
    ["../x", "/etc", "a/../../x", "a//b", "a\\b", "//server/share", "\\\\server\\share", ".git", ".git/x",
     "./x", "a/..", ":x", "C:/x", ".GIT", "a/.git", ".git./x", ".GitHub", ".github/workflows", "a/.github/x", "-x"],
)  # fmt: skip
def test_no_root_of_memory_lies_outside_or_in_git(memory_repo: Repo, root: str) -> None:
    memory_repo.write(".minutebook.yaml", f"root: '{root}'\n")
    memory_repo.git("add", ".minutebook.yaml")
    done = limited(memory_repo, "check", "--staged")
    words = f".minutebook.yaml:1: config: `root`: {root!r} is not a folder in the repository: not .git"
    assert (done.code, done.out.startswith(words)) == (1, True), done


@pytest.mark.parametrize(
    "glob", ["C:/*.md", ".GIT/*.md", "a/.git/*.md", ".github/workflows/*.md", "-x/*.md", "../*.md", "*/../x.md"]
)
def test_no_records_are_mapped_from_outside_or_from_git(memory_repo: Repo, glob: str) -> None:
    memory_repo.write(".minutebook.yaml", f"places:\n  decision: '{glob}'\n")
    memory_repo.git("add", ".minutebook.yaml")
    done = limited(memory_repo, "check", "--staged")
    assert (done.code, done.out.startswith(".minutebook.yaml:2: config: `places.decision`: ")) == (1, True), done


@pytest.mark.parametrize(
    "place", ["../{slug}.md", "/etc/{slug}.md", "C:/{slug}.md", "\\\\server\\{slug}.md",
              ".git/hooks/{slug}.md", ".github/workflows/{slug}.md", "-x/{slug}.md", "archive/{slug}.md",
              "types/{slug}.md", "a/../../{slug}.md", "a/.git/{slug}.md", "a//{slug}.md",
              "a\u200c/{slug}.md", "notes/{slug}.md\n", "notes/{slug}.yml"]
)  # fmt: skip
def test_no_type_has_its_place_outside_or_where_code_lies(memory_repo: Repo, place: str) -> None:
    text = memory_repo.path.joinpath(".memory/types/x.yaml")
    memory_repo.write(".memory/types/x.yaml", NOTE.replace("notes/{slug}.md", place.replace("\n", "\\n")))
    memory_repo.git("add", "--all")
    line = next(number for number, row in enumerate(text.read_text("utf-8").split("\n"), 1) if row.startswith("place"))
    assert found(memory_repo, "--staged")[".memory/types/x.yaml"][-1:] == [("type", line)]


NOTE = """name: note
title: Note
memory: episodic
describe: A custom type that the tests describe here.
place: "notes/{slug}.md"
layout: file
write: append
id: note-{slug}
load: selective
durability: durable
"""


@pytest.mark.parametrize("branch", ["topic/$(touch${IFS}evil)", "topic;id", "`id`", "x\u202ey", "a|b", "a'b\"c"])
def test_a_branch_with_an_evil_name_is_only_a_name(memory_repo: Repo, branch: str) -> None:
    memory_repo.git("branch", branch)
    done = limited(memory_repo, "check", "--since", branch, "--today", TODAY)
    assert done.code == 0, done
    assert done.err.isascii()
    assert not memory_repo.path.joinpath("evil").exists()


@pytest.mark.parametrize(
    "rev", ["--upload-pack=touch evil", "-x", "--output=evil", "main --all", "main\n", "@{-1}", ""]
)
def test_what_looks_like_an_option_is_no_revision(memory_repo: Repo, rev: str) -> None:
    done = limited(memory_repo, "check", f"--since={rev}")
    assert done.code == 2, done
    assert not memory_repo.path.joinpath("evil").exists()


def test_paths_without_end_and_without_number_are_judged_in_time(
    memory_repo: Repo, evil: Callable[[dict[str, str | bytes]], str]
) -> None:
    deep = {f".memory/patterns/{number}/{'a/' * 60}x.md": "x\n" for number in range(10)}
    broad = {f".memory/patterns/{number:04}{'y' * 180}.md": "x\n" for number in range(1500)}
    places = found(memory_repo, "--since", "main", "--head", evil(dict(deep)))
    assert all(("names", 0) in places[path] for path in deep)
    assert limited(memory_repo, "check", "--since", "main", "--head", evil(dict(broad)), "--only", "names").code == 0


def test_a_log_beside_the_log_that_only_some_machines_tell_apart_keeps_no_promise_twice(memory_repo: Repo) -> None:
    head = committed(memory_repo, {**MEMORY, ".memory/decisions/_Log.md": LOG_HEAD}, "main")
    assert found(memory_repo, "--since", "main", "--head", head)[".memory/decisions/_Log.md"] == [("names", 0)]
