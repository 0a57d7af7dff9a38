"""What a source on the command line stands for, and what of it is read."""

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from conftest import Repo
from minutebook.cli import run
from minutebook.ground.errors import CannotJudge
from minutebook.ground.session import Session
from minutebook.reading import each_session, read_file, read_sources
from minutebook.tally import Tally
from minutebook.transcripts.united import united, with_times
from talk import jsonl, records, session, turn

RULE = ("user", "From now on every client gets a timeout")
MORE = ("user", "Let's use httpx instead of requests because it has timeouts")
OTHER = "22222222-2222-4333-8444-555555555555"


@pytest.fixture
def talks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is also the current one's child."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "talks"
    folder.mkdir()
    return folder


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def names(sessions: tuple[Session, ...]) -> list[str]:
    return sorted(Path(each.source).name for each in sessions)


def test_of_a_folder_what_looks_like_a_transcript_is_read_however_deep(talks: Path) -> None:
    put(talks / "a.jsonl", jsonl(records(RULE)))
    put(talks / "deep" / "er" / "b.jsonl", jsonl(records(MORE, id=OTHER)))
    put(talks / "notes.md", "# Notes\n")
    put(talks / "code.py", "print()\n")
    read = read_sources([str(talks)])
    assert (names(read.sessions), read.unread) == (["a.jsonl", "b.jsonl"], 0)


def test_what_is_gits_own_or_a_package_managers_is_left_out(talks: Path) -> None:
    put(talks / "a.jsonl", jsonl(records(RULE)))
    for inside in (
        ".git/x.jsonl",
        "node_modules/p/x.jsonl",
        ".venv/x.jsonl",
        "minutebook/loads.jsonl",
        "minutebook/candidates.jsonl",
    ):
        put(talks / inside, jsonl(records(MORE, id=OTHER)))
    assert names(read_sources([str(talks)]).sessions) == ["a.jsonl"]


