"""Files as they lie on disk."""

import errno
import os
from pathlib import Path

from minutebook.ground.change import LINK, File
from minutebook.ground.config import USUAL_ROOTS


def usual_roots(top: Path) -> tuple[str, ...]:
    """The usual memory roots that lie in the work tree."""
    return tuple(root for root in USUAL_ROOTS if (top / root).is_dir())


def work_files(top: Path, folder: str) -> dict[str, File]:
    """The files beneath `folder` in the work tree, ignored ones too; symlinks are listed and never followed."""
    found: dict[str, File] = {}
    for place, folders, names in os.walk(top / folder):
        folders.sort()
        for name in sorted([*names, *(name for name in folders if Path(place, name).is_symlink())]):
            path = Path(place, name)
            relative = path.relative_to(top).as_posix()
            if path.is_symlink():
                found[relative] = File(os.fsencode(path.readlink()), LINK)
            elif path.is_file():
                found[relative] = File(path.read_bytes())
    return found


def own_place(git_dir: Path, name: str) -> Path:
    """The place of a file of ours in the git directory. Raises OSError where the folder, the file, or what is written
    beside it (`.lock`, `.draft`) is a symlink: what is meant to lie here would be written elsewhere."""
    place = git_dir / "minutebook" / name
    for path in (place.parent, place, place.with_suffix(".lock"), place.with_suffix(".draft")):
        if path.is_symlink():
            raise OSError(errno.ELOOP, f"{path.relative_to(git_dir).as_posix()} in the git directory is a symlink")
    return place
