"""A repository as it is hosted: its remote over smart HTTP with a token, and the interface to its pull requests."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from conftest import Repo, environment
from stand_ins.git_http import git_handler
from stand_ins.github_rest import GitHub, rest_handler
from stand_ins.loopback import serving

NAME = "acme/mem"
TOKEN = "example-token-" + "7" * 20


@dataclass(frozen=True, slots=True)
class Hosting:
    """`remote` is the bare repository behind the server; `env` is what a job on this GitHub has."""

    remote: Path
    github: GitHub
    env: dict[str, str]

    def git(self, *arguments: str) -> str:
        """The output of git in the bare repository."""
        command = ["git", "-C", str(self.remote), *arguments]
        env = environment(self.remote.parent)
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.strip()

    def has_branch(self, branch: str) -> bool:
        return bool(self.git("for-each-ref", f"refs/heads/{branch}"))


@contextmanager
def hosted(repo: Repo, root: Path) -> Iterator[Hosting]:
    """Push main to a new remote called origin, and serve it until the block ends; nothing may have been sent that
    GitHub's description doesn't allow."""
    remote = root / NAME
    remote = remote.with_name(f"{remote.name}.git")
    github = GitHub(NAME, TOKEN)
    with serving(git_handler(root, TOKEN)) as server, serving(rest_handler(github)) as api:
        env = {
            "GITHUB_API_URL": api,
            "GITHUB_SERVER_URL": server,
            "GITHUB_REPOSITORY": NAME,
            "GITHUB_TOKEN": TOKEN,
        }
        repo.git("init", "--quiet", "--bare", "--initial-branch=main", remote)
        hosting = Hosting(remote, github, env)
        hosting.git("config", "http.receivepack", "true")
        github.has_branch = hosting.has_branch
        repo.git("push", "--quiet", remote, "main:main")
        repo.git("remote", "add", "origin", f"{server}/{NAME}.git")
        repo.git("fetch", "--quiet", "origin")
        yield hosting
    assert github.complaints == []
