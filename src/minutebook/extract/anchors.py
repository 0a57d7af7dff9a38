"""Paths of the repository that a statement is about: those it names, and changed files that it names in part."""

import re
from collections.abc import Sequence

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


def anchors_near(text: str, files: Sequence[str]) -> tuple[str, ...]:
    """At most six paths: those that are named, then the changed files that are called like a name in the text.
    `files` are those that the session changed; `UploadQueue` is `src/upload_queue.py` or `ui/upload-queue.tsx`."""
    files = [file for file in files if _is_inside(file)]
    found: dict[str, None] = {}
    for match in _PATH.finditer(text):
        path = match[0].strip(".")
        if len(path) <= LONGEST and _is_path(path, files):
            found[next((file for file in files if file.endswith(f"/{path}")), path.rstrip("/"))] = None
    named = {_key(match[0]) for match in _NAME.finditer(text)} if files else set()
    for file in files:
        stem = file.rsplit("/", 1)[-1].split(".", 1)[0]
        if len(stem) >= _SHORTEST and _key(stem) in named:
            found[file] = None
    return tuple(found)[:_MOST]


def _key(name: str) -> str:
    """What snake_case, kebab-case and CamelCase of the same name have in common."""
    return name.replace("_", "").replace("-", "").lower()


def _is_path(path: str, files: Sequence[str]) -> bool:
    if ".." in path or path.startswith(("/", "-")) or len(path) < 4:
        return False
    known = any(file == path or file.startswith(f"{path.rstrip('/')}/") or file.endswith(f"/{path}") for file in files)
    named = _EXTENSION.search(path) is not None and not path.lower().startswith(("e.g", "i.e"))
    return known or named or path.endswith("/**") or (path.endswith("/") and path.count("/") > 1)


def _is_inside(file: str) -> bool:
    outside = re.match(r"(?:/|~|\.\.(?:/|$)|[A-Za-z]:)", file) is not None or "\\" in file
    return not outside and len(file) <= LONGEST and plain_line(file) == file
