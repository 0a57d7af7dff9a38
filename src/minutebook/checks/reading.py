"""What could not be read at all."""

from collections.abc import Iterator

from minutebook.checks.judgement import Case
from minutebook.ground.problem import Problem


def yaml(case: Case) -> Iterator[Problem]:
    """YAML is read strictly: no duplicate keys, anchors, aliases, tags or keys that are no strings, within a bound of
    size and depth, and front matter that is opened is closed.

    A file that can't be read is one problem; the files around it are judged all the same.
    """
    return _read(case, "yaml")


def type_files(case: Case) -> Iterator[Problem]:
    """A type file (`types/*.yaml` beneath the memory root) is what `memory-type.schema.json` describes, with a JSON
    Schema that refers to nothing outside itself and whose patterns can't take for ever."""
    return _read(case, "type")


def loose_text(case: Case) -> Iterator[Problem]:
    """In a log, text under a heading of an entry's level that has no id belongs to no entry: nothing finds it, and
    nothing keeps it as it is."""
    return _read(case, "loose-text")


def _read(case: Case, rule: str) -> Iterator[Problem]:
    return (problem for problem in case.result.problems if problem.rule == rule and case.is_changed(problem.path))
