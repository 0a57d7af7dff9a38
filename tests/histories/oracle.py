"""What the promise says of a change, worked out on abstract entries: what was done to them is known, not read."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from histories.model import FUTURE, REGULAR, STAGES, Entry, Place, State, places


@dataclass(frozen=True, slots=True)
class Verdict:
    """The ids (and paths) that are to blame, and those to warn of.

    `vague`: an id stands twice. Which of the two is the copy, and so what else was moved, is anybody's guess.
    """

    errors: frozenset[str] = frozenset()
    warnings: frozenset[str] = frozenset()
    vague: bool = False

    @property
    def word(self) -> str:
        return "reject" if self.errors else "warn" if self.warnings else "accept"

    def __or__(self, other: "Verdict") -> "Verdict":
        return Verdict(self.errors | other.errors, self.warnings | other.warnings, self.vague or other.vague)


class Unclear(Exception):
    """The base is one that no check would have let pass, and what it promises is anybody's guess."""


@dataclass(frozen=True, slots=True)
class World:
    """What counts for a whole history. `strict`: white space is sealed too."""

    order: str
    strict: bool


Pairs = list[tuple[Place, Place]]


def change(world: World, base: State, after: State, witnesses: Sequence[State] = ()) -> Verdict:
    """A commit against what is published; `witnesses` are the sides of the merges between the two."""
    olds, news = list(places(base)), list(places(after))
    held = Counter(old.entry.id.casefold() for old in olds)
    if any(count > 1 for count in held.values()):
        raise Unclear
    pairs, gone, fresh = _paired(olds, news)
    verdict = _kept(world, pairs, gone) | _moved_file(base, after, pairs)
    count = Counter(new.entry.id.casefold() for new in news)
    twice = frozenset(new.entry.id for new in news if count[new.entry.id.casefold()] > 1)
    verdict |= Verdict(twice, vague=bool(twice))
    verdict |= Verdict(frozenset(_misplaced(world, pairs, fresh, after, witnesses)))
    modes = (path for path, page in after.items() if page.mode != REGULAR and base.get(path) != page)
    odd = frozenset([*_odd_days(olds, fresh), *_takes_what_is_taken(olds, fresh)])
    return verdict | Verdict(frozenset(modes), odd)


def merge(
    world: World,
    base: State,
    after: State,
    parents: Sequence[State],
    forks: Sequence[State],
    witnesses: Sequence[State] = (),
) -> Verdict:
    """A merge commit: against what is published, and what each side holds survives and nothing else comes in."""
    verdict = change(world, base, after, [*parents, *witnesses])
    news = list(places(after))
    known = {place.entry.uid for side in (base, *parents) for place in places(side)}
    verdict |= Verdict(frozenset(new.entry.id for new in news if new.entry.uid not in known))
    for side in parents:
        settled = _settled(side, [other for other in parents if other is not side], forks)
        olds = [old for old in places(side) if old.entry.uid not in settled]
        pairs, gone, _ = _paired(olds, news)
        verdict |= _kept(world, pairs, gone)
    return verdict


def _paired(olds: list[Place], news: list[Place]) -> tuple[Pairs, list[Place], list[Place]]:
    """(pairs, what is gone, what is new). Of copies, the one with the same id and words in the same file counts."""
    pairs: Pairs = []
    gone: list[Place] = []
    left = list(news)
    known = {new.entry.id for new in news}
    for old in sorted(olds, key=lambda old: old.entry.id not in known):
        mine = [new for new in left if _is(old, new)]
        new = min(mine, key=lambda new: _distance(old, new), default=None)
        if new is None:
            gone.append(old)
        else:
            pairs.append((old, new))
            left.remove(new)
    # A draft may become anything, another entry of its name too.
    free = {old.entry.id: old for old in gone if not old.entry.is_sealed}
    taken = [new for new in left if new.entry.id in free]
    pairs += [(free.pop(new.entry.id), new) for new in taken if new.entry.id in free]
    paired = {id(new) for _, new in pairs}
    known = {new.entry.id.casefold() for _, new in pairs}
    fresh = [new for new in left if id(new) not in paired and new.entry.id.casefold() not in known]
    return pairs, [old for old in gone if old.entry.is_sealed], fresh


def _is(old: Place, new: Place) -> bool:
    """With another id and other words it is another entry."""
    same = old.entry.uid == new.entry.uid and old.entry.type == new.entry.type
    return same and (old.entry.id == new.entry.id or _says_the_same(old, new))


def _says_the_same(old: Place, new: Place) -> bool:
    """Written as a log entry or as a file of its own, the same words are another text."""
    return old.entry.content == new.entry.content and old.alone == new.alone


