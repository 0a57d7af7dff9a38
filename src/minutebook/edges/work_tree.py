"""Files as they lie on disk."""

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
