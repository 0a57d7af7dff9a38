"""How git is run: argument lists, bytes until decoded on purpose, no prompt, no external diff, no replaced objects."""

from __future__ import annotations

import os

from minutebook.edges import spawn
from minutebook.ground.errors import CannotJudge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

_OURS = {
    "GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": os.devnull, "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}  # fmt: skip
SAFE = ("-c", "core.quotePath=off", "-c", "core.fsmonitor=false", "-c", "gc.auto=0")
_AHEAD: dict[tuple[str, tuple[str, ...]], spawn.Process | bytes] = {}


class GitFailed(CannotJudge):
    """git answered with an error. `stderr` is its own words."""

    def __init__(self, message: str, stderr: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.stderr = stderr


def environment(*, foreign: bool = False) -> dict[str, str]:
    """The environment for git. Inside a hook GIT_DIR and GIT_INDEX_FILE are honoured; for a `foreign` repository
    every GIT_* variable of the caller is dropped."""
    kept = {name: value for name, value in os.environ.items() if not (foreign and name.startswith("GIT_"))}
    for name in ("GIT_EXTERNAL_DIFF", *(name for name in kept if name.endswith("_PATHSPECS"))):
        kept.pop(name, None)
    return kept | _OURS


def ahead(top: Path | str, *questions: tuple[str, ...]) -> None:
    """Start git on questions that `run` will be asked before long, all at once. Only for what nothing changes until
    then."""
    for question in questions:
        if (os.fspath(top), question) in _AHEAD:
            continue
        try:
            process = spawn.start(_command(top, question), environment())
        except FileNotFoundError:
            raise not_installed() from None
        if process is not None:
            _AHEAD[os.fspath(top), question] = process


def answered(top: Path | str, question: tuple[str, ...], out: bytes) -> None:
    """Tell what git said to somebody else; `run` will be asked it before anything changes."""
    _AHEAD[os.fspath(top), question] = out


def is_asked(top: Path | str, question: tuple[str, ...]) -> bool:
    return (os.fspath(top), question) in _AHEAD


def run(top: Path | str, *arguments: str, stdin: bytes | None = None, env: dict[str, str] | None = None) -> bytes:
    """The output of one git command. Raises GitFailed with git's own words."""
    started = _AHEAD.pop((os.fspath(top), arguments), None) if stdin is None and env is None else None
    if isinstance(started, bytes):
        return started
    try:
        code, out, err = (
            started.finish()
            if started is not None
            else spawn.run(_command(top, arguments), env or environment(), stdin or b"")
        )
    except FileNotFoundError:
        raise not_installed() from None
    if code:
        words = err.decode("utf-8", "replace").strip()
        raise GitFailed(f"git {arguments[0]}: {words or f'exit {code}'}", words)
    return out


def asked(top: Path | str, *arguments: str) -> str | None:
    """One line of answer, or None when git says no (a ref that isn't there, a key that isn't set)."""
    try:
        return run(top, *arguments).decode("utf-8", "surrogateescape").strip()
    except GitFailed:
        return None


def _command(top: Path | str, arguments: tuple[str, ...]) -> list[str]:
    return ["git", "-C", os.fspath(top), *SAFE, *arguments]


def not_installed() -> CannotJudge:
    return CannotJudge("git is not installed, or not on PATH", "install git 2.38 or newer")
