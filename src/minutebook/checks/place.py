"""Files lie where a type has its place."""

from __future__ import annotations

from minutebook.checks.judged import judged_files
from minutebook.ground.memory import INDEX, TEMPLATE, memory_type_of
from minutebook.ground.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from minutebook.checks.judgement import Case


def place(case: Case) -> Iterator[Problem]:
    """A Markdown file lies where some type has its place, and what is private stays out of git.

    Where no type has its place, no verb finds an entry. `index.md`, `_template.md`, `README.md` and `*.example.md` hold
    none and may lie anywhere. Owner spaces (`users/`) go into git only with `users: commit` in the config.

    Severity: warning for a place of no type, error for a new file of an owner space.
    """
    memory = case.result
    for path, _ in judged_files(case):
        inner = memory.inner(path)
        if inner == path or inner.startswith("../"):  # the config, and what it maps from beside the root
            continue
        leaks = case.tracked and memory.is_private(path)
        if leaks and (case.base is None or path not in case.base_tree):
            fix = f"git rm --cached {path}, or `users: commit` in .minutebook.yaml to share them"
            yield Problem(path, 0, "place", "owner spaces are private; this one would go into git", fix)
        elif _holds_entries(inner) and memory_type_of(inner, memory.types) is None:
            from difflib import get_close_matches

            places = {mtype.place: mtype for mtype in memory.types.values()}
            close = get_close_matches(inner, places, 1, 0.3)
            fix = f"{memory.outer(close[0])} is the place of a {places[close[0]].name}" if close else ""
            yield Problem(path, 0, "place", "no memory type has its place here", fix, severity="warning")


def _holds_entries(inner: str) -> bool:
    name = inner.rsplit("/", 1)[-1].lower()
    return name.endswith(".md") and not name.endswith(".example.md") and name not in (INDEX, TEMPLATE, "readme.md")
