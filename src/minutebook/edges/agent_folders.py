"""Where coding agents keep the transcripts of a project, as their own documentation and files have it.

    claude-code   $CLAUDE_CONFIG_DIR or ~/.claude: projects/<cwd, all but letters and digits as `-`>/<session>.jsonl
    codex         $CODEX_HOME or ~/.codex: sessions/YYYY/MM/DD/rollout-*.jsonl, archived_sessions/; cwd in the file
    gemini-cli    ~/.gemini: tmp/<SHA-256 of the cwd, or a name with a .project_root>/chats/session-*
    copilot-cli   $COPILOT_HOME or ~/.copilot: session-state/<session>/events.jsonl; cwd in the file
    opencode      $XDG_DATA_HOME or ~/.local/share: opencode/storage/session/<project>/<session>.json; cwd in the file
    cline         globalStorage of VS Code and its kin, or ~/.cline/data: tasks/<ms>/; cwd in the first message
    specstory     .specstory/history/*.md in the project
    aider         .aider.chat.history.md in the project

What a file says of its cwd can only leave the file out: it has to lie in the agent's own folder, links followed.
"""

import json
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from minutebook.edges import git
from minutebook.ground.frozen import frozen

_HEADS = (2**14, 2**18)
"""Bytes from the beginning of a file that are looked through for a cwd: a few, and when they hold none, more."""
_LONGEST_NAME = 200
_CWD = re.compile(rb'"(?:cwd|directory)"[ \t]*:[ \t]*("(?:[^"\\\r\n]|\\.){1,4096}")|<cwd>([^<\n\\]{1,4096})</cwd>')
_TASK_CWD = re.compile(rb"Current Work(?:ing|space) Directory \(([^)\n]{1,4096})\)")
_WORD = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._-]{1,99}")
_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")


@frozen
class Home:
    """What is looked at: the user's home folder, the environment, and the project's folders as a person may name them
    (the first is where the run was started)."""

    folder: Path
    environment: Mapping[str, str]
    projects: tuple[Path, ...]

    def own(self, variable: str, *otherwise: str) -> Path:
        named = self.environment.get(variable, "")
        return Path(named) if named else self.folder.joinpath(*otherwise)


@frozen
class Kept:
    """A transcript of this project in an agent's own folder; `changed` is when it was last written (Unix time)."""

    agent: str
    path: Path
    changed: float


@frozen
class _Maybe:
    """A file that is the project's if the cwd that `pattern` finds in it is; with `sure` also if it names none."""

    path: Path
    pattern: re.Pattern[bytes] | None = None
    sure: bool = False


@frozen
class _Agent:
    """`folders` are the agent's own; `files` finds what may be transcripts in one of them."""

    folders: Callable[[Home], list[Path]]
    files: Callable[[Home, Path], Iterator[_Maybe]]
    in_project: bool = False


def home_here(repo: git.Repository) -> Home:
    """What is looked at for the repository around the current folder. Its project's folders are the current one, those
    above it up to the top, and the main work tree of which this may be a linked one; as the shell names them too."""
    top = Path(os.path.realpath(repo.top))
    found = _upwards(Path.cwd(), top)
    shell = Path(os.environ.get("PWD", "."))
    if shell.is_absolute() and os.path.realpath(shell) == os.path.realpath(Path.cwd()):
        found += _upwards(shell, top)
    listed = (git.asked(repo.top, "worktree", "list", "--porcelain") or "").split("\n")[0]
    main = [Path(listed.removeprefix("worktree "))] if listed.startswith("worktree ") else []
    return Home(Path.home(), os.environ, tuple(dict.fromkeys((*found, repo.top, *main))))


def _upwards(folder: Path, top: Path) -> list[Path]:
    """The folder and those above it, up to the one that is the top; the folder alone when it isn't beneath it."""
    found = []
    for each in (folder, *folder.parents):
        found.append(each)
        if Path(os.path.realpath(each)) == top:
            return found
    return [folder]


def agents() -> tuple[str, ...]:
    """The agents whose folders are known, by the names of their formats."""
    return tuple(_AGENTS)


def own_folders(home: Home, agent: str = "") -> list[Path]:
    """The folders in which agents (or one of them) keep what they write, whether they exist or not."""
    return [folder for name, each in _AGENTS.items() if agent in ("", name) for folder in each.folders(home)]


def kept(home: Home, agent: str = "") -> Iterator[Kept]:
    """The transcripts of the project, those last written first; `agent` asks for those of one. A file is opened only
    when its turn comes."""
    maybes = [
        (Kept(name, maybe.path, changed), maybe)
        for name, each in _AGENTS.items()
        if agent in ("", name)
        for folder in each.folders(home)
        for maybe in each.files(home, folder)
        if (changed := _changed(maybe.path, folder)) is not None
    ]
    for one, maybe in sorted(maybes, key=lambda pair: (-pair[0].changed, str(pair[0].path))):
        if maybe.pattern is None or _is_of(home, maybe):
            yield one


def owner(path: Path, home: Home) -> str:
    """The agent in whose own folder a path lies once all links are followed, "" for none; what agents keep in the
    project itself isn't asked."""
    real = Path(os.path.realpath(path))
    for name, each in _AGENTS.items():
        if not each.in_project and any(real.is_relative_to(os.path.realpath(at)) for at in each.folders(home)):
            return name
    return ""


