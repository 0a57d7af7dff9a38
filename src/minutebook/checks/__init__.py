"""The gate: every rule is one function from a case to problems; this is the list of them."""

from __future__ import annotations

from functools import lru_cache

from minutebook.checks.append_only import append_only
from minutebook.checks.attributes import attributes
from minutebook.checks.baseline import compared, unused_rows, without_known
from minutebook.checks.certificate import certificate
from minutebook.checks.fields import schema
from minutebook.checks.ids import ids
from minutebook.checks.index import index
from minutebook.checks.judgement import Case
from minutebook.checks.modes import modes
from minutebook.checks.names import names
from minutebook.checks.place import place
from minutebook.checks.reading import loose_text, type_files, yaml
from minutebook.checks.relations import relations
from minutebook.checks.scope import scope
from minutebook.checks.secrets import secrets
from minutebook.checks.sizes import sizes
from minutebook.checks.text import text
from minutebook.ground.frozen import as_tuple, replace
from minutebook.ground.problem import Problem
from minutebook.redaction.redact import Redactor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from minutebook.checks.judgement import Check

RULES: dict[str, Check] = {
    "yaml": yaml,
    "type": type_files,
    "schema": schema,
    "ids": ids,
    "relations": relations,
    "sizes": sizes,
    "append-only": append_only,
    "scope": scope,
    "modes": modes,
    "attributes": attributes,
    "secrets": secrets,
    "text": text,
    "names": names,
    "place": place,
    "loose-text": loose_text,
    "index": index,
    "certificate": certificate,
}


def judge(case: Case, only: Collection[str] = ()) -> tuple[Problem, ...]:
    """Every problem of the case, sorted by place; `only` narrows it to the named rules.

    A file that can't be read is one problem: what its entries seem to have lost is not reported beside it, unless the
    broken file was accepted into the baseline. No secret that a message quotes stays in it. When everything is judged
    by every rule, rows of the baseline that no problem needs any more are a warning.
    """
    found = [problem for name, check in RULES.items() if not only or name in only for problem in check(case)]
    unreadable = _unreadable(case, found)
    kept = (problem for problem in found if problem.rule != "append-only" or problem.path not in unreadable)
    problems = {_redacted(problem) for problem in kept}
    if case.base is None and case.baseline is not None and not RULES.keys() - set(only or RULES):
        problems.update(unused_rows(compared(problems, case.baseline), case))
    return tuple(sorted(problems, key=as_tuple))


def _unreadable(case: Case, found: list[Problem]) -> set[str]:
    broken = [problem for problem in found if problem.rule == "yaml"]
    if not broken:
        return set()
    new, _ = without_known(broken, case.baseline)
    return {problem.path for problem in new if not _entries(case, problem.path)}


def _entries(case: Case, path: str) -> bool:
    file = case.result.files.get(path)
    return file is not None and bool(file.entries)


@lru_cache(maxsize=4096)
def _without_secrets(text: str) -> str:
    return Redactor().redact(text)


def _redacted(problem: Problem) -> Problem:
    message, fix = _without_secrets(problem.message), _without_secrets(problem.fix)
    return problem if (message, fix) == (problem.message, problem.fix) else replace(problem, message=message, fix=fix)
