"""From two trees to what a check is given: one case for each memory root."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from minutebook.checks.judgement import Case
from minutebook.ground.change import Tree, changes_between
from minutebook.ground.config import CONFIG, Config
from minutebook.ground.entry import MemoryFile
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import TYPES, Memory, memory_type_of, read_file, read_memory, without_registry


@frozen
class Side:
    """A tree and the config that counts for it."""

    tree: Tree
    config: Config

    @property
    def roots(self) -> tuple[str, ...]:
        """The memory roots: those that the config names and that hold something, or the ones at the usual places."""
        return tuple(root for root in self.config.places if any(_touches(path, root) for path in self.tree))


def cases(
    before: Side | None,
    after: Side,
    today: date,
    parents: Sequence[Tree] = (),
    merged: Sequence[Tree] = (),
    forks: Sequence[Tree] = (),
) -> Iterator[Case]:
    """A case for every root that either side has; `before` is None when there is nothing to compare with."""
    for root in dict.fromkeys((*(before.roots if before is not None else ()), *after.roots)):
        yield _case(root, before, after, today, (parents, merged, forks))


def _case(root: str, before: Side | None, after: Side, today: date, others: tuple[Iterable[Tree], ...]) -> Case:
    tree = _beneath(root, after.tree)
    if before is None:
        return Case(read_memory(tree, root, after.config), tree, None, {}, (), today)
    old = _beneath(root, before.tree)
    changes = changes_between(old, tree)
    if any(path != CONFIG for path in old):
        base = read_memory(old, root, before.config)
        promised = _read_as(base, old, tree)
        same = before.config == after.config and not any(each.path.startswith(f"{root}/{TYPES}") for each in changes)
        result = promised if same else read_memory(tree, root, after.config)
    else:  # a new root: it promises nothing yet
        promised = result = read_memory(tree, root, after.config)
        base = Memory(root, after.config, result.types, {})
    sides = [tuple(_read_as(base, old, _beneath(root, each)) for each in group) for group in others]
    return Case(result, tree, base, old, changes, today, sides[0], promised, sides[1], sides[2])


def _beneath(root: str, tree: Tree) -> Tree:
    return {path: file for path, file in tree.items() if path == CONFIG or _touches(path, root)}


def _touches(path: str, root: str) -> bool:
    """Whether the path is beneath the root, or stands (a symlink, a submodule) where the root or a parent should."""
    return path.startswith(f"{root}/") or path == root or root.startswith(f"{path}/")


def _read_as(base: Memory, old: Tree, tree: Tree) -> Memory:
    """The tree read with the base's config and types; files that the base has too aren't read again."""
    files: dict[str, MemoryFile] = {}
    problems = [problem for problem in base.problems if problem.path not in base.files]
    for path in sorted(path for path in tree if path.startswith(f"{base.root}/")):
        mtype = memory_type_of(base.inner(path), base.types)
        if mtype is not None:
            known = base.files.get(path) if old.get(path) == tree[path] else None
            files[path] = known if known is not None else read_file(path, tree[path], mtype)
            problems += files[path].problems
    return Memory(base.root, base.config, base.types, without_registry(files, base.root), tuple(problems))
