"""Whether a reference resolves in a view: each kind has its own small rule, in a module of its own."""

from collections.abc import Callable, Mapping

from minutebook.refresh.anchors import Kind, Reference
from minutebook.refresh.resolvers.commands import resolve_command
from minutebook.refresh.resolvers.entries import resolve_entry
from minutebook.refresh.resolvers.manifests import resolve_package, resolve_tool, resolve_version
from minutebook.refresh.resolvers.places import resolve_glob, resolve_place, resolve_url
from minutebook.refresh.resolvers.symbols import resolve_constant, resolve_flag, resolve_symbol, resolve_word
from minutebook.refresh.view import Resolution, View

Resolver = Callable[[Reference, View, str], Resolution | None]
RESOLVERS: Mapping[Kind, Resolver] = {
    "path": resolve_place,
    "dir": resolve_place,
    "glob": resolve_glob,
    "url": resolve_url,
    "command": resolve_command,
    "symbol": resolve_symbol,
    "word": resolve_word,
    "constant": resolve_constant,
    "flag": resolve_flag,
    "package": resolve_package,
    "version": resolve_version,
    "tool": resolve_tool,
    "entry": resolve_entry,
}


def resolve(reference: Reference, view: View, home: str) -> Resolution | None:
    """What the reference stands for in the view, or None when it leads nowhere.

    `home` is the folder of the entry's file: a path is tried from the top, then from there, then by its end.
    """
    return RESOLVERS[reference.kind](reference, view, home)
