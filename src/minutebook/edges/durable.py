"""Files that are on the disk, names and all, before anything relies on them: write beside, fsync, rename, fsync of the
folder."""

import os
import stat
import time
from pathlib import Path


def draft_of(target: Path) -> Path:
    """Where a file is written before it takes its place."""
    return target.with_name(f".{target.name}.minutebook-draft")


def make_folder(folder: Path) -> None:
    """Make a folder and those above it; each new name is synced, or a power cut takes all that was put into it."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync_folder(folder.parent)


def write_synced(path: Path, data: bytes, target: Path, runs: bool | None = None) -> None:
    """Write a new file whole, with the permissions of the `target` that it will replace; whatever has its name goes."""
    # A file of that name is left from a killed run, or was put there: a symlink in its place must not be followed.
    path.unlink(missing_ok=True)
    with path.open("xb") as out:
        _keep_mode(path, target, runs)  # before there is anything in it to be read
        out.write(data)
        out.flush()
        os.fsync(out.fileno())


def _keep_mode(draft: Path, target: Path, runs: bool | None) -> None:
    """Give the draft the permissions of the file that it will replace, with or without the executable bit as asked."""
    if os.name == "nt":
        return
    mode = stat.S_IMODE((target if target.exists() else draft).stat().st_mode)
    if runs is not None:
        mode = mode | (mode & 0o444) >> 2 if runs else mode & ~0o111
    draft.chmod(mode)


def replace(draft: Path, target: Path) -> None:
    """Put a draft in its target's place, for good."""
    # Windows can't replace a file that somebody has open; readers are quick, so a few tries suffice.
    for attempt in range(20):
        try:
            draft.replace(target)
            break
        except PermissionError:
            if attempt == 19:
                raise
            time.sleep(0.05)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """See to it that the names in a folder last."""
    if os.name == "nt":  # folders can't be synced there: a power cut may undo the rename, never tear the file
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
