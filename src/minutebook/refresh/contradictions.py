"""Pairs of entries that both hold and can't both be true."""

from collections.abc import Callable, Iterable, Iterator

from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import cut
from minutebook.ground.memory import Memory
from minutebook.refresh.claims import Claim
from minutebook.refresh.verified import known_true

_MOST_ALIKE, _MOST_VALUES = 20, 3
_LONGEST = 120


@frozen
class Contradiction:
    """The entry of that path and id says one thing and `other`, known true no less lately, another."""

    path: str
    id: str
    other: str
    words: str


def contradictions(memory: Memory, claims: Callable[[Entry], tuple[Claim, ...]]) -> Iterator[Contradiction]:
    """For each pair that disagrees, the one that was known true earlier; both where neither was.

    Records of an event, drafts, session notes and what holds no more are no party, nor are two entries of which one
    names the other in a relation: what supersedes, derives from or contradicts is said already. Where many entries say
    as many different things about one subject, the subject is a pattern of speech.
    """
    by_subject: dict[str, list[tuple[Claim, Entry]]] = {}
    for entry in memory.entries():
        if _speaks(entry, memory):
            for claim in claims(entry):
                by_subject.setdefault(claim.subject, []).append((claim, entry))
    seen: set[tuple[str, str]] = set()
    for parties in by_subject.values():
        if 1 < len({claim.value for claim, _ in parties}) <= _MOST_VALUES and len(parties) <= _MOST_ALIKE:
            for found in _pairs(parties):
                if (found.id, found.other) not in seen:
                    seen.add((found.id, found.other))
                    yield found


def _speaks(entry: Entry, memory: Memory) -> bool:
    mtype = memory.type_of(entry)
    record = mtype.append_only and mtype.stale_after is None
    if record or mtype.durability in ("ephemeral", "derived") or memory.is_closed(entry):
        return False
    return mtype.stage(entry.status) != "draft" or not mtype.append_only


def _pairs(parties: list[tuple[Claim, Entry]]) -> Iterator[Contradiction]:
    for at, (claim, entry) in enumerate(parties):
        for other_claim, other in parties[at + 1 :]:
            if claim.value != other_claim.value and entry.id != other.id and not _related(entry, other):
                first, second = _day(entry), _day(other)
                if not first or not second or first <= second:
                    yield _against(entry, claim, other, other_claim)
                if not first or not second or second <= first:
                    yield _against(other, other_claim, entry, claim)


def _against(entry: Entry, claim: Claim, other: Entry, other_claim: Claim) -> Contradiction:
    words = f"says “{cut(claim.said, _LONGEST)}”, and {other.id} says “{cut(other_claim.said, _LONGEST)}”"
    return Contradiction(entry.path, entry.id, other.id, words)


def _related(first: Entry, second: Entry) -> bool:
    return second.id in _named(first) or first.id in _named(second)


def _named(entry: Entry) -> Iterable[str]:
    fields = ("supersedes", "superseded_by", "related_to", "derived_from", "contradicts")
    return {name for field in fields for name in entry.ids(field)}


def _day(entry: Entry) -> str:
    day = known_true(entry)
    return day.isoformat() if day is not None else ""
