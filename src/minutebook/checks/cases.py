"""From two trees to what a check is given: one case for each memory root."""

from __future__ import annotations

from minutebook.checks.attributes import ATTRIBUTES
from minutebook.checks.judgement import Case
from minutebook.ground.change import changes_between
from minutebook.ground.config import CONFIG
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import TYPES, Memory, read_file, read_memory, without_registry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from minutebook.ground.change import Tree
    from minutebook.ground.config import Config
    from minutebook.ground.entry import MemoryFile
    from minutebook.ground.memory import Reader

_BESIDE = (CONFIG, ATTRIBUTES)
"""What counts for every root, and is no memory itself."""


@frozen
class Side:
    """A tree and the config that counts for it."""

    tree: Tree
    config: Config

    @property
    def roots(self) -> tuple[str, ...]:
        """The memory roots: those that the config names and that hold something, or the ones at the usual places."""
        found = tuple(root for root in self.config.places if any(_touches(path, root) for path in self.tree))
        if found or not self.config.mapped:
            return found
        return self.config.places[:1] if any(map(self.config.mapped_as, self.tree)) else ()


def cases(
    before: Side | None,
    after: Side,
    today: date,
    parents: Sequence[Tree] = (),
    merged: Sequence[Tree] = (),
    forks: Sequence[Tree] = (),
    read: Reader = read_file,
) -> Iterator[Case]:
    """A case for every root that either side has; `before` is None when there is nothing to compare with. What the
    config maps from beside the roots belongs to the first of them."""
    configs = tuple(side.config for side in (before, after) if side is not None and side.config.mapped)
    for root in dict.fromkeys((*(before.roots if before is not None else ()), *after.roots)):
        yield _case(_Scope(root, configs, read), before, after, today, (parents, merged, forks))
        configs = ()


@frozen
class _Scope:
    """Which files a case is about: those beneath the root, and those that one of `configs` maps; and their reader."""

    root: str
    configs: tuple[Config, ...]
    read: Reader

    def of(self, tree: Tree) -> Tree:
        return {path: file for path, file in tree.items() if path in _BESIDE or self._covers(path)}

    def _covers(self, path: str) -> bool:
        return _touches(path, self.root) or any(config.mapped_as(path) for config in self.configs)


def _case(scope: _Scope, before: Side | None, after: Side, today: date, others: tuple[Iterable[Tree], ...]) -> Case:
    root, read = scope.root, scope.read
    tree = scope.of(after.tree)
    if before is None:
        return Case(read_memory(tree, root, after.config, read), tree, None, {}, (), today)
    old = scope.of(before.tree)
    changes = changes_between(old, tree)
    if any(path not in _BESIDE for path in old):
        base = read_memory(old, root, before.config, read)
        promised = _read_as(base, old, tree, read)
        same = before.config == after.config and not any(each.path.startswith(f"{root}/{TYPES}") for each in changes)
        result = promised if same else read_memory(tree, root, after.config, read)
    else:  # a new root: it promises nothing yet
        promised = result = read_memory(tree, root, after.config, read)
        base = Memory(root, after.config, result.types, {})
    sides = [tuple(_read_as(base, old, scope.of(each), read) for each in group) for group in others]
    return Case(result, tree, base, old, changes, today, sides[0], promised, sides[1], sides[2])


def _touches(path: str, root: str) -> bool:
    """Whether the path is beneath the root, or stands (a symlink, a submodule) where the root or a parent should."""
    return path.startswith(f"{root}/") or path == root or root.startswith(f"{path}/")


def _read_as(base: Memory, old: Tree, tree: Tree, read: Reader) -> Memory:
    """The tree read with the base's config and types; files that the base has too aren't read again."""
    files: dict[str, MemoryFile] = {}
    problems = [problem for problem in base.problems if problem.path not in base.files]
    for path in sorted(tree):
        mtype = base.type_at(path)
        if mtype is not None:
            known = base.files.get(path)
            if known is not None and old.get(path) == tree[path]:
                files[path] = known
            elif known is not None and known.log and read is read_file:
                files[path] = read_file(path, tree[path], mtype, base.config, earlier=known)
            else:
                files[path] = read(path, tree[path], mtype, base.config)
            problems += files[path].problems
    return Memory(base.root, base.config, base.types, without_registry(files, base.root), tuple(problems))
