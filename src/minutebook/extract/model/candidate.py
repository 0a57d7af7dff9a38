"""From what a model proposes to a candidate: code checks what a prompt can only ask for.

The input fits the tool's schema, the quote stands in the turn, somebody stands behind it, the statement says no more
than the talk and nothing that must not be written, and an existing entry that it would change has been read.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from typing import Any

from minutebook.extract.anchors import anchors_near
from minutebook.extract.dates import with_dates
from minutebook.extract.model.agreement import Heard, contradiction, doubtful
from minutebook.extract.model.backing import Backing, backing, backing_words, heard, near_talk, talk_of
from minutebook.extract.model.case import Case, Judged
from minutebook.extract.model.danger import LEAST_GROUNDED, LEAST_SAID, danger, grounding, texts_in, unwritable
from minutebook.extract.model.later import taken_back
from minutebook.extract.model.page import written
from minutebook.extract.model.quote import evened, places_of
from minutebook.extract.model.target import placed
from minutebook.extract.model.turns import Window, parts_shown
from minutebook.extract.model.whole import left_out
from minutebook.extract.prose import plain_line
from minutebook.extract.tools import LONGEST_QUOTE, SHORTEST_QUOTE
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import replace
from minutebook.ground.markdown import first_sentence
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.schema import violations
from minutebook.ground.session import Candidate, Session, Turn
from minutebook.ground.uris import place_of, slug

SIGNAL = "model"
LONGEST_INPUT = 20_000
"""Characters of all that a proposal holds: an overview of 500 tokens and a body take a quarter of it."""
_MOST_WRONG = 3
_MOST_NEAR = 3
_SHORTEST_TITLE = 3
_LOOKED_AT = 20_000
_APART = frozenset({"title", "abstract", "body", "turn", "quote", "replaces", "anchors"})
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_PLACEHOLDER = re.compile(r"\[redacted:[a-z0-9-]{1,40}:[0-9]{1,9}\]|\[SCRUBBED\]")
Span = tuple[int, int]


def judge_proposal(
    given: object, mtype: MemoryType, schema: Mapping[str, Any], case: Case, read: Collection[str]
) -> Judged:
    """What becomes of the input `given` of the tool of a type; `read` are the ids of the entries that were read."""
    wrong = _too_long(given) or _malformed(given, schema)
    if wrong or not isinstance(given, dict):
        return Judged(refusal=wrong)
    turn, spans, why = _proven(given, case.window)
    if turn is None:
        return Judged(refusal=why)
    behinds = [(backing(case.session, turn, span, mtype), span) for span in spans]
    behind, span = min(behinds, key=lambda each: (each[0].refused != "", each[0].quarantine != ""))
    refusal = behind.refused or unwritable(given) or _unfit(given, mtype, case.owner)
    if refusal:
        return Judged(refusal=refusal)
    candidate = _candidate(given, mtype, turn, span, behind, case)
    talk = heard(case.session, turn, span, behind.accepted, written(case, mtype))
    refusal = _misstated(given, candidate, talk) or taken_back(case.session, candidate)
    if refusal:
        return Judged(refusal=refusal)
    if not candidate.quarantine:
        why = doubtful((candidate.title, candidate.abstract), _rest(given), talk)
        candidate = replace(candidate, quarantine=why)
    return placed(candidate, given.get("replaces", ""), mtype, case, read)


def _misstated(given: Mapping[str, Any], candidate: Candidate, talk: Heard) -> str:
    """Why the statement isn't what the words that back it say, when a person or an agent said them; ""."""
    if candidate.turn.role == "tool" or candidate.turn.kind == "tool-call":
        return ""
    head, rest = (candidate.title, candidate.abstract), _rest(given)
    return contradiction(head, rest, talk) or left_out(talk.around, "\n".join((*head, *rest.values())))


def _rest(given: Mapping[str, Any]) -> dict[str, str]:
    """What the statement says beside title and abstract, by field."""
    apart = {"title", "abstract", "quote", "replaces", "anchors", "tags"}
    return {name: value for name, value in given.items() if isinstance(value, str) and name not in apart}


def _too_long(given: object) -> str:
    """Why nobody would read all of it; "". Asked before anything else: what follows takes its time."""
    left, size = [given], 0
    while left and size <= LONGEST_INPUT:
        value = left.pop()
        size += len(value) if isinstance(value, str) else 1
        left += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return f"it is longer than {LONGEST_INPUT:,} characters: an entry is short" if size > LONGEST_INPUT else ""


def _malformed(given: object, schema: Mapping[str, Any]) -> str:
    """Why the input isn't what the tool takes; ""."""
    if not isinstance(given, dict):
        return "the input is no JSON object"
    found = [each.message[:200] for each, _ in zip(violations(given, schema), range(_MOST_WRONG), strict=False)]
    return f"the input doesn't fit the tool: {'; '.join(found)}" if found else ""


