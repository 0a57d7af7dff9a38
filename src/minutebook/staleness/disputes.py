"""Which entries can't both hold, worked out anew only where claims changed.

Two entries contradict each other over one subject. So when the claims of some entries change, other things can be said
of those alone that claim something of the same subjects; and of these all that is needed are the entries that they
share a subject with.
"""

from collections.abc import Collection, Iterable, Mapping
from hashlib import blake2b

from minutebook.edges.entry_rows import Row, disputable, parties_to, state_claims
from minutebook.edges.refresh_cache import Cache
from minutebook.ground.entry import Entry, encode
from minutebook.ground.memory import Memory
from minutebook.refresh.claims import Claim
from minutebook.refresh.contradictions import Contradiction, contradictions
from minutebook.staleness.held import only
from minutebook.staleness.recall import Place, claims_in, disputes_text, place_of

MOST_VALUES, MOST_PARTIES = 12, 120
"""More than what `refresh/contradictions.py` takes for a dispute: of a subject beyond these it says nothing."""


def state(cached: Cache, memory: Memory, rows: Mapping[Place, Row]) -> None:
    """Keep what the entries of `memory` that have a say claim."""
    spoken: dict[Place, set[tuple[int, int]]] = {place: set() for place in rows}

    def heard(entry: Entry) -> tuple[Claim, ...]:
        claimed = claims_in(rows[place_of(entry)])
        spoken[place_of(entry)] = {(_number(each.subject), _number(each.value)) for each in claimed}
        return ()

    for _ in contradictions(only(memory, rows.keys()), heard):
        pass
    numbers = {place: row.number for place, row in rows.items()}
    state_claims(cached.connection, {n: spoken[place] for place, n in numbers.items() if n is not None})


def rivals(cached: Cache, numbers: Collection[int]) -> set[int]:
    """The entries of which other things may be said when these change what they claim."""
    subjects = disputable(cached.connection, numbers, MOST_VALUES, MOST_PARTIES)
    return parties_to(cached.connection, subjects)


def disputed(memory: Memory, rows: Iterable[Row], subjects: Collection[int]) -> dict[Place, str]:
    """What contradicts each entry, as its row holds it, over these subjects."""
    claimed = {row.place: claims_in(row) for row in rows}

    def over(entry: Entry) -> tuple[Claim, ...]:
        return tuple(each for each in claimed[place_of(entry)] if _number(each.subject) in subjects)

    found: dict[Place, list[Contradiction]] = {}
    for each in contradictions(only(memory, claimed.keys()), over):
        found.setdefault((each.path, each.id), []).append(each)
    return {place: disputes_text(several) for place, several in found.items()}


def _number(text: str) -> int:
    return int.from_bytes(blake2b(encode(text), digest_size=8).digest(), "big") >> 1
