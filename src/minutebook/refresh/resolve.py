"""Whether a reference resolves in the repository as it was at a commit. Each kind has its own small rule."""

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from posixpath import basename, dirname, normpath

from minutebook.refresh.anchors import Reference

_MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
_JUSTFILES = ("justfile", "Justfile", ".justfile")
_SCRIPT_RUNNERS = frozenset({"npm", "pnpm", "yarn", "bun"})


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The repository outside of memory at one commit. `files` leads from path to blob id, `read` from blob id to
    text; `names` says whether code (not documentation) holds an identifier as a whole word."""

    commit: str
    day: str
    files: Mapping[str, str]
    read: Callable[[str], str]
    names: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The files that a reference stands for (none for an identifier). `loose` is a path that was named by its end
    only (`db.py` for `src/app/db.py`)."""

    files: tuple[str, ...] = ()
    loose: bool = False


def resolve(reference: Reference, view: View, home: str) -> Resolution | None:
    """What the reference stands for in the view, or None when it leads nowhere.

    `home` is the folder of the entry's file: a path is tried from the top, then from there, then by its end.
    """
    match reference.kind:
        case "identifier":
            return Resolution() if view.names(reference.text) else None
        case "command":
            return _command(reference.text, view)
        case "glob":
            fitting = tuple(path for path in view.files if _glob(reference.text).fullmatch(path))
            return Resolution(fitting) if fitting else None
        case _:
            return _place(reference.text, view, home)


def files_with_blob(view: View, blob: str) -> tuple[str, ...]:
    """The paths that hold exactly this blob."""
    return _by_blob(view).get(blob, ())


def files_named(view: View, path: str) -> tuple[str, ...]:
    """The paths that end like `path`: its last parts, whole."""
    return tuple(each for each in _by_name(view).get(basename(path), ()) if f"/{each}".endswith(f"/{path}"))


def _place(text: str, view: View, home: str) -> Resolution | None:
    for place in dict.fromkeys((normpath(text), normpath(f"{home}/{text}"))):
        if place in view.files:
            return Resolution((place,))
        inside = _folders(view).get(place, ())
        if inside:
            return Resolution(tuple(inside))
    ending = files_named(view, text)
    return Resolution(ending, loose=True) if ending else None


def _command(text: str, view: View) -> Resolution | None:
    name, *words = text.split()
    given = [word for word in words if not word.startswith("-") and "=" not in word]
    target = given[0] if given else ""
    if name == "make":
        return _target(target, _MAKEFILES, rf"(?m)^{re.escape(target)}\s*::?(?!=)", view)
    if name == "just":
        return _target(target, _JUSTFILES, rf"(?m)^@?{re.escape(target)}(?:\s[^:=\n]*)?:(?!=)", view)
    if name in _SCRIPT_RUNNERS:
        script = given[1] if target in ("run", "run-script") and len(given) > 1 else target
        return Resolution() if script in _manifest(view, "package.json").get("scripts", {}) else None
    if name in ("python", "python3") and words[0] == "-m" and len(words) > 1:
        return _module(words[1], view)
    project = _manifest(view, "pyproject.toml").get("project", {})
    scripts = project.get("scripts", {}) if isinstance(project, dict) else {}
    return Resolution() if name in scripts else None


def _target(target: str, names: tuple[str, ...], pattern: str, view: View) -> Resolution | None:
    texts = (view.read(view.files[name]) for name in names if name in view.files)
    return Resolution() if target and any(re.search(pattern, text) for text in texts) else None


def _module(dotted: str, view: View) -> Resolution | None:
    path = dotted.replace(".", "/")
    places = (f"{top}{path}{end}" for top in ("", "src/") for end in (".py", "/__main__.py", "/__init__.py"))
    found = tuple(place for place in places if place in view.files)
    return Resolution(found) if found else None


def _manifest(view: View, name: str) -> Mapping[str, Mapping[str, object]]:
    """A manifest at the top; one that can't be read declares nothing."""
    text = view.read(view.files[name]) if name in view.files else ""
    try:
        value = tomllib.loads(text) if name.endswith(".toml") else json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return {key: part for key, part in value.items() if isinstance(part, dict)} if isinstance(value, dict) else {}


@lru_cache(maxsize=512)
def _glob(pattern: str) -> re.Pattern[str]:
    """`**/` is any number of folders, a closing `**` everything beneath, `*` and `?` stay within a name."""
    wild = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.findall(r"\*\*/|\*\*|\*|\?|[^*?]+", pattern)
    return re.compile("".join(wild.get(part) or re.escape(part) for part in parts))


@lru_cache(maxsize=8)
def _by_blob(view: View) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for path, blob in view.files.items():
        found.setdefault(blob, []).append(path)
    return {blob: tuple(paths) for blob, paths in found.items()}


@lru_cache(maxsize=8)
def _by_name(view: View) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in view.files:
        found.setdefault(basename(path), []).append(path)
    return found


@lru_cache(maxsize=8)
def _folders(view: View) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in view.files:
        folder = dirname(path)
        while folder:
            found.setdefault(folder, []).append(path)
            folder = dirname(folder)
    return found
