"""Who stands behind a quote: a person, an agent whom a person answered yes, an agent alone, or only a tool's output.

The rule is that of the gate on what may be written at all (“What must never happen”): a decision, a convention or a
preference is a person's word. What nobody said is put into quarantine, where a person has to ask for it by its id.
"""

from collections.abc import Iterable

from minutebook.extract import guard
from minutebook.extract.model.agreement import Heard
from minutebook.extract.model.assent import accepts
from minutebook.extract.model.quote import evened
from minutebook.extract.model.turns import Window, parts_shown
from minutebook.extract.model.whole import cut_out, whole
from minutebook.extract.prose import Sentence, sentences
from minutebook.extract.stance import words
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import read_lines
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.session import Session, Turn

_TOLD = frozenset({"entity", "event"})
"""Types that an agent may report, to be looked at by a person. What lies in the space of agents it may say on its own;
all else, a repository's own types too, is how people want it, and needs a person."""
_STRUCTURED = frozenset({"answer", "plan-approved"})
_TOOLS = frozenset({"tool-call", "tool-result"})
_NO = ("no", "nope", "neither", "none", "don't", "never")
_LONGEST_ASKED = 4000
_REPEATED = 0.8
_FEW_WORDS = 4
_LATER = 400


@frozen
class Backing:
    """`refused` is why the words can't back the entry, `quarantine` why a person has to ask for it; "" where there is
    none. `accepted` is the person's turn that accepts what the agent said, `by` who says it, in words."""

    by: str
    refused: str = ""
    quarantine: str = ""
    accepted: Turn | None = None


def backing(session: Session, turn: Turn, span: tuple[int, int], mtype: MemoryType) -> Backing:
    """Who stands behind the stretch `span` of the turn's text, for an entry of this type; nobody, when the sentence
    that it is cut from says something else."""
    found = _behind(session, turn, span, mtype)
    cut = cut_out(turn.text, span) if turn.role != "tool" and turn.kind != "tool-call" else ""
    return found if found.refused or not cut else Backing(found.by, refused=cut)


def _behind(session: Session, turn: Turn, span: tuple[int, int], mtype: MemoryType) -> Backing:
    own = "{agent}" in mtype.place
    if turn.role == "user":
        return _of_a_person(turn, span, passing=not own and mtype.name not in _TOLD)
    if turn.role == "tool" or turn.kind != "text":
        return Backing("a tool", quarantine="only what a tool was given or printed supports it, no person said it")
    yes = _accepting(session, turn, span)
    if yes is not None:
        return _of_an_accepted_agent(session, turn, span, yes)
    by = "the agent"
    if mtype.name in _TOLD:
        return Backing(by, quarantine="only the agent said it, and no person accepted it")
    if not own:
        return Backing(by, refused="only the agent said it, and the person's next turn doesn't accept it")
    if _printed_before(session, turn, span):
        return Backing(by, quarantine="the agent repeats what a tool printed, no person said it")
    return Backing(by, quarantine=_quoted_lines(turn, span))


def near_talk(session: Session, turn: Turn, accepted: Turn | None) -> list[str]:
    """What was said in this turn and the two turns of talk on either side of it, and when it was accepted; what a
    question asked counts as said. What tools print doesn't."""
    talk = [each for each in session.turns if each.kind not in _TOOLS and each.text.strip()]
    at = next((at for at, each in enumerate(talk) if each.number == turn.number), None)
    near = talk[max(0, at - 2) : at + 3] if at is not None else [turn]
    asked = [value[:_LONGEST_ASKED] for value in turn.detail.values()]
    return [*_shown((*near, *filter(None, (accepted,)))), *asked]


