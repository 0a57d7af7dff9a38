"""Memory is made of regular files."""

from collections.abc import Iterator

from minutebook.checks.judgement import Case
from minutebook.ground.change import EXECUTABLE, LINK, REGULAR, SUBMODULE
from minutebook.ground.problem import Problem

_KINDS = {LINK: "a symlink", SUBMODULE: "a submodule", EXECUTABLE: "executable"}


def modes(case: Case) -> Iterator[Problem]:
    """Every path beneath the memory root is a regular file that isn't executable; what leads to it is a folder.

    So is every file that the config maps from elsewhere. A symlink or a submodule in place of a file or a folder would
    put memory where no check looks.

    Severity: error.
    """
    root = case.result.root
    for path, file in case.tree.items():
        inside = path.startswith(f"{root}/")
        above = path == root or root.startswith(f"{path}/")
        if file.mode == REGULAR or not case.is_changed(path) or not (inside or above or _is_mapped(case, path)):
            continue
        kind = _KINDS.get(file.mode, f"of mode {file.mode}")
        if file.mode == EXECUTABLE:
            yield Problem(path, 0, "modes", f"{path} is {kind}", fix=f"git update-index --chmod=-x -- {path}")
        else:
            what = "the memory root" if above else "memory"
            yield Problem(path, 0, "modes", f"{path} is {kind}; {what} is made of regular files and folders")


def _is_mapped(case: Case, path: str) -> bool:
    """Whether the config of either side makes the file one of memory; a change can't excuse itself by dropping it."""
    return any(memory is not None and memory.type_at(path) is not None for memory in (case.result, case.base))
