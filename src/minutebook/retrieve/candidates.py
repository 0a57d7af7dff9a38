"""Which entries come into question for a task, in what order, and why the others don't."""

from collections.abc import Collection, Mapping

from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import Memory
from minutebook.ground.standing import closed_as, successors

ALWAYS, PHASE, MATCH = range(3)
_WEAK = 0.2  # of the best score


@frozen
class Candidate:
    """An entry that may be served. `tier` is ALWAYS, PHASE or MATCH; `score` 0.0 means that no word matched."""

    entry: Entry
    tier: int
    score: float
    why: str


@frozen
class Unserved:
    """An entry that came up and isn't served, with the reason in a few words."""

    entry: Entry
    score: float
    why: str


@frozen
class Reader:
    """Whose owner spaces are read: those of `user`, and of `agent`, or of every agent when it is empty."""

    user: str
    agent: str = ""

    def may_read(self, inner: str) -> bool:
        """Whether a path, seen from the memory root, is shared or the reader's own."""
        family, _, rest = inner.partition("/")
        owner = {"users": self.user, "agents": self.agent}.get(family, "")
        return rest.startswith(f"{owner}/") if owner else family != "users"


def candidates(
    memory: Memory, scores: Mapping[tuple[str, str], float], phases: Collection[str], reader: Reader
) -> tuple[list[Candidate], list[Unserved]]:
    """Candidates in the order in which they deserve room, and what came up beside them.

    `scores` are the search's by (path, id). Always loaded types come first, then those of the phases, then what
    matches. Superseded and closed entries aren't served; types that are never loaded only when nothing else matches.
    """
    found: list[Candidate] = []
    never: list[Candidate] = []
    unserved: list[Unserved] = []
    readable = [entry for entry in memory.entries() if reader.may_read(memory.inner(entry.path))]
    newer = successors(readable)
    for entry in readable:
        mtype = memory.type_of(entry)
        score = scores.get((entry.path, entry.id), 0.0)
        closed = _closed(entry, memory, newer.get(entry.id))
        if closed:
            unserved += [Unserved(entry, score, closed)] if score else []
        elif mtype.load == "always":
            found.append(Candidate(entry, ALWAYS, score, "always loaded"))
        elif mtype.load in phases:
            found.append(Candidate(entry, PHASE, score, f"loaded in phase {mtype.load}"))
        elif score and mtype.load == "never":
            never.append(Candidate(entry, MATCH, score, "nothing else matches"))
        elif score:
            found.append(Candidate(entry, MATCH, score, "matches the task"))
    if any(each.tier != ALWAYS for each in found):
        unserved += [Unserved(each.entry, each.score, "of a type that is never loaded") for each in never]
    else:
        found += never
    floor = _WEAK * max((each.score for each in found if each.tier == MATCH), default=0.0)
    weak = [each for each in found if each.tier == MATCH and each.score < floor]
    unserved += [Unserved(each.entry, each.score, "a weak match") for each in weak]
    return sorted((each for each in found if each not in weak), key=_order), sorted(unserved, key=_by_score)


def _closed(entry: Entry, memory: Memory, newer: Entry | None) -> str:
    """Why an entry no longer holds; "" when it does."""
    by = ", ".join(entry.ids("superseded_by")) or (newer.id if newer is not None else "")
    if by:
        return f"superseded by {by}"
    return closed_as(entry, memory.type_of(entry))


def _order(each: Candidate) -> tuple[int, float, str, int]:
    return each.tier, -each.score, each.entry.path, each.entry.line


def _by_score(each: Unserved) -> tuple[float, str, int]:
    return -each.score, each.entry.path, each.entry.line
