"""Orders to whoever reads the output of a tool: a file, a web page, a log that says what is to be remembered.

Nobody said them, so they can back nothing; at most three a session are shown in quarantine, so that a person learns
that somebody tried.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from minutebook.extract import guard
from minutebook.extract.danger import why_dangerous
from minutebook.extract.phrases import choice, phrases
from minutebook.extract.prose import Sentence, sentences
from minutebook.extract.wording import full_stop, title_of
from minutebook.ground.session import Candidate, Turn

MOST = 3
"""Orders of one session that are shown."""
MOST_LOOKS = 10_000
"""Places in the output of one session's tools that are looked at; a long one counts as several."""
LOOKED_AWAY = (
    f"more than {MOST_LOOKS:,} places in what tools printed speak like an order; none was looked at from turn {{}} on"
)
WHY = "only the output of a tool says so, no person did"
_AROUND = 1500
_LOOKS = 20
_LOOK = 500
_LONGEST = 300
_FEW_WORDS = 4
_AGENTS = choice("agents?", "assistants?", "claude", "codex", "copilot", "gemini", "llms?", "ai models?")
_TO_MEMORY = phrases(
    r"(?:record|remember|memori[sz]e|note down|store|save|write down)\b.{0,60}\b(?:that|this|as|memory)",
    r"(?:add|append|save|write|copy)\b.{0,60}\b(?:to|in|into) (?:your |the |its |project )?"
    r"(?:memory|AGENTS\.md|CLAUDE\.md)",
    r"(?:the )?(?:user|maintainer|owner|team|admin) (?:has |have )?(?:decided|agreed|approved|wants|said|confirmed)",
    r"approved by (?:the |your )?(?:user|maintainer|owner|team|admin\w*)",
)
_ADDRESSED = phrases(
    rf"(?:all |every |any |future |other |ai |coding )*{_AGENTS} "
    r"(?:must|should|shall|may|has to|have to)",
    r"(?:ignore|disregard|forget) (?:all |any )?(?:previous|prior|earlier|above) (?:instructions|rules|prompts)",
    *("system (?:message|notice|override)", "from now on", "new (?:rule|policy|instructions?)"),
    r"you (?:must|should|may|are to)(?: now)?",
)
_SIGNS = ("record", "remember", "memor", "agents", "assistant", "instructions", "system ", "approved", "from now on",
          "decided", "new rule", "new policy", "claude")  # fmt: skip


def orders(turns: Sequence[Turn], session: str, after: int) -> tuple[list[Candidate], str]:
    """At most three candidates, all in quarantine, of the output of tools after turn `after`; and where the looks for
    them ended, "" where all output was looked through."""
    found: list[Candidate] = []
    looks = MOST_LOOKS
    for turn in turns:
        if turn.kind != "tool-result" or turn.number <= after:
            continue
        pieces = list(_pieces(turn.text))
        looks -= sum(1 + len(piece) // _LOOK for piece in pieces)
        if looks < 0:
            return found, LOOKED_AWAY.format(turn.number)
        found += islice(_orders_in(pieces, turn, session), MOST - len(found))
        if len(found) == MOST:
            break
    return found, ""


def _orders_in(pieces: Sequence[str], turn: Turn, session: str) -> Iterator[Candidate]:
    """What one output orders: words that speak of memory or that would be dangerous there, addressed to its reader."""
    seen: set[str] = set()
    for piece in pieces:
        for said in sentences(piece):
            if said.text not in seen and len(said.text) <= _LONGEST and _orders(said):
                seen.add(said.text)
                yield _candidate(turn, session, said.text)


def _pieces(text: str) -> Iterator[str]:
    """The paragraphs that hold a sign; at most 20 looks, and each sign is searched for but once in every stretch."""
    low = text.lower()
    places = {sign: low.find(sign) for sign in _SIGNS} if len(low) == len(text) else {}
    for _ in range(_LOOKS):
        places = {sign: place for sign, place in places.items() if place >= 0}
        if not places:
            return
        first = min(places.values())
        start = max(text.rfind("\n", 0, first) + 1, first - _AROUND)
        stop = text.find("\n", first)
        end = min(len(text) if stop < 0 else stop, start + 2 * _AROUND)
        yield text[start:end]
        places = {sign: low.find(sign, end) if place < end else place for sign, place in places.items()}


def _orders(said: Sentence) -> bool:
    text = said.text
    if guard.is_question(text) or len(text.split()) < _FEW_WORDS:
        return False
    remembered, addressed = _TO_MEMORY.search(text) is not None, _ADDRESSED.search(text) is not None
    return ((remembered or addressed) and bool(why_dangerous(text))) or (remembered and addressed)


def _candidate(turn: Turn, session: str, text: str) -> Candidate:
    return Candidate(
        type="pattern",
        title=title_of(text),
        abstract=full_stop(text),
        body=full_stop(text),
        quote=text,
        turn=turn,
        session=session,
        signal="tool-output",
        score=0.0,
        why=(f"turn {turn.number}: {WHY}", *filter(None, (why_dangerous(text),))),
        quarantine=WHY,
    )