def may_be(one: Kept, ids: Collection[str]) -> bool:
    """Whether a file may be the transcript of a session with one of these ids, or whose id begins so: its path or its
    beginning has the id in it. Where a format has no ids, a session is called by the format and a hash of its first
    words: that may be any."""
    if any(id.startswith(f"{one.agent}-") or any(id in part for part in one.path.parts[-3:]) for id in ids):
        return True
    begins = tuple(ids)
    return any(word.decode("ascii").startswith(begins) for word in _WORD.findall(_head(one.path, _HEADS[1])))


def _changed(file: Path, folder: Path) -> float | None:
    """When a plain file was last written; None for one that isn't there, or lies elsewhere once links are followed."""
    if not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder)) or not file.is_file():
        return None
    try:
        return file.stat().st_mtime
    except OSError:
        return None


def _claude_files(home: Home, folder: Path) -> Iterator[_Maybe]:
    names = {re.sub("[^A-Za-z0-9]", "-", str(project)) for project in home.projects}
    for each in _sub_folders(folder):
        if each.name in names or any(each.name.startswith(f"{name[:_LONGEST_NAME]}-") for name in names):
            files = (file for file in each.glob("*.jsonl") if not file.name.startswith("agent-"))
            yield from (_Maybe(file, _CWD, each.name in names) for file in files)


def _codex_files(_: Home, folder: Path) -> Iterator[_Maybe]:
    return (_Maybe(file, _CWD) for file in folder.rglob("rollout-*.jsonl"))


def _gemini_files(home: Home, folder: Path) -> Iterator[_Maybe]:
    names = {sha256(os.fsencode(project)).hexdigest() for project in home.projects}
    for each in _sub_folders(folder):
        marker = _head(each / ".project_root", _HEADS[0]).decode("utf-8", "replace").strip()
        if each.name in names or _is_project(home, marker):
            yield from (_Maybe(file) for file in each.glob("chats/session-*") if file.suffix in (".json", ".jsonl"))


def _copilot_files(_: Home, folder: Path) -> Iterator[_Maybe]:
    return (_Maybe(file, _CWD) for pattern in ("*/events.jsonl", "*.jsonl") for file in folder.glob(pattern))


def _opencode_files(_: Home, folder: Path) -> Iterator[_Maybe]:
    return (_Maybe(file, _CWD) for file in folder.glob("storage/session/*/*.json"))


def _cline_folders(home: Home) -> list[Path]:
    bases = [home.own("XDG_CONFIG_HOME", ".config"), home.folder / "Library" / "Application Support"]
    bases += [Path(home.environment["APPDATA"])] if home.environment.get("APPDATA") else []
    users = [base / name / "User" for base in bases for name in _EDITORS]
    users.append(home.folder / ".vscode-server" / "data" / "User")
    tasks = [user / "globalStorage" / "saoudrizwan.claude-dev" / "tasks" for user in users]
    return [*tasks, home.own("CLINE_DIR", ".cline") / "data" / "tasks"]


def _cline_files(_: Home, folder: Path) -> Iterator[_Maybe]:
    return (_Maybe(file, _TASK_CWD) for file in folder.glob("*/api_conversation_history.json"))


def _specstory_files(_: Home, folder: Path) -> Iterator[_Maybe]:
    return (_Maybe(file) for file in folder.glob(".specstory/history/*.md"))


def _aider_files(_: Home, folder: Path) -> Iterator[_Maybe]:
    yield _Maybe(folder / ".aider.chat.history.md")


def _projects(home: Home) -> list[Path]:
    return list(home.projects)


_AGENTS = {
    "claude-code": _Agent(lambda home: [home.own("CLAUDE_CONFIG_DIR", ".claude") / "projects"], _claude_files),
    "codex": _Agent(
        lambda home: [home.own("CODEX_HOME", ".codex") / each for each in ("sessions", "archived_sessions")],
        _codex_files,
    ),
    "gemini-cli": _Agent(lambda home: [home.folder / ".gemini" / "tmp"], _gemini_files),
    "copilot-cli": _Agent(lambda home: [home.own("COPILOT_HOME", ".copilot") / "session-state"], _copilot_files),
    "opencode": _Agent(lambda home: [home.own("XDG_DATA_HOME", ".local", "share") / "opencode"], _opencode_files),
    "cline": _Agent(_cline_folders, _cline_files),
    "specstory": _Agent(_projects, _specstory_files, in_project=True),
    "aider": _Agent(_projects, _aider_files, in_project=True),
}


def _sub_folders(folder: Path) -> list[Path]:
    return sorted(each for each in folder.iterdir() if each.is_dir()) if folder.is_dir() else []


def _is_of(home: Home, maybe: _Maybe) -> bool:
    """Whether the first cwd that a file names is the project's."""
    assert maybe.pattern is not None
    for most in _HEADS:
        match = maybe.pattern.search(_head(maybe.path, most))
        if match is not None:
            return _is_project(home, _unquoted(next(group for group in match.groups() if group)))
    return maybe.sure


def _unquoted(said: bytes) -> str:
    text = said.decode("utf-8", "replace")
    try:
        return str(json.loads(text)) if text.startswith('"') else text
    except ValueError:
        return ""


def _is_project(home: Home, said: str) -> bool:
    """Whether a path that a transcript names is the project's or lies beneath it; compared as names, never opened."""
    path = os.path.normcase(os.path.normpath(said)) if said else ""
    roots = (os.path.normcase(project) for project in home.projects)
    return any(path == root or path.startswith(root.rstrip(os.sep) + os.sep) for root in roots)


def _head(file: Path, most: int) -> bytes:
    """The beginning of a file, or b"" when it can't be read: it is another's, and may go away."""
    if not file.is_file():  # a pipe would be waited for
        return b""
    try:
        with file.open("rb") as content:
            return content.read(most)
    except OSError:
        return b""