def heard(session: Session, turn: Turn, span: tuple[int, int], accepted: Turn | None, page: str) -> Heard:
    """What a statement is compared with. What an answer denies (“no, leave it out”) its question doesn't say."""
    start, end = whole(turn.text, span)
    asked = turn.detail.get("question", "")[:_LONGEST_ASKED] if turn.kind == "answer" else ""
    denied = turn.text.lstrip().lower().replace("’", "'").split(",")[0].split(" ")[0].strip(".!") in _NO
    question = f"Not so: {asked}" if asked and denied else asked
    around = "\n".join(filter(None, (turn.text[start:end], question)))
    talk = near_talk(session, turn, accepted)
    return Heard(turn.text[span[0] : span[1]], around, "\n".join(_shown((turn,))), "\n".join(talk), page)


def backing_words(turn: Turn, accepted: Turn | None) -> list[str]:
    """What the turn that backs it says, what it answers, and the turn that accepts it."""
    return [*_shown((turn, *filter(None, (accepted,)))), *(value[:_LONGEST_ASKED] for value in turn.detail.values())]


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


def _of_an_accepted_agent(session: Session, turn: Turn, span: tuple[int, int], yes: Turn) -> Backing:
    by = "the agent, and the person accepted it"
    around = [each.text for each in sentences(turn.text) if each.start < span[1] and span[0] < each.end]
    doubts = {guard.doubt(text) for text in around} & {"joke", "hearsay"}
    refused = _not_stated(doubts.pop()) if doubts else ""
    repeated = "the agent repeats what a tool printed, and the person only said yes to it"
    quarantine = repeated if _printed_before(session, turn, span) else _quoted_lines(turn, span)
    return Backing(by, refused=refused, quarantine=quarantine, accepted=yes)


def _doubt(said: list[Sentence], around: list[int], span: tuple[int, int], *, passing: bool) -> str:
    """Why the sentences that the quote is from aren't meant as they stand; `passing` things count as doubtful too."""
    near = " ".join(each.text for each in said[max(0, around[0] - 1) : around[-1] + 2])
    if guard.is_joke(near):
        return "the words are a joke"
    for at in around:
        doubt = guard.doubt(said[at].text)
        if doubt and (passing or doubt != "step"):
            return _not_stated(doubt)
        if guard.is_quoted(said[at].text, max(0, span[0] - said[at].start)):
            return "the words stand between quotation marks: they are somebody else's"
    return ""


def _not_stated(doubt: str) -> str:
    if doubt == "unmeant":
        return "the words aren't meant as they stand"
    return f"the words are no statement but {doubt if doubt == 'hearsay' else f'a {doubt}'}"


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
            return each if _is_talk(each) and accepts(each.text, turn.text, span) else None
    return None


def _printed_before(session: Session, turn: Turn, span: tuple[int, int]) -> bool:
    """Whether a tool was the first to say it in this session, word for word or in nearly the same words."""
    start, end = whole(turn.text, span)
    said, named = evened(turn.text[span[0] : span[1]]).casefold(), words(turn.text[start:end])
    before = [each for each in session.turns if each.number < turn.number][-_LATER:]
    first = next((each for each in before if _says(each.text, said, named)), None)
    return first is not None and first.role == "tool"


def _says(text: str, said: str, named: frozenset[str]) -> bool:
    if said in evened(text).casefold():
        return True
    low = text.lower()
    least = _REPEATED * len(named)
    if len(named) < _FEW_WORDS or sum(word in low for word in named) < least:
        return False
    return any(sum(word in line for word in named) >= least for line in low.split("\n"))


def _quoted_lines(turn: Turn, span: tuple[int, int]) -> str:
    """A reason for quarantine when the agent's words stand in a fence or behind `>`."""
    at = 0
    for row in read_lines(turn.text):
        start, at = at, at + len(row.text)
        if start < span[1] and span[0] < at and (not row.live or row.text.lstrip().startswith(">")):
            return "it stands in what the agent quotes, no person said it"
    return ""


def _is_talk(turn: Turn) -> bool:
    return turn.role == "user" and turn.kind == "text"