def _distance(old: Place, new: Place) -> tuple[bool, bool, bool]:
    return old.entry.id != new.entry.id, not _says_the_same(old, new), old.path != new.path


def _kept(world: World, pairs: Pairs, gone: Iterable[Place]) -> Verdict:
    errors = {old.entry.id for old in gone}
    slight = set[str]()
    sealed = [(old, new) for old, new in pairs if old.entry.is_sealed]
    for old, new in sealed:
        if _is_broken(old.entry, new.entry) or old.alone != new.alone or _is_put_away(old, new):
            errors |= {old.entry.id, new.entry.id}
        elif old.entry.content == new.entry.content and _differs_in_space(old, new):
            slight.add(old.entry.id)
    errors |= set(_reordered(sealed))
    return Verdict(frozenset(errors | (slight if world.strict else set())), frozenset(slight))


def _is_broken(old: Entry, new: Entry) -> bool:
    """Whether a sealed entry became something that it may not become."""
    status = old.status != new.status and (
        not new.status
        or STAGES[new.status] < STAGES[old.status]
        or (STAGES[new.status] == STAGES[old.status] and old.status != "")
    )
    marker = old.marker != new.marker and old.marker != ""
    addenda = new.addenda[: len(old.addenda)] != old.addenda
    return old.id != new.id or old.body != new.body or status or marker or addenda


def _is_put_away(old: Place, new: Place) -> bool:
    archived = [place.path.startswith(".memory/archive/") for place in (old, new)]
    return archived == [False, True] and not new.entry.is_closed


def _differs_in_space(old: Place, new: Place) -> bool:
    return old.spaces != new.spaces or (old.end != new.end and old.follower == new.follower)


def _reordered(sealed: Pairs) -> Iterator[str]:
    """Whoever took part in a change of order among those that went from one log to one log."""
    logs = [(old, new) for old, new in sealed if not old.alone and not new.alone]
    for old, new in logs:
        for other, now in logs:
            if (old.path, new.path) == (other.path, now.path) and old.at < other.at and new.at > now.at:
                yield old.entry.id
                yield other.entry.id


def _moved_file(base: State, after: State, pairs: Pairs) -> Verdict:
    """A renamed file whose old name another entry has taken."""
    errors = set[str]()
    for old, new in pairs:
        if old.alone and old.path != new.path and old.entry.is_sealed:
            there = [place for place in places(after) if place.path == old.path and place.entry.id != old.entry.id]
            errors |= {old.entry.id} if there else set()
    return Verdict(frozenset(errors))


def _misplaced(
    world: World, pairs: Pairs, fresh: list[Place], after: State, witnesses: Sequence[State]
) -> Iterator[str]:
    """New entries beyond sealed ones of their log, unless a merge put them there: a side that holds the new one and
    has never seen the old one."""
    known = [{place.entry.id for place in places(witness)} for witness in witnesses]
    past: Callable[[int, int], bool] = (
        (lambda new, old: new > old) if world.order == "newest-first" else (lambda new, old: new < old)
    )
    for new in fresh:
        for old, now in pairs:
            stands = now.path == new.path == old.path and old.entry.is_sealed and not new.alone
            explained = any(new.entry.id in ids and old.entry.id not in ids for ids in known)
            if stands and past(new.at, now.at) and not explained:
                yield new.entry.id


def _odd_days(olds: list[Place], fresh: list[Place]) -> Iterator[str]:
    """New entries of the future, or older than what is published."""
    for new in fresh:
        newest = max((old.entry.day for old in olds if old.entry.type == new.entry.type), default=0)
        if new.entry.day >= FUTURE or new.entry.day < newest:
            yield new.entry.id


def _takes_what_is_taken(olds: list[Place], fresh: list[Place]) -> Iterator[str]:
    """New entries that supersede what no longer holds, or what another one supersedes too."""
    closed = {old.entry.id for old in olds if old.entry.is_closed}
    taken = {old.entry.supersedes for old in olds}
    wanted = Counter(new.entry.supersedes for new in fresh)
    for new in fresh:
        old = new.entry.supersedes
        if old and (old in closed or old in taken or wanted[old] > 1):
            yield new.entry.id


def _settled(side: State, others: Sequence[State], forks: Sequence[State]) -> set[int]:
    """The entries that this side left alone and another one didn't: what becomes of them is the other one's affair."""

    def held(state: State) -> dict[int, object]:
        return {place.entry.uid: (place.entry.id, place.entry.content) for place in places(state)}

    before, theirs = [held(fork) for fork in forks], [held(other) for other in others]
    return {
        uid
        for uid, mine in held(side).items()
        if before and all(fork.get(uid) == mine for fork in before) and any(other.get(uid) != mine for other in theirs)
    }
