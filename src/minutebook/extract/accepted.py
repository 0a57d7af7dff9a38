"""What an agent proposed and a person then accepted: a recommendation met by “yes”, an option picked by its letter."""

import re
from collections.abc import Iterator, Mapping, Sequence

from minutebook.extract import guard
from minutebook.extract.cues import Cue
from minutebook.extract.phrases import choice, phrases
from minutebook.extract.prose import Sentence, plain_line, sentences
from minutebook.extract.questions import answered
from minutebook.extract.spoken import judged
from minutebook.extract.wording import full_stop, statement, title_of
from minutebook.ground.change import Refusal
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.session import Candidate, Turn
from minutebook.ground.unseen import has_unseen

_YES_WORDS = choice(
    *(
        "yes",
        "yep",
        "yeah",
        "yup",
        "ok(?:ay)?",
        "sure",
        "sounds good",
        "looks good",
        "lgtm",
        "perfect",
        "great",
        "agreed",
    ),
    *("agree", "do it", "do that", "go ahead", "go for it", "let'?s do (?:it|that)", "that works", "works for me"),
    *("makes sense", "good idea", "please do", "please", "exactly", "correct", "cool", "👍"),
)
_YES = re.compile(rf"(?:{_YES_WORDS}[\s,.!]*){{1,4}}", re.IGNORECASE)
_ADVISE = choice(
    r"i(?:'d| would)? (?:recommend|suggest|propose)", r"my (?:recommendation|suggestion) is(?: to)?", "recommendation:"
)
_TAKE = choice(
    *("us(?:e|ing)", "go(?:ing)? with", "adopt(?:ing)?", "switch(?:ing)? to", "stor(?:e|ing)", "keep(?:ing)?"),
    *("standardi[sz](?:e|ing) on", "mov(?:e|ing) to", "default(?:ing)? to"),
)
_JOINT = r"\s+(?:that\s+we\s+|we\s+|to\s+)?"
_ADVICE = re.compile(rf"(?:{_ADVISE}|we should|let'?s){_JOINT}{_TAKE}\s+(?P<value>.+)", re.IGNORECASE)
_ADVISED = re.compile(rf"{_ADVISE}{_JOINT}", re.IGNORECASE)
_STEP = phrases(
    *(
        "commit",
        "push",
        "merge",
        "pull request",
        "pr",
        "run",
        "install",
        "delete",
        "next",
        "continue",
        "start",
        "rebase",
    ),
    *(r"execut\w+", "deploy", "test it", "branch", "review", "fix", "look at", "show you", "open"),
)
_STEP_OPTION = re.compile(
    r"(?:commit|push|merge|run|install|delete|continue|proceed|execute|start|rebase|deploy|open|create|fix|look|"
    r"show|review|"
    r"skip|leave|yes|no)\b|.*\b(?:sub-?agent|(?:this|new|parallel|separate) session)\b",
    re.IGNORECASE,
)
_OPTION = re.compile(
    r"(?m)^[ \t]{0,6}(?:[-*|][ \t]+)?\**(?:Option[ \t]+)?(?P<label>[A-D]|[1-5])[.):]\**[ \t:—–-]*(?P<text>[^\s|"
    r"][^|\n]{2,400})"
)
_PICK = re.compile(
    r"(?:(?:ok(?:ay)?|yes|yeah|yep|so|hmm+|i think|let'?s go with|go with|let'?s do|i'd go with|i prefer|"
    r"i like)[,\s]+){0,4}"
    r"(?:option\s+)?(?P<label>[A-D]|[1-5])(?=$|[.,;:)!]|\s+(?:is|sounds|looks|please|seems|works|makes)\b|"
    r"\s*[(—–-])[.)]?",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(r"\s*[1-5]\W*")
_MARKUP = re.compile(r"[*_]{2,3}|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_RECOMMENDED = re.compile(r"\s*\((?:my )?recommend(?:ed|ation)\)", re.IGNORECASE)
_TAIL = 6000


@frozen
class _Choice:
    """A question that an assistant's turn asks, with its options by label."""

    question: str
    options: Mapping[str, str]


def accepted_by(turn: Turn, proposal: Turn, session: str, files: Sequence[str]) -> Iterator[Candidate | Refusal]:
    """What the user's `turn` accepts of the assistant's `proposal`, the last thing said before it."""
    if _YES.fullmatch(turn.text.strip()):
        for found in _advice(proposal, session, files):
            yield replace(found, accepted=turn) if isinstance(found, Candidate) else found
    else:
        yield from _picked(turn, proposal, session)


def _advice(proposal: Turn, session: str, files: Sequence[str]) -> Iterator[Candidate | Refusal]:
    """The last recommendation, unless what the assistant asked at the end was whether to take a step."""
    said = sentences(proposal.text)
    asked = next((each for each in reversed(said) if guard.is_question(each.text)), None)
    for sentence in reversed(said):
        match = _ADVICE.match(_MARKUP.sub("", sentence.text))
        if match is None:
            continue
        if asked is None or asked.start < sentence.start or not _STEP.search(asked.text):
            cue = Cue("adoption", 0, match["value"], 0.65)
            for found in judged(proposal, session, sentence, 0, cue, sentence.text, files):
                yield _as_said(found, sentence)
        return


def _as_said(found: Candidate | Refusal, sentence: Sentence) -> Candidate | Refusal:
    if isinstance(found, Refusal):
        return found
    said, why = statement(_ADVISED.sub("", _MARKUP.sub("", sentence.text), count=1))
    text = full_stop(said)
    fields = {"decision": text} | ({"rationale": full_stop(why)} if why else {})
    return replace(found, title=title_of(said), abstract=text, body=text, fields=fields, signal="accepted")


def _picked(turn: Turn, proposal: Turn, session: str) -> Iterator[Candidate | Refusal]:
    pick = _PICK.match(turn.text.strip())
    asked = _choice(proposal.text[-_TAIL:])
    if pick is None or asked is None or _BARE_NUMBER.fullmatch(turn.text) or guard.is_joke(turn.text):
        return
    chosen = asked.options.get(pick["label"].upper())
    quote = _words_of_choice(turn.text)
    if chosen is None or not quote or guard.is_question(chosen):
        return
    label, _, described = chosen.partition(" - ")
    said = answered(asked.question, label)
    after = quote[quote.upper().find(pick["label"].upper()) + 1 :].lstrip(" .,):(—–-")
    why = statement(f"{label} {after}")[1] if after else ""
    hidden = guard.because("it holds characters that nobody can see") if has_unseen(quote) else ""
    reason = hidden or guard.quarantine(f"{chosen} {quote}")
    if reason:
        yield Refusal(title_of(said), reason, quote)
        return
    text = full_stop(said)
    fields = {"context": asked.question, "decision": text} | ({"rationale": full_stop(why)} if why else {})
    yield Candidate(
        type="decision",
        title=title_of(said),
        abstract=text,
        body="\n\n".join(filter(None, (text, described))),
        quote=quote,
        turn=turn,
        session=session,
        signal="option",
        score=0.8 if why else 0.7,
        fields=fields,
    )


def _choice(text: str) -> _Choice | None:
    """The last question with lettered or numbered options, a list or a table; None for a choice of next steps."""
    found = list(_OPTION.finditer(text))
    start = next((index for index in range(len(found) - 1, -1, -1) if found[index]["label"] in "A1"), None)
    if start is None or len(found) - start < 2:
        return None
    options = {match["label"]: _plain(match["text"]) for match in found[start:]}
    before = _questions(text[: found[start].start()])
    after = _questions(text[found[-1].end() :])
    steps = sum(_STEP_OPTION.match(option) is not None for option in options.values())
    if not (before or after) or 2 * steps >= len(options):
        return None
    return _Choice(max((*before[-1:], *after[-1:]), key=len), options)


def _plain(option: str) -> str:
    return plain_line(_RECOMMENDED.sub("", _MARKUP.sub("", option))).rstrip(" .|")


def _questions(text: str) -> list[str]:
    """The questions, without a heading such as “Next question:” before them."""
    asked = (
        plain_line(_MARKUP.sub("", each.text)) for each in sentences(text) if each.text.rstrip("*_ ").endswith("?")
    )
    bare = (re.sub(r"^(?:\w+ )?question:\s*", "", question, flags=re.IGNORECASE) for question in asked)
    return [question for question in bare if len(question.split()) > 1]


def _words_of_choice(text: str) -> str:
    """The first sentence, without a question in brackets after it; "" when it is a question itself."""
    first = next((each.text for each in sentences(text)), "")
    if "?" in first:
        first = re.split(r"\s*\(", first, maxsplit=1)[0]
    return "" if guard.is_question(first) else first
