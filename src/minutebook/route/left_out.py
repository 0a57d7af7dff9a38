"""What is left out of a whole plan once all of it is seen, each with the reason. Pure."""

from collections.abc import Collection, Iterator, Mapping

from minutebook.extract import MOST
from minutebook.ground.change import Plan, Proposal
from minutebook.ground.memory import Memory
from minutebook.ground.session import Candidate
from minutebook.route.known import NOTE
from minutebook.route.provenance import rows_of


def learned(plan: Plan) -> Iterator[Proposal]:
    """The entries that come of candidates: the notes of the sessions do not."""
    return (entry for change in plan.changes for entry in change.entries if entry.candidate)


def overtaken(memory: Memory, plan: Plan) -> Iterator[tuple[str, str]]:
    """(candidate, why) of what this run would write only to supersede it itself, where minds changed more than once:
    of such a chain the last word alone is worth an entry."""
    published = {entry.id for entry in memory.entries(archived=True)}
    written = {entry.id: entry for entry in learned(plan)}
    next_of = {
        old: entry
        for entry in written.values()
        if entry.verb == "supersede"
        for old in entry.supersedes
        if old not in published
    }
    middle = {entry.id for entry in next_of.values()} & next_of.keys()
    for old, entry in next_of.items():
        chained = old in middle or entry.id in middle
        if chained and old in written:
            where = entry.evidence[0]
            yield written[old].candidate, f"taken back later, in turn {where.turn} of session {where.session}"


def too_many(
    memory: Memory, plan: Plan, candidates: Mapping[str, Candidate], accepted: Collection[str]
) -> Iterator[tuple[str, str]]:
    """(candidate, why) of the weakest of what a session would bring in above its share, over all its readings: a
    session that grew isn't a new one. What a person asked for by its id doesn't count."""
    came: dict[str, set[str]] = {}
    for old in memory.entries(archived=True):
        for row in rows_of(old) if old.type != NOTE else ():
            came.setdefault(str(row.get("session", "")), set()).add(old.id)
    whose: dict[str, list[Proposal]] = {}
    for entry in learned(plan):
        if entry.candidate not in accepted and entry.id not in came.get(entry.evidence[0].session, ()):
            whose.setdefault(entry.evidence[0].session, []).append(entry)
    for name, entries in whose.items():
        room = max(0, MOST - len(came.get(name, ())))
        weakest = sorted(entries, key=lambda each: -candidates[each.candidate].score)[room:]
        why = f"a session brings in {MOST} entries at most, and this one has; --accept writes one more"
        yield from ((each.candidate, why) for each in weakest)
