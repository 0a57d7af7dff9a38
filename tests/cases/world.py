"""A published repository and a clone of it with the hooks: where a scene is played."""

import os
import shlex
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from conftest import MEMORY, Repo, environment

TOP = Path(__file__).parents[2]
PROGRAM = Path(sys.executable).with_name("minutebook")
ORIGIN = "../origin.git"
_HOOKS = ("pre-commit", "pre-merge-commit", "pre-push")
# Every exit code is written down: git turns whatever a hook says into 1. The time bound is one of the processor.
_SHIM = """#!/bin/sh
ulimit -t 20
{program} "$@"
code=$?
echo "$code" >>"$CODES"
exit "$code"
"""


@dataclass(slots=True)
class World:
    """`work` is a clone of `origin.git` beside it, on the branch topic where main is published at `base`.

    `cwd` and `env` are where and how the hooks run; `final` is the git command that ends the scene.
    """

    top: Path
    work: Repo
    base: str
    cwd: str = "."
    env: dict[str, str] = field(default_factory=dict)
    final: tuple[str, ...] = ("commit", "--quiet", "--message", "Change")
    head: str = ""
    """The second parent, where the scene ends in a merge commit of its own."""
    merge: tuple[str, ...] = ()
    """What `git merge` is asked for, where the scene can end in a clean merge; it's merged into `start`."""
    start: str = ""
    refs: tuple[str, ...] = ()
    """What is pushed, where it isn't the last commit alone."""
    runner: Callable[["World", str], Repo] | None = None
    """Makes a runner's checkout of a commit, where that isn't a whole clone."""

    @property
    def codes(self) -> Path:
        return self.top / "codes"

    def publish(self, message: str = "Published") -> str:
        """Commit everything on the branch here, and make it the published main."""
        self.base = self.work.commit(message)
        self.work.git("push", "--quiet", "--no-verify", "--force", "origin", "HEAD:main")
        return self.base

    def save(self, message: str = "Change") -> str:
        """Commit everything; no hook runs."""
        return self.work.commit(message)

    def stage(self, path: str, data: bytes | str, mode: str = "100644") -> None:
        """Put bytes into the index under any name, whatever filters say and the work tree holds."""
        kept = self.top / "bytes"
        kept.write_bytes(data.encode() if isinstance(data, str) else data)
        oid = self.work.git("hash-object", "-w", "--no-filters", kept)
        self.work.git("update-index", "--add", "--cacheinfo", mode, oid, path)

    def at(self, folder: Path, **extra: str) -> Repo:
        """Another repository in the same environment."""
        return Repo(folder, {**self.work.env, **extra})


def make_template(folder: Path) -> None:
    """The published repository, its clone, and minutebook on PATH; copied for every scene."""
    folder.mkdir()
    shim = folder / "bin" / "minutebook"
    shim.parent.mkdir()
    shim.write_text(_SHIM.format(program=shlex.quote(str(PROGRAM))), "utf-8")
    shim.chmod(0o755)
    origin = Repo(folder, environment(folder))
    origin.git("init", "--quiet", "--bare", "--template=", "--initial-branch=main", "origin.git")
    for key in ("allowFilter", "allowAnySHA1InWant"):
        origin.git("-C", "origin.git", "config", f"uploadpack.{key}", "true")
    work = Repo(folder / "work", environment(folder))
    work.path.mkdir()
    work.git("init", "--quiet", "--template=", "--initial-branch=topic")
    work.git("remote", "add", "origin", ORIGIN)
    for path, text in MEMORY.items():
        work.write(path, text)
    work.write("README.md", "# Uploads\n")
    work.commit("Memory")
    work.git("push", "--quiet", "origin", "HEAD:main")
    work.git("remote", "set-head", "origin", "main")
    work.git("config", "core.hooksPath", str(TOP / "hooks"))


def copy_of(template: Path, folder: Path) -> World:
    shutil.copytree(template, folder, symlinks=True)
    path = os.pathsep.join([str(folder / "bin"), os.environ.get("PATH", "")])
    work = Repo(folder / "work", environment(folder, PATH=path, CODES=str(folder / "codes")))
    work.git("update-index", "--refresh")  # to the index, copied files are other files
    return World(folder, work, work.git("rev-parse", "HEAD"))
