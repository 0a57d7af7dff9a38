"""Where in the work tree a plan's path lies, and which paths no plan may write."""

from collections.abc import Collection
from pathlib import Path, PurePosixPath

from minutebook.ground.errors import CannotJudge


def place_of(top: Path, within: str, path: str, going: Collection[str]) -> Path:
    """Where a path lies. A file in the place of a folder above it, or a folder in its own place, may be there when the
    plan makes them go: `going` are the paths that do. Raises CannotJudge for a path outside of `within` ("" is the
    whole work tree), in git's own folder or through a symlink."""
    pure = PurePosixPath(path)
    unsafe = pure.is_absolute() or ".." in pure.parts or "\\" in path or ":" in path or "\0" in path
    if unsafe or not pure.parts or any(map(_is_git, pure.parts)) or str(pure) != path:
        raise CannotJudge(f"{path!r} is no path that minutebook writes")
    if within and not path.startswith(f"{within}/"):
        raise CannotJudge(f"{path} is outside of {within}/")
    place = top
    for part in pure.parts:
        if place.is_file() and place.relative_to(top).as_posix() not in going:
            raise CannotJudge(f"{place.relative_to(top)} is a file, and {path} would lie beneath it")
        place = place / part
        if place.is_symlink():
            raise CannotJudge(f"{place.relative_to(top)} is a symlink; minutebook writes through none")
    if place.is_dir():
        beneath = (each.relative_to(top).as_posix() for each in place.rglob("*") if not _is_folder(each))
        if any(each not in going for each in beneath):
            raise CannotJudge(f"{path} is a folder")
    elif place.exists() and not place.is_file():
        raise CannotJudge(f"{path} is no regular file")
    return place


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _is_git(part: str) -> bool:
    """Whether some file system takes this name for git's own folder."""
    return part.lower().rstrip(". ") in (".git", "git~1")
