"""What is published here: the branches, and the config that counts."""

from __future__ import annotations

from minutebook.edges import git, git_objects
from minutebook.ground.config import CONFIG, Config, read_config
from minutebook.ground.errors import CannotJudge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BRANCHES = "'+refs/heads/*:refs/remotes/origin/*'"
FETCH_ALL = f"git fetch --unshallow origin {BRANCHES}    # in CI: `fetch-depth: 0` for actions/checkout"
_MOST_CONFIGS = 200


def published(top: Path | str, head: str | None) -> tuple[Config, tuple[str, ...]]:
    """The config of the published tip (HEAD's without one), which names the published branches, and their refs."""
    usual = git.published_branches(top, ())
    source = usual[0] if usual else head
    config = last_config(top, source) if source is not None else Config()
    if not config.published:
        return config, usual
    refs = git.published_branches(top, config.published)
    if not refs and usual:
        names = " ".join(config.published)
        raise CannotJudge(
            f"{CONFIG} says that {names} is published, and this clone lacks it", f"git fetch origin {BRANCHES}"
        )
    return config, refs


def last_config(top: Path | str, commit: str) -> Config:
    """The config that counts for a commit: its own, or where that can't be read the last one before it that can.

    A broken config promises nothing by itself, and what was promised before it broke still holds: so it neither
    loosens anything nor keeps anybody from mending it. Raises CannotJudge where the history is too short to tell.
    """
    config = next((config for each in _changed(top, commit) if (config := _readable(top, each)) is not None), None)
    if config is None and git.is_shallow(top):
        raise CannotJudge(f"{CONFIG} can't be read, and this clone is too shallow to know what it said", FETCH_ALL)
    return config if config is not None else Config()


def _changed(top: Path | str, commit: str) -> Iterator[str]:
    """The commit, and then those before it that changed the config, newest first."""
    yield commit
    where = f":(top,literal){CONFIG}"
    asked = ("rev-list", f"--max-count={_MOST_CONFIGS}", "--end-of-options", commit, "--", where)
    yield from git.run(top, *asked).decode().split()


def _readable(top: Path | str, commit: str) -> Config | None:
    """What the commit's config says, the default where there is none; None when it can't be read."""
    file = git_objects.read_files(top, git_objects.list_tree(top, commit, CONFIG)).get(CONFIG)
    if file is None:
        return Config()
    if not file.is_regular:
        return None
    try:
        return read_config(file.data)
    except CannotJudge:
        return None
