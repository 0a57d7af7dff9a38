"""The commit that brought an entry in."""

import re
from pathlib import Path

from minutebook.edges import git
from minutebook.ground.frozen import frozen

_PLAIN = re.compile(r"[A-Za-z0-9._-]+")


@frozen
class Origin:
    """`at` is the author's date (ISO 8601), `author` as git has it, `subject` the first line of the message."""

    commit: str
    at: str
    author: str
    subject: str


def brought_in(top: Path, root: str, id: str, file: str = "") -> Origin | None:
    """The oldest commit that HEAD reaches in which the id came to stand beneath the memory root, or that added `file`,
    where the id is the file's name and stands in no text. None when it is in no commit yet."""
    if git.commit_id(top, "HEAD") is None:
        return None
    word = id.replace(".", "[.]")
    whole = [f"-S(^|[^A-Za-z0-9._-]){word}($|[^A-Za-z0-9_-])", "--pickaxe-regex"]
    which = whole if _PLAIN.fullmatch(id) else [f"-S{id}"]
    found = _commits(top, "--diff-filter=A", where=file) if file else _commits(top, *which, where=root)
    return found[-1] if found else None


def _commits(top: Path, *which: str, where: str) -> list[Origin]:
    """The commits that change what was asked for, newest first."""
    flags = ("-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--format=%H%x00%aI%x00%an <%ae>%x00%s")
    out = git.run(top, "log", *flags, *which, "--end-of-options", "HEAD", "--", f":(top,literal){where}")
    fields = out.decode("utf-8", "replace").split("\0")
    rows = zip(fields[0::4], fields[1::4], fields[2::4], fields[3::4], strict=False)
    return [Origin(commit, at.replace("+00:00", "Z"), author, subject) for commit, at, author, subject in rows]
