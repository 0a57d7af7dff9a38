"""Who stands behind a quote: a person, an agent whom a person answered yes, an agent alone, or only a tool's output.

The rule is that of the gate on what may be written at all (“What must never happen”): a decision, a convention or a
preference is a person's word. What nobody said is put into quarantine, where a person has to ask for it by its id.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from minutebook.extract import guard
from minutebook.extract.gathering import is_dropped, is_retracted
from minutebook.extract.model.quote import evened
from minutebook.extract.model.turns import Window, parts_shown
from minutebook.extract.phrases import phrases
from minutebook.extract.prose import Sentence, sentences
from minutebook.extract.stance import conflict, stance, words
from minutebook.extract.wording import statement
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import read_lines
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.session import Session, Turn

_TOLD = frozenset({"entity", "event"})
"""Types that an agent may report, to be looked at by a person. What lies in the space of agents it may say on its own;
all else, a repository's own types too, is how people want it, and needs a person."""
_STRUCTURED = frozenset({"answer", "plan-approved"})
_TOOLS = frozenset({"tool-call", "tool-result"})
_YES = phrases(
    *("yes", "yep", "yeah", "yup", "ok(?:ay)?", "sure", "sounds good", "looks good", "lgtm", "perfect", "agreed"),
    *("i agree", "do it", "do that", "go ahead", "go for it", "let'?s do (?:it|that)", "that works", "works for me"),
    *("makes sense", "good idea", "please do", "exactly", "correct", "great", "cool"),
)
_BUT = phrases("but", "however", "except", "no", "not", "don'?t", "wait", "instead", "actually", "rather", "unless")
_STEP = phrases(
    *("run", "commit", "push", "merge", "open", "create", "start", "begin", "continue", "proceed", "go on", "install"),
    *("delete", "deploy", "show", "look", "fix", "write", "implement", "next", "pr", "pull request", "branch", "test"),
)
_PICK = re.compile(
    r"(?:ok(?:ay)?|yes|let'?s go with|go with|i prefer)?[,\s]*(?:option\s+)?([A-D]|[1-5])\W*", re.IGNORECASE
)
_OPTION = r"(?m)^[ \t>*-]{{0,8}}(?:Option[ \t]+)?{0}[.):*]+"
_LONGEST_YES = 160
_DROPPED = phrases(
    *("drop(?:ped|ping)?", "scrap(?:ped|ping)?", "abandon\\w*", "cancel\\w*", "forget", "ditch\\w*", "revert\\w*"),
    *("no longer", "not any ?more", "not .{0,40}after all", "skip", "without", "get rid of", "remove"),
)
_SOON = 2
_FIRST_WORDS, _LOOKED_AT = 1000, 2000
_NEAR = 12
_LATER = 400
_HALF = 0.5


@frozen
class Backing:
    """`refused` is why the words can't back the entry, `quarantine` why a person has to ask for it; "" where there is
    none. `accepted` is the person's turn that accepts what the agent said, `by` who says it, in words."""

    by: str
    refused: str = ""
    quarantine: str = ""
    accepted: Turn | None = None


def backing(session: Session, turn: Turn, span: tuple[int, int], mtype: MemoryType) -> Backing:
    """Who stands behind the stretch `span` of the turn's text, for an entry of this type."""
    own = "{agent}" in mtype.place
    if turn.role == "user":
        return _of_a_person(turn, span, passing=not own and mtype.name not in _TOLD)
    if turn.role == "tool" or turn.kind != "text":
        return Backing("a tool", quarantine="only what a tool was given or printed supports it, no person said it")
    yes = _accepting(session, turn, span)
    if yes is not None:
        return _of_an_accepted_agent(turn, span, yes)
    by = "the agent"
    if mtype.name in _TOLD:
        return Backing(by, quarantine="only the agent said it, and no person accepted it")
    if not own:
        return Backing(by, refused="only the agent said it, and the person's next turn doesn't accept it")
    if _printed_before(session, turn, span):
        return Backing(by, quarantine="the agent repeats what a tool printed, no person said it")
    return Backing(by, quarantine=_quoted_lines(turn, span))


def taken_back(session: Session, turn: Turn, said: str) -> str:
    """Why what turn `turn` says no longer holds at the end of the session, as far as its words tell; ""."""
    later = [each for each in session.turns if each.number > turn.number and each.role == "user" and _is_said(each)]
    for at, each in enumerate(later):
        text = each.text[:_FIRST_WORDS]
        soon = at < _SOON and each.number - turn.number <= _NEAR and (is_retracted(text) or is_dropped(text))
        if soon or (turn.kind == "plan-approved" and is_dropped(text)):
            return f"turn {each.number} takes it back"
    subject, position = words(said), stance(said)
    for each, sentence in islice(_sentences_of(later), _LATER):
        about = words(sentence.text)
        if len(subject & about) < max(1, _HALF * min(len(subject), len(about))) or guard.doubt(sentence.text):
            continue
        if _DROPPED.search(sentence.text) and not _DROPPED.search(said):
            return f"turn {each.number} drops it: {sentence.text[:80]!r}"
        why = conflict(stance(statement(sentence.text)[0]), position)
        if why:
            return f"turn {each.number} says otherwise ({why})"
    return ""


def near_talk(session: Session, turn: Turn, accepted: Turn | None) -> list[str]:
    """What was said in this turn and the two turns of talk on either side of it, and when it was accepted; what a
    question asked counts as said. What tools print doesn't."""
    talk = [each for each in session.turns if each.kind not in _TOOLS and each.text.strip()]
    at = next((at for at, each in enumerate(talk) if each.number == turn.number), None)
    near = talk[max(0, at - 2) : at + 3] if at is not None else [turn]
    asked = [value[:4000] for value in turn.detail.values()]
    return [*_shown((*near, *filter(None, (accepted,)))), *asked]


