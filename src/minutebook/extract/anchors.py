"""Paths of the repository that a statement is about: those it names, and changed files that it names in part."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from minutebook.extract.prose import plain_line

_PATH = re.compile(
    r"(?<![\w/@:.~$-])(?:[\w.-]{1,80}/){1,12}[\w.*-]{0,80}|"
    r"(?<![\w/@:.~$-])[\w-]{1,60}(?:\.[\w-]{1,40}){0,3}\.[a-z]{1,5}\b"
)
_EXTENSION = re.compile(
    r"\.(?:py|pyi|go|rs|ts|tsx|js|jsx|mjs|cjs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|bash|ps1|sql|md|mdx|"
    r"rst|txt|"
    r"json|jsonl|yaml|yml|toml|ini|cfg|conf|xml|html|css|scss|vue|svelte|tf|proto|lock|mod|sum|gradle|ipynb)$"
)
LONGEST = 300
"""Characters of an anchor: what its schema allows."""
_MOST = 6
_NAME = re.compile(r"(?<![\w-])[A-Za-z][\w-]{4,60}(?![\w-])")
_SHORTEST = 5
_SLASH = re.compile("/")


class Changed:
    """The files that a session changed, by what a text may call them; worked out when it is first asked.

    A path is known by itself, by its folders and by its end: `queue.py` is `src/upload/queue.py`.
    """

    def __init__(self, files: Sequence[str]) -> None:
        self._files = files

    def near(self, text: str) -> tuple[str, ...]:
        """At most six paths: those that are named, then the changed files that are called like a name in the text:
        `UploadQueue` is `src/upload_queue.py` or `ui/upload-queue.tsx`."""
        found: dict[str, None] = {}
        for match in _PATH.finditer(text):
            path = match[0].strip(".")
            if len(path) <= LONGEST and _is_path(path, known=self._is_known(path)):
                found[self._by_end.get(path, path.rstrip("/"))] = None
        named = {_key(match[0]) for match in _NAME.finditer(text)} if self._inside else set()
        places = sorted(place for name in named for place in self._by_name.get(name, ()))
        found |= dict.fromkeys(self._inside[place] for place in places)
        return tuple(found)[:_MOST]

    def _is_known(self, path: str) -> bool:
        return path.rstrip("/") in self._folders or path in self._by_end or path in self._inside_set

    @cached_property
    def _inside(self) -> list[str]:
        return [file for file in self._files if _is_inside(file)]

    @cached_property
    def _inside_set(self) -> frozenset[str]:
        return frozenset(self._inside)

    @cached_property
    def _folders(self) -> frozenset[str]:
        return frozenset(file[:at] for file in self._inside for at in _slashes(file))

    @cached_property
    def _by_end(self) -> dict[str, str]:
        """By what stands behind a slash of it the first file that ends so."""
        return {file[at + 1 :]: file for file in reversed(self._inside) for at in _slashes(file)}

    @cached_property
    def _by_name(self) -> dict[str, list[int]]:
        """By the key of its name the places of the files that are called so."""
        places: dict[str, list[int]] = {}
        for place, file in enumerate(self._inside):
            stem = file.rsplit("/", 1)[-1].split(".", 1)[0]
            if len(stem) >= _SHORTEST:
                places.setdefault(_key(stem), []).append(place)
        return places


def anchors_near(text: str, files: Sequence[str]) -> tuple[str, ...]:
    """What `Changed` files, a few, are near a text."""
    return Changed(files).near(text)


def _slashes(file: str) -> Iterator[int]:
    return (match.start() for match in _SLASH.finditer(file))


def _key(name: str) -> str:
    """What snake_case, kebab-case and CamelCase of the same name have in common."""
    return name.replace("_", "").replace("-", "").lower()


def _is_path(path: str, *, known: bool) -> bool:
    if ".." in path or path.startswith(("/", "-")) or len(path) < 4:
        return False
    named = _EXTENSION.search(path) is not None and not path.lower().startswith(("e.g", "i.e"))
    return known or named or path.endswith("/**") or (path.endswith("/") and path.count("/") > 1)


def _is_inside(file: str) -> bool:
    outside = re.match(r"(?:/|~|\.\.(?:/|$)|[A-Za-z]:)", file) is not None or "\\" in file
    return not outside and len(file) <= LONGEST and plain_line(file) == file
