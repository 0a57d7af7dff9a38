"""What a repository was at a commit, as the resolvers see it, and what a reference came to there."""

from collections.abc import Callable, Mapping

from minutebook.ground.frozen import cached, frozen
from minutebook.refresh.likeness import Compared
from minutebook.refresh.listing import Tree
from minutebook.refresh.reach import Reach

DEFINED, USED, QUOTED = 1, 2, 4
"""What a word is in a file of code: given a meaning there, used there, or a whole text in quotes."""
NOTHING = ""


@frozen
class View:
    """The repository outside of memory at one commit. `read` leads from a blob id to its text, `spots` from a word to
    the files of code that hold it and what it is there (bits of DEFINED, USED, QUOTED); words that stand in comments
    alone, in documentation or in data aren't code. `entry` says whether memory held an entry of that id.
    `reach` is what differs from now, where that is known."""

    commit: str
    day: str
    tree: Tree
    read: Callable[[str], str]
    spots: Callable[[str], Mapping[str, int]]
    entry: Callable[[str], bool] = lambda _: False
    reach: Reach | None = None

    @cached
    def known(self) -> dict[str, Mapping[str, str]]:
        """What was read of the manifests at this commit."""
        return {}

    @cached
    def compared(self) -> Compared:
        """What was worked out of the files that are new here, for whatever is gone."""
        return Compared({}, {}, {}, {}, {})

    def text(self, path: str) -> str:
        """The text of a file; "" when it isn't there."""
        blob = self.tree.blob(path)
        return self.read(blob) if blob else NOTHING


@frozen
class Resolution:
    """What a reference stands for: `files` it leads to (none where it is no matter of files), `loose` when only its
    end was found (`db.py` for `src/app/db.py`, `connect` for `Pool.connect`), `foreign` when the word is used there
    and given its meaning elsewhere, `says` what a manifest says in its place."""

    files: tuple[str, ...] = ()
    loose: bool = False
    foreign: bool = False
    says: str = ""
