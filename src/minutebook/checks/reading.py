"""What could not be read at all."""

from collections.abc import Iterator

from minutebook.checks.judgement import Case
from minutebook.ground.problem import Problem


def yaml(case: Case) -> Iterator[Problem]:
    """YAML is read strictly, and front matter that is opened is closed.

    One mapping at the top, in UTF-8; no duplicate keys, anchors, aliases, tags or keys that are no strings; within a
    bound of size (1 MiB) and depth (32). Values stay what they look like: `no`, `012`, `1e3` and dates are text where
    the schema says text. A file that can't be read is one problem; the files around it are judged all the same.

    Severity: error. A warning in a decision record at a place that the config maps: nobody is made to rewrite it.
    """
    return _read(case, "yaml")


def type_files(case: Case) -> Iterator[Problem]:
    """A type file (`types/*.yaml` beneath the memory root) is what `memory-type.schema.json` describes.

    Its JSON Schema refers to nothing outside itself, and its patterns can't take for ever. A type file that can't be
    read is as if it weren't there: the built-in type of that name counts, or none.

    Severity: error.
    """
    return _read(case, "type")


def loose_text(case: Case) -> Iterator[Problem]:
    """Text in a log belongs to an entry.

    Under a heading of an entry's level that has no id, nothing finds it, and nothing keeps it as it is. What stands
    before the first entry is the log's head, and is fine.

    Severity: warning.
    """
    return _read(case, "loose-text")


def _read(case: Case, rule: str) -> Iterator[Problem]:
    return (problem for problem in case.result.problems if problem.rule == rule and case.is_changed(problem.path))
