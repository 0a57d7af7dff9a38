"""Candidates out of single sentences: a cue, nothing that speaks against it, and the words around it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from minutebook.extract import guard
from minutebook.extract.anchors import anchors_near
from minutebook.extract.cues import ABOUT_WORK, TYPE_OF, Cue, find_cue, is_correction, is_passing
from minutebook.extract.phrases import choice, phrases
from minutebook.extract.prose import Sentence, sentences
from minutebook.extract.stance import words
from minutebook.extract.wording import full_stop, is_hedged, statement, title_of, without_lead
from minutebook.ground.change import Refusal
from minutebook.ground.frozen import replace
from minutebook.ground.session import Candidate, Turn
from minutebook.ground.unseen import has_unseen

LEAST = 0.5
_LONG_TURN = 3000
_MOST_CLAUSES = 12
_FEW_WORDS = 2
_MANY_WORDS = 45
_NAMED = re.compile(r"`[^`]{2,80}`|\b\w+[._/]\w+|\b[A-Za-z]+[A-Z]\w*\b|[A-Z]{2,}\b")
_VERB = choice("is", "was", "are", "runs?", "has", "have", "needs?", "uses?", "does", "doesn't", "can't", "only")
_SUBJECT = re.compile(
    r"(?:the |our |a |an )?(?P<name>`[^`]{2,60}`|[A-Z][\w.-]+(?: [A-Z][\w.-]+){0,2}|[\w-]+[._/][\w./-]+|"
    rf"(?!(?:we|i|it|this|that|they|you|there)\b)[\w-]+(?: [\w-]+)?(?= {_VERB}\b))"
)
_TEMPORARY = phrases("for now", "for the moment", "for the time being", "temporarily", "first cut", "to start with")
_IMPERATIVE = re.compile(
    r"(?:please\s+)?(?:use|name|call|keep|make|store|put|support|require|default|drop|leave|limit|return|follow|prefer|"
    r"avoid|don'?t use|do not use|only|never|always|no)\s+(?P<value>.+)",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"(?:sure|it|this|that|these|those|them|up|going|in mind|track|a note|note|me|a list|things)\b", re.IGNORECASE
)
_CLAUSE = re.compile(r",\s+|\s[–—-]\s|:\s+|\s+(?:and|but|so)\s+(?=let'?s\b|we'?ll\b|we should\b)")


def said_in(turn: Turn, session: str, files: Sequence[str]) -> Iterator[Candidate | Refusal]:
    """What the sentences of a user's turn state, with what had to be refused."""
    for sentence, context in _with_context(sentences(turn.text)):
        at, cue = cue_of(sentence.text)
        if cue is not None:
            yield from judged(turn, session, sentence, at, cue, context, files)


def corrections_in(turn: Turn, session: str, files: Sequence[str]) -> Iterator[Candidate | Refusal]:
    """What a person says when they send a plan back: here a plain imperative (“use gh to authenticate”) states a
    choice, since it changes a plan that was about to be carried out."""
    for sentence, context in _with_context(sentences(turn.text)):
        at, cue = cue_of(sentence.text)
        plain = _IMPERATIVE.match(without_lead(sentence.text))
        if cue is None and plain and not _VAGUE.match(plain["value"]):
            at, cue = 0, Cue("adoption", 0, plain["value"], 0.7)
        if cue is not None:
            yield from signalled(judged(turn, session, sentence, at, cue, context, files), "plan-corrected")


def signalled(found: Iterable[Candidate | Refusal], signal: str) -> Iterator[Candidate | Refusal]:
    """The same, with what was seen named and counted for more: the transcript itself marks these turns."""
    for each in found:
        if isinstance(each, Candidate):
            yield replace(each, signal=signal, score=round(each.score + 0.1, 3))
        else:
            yield each


def judged(
    turn: Turn, session: str, sentence: Sentence, at: int, cue: Cue, context: str, files: Sequence[str]
) -> Iterator[Candidate | Refusal]:
    """The candidate of the clause at `at` of a sentence, or the reason why a person must look at it, or nothing."""
    text = sentence.text
    if guard.doubt(text) or guard.is_joke(context) or guard.is_quoted(text, at + cue.at):
        return
    said, why = statement(text[at:])
    score = _score(cue, text, said, why, len(turn.text))
    if score < LEAST:
        return
    hidden = guard.because("it holds characters that nobody can see") if has_unseen(text) else ""
    reason = hidden or guard.quarantine(text)
    if reason:
        yield Refusal(title_of(said), reason, text, TYPE_OF[cue.kind])
        return
    found = Candidate(
        type=TYPE_OF[cue.kind],
        title=title_of(said),
        abstract=full_stop(said),
        body=full_stop(said) + (f"\n\nWhy: {full_stop(why)}" if why else ""),
        quote=text,
        turn=turn,
        session=session,
        signal="cue:correction" if is_correction(without_lead(text)) else f"cue:{cue.kind}",
        score=score,
        fields={"decision": full_stop(said)} | ({"rationale": full_stop(why)} if why else {}),
        anchors=anchors_near(context, files),
    )
    yield from _fitted(found, cue)


def cue_of(text: str) -> tuple[int, Cue | None]:
    """(where the clause with the cue starts, the cue): the sentence, or a clause that decides something."""
    core = without_lead(text)
    start = len(text) - len(core)
    cue = find_cue(core)
    if cue is not None:
        return start, cue
    for joint in islice(_CLAUSE.finditer(core), _MOST_CLAUSES):
        cue = find_cue(core[joint.end() :])
        if cue is not None and cue.kind in ABOUT_WORK and not is_passing(core):
            return start + joint.end(), cue
    return start, None


def _fitted(found: Candidate, cue: Cue) -> Iterator[Candidate]:
    """The candidate with the fields of its type alone; a fact needs something that it is a fact about."""
    if found.type == "decision":
        yield found
    elif found.type != "entity":
        yield replace(found, fields={})
    else:
        subject = _SUBJECT.match(cue.value)
        if subject is not None:
            yield replace(found, title=title_of(subject["name"].strip("`")), fields={})


def _score(cue: Cue, text: str, said: str, why: str, turn_length: int) -> float:
    score = cue.weight
    score += 0.1 if why else 0.0
    score += 0.05 if _NAMED.search(said) else 0.0
    score -= 0.15 if _TEMPORARY.search(text) else 0.0
    score -= 0.1 if is_hedged(text) else 0.0
    score -= 0.2 if turn_length > _LONG_TURN else 0.0
    score -= 0.1 if len(text.split()) > _MANY_WORDS else 0.0
    return round(score, 3) if len(words(said)) >= _FEW_WORDS else 0.0


def _with_context(said: Iterable[Sentence]) -> Iterator[tuple[Sentence, str]]:
    """Each sentence with its neighbours: where a path may be named, and where a joke may be owned up to."""
    listed = list(said)
    for index, sentence in enumerate(listed):
        yield sentence, " ".join(each.text for each in listed[max(0, index - 1) : index + 2])
