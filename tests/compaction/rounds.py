"""Compaction of a memory held in a dictionary, and what its certificates say."""

from collections.abc import Callable, Iterator
from datetime import date

from minutebook.checks.certificate import certificate
from minutebook.checks.judgement import Case
from minutebook.compact.grouping import Limits
from minutebook.compact.plan import Bounds, By, plan_compact
from minutebook.compact.recall import Search, ranking
from minutebook.compact.summary import Salience
from minutebook.ground.change import File, Plan, Tree, with_changes
from minutebook.ground.config import Config
from minutebook.ground.entry import encode
from minutebook.ground.memory import read_memory
from minutebook.ground.problem import Problem

ROOT = ".memory"


def tree_of(texts: dict[str, str]) -> dict[str, File]:
    """Files beneath the memory root, by their paths there."""
    return {f"{ROOT}/{path}": as_file(text) for path, text in texts.items()}


def as_file(text: str) -> File:
    return File(encode(text))


def compacted(
    tree: Tree, today: date, salience: Salience, limits: Limits, *, force: bool = True, search: Search = ranking
) -> Plan:
    """The plan of a compaction of the memory in a tree."""
    memory = read_memory(tree, ROOT, Config())
    return plan_compact(memory, tree, today, By(salience, search), Bounds(limits, force=force))


def plain(sentences: object) -> list[float]:
    """Salience by length, for tests that ask for none: no library is loaded."""
    assert isinstance(sentences, list)
    return [1 / (1 + len(each)) for each in sentences]


def said(tree: Tree) -> list[Problem]:
    """What the rule says of the tree, compared with nothing."""
    return list(certificate(Case(read_memory(tree, ROOT, Config()), tree, None, {}, (), date(2026, 11, 20))))


def alone(tree: Tree, summary: str) -> dict[str, File]:
    """The part of a tree that a summary's certificate is about."""
    memory = read_memory(tree, ROOT, Config())
    entries = {entry.id: entry for entry in memory.entries(archived=True)}
    entry = memory.files[summary].entries[0]
    paths = [summary, f"{ROOT}/{entry.fields['ledger']}", *(entries[each].path for each in entry.ids("derived_from"))]
    return {path: tree[path] for path in paths}


def summaries(tree: Tree) -> list[str]:
    """The paths of the summaries that have a ledger."""
    return [path for path, file in tree.items() if path.startswith(f"{ROOT}/summaries/") and b"\nledger: " in file.data]


def after(tree: Tree, plan: Plan) -> dict[str, File]:
    return with_changes(tree, plan.changes)


def faulty(
    tree: Tree, count: int, kinds: tuple[str, ...], make: Callable[[str, str, int], str | None]
) -> Iterator[tuple[str, list[Problem]]]:
    """For `count` faults, spread over the summaries and the kinds: (kind, what the rule says)."""
    parts = [(path, alone(tree, path)) for path in summaries(tree)]
    done = seed = 0
    while done < count and seed < count * 20:
        path, part = parts[seed % len(parts)]
        kind = kinds[done % len(kinds)]
        text = make(part[path].data.decode(), kind, seed)
        seed += 1
        if text is not None:
            done += 1
            yield kind, said({**part, path: File(encode(text))})
