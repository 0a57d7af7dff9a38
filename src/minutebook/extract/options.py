"""A question of the agent's with lettered or numbered options, and the one that a person picked by its letter."""

import re
from collections.abc import Iterator, Mapping

from minutebook.extract import guard
from minutebook.extract.clause import Clause, Setting
from minutebook.extract.prose import plain_line, sentences
from minutebook.extract.questions import answered
from minutebook.extract.wording import full_stop, statement, title_of
from minutebook.ground.frozen import frozen
from minutebook.ground.session import Candidate, Turn

MARKUP = re.compile(r"(?<!\w)[*_]{2,3}|[*_]{2,3}(?!\w)|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_STEP_OPTION = re.compile(
    r"(?:commit|push|merge|run|install|delete|continue|proceed|execute|start|rebase|deploy|open|create|fix|look|"
    r"show|review|"
    r"skip|leave|yes|no)\b|.*\b(?:sub-?agent|(?:this|new|parallel|separate) session)\b",
    re.IGNORECASE,
)
_OPTION = re.compile(
    r"(?m)^[ \t]{0,6}(?:[-*|][ \t]+)?\**(?:Option[ \t]+)?(?P<label>[A-D]|[1-5])[.):]\**[ \t:—–-]*(?P<text>[^\s|"
    r"][^|\n]{2,400})(?:\|[ \t]*(?P<described>[^|\n]{2,400})\|)?"
)
_PICK = re.compile(
    r"(?:(?:ok(?:ay)?|yes|yeah|yep|so|hmm+|i think|let'?s go with|go with|let'?s do|i'd go with|i prefer|"
    r"i like)[,\s]+){0,4}"
    r"(?:option\s+)?(?P<label>[A-D]|[1-5])(?=$|[.,;:)!]|\s*[(—–-]|"
    r"\s+(?:is|sounds|looks|please|seems|works|makes|and|but|with|because|since)\b)[.)]?",
    re.IGNORECASE,
)
_PICK_LATER = re.compile(
    r"(?:[.!,;:]\s+|\byour question,?:?\s+)(?:and |so |but |i think )?(?:option\s+)?(?P<label>[A-D])\)?\s+"
    r"(?:seems|sounds|looks|feels|is|would be)(?: like)?(?: a| the| my)?\s+"
    r"(?:good|fine|best|right|better|great|ok|okay|preferred|way|favou?rite|choice)\b",
)
_BARE_NUMBER = re.compile(r"\s*[1-5]\W*")
_BARE_LETTER = re.compile(r"\s*(?:option )?[A-D]\W*", re.IGNORECASE)
_RECOMMENDED = re.compile(r"\s*\((?:my )?recommend(?:ed|ation)\)", re.IGNORECASE)
_TAIL = 6000
_LOOKED_AT = 2000
_FEW, _MANY = 3, 25


@frozen
class _Choice:
    """A question that an assistant's turn asks, with its options by label, and what a table says of each."""

    question: str
    options: Mapping[str, str]
    described: Mapping[str, str]


def picked(turn: Turn, proposal: Turn, session: str, setting: Setting) -> Iterator[Clause]:
    """The option of the assistant's `proposal` that the user's `turn` picks, with the question as its context."""
    text = turn.text.strip()
    pick = _PICK.match(text) or _PICK_LATER.search(text, 0, _LOOKED_AT)
    asked = _choice(proposal.text[-_TAIL:])
    if pick is None or asked is None or guard.is_joke(turn.text):
        return
    chosen = asked.options.get(pick["label"].upper())
    quote = _words_of_choice(text, pick.start("label"))
    if chosen is None or not quote or guard.is_question(chosen):
        return
    label, _, more = chosen.partition(" - ")
    described = more or asked.described[pick["label"].upper()]
    said = answered(asked.question, label)
    after = quote[quote.upper().find(pick["label"].upper()) + 1 :].lstrip(" .,):(—–-")
    why = statement(f"{label} {after}")[1] if after else ""
    told = full_stop(said)
    fields = {"context": asked.question, "decision": told} | ({"rationale": full_stop(why)} if why else {})
    draft = Candidate(
        type="decision",
        title=title_of(said),
        abstract=told,
        body="\n\n".join(filter(None, (told, described))),
        quote=quote,
        turn=turn,
        session=session,
        signal="option",
        score=0.0,
        fields=fields,
    )
    yield Clause(draft, _words_or_letter(quote), True, chosen, bool(why), f"{chosen} {quote}", chosen, setting)


def _words_or_letter(quote: str) -> str:
    if _BARE_NUMBER.fullmatch(quote):
        return "a bare number"
    return "a bare letter" if _BARE_LETTER.fullmatch(quote) else ""


def _choice(text: str) -> _Choice | None:
    """The last question with lettered or numbered options, a list or a table; None for a choice of next steps."""
    found = list(_OPTION.finditer(text))
    start = next((index for index in range(len(found) - 1, -1, -1) if found[index]["label"] in "A1"), None)
    if start is None or len(found) - start < 2:
        return None
    options = {match["label"]: _plain(match["text"]) for match in found[start:]}
    described = {match["label"]: _plain(match["described"] or "") for match in found[start:]}
    before = _questions(text[: found[start].start()]) or _announced(text[: found[start].start()])
    after = _questions(text[found[-1].end() :])
    steps = sum(_STEP_OPTION.match(option) is not None for option in options.values())
    if not (before or after) or steps == len(options):
        return None
    return _Choice(max((*before[-1:], *after[-1:]), key=len), options, described)


def _plain(option: str) -> str:
    return plain_line(_RECOMMENDED.sub("", MARKUP.sub("", option))).rstrip(" .|")


def _questions(text: str) -> list[str]:
    """The questions, without a heading such as “Next question:” before them."""
    asked = (plain_line(MARKUP.sub("", each.text)) for each in sentences(text) if each.text.rstrip("*_ ").endswith("?"))
    bare = (re.sub(r"^(?:\w+ )?question:\s*", "", question, flags=re.IGNORECASE) for question in asked)
    return [question for question in bare if len(question.split()) > 1]


def _announced(text: str) -> list[str]:
    """A last line such as “For a summary that exists already:”, which the options complete."""
    lines = [line for line in text.strip().split("\n") if line.strip()]
    last = plain_line(MARKUP.sub("", lines[-1])).strip("*_ ") if lines else ""
    return [last.rstrip(":")] if last.endswith(":") and _FEW <= len(last.split()) <= _MANY else []


def _words_of_choice(text: str, at: int) -> str:
    """The sentence with the letter, without a question in brackets after it; "" when it is a question itself."""
    chosen = next((each.text for each in sentences(text) if each.end > at), "")
    if "?" in chosen:
        chosen = re.split(r"\s*\(", chosen, maxsplit=1)[0]
    return "" if guard.is_question(chosen) else chosen
