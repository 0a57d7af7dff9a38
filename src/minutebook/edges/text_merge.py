"""git's own merge of three texts. It imports next to nothing: it has to work when the rest of minutebook doesn't."""

from __future__ import annotations

from pathlib import Path

from minutebook.edges import git_process, spawn


def text_merge(base: Path, ours: Path, theirs: Path, marker: int) -> tuple[bytes, bool]:
    """What git itself makes of three files, and whether that is without conflict. Binary files are left as ours."""
    labels = [part for name in ("ours", "base", "theirs") for part in ("-L", name)]
    files = [str(path.absolute()) for path in (ours, base, theirs)]
    command = ["git", *git_process.SAFE, "merge-file", "-p", f"--marker-size={marker}", *labels, *files]
    code, out, _ = spawn.run(command, git_process.environment())
    return (out, code == 0) if 0 <= code < 128 else (ours.read_bytes(), False)
