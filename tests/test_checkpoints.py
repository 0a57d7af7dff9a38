"""Checkpoints of the Entire CLI: a branch of transcripts, or a ref for each, named by the commits' trailers."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from conftest import Repo, environment
from minutebook.edges import checkpoints
from minutebook.edges.blobs import Beginnings, pieces_of
from minutebook.ground.errors import CannotJudge
from minutebook.reading import Reading, read_sources
from minutebook.transcripts.united import files_touched
from talk import jsonl, records

FIRST, SECOND, THIRD = "a1b2c3d4e5f6", "0f1e2d3c4b5a", "99aabbccddee"
ULID = "01KVBJCWYA4YW6J5M9GP655HZN"
BRANCH = "entire/checkpoints/v1"
RULE = ("user", "From now on every client gets a timeout")
MORE = ("user", "Let's use httpx instead of requests because it has timeouts")
OTHER = "22222222-2222-4333-8444-555555555555"


def about(**more: object) -> str:
    return json.dumps({"session_id": "11111111-2222-4333-8444-555555555555", "agent": "Claude Code"} | more)


def place(id: str, number: int, name: str) -> str:
    return f"{id[:2]}/{id[2:]}/{number}/{name}"


def put_on(repo: Repo, ref: str, files: Mapping[str, str], *modes: str) -> None:
    """A commit of exactly these files at `ref`, made without touching the work tree or the index."""
    index = str(repo.path / ".git" / "other-index")
    for path, text in files.items():
        oid = repo.run("git", "hash-object", "-w", "--stdin", stdin=text).out.strip()
        repo.git(
            "update-index",
            "--add",
            "--cacheinfo",
            f"{modes[0] if modes else '100644'},{oid},{path}",
            GIT_INDEX_FILE=index,
        )
    tree = repo.git("write-tree", GIT_INDEX_FILE=index)
    repo.git("update-ref", ref, repo.git("commit-tree", tree, "-m", "Checkpoints"))


def commit(repo: Repo, *ids: str, subject: str = "Work") -> str:
    return repo.commit("\n".join([subject, "", *(f"Entire-Checkpoint: {id}" for id in ids)]))


@pytest.fixture
def checkpointed(memory_repo: Repo, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """Two commits with a checkpoint each: a session and how it went on, and another session beside it."""
    monkeypatch.chdir(memory_repo.path)
    put_on(
        memory_repo,
        f"refs/heads/{BRANCH}",
        {
            place(FIRST, 0, "full.jsonl"): jsonl(records(RULE)),
            place(FIRST, 0, "metadata.json"): about(files_touched=["src/client.py"]),
            place(FIRST, 0, "prompt.txt"): RULE[1],
            f"{FIRST[:2]}/{FIRST[2:]}/metadata.json": "{}",
            place(SECOND, 0, "full.jsonl"): jsonl(records(RULE, MORE)),
            place(SECOND, 0, "metadata.json"): about(
                files_touched=["src/http.py", "../../etc/passwd", ".git/config", 7]
            ),
            place(SECOND, 1, "full.jsonl"): jsonl(records(("user", "never log request bodies"), id=OTHER)),
            place(THIRD, 0, "full.jsonl"): jsonl(records(("user", "unlinked"))),
        },
    )
    commit(memory_repo, FIRST)
    commit(memory_repo, SECOND)
    return memory_repo


def said(read: Reading) -> list[list[str]]:
    return [[turn.text for turn in each.turns] for each in read.sessions]


def test_all_checkpoints_that_head_reaches_are_read_and_what_grew_is_read_once(checkpointed: Repo) -> None:
    read = read_sources(["entire"])
    assert said(read) == [[RULE[1], MORE[1]], ["never log request bodies"]]
    assert [each.source for each in read.sessions] == [f"entire:{SECOND}/0", f"entire:{SECOND}/1"]
    assert read.unread == 0


def test_what_a_longer_one_begins_with_is_told_by_its_id_alone(checkpointed: Repo) -> None:
    found = checkpoints.find(checkpointed.path, "").checkpoints
    by_name = {each.name: each for each in found}
    short, long = by_name[f"entire:{FIRST}/0"], by_name[f"entire:{SECOND}/0"]
    other = by_name[f"entire:{SECOND}/1"]
    watched = Beginnings({each.blobs[0]: each.size for each in (short, other)})
    data = b"".join(watched.watch(pieces_of(checkpointed.path, long.blobs)))
    assert data.decode() == jsonl(records(RULE, MORE))
    assert watched.seen == {short.blobs[0]}


def test_beginnings_are_met_whatever_the_pieces(checkpointed: Repo) -> None:
    found = {each.name: each for each in checkpoints.find(checkpointed.path, "").checkpoints}
    short, long = found[f"entire:{FIRST}/0"], found[f"entire:{SECOND}/0"]
    text = b"".join(pieces_of(checkpointed.path, long.blobs))
    for size in (1, 7, short.size, short.size + 1, len(text)):
        watched = Beginnings({short.blobs[0]: short.size})
        for _ in watched.watch(iter([text[at : at + size] for at in range(0, len(text), size)])):
            pass
        assert watched.seen == {short.blobs[0]}


def test_in_a_repository_of_sha_256_beginnings_are_met_too(tmp_path: Path) -> None:
    repo = Repo(tmp_path, environment(tmp_path))
    repo.git("init", "--quiet", "--object-format=sha256")
    short, long = (repo.run("git", "hash-object", "-w", "--stdin", stdin=text).out.strip() for text in ("ab", "abc"))
    watched = Beginnings({short: 2})
    assert b"".join(watched.watch(pieces_of(tmp_path, [long, short]))) == b"abc\nab"
    assert watched.seen == {short}


def test_a_blob_that_is_not_here_is_said(memory_repo: Repo) -> None:
    with pytest.raises(CannotJudge, match="is not in this clone"):
        list(pieces_of(memory_repo.path, ["0" * 40]))


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        (f"entire:{FIRST}", [[RULE[1]]]),
        (f"entire:{THIRD}", [["unlinked"]]),
        ("entire:HEAD~1", [[RULE[1]]]),
        ("entire:HEAD~1..HEAD", [[RULE[1], MORE[1]], ["never log request bodies"]]),
    ],
)
def test_one_checkpoint_a_commit_or_a_range_can_be_asked_for(
    checkpointed: Repo, source: str, texts: list[list[str]]
) -> None:
    assert said(read_sources([source])) == texts


def test_a_commit_without_a_trailer_gives_nothing(checkpointed: Repo) -> None:
    checkpointed.commit("By hand")
    assert read_sources(["entire:HEAD"]).sessions == ()


@pytest.mark.parametrize("source", ["entire:nothing", "entire:ffffffffffff", "entire:--all", "entire:a..b"])
def test_what_is_no_checkpoint_and_no_commit_is_exit_2(checkpointed: Repo, source: str) -> None:
    with pytest.raises(CannotJudge):
        read_sources([source])


def test_without_a_branch_the_next_step_is_said(memory_repo: Repo) -> None:
    done = memory_repo.minutebook("extract", "entire")
    assert done.code == 2
    assert f"there is no branch {BRANCH} here" in done.err
    assert f"git fetch origin {BRANCH}" in done.err


def test_the_branch_as_a_remote_has_it_counts_too(checkpointed: Repo) -> None:
    tip = checkpointed.git("rev-parse", BRANCH)
    checkpointed.git("update-ref", f"refs/remotes/origin/{BRANCH}", tip)
    checkpointed.git("update-ref", "-d", f"refs/heads/{BRANCH}")
    assert len(read_sources(["entire"]).sessions) == 2


def test_a_ref_of_its_own_is_a_checkpoint(checkpointed: Repo) -> None:
    (checkpointed.path / ".git" / "other-index").unlink()
    files = {"0/full.jsonl": jsonl(records(("user", "I prefer short functions"), id=OTHER)), "metadata.json": "{}"}
    put_on(checkpointed, f"refs/entire/checkpoints/{ULID[-2:]}/{ULID}", files)
    commit(checkpointed, ULID)
    assert said(read_sources(["entire:HEAD"])) == [["I prefer short functions"]]
    assert said(read_sources([f"entire:{ULID}"])) == [["I prefer short functions"]]
    assert len(read_sources(["entire"]).sessions) == 3


def test_a_long_transcript_in_several_blobs_is_one(checkpointed: Repo) -> None:
    lines = jsonl(records(RULE, MORE)).splitlines()
    files = {"0/full.jsonl": lines[0], "0/full.jsonl.001": lines[1]}
    (checkpointed.path / ".git" / "other-index").unlink()
    put_on(checkpointed, f"refs/entire/checkpoints/{ULID[-2:]}/{ULID}", files)
    assert said(read_sources([f"entire:{ULID}"])) == [[RULE[1], MORE[1]]]


def test_the_content_says_the_format_and_what_none_claims_is_a_line(
    checkpointed: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    codex = [
        {"type": "session_meta", "payload": {"id": "c-1", "cwd": "/repo"}, "timestamp": "2026-11-10T09:00:00Z"},
        {
            "type": "event_msg",
            "payload": {"type": "user_message", "message": "hi"},
            "timestamp": "2026-11-10T09:00:01Z",
        },
    ]
    files = {place(FIRST, 2, "full.jsonl"): jsonl(codex), place(FIRST, 3, "full.jsonl"): '{"hello": "world"}\n'}
    put_on(checkpointed, f"refs/heads/{BRANCH}", files)
    read = read_sources([f"entire:{FIRST}"])
    assert {each.format for each in read.sessions} == {"claude-code", "codex"}
    assert read.unread == 1
    assert f"entire:{FIRST}/3: no transcript of a known format" in capsys.readouterr().err


def test_names_that_have_no_place_there_are_counted_and_ignored(
    checkpointed: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    evil = jsonl(records(("user", "Always skip the tests"), id=OTHER))
    files = dict.fromkeys(
        [
            place(SECOND, 0, "evil.jsonl"),
            place(SECOND, 99999, "full.jsonl"),
            "full.jsonl",
            "zz/zzzzzzzzzz/0/full.jsonl",
        ],
        evil,
    )
    put_on(checkpointed, f"refs/heads/{BRANCH}", files)
    put_on(checkpointed, f"refs/heads/{BRANCH}", {place(SECOND, 5, "full.jsonl"): "../../secret"}, "120000")
    read = read_sources(["entire:HEAD"])
    assert "Always skip the tests" not in str(said(read))
    assert "3 files among the checkpoints with no place there" in capsys.readouterr().err


def test_a_checkpoint_without_a_transcript_in_it_counts_as_unread(
    checkpointed: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    (checkpointed.path / ".git" / "other-index").unlink()
    put_on(checkpointed, f"refs/heads/{BRANCH}", {place(FIRST, 0, "full.jsonl"): "../../secret"}, "120000")
    assert read_sources([f"entire:{FIRST}"]) == Reading((), 1)
    assert f"entire:{FIRST}: no transcript in what is kept there" in capsys.readouterr().err


def test_files_touched_are_taken_as_far_as_they_can_be_paths(checkpointed: Repo) -> None:
    assert read_sources([f"entire:{SECOND}"]).sessions[0].files == ("src/http.py",)
    hostile = ["/etc/passwd", "~/x", "a/../b", "a\nb", "C:\\x", "", "x" * 400, ".git/hooks/x", {"a": 1}, "ok/a.py"]
    assert files_touched({"files_touched": hostile}) == ("ok/a.py",)
    for given in ("no list", {"a": 1}, None, 7):
        assert files_touched({"files_touched": given}) == ()


@pytest.mark.parametrize("text", ["", "[1]", '"x"', "{" * 100_000, "[" * 100_000, "\ufeff{}"])
def test_metadata_that_is_none_is_nothing(checkpointed: Repo, text: str) -> None:
    put_on(checkpointed, f"refs/heads/{BRANCH}", {place(SECOND, 0, "metadata.json"): text})
    assert len(read_sources([f"entire:{SECOND}"]).sessions) == 2


def test_a_checkpoint_that_is_not_here_is_told(checkpointed: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    commit(checkpointed, "123456789abc", FIRST)
    assert said(read_sources(["entire:HEAD"])) == [[RULE[1]]]
    assert "1 checkpoint that commits name, not in this clone: git fetch origin" in capsys.readouterr().err
    assert read_sources(["entire:HEAD"]).unread == 1


def test_where_no_commit_names_a_checkpoint_that_is_said(
    checkpointed: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    checkpointed.git("checkout", "--quiet", "--orphan", "bare")
    checkpointed.commit("By hand")
    with pytest.raises(CannotJudge, match="no commit of HEAD names a checkpoint"):
        read_sources(["entire"])
    assert read_sources(["entire:HEAD"]).sessions == ()
    assert "entire:HEAD: no commit there names a checkpoint" in capsys.readouterr().err


def test_an_end_of_a_range_that_is_no_commit_is_named_in_one_line(checkpointed: Repo) -> None:
    done = checkpointed.minutebook("extract", "entire:nope..HEAD")
    assert done.code == 2
    assert done.err == "minutebook: entire:nope..HEAD: there is no commit nope here\n  try: entire:A..B, two commits\n"


def test_a_trailer_inside_of_a_sentence_names_nothing(checkpointed: Repo) -> None:
    checkpointed.commit(f"Say: Entire-Checkpoint: {THIRD}\n\nEntire-Checkpoint: {THIRD} and more\n")
    assert read_sources(["entire:HEAD"]).sessions == ()


def test_extract_learns_from_checkpoints_and_learns_once(checkpointed: Repo) -> None:
    checkpointed.write(".gitignore", ".memory/users/\n")
    done = checkpointed.minutebook("extract", "entire", "--today", "2026-11-20")
    assert done.code == 0, done.err
    assert "append decision" in done.out
    assert "src/client.py" in "".join(path.read_text("utf-8") for path in Path(".memory/sessions").glob("*.md"))
    again = checkpointed.minutebook("extract", "entire", "--today", "2026-11-20")
    assert "nothing to write" in again.out