def test_files_that_no_format_claims_are_one_line(talks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(talks / "a.jsonl", jsonl(records(RULE)))
    for number in range(12):
        put(talks / f"package-{number}.json", '{"name": "x", "version": "1"}')
    read = read_sources([str(talks)])
    assert (names(read.sessions), read.unread) == (["a.jsonl"], 0)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "12 files that no format claims: package-0.json, package-1.json, package-10.json, " in said
    assert said.endswith(" and 2 more\n")


def test_a_jsonl_that_no_format_claims_counts_as_unread(talks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(talks / "a.jsonl", jsonl(records(RULE)))
    put(talks / "b.jsonl", '{"hello": "world"}\n')
    read = read_sources([str(talks)])
    assert (names(read.sessions), read.unread) == (["a.jsonl"], 1)
    assert "b.jsonl: no transcript of a known format" in capsys.readouterr().err


def test_a_named_file_that_no_format_claims_is_a_line_and_the_others_are_read(
    talks: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = put(talks / "a.jsonl", jsonl(records(RULE)))
    read = read_sources([str(put(talks / "b.json", '{"hello": "world"}')), str(good)])
    assert (names(read.sessions), read.unread) == (["a.jsonl"], 1)
    assert capsys.readouterr().err.count("\n") == 1


def test_a_glob_that_no_shell_expanded_finds_files_at_any_depth(talks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: talks.parent)
    put(talks / "2026" / "11" / "a.jsonl", jsonl(records(RULE)))
    put(talks / "b.jsonl", jsonl(records(MORE, id=OTHER)))
    put(talks / "c.txt", "no")
    assert names(read_sources(["talks/**/*.jsonl"]).sessions) == ["a.jsonl", "b.jsonl"]
    assert names(read_sources([f"{talks}/2026/*/[a-b].jsonl"]).sessions) == ["a.jsonl"]
    assert names(read_sources(["~/talks/*.jsonl"]).sessions) == ["b.jsonl"]


def test_a_file_with_a_star_in_its_name_is_itself(talks: Path) -> None:
    put(talks / "a[1].jsonl", jsonl(records(RULE)))
    assert names(read_sources([str(talks / "a[1].jsonl")]).sessions) == ["a[1].jsonl"]


@pytest.mark.parametrize("source", ["talks/*.jsonl", "talks/x**/a", "talks", "talks/none.jsonl"])
def test_a_source_that_stands_for_nothing_is_exit_2(memory_repo: Repo, source: str) -> None:
    (memory_repo.path / "talks").mkdir()
    done = memory_repo.minutebook("extract", source)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("minutebook: talks")


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_links_that_lead_out_of_the_folder_are_not_followed(talks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secret = put(talks.parent / "elsewhere" / "s.jsonl", jsonl(records(MORE, id=OTHER)))
    put(talks / "a.jsonl", jsonl(records(RULE)))
    (talks / "link.jsonl").symlink_to(secret)
    (talks / "folder").symlink_to(secret.parent)
    (talks / "again.jsonl").symlink_to(talks / "a.jsonl")
    (talks / "loop").symlink_to(talks)
    for source in ("talks", "talks/**/*.jsonl", "talks/*.jsonl"):
        assert names(read_sources([source]).sessions) in (["a.jsonl"], ["again.jsonl"])
        assert "link.jsonl: a link that leads out of talks, not followed" in capsys.readouterr().err


def test_standard_input_is_a_source(memory_repo: Repo) -> None:
    done = memory_repo.minutebook("extract", "-", "--dry-run", "--today", "2026-11-20", stdin=jsonl(records(MORE)))
    assert done.code == 0, done.err
    assert "append decision" in done.out
    done = memory_repo.minutebook("extract", "-", "--dry-run", stdin='{"hello": "world"}\n')
    assert done.code == 2
    assert "standard input: no transcript of a known format" in done.err


def test_the_same_transcript_twice_is_read_once(talks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = jsonl(records(RULE, MORE))
    put(talks / "a.jsonl", text)
    put(talks / "copy.jsonl", text)
    assert len(read_sources(["talks", "talks/a.jsonl"]).sessions) == 1
    assert "2 transcripts told nothing that another doesn't" in capsys.readouterr().err


def test_of_a_session_that_grew_the_longest_is_taken_and_one_that_differs_stays(talks: Path) -> None:
    put(talks / "early.jsonl", jsonl(records(RULE)))
    put(talks / "late.jsonl", jsonl(records(RULE, MORE)))
    assert names(read_sources(["talks"]).sessions) == ["late.jsonl"]
    put(talks / "fork.jsonl", jsonl(records(("user", "never log request bodies"))))
    assert names(read_sources(["talks"]).sessions) == ["fork.jsonl", "late.jsonl"]


def test_what_a_subagent_wrote_adds_its_files_and_no_session() -> None:
    main = session(turn(1, "user", "go"), turn(2, "assistant", "done"), files=("a.py",))
    agent = session(turn(7, "assistant", "I did"), files=("b.py",))
    found, copies = united([agent, main])
    assert ([each.files for each in found], copies) == ([("a.py", "b.py")], 1)


def test_what_cannot_be_read_is_a_line_and_the_rest_goes_on(talks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(talks / "a.jsonl", jsonl(records(RULE)))
    put(talks / "b.jsonl", jsonl(records(MORE, id=OTHER)))
    tally = Tally()
    sessions = each_session(["talks"], tally)
    first = next(sessions)
    (talks / "b.jsonl").unlink()
    assert [first.source, *(each.source for each in sessions)] == [str(Path("talks/a.jsonl"))]
    assert tally.unread == 1
    assert "b.jsonl: No such file" in capsys.readouterr().err


def test_long_work_shows_on_a_terminal_how_far_it_is(
    talks: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        put(talks / f"{number:02}.jsonl", jsonl(records(RULE, id=f"{number:08}{OTHER[8:]}")))
    assert len(read_sources(["talks"]).sessions) == 20
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert len(read_sources(["talks"]).sessions) == 20
    said = capsys.readouterr().err
    assert "reading, 50 %: talks/09.jsonl" in said.replace("\\", "/")
    assert said.endswith("\r\x1b[K")


@pytest.mark.skipif(os.name == "nt", reason="there are no named pipes of this kind there")
def test_a_named_pipe_in_a_folder_is_no_file_to_wait_for(talks: Path) -> None:
    put(talks / "a.jsonl", jsonl(records(RULE)))
    os.mkfifo(talks / "b.jsonl")
    assert names(read_sources(["talks"]).sessions) == ["a.jsonl"]


@pytest.mark.skipif(sys.platform != "linux", reason="names are Unicode there")
def test_a_name_that_is_no_text_is_a_name(talks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(talks / os.fsdecode(b"\xff.jsonl"), "{}\n")
    put(talks / os.fsdecode(b"\xfe.jsonl"), jsonl(records(RULE)))
    assert len(read_sources(["talks"]).sessions) == 1
    assert "\\udcff.jsonl: no transcript" in capsys.readouterr().err


def test_an_interrupted_reading_writes_nothing(memory_repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(memory_repo.path)
    put(memory_repo.path.parent / "a.jsonl", jsonl(records(MORE)))

    def interrupted(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("minutebook.reading.read_transcript", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # what starts in the background ignores it
    try:
        code = run(["extract", "../a.jsonl"])
    finally:
        signal.signal(signal.SIGINT, before)
    assert code == 130
    assert memory_repo.git("status", "--short") == ""


@pytest.mark.skipif(os.name == "nt", reason="there are no named pipes of this kind there")
def test_a_pipe_that_a_shell_names_is_read_as_it_comes(memory_repo: Repo) -> None:
    line = jsonl(records(MORE)).replace("'", "'\\''")
    command = (
        f"exec 3< <(printf '%s' '{line}'); exec \"$0\" -m minutebook extract /dev/fd/3 --dry-run --today 2026-11-20"
    )
    done = memory_repo.run("bash", "-c", command, sys.executable)
    assert done.code == 0, done.err
    assert "append decision" in done.out


def test_a_name_with_control_characters_reaches_no_terminal(talks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(talks / "\x1b[31mred.jsonl", "{}\n")
    read_sources(["talks"])
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert "\\x1b[31mred.jsonl" in said


def test_a_transcript_that_lies_in_gits_folder_by_name_is_read(talks: Path) -> None:
    path = put(talks / ".git" / "a.jsonl", jsonl(records(RULE)))
    assert names(read_sources([str(path)]).sessions) == ["a.jsonl"]


def test_markdown_is_a_transcript_where_specstory_keeps_it_or_its_head_says_so(talks: Path) -> None:
    from minutebook.edges.transcript_files import listing

    put(talks / ".specstory" / "history" / "2026.md", "x")
    put(talks / "saved.md", "<!-- Generated by SpecStory, Markdown v2.1.0 -->\n")
    put(talks / ".aider.chat.history.md", "# aider chat started at 2026-11-10 09:00:00\n")
    put(talks / "README.md", "# Read me\n")
    put(talks / "run.traj", "{}")
    found = [file.relative_to(talks).as_posix() for file in listing(str(talks)).files]
    assert found == [".aider.chat.history.md", ".specstory/history/2026.md", "run.traj", "saved.md"]


def test_of_a_cline_task_the_talk_is_read_and_its_other_files_are_not(talks: Path) -> None:
    from minutebook.edges.transcript_files import listing

    for name in ("api_conversation_history.json", "ui_messages.json", "task_metadata.json"):
        put(talks / "tasks" / "1762765200000" / name, "[]")
    assert [file.name for file in listing(str(talks)).files] == ["api_conversation_history.json"]


@pytest.mark.parametrize("shown", ["broken", '{"a": 1}', "", None])
def test_a_task_whose_other_file_is_broken_or_missing_is_read(talks: Path, shown: str | None) -> None:
    said = [{"role": "user", "content": [{"type": "text", "text": f"<task>\n{MORE[1]}\n</task>"}]}]
    path = put(talks / "1762765200000" / "api_conversation_history.json", json.dumps(said))
    if shown is not None:
        put(path.with_name("ui_messages.json"), shown)
    (found,) = read_sources([str(path.parent)]).sessions
    assert [each.text for each in found.turns] == [MORE[1]]


def test_a_task_takes_the_times_of_its_other_file_in_their_order() -> None:
    said = [turn(1, "user", "go", at=""), turn(2, "assistant", "ok", at=""), turn(3, "user", "go", at="")]
    shown = session(
        turn(1, "user", "go", at="2026-11-10T09:00:00Z"),
        turn(2, "user", "unheard", at="2026-11-10T09:01:00Z"),
        turn(3, "user", "go", at="2026-11-10T09:02:00Z"),
    )
    timed = with_times(session(*said), shown)
    assert [each.at for each in timed.turns] == ["2026-11-10T09:00:00Z", "", "2026-11-10T09:02:00Z"]
    assert [each.sha256 for each in timed.turns] == [each.sha256 for each in said]


@pytest.mark.skipif(os.name == "nt", reason="there are no pipes in folders")
def test_what_is_no_plain_file_is_named_and_not_opened(talks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(talks / "a.jsonl", jsonl(records(RULE)))
    os.mkfifo(talks / "pipe.jsonl")
    (talks / "nowhere.jsonl").symlink_to("gone.jsonl")
    (talks / "folder").symlink_to(talks.parent)
    assert names(read_sources([str(talks)]).sessions) == ["a.jsonl"]
    said = capsys.readouterr().err
    assert "pipe.jsonl: no plain file, not read" in said
    assert "nowhere.jsonl: a link that leads nowhere, not read" in said
    assert "folder: a link to a folder, not followed" in said


def test_a_source_without_a_name_and_a_closed_input_are_exit_2(memory_repo: Repo) -> None:
    assert memory_repo.minutebook("extract", "").code == 2
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", None)
        with pytest.raises(CannotJudge, match="standard input is closed"):
            read_sources(["-"])


def test_who_has_no_name_is_told_where_what_is_theirs_lies(memory_repo: Repo) -> None:
    memory_repo.write(".gitignore", ".memory/users/\n")
    memory_repo.write("talk.jsonl", jsonl(records(("user", "I prefer short functions over long ones."))))
    done = memory_repo.minutebook("extract", "talk.jsonl", "--dry-run", "--today", "2026-11-20")
    assert "git knows no user.email, so what is yours alone lies in .memory/users/user/" in done.out
    done = memory_repo.minutebook("extract", "talk.jsonl", "--dry-run", "--today", "2026-11-20", "--user", "ann")
    assert "user.email" not in done.out
    memory_repo.git("config", "user.email", "ann@example.org")
    assert "user.email" not in memory_repo.minutebook("extract", "talk.jsonl", "--dry-run", "--today", "2026-11-20").out


def test_an_opencode_session_is_put_together_from_its_files(tmp_path: Path) -> None:
    from minutebook.edges.opencode_files import exported, is_session

    storage = tmp_path / "opencode" / "storage"
    path = put(storage / "session" / "p1" / "ses_1.json", '{"id": "ses_1", "directory": "/repo"}')
    put(storage / "message" / "ses_1" / "msg_1.json", '{"id": "msg_1", "role": "user"}')
    put(storage / "message" / "ses_1" / "msg_2.json", '{"id": "msg_2", "role": "assistant"}')
    put(storage / "part" / "msg_1" / "prt_1.json", '{"type": "text", "text": "hi"}')
    put(storage / "part" / "msg_1" / "prt_2.json", "broken")
    assert is_session(path)
    document = json.loads(b"".join(exported(path)))
    assert document["info"]["id"] == "ses_1"
    assert [(each["info"]["role"], len(each["parts"])) for each in document["messages"]] == [
        ("user", 1),
        ("assistant", 0),
    ]


def test_reading_a_file_gives_one_session(talks: Path) -> None:
    path = put(talks / "a.jsonl", jsonl(records(RULE)))
    assert [each.text for each in read_file(path).turns] == [RULE[1]]
