"""The newest session of this project, found in the folder of the agent that wrote it."""

import hashlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Done, Repo
from minutebook.commands.capture import read_hook
from minutebook.edges.agent_folders import Home, kept
from minutebook.ground.errors import CannotJudge
from talk import jsonl, records

RULE = ("user", "From now on every client gets a timeout")
MORE = ("user", "Let's use httpx instead of requests because it has timeouts")
ID, OTHER = "11111111-2222-4333-8444-555555555555", "22222222-2222-4333-8444-555555555555"
TODAY = ("--today", "2026-11-20")


@pytest.fixture
def project(memory_repo: Repo) -> Repo:
    """A repository with a memory; the home folder of its person is `home` beside it."""
    memory_repo.write(".gitignore", ".memory/users/\n")
    memory_repo.commit("Ignore owner spaces")
    (memory_repo.path.parent / "home").mkdir()
    return memory_repo


def home(repo: Repo) -> Path:
    return repo.path.parent / "home"


def capture(repo: Repo, *arguments: str, stdin: str | None = None, cwd: str = ".", **extra: str) -> Done:
    aside = dict.fromkeys(("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), "")
    env = aside | {"HOME": str(home(repo)), "USERPROFILE": str(home(repo)), "PWD": ""} | extra
    return repo.minutebook("capture", *arguments, *TODAY, stdin=stdin, cwd=cwd, **env)


def dashed(path: Path) -> str:
    return re.sub("[^A-Za-z0-9]", "-", str(path))


def put(path: Path, text: str, when: int = 1_800_000_000) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    os.utime(path, (when, when))
    return path


def claude(
    repo: Repo, *messages: tuple[str, str], id: str = ID, cwd: Path | None = None, when: int = 1_800_000_000
) -> Path:
    where = cwd or repo.path
    talk = [record | {"cwd": str(where)} for record in records(*messages, id=id)]
    return put(home(repo) / ".claude" / "projects" / dashed(where) / f"{id}.jsonl", jsonl(talk), when)


def codex(repo: Repo, *texts: str, cwd: Path | None = None, when: int = 1_800_000_000) -> Path:
    meta = {"type": "session_meta", "payload": {"id": OTHER, "cwd": str(cwd or repo.path)}}
    said = [{"type": "event_msg", "payload": {"type": "user_message", "message": text}} for text in texts]
    talk: list[Any] = [{"timestamp": "2026-11-10T09:00:00Z"} | each for each in (meta, *said)]
    name = f"rollout-2026-11-10T09-00-00-{OTHER}.jsonl"
    return put(home(repo) / ".codex" / "sessions" / "2026" / "11" / "10" / name, jsonl(talk), when)


def test_the_newest_session_is_learned_from_and_its_transcript_is_not_stored(project: Repo) -> None:
    claude(project, ("user", "hello there"), id=OTHER, when=1_700_000_000)
    path = claude(project, ("user", "the client hangs"), MORE)
    done = capture(project)
    assert done.code == 0, done.err
    assert f"claude-code session {ID}, last written" in done.err
    assert str(path) in done.err
    assert "append decision" in done.out
    (note,) = (project.path / ".memory" / "sessions").glob("*.md")
    assert f"session: {ID}" in note.read_text("utf-8")
    stored = [file for file in project.path.rglob("*") if file.is_file() and ".git" not in file.parts]
    assert [file for file in stored if 'the client hangs"' in file.read_text("utf-8")] == []
    assert [file for file in stored if file.suffix == ".jsonl"] == []
    again = capture(project)
    assert (again.code, "nothing to write" in again.out) == (0, True)


def test_a_dry_run_writes_nothing(project: Repo) -> None:
    claude(project, MORE)
    done = capture(project, "--dry-run", "--format", "json")
    assert json.loads(done.out)["changes"] != []
    assert project.git("status", "--short") == ""


def test_secrets_are_replaced_before_anything_else(project: Repo) -> None:
    secret = "ghp_" + "Zk3v9QwLx7Tb2Rm8Yc5Nd1Hf6Jg4Ps0Ua2Ve"
    claude(project, ("user", f"my login is {secret} by the way"), MORE)
    done = capture(project)
    assert done.code == 0, done.err
    assert secret not in done.out + done.err
    assert [path for path in (project.path / ".memory").rglob("*.md") if secret in path.read_text("utf-8")] == []


def test_of_several_agents_the_last_written_wins_and_one_can_be_asked_for(project: Repo) -> None:
    claude(project, RULE, when=1_800_000_000)
    codex(project, MORE[1], when=1_800_000_100)
    assert f"codex session {OTHER}" in capture(project, "--dry-run").err
    assert f"claude-code session {ID}" in capture(project, "--dry-run", "--agent", "claude-code").err
    assert f"claude-code session {ID}" in capture(project, "--dry-run", "--session", ID).err


def test_a_session_of_another_project_is_not_taken(project: Repo) -> None:
    elsewhere = project.path.parent / "repo.x"
    claude(project, MORE, cwd=elsewhere)
    codex(project, MORE[1], cwd=elsewhere)
    put(
        home(project) / ".claude" / "projects" / dashed(project.path) / "x.jsonl", jsonl(records(MORE))
    )  # cwd elsewhere
    done = capture(project)
    assert (done.code, done.out) == (2, "")
    assert "no session of this project: looked in" in done.err
    assert str(home(project) / ".claude" / "projects") in done.err
    assert str(home(project) / ".codex" / "sessions") in done.err


def test_nothing_found_says_so(project: Repo) -> None:
    done = capture(project, "--agent", "gemini-cli")
    assert done.code == 2
    assert "no session of this project: none of the agents' folders exists" in done.err
    done = capture(project, "--session", "../../etc/passwd")
    assert (done.code, "is no session's id" in done.err) == (2, True)
    claude(project, MORE)
    done = capture(project, "--session", OTHER)
    assert (done.code, f"no session {OTHER} of this project" in done.err) == (2, True)


def test_the_beginning_of_an_id_will_do_where_only_one_begins_so(project: Repo) -> None:
    path = claude(project, MORE)
    assert f"claude-code session {ID}" in capture(project, "--dry-run", "--session", ID[:12]).err
    other = f"{ID[:12]}{ID[12:].replace('4', '7')}"
    text = path.read_text("utf-8").replace(ID, other)
    put(path.with_name("other.jsonl"), text)
    done = capture(project, "--dry-run", "--session", ID[:12])
    assert (done.code, f"2 sessions begin with {ID[:12]}: " in done.err) == (2, True)
    assert f"claude-code session {other}" in capture(project, "--dry-run", "--session", other).err


def test_a_newer_file_in_which_nobody_spoke_hides_no_session(project: Repo) -> None:
    path = claude(project, MORE)
    put(path.with_name("22222222.jsonl"), "")
    put(path.with_name("\x1b[31modd.jsonl"), '{"hello": 1}\n')
    os.utime(path, (1_000_000_000, 1_000_000_000))
    done = capture(project, "--dry-run")
    assert (done.code, f"claude-code session {ID}" in done.err) == (0, True)


def test_where_it_looked_is_said_once(project: Repo) -> None:
    done = capture(project)
    assert done.err.count(str(project.path)) == 1


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_loop_of_links_is_no_transcript_and_a_pipe_is_not_waited_for(project: Repo) -> None:
    path = claude(project, MORE)
    path.with_name("loop.jsonl").symlink_to("loop.jsonl")
    done = hooked(project, transcript_path=str(path.with_name("loop.jsonl")))
    assert (done.code, "Traceback" in done.err) == (0, False)
    chats = home(project) / ".gemini" / "tmp" / "x"
    chats.mkdir(parents=True)
    os.mkfifo(chats / ".project_root")
    assert capture(project, "--dry-run").code == 0


def test_from_a_folder_beneath_and_from_one_where_the_session_began(project: Repo) -> None:
    (project.path / "web").mkdir()
    claude(project, MORE)
    assert capture(project, "--dry-run", cwd="web").code == 0
    claude(project, RULE, id=OTHER, cwd=project.path / "web", when=1_800_000_100)
    assert OTHER in capture(project, "--dry-run").err


def test_from_a_linked_work_tree_the_main_one_counts_too(project: Repo) -> None:
    claude(project, MORE)
    project.git("worktree", "add", "--quiet", "../linked")
    done = capture(project, "--dry-run", cwd="../linked")
    assert done.code == 0, done.err
    assert ID in done.err


def test_the_environment_names_other_folders(project: Repo) -> None:
    moved = claude(project, MORE).parents[2].rename(home(project) / "elsewhere")
    assert capture(project, "--dry-run").code == 2
    assert capture(project, "--dry-run", CLAUDE_CONFIG_DIR=str(moved)).code == 0


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_transcript_in_the_project_that_is_a_link_out_of_it_is_not_read(project: Repo) -> None:
    secret = put(home(project) / "secret.md", "<!-- Generated by SpecStory, Markdown v2.1.0 -->\n")
    history = project.path / ".specstory" / "history"
    history.mkdir(parents=True)
    (history / "2026.md").symlink_to(secret)
    (project.path / ".aider.chat.history.md").symlink_to(secret)
    assert capture(project).code == 2


STAMP = "2026-11-10T09:00:00.000Z"


def gemini(base: Path, here: Path) -> Path:
    hashed = hashlib.sha256(str(here).encode()).hexdigest()
    said = {"id": "m-1", "timestamp": STAMP, "type": "user", "content": MORE[1]}
    talk = {"sessionId": ID, "projectHash": hashed, "startTime": STAMP, "lastUpdated": STAMP, "messages": [said]}
    return put(base / ".gemini" / "tmp" / hashed / "chats" / "session-2026-11-10T09-00-11111111.json", json.dumps(talk))


def copilot(base: Path, here: Path) -> Path:
    about = {"sessionId": ID, "copilotVersion": "1.0.64", "context": {"cwd": str(here), "branch": "main"}}
    events = [("session.start", about), ("user.message", {"content": MORE[1], "transformedContent": "x"})]
    talk = [{"type": kind, "data": data, "id": kind, "timestamp": STAMP, "parentId": None} for kind, data in events]
    return put(base / ".copilot" / "session-state" / ID / "events.jsonl", jsonl(talk))


def opencode(base: Path, here: Path) -> Path:
    storage = base / ".local" / "share" / "opencode" / "storage"
    time = {"created": 1_762_765_200_000}
    put(storage / "message" / "ses_1" / "msg_1.json", json.dumps({"id": "msg_1", "role": "user", "time": time}))
    put(storage / "part" / "msg_1" / "prt_1.json", json.dumps({"id": "prt_1", "type": "text", "text": MORE[1]}))
    about = {"id": "ses_1", "projectID": "p", "directory": str(here), "title": "x", "version": "1.2", "time": time}
    return put(storage / "session" / "p" / "ses_1.json", json.dumps(about))


def cline(base: Path, here: Path) -> Path:
    task = base / ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1762765200000"
    told = f"<environment_details>\n# Current Working Directory ({here}) Files\n</environment_details>"
    blocks = [{"type": "text", "text": f"<task>\n{MORE[1]}\n</task>"}, {"type": "text", "text": told}]
    put(
        task / "ui_messages.json",
        json.dumps([{"ts": 1_762_765_200_000, "type": "say", "say": "text", "text": MORE[1]}]),
    )
    return put(task / "api_conversation_history.json", json.dumps([{"role": "user", "content": blocks}]))


def specstory(_: Path, here: Path) -> Path:
    head = "<!-- Generated by SpecStory, Markdown v2.1.0 -->\n\n# 2026-11-10 09:00:00Z\n\n"
    about = f"<!-- Claude Code Session {ID} (2026-11-10 09:00:00Z) -->\n\n"
    talk = f"_**User (2026-11-10 09:00:00Z)**_\n\n{MORE[1]}\n\n---\n"
    return put(here / ".specstory" / "history" / "2026-11-10_09-00-00Z-use-httpx.md", head + about + talk)


def aider(_: Path, here: Path) -> Path:
    talk = f"\n# aider chat started at 2026-11-10 09:00:00\n\n#### {MORE[1]}\n\nDone.\n"
    return put(here / ".aider.chat.history.md", talk)


AGENTS: dict[str, Callable[[Path, Path], Path]] = {
    "gemini-cli": gemini,
    "copilot-cli": copilot,
    "opencode": opencode,
    "cline": cline,
    "specstory": specstory,
    "aider": aider,
}


@pytest.mark.parametrize("agent", AGENTS)
def test_a_session_of_every_agent_is_learned_from_and_proven_again(project: Repo, agent: str) -> None:
    path = AGENTS[agent](home(project), project.path)
    done = capture(project)
    assert done.code == 0, done.err
    assert done.err.startswith(f"{agent} session ")
    assert str(path) in done.err
    assert "append decision" in done.out
    env = {"HOME": str(home(project)), "USERPROFILE": str(home(project)), "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": ""}
    proven = project.minutebook("verify-sources", "--strict", **env)
    assert (proven.code, proven.err) == (0, "")
    assert "2 sources of 8 entries: 2 proven" in proven.out
    assert "nothing to write" in capture(project).out


@pytest.mark.parametrize("agent", AGENTS)
def test_what_another_project_left_in_the_same_folders_is_not_found(project: Repo, agent: str) -> None:
    here = project.path
    path = AGENTS[agent](home(project), here)
    assert [each.path for each in kept(Home(home(project), {}, (here,)))] == [path]
    assert list(kept(Home(home(project), {}, (here.parent / "repo-2",)))) == []


def test_a_gemini_folder_with_a_name_says_whose_it_is(project: Repo) -> None:
    chats = home(project) / ".gemini" / "tmp" / "shop" / "chats"
    put(chats / "session-2026-11-10T09-00-1.jsonl", "{}")
    put(chats.parent / ".project_root", f"{project.path}\n")
    assert len(list(kept(Home(home(project), {}, (project.path,))))) == 1
    put(chats.parent / ".project_root", "/another")
    assert list(kept(Home(home(project), {}, (project.path,)))) == []


# the hook with which an agent ends a session


def hooked(repo: Repo, *arguments: str, **fields: object) -> Done:
    return capture(repo, "--hook", *arguments, stdin=json.dumps({"hook_event_name": "SessionEnd"} | fields))


def test_a_hook_names_its_transcript_and_nothing_is_said(project: Repo) -> None:
    path = claude(project, MORE)
    claude(project, RULE, id=OTHER, when=1_800_000_100)
    done = hooked(project, "--quiet", session_id=ID, transcript_path=str(path), cwd=str(project.path))
    assert (done.code, done.out, done.err) == (0, "", "")
    (note,) = (project.path / ".memory" / "sessions").glob("*.md")
    assert f"session: {ID}" in note.read_text("utf-8")


def test_a_hook_without_a_path_goes_by_the_sessions_id(project: Repo) -> None:
    claude(project, MORE)
    claude(project, RULE, id=OTHER, when=1_800_000_100)
    assert f"session {ID}" in hooked(project, "--dry-run", sessionId=ID).err


def test_a_session_that_left_no_transcript_is_no_failure(project: Repo) -> None:
    path = claude(project, MORE)
    path.unlink()
    assert hooked(project, transcript_path=str(path))[:2] == (0, "")


@pytest.mark.parametrize(
    "path",
    ["{repo}/evil.jsonl", "{home}/secret.jsonl", "{home}/.claude/projects/../../secret.jsonl", "/etc/passwd", "."],
)
def test_a_hook_cannot_have_a_file_read_outside_of_the_agents_folder(project: Repo, path: str) -> None:
    claude(project, RULE)
    put(home(project) / "secret.jsonl", jsonl(records(MORE)))
    project.write("evil.jsonl", jsonl(records(MORE)))
    done = hooked(project, transcript_path=path.format(repo=project.path, home=home(project)))
    assert (done.code, done.out) == (1, "")
    assert "lies in no agent's own folder" in done.err


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_link_in_the_agents_folder_that_leads_out_is_not_read(project: Repo) -> None:
    secret = put(home(project) / "secret.jsonl", jsonl(records(MORE)))
    link = claude(project, RULE).with_name("link.jsonl")
    link.symlink_to(secret)
    assert hooked(project, transcript_path=str(link)).code == 1


def test_a_hook_cannot_have_another_projects_session_read(project: Repo) -> None:
    path = claude(project, MORE, cwd=project.path.parent / "other")
    done = hooked(project, transcript_path=str(path))
    assert (done.code, done.out) == (1, "")
    assert "is no transcript of this project" in done.err


@pytest.mark.parametrize("said", ["", "no JSON", "[]", '"x"', "[" * 100_000, '{"a": ' + '"x"' * 2**20, "\x00"])
def test_hook_input_that_is_none_is_refused(said: str) -> None:
    with pytest.raises(CannotJudge, match="standard input holds no hook input"):
        read_hook(said.encode())


def test_in_a_hook_a_failure_is_exit_1_and_never_2(project: Repo) -> None:
    done = capture(project, "--hook", stdin="no JSON")
    assert (done.code, done.out) == (1, "")
    assert "standard input holds no hook input" in done.err


@pytest.mark.parametrize(
    "fields",
    [
        {"transcript_path": 7, "session_id": None},
        {"session_id": "--all"},
        {"transcript_path": "\x00"},
        {"transcript_path": "\ud800"},
        {"transcript_path": "~nobody/x"},
        {"transcript_path": "x" * 100_000},
    ],
)
def test_fields_of_another_kind_are_not_believed(project: Repo, fields: dict[str, object]) -> None:
    done = hooked(project, **fields)
    assert (done.code, done.out) == (1, "")
    assert "Traceback" not in done.err


def test_a_hook_outside_of_any_memory_is_exit_1(repo: Repo) -> None:
    done = repo.minutebook("capture", "--hook", "--quiet", stdin="{}")
    assert (done.code, done.out) == (1, "")
    assert "has no memory yet" in done.err
