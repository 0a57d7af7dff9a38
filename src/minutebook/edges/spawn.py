"""Processes by `os.posix_spawn`, for which nothing has to be imported: a hook pays for `subprocess` at every commit.

Where there is no posix_spawn, `subprocess` starts them.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import BinaryIO

AT_ONCE = 4096
"""So much fits into any pipe that nobody reads yet (POSIX: PIPE_BUF is at least 512, and 4096 on what we run on)."""
_PART = 1 << 20


class Process:
    """A command that was started; `asks` and `answers` are the ends of its pipes that are ours."""

    __slots__ = ("answers", "asks", "errors", "id")

    def __init__(self, command: list[str], env: Mapping[str, str], *, heard: bool) -> None:
        """Start it. `heard` keeps what it says on standard error. Raises FileNotFoundError without such a program."""
        asked, self.asks = os.pipe()
        self.answers, answered = os.pipe()
        self.errors, wrong = os.pipe() if heard else (-1, -1)
        said = (os.POSIX_SPAWN_DUP2, wrong, 2) if heard else (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)
        actions = [(os.POSIX_SPAWN_DUP2, asked, 0), (os.POSIX_SPAWN_DUP2, answered, 1), said]
        try:
            self.id = os.posix_spawnp(command[0], command, env, file_actions=actions)
        except OSError:
            for end in (self.asks, self.answers, *([self.errors] if heard else ())):
                os.close(end)
            raise
        finally:
            for end in (asked, answered, *([wrong] if heard else ())):
                os.close(end)

    def finish(self) -> tuple[int, bytes, bytes]:
        """Its exit code, and what it said on standard output and on standard error; nothing more is asked."""
        os.close(self.asks)
        out, err = _all_of(self.answers, self.errors)
        _, status = os.waitpid(self.id, 0)
        return os.waitstatus_to_exitcode(status), out, err


def _all_of(out: int, err: int) -> tuple[bytes, bytes]:
    """What two pipes hold until both end, read as it comes: who fills a pipe that nobody reads waits for ever."""
    import select

    waiting = select.poll()
    said: dict[int, list[bytes]] = {out: [], err: []}
    for pipe in said:
        waiting.register(pipe, select.POLLIN)
    left = len(said)
    while left:
        for pipe, _ in waiting.poll():
            part = os.read(pipe, _PART)
            said[pipe].append(part)
            if not part:
                waiting.unregister(pipe)
                os.close(pipe)
                left -= 1
    return b"".join(said[out]), b"".join(said[err])


class Dialogue:
    """A command that answers line by line, or so many bytes as its last line said."""

    __slots__ = ("_asks", "_ended", "answers")

    def __init__(self, asks: int, answers: int, ended: Callable[[], object]) -> None:
        self._asks = asks
        self._ended = ended
        self.answers: BinaryIO = open(answers, "rb", 1 << 18)  # noqa: SIM115  (a pipe; `close` closes it)

    @staticmethod
    def of(process: int, asks: int, answers: int) -> Dialogue:
        """With what posix_spawn started."""
        return Dialogue(asks, answers, lambda: os.waitpid(process, 0))

    @staticmethod
    def start(command: list[str], env: Mapping[str, str]) -> Dialogue:
        """Raises FileNotFoundError without such a program."""
        if hasattr(os, "posix_spawnp"):
            process = Process(command, env, heard=False)
            return Dialogue.of(process.id, process.asks, process.answers)
        from subprocess import DEVNULL, PIPE, Popen

        other = Popen(command, env=env, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        assert other.stdin is not None
        assert other.stdout is not None
        asks, answers = os.dup(other.stdin.fileno()), os.dup(other.stdout.fileno())
        other.stdin.close()
        other.stdout.close()
        return Dialogue(asks, answers, other.wait)

    def ask(self, question: bytes) -> None:
        """Ask something of at most AT_ONCE bytes; the answers to what was asked before have been read."""
        _say(self._asks, question)

    def close(self) -> None:
        os.close(self._asks)
        self.answers.close()
        self._ended()


def start(command: list[str], env: Mapping[str, str]) -> Process | None:
    """Start a command that will be asked nothing; None where it can't be started before its answer is wanted."""
    return Process(command, env, heard=True) if hasattr(os, "posix_spawnp") else None


def run(command: list[str], env: Mapping[str, str], stdin: bytes = b"") -> tuple[int, bytes, bytes]:
    """(exit code, standard output, standard error) of a command. Raises FileNotFoundError without such a program."""
    if len(stdin) > AT_ONCE or not hasattr(os, "posix_spawnp"):
        import subprocess

        done = subprocess.run(command, env=env, input=stdin, capture_output=True, check=False)
        return done.returncode, done.stdout, done.stderr
    process = Process(command, env, heard=True)
    _say(process.asks, stdin)
    return process.finish()


def _say(pipe: int, words: bytes) -> None:
    try:  # noqa: SIM105  (contextlib would have to be imported)
        os.write(pipe, words)
    except BrokenPipeError:  # it has ended without listening: its exit code, or its silence, tells
        pass
