"""Which words of a talk a session's note repeats: its title, what was asked, what was put off. Pure.

A note is memory like any other, and nobody asked for its words: what a person must look at before it may be written
(`extract/danger.py`), what can't be seen, and secrets that only the note's own cutting and joining would put together
don't get into it. Nor does what belongs in a private owner space, is in quarantine, or was rejected.
"""

import re
from collections.abc import Iterator, Sequence, Set
from itertools import islice

from minutebook.extract.cues import TYPE_OF
from minutebook.extract.danger import why_dangerous
from minutebook.extract.heard import last_heard
from minutebook.extract.prose import plain_line, sentences
from minutebook.extract.spoken import cue_of
from minutebook.extract.wording import full_stop, title_of
from minutebook.ground.change import Plan
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import cut
from minutebook.ground.memory import Memory
from minutebook.ground.session import Session, Turn
from minutebook.ground.unseen import has_unseen
from minutebook.redaction.redact import Redactor
from minutebook.route.provenance import quote_key

_MOST_OPEN = 3
_MOST_PROMPTS = 100
_MOST_LOOKED_AT = 30
_BEYOND = f"more than {_MOST_LOOKED_AT} statements put something off: the rest was not looked at"
_LONGEST = 200
_PUT_OFF = ("later", "follow-up", "follow up", "future enhancement", "todo", "not now", "another time")
_COMMAND = re.compile(r"/[a-z][\w:-]{0,60}")
"""What an agent's program is told, and no words: `/drop`."""
_UNTITLED = "Session without a prompt"


@frozen
class Words:
    """`title` is a line, `asked` a paragraph ("" where nothing was asked), `left_open` are lines."""

    title: str
    asked: str
    left_open: tuple[str, ...]


def words_of(session: Session, plan: Plan, memory: Memory, since: int, judged: Set[str]) -> Words:
    """What the note repeats of the turns after `since`, and its title, of the first words of the talk. `judged` are
    keys (`quote_key`) of what isn't left open: what became an entry, was known, or is asked about."""
    people = [turn for turn in session.turns if turn.role == "user"]
    prompts = (_first_words(turn) for turn in islice(_texts(people), _MOST_PROMPTS))
    first = next((words for words in prompts if len(title_of(words)) > 2), "")
    last = last_heard(session, since)
    new = [turn for turn in people if since < turn.number <= last]
    asked = next(filter(None, map(_first_words, islice(_texts(new), _MOST_PROMPTS))), "")
    put_off, beyond = _put_off(new)
    before = [turn for turn in people if turn.number <= min(since, last_heard(session))] if since else []
    private = _told(plan, memory) | _private([*before, *new], memory, (first, asked, *put_off))
    shared = [text for text in put_off if not _is_among(text, private | judged)]
    return Words(_title(first, private, session), _asked(asked, private), (*_open(shared), *beyond))


def an(session: Session) -> str:
    """`A codex session`."""
    return f"{'An' if session.format[:1] in 'aeiou' else 'A'} {session.format} session"


def _texts(people: Sequence[Turn]) -> Iterator[Turn]:
    return (turn for turn in people if turn.kind == "text")


def _first_words(turn: Turn) -> str:
    """The first sentence that the person wrote themselves, on one line of at most 200 characters."""
    first = next((plain_line(each.text) for each in sentences(turn.text) if len(each.text) > 2), "")
    return Redactor().redact(cut(first, _LONGEST)) if _COMMAND.fullmatch(first) is None else ""


def _title(first: str, private: Set[str], session: Session) -> str:
    """The first words of the talk; a neutral title when they are private."""
    title = Redactor().redact(title_of(first))
    if _is_among(first, private) or _unfit(first) or _unfit(title):
        return an(session)
    return title or _UNTITLED


def _asked(asked: str, private: Set[str]) -> str:
    if not asked or _is_among(asked, private):
        return ""
    why = _unfit(asked)
    return f"What was asked is not repeated here: {why}." if why else f"Asked: {full_stop(asked)}"


def _put_off(turns: Sequence[Turn]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What a person put off in so many words: the first thirty statements, and a line where there are more."""
    said = (each.text for turn in turns for each in sentences(turn.text))
    lines = (plain_line(text) for text in said if len(text) < _LONGEST and _puts_off(text.lower()))
    found = tuple(islice((text for text in lines if not text.endswith("?")), _MOST_LOOKED_AT + 1))
    return tuple(dict.fromkeys(found[:_MOST_LOOKED_AT])), (_BEYOND,) * (len(found) > _MOST_LOOKED_AT)


def _puts_off(low: str) -> bool:
    return any(mark in low for mark in _PUT_OFF)


def _open(shared: Sequence[str]) -> tuple[str, ...]:
    fit = [Redactor().redact(text) for text in shared if not _unfit(text)]
    unfit = len(shared) - len(fit)
    return (*fit[:_MOST_OPEN], *([f"{unfit} more, not repeated here: a person should look at the talk"] * (unfit > 0)))


def _unfit(text: str) -> str:
    """Why words of the talk don't stand in a note; "" when they may."""
    return "it holds characters that nobody can see" if has_unseen(text) else why_dangerous(text)


def _told(plan: Plan, memory: Memory) -> frozenset[str]:
    """What the plan itself says that a shared note carries nothing of, as keys."""
    types = memory.private_types
    inside = (change for change in plan.changes if memory.is_private(change.path))
    quotes = [proof.quote for change in inside for entry in change.entries for proof in entry.evidence]
    quotes += [each.quote for each in plan.refusals if each.type in types or each.kind in ("quarantine", "rejected")]
    return frozenset(map(quote_key, quotes)) - {""}


def _private(turns: Sequence[Turn], memory: Memory, about: Sequence[str]) -> frozenset[str]:
    """Sentences that belong in a private owner space, as keys, of those that hold one of these texts, or are a part of
    one: what was known, or one too many, is no part of the plan and just as private."""
    types, keys = memory.private_types, frozenset(map(quote_key, about)) - {""}
    if not types or not keys:
        return frozenset()
    said = (each.text for turn in turns for each in sentences(turn.text))
    near = ((key, text) for text in said if (key := quote_key(text)) and any(key in one or one in key for one in keys))
    cues = ((key, cue_of(text)[1]) for key, text in near)
    return frozenset(key for key, cue in cues if cue is not None and TYPE_OF[cue.kind] in types)


def _is_among(text: str, private: Set[str]) -> bool:
    key = quote_key(text)
    return any(key in quote or quote in key for quote in private) if key else False
