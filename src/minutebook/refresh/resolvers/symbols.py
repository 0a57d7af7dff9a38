"""Functions, classes, constants, flags: words that code gives a meaning to."""

from collections.abc import Mapping
from posixpath import basename

from minutebook.refresh.anchors import Reference
from minutebook.refresh.listing import folders_of
from minutebook.refresh.resolvers.commands import is_own
from minutebook.refresh.view import DEFINED, QUOTED, USED, Resolution, View

_MOST = 50


def resolve_symbol(reference: Reference, view: View, home: str) -> Resolution | None:
    """Where the last part is defined. With parts before it (`Pool.connect`) the one before has to stand in the same
    file (a class has to be defined there), or be its name or that of a folder it lies in; else it is loose. A module
    resolves by its file. What is used and defined nowhere comes from outside: foreign.
    """
    *before, last = reference.text.split(".")
    spots = view.spots(last)
    defined = [path for path, bits in spots.items() if bits & DEFINED]
    if not before:
        return _some(defined) or _module(last, "", view) or _foreign(spots)
    parent = before[-1]
    near = view.spots(parent) if defined else {}
    least = DEFINED if parent[:1].isupper() else DEFINED | USED
    close = [path for path in defined if near.get(path, 0) & least or parent in _names_of(path)]
    found = _some(close) or _module(last, parent, view)
    if found is not None:
        return found
    return Resolution(tuple(sorted(defined)[:_MOST]), loose=True) if defined else _foreign(spots)


def resolve_word(reference: Reference, view: View, home: str) -> Resolution | None:
    """A plain word in a code span (`timeout`) is a name where code defines it or quotes it as a whole."""
    spots = view.spots(reference.text)
    return _some([path for path, bits in spots.items() if bits & (DEFINED | QUOTED)]) or _foreign(spots)


def resolve_constant(reference: Reference, view: View, home: str) -> Resolution | None:
    """A constant or an environment variable: code that names it at all, in a text too."""
    return _some([path for path, bits in view.spots(reference.text).items() if bits])


def resolve_flag(reference: Reference, view: View, home: str) -> Resolution | None:
    """A flag is told by the text in which a parser names it. One of a command line counts for programs of this
    repository alone: those of others keep what they have."""
    if reference.of and not is_own(reference.of, view):
        return None
    return _some([path for path, bits in view.spots(reference.text).items() if bits & (DEFINED | QUOTED)])


def _some(paths: list[str]) -> Resolution | None:
    return Resolution(tuple(sorted(paths)[:_MOST])) if paths else None


def _module(name: str, parent: str, view: View) -> Resolution | None:
    ends = [f"{parent}/{name}" if parent else name]
    found = [path for end in ends for form in (f"{end}.py", f"{end}/__init__.py") for path in view.tree.named(form)]
    return Resolution(tuple(found[:_MOST])) if found else None


def _foreign(spots: Mapping[str, int]) -> Resolution | None:
    used = sorted(path for path, bits in spots.items() if bits & USED)
    return Resolution(tuple(used[:_MOST]), foreign=True) if used else None


def _names_of(path: str) -> set[str]:
    return {basename(path).partition(".")[0], *(basename(folder) for folder in folders_of(path))}
