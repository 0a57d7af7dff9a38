"""Clauses out of single sentences: a cue, nothing that speaks against it, and the words around it."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from minutebook.extract import guard
from minutebook.extract.clause import Clause, Setting
from minutebook.extract.cues import ABOUT_WORK, TYPE_OF, Cue, find_cue, is_correction, is_passing
from minutebook.extract.phrases import choice
from minutebook.extract.prose import Sentence, plain_line, sentences
from minutebook.extract.stance import words
from minutebook.extract.wording import capital, full_stop, statement, title_of, without_lead
from minutebook.ground.frozen import replace
from minutebook.ground.session import Candidate, Turn

_MOST_CLAUSES = 12
_VERB = choice(
    *("is", "was", "are", "isn't", "aren't", "runs?", "has", "have", "needs?", "uses?", "does", "doesn't", "can't"),
    *("only", "returns?", "lives?", "accepts?", "supports?", "expects?", "owns?", "lags?", "strips?", "requires?"),
)
_SUBJECT = re.compile(
    r"(?:the |our |a |an )?(?P<name>`[^`]{2,60}`|[A-Z][\w.-]+(?: [A-Z][\w.-]+){0,2}|[\w-]+[._/][\w./-]+|"
    rf"(?!(?:we|i|it|this|that|they|you|there)\b)[\w-]+(?: [\w-]+)?(?= {_VERB}\b))"
)
_IMPERATIVE = re.compile(
    r"(?:please\s+)?(?:use|name|call|keep|make|store|put|support|require|default|drop|leave|limit|return|follow|prefer|"
    r"avoid|don'?t use|do not use|only|never|always|no)\s+(?P<value>.+)",
    re.IGNORECASE,
)
_SUBJECTLESS = re.compile(r"(?:must|should|shall|default(?:s|ing)?|needs?|has) ", re.IGNORECASE)
_VAGUE = re.compile(
    r"(?:sure|it|this|that|these|those|them|up|going|in mind|track|a note|note|me|a list|things)\b", re.IGNORECASE
)
_CLAUSE = re.compile(r",\s+|\s[–—-]\s|:\s+|\s+(?:and|but|so)\s+(?=let'?s\b|we'?ll\b|we should\b)")


def said_in(turn: Turn, session: str, setting: Setting) -> Iterator[Clause]:
    """What the sentences of a user's turn state."""
    before = ""
    for sentence, context in _with_context(sentences(turn.text)):
        at, cue = cue_of(sentence.text)
        if cue is not None:
            found = stated(turn, session, sentence, at, cue, context, setting)
            yield from _about(found, before) if _SUBJECTLESS.match(sentence.text) else found
        before = sentence.text


def _about(found: Iterable[Clause], before: str) -> Iterator[Clause]:
    """A decision that names no subject (“must be off by default”), with the sentence before it as its context."""
    for each in found:
        told = before and each.draft.type == "decision"
        fields = {"context": full_stop(capital(plain_line(before)))} if told else {}
        yield replace(each, draft=replace(each.draft, fields={**each.draft.fields, **fields}))


def corrections_in(turn: Turn, session: str, setting: Setting) -> Iterator[Clause]:
    """What a person says when they send a plan back: here a plain imperative (“use gh to authenticate”) states a
    choice, since it changes a plan that was about to be carried out."""
    for sentence, context in _with_context(sentences(turn.text)):
        at, cue = cue_of(sentence.text)
        plain = _IMPERATIVE.match(without_lead(sentence.text))
        if (cue is None or not cue.sure) and plain and not _VAGUE.match(plain["value"]):
            at, cue = 0, Cue("adoption", "imperative", 0, plain["value"])
        if cue is not None:
            yield from signalled(stated(turn, session, sentence, at, cue, context, setting), "plan-corrected")


def signalled(found: Iterable[Clause], signal: str) -> Iterator[Clause]:
    """The same, with what was seen named: the transcript itself marks these turns."""
    for each in found:
        yield replace(each, draft=replace(each.draft, signal=signal))


def stated(
    turn: Turn, session: str, sentence: Sentence, at: int, cue: Cue, context: str, setting: Setting
) -> Iterator[Clause]:
    """The clause at `at` of a sentence, or nothing where it is a question, a guess, a joke, hearsay or a step."""
    text = sentence.text
    if guard.doubt(text) or guard.is_joke(context) or guard.is_quoted(text, max(at + cue.at, text.rfind(cue.value))):
        return
    said, why = statement(text[at:])
    if not words(said):
        return
    draft = Candidate(
        type=TYPE_OF[cue.kind],
        title=title_of(said),
        abstract=full_stop(said),
        body=full_stop(said) + (f"\n\nWhy: {full_stop(why)}" if why else ""),
        quote=text,
        turn=turn,
        session=session,
        signal="cue:correction" if is_correction(without_lead(text)) else f"cue:{cue.kind}",
        score=0.0,
        fields={"decision": full_stop(said)} | ({"rationale": full_stop(why)} if why else {}),
    )
    for fitted in _fitted(draft, cue):
        yield Clause(fitted, cue.name, cue.sure, text[at:], bool(why), text, context, setting)


def cue_of(text: str) -> tuple[int, Cue | None]:
    """(where the clause with the cue starts, the cue): the sentence, or a clause that decides something."""
    core = without_lead(text)
    start = len(text) - len(core)
    cue = find_cue(core)
    if cue is not None and cue.sure:
        return start, cue
    for joint in islice(_CLAUSE.finditer(core), _MOST_CLAUSES):
        later = find_cue(core[joint.end() :], weak=False)
        if later is not None and later.kind in ABOUT_WORK and not is_passing(core):
            return start + joint.end(), later
    return start, cue


def _fitted(found: Candidate, cue: Cue) -> Iterator[Candidate]:
    """The candidate with the fields of its type alone; a fact is called by what it is about, if that is named."""
    if found.type == "decision":
        yield found
    elif found.type != "entity":
        yield replace(found, fields={})
    else:
        subject = _SUBJECT.match(cue.value)
        title = title_of(subject["name"].strip("`")) if subject is not None else found.title
        yield replace(found, title=title, fields={})


def _with_context(said: Iterable[Sentence]) -> Iterator[tuple[Sentence, str]]:
    """Each sentence with its neighbours: where a path may be named, and where a joke may be owned up to."""
    listed = list(said)
    for index, sentence in enumerate(listed):
        yield sentence, " ".join(each.text for each in listed[max(0, index - 1) : index + 2])
