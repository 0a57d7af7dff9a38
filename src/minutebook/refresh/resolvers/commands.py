"""Command lines: targets of make and just, scripts of a manifest, modules, programs of this project and their
subcommands."""

import re

from minutebook.refresh.anchors import Reference
from minutebook.refresh.resolvers.manifests import manifest, scripts
from minutebook.refresh.view import DEFINED, QUOTED, Resolution, View

_MAKEFILES = ("Makefile", "makefile", "GNUmakefile")
_JUSTFILES = ("justfile", "Justfile", ".justfile")
_SCRIPT_RUNNERS = frozenset({"npm", "pnpm", "yarn", "bun"})
_RUNNERS = frozenset({"uv", "poetry", "pipenv", "hatch", "pdm", "rye"})
_SUBCOMMAND = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")


def resolve_command(reference: Reference, view: View, home: str) -> Resolution | None:
    """The rule of its first word; `uv run NAME …` is looked at from NAME on."""
    words = reference.text.split()
    if words[0] in _RUNNERS and words[1:2] == ["run"] and len(words) > 2:
        words = words[2:]
    name, given = words[0], [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    target = given[0] if given else ""
    if name == "make":
        return _target(target, _MAKEFILES, rf"(?m)^{re.escape(target)}\s*::?(?!=)", view)
    if name == "just":
        return _target(target, _JUSTFILES, rf"(?m)^@?{re.escape(target)}(?:\s[^:=\n]*)?:(?!=)", view)
    if name in _SCRIPT_RUNNERS:
        script = given[1] if target in ("run", "run-script") and len(given) > 1 else target
        declared = manifest(view, "package.json").get("scripts")
        return Resolution() if isinstance(declared, dict) and script in declared else None
    if name in ("python", "python3") and words[1:2] == ["-m"] and len(words) > 2:
        return _module(words[2], view)
    return _own(name, words[1] if len(words) > 1 else "", view)


def is_own(name: str, view: View) -> bool:
    """Whether a program is one that this project makes."""
    return name in scripts(view)


def _own(name: str, first: str, view: View) -> Resolution | None:
    """A program of this project. A first word that could be a subcommand has to be one that its code names."""
    if not is_own(name, view):
        return None
    if not _SUBCOMMAND.fullmatch(first):
        return Resolution()
    forms = (first, first.replace("-", "_"))
    named = [path for form in forms for path, bits in view.spots(form).items() if bits & (DEFINED | QUOTED)]
    return Resolution(tuple(sorted(named)[:1])) if named else None


def _target(target: str, names: tuple[str, ...], pattern: str, view: View) -> Resolution | None:
    found = (name for name in names if name in view.tree)
    return Resolution() if target and any(re.search(pattern, view.text(name)) for name in found) else None


def _module(dotted: str, view: View) -> Resolution | None:
    path = dotted.replace(".", "/")
    places = (f"{top}{path}{end}" for top in ("", "src/") for end in (".py", "/__main__.py", "/__init__.py"))
    found = tuple(place for place in places if place in view.tree)
    return Resolution(found) if found else None