def backing_words(turn: Turn, accepted: Turn | None) -> list[str]:
    """What the turn that backs it says, what it answers, and the turn that accepts it."""
    return [*_shown((turn, *filter(None, (accepted,)))), *(value[:4000] for value in turn.detail.values())]


def talk_of(window: Window) -> list[str]:
    """All that people and the agent say in a window."""
    return _shown(turn for turn in window.turns.values() if turn.kind not in _TOOLS)


def _shown(turns: Iterable[Turn]) -> list[str]:
    return [turn.text[start:end] for turn in turns for start, end in parts_shown(turn)]


def _of_a_person(turn: Turn, span: tuple[int, int], *, passing: bool) -> Backing:
    by = "the person"
    if turn.kind in _STRUCTURED:
        asked = turn.kind == "answer" and guard.is_question(turn.text[span[0] : span[1]])
        return Backing(by, refused="the answer is a question itself" if asked else "")
    said = sentences(turn.text)
    around = [at for at, each in enumerate(said) if each.start < span[1] and span[0] < each.end]
    if not around or not _covered(turn.text, span, [said[at] for at in around]):
        return Backing(by, quarantine="it stands in what the person pasted or quoted, not among their own words")
    return Backing(by, refused=_doubt(said, around, span, passing=passing))


def _of_an_accepted_agent(turn: Turn, span: tuple[int, int], yes: Turn) -> Backing:
    by = "the agent, and the person accepted it"
    around = [each.text for each in sentences(turn.text) if each.start < span[1] and span[0] < each.end]
    doubts = {guard.doubt(text) for text in around} & {"joke", "hearsay"}
    refused = f"the words are no statement but {doubts.pop()}" if doubts else ""
    return Backing(by, refused=refused, quarantine=_quoted_lines(turn, span), accepted=yes)


def _doubt(said: list[Sentence], around: list[int], span: tuple[int, int], *, passing: bool) -> str:
    """Why the sentences that the quote is from aren't meant as they stand; `passing` things count as doubtful too."""
    near = " ".join(each.text for each in said[max(0, around[0] - 1) : around[-1] + 2])
    if guard.is_joke(near):
        return "the words are a joke"
    for at in around:
        doubt = guard.doubt(said[at].text)
        if doubt and (passing or doubt != "step"):
            return f"the words are no statement but a {doubt}"
        if guard.is_quoted(said[at].text, max(0, span[0] - said[at].start)):
            return "the words stand between quotation marks: they are somebody else's"
    return ""


def _covered(text: str, span: tuple[int, int], said: list[Sentence]) -> bool:
    """Whether every letter and digit of the stretch lies in one of these sentences."""
    inside = range(*span)
    return all(any(each.start <= at < each.end for each in said) for at in inside if text[at].isalnum())


def _accepting(session: Session, turn: Turn, span: tuple[int, int]) -> Turn | None:
    """The person's turn that answers this one with yes, or picks the option that the quote is from: the next thing
    they say, with no other words of the agent between."""
    for each in session.turns:
        if each.number <= turn.number:
            continue
        if each.role == "assistant" and each.kind == "text":
            return None
        if each.role == "user":
            return each if _is_talk(each) and _accepts(each.text.strip(), turn.text, span) else None
    return None


def _asks_for_a_step(proposal: str, span: tuple[int, int]) -> bool:
    """Whether the agent ends by asking for leave to do something that isn't what is quoted: a yes answers that."""
    after = [each.text for each in sentences(proposal[span[1] :]) if guard.is_question(each.text)]
    if not after or not _STEP.search(after[-1]):
        return False
    return not words(after[-1]) & words(proposal[span[0] : span[1]])


def _accepts(answer: str, proposal: str, span: tuple[int, int]) -> bool:
    if len(answer) > _LONGEST_YES or "?" in answer or guard.is_joke(answer):
        return False
    pick = _PICK.fullmatch(answer)
    if pick is not None:
        line = proposal.rfind("\n", 0, span[0]) + 1
        return re.match(_OPTION.format(re.escape(pick[1])), proposal[line : span[0] + 8], re.IGNORECASE) is not None
    said_yes = _YES.match(answer) is not None and not _BUT.search(answer)
    return said_yes and not _asks_for_a_step(proposal, span)


def _printed_before(session: Session, turn: Turn, span: tuple[int, int]) -> bool:
    said = evened(turn.text[span[0] : span[1]])
    printed = [each for each in session.turns if each.role == "tool" and each.number < turn.number]
    return any(said in evened(each.text) for each in printed[-_LATER:])


def _quoted_lines(turn: Turn, span: tuple[int, int]) -> str:
    """A reason for quarantine when the agent's words stand in a fence or behind `>`."""
    at = 0
    for row in read_lines(turn.text):
        start, at = at, at + len(row.text)
        if start < span[1] and span[0] < at and (not row.live or row.text.lstrip().startswith(">")):
            return "it stands in what the agent quotes, no person said it"
    return ""


def _is_said(turn: Turn) -> bool:
    return turn.kind in ("text", "plan-corrected", "tool-refused")


def _is_talk(turn: Turn) -> bool:
    return turn.role == "user" and turn.kind == "text"


def _sentences_of(turns: list[Turn]) -> Iterator[tuple[Turn, Sentence]]:
    for turn in turns:
        for sentence in sentences(turn.text[:_LOOKED_AT]):
            yield turn, sentence
