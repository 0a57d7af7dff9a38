"""The bot branch: a commit on top of the base, made and pushed without touching work tree, index or HEAD.

The commit is built in an index of its own and pushed by its id; no local branch is made or moved. What stands on
the remote's bot branch is replaced only when every commit there is ours, and only while it is still the one seen.
"""

import base64
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from minutebook.edges import git, git_objects
from minutebook.edges.rest import host_of
from minutebook.ground.change import Change
from minutebook.ground.errors import CannotJudge, OutsideFailed, Refused
from minutebook.ground.frozen import frozen
from minutebook.ground.unseen import made_visible

BRANCH = "minutebook/maintenance"
NAME = "minutebook"
EMAIL = "minutebook@bot.invalid"  # RFC 2606: nobody's address, so nobody else's commits carry it
_ABSENT = "0" * 40


@frozen
class Remote:
    """A remote by name, and what git needs in its environment to write there."""

    name: str
    url: str
    env: Mapping[str, str]


@frozen
class Tip:
    """The bot branch as it stands on the remote; `commit` is "" when there is none."""

    commit: str
    tree: str


def remote_named(top: Path, name: str, environ: Mapping[str, str]) -> Remote:
    """The remote, with the token of the environment when it is on that GitHub. Raises CannotJudge without one."""
    url = git.asked(top, "remote", "get-url", "--push", "--", name) if not name.startswith("-") else None
    if not url:
        raise CannotJudge(f"no remote is called {name!r}", "git remote add origin URL, or use --dry-run")
    return Remote(name, url, _credentials(environ, url))


def build_commit(repo: git.Repository, base: str, changes: tuple[Change, ...], message: str) -> str:
    """The id of a new commit: the tree of `base` with the changes, on top of `base`.

    Raises Refused when a file of the base isn't what the change was planned from.
    """
    present = {change.path for change in changes}
    found = git_objects.read_files(
        repo.top, [row for row in git_objects.list_tree(repo.top, base) if row[0] in present]
    )
    rows = []
    for change in changes:
        if found.get(change.path) != change.old:
            raise Refused(f"{change.path} differs from what this was planned from", "run the command again")
        rows.append(_index_row(repo.top, change))
    with tempfile.TemporaryDirectory(prefix="minutebook-") as folder:
        env = _identity() | {"GIT_INDEX_FILE": str(Path(folder, "index"))}
        git.run(repo.top, "read-tree", base, env=env)
        git.run(repo.top, "update-index", "-z", "--index-info", stdin=b"".join(rows), env=env)
        tree = git.run(repo.top, "write-tree", env=env).decode().strip()
        made = git.run(repo.top, "commit-tree", tree, "-p", base, "-F", "-", stdin=message.encode(), env=env)
    return made.decode().strip()


def fetch_tip(repo: git.Repository, remote: Remote, base: str) -> Tip:
    """The remote's bot branch, fetched. Raises Refused when a person has committed to it, naming the commit."""
    ref = f"refs/heads/{BRANCH}"
    commit = _outside(repo.top, remote, "ls-remote", "--", remote.name, ref).split("\t")[0].strip()
    if not commit:
        return Tip("", "")
    flags = ("--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules")
    _outside(repo.top, remote, "fetch", *flags, "--", remote.name, ref)
    email = git.run(repo.top, "log", "-1", "--no-show-signature", "--format=%ce", commit).decode("utf-8", "replace")
    # The tip tells: we never build on another's commit, and whoever edits, merges or rebases leaves a name there.
    if email.strip() != EMAIL and not git.is_ancestor(repo.top, commit, base):
        raise Refused(
            f"{BRANCH} has commit {commit[:12]} that minutebook didn't make; it is left alone",
            f"merge or close its pull request, or delete the branch: git push {remote.name} --delete {BRANCH}",
        )
    return Tip(commit, git.run(repo.top, "rev-parse", f"{commit}^{{tree}}").decode().strip())


def push(repo: git.Repository, remote: Remote, commit: str, tip: Tip) -> bool:
    """Put the commit on the remote's bot branch; False when its tree is there already.

    Raises OutsideFailed when the remote refuses, or when the branch has moved since `tip` was fetched.
    """
    tree = git.run(repo.top, "rev-parse", f"{commit}^{{tree}}").decode().strip()
    if tree == tip.tree:
        return False
    ref = f"refs/heads/{BRANCH}"
    lease = f"--force-with-lease={ref}:{tip.commit}"
    # --no-verify: the gate has judged these very changes; hooks of this clone judge what stands in its index.
    flags = ("--quiet", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", lease)
    _outside(repo.top, remote, "push", *flags, "--", remote.name, f"{commit}:{ref}")
    return True


def _index_row(top: Path, change: Change) -> bytes:
    path = change.path.encode("utf-8", "surrogateescape")
    if change.new is None:
        return b"0 " + _ABSENT.encode() + b"\t" + path + b"\0"
    oid = git.run(top, "hash-object", "-w", "-t", "blob", "--stdin", "--no-filters", stdin=change.new.data).strip()
    return change.new.mode.encode() + b" " + oid + b"\t" + path + b"\0"


def _identity() -> dict[str, str]:
    ours = {
        "GIT_AUTHOR_NAME": NAME,
        "GIT_AUTHOR_EMAIL": EMAIL,
        "GIT_COMMITTER_NAME": NAME,
        "GIT_COMMITTER_EMAIL": EMAIL,
    }
    return git.environment() | ours


def _outside(top: Path, remote: Remote, *arguments: str) -> str:
    env = {**git.environment(), **remote.env}
    try:
        return git.run(top, *arguments, env=env).decode("utf-8", "surrogateescape")
    except git.GitFailed as error:
        words = _without_secrets(error.stderr, remote)
    raise OutsideFailed(f"git {arguments[0]} {remote.name}: {words}", _next_step(words))


def _without_secrets(words: str, remote: Remote) -> str:
    for name, value in remote.env.items():
        if name.startswith("GIT_CONFIG_VALUE_") and value:
            words = words.replace(value.rpartition(" ")[2], "***")
    words = re.sub(r"//[^/@\s]{1,400}@", "//***@", words)
    line = " ".join(words.split())
    return made_visible(line, lambda _: "")[:400]


def _next_step(words: str) -> str:
    if "stale info" in words or "fetch first" in words:
        return "somebody moved the branch meanwhile: run again"
    if any(sign in words for sign in ("Authentication", "403", "401", "could not read Username", "Permission denied")):
        return "the push needs a token that may write: `permissions: contents: write` and GITHUB_TOKEN"
    return "check the network, the remote's address and its rules for this branch"


def _credentials(environ: Mapping[str, str], url: str) -> dict[str, str]:
    """The token as a header for GitHub's own address, in the environment: an argument would show in the list of
    processes. Nothing for a remote elsewhere, or without a token."""
    token = environ.get("GITHUB_TOKEN", "").strip()
    server = (environ.get("GITHUB_SERVER_URL") or "https://github.com").rstrip("/")
    if not token or host_of(url) != host_of(server):
        return {}
    secret = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    key = f"http.{server}/.extraHeader"
    # The empty value drops a header that the checkout step may have left: GitHub refuses to be sent two.
    pairs = [(key, ""), (key, f"Authorization: Basic {secret}")]
    count = int(environ.get("GIT_CONFIG_COUNT") or 0)
    env = {"GIT_CONFIG_COUNT": str(count + len(pairs))}
    for number, (name, value) in enumerate(pairs, count):
        env |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return env
