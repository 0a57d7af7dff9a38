"""Decisions that a transcript records as such: answered questions, approved plans, plans and calls sent back."""

import re
from collections.abc import Iterator, Sequence

from minutebook.extract import guard
from minutebook.extract.anchors import anchors_near
from minutebook.extract.prose import plain_line
from minutebook.extract.questions import answered
from minutebook.extract.spoken import corrections_in, said_in, signalled
from minutebook.extract.wording import full_stop, title_of
from minutebook.ground.change import Refusal
from minutebook.ground.markdown import first_sentence, read_lines
from minutebook.ground.session import Candidate, Turn
from minutebook.ground.unseen import has_unseen

_STEP_QUESTION = re.compile(
    r"(?:should|shall|may|can) i\b|(?:do you want|would you like) (?:me|to)\b|want me to\b|ready\b|proceed\b|"
    r"is (?:it|this|that) ok|what (?:would you like|should i|shall i|do you want) .{0,40}\b(?:do|next|now|work on)\b|"
    r".*\b(?:next|proceed|right now)\s*\?",
    re.IGNORECASE,
)
_NO_ANSWER = re.compile(
    r"(?:skip(?:ped)?|none|n/?a|not sure|don'?t know|no idea|whatever|later|other|\[.*\])\.?", re.IGNORECASE
)
_GOAL = re.compile(r"(?:goals?|objectives?|summary|solution|approach|decisions?)\b", re.IGNORECASE)
_PROBLEM = re.compile(r"(?:context|problem|background|why|motivation|current state)\b", re.IGNORECASE)
_PLAN_TITLE = re.compile(r"(?:implementation )?plan\s*[:—–-]\s*", re.IGNORECASE)
_APPROVED = "A plan was put forward and approved."
_QUOTE = 300
_LONGEST = 1000
_FEW_WORDS = 4


def from_structure(turn: Turn, session: str, files: Sequence[str]) -> Iterator[Candidate | Refusal]:
    """What a structured turn decides; nothing for an answer or a refusal that only steers the next step."""
    if turn.kind == "answer":
        yield from _answer(turn, session, files)
    elif turn.kind == "plan-approved":
        yield from _plan(turn, session, files)
    elif turn.kind == "plan-corrected":
        yield from corrections_in(turn, session, files)
    elif turn.kind == "tool-refused":
        yield from signalled(said_in(turn, session, files), "tool-refused")


def _answer(turn: Turn, session: str, files: Sequence[str]) -> Iterator[Candidate | Refusal]:
    question, answer = plain_line(turn.detail.get("question", "")), plain_line(turn.detail.get("answer", ""))
    quote = _verbatim(turn.detail.get("answer", ""), turn.text)
    steers = _STEP_QUESTION.match(question) or _NO_ANSWER.fullmatch(answer) or guard.is_question(answer)
    if not quote or not 8 <= len(question) <= _LONGEST or len(answer) > _LONGEST or steers:
        return
    said = answered(question, answer)
    reason = _reason(f"{question} {answer}", turn)
    if reason:
        yield Refusal(title_of(said), reason, quote)
        return
    text = full_stop(said)
    yield Candidate(
        type="decision",
        title=title_of(said),
        abstract=text,
        body=f"{question}\n\n{text}",
        quote=quote,
        turn=turn,
        session=session,
        signal="answer",
        score=1.0,
        fields={"context": question, "decision": text},
        anchors=anchors_near(f"{question} {answer}", files),
    )


def _plan(turn: Turn, session: str, files: Sequence[str]) -> Iterator[Candidate | Refusal]:
    """What an approved plan is for: its goal where it states one, else its title, with the problem as context."""
    plan = turn.detail.get("plan", "")
    name, goal, problem = _parts(plan)
    quote = _verbatim(goal or name, turn.text)
    said = plain_line(first_sentence(goal)) or _PLAN_TITLE.sub("", plain_line(name))
    if not quote or len(said.split()) < _FEW_WORDS:
        return
    title = title_of(_PLAN_TITLE.sub("", name) or said)
    reason = _reason(f"{title} {said}", turn)
    if reason:
        yield Refusal(title, reason, quote)
        return
    text = full_stop(said)
    yield Candidate(
        type="decision",
        title=title,
        abstract=text,
        body=text,
        quote=quote,
        turn=turn,
        session=session,
        signal="plan-approved",
        score=0.9,
        fields={"context": full_stop(plain_line(first_sentence(problem))) or _APPROVED, "decision": text},
        anchors=anchors_near(plan[:6000], files),
    )


def _parts(plan: str) -> tuple[str, str, str]:
    """(title, goal, problem) of a plan in Markdown: the first paragraph under a heading that says so, or ""."""
    name, heading = "", ""
    found = {"goal": "", "problem": ""}
    for row in read_lines(plan):
        line = row.text.strip()
        if row.level:
            name = name or row.heading
            goal, problem = _GOAL.match(row.heading), _PROBLEM.match(row.heading)
            heading = "goal" if goal else "problem" if problem else ""
        elif heading and row.live and line[:1] not in ("", ">", "|", "-", "*", "<", "!", "#"):
            found[heading] = found[heading] or line
    return name, found["goal"], found["problem"]


def _reason(text: str, turn: Turn) -> str:
    hidden = has_unseen(re.sub(r"[\n\t\r]", " ", turn.text))
    return guard.because("it holds characters that nobody can see") if hidden else guard.quarantine(text)


def _verbatim(words: str, text: str) -> str:
    """The first line of `words`, cut at a word, when it stands in `text`; else ""."""
    line = next((line.strip() for line in re.split(r"[\r\n]", words) if line.strip()), "")
    if len(line) > _QUOTE:
        line = line[:_QUOTE].rsplit(" ", 1)[0]
    return line if line and line in text and "<!--" not in line else ""
