"""Reads the usual command lines of `minutebook check` without click, which takes as long to import as three bare
interpreters take to start. What it doesn't know word for word is click's to read, or to refuse."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from minutebook.gate import Asked

_FLAGS = {"--staged": "staged", "--all": "everything", "--exact": "exact", "--no-baseline": "no_baseline"}
_VALUES = {"--since": "since", "--head": "head", "--pushed-to": "pushed_to", "--format": "form"}


def asked(arguments: list[str]) -> Asked | None:
    """What `minutebook check` with these arguments asks for; None when click has to say."""
    found: dict[str, Any] = {}
    words = iter(arguments)
    for word in words:
        name = _FLAGS.get(word) or _VALUES.get(word)
        if name is None or name in found:
            return None
        found[name] = True if word in _FLAGS else next(words, "-")
        if word in _VALUES and found[name].startswith("-"):
            return None
    from minutebook.gate import FORMS, Asked

    ways = [name for name in ("staged", "everything", "since") if name in found]
    lonely = "since" not in found and not found.keys().isdisjoint(("exact", "head", "pushed_to"))
    if len(ways) > 1 or lonely or found.get("form", "text") not in FORMS:
        return None
    return Asked(**found)
