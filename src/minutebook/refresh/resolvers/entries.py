"""Other entries of memory, by their ids."""

from minutebook.refresh.anchors import Reference
from minutebook.refresh.view import Resolution, View


def resolve_entry(reference: Reference, view: View, home: str) -> Resolution | None:
    """An id that memory held at that commit, in the archive too."""
    return Resolution() if view.entry(reference.text) else None
