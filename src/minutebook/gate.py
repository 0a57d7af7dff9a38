"""`minutebook check` without its options: what was asked, and the exit code that answers it.

What judges is imported while git looks for the first answers.
"""

from __future__ import annotations

import os

from minutebook.edges import git, git_objects
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen
from minutebook.terminal import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date
    from typing import Protocol

    class Heard(Protocol):
        """What `git diff-index` said of the index and HEAD, and the `git cat-file --batch` that is still there."""

        staged: bytes
        batch: tuple[int, int, int]


FORMS = ("text", "github", "json")


@frozen
class Asked:
    """What the command line asks for; `docs` of `minutebook check` says what each option means. `form` is one of
    FORMS; `today` None is the day in UTC."""

    staged: bool = False
    since: str | None = None
    exact: bool = False
    head: str | None = None
    pushed_to: str | None = None
    everything: bool = False
    only: tuple[str, ...] = ()
    form: str = "text"
    no_baseline: bool = False
    today: date | None = None
    merged_with: str | None = None


def check(asked: Asked, heard: Heard | None = None) -> int:
    """Judge, and say what was found. 0: fine, warnings at most; 1: errors. Raises CannotJudge.

    `heard` is what git was asked here already.
    """
    here = os.getcwd()  # noqa: PTH109  (pathlib would have to be imported)
    git.ahead(here, git.ALL_AT_ONCE, git.REMOTES)
    with git.Batch(here, heard.batch if heard is not None else None):
        from minutebook.verdict import reached

        _must_be_whole(here)
        if heard is not None:
            git_objects.staged_since_head(here, heard.staged)
        out, err, code = reached(here, asked)
    say(out)
    say(err, err=True)
    return code


def _must_be_whole(here: str) -> None:
    """Raises CannotJudge where a run that writes is half done: what git holds may be a mix of before and after. It
    isn't finished here, since a hook writes nothing into the work tree."""
    repo = git.repository(here)
    if os.path.exists(f"{repo.git_folder}/minutebook/journal.json"):  # noqa: PTH110
        from minutebook.ground.journal import NEXT

        raise CannotJudge("a minutebook run that writes this memory is half done", NEXT)
    git.answered(here, git.ALL_AT_ONCE, f"{repo.folder}\n{repo.git_folder}\n\n".encode("utf-8", "surrogateescape"))
