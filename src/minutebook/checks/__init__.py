"""The gate: every rule is one module with one function; this is the list of them."""

from collections.abc import Collection

from minutebook.checks.judgement import Case, Check
from minutebook.problem import Problem

RULES: dict[str, Check] = {}


def judge(case: Case, only: Collection[str] = ()) -> tuple[Problem, ...]:
    """Every problem of the case, sorted by place; `only` narrows it to the named rules."""
    found = [problem for name, check in RULES.items() if not only or name in only for problem in check(case)]
    return tuple(sorted(set(found)))
