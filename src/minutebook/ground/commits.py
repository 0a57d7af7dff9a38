"""A history as values: its commits, and what each of them changed."""

from __future__ import annotations

from minutebook.ground.frozen import frozen

NO_FILE = "000000"
Listed = dict[str, tuple[str, str]]
"""(mode, blob id) of files, by path from the top of the repository."""


@frozen
class Commit:
    """`when` is the committer's Unix time."""

    id: str
    parents: tuple[str, ...]
    when: int


@frozen
class Edit:
    """A path as a commit leaves it; the mode is NO_FILE where it takes the file away."""

    path: str
    mode: str
    blob: str


@frozen
class Named:
    """How people know a commit: its day (YYYY-MM-DD, the committer's) and the first line of its message."""

    day: str
    subject: str


def after(listed: Listed, edits: tuple[Edit, ...]) -> Listed:
    """The files after the edits."""
    found = dict(listed)
    for edit in edits:
        if edit.mode == NO_FILE:
            found.pop(edit.path, None)
        else:
            found[edit.path] = (edit.mode, edit.blob)
    return found
