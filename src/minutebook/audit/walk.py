"""The whole history, commit by commit: which of them broke what, and whether it was ever put right."""

from __future__ import annotations

from minutebook.ground.frozen import frozen, replace

TYPE_CHECKING = False  # typing.TYPE_CHECKING, without the import
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from minutebook.audit.graph import Graph
    from minutebook.audit.judging import Judging
    from minutebook.audit.past import Past
    from minutebook.ground.commits import Commit
    from minutebook.ground.problem import Problem

Key = tuple[str, str]
"""What a problem is about: its rule, and the entry (or what else it names)."""


@frozen
class Break:
    """What a commit broke of what `base`, published before it, promised. `published` says whether the commit itself
    is on the published line."""

    commit: str
    base: str
    problem: Problem
    published: bool


@frozen
class Broken:
    """An entry, or a promise of the config, that was broken: by every commit of `breaks`, the first one first.

    `published_by` is the first commit that brought it onto the published line, "" when none did; `restored_by` the
    last one that put back what was published, "" when none did or it was broken again since; `still` says whether the
    head lacks what was published first.
    """

    rule: str
    entry: str
    breaks: tuple[Break, ...]
    published_by: str
    restored_by: str
    still: bool


def about(problem: Problem) -> Key:
    return problem.rule, problem.entry or f"{problem.path}: {problem.message}"


def audited(
    graph: Graph, past: Past, judging: Judging, asked: Collection[str] | None, done: Callable[[int], None]
) -> tuple[Broken, ...]:
    """Everything that was broken, in the order of the commits that broke it first. `asked` are the commits to judge,
    None for all; `done` is told how many commits have been walked."""
    walk = _Walk(graph, past, judging)
    for at, commit in enumerate(graph.commits):
        wanted = asked is None or commit.id in asked
        past.follow(commit.id, next(iter(commit.parents), ""), walked=wanted)
        if wanted:
            walk.step(commit)
        done(at + 1)
    return tuple(walk.rows())


class _Walk:
    def __init__(self, graph: Graph, past: Past, judging: Judging) -> None:
        self._graph, self._past, self._judging = graph, past, judging
        self._breaks: dict[Key, list[Break]] = {}
        self._restored: dict[Key, str] = {}
        self._carried: dict[str, frozenset[Problem]] = {}
        """By commit of a branch, what is broken on it already: its next commit isn't told of that again."""

    def step(self, commit: Commit) -> None:
        base = self._graph.base(commit)
        found = self._problems(commit, base) if base else ()
        published = commit.id in self._graph.published
        carried = {bare for parent in commit.parents for bare in self._carried.get(parent, ())}
        said = frozenset(_unplaced(found))
        if found and not published:
            self._carried[commit.id] = said
        for problem, bare in zip(found, _unplaced(found), strict=True):
            key = about(problem)
            if not published and bare in carried:
                continue
            if self._put_right(key, commit.id):
                if published:
                    self._restored[key] = commit.id
                continue
            self._breaks.setdefault(key, []).append(Break(commit.id, base, problem, published))
            if published:
                self._restored.pop(key, None)

    def _problems(self, commit: Commit, base: str) -> tuple[Problem, ...]:
        mine = self._past.listed(commit.id)
        others = [parent for parent in commit.parents if self._past.listed(parent) != mine]
        if len(commit.parents) < 2 or not others:
            alone = commit.parents[:1] == (base,)
            changed = self._past.changed(commit.id) if alone and len(commit.parents) == 1 else None
            return self._judging.problems(commit.id, base, changed, merged=lambda: self._sides(base, commit.id))
        first = commit.parents[0]
        forks = tuple(
            dict.fromkeys(each for other in commit.parents[1:] for each in self._graph.merge_bases(first, other))
        )
        listed = self._past.listed
        idle = all(listed(fork) == listed(parent) for parent in others for fork in forks)
        if idle and forks and mine == listed(base):
            return ()  # the other side never touched memory, and the merge left it as it was
        return self._judging.problems(
            commit.id, base, None, commit.parents, forks, lambda: self._sides(base, commit.id)
        )

    def _sides(self, base: str, head: str) -> tuple[str, ...]:
        merges = self._graph.merges(base, head)
        return tuple(dict.fromkeys(parent for merge in merges for parent in merge.parents))

    def _put_right(self, key: Key, commit: str) -> bool:
        """Whether the commit differs from what was published last because it puts back what was published first."""
        first = next((each for each in self._breaks.get(key, ()) if each.published), None)
        return first is not None and all(
            about(problem) != key for problem in self._judging.problems(commit, first.base)
        )

    def rows(self) -> Iterator[Broken]:
        head = self._graph.commits[-1].id
        at_head: dict[str, frozenset[Key]] = {}
        for key, breaks in self._breaks.items():
            published = next((each for each in breaks if each.published), None)
            if published is None:
                yield Broken(*key, tuple(breaks), "", "", still=False)
                continue
            if published.base not in at_head:
                at_head[published.base] = self._broken_at(head, published.base)
            still = key in at_head[published.base]
            restored = "" if still else self._restored.get(key, "")
            yield Broken(*key, tuple(breaks), published.commit, restored, still)

    def _broken_at(self, head: str, base: str) -> frozenset[Key]:
        found = self._judging.problems(head, base, merged=lambda: self._sides(base, head))
        return frozenset(map(about, found))


def _unplaced(problems: Iterable[Problem]) -> list[Problem]:
    """The problems without their lines: these shift as an entry is written above."""
    return [replace(problem, line=0) for problem in problems]
