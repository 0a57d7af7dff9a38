"""A script becomes a history: commits, branches and merges, each with what the oracle says of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from histories import oracle
from histories.given import Given, Supply
from histories.merging import three_way
from histories.model import CASES, FILES, LOG, MARKERS, Page, State, places
from histories.operations import OPERATIONS
from histories.oracle import Unclear, Verdict, World
from histories.script import EVIL, Script, Step


@dataclass(frozen=True, slots=True)
class Commit:
    parents: tuple[int, ...]
    state: State


@dataclass(frozen=True, slots=True)
class Judged:
    """A commit, by its number, and what it is to be judged by: `parents` of a merge, `forks` where these parted,
    `witnesses` the sides of earlier merges since the base. `main` is where the published branch was."""

    kind: str
    commit: int
    base: int
    main: int
    expected: Verdict
    parents: tuple[int, ...] = ()
    forks: tuple[int, ...] = ()
    witnesses: tuple[int, ...] = ()


@dataclass(slots=True)
class History:
    script: Script
    commits: list[Commit] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)
    unclear: int = 0


def told(script: Script) -> History:
    """Tell the script: steps that can't be done where they stand are left out."""
    teller = _Teller(script)
    for step in script.steps:
        teller.take(step)
    return teller.history


class _Teller:
    def __init__(self, script: Script) -> None:
        self.world = World("newest-first" if script.newest_first else "oldest-first", script.strict)
        self.script = script
        self.supply = Supply()
        self.history = History(script)
        self.seen: list[frozenset[int]] = []
        self.main = self.commit((), _first(script, self.supply))
        self.trunk = [self.main]
        self.tips: list[int] = []

    def commit(self, parents: tuple[int, ...], state: State) -> int:
        number = len(self.history.commits)
        self.history.commits.append(Commit(parents, state))
        self.seen.append(frozenset([number]).union(*(self.seen[parent] for parent in parents)))
        return number

    def state(self, number: int) -> State:
        return self.history.commits[number].state

    def take(self, step: Step) -> None:
        at = self.branch(step)
        tip = self.main if at is None else self.tips[at]
        made = self.made(step, tip, at)
        if made is None:
            return
        parents, state = made
        new = self.commit(parents, state)
        passed = self.judge(step, new)
        if at is None:
            if passed:
                self.main = new
                self.trunk.append(new)
        elif passed or step.a % 4 == 0:
            self.tips[at] = new

    def branch(self, step: Step) -> int | None:
        """The number of the branch that the step is on; None is main."""
        if step.where < 3:
            return None
        if not self.tips or (step.where > 7 and len(self.tips) < 3):
            back = (0, 0, 1, 2)[step.b % 4]
            stacked = self.tips and step.a % 2
            self.tips.append(self.tips[-1] if stacked else self.trunk[max(0, len(self.trunk) - 1 - back)])
            return len(self.tips) - 1
        return len(self.tips) - 1 if step.where < 7 else step.a % len(self.tips)

    def made(self, step: Step, tip: int, at: int | None) -> tuple[tuple[int, ...], State] | None:
        """(parents, state) of the commit that the step makes."""
        if step.kind in OPERATIONS:
            state = self.done(step, step.kind, self.state(tip))
            return ((tip,), state) if state is not None else None
        if step.kind == "revert":
            before = self.history.commits[tip].parents
            return ((tip,), self.state(before[0])) if before else None
        if step.kind == "cherry_pick":
            return self.picked(step, tip)
        other = self.other(step, at)
        if other is None or other in self.seen[tip] or (step.kind != "squash" and tip in self.seen[other]):
            return None
        forks = self.best(tip, other)  # several after merges crosswise
        fork, ours, theirs = (self.state(each) for each in (forks[step.b % len(forks)], tip, other))
        if step.kind == "rebase":
            if at is None:
                return None
            state = three_way(fork, theirs, ours, theirs_first=True)
            return ((self.main,), state) if state is not None else None
        state = three_way(fork, ours, theirs, theirs_first=step.a % 2 == 0)
        if state is not None and step.kind in EVIL:
            held = {place.entry.uid for place in places(self.state(self.main))}
            own = frozenset(place.entry.uid for place in places(state)) - held if step.b % 3 else frozenset[int]()
            state = self.done(step, EVIL[step.kind], state, own)
        if state is None:
            return None
        return ((tip,) if step.kind == "squash" else (tip, other)), state

    def done(self, step: Step, kind: str, state: State, only: frozenset[int] = frozenset()) -> State | None:
        return OPERATIONS[kind](Given(state, self.supply, self.script.newest_first, step.a, step.b, only))

    def picked(self, step: Step, tip: int) -> tuple[tuple[int, ...], State] | None:
        """An entry of any other commit that this one lacks, or has already: then it stands twice."""
        source = self.state(step.b % len(self.history.commits))
        entries = source[LOG].entries if LOG in source and not source[LOG].alone else ()
        page = self.state(tip).get(LOG, Page(()))
        if not entries or page.alone:
            return None
        given = Given(self.state(tip), self.supply, self.script.newest_first, step.a, step.b)
        entry = entries[step.a % len(entries)]
        return (tip,), given.with_page(LOG, page.with_entries(*given.opened(page.entries, entry)))

    def other(self, step: Step, at: int | None) -> int | None:
        if at is None:
            return self.tips[step.a % len(self.tips)] if self.tips else None
        if step.kind == "rebase":
            return self.main
        others = [tip for number, tip in enumerate(self.tips) if number != at]
        return others[step.b % len(others)] if others and step.a % 3 == 0 else self.main

    def best(self, *commits: int) -> tuple[int, ...]:
        """The best common ancestors."""
        shared = frozenset.intersection(*(self.seen[commit] for commit in commits))
        return tuple(each for each in sorted(shared) if not any(each in self.seen[other] - {other} for other in shared))

    def judge(self, step: Step, new: int) -> bool:
        """Add what the oracle says of the commit against each base; whether it would get past the gate."""
        commit = self.history.commits[new]
        parents = commit.parents if len(commit.parents) > 1 else ()
        forks = self.best(*parents) if parents else ()
        passed = True
        for base in self.best(self.main, new):
            since = set().union(*(self.seen[each] for each in parents)) if parents else self.seen[new]
            witnesses = tuple(self.sides(since - self.seen[base]))
            try:
                expected = self.expected(base, commit, parents, forks, witnesses)
            except Unclear:
                self.history.unclear += 1
                return False
            passed &= not expected.errors
            self.history.judged.append(Judged(step.kind, new, base, self.main, expected, parents, forks, witnesses))
        return passed

    def expected(
        self, base: int, commit: Commit, parents: Sequence[int], forks: Sequence[int], witnesses: Sequence[int]
    ) -> Verdict:
        sides, where, seen = ([self.state(each) for each in group] for group in (parents, forks, witnesses))
        if parents:
            return oracle.merge(self.world, self.state(base), commit.state, sides, where, seen)
        return oracle.change(self.world, self.state(base), commit.state, seen)

    def sides(self, commits: set[int] | frozenset[int]) -> Iterator[int]:
        known = dict.fromkeys(
            parent for each in sorted(commits) if len(self.history.commits[each].parents) > 1
            for parent in self.history.commits[each].parents
        )  # fmt: skip
        yield from known


def _first(script: Script, supply: Supply) -> State:
    """Decisions, marked ones and a draft in the log; a decision and a case in files of their own."""
    old = [replace(supply.entry(number, 0), extra=extra) for number, extra in enumerate(("plain", "fence", "heading"))]
    old.append(replace(supply.entry(3, 0), marker=MARKERS[1], addenda=(supply.number(),)))
    old.append(supply.entry(0, 2))
    if script.newest_first:
        old.reverse()
    case, alone = supply.case(0, 0), supply.entry(1, 0)
    return {
        LOG: Page(tuple(old)),
        f"{CASES}/2026-01-01-n{case.uid}.md": Page((case,), "case", alone=True),
        f"{FILES}/{alone.id}.md": Page((alone,), alone=True),
    }
