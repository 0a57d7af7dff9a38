"""Clauses out of single sentences: a cue, nothing that speaks against it, and the words around it."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from minutebook.extract import guard
from minutebook.extract.clause import Clause, Setting
from minutebook.extract.cues import ABOUT_WORK, TYPE_OF, Cue, find_cue, is_correction, is_passing
from minutebook.extract.phrases import choice
from minutebook.extract.prose import Sentence, plain_line, sentences, unmarked
from minutebook.extract.retraction import rejects
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
    rf"(?!(?:we|i|it|this|that|they|you|there|since|after|before|when|if|as)\b)[\w-]+(?: [\w-]+)?(?= {_VERB}\b))"
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
_POINTING = re.compile(
    r"(?:them|they|it)\b|(?:this|that|these|those)(?:\s*[,.;!)(]|\s*$|\s+(?:is|are|for|in|as|and|apart|separate)\b)",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?:(?:let'?s|we(?:'ll| will| can)?|i(?:'d| would)?|just|please|rather|now|and|then|want(?: to)?)\s+){0,3}"
    r"(?:us(?:e|ing)|go (?:back )?(?:with|to)|take|pick|choose|adopt|stay (?:on|with)|stick (?:with|to)|"
    r"keep(?: using)?|switch (?:over )?to|move to|make it|prefer|store|put|run|deploy|build on)\s+(?P<taken>.{2,200})|"
    r"(?:the |our )?(?P<named>(?!(?:it|this|that|they|there|what)\b)[\w`.+#/-]+(?: [\w`.+#/-]+){0,3}?)"
    r"(?:\s+it is(?: then)?|\s+instead(?:,? please)?|(?:\s+instead)?,? (?:rather than|instead of|not)\s.{2,80})[.!]?",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"\b(?:translate|inputs?|examples?|strings?|texts?|messages?|titles?|prompts?|fixtures?|says?|writes?|reads?|prints?|"
    r"echo|output|sentence|quote|something like|such as|"
    r"guide(?:lines)?|docs?|documentation|readme|article|handbook|manual|page|wiki|tutorial)\b[^:]{0,30}$",
    re.IGNORECASE,
)
"""Before a colon: what follows is a text to work with, not something that is meant."""
_PAIR = re.compile(r"[\w`.+#/-]+(?: [\w`.+#/-]+){0,2} (?:rather than|instead|it is)\b|go back to\b", re.IGNORECASE)
_JOINT = re.compile(r"[,;:]\s+|\s[–—-]\s|\s+(?:and|but|so)\s+")
_CLAUSE = re.compile(r",\s+|\s[–—-]\s|:\s+|\s+(?:and|but|so)\s+(?=let'?s\b|we'?ll\b|we should\b)")


def said_in(turn: Turn, session: str, setting: Setting, text: str | None = None) -> Iterator[Clause]:
    """What the sentences of a user's turn state; of `text` alone, where the turn's text has more in it."""
    before, replacing = "", False
    said = sentences(turn.text if text is None else text)
    for sentence, context in () if any(guard.is_unserious(each.text) for each in said) else _with_context(said):
        plain = unmarked(sentence.text)
        at, cue = cue_of(plain)
        against = rejects(plain)
        if (cue is None or not cue.sure) and (replacing or against):
            at, cue = _replacement(plain, whole=replacing) or (at, cue)
        if cue is not None:
            found = stated(turn, session, sentence, at, cue, context, setting)
            yield from _in_context(found, plain, cue, before, setting.before)
        before, replacing = sentence.text, against


def _replacement(text: str, *, whole: bool) -> tuple[int, Cue] | None:
    """(where it starts, what takes the place of what was just ruled out): “drop Postgres, use SQLite”, “MySQL it is”.

    With `whole`, the sentence before ruled it out, and this one may say it from its start."""
    core = without_lead(text)
    start = len(text) - len(core)
    places = [0] if whole or start or _PAIR.match(core) else []
    for at in (*places, *(joint.end() for joint in islice(_JOINT.finditer(core), _MOST_CLAUSES))):
        piece = without_lead(core[at:])
        found = _INSTEAD.fullmatch(piece)
        value = (found["taken"] or found["named"]) if found else None
        if value and not _VAGUE.match(value) and words(value):
            return len(text) - len(piece), Cue("adoption", "the replacement", 0, value)
    return None


def _in_context(found: Iterable[Clause], text: str, cue: Cue, before: str, agent: str) -> Iterator[Clause]:
    """What is said with what it is about. “Keep them apart” means nothing alone: it needs a sentence before it, of the
    person's or else of the agent's."""
    points = _POINTING.match(cue.value) is not None
    if points and (before or agent):
        yield from _about(found, before or f"The agent had said: {agent}")
    elif not points:
        yield from _about(found, before) if _SUBJECTLESS.match(text) else found


def _about(found: Iterable[Clause], before: str) -> Iterator[Clause]:
    """A decision that names no subject (“must be off by default”, “keep them apart”), with the sentence before it as
    its context."""
    for each in found:
        told = before and each.draft.type == "decision"
        fields = {"context": full_stop(capital(plain_line(unmarked(before))))} if told else {}
        draft = replace(each.draft, fields={**each.draft.fields, **fields})
        yield replace(each, draft=draft, danger=f"{each.danger}\n{before}" if told else each.danger)


def corrections_in(turn: Turn, session: str, setting: Setting) -> Iterator[Clause]:
    """What a person says when they send a plan back: here a plain imperative (“use gh to authenticate”) states a
    choice, since it changes a plan that was about to be carried out."""
    for sentence, context in _with_context(sentences(turn.text)):
        at, cue = cue_of(unmarked(sentence.text))
        plain = _IMPERATIVE.match(without_lead(unmarked(sentence.text)))
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
    text = unmarked(sentence.text)
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
        quote=sentence.text,
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
        given = joint[0].startswith(":") and _GIVEN.search(core, 0, joint.start()) is not None
        later = None if given else find_cue(core[joint.end() :], weak=False)
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
