"""What is held back, and how it is told: quarantine, what was rejected before, questions for a person. Pure."""

from collections.abc import Collection, Sequence

from minutebook.extract.signals import SEEN
from minutebook.ground.change import Refusal
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import replace
from minutebook.ground.markdown import cut
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.session import Candidate
from minutebook.route.provenance import unbacked
from minutebook.route.rejected import Rejection

_PREFIX = "quarantine: "
_LONGEST = 160


def quarantined(candidate: Candidate, mtype: MemoryType) -> str:
    """Why it is in quarantine; "" when it isn't: what the extractor says, or that no person stands behind it."""
    return candidate.quarantine.removeprefix(_PREFIX) or unbacked(candidate, mtype)


def released(candidate: Candidate, why: str) -> Candidate:
    """The candidate as a person accepted it, by its id on the command line."""
    said = f"accepted by hand (--accept); it had been in quarantine: {why}"
    return replace(candidate, quarantine="", why=(said, *candidate.why))


def in_quarantine(candidate: Candidate, why: str) -> Refusal:
    return _refusal(candidate, why, "quarantine")


def rejected_before(candidate: Candidate, row: Rejection) -> Refusal:
    by = f" by {row.who}" if row.who else ""
    return _refusal(candidate, f"rejected on {row.day}{by}: {row.reason} ({row.id})", "rejected")


def refused(candidate: Candidate, reason: str) -> Refusal:
    return _refusal(candidate, reason, "refused")


def question(candidate: Candidate, olds: Sequence[Entry], why: str, *, sure: bool = True) -> Refusal:
    """Both statements, and that a person has to say which holds; or whether both do, where they may."""
    stands = ", ".join(f"{old.id} says “{_short(old.abstract)}”" for old in olds[:3])
    names = ", ".join(old.id for old in olds[:3])
    verb = "contradicts" if sure else "may contradict"
    asked = "which holds" if sure else "whether both hold (--accept writes it beside the other)"
    reason = f"{verb} {names} ({why}): this says “{_short(candidate.abstract)}”, {stands}"
    return _refusal(candidate, f"{reason}; a person has to say {asked}", "question")


def named(refusals: Sequence[Refusal]) -> tuple[Refusal, ...]:
    """The refusals of an extractor that says `quarantine: …` in the reason alone."""
    return tuple(
        replace(each, kind="quarantine", reason=each.reason.removeprefix(_PREFIX))
        if each.kind == "refused" and each.reason.startswith(_PREFIX)
        else each
        for each in refusals
    )


def seen_in(candidate: Candidate, accepted: Collection[str]) -> str:
    """What was seen in the talk, in a reviewer's words; and that somebody took it out of quarantine."""
    found = SEEN.get(candidate.signal) or f"found by {candidate.extractor or candidate.signal}"
    by_hand = candidate.why[0] if candidate.id in accepted and candidate.why[:1] else ""
    return "; ".join(filter(None, (found, by_hand if by_hand.startswith("accepted by hand") else "")))


def _refusal(candidate: Candidate, reason: str, kind: str) -> Refusal:
    return Refusal(candidate.title, reason, candidate.quote, candidate.type, kind, candidate.id)


def _short(text: str) -> str:
    return cut(" ".join(text.split()), _LONGEST)
