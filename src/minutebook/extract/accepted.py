"""What an agent recommended and a person then accepted (“yes”), or an option that they picked by its letter."""

import re
from collections.abc import Iterator, Sequence

from minutebook.extract import guard
from minutebook.extract.clause import Clause, Setting
from minutebook.extract.cues import Cue
from minutebook.extract.options import MARKUP, picked
from minutebook.extract.phrases import choice, phrases
from minutebook.extract.prose import Sentence, sentences
from minutebook.extract.spoken import stated
from minutebook.extract.stance import words
from minutebook.extract.wording import full_stop, statement, title_of
from minutebook.extract.yes import YES
from minutebook.ground.frozen import replace
from minutebook.ground.session import Turn

_YES = re.compile(rf"(?:{YES}[\s,.!]*){{1,4}}", re.IGNORECASE)
_ADVISE = choice(
    r"i(?:'d| would)? (?:recommend|suggest|propose)", r"my (?:recommendation|suggestion) is(?: to)?", "recommendation:"
)
_TAKE = choice(
    *("us(?:e|ing)", "go(?:ing)? with", "adopt(?:ing)?", "switch(?:ing)? to", "stor(?:e|ing)", "keep(?:ing)?"),
    *("standardi[sz](?:e|ing) on", "mov(?:e|ing) to", "default(?:ing)? to"),
)
_BEST = (
    r"(?:a|the|my)\s+(?:clean(?:er|est)|simpl(?:er|est)|better|best|obvious|right)\s+"
    r"(?:solution|approach|option|way|fix|design|choice)(?: here)?\s+(?:is|would be|might be|could be|seems)"
)
_LEAN = r"i(?:'d| would|'m)?\s+lean(?:ing)?\s+towards?"
_JOINT = r"\s+(?:that\s+we\s+|we\s+|to\s+)?"
_ADVICE = re.compile(
    rf"(?:{_ADVISE}|we should|let'?s){_JOINT}(?:\w+ly\s+)?{_TAKE}\s+(?P<value>.+)|"
    rf"(?:{_BEST}|{_LEAN}){_JOINT}(?P<best>[a-z].+)",
    re.IGNORECASE,
)
_ADVISED = re.compile(rf"(?:{_ADVISE}|{_BEST}|{_LEAN}){_JOINT}", re.IGNORECASE)
_OPEN_WORDS = words(
    "sound right good ok okay agree agreed proceed ahead continue start fine work like think thought make sense "
    "approve approved prefer preferred correct happy shall would should could can does did are you me with implement "
    "apply write build create add set up do it that this one way go what how about alright yes question confirm "
    "objection accept acceptable look feedback concern change anything else before begin approach plan proposal idea "
    "direction either which option solution recommendation suggestion choice use sound thoughts opinion"
)
"""Words of a question that asks for nothing but a yes to what was just said."""
_SOURCE = (
    r"(?:the |this |that |their |its |an? )?(?:[\w-]+ ){0,2}(?:pages?|docs?|documentation|readme(?:\.md)?|articles?|"
    r"blog(?: post)?|website|site|guide|wiki|file|comment|issue|ticket|output|log|tutorial|search results?|note|answer)"
)
_READ = re.compile(
    rf"\b{_SOURCE}(?: (?:that )?i (?:fetched|read|found|opened|saw))? (?:says?|said|claims?|recommends?|suggests?|"
    r"states?|mentions?|tells?|wants?|asks?|advises?)\b|"
    rf"\b(?:according to|as (?:documented|described|recommended|suggested|stated|written|noted|mentioned) "
    rf"(?:in|by|on|at)|per|based on what) {_SOURCE}\b|"
    rf"\bi (?:just )?(?:read|found|saw|fetched|learned|see) (?:this |that |it )?(?:in|on|from|at) {_SOURCE}\b|"
    r"\b(?:i (?:read|found|saw)|it says|they say) (?:online|on the (?:web|internet)|there|here|that)\b",
    re.IGNORECASE,
)
_NEAR = 2
_OR = re.compile(r"\W*or\b", re.IGNORECASE)
READ_IT = "the agent says that it read this somewhere, and the person only said yes to it"
_STEP = phrases(
    *("commit", "push", "merge", "pull request", "pr", "run", "install", "delete", "next", "continue", "start"),
    *("rebase", r"execut\w+", "deploy", "test it", "branch", "review", "fix", "look at", "show you", "open"),
)


def accepted_by(turn: Turn, proposal: Turn, session: str, setting: Setting) -> Iterator[Clause]:
    """What the user's `turn` accepts of the assistant's `proposal`, the last thing said before it."""
    if is_yes(_first_words(turn.text)):
        for found in _advice(proposal, session, setting):
            yield replace(found, draft=replace(found.draft, accepted=turn))
    else:
        yield from picked(turn, proposal, session, setting)


def is_yes(text: str) -> bool:
    """Whether a text says yes and nothing else."""
    return _YES.fullmatch(text) is not None


def _first_words(text: str) -> str:
    """What is said before the first question, at most a line: “yes, that's it. Q: what about renames?” says yes."""
    return text.strip().split("\n", 1)[0].strip()


def _advice(proposal: Turn, session: str, setting: Setting) -> Iterator[Clause]:
    """The last recommendation, unless what the assistant asked at the end was whether to take a step."""
    said = sentences(proposal.text)
    asked = _asked(said)
    for sentence in reversed(said):
        match = _ADVICE.match(MARKUP.sub("", sentence.text))
        if match is None:
            continue
        if asked is None or asked.start < sentence.start or _asks_about(asked.text, sentence.text):
            cue = Cue("adoption", "let's use", 0, match["value"] or match["best"])
            core = _without_advice(sentence)
            for found in stated(proposal, session, core, 0, cue, core.text, setting):
                yield _as_said(found, sentence)
        return


def _asked(said: Sequence[Sentence]) -> Sentence | None:
    """The last question; of “is that right? Or do you want …?” the first half, which a yes answers."""
    questions = [each for each in said if guard.is_question(each.text)]
    while len(questions) > 1 and _OR.match(questions[-1].text):
        questions.pop()
    return questions[-1] if questions else None


def _asks_about(question: str, advice: str) -> bool:
    """Whether “yes” to the question is yes to the advice before it: it isn't a step, nor about anything else."""
    named = words(question) - _OPEN_WORDS
    return not _STEP.search(question) and (not named or bool(named & words(advice)))


def read_somewhere(clause: Clause) -> str:
    """Why what the agent recommends isn't backed by a yes, where it tells near by that it has it from elsewhere; ""."""
    if clause.draft.accepted is None:
        return ""
    said = sentences(clause.draft.turn.text)
    at = next((at for at, each in enumerate(said) if clause.draft.quote in each.text), 0)
    near = said[max(0, at - _NEAR) : at + _NEAR + 1]
    return READ_IT if any(_READ.search(each.text) for each in near) else ""


def _without_advice(sentence: Sentence) -> Sentence:
    """The sentence from what is advised on: “a cleaner way might be to …” is no guess of the agent's."""
    lead = _ADVISED.match(sentence.text)
    start = lead.end() if lead else 0
    return Sentence(sentence.text[start:], sentence.start + start, sentence.end)


def _as_said(found: Clause, sentence: Sentence) -> Clause:
    said, why = statement(_ADVISED.sub("", MARKUP.sub("", sentence.text), count=1))
    text = full_stop(said)
    fields = {"decision": text} | ({"rationale": full_stop(why)} if why else {})
    draft = replace(found.draft, title=title_of(said), abstract=text, body=text, fields=fields, signal="accepted")
    return replace(found, draft=draft, said=said)
