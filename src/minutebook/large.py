"""A memory so large that it is judged in parts, where nothing is compared."""

from __future__ import annotations

from minutebook.checks.cases import Side
from minutebook.edges.trees import part_of, touches
from minutebook.ground.change import File
from minutebook.ground.config import CONFIG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from minutebook.checks.in_parts import Found
    from minutebook.edges import git
    from minutebook.edges.trees import Listing

LARGE = 30_000
"""Files; at a few kilobytes for each entry, more of them would take hundreds of megabytes at once."""


def unread(listing: Listing) -> Side:
    """What is judged, without its bytes."""
    return Side(dict.fromkeys(listing.sides[1], File(b"")), listing.new)


def judged_if_large(
    repo: git.Repository, listing: Listing, today: date, only: Sequence[str], *, no_baseline: bool
) -> Found | None:
    """What is found in the one root of a large memory; None for a smaller one, for several roots, and where the config
    maps places beside them."""
    side = listing.sides[1]
    roots = unread(listing).roots if len(side) > LARGE and not listing.new.mapped else ()
    if len(roots) != 1:
        return None
    from minutebook.checks.in_parts import Source, judged_in_parts

    inside = [path for path in side if path == CONFIG or touches(path, roots[0])]
    source = Source(roots[0], inside, listing.new, lambda paths: part_of(repo.folder, side, paths))
    return judged_in_parts(source, today, only, no_baseline=no_baseline)
