"""Runs verbs in processes that are killed (SIGKILL) when so many lines of what writes have been run; a program of its
own, so that what is slow to import is imported once and each run is a fork.

Reads trials from standard input, one JSON object a line: {"folder", "verb", "after"}; `after` 0 kills nobody. Prints
for each {"killed", "code", "err"}; `err` of a run that nobody killed ends with a line `lines N`.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import sklearn.feature_extraction.text  # noqa: F401  (so that no fork has to)

import minutebook.commands.compact
import minutebook.commands.refresh
import minutebook.commands.restore
import minutebook.commands.snapshots
import minutebook.edges.snapshots
import minutebook.edges.store
from minutebook.cli import run

ACTING = (minutebook.edges.snapshots.take, minutebook.edges.store.apply)
_EDGES = ("store", "durable", "places", "snapshots", "git_process", "spawn")
WRITES = (*(f"edges/{name}.py" for name in _EDGES), "ground/journal.py")


def main() -> None:
    for line in sys.stdin:
        trial = json.loads(line)
        said, told = os.pipe()
        process = os.fork()
        if not process:
            os.close(said)
            child(trial, told)
        os.close(told)
        with os.fdopen(said, "rb") as pipe:
            err = pipe.read().decode("utf-8", "replace")
        _, status = os.waitpid(process, 0)
        print(json.dumps({"killed": os.WIFSIGNALED(status), "code": os.waitstatus_to_exitcode(status), "err": err}))
        sys.stdout.flush()


def child(trial: dict[str, Any], told: int) -> None:
    os.chdir(trial["folder"])
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(told, 2)
    seen = 0

    def lines(frame: FrameType, event: str, _: object) -> Any:
        nonlocal seen
        seen += event == "line"
        if seen == trial["after"]:
            os.kill(os.getpid(), signal.SIGKILL)
        return lines

    def calls(frame: FrameType, event: str, _: object) -> Any:
        return lines if frame.f_code.co_filename.replace("\\", "/").endswith(WRITES) else None

    def traced(work: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*args: Any) -> Any:
            sys.settrace(calls)  # planning writes nothing, and makes millions of calls
            try:
                return work(*args)
            finally:
                sys.settrace(None)

        return watched

    for work in ACTING:
        replace_everywhere(work, traced(work))
    code = run(trial["verb"])
    sys.stderr.write(f"\nlines {seen}\n")
    sys.stderr.flush()
    os._exit(code)


def replace_everywhere(old: Callable[..., Any], new: Callable[..., Any]) -> None:
    """Put `new` in the place of `old` in every module of ours that has imported it."""
    for module in [each for name, each in sys.modules.items() if name.startswith("minutebook")]:
        if getattr(module, old.__name__, None) is old:
            setattr(module, old.__name__, new)


if __name__ == "__main__":
    main()
