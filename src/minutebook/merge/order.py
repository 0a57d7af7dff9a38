"""One order out of two."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from minutebook.merge.log import Known


def by_age(ours: Sequence[str], theirs: Sequence[str], base: Collection[str], known: Known) -> list[str] | None:
    """The names of two versions of a log in one order, as they stand in the file: from what both have had, by what is
    published, to each side's new ones as a whole, those of the older side (`known.under`) first. None when the two
    sides contradict each other in more than what nobody has published: that may be ordered anew, as the older side
    has it."""
    turned = -1 if known.newest_first else 1
    sides = [list(ours)[::turned], list(theirs)[::turned]]
    older = set(sides[known.under])

    def rank(name: str) -> int:
        return 0 if name in base else 1 if name in known.published else 2 if name in older else 3

    found = in_one_order(sides[0], sides[1], rank)
    if found is None and known.has_published:
        other = 1 - known.under
        sides[other] = [name for name in sides[other] if name not in older or name in known.published]
        found = in_one_order(sides[0], sides[1], rank)
    return found[::turned] if found is not None else None


def in_one_order(ours: Sequence[str], theirs: Sequence[str], rank: Callable[[str], int]) -> list[str] | None:
    """The names of both sides, each once, so that either side's are in that side's order; None when the two
    contradict each other. Where the sides leave it open the lower rank comes first, and then ours.

    No name may stand twice on one side.
    """
    sides = (ours, theirs)
    left = (set(ours), set(theirs))
    at, out = [0, 0], list[str]()
    while at[0] < len(ours) or at[1] < len(theirs):
        best = ""
        for side in (0, 1):
            if at[side] == len(sides[side]):
                continue
            name, other = sides[side][at[side]], 1 - side
            free = name not in left[other] or sides[other][at[other]] == name
            if free and (not best or rank(name) < rank(best)):
                best = name
        if not best:
            return None
        out.append(best)
        for side in (0, 1):
            if best in left[side]:
                left[side].discard(best)
                at[side] += 1
    return out
