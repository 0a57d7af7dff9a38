"""What git is told about memory files: attributes that show or store something else than what is judged."""

from __future__ import annotations

from minutebook.ground.entry import decode
from minutebook.ground.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from minutebook.checks.judgement import Case

ATTRIBUTES = ".gitattributes"
_ODD = frozenset({"filter", "ident", "working-tree-encoding", "diff", "binary", "merge"})
_FINE = frozenset({"merge=minutebook", "merge", "merge=text", "diff", "diff=markdown"})


def attributes(case: Case) -> Iterator[Problem]:
    """No new line of `.gitattributes` makes git show, change or merge memory in a way of its own.

    A filter, `ident` or another encoding puts other bytes into the work tree than git holds; `-diff`, `binary` or a
    diff driver hide changes from review; `merge=union` loses lines. Memory is judged by what git holds in any case, so
    none of it gets past the check. `merge=minutebook` is ours.

    Severity: warning.
    """
    for path in sorted(case.changed_paths if case.base is not None else ()):
        file = case.tree.get(path)
        if file is None or path.rsplit("/", 1)[-1] != ATTRIBUTES:
            continue
        old = case.base_tree.get(path)
        before = set(decode(old.data).split("\n")) if old is not None else set[str]()
        folder = path.removesuffix(ATTRIBUTES)
        for number, line in enumerate(decode(file.data).split("\n"), 1):
            pattern, *told = line.split() or [""]
            odd = [each for each in told if each not in _FINE and each.lstrip("-!").partition("=")[0] in _ODD]
            if line not in before and odd and not pattern.startswith("#") and _reaches(pattern, folder, case):
                message = f"`{' '.join(odd)}` on {pattern} reaches memory: what people see may not be what is judged"
                fix = f"take it out, or keep it from {case.result.root}/"
                yield Problem(path, number, "attributes", message, fix, severity="warning")


def _reaches(pattern: str, folder: str, case: Case) -> bool:
    """Whether the pattern matches a file of memory; rather once too often than once too seldom."""
    from fnmatch import fnmatchcase

    bare = pattern.strip('"').lstrip("/").replace("**/", "*")
    inside = [path for path in case.tree if path.startswith(f"{case.result.root}/") or path in case.result.files]
    beneath = [path.removeprefix(folder) for path in inside if path.startswith(folder)]
    if "/" not in pattern.strip("/"):
        return any(fnmatchcase(path.rsplit("/", 1)[-1], bare) for path in beneath)
    return any(fnmatchcase(path, bare) for path in beneath)
