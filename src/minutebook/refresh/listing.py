"""The files of a repository at one commit, told by how they differ from those of another: a thousand commits of fifty
thousand files are held as one listing and a thousand small differences."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice, takewhile
from posixpath import basename, dirname
from typing import Protocol

from minutebook.ground.frozen import EMPTY, cached, frozen


class Files(Protocol):
    """What is asked of the files of a commit; paths come in their order."""

    def blob(self, path: str) -> str:
        """The id of the file's bytes; "" when there is no such file."""

    def called(self, name: str) -> list[str]:
        """The paths that end in this name."""

    def holding(self, blob: str) -> list[str]:
        """The paths that hold exactly this blob."""

    def under(self, folder: str) -> list[str]:
        """The paths beneath a folder."""

    def matching(self, glob: str) -> list[str]:
        """The paths that a glob fits."""

    def __iter__(self) -> Iterator[str]: ...


@frozen
class Listing:
    """`files` leads from path to blob id, by path; the ways to ask for them are worked out once, when somebody asks."""

    files: Mapping[str, str]

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def blob(self, path: str) -> str:
        return self.files.get(path, "")

    def called(self, name: str) -> list[str]:
        return self.by_name.get(name, [])

    def holding(self, blob: str) -> list[str]:
        return self.by_blob.get(blob, [])

    def under(self, folder: str) -> list[str]:
        first = bisect_left(self.ordered, f"{folder}/")
        return list(takewhile(lambda path: path.startswith(f"{folder}/"), islice(self.ordered, first, None)))

    def matching(self, glob: str) -> list[str]:
        if glob not in self.globbed:
            pattern = glob_pattern(glob)
            self.globbed[glob] = [path for path in self.files if pattern.fullmatch(path)]
        return self.globbed[glob]

    @cached
    def by_name(self) -> dict[str, list[str]]:
        return _grouped((basename(path), path) for path in self.files)

    @cached
    def by_blob(self) -> dict[str, list[str]]:
        return _grouped((blob, path) for path, blob in self.files.items())

    @cached
    def ordered(self) -> list[str]:
        return sorted(self.files)

    @cached
    def globbed(self) -> dict[str, list[str]]:
        return {}


@frozen
class Tree:
    """The files at a commit: those of `base`, but for `delta`, which leads from path to blob id ("" for a path that
    isn't there at this commit). Answers come by path, however the commit is told."""

    base: Files
    delta: Mapping[str, str] = EMPTY

    def blob(self, path: str) -> str:
        """The id of the file's bytes; "" when there is no such file."""
        return self.delta[path] if path in self.delta else self.base.blob(path)

    def __contains__(self, path: str) -> bool:
        return self.blob(path) != ""

    def named(self, ending: str) -> list[str]:
        """The paths whose last parts are `ending`, whole."""
        name = basename(ending)
        found = self._both(self.base.called(name), self.changed.called(name))
        return [path for path in found if f"/{path}".endswith(f"/{ending}")]

    def holding(self, blob: str) -> list[str]:
        """The paths that hold exactly this blob."""
        return self._both(self.base.holding(blob), self.changed.holding(blob))

    def under(self, folder: str) -> list[str]:
        """The paths beneath a folder."""
        return self._both(self.base.under(folder), self.changed.under(folder))

    def matching(self, glob: str) -> list[str]:
        """The paths that a glob fits."""
        return self._both(self.base.matching(glob), self.changed.matching(glob))

    def paths(self) -> Iterator[str]:
        yield from (path for path in self.base if path not in self.delta)
        yield from self.changed

    @cached
    def has_new(self) -> bool:
        """Whether `base` has files that this commit hasn't: what is gone may have gone there."""
        return any(not blob for blob in self.delta.values())

    @cached
    def changed(self) -> Listing:
        return Listing({path: blob for path, blob in self.delta.items() if blob})

    def _both(self, same: Iterable[str], changed: list[str]) -> list[str]:
        found = [path for path in same if path not in self.delta] if self.delta else list(same)
        return sorted([*found, *changed]) if changed else found


def folders_of(path: str) -> Iterator[str]:
    """Every folder that a path lies in, the nearest first."""
    folder = dirname(path)
    while folder:
        yield folder
        folder = dirname(folder)


@lru_cache(maxsize=512)
def glob_pattern(glob: str) -> re.Pattern[str]:
    """`**/` is any number of folders, a closing `**` everything beneath, `*` and `?` stay within a name."""
    wild = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.findall(r"\*\*/|\*\*|\*|\?|[^*?]+", glob)
    return re.compile("".join(wild.get(part) or re.escape(part) for part in parts))


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, path in pairs:
        found.setdefault(key, []).append(path)
    return found
