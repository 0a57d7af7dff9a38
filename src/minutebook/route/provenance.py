"""Who said it where: the sources of an entry, and the evidence that a reviewer is shown."""

import re
from typing import Any

from minutebook.ground.change import Evidence
from minutebook.ground.entry import Entry
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.session import Candidate, Turn

_LONGEST_YES = 200
_AT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}[0-9:.]{0,13}(?:Z|[+-][0-9]{2}:?[0-9]{2})?")
_FRACTION = re.compile(r"\.[0-9]*[1-9]")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9:._/@+-]{0,99}")
Key = tuple[str, str]


def evidence_of(candidate: Candidate) -> tuple[Evidence, ...]:
    """The quote, and the words of the turn that accepts it. The time of a turn is its record's, and kept only where it
    is one; so is the name of the extractor."""
    found = [_evidence(candidate, candidate.turn, candidate.quote)]
    if candidate.accepted is not None:
        found.append(_evidence(candidate, candidate.accepted, candidate.accepted.text.strip()[:_LONGEST_YES]))
    return tuple(found)


def sources_of(candidate: Candidate) -> list[dict[str, Any]]:
    """The same as fields of an entry; what isn't known is left out."""
    return [
        {
            "session": each.session,
            "turn": each.turn,
            "role": each.role,
            **({"at": each.at} if each.at else {}),
            "quote": each.quote,
            "sha256": each.sha256,
            **({"extractor": each.extractor} if each.extractor else {}),
        }
        for each in evidence_of(candidate)
    ]


def is_backed(candidate: Candidate) -> bool:
    """Whether a person said it, or accepted it."""
    yes = candidate.accepted
    return candidate.turn.role == "user" or (yes is not None and yes.role == "user")


def unbacked(candidate: Candidate, mtype: MemoryType) -> str:
    """Why these words can't carry an entry of this type by themselves; "" when they can.

    An agent's own experience (a type that lies in the space of agents) may rest on what the agent said.
    """
    if is_backed(candidate):
        return ""
    if candidate.turn.role == "assistant":
        return "" if "{agent}" in mtype.place else "the agent said it, and no person accepted it"
    return "only the output of a tool says it"


def rows_of(entry: Entry) -> list[dict[str, Any]]:
    """An entry's sources, but for what isn't in the form of one."""
    sources = entry.fields.get("sources")
    return [each for each in sources if isinstance(each, dict)] if isinstance(sources, list) else []


def quotes_of(entry: Entry) -> list[str]:
    """The quotes of an entry's sources."""
    return [str(each["quote"]) for each in rows_of(entry) if each.get("quote")]


def last_said(entry: Entry) -> str:
    """The day of the latest of an entry's sources, "" where none tells it."""
    return max((str(each.get("at", ""))[:10] for each in rows_of(entry)), default="")


def keys_in(entry: Entry) -> set[Key]:
    """The keys of an entry's sources: (hash of the record, quote), and (time, quote) where the time is known to a part
    of a second.

    A session that was resumed under another id has the same words at the same times in records of its own.
    """
    return {
        (mark, quote_key(str(source.get("quote", ""))))
        for source in rows_of(entry)
        for mark in (str(source.get("sha256", "")), _exact(str(source.get("at", ""))))
        if mark
    }


def keys_of(candidate: Candidate) -> set[Key]:
    """The keys by which a candidate's words are known again."""
    key = quote_key(candidate.quote)
    at = _exact(_at(candidate.turn))
    return {(candidate.turn.sha256, key)} | ({(at, key)} if at else set())


def quote_key(quote: str) -> str:
    """A quote by its letters and digits: a log wraps and escapes the rest."""
    return "".join(filter(str.isalnum, quote))


def _evidence(candidate: Candidate, turn: Turn, quote: str) -> Evidence:
    extractor = candidate.extractor if _NAME.fullmatch(candidate.extractor) else ""
    return Evidence(candidate.session, turn.number, turn.role, quote, turn.sha256, _at(turn), extractor)


def _exact(at: str) -> str:
    """A time to a part of a second; "" for one that two sessions may well have in common."""
    return at if _FRACTION.search(at) else ""


def _at(turn: Turn) -> str:
    return turn.at if _AT.fullmatch(turn.at) else ""
