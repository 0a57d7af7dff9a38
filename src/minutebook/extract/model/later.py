"""Whether what was said still holds at the end of the session: people take things back, by name or with a word."""

import re
from collections.abc import Iterator
from itertools import islice

from minutebook.extract import guard
from minutebook.extract.contradiction import conflict
from minutebook.extract.model.polarity import signs
from minutebook.extract.phrases import phrases
from minutebook.extract.prose import Sentence, sentences
from minutebook.extract.retraction import is_dropped, is_retracted, rejected_in, takes_back
from minutebook.extract.stance import stance, words
from minutebook.extract.wording import statement
from minutebook.ground.session import Candidate, Session, Turn

_DROPPED = phrases(
    *("drop(?:ped|ping)?", "scrap(?:ped|ping)?", "abandon\\w*", "cancel\\w*", "forget", "ditch\\w*", "revert\\w*"),
    *("no longer", "not any ?more", "not .{0,40}after all", "skip", "without", "get rid of", "remove"),
)
_OF_IT = phrases(
    "(?:undo|revert|cancel|drop|scrap|forget|kill|ditch|remove) (?:all (?:of )?)?(?:it|that|this|everything)",
    *("(?:bad|terrible|stupid|wrong) idea", "(?:i )?take (?:it|that|this) back", "(?:for|on) (?:it|that|this) instead"),
    "not (?:it|that|this) after all",
)
_IGNORE = re.compile(
    r"\b(?:ignore|disregard|forget|undo|cancel|revert|scrap|take back)\b[^.;]{0,40}?\b(?:about|on|with|the|that)\s+"
    r"(?P<what>[^.;,]{2,60})",
    re.IGNORECASE,
)
_BACK = re.compile(r"\b(?:go|going|switch|change|move|stick)\b[^.;]{0,20}\b(?:back to|to|with)\b", re.IGNORECASE)
_INSTEAD = phrases("back to", "instead", "after all", "rather")
_DENIES = phrases("need", "want", "idea", "plan", "thing", "at all")
_VAGUE = frozenset(
    ("idea", "plan", "thing", "stuff", "whole", "part", "any", "more", "now", "after", "said", "say", "about", "out")
)
_WORKED_OUT = re.compile(r"\bwork(?:ed|ing|s)? out\b", re.IGNORECASE)
_SOON = 2
_FIRST_WORDS, _LOOKED_AT = 1000, 2000
_NEAR = 12
_LATER = 400
_HALF = 0.5


def taken_back(session: Session, found: Candidate) -> str:
    """Why the candidate no longer holds at the end of the session, as far as its words tell; ""."""
    if found.turn.role == "user" and _at_once(found):
        return f"turn {found.turn.number} takes it back itself"
    heard = (found.accepted or found.turn).number
    later = [each for each in session.turns if each.number > heard and each.role == "user" and _is_said(each)]
    for at, each in enumerate(later):
        text = each.text[:_FIRST_WORDS]
        soon = at < _SOON and each.number - heard <= _NEAR and (is_retracted(text) or is_dropped(text))
        if soon or (at == 0 and _is_of_it(text)) or (found.turn.kind == "plan-approved" and is_dropped(text)):
            return f"turn {each.number} takes it back"
        if any(takes_back(rejected, each, found) for rejected in rejected_in(each)):
            return f"turn {each.number} drops it: {' '.join(text.split())[:80]!r}"
    for each, sentence in islice(_sentences_of(later), _LATER):
        if not guard.doubt(sentence.text) and (why := _against(found, sentence.text)):
            return f"turn {each.number} {why}"
    return ""


def _at_once(found: Candidate) -> bool:
    """Whether the person takes it back in the same breath."""
    after = found.turn.text[found.turn.text.find(found.quote) + len(found.quote) :][:_FIRST_WORDS]
    soon = [each.text for each in sentences(after)[:_SOON]]
    return any(map(is_retracted, soon)) or any(takes_back(each, found.turn, found) for each in rejected_in(found.turn))


def _is_of_it(text: str) -> bool:
    """A word on what was said just before, without its name."""
    return any(_OF_IT.search(each.text) and not guard.is_question(each.text) for each in sentences(text)[:3])


def _against(found: Candidate, text: str) -> str:
    said = found.abstract
    subject, about = words(said), words(text)
    if _denies(found, text):
        return f"drops it: {text[:80]!r}"
    if len(subject & about) < max(1, _HALF * min(len(subject), len(about))):
        return ""
    if _DROPPED.search(text) and not _DROPPED.search(said):
        return f"drops it: {text[:80]!r}"
    why = conflict(stance(statement(text)[0]), stance(said))
    return f"says otherwise ({why})" if why else ""


def _denies(found: Candidate, text: str) -> bool:
    """Whether a later sentence denies what was chosen and nothing else, tells to ignore it, or goes back to something
    else for the same purpose."""
    mine, chosen = signs(f"{found.title}. {found.abstract}"), stance(found.abstract)
    if chosen.negative:
        return False
    ignored = _IGNORE.search(text)
    if ignored and (words(ignored["what"]) - _VAGUE) and words(ignored["what"]) - _VAGUE <= mine.keys():
        return True
    new = stance(text)
    if _BACK.search(text) and _INSTEAD.search(text) and new.purpose & chosen.purpose and not new.value & chosen.value:
        return True
    theirs = signs(_WORKED_OUT.sub(" ", text))
    denied = {word for word, marks in theirs.items() if all("not" in each for each in marks)} - _VAGUE
    if not denied or not denied <= {word for word, marks in mine.items() if not all("not" in each for each in marks)}:
        return False
    if new.purpose and chosen.purpose and not new.purpose & chosen.purpose and not denied & chosen.purpose:
        return False
    named = bool(chosen.value) and chosen.value <= denied
    return named or len(denied) >= _HALF * len(mine) or (denied <= chosen.purpose and bool(_DENIES.search(text)))


def _is_said(turn: Turn) -> bool:
    return turn.kind in ("text", "plan-corrected", "tool-refused")


def _sentences_of(turns: list[Turn]) -> Iterator[tuple[Turn, Sentence]]:
    for turn in turns:
        for sentence in sentences(turn.text[:_LOOKED_AT]):
            yield turn, sentence