def _proven(given: Mapping[str, Any], window: Window) -> tuple[Turn | None, list[Span], str]:
    """(turn, where the quote stands in its text, "") or (None, nowhere, why it isn't proven)."""
    number, quote = given["turn"], given["quote"]
    turn = window.turns.get(number)
    if turn is None:
        return None, [], f"there is no turn {number} here"
    if number <= window.after:
        return None, [], f"turn {number} was read before: it is context, and backs nothing new"
    bare = _PLACEHOLDER.sub("", evened(quote))
    if len(evened(quote)) < SHORTEST_QUOTE or sum(map(str.isalnum, bare)) < SHORTEST_QUOTE // 2:
        return None, [], f"the quote is too short, or only a placeholder: give {SHORTEST_QUOTE} characters of words"
    if len(quote) > LONGEST_QUOTE:
        return None, [], f"the quote is longer than {LONGEST_QUOTE} characters: give the words that count"
    found = list(_places(turn, quote))
    if not found:
        other = next((str(each.number) for each in window.turns.values() if any(_places(each, quote))), "")
        hint = f"; they stand in turn {other}" if other else "; copy them character for character"
        return None, [], f"these words don't stand in turn {number}{hint}"
    return turn, found, ""


def _places(turn: Turn, quote: str) -> Iterator[Span]:
    for start, end in parts_shown(turn):
        for first, last in places_of(quote, turn.text[start:end]):
            yield start + first, start + last


def _unfit(given: Mapping[str, Any], mtype: MemoryType, owner: Mapping[str, str]) -> str:
    """Why no entry of the type could be written from this, whatever it says; ""."""
    if len(plain_line(given["title"])) < _SHORTEST_TITLE:
        return "the title says nothing"
    for name, items in given.items():
        if isinstance(items, list) and any(isinstance(item, str) and _is_unlisted(item) for item in items):
            return f"`{name}`: an item of a list is one line of words, without backticks"
    try:
        place_of(mtype, {**owner, "date": "2000-01-01", "slug": slug(given["title"])})
    except CannotJudge as error:
        return f"an entry of this type has no place: {error}"
    return ""


def _is_unlisted(item: str) -> bool:
    return not item.strip() or "`" in item or plain_line(item) != item


def _candidate(
    given: Mapping[str, Any], mtype: MemoryType, turn: Turn, span: Span, behind: Backing, case: Case
) -> Candidate:
    title = plain_line(given["title"])
    abstract = plain_line(given.get("abstract") or _first(given, mtype) or title)
    own = {name: value for name, value in given.items() if name not in _APART}
    quote = turn.text[span[0] : span[1]]
    page = written(case, mtype)
    near = [*near_talk(case.session, turn, behind.accepted), page]
    talk = [*near, *talk_of(case.window)]
    share = grounding(f"{title} {abstract}", near)
    said = grounding(f"{title} {abstract}", [*backing_words(turn, behind.accepted), page])
    rest = grounding(" ".join((given.get("body", ""), *(text for _, text in texts_in(own)))), talk)
    found = Candidate(
        type=mtype.name,
        title=title,
        abstract=abstract,
        body=given.get("body", "").replace("\r\n", "\n").strip() or abstract,
        quote=quote,
        turn=turn,
        session=case.session_key,
        signal=SIGNAL,
        score=round(0.5 + share / 2, 3),
        fields={**own, "date": _day(turn, case.today)},
        anchors=_anchors(given, turn, case.session),
        accepted=behind.accepted,
        why=(f"{behind.by}, turn {turn.number}", f"{share:.0%} of its words are those of the talk"),
        extractor=case.extractor,
        quarantine=behind.quarantine or danger(given, quote, talk) or _ungrounded(min(share, rest), said),
    )
    return with_dates(found)


def _ungrounded(share: float, said: float) -> str:
    """Why a statement isn't carried by the talk around it (`share`), or by the words that back it (`said`)."""
    if share < LEAST_GROUNDED:
        return f"it says more than the talk: only {share:.0%} of its words are from there"
    if said < LEAST_SAID:
        return f"it says something else than the words that back it: {said:.0%} of its words are from that turn"
    return ""


def _anchors(given: Mapping[str, Any], turn: Turn, session: Session) -> tuple[str, ...]:
    """The paths that the model names and that the session knows: a changed file, or named in the turn itself."""
    near = anchors_near(turn.text[:_LOOKED_AT], session.files)
    known = {*near, *anchors_near(" ".join(session.files), session.files)}
    named = tuple(dict.fromkeys(path for path in given.get("anchors", ()) if path in known))
    return named or near[:_MOST_NEAR]


def _first(given: Mapping[str, Any], mtype: MemoryType) -> str:
    """What the type's own first required text says, as an abstract."""
    required = (given.get(name, "") for name in mtype.schema.get("required", ()) if name not in _APART)
    text = next((value for value in required if isinstance(value, str) and value), "")
    return first_sentence(text) or text


def _day(turn: Turn, today: date) -> str:
    at = _DAY.match(turn.at)
    return min(at[0], today.isoformat()) if at else today.isoformat()
