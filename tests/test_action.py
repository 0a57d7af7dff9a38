"""The Action: run by act on real repositories in host mode, its decisions as a table, its files through the linters."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from conftest import FIRST, LOG, LOG_HEAD, PATTERN, SECOND, THIRD, TODAY, Done, Repo
from minutebook.edges.bot_branch import BRANCH
from stand_ins.hosting import TOKEN, Hosting, hosted

CHECKOUT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent
ACTION = ".github/minutebook"
TAMPERED = LOG_HEAD + "\n".join((THIRD, SECOND.replace("an Alembic", "a Flyway"), FIRST))
FOURTH = THIRD.replace("DEC-2026-11-03-01", "DEC-2026-11-04-01").replace("2026-11-03", "2026-11-04")
APPENDED = LOG_HEAD + "\n".join((FOURTH, THIRD, SECOND, FIRST))
ZEROS, OLD, NEW = "0" * 40, "a" * 40, "b" * 40


def sides(head: str, base: str) -> dict[str, object]:
    return {"pull_request": {"head": {"sha": head}, "base": {"sha": base}}}


def tool(name: str) -> Path:
    """A program of the extra `dev`; the test is skipped, visibly, where it isn't installed."""
    found = shutil.which(name, path=os.pathsep.join([str(BIN), os.environ.get("PATH", "")]))
    if found is None:
        pytest.skip(f"{name} is not installed (pip install 'minutebook[dev]')")
    return Path(found)


