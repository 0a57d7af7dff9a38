"""Files, folders and globs; and the file of this repository that a URL of its host leads to."""

from posixpath import normpath

from minutebook.refresh.anchors import Reference
from minutebook.refresh.view import Resolution, View


def resolve_place(reference: Reference, view: View, home: str) -> Resolution | None:
    """From the top, then from the entry's own folder, then by its end: `db.py` is any file of that name.

    SvelteKit's `$lib/` is `src/lib/`.
    """
    text, tree = reference.text, view.tree
    for place in dict.fromkeys((normpath(text), normpath(f"{home}/{text}"))):
        if place in tree:
            return Resolution((place,))
        if inside := tree.under(place):
            return Resolution(tuple(inside))
    ending = tree.named(f"src/lib/{text[5:]}" if text.startswith("$lib/") else text)
    return Resolution(tuple(ending), loose=True) if ending else None


def resolve_glob(reference: Reference, view: View, home: str) -> Resolution | None:
    """Any file that it fits, from the top or from the entry's own folder."""
    for glob in dict.fromkeys((normpath(reference.text), normpath(f"{home}/{reference.text}"))):
        if fitting := view.tree.matching(glob):
            return Resolution(tuple(fitting))
    return None


def resolve_url(reference: Reference, view: View, home: str) -> Resolution | None:
    """The path behind `/blob/BRANCH/` or `/tree/BRANCH/`, from the top alone: a URL of another repository leads to
    no file here, and so is unknown."""
    if reference.text in view.tree:
        return Resolution((reference.text,))
    inside = view.tree.under(reference.text)
    return Resolution(tuple(inside)) if inside else None
