"""A candidate on its way into memory: what stands beside it, and by what rules it goes. Pure."""

from collections.abc import Collection, Sequence
from datetime import date

from minutebook.ground.change import Refusal
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import Memory
from minutebook.ground.session import Candidate
from minutebook.route import held
from minutebook.route.known import Known
from minutebook.route.matching import Match, Owner, Standing, can_contradict, doubted
from minutebook.route.provenance import unbacked
from minutebook.route.rejected import NONE, Rejections

SURE = 0.5
"""Score from which a candidate may take the place of an entry; below, it is a question."""


@frozen
class Rules:
    """Beyond the memory, what a plan goes by.

    `user` and `agent` are slugs: whose owner spaces are written. `accepted` are ids of candidates that a person took
    out of quarantine. `unordered` are ids of entries that this run learned from sessions of which nobody can tell
    whether they came before or after: nothing supersedes those.
    """

    user: str
    agent: str
    accepted: Collection[str] = frozenset()
    rejections: Rejections = NONE
    unordered: Collection[str] = frozenset()

    @property
    def owner(self) -> Owner:
        return {"user": self.user, "agent": self.agent}


@frozen
class Step:
    """A candidate about to be written: what is known as it stands then, what it is most like, and who owns what.
    `abreast` are the ids of the entries that came of the same turn: neither came first."""

    candidate: Candidate
    known: Known
    match: Match
    standing: Standing
    today: date
    rules: Rules
    abreast: Collection[str]

    @property
    def memory(self) -> Memory:
        return self.known.memory

    @property
    def now(self) -> Sequence[Entry]:
        """The entries of the candidate's type that hold."""
        return self.standing[self.candidate.type]

    @property
    def backed(self) -> bool:
        """Whether somebody stands behind it who may take the place of something."""
        return unbacked(self.candidate, self.memory.types[self.candidate.type]) == ""

    @property
    def sure(self) -> bool:
        """Whether its score lets it take the place of something; a person's word does."""
        return self.candidate.score >= SURE or self.candidate.id in self.rules.accepted

    def comes_after(self, olds: Sequence[Entry]) -> bool:
        """Whether it is known to be said after all of them, or a person says that it holds."""
        unordered = any(old.id in self.rules.unordered or old.id in self.abreast for old in olds)
        return not unordered or self.candidate.id in self.rules.accepted

    def refuse(self, reason: str) -> Refusal:
        return held.refused(self.candidate, reason)

    def ask(self, olds: Sequence[Entry], why: str) -> Refusal:
        return held.question(self.candidate, olds, why)

    def doubts(self) -> dict[str, tuple[Entry, str]]:
        """By its id each entry that this may contradict, and why; none once a person accepted it. What was said in one
        breath is meant to hold together."""
        if self.candidate.id in self.rules.accepted or not can_contradict(self.memory.types[self.candidate.type]):
            return {}
        found = doubted(self.candidate, self.now)
        return {entry.id: (entry, why) for entry, why in found if entry.id not in self.abreast}

    @property
    def day(self) -> str:
        """The day on which it was said."""
        return str(self.candidate.fields.get("date", self.today.isoformat()))