@pytest.fixture
def action() -> ModuleType:
    spec = importlib.util.spec_from_file_location("action", CHECKOUT / "ci" / "action.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["action"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def hosted_repo(memory_repo: Repo) -> Repo:
    """A repository that carries the action and both workflows, as the comment in them says."""
    shutil.copytree(CHECKOUT / "ci", memory_repo.path / ACTION / "ci", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(CHECKOUT / "action.yml", memory_repo.path / ACTION)
    for name, mode in (("memory-check.yml", "check"), ("memory-maintain.yml", "maintain")):
        text = (CHECKOUT / "ci" / name).read_text("utf-8")
        assert text.count(f"mode: {mode}\n") == 1
        # What is installed is used here: one test below lets the action install itself.
        text = text.replace(f"mode: {mode}\n", f"mode: {mode}\n          minutebook: {BIN / 'minutebook'}\n")
        memory_repo.write(f".github/workflows/{name}", text)
    memory_repo.commit("Carry minutebook")
    return memory_repo


def act(repo: Repo, event: str, workflow: str, document: dict[str, object], *more: str) -> Done:
    """Run the workflow for the event on this machine, without docker."""
    program = tool("act")
    home = repo.path.parent / "home"
    home.mkdir(exist_ok=True)
    (home / ".actrc").write_text("")  # without one it asks which image to use
    (home / "event.json").write_text(json.dumps(document))
    env = {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "PATH": os.pathsep.join([str(BIN), os.environ.get("PATH", "")]),
        "NO_PROXY": "127.0.0.1",
    }
    platform = ("-P", "ubuntu-latest=-self-hosted", "--no-cache-server")
    return repo.run(
        program, event, "-e", home / "event.json", *platform, "-W", f".github/workflows/{workflow}", *more, **env
    )


def pull_request(repo: Repo, log: str) -> dict[str, object]:
    """The event of a pull request that makes the log so; HEAD is its branch."""
    base = repo.git("rev-parse", "HEAD")
    repo.git("checkout", "--quiet", "-b", "feature")
    repo.write(LOG, log)
    head = repo.commit("Change the log")
    sides = {"head": {"ref": "feature", "sha": head}, "base": {"ref": "main", "sha": base}}
    return {"pull_request": {"number": 7, **sides}, "repository": {"default_branch": "main", "full_name": "acme/mem"}}


def test_a_pull_request_that_appends_passes(hosted_repo: Repo) -> None:
    done = act(hosted_repo, "pull_request", "memory-check.yml", pull_request(hosted_repo, APPENDED))
    assert "Job succeeded" in done.out, done.out + done.err
    assert "minutebook check: fine" in done.out
    assert done.code == 0


def test_a_pull_request_that_tampers_fails_with_an_annotation_on_its_line(hosted_repo: Repo) -> None:
    done = act(hosted_repo, "pull_request", "memory-check.yml", pull_request(hosted_repo, TAMPERED))
    assert "Job failed" in done.out, done.out + done.err
    assert "Job succeeded" not in done.out
    assert re.search(rf"::error file={re.escape(LOG)},line=[0-9]+,title=[^:]*append-only::DEC-2026-11-02-01", done.out)
    assert "set-output:: exit-code=1" in done.out
    assert done.code != 0


def test_a_pull_request_whose_base_is_not_there_cannot_be_judged_and_fails(hosted_repo: Repo) -> None:
    event = pull_request(hosted_repo, APPENDED)
    event["pull_request"]["base"]["sha"] = "1234567890" * 4  # type: ignore[index]
    done = act(hosted_repo, "pull_request", "memory-check.yml", event)
    assert "Job failed" in done.out, done.out + done.err
    assert "could not judge (exit 2)" in done.out


@pytest.fixture
def hosting(hosted_repo: Repo, tmp_path: Path) -> Iterator[Hosting]:
    hosted_repo.write("src/app/db.py", "def connect() -> None: ...\n")
    pattern = hosted_repo.read(PATTERN).replace("created:", "anchors: [src/app/db.py]\ncreated:")
    hosted_repo.write(PATTERN, pattern)
    session = Path(__file__).parent / "transcripts" / "claude-code" / "session-share.jsonl"
    hosted_repo.write(".transcripts/one.jsonl", session.read_bytes())
    hosted_repo.commit("Anchor it, and a session")
    (hosted_repo.path / "src/app/db.py").unlink()
    hosted_repo.commit("Drop the module")
    with hosted(hosted_repo, tmp_path / "remotes") as host:
        yield host


def test_on_schedule_one_pull_request_is_opened_and_then_kept(hosted_repo: Repo, hosting: Hosting) -> None:
    document: dict[str, object] = {"schedule": "23 3 * * *", "repository": {"full_name": "acme/mem"}}
    named = [f"{name}={value}" for name, value in hosting.env.items() if name != "GITHUB_TOKEN"]
    given = [part for each in named for part in ("--env", each)]
    for _ in range(2):
        done = act(hosted_repo, "schedule", "memory-maintain.yml", document, *given, "-s", f"GITHUB_TOKEN={TOKEN}")
        assert "Job succeeded" in done.out, done.out + done.err
        assert "set-output:: pull-request=1" in done.out
        assert len(hosting.github.pulls) == 1
        assert TOKEN not in done.out + done.err
    pull = hosting.github.pulls[0]
    assert re.fullmatch(r"Memory: [0-9]+ proposed, 1 stale", pull["title"])
    assert "### New decision: " in pull["body"]
    assert (pull["draft"], pull["head"]["ref"], pull["base"]["ref"]) == (True, BRANCH, "main")
    assert "stale:" in hosting.git("show", f"{BRANCH}:{PATTERN}")
    assert hosting.git("rev-parse", f"{BRANCH}^") == hosting.git("rev-parse", "main")
    judged = hosted_repo.run("git", "fetch", "--quiet", "origin", BRANCH)
    assert judged.code == 0
    hosted_repo.git("checkout", "--quiet", "FETCH_HEAD")
    assert hosted_repo.minutebook("check", "--since", "main", "--today", TODAY).code == 0


def test_the_action_installs_the_minutebook_that_it_is_part_of(hosted_repo: Repo) -> None:
    for name in ("src", "schemas", "pyproject.toml", "README.md", "LICENSE", "hooks"):
        source, target = CHECKOUT / name, hosted_repo.path / ACTION / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    hosted_repo.write(".github/workflows/memory-check.yml", (CHECKOUT / "ci" / "memory-check.yml").read_bytes())
    # What a pull request brings along is not what runs: Python must not import from the folder that is judged.
    for name in ("venv.py", "pip.py", "json.py", "minutebook.py"):
        hosted_repo.write(name, "raise SystemExit('the pull request ran')\n")
    hosted_repo.commit("Carry all of it")
    done = act(hosted_repo, "pull_request", "memory-check.yml", pull_request(hosted_repo, APPENDED))
    if re.search(r"No matching distribution|Could not fetch|Failed to establish|NewConnectionError", done.out):
        pytest.skip("no package index can be reached from here")
    assert "Job succeeded" in done.out, done.out + done.err
    assert "the pull request ran" not in done.out


def run_alone(repo: Repo, event: str, document: object, **env: str) -> tuple[Done, str, str]:
    """The script as a runner would start it; what it printed, its outputs, its summary."""
    folder = repo.path.parent
    (folder / "event.json").write_text(json.dumps(document))
    for name in ("output", "summary"):
        (folder / name).write_text("")
    given = {
        "GITHUB_EVENT_NAME": event,
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        "MINUTEBOOK_PYTHON": sys.executable,
        "MINUTEBOOK_PROGRAM": str(BIN / "minutebook"),
        "RUNNER_TEMP": str(folder),
    }
    done = repo.run(tool("bash"), CHECKOUT / "ci" / "action.sh", **(given | env))
    return done, (folder / "output").read_text("utf-8"), (folder / "summary").read_text("utf-8")


def outside_of_stops(printed: str) -> list[str]:
    """The lines that a runner would look at for workflow commands."""
    seen, end = [], ""
    for line in printed.split("\n"):
        if end:
            end = "" if line == f"::{end}::" else end
        elif match := re.fullmatch(r"::stop-commands::([0-9a-f]{32})", line):
            end = match[1]
        else:
            seen.append(line)
    assert not end, "commands were stopped and never resumed"
    return seen


def test_no_text_of_the_repository_becomes_a_workflow_command(memory_repo: Repo) -> None:
    base = memory_repo.git("rev-parse", "HEAD")
    words = "::add-mask::x%0A::set-output name=a::b\\n::error::c ##[error]d ::stop-commands::e"
    memory_repo.write(
        ".memory/patterns/x.md", f'---\ntype: pattern\n"{words}": 1\nid: "{words}"\ntitle: [{words}\n---\n'
    )
    memory_repo.write(".memory/patterns/::error::y.md", "---\ntype: nothing\n")
    memory_repo.commit("::error::in a subject")
    event = {"ref": "refs/heads/main", "before": base, "repository": {"default_branch": "main"}}
    done, output, summary = run_alone(memory_repo, "push", event)
    assert done.code == 1
    for line in outside_of_stops(done.out):
        assert re.match(r"(|::(error|warning|notice) [^:]*::.*)$", line), line
    assert not re.search(r"^::(add-mask|set-output)", done.out, re.MULTILINE)
    assert re.fullmatch(r"exit-code<<([0-9a-f]{32})\n1\n\1\n", output)
    assert summary.startswith("### minutebook check: problems found\n\n```text\n")


def test_no_text_of_the_event_becomes_a_workflow_command(memory_repo: Repo) -> None:
    event = {"ref": "refs/heads/x", "repository": {"default_branch": "main\n::set-output name=a::b"}}
    done, _, _ = run_alone(memory_repo, "push", event)
    assert done.code == 2
    assert "::set-output name=a::b" in done.out
    assert not any("set-output" in line for line in outside_of_stops(done.out))


@pytest.mark.parametrize(
    ("event", "document", "words"),
    [
        ("push", {"ref": "refs/heads/main", "before": "main; id", "repository": {"default_branch": "main"}}, "before"),
        ("push", {"ref": "refs/heads/main"}, "default branch"),
        ("pull_request", {"pull_request": {}}, "pull_request.base.sha"),
        ("merge_group", {"merge_group": {"base_sha": "--all"}}, "base_sha"),
        ("pull_request", [], "pull_request.base.sha"),
    ],
)
def test_an_event_that_is_unclear_is_never_a_pass(memory_repo: Repo, event: str, document: object, words: str) -> None:
    done, output, _ = run_alone(memory_repo, event, document)
    assert done.code == 2
    assert words in done.out
    assert "\n2\n" in output


def test_maintain_never_runs_for_a_pull_request(memory_repo: Repo) -> None:
    for event in ("pull_request", "pull_request_target"):
        done, _, _ = run_alone(memory_repo, event, {}, MINUTEBOOK_MODE="maintain", GITHUB_TOKEN=TOKEN)
        assert done.code == 2
        assert "can write" in done.out


def test_an_unknown_mode_is_exit_2(memory_repo: Repo) -> None:
    assert run_alone(memory_repo, "push", {}, MINUTEBOOK_MODE="$(id)")[0].code == 2


@pytest.mark.parametrize(
    ("event", "document", "parents", "expected"),
    [
        (
            "pull_request",
            {"pull_request": {"head": {"sha": NEW}, "base": {"sha": ZEROS}}},
            (OLD, NEW),
            [f"--since={OLD}"],
        ),
        ("pull_request", {"pull_request": {"head": {"sha": NEW}, "base": {"sha": OLD}}}, (NEW,), [f"--since={OLD}"]),
        (
            "pull_request",
            {"pull_request": {"head": {"sha": OLD}, "base": {"sha": NEW}}},
            (OLD, NEW),
            [f"--since={NEW}"],
        ),
        ("merge_group", {"merge_group": {"base_sha": OLD}}, (), [f"--since={OLD}"]),
        ("push", {"ref": "refs/heads/main", "before": OLD}, (), [f"--since={OLD}", "--exact"]),
        ("push", {"ref": "refs/heads/main", "before": ZEROS}, (), ["--all"]),
        ("push", {"ref": "refs/heads/x", "before": OLD}, (), ["--since=refs/remotes/origin/main"]),
        ("push", {"ref": "refs/tags/main", "before": ZEROS}, (), ["--since=refs/remotes/origin/main"]),
        ("schedule", {}, (), ["--all"]),
        ("workflow_dispatch", {"ref": "refs/heads/main"}, (), ["--all"]),
    ],
)
def test_what_each_event_is_compared_with(
    action: ModuleType, event: str, document: dict[str, object], parents: tuple[str, ...], expected: list[str]
) -> None:
    named = {"repository": {"default_branch": "main"}} | document
    assert action.check_arguments(event, named, parents) == expected


def test_transcripts_are_named_by_files_folders_and_globs(
    action: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a/1.jsonl", "a/b/2.jsonl", ".hidden/3.jsonl", "-x.jsonl"):
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("")
    (tmp_path / "empty").mkdir()
    (tmp_path / ".git/minutebook").mkdir(parents=True)
    (tmp_path / ".git/minutebook/loads.jsonl").write_text("")
    assert action.transcripts("a/1.jsonl\n a \n\n") == [str(Path("a/1.jsonl")), "a"]
    assert action.transcripts("**/*.jsonl") == sorted(["-x.jsonl", ".hidden/3.jsonl", "a/1.jsonl", "a/b/2.jsonl"])
    assert action.transcripts("empty\nnowhere/*\n::error::x") == []
    assert outside_of_stops(capsys.readouterr().out) == [""]


@pytest.mark.parametrize("pattern", ["/etc", "..", "a/../../x", "a/../../*.jsonl", "out", "out/*.jsonl", "linked"])
def test_transcripts_elsewhere_are_refused(
    action: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    top = tmp_path / "top"
    for name in ("top/a/1.jsonl", "top/linked/fine.jsonl", "elsewhere/2.jsonl", "x/3.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (top / "out").symlink_to(tmp_path / "elsewhere")
    (top / "linked/2.jsonl").symlink_to(tmp_path / "elsewhere/2.jsonl")
    monkeypatch.chdir(top)
    with pytest.raises(action.Unclear, match="beneath the repository"):
        action.transcripts(f"a\n{pattern}\n")
    assert action.transcripts("a\n") == ["a"]


def test_a_transcript_elsewhere_is_exit_2(memory_repo: Repo) -> None:
    done, output, _ = run_alone(
        memory_repo, "schedule", {}, MINUTEBOOK_MODE="maintain", MINUTEBOOK_TRANSCRIPTS="../x\r::error::y%0A"
    )
    assert done.code == 2
    assert "::error title=minutebook::transcripts lie beneath the repository" in done.out
    assert not any(line.startswith("::error::") for line in re.split("[\r\n]", done.out))
    assert "\n2\n" in output


FILES = ("action.yml", "ci/memory-check.yml", "ci/memory-maintain.yml")


def lint(*command: str | Path) -> str:
    done = subprocess.run(list(map(str, command)), cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_zizmor_finds_nothing_as_an_auditor() -> None:
    assert "No findings" in lint(tool("zizmor"), "--offline", "--persona", "auditor", "--format", "plain", *FILES)


def test_jactionlint_finds_nothing() -> None:
    lint(tool("jactionlint"), "--shellcheck", tool("shellcheck"), *FILES)


def test_the_files_have_the_shape_that_github_asks_for() -> None:
    program = tool("check-jsonschema")
    lint(program, "--builtin-schema", "vendor.github-actions", FILES[0])
    lint(program, "--builtin-schema", "vendor.github-workflows", *FILES[1:])


def test_shellcheck_finds_nothing() -> None:
    hooks = [path for path in (CHECKOUT / "hooks").glob("*") if path.read_bytes().startswith(b"#!")]
    lint(tool("shellcheck"), "ci/action.sh", *hooks)


@pytest.mark.parametrize("name", FILES)
def test_no_input_is_pasted_into_a_script_and_nothing_runs_with_a_token_on_foreign_code(name: str) -> None:
    text = "\n".join(line.split("#")[0] for line in (CHECKOUT / name).read_text("utf-8").split("\n"))
    assert not re.search(r"run:[^\n]*\$\{\{", text)
    assert "pull_request_target" not in text
    assert text.count("persist-credentials: false") == text.count("actions/checkout@")
    assert all(re.fullmatch(r"(\./.*|[\w/-]+@[0-9a-f]{40})", used) for used in re.findall(r"uses: (\S+)", text))
