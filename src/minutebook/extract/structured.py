"""Decisions that a transcript records as such: answered questions, approved plans, plans and calls sent back."""

import re
from collections.abc import Iterator

from minutebook.extract import guard
from minutebook.extract.clause import Clause, Setting
from minutebook.extract.prose import plain_line
from minutebook.extract.questions import answered
from minutebook.extract.spoken import corrections_in, said_in, signalled
from minutebook.extract.wording import full_stop, title_of
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import first_sentence, read_lines
from minutebook.ground.session import Candidate, Turn

_STEP_QUESTION = re.compile(
    r"(?:should|shall|may|can) i\b|(?:do you want|would you like) (?:me|to)\b|want me to\b|ready\b|proceed\b|"
    r"is (?:it|this|that) ok|what (?:would you like|should i|shall i|do you want) .{0,40}\b(?:do|next|now|work on)\b|"
    r".*\b(?:next|proceed|right now)\s*\?",
    re.IGNORECASE,
)
_OPEN_QUESTION = re.compile(
    r"(?:is there |do you have |have you )?(?:anything|something|what) else\b|any(?:thing)? (?:other|more|further|"
    r"additional|preferences?|comments?|feedback|notes?|thoughts?|requirements?|constraints?)\b.{0,60}\?|"
    r"(?:what|how) (?:can|may) i (?:help|do)\b|(?:what|any) (?:rules?|instructions?|guidelines?)\b",
    re.IGNORECASE,
)
"""Asks for nothing in particular: what is answered must stand by itself, and isn't the answer to the question."""
_NO_ANSWER = re.compile(
    r"(?:skip(?:ped)?|none|n/?a|not sure|don'?t know|no idea|whatever|later|other|\[.*\])\.?", re.IGNORECASE
)
_HEADINGS = {
    "goal": re.compile(r"(?:goals?|objectives?|summary|overview)\b", re.IGNORECASE),
    "solution": re.compile(r"(?:(?:proposed |chosen )?(?:solution|approach|design)|decisions?)\b", re.IGNORECASE),
    "problem": re.compile(r"(?:context|problem|background|why|motivation|current state)\b", re.IGNORECASE),
}
_LABELLED = re.compile(r"(?:[-*] )?\*\*(?:Solution|Decision|Approach)\*?\*?:?\*{0,2}:?\s+(?P<said>\S.*)", re.IGNORECASE)
_BOLD = re.compile(r"(?<!\w)\*\*|\*\*(?!\w)")
_MOST_SOLUTIONS = 2
_PLAN_TITLE = re.compile(r"(?:implementation )?plan\s*[:—–-]\s*", re.IGNORECASE)
_APPROVED = "A plan was put forward and approved."
_QUOTE = 300
_SHORTEST, _LONGEST = 8, 1000
_MOST_PLAN = 60_000
_FEW_WORDS = 4


@frozen
class _Parts:
    """What a plan in Markdown says: its title, its goal, its problem ("" where it names none), and its solutions, each
    with the row that it is weighed by."""

    name: str
    goal: str
    problem: str
    solutions: tuple[tuple[str, str], ...]


def from_structure(turn: Turn, session: str, setting: Setting) -> Iterator[Clause]:
    """What a structured turn decides; nothing for an answer or a refusal that only steers the next step."""
    if turn.kind == "answer":
        yield from _answer(turn, session, setting)
    elif turn.kind == "plan-approved":
        yield from _plan(turn, session, setting)
    elif turn.kind == "plan-corrected":
        yield from corrections_in(turn, session, setting)
    elif turn.kind == "tool-refused":
        yield from signalled(said_in(turn, session, setting), "tool-refused")


def _answer(turn: Turn, session: str, setting: Setting) -> Iterator[Clause]:
    asked, told = turn.detail.get("question", ""), turn.detail.get("answer", "")
    if len(asked) > _LONGEST or len(told) > _LONGEST:
        return
    question, answer = plain_line(asked), plain_line(told)
    if (len(question) < _SHORTEST or _OPEN_QUESTION.match(question)) and told and told in turn.text:
        yield from said_in(turn, session, setting, told)
        return
    quote = _verbatim(told, turn.text)
    steers = _STEP_QUESTION.match(question) or _NO_ANSWER.fullmatch(answer) or guard.is_question(answer)
    if not quote or len(question) < _SHORTEST or steers:
        return
    said = answered(question, answer)
    text = full_stop(said)
    draft = Candidate(
        type="decision",
        title=title_of(said),
        abstract=text,
        body=f"{question}\n\n{text}",
        quote=quote,
        turn=turn,
        session=session,
        signal="answer",
        score=0.0,
        fields={"context": question, "decision": text},
    )
    both = f"{question} {answer}"
    yield Clause(draft, "", True, said, False, both, both, setting)


def _plan(turn: Turn, session: str, setting: Setting) -> Iterator[Clause]:
    """What an approved plan settles: its solutions, else its goal, else its title, with the problem as context."""
    plan = turn.detail.get("plan", "")[:_MOST_PLAN]
    parts = _parts(plan)
    for words, cue in parts.solutions or ((parts.goal, "the goal"),):
        quote = _verbatim(words or parts.name, turn.text)
        said = plain_line(first_sentence(_BOLD.sub("", words))) or _PLAN_TITLE.sub("", plain_line(parts.name))
        if quote and len(said.split()) >= _FEW_WORDS:
            title = title_of(said if parts.solutions else _PLAN_TITLE.sub("", parts.name) or said)
            draft = _settled(turn, session, title, said, quote, parts.problem)
            near = f"{title} {said}"
            yield Clause(draft, cue, True, said, bool(parts.problem), near, plan[:6000], setting)


def _settled(turn: Turn, session: str, title: str, said: str, quote: str, problem: str) -> Candidate:
    text = full_stop(said)
    return Candidate(
        type="decision",
        title=title,
        abstract=text,
        body=text,
        quote=quote,
        turn=turn,
        session=session,
        signal="plan-approved",
        score=0.0,
        fields={"context": full_stop(plain_line(first_sentence(problem))) or _APPROVED, "decision": text},
    )


def _parts(plan: str) -> _Parts:
    """The first paragraph under a heading that says what it is, and lines such as “**Solution**: …”."""
    name, heading = "", ""
    found: dict[str, str] = {}
    solutions: list[tuple[str, str]] = []
    for row in read_lines(plan):
        line = row.text.strip()
        label = _LABELLED.match(line)
        if row.level:
            name = name or row.heading
            heading = next((kind for kind, pattern in _HEADINGS.items() if pattern.match(row.heading)), "")
        elif label and row.live and len(solutions) < _MOST_SOLUTIONS:
            solutions.append((label["said"], "the solution"))
        elif heading and row.live and line[:1] not in ("", ">", "|", "-", "*", "<", "!", "#"):
            found.setdefault(heading, line)
    if found.get("solution"):
        solutions.insert(0, (found["solution"], "the approach"))
    return _Parts(name, found.get("goal", ""), found.get("problem", ""), tuple(solutions[:_MOST_SOLUTIONS]))


def _verbatim(words: str, text: str) -> str:
    """The first line of `words`, cut at a word, when it stands in `text`; else ""."""
    line = next((line.strip() for line in re.split(r"[\r\n]", words) if line.strip()), "")
    if len(line) > _QUOTE:
        line = line[:_QUOTE].rsplit(" ", 1)[0]
    return line if line and line in text and "<!--" not in line else ""
