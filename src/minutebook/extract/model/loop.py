"""The model extractor: a model reads a session in a loop that looks at memory before it proposes.

ReAct (Yao et al. 2023): the model alternates between reading memory and acting, here proposing, and what each step
finds is before it in the next. It ends its turn, or the budget ends it. Pure but for what it is given to ask with.
"""

from collections.abc import Callable
from datetime import date

from minutebook.extract import MOST, session_key
from minutebook.extract.model.budget import Budget
from minutebook.extract.model.case import Case
from minutebook.extract.model.hearing import Hearing
from minutebook.extract.model.memory import Shelf
from minutebook.extract.model.prompt import VERSION, answers, first_message, system
from minutebook.extract.model.turns import Window, windows
from minutebook.extract.tools import extraction_tools, memory_tools, proposable
from minutebook.ground.asking import Model, Reply
from minutebook.ground.change import Refusal
from minutebook.ground.config import ModelSettings
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen
from minutebook.ground.markdown import cut
from minutebook.ground.memory import Memory
from minutebook.ground.nouns import counted
from minutebook.ground.session import Candidate, Found, Session
from minutebook.ground.unseen import one_line
from minutebook.ground.uris import slug
from minutebook.redaction.redact import Redactor
from minutebook.retrieve.candidates import Reader

ROUNDS = 16
"""Requests that one window may take."""
_MOST_CALLS = 24
UNREAD = "turns left unread"
"""The figure that says that a session wasn't read to its end."""
_ENDED = {
    "max_tokens": "its answer was cut off: nothing of it was taken",
    "refusal": "the model refused to answer",
    "model_context_window_exceeded": "the model had no room left for an answer: nothing of it was taken",
}


@frozen
class Place:
    """Whose memory it is: the account of its URIs, the user whose owner space is read and written, the agent's name
    ("" is that of each transcript's format)."""

    account: str
    user: str
    agent: str = ""


def settings_of(settings: ModelSettings | None) -> ModelSettings:
    """The config's `model:`. Raises CannotJudge with the lines to add when there is none."""
    if settings is None:
        lines = "in .minutebook.yaml:  model: {extract: <id of a model>, budget_tokens: 200000}"
        raise CannotJudge("--model: the config names no model to ask", lines)
    return settings


def model_extractor(
    model: Model, settings: ModelSettings, place: Place
) -> Callable[[Session, Memory, date, int], Found]:
    """An extractor for `plan_sessions`. One budget holds for all sessions that it is called for."""
    budget = Budget(settings)

    def extract(session: Session, memory: Memory, today: date, after: int) -> Found:
        return _extract(_Run(model, budget, place), session, memory, today, after)

    return extract


@frozen
class _Run:
    model: Model
    budget: Budget
    place: Place


def _extract(run: _Run, session: Session, memory: Memory, today: date, after: int) -> Found:
    agent = slug(run.place.agent or session.format)
    shelf = Shelf(memory, run.place.account, Reader(run.place.user, run.place.agent))
    tools = [*memory_tools(), *extraction_tools(memory.types)]
    hearing = Hearing(proposable(memory.types), tools)
    owner = {"user": run.place.user, "agent": agent}
    extractor = f"model:{run.model.id}:{VERSION}"
    before = run.budget.figures()
    notes: list[str] = []
    unread = 0
    for window in windows(session, after):
        case = Case(session, window, shelf, today, owner, session_key(session), extractor)
        note, done = ("", False) if unread else _talk(run, hearing, case)
        notes += [note] if note else []
        unread += 0 if done else _fresh(window)
    kept, crowded = _best(hearing.kept)
    if unread:
        notes.append(f"{counted(unread, 'turn')} not read: the budget of {run.budget.limit} is used up")
    spent = {name: value - before[name] for name, value in run.budget.figures().items()}
    figures = {**spent, **({UNREAD: unread} if unread else {})}
    return Found(kept, (*hearing.refusals, *crowded), tuple(notes), figures, whole=not unread)


def _talk(run: _Run, hearing: Hearing, case: Case) -> tuple[str, bool]:
    """(how the talk about one window ended, when that is worth a note, whether the window was read at all)."""
    hearing.read.clear()
    known = len(hearing.kept) + len(hearing.refusals)
    instructions, messages = system(), [first_message(case.window, case.shelf)]
    for number in range(ROUNDS):
        room = run.budget.room(run.model.count(instructions, hearing.tools, messages))
        if not room:
            return ("", False) if number == 0 else ("the budget ended before the model did", True)
        reply = run.model.ask(instructions, hearing.tools, messages, room)
        run.budget.spend(reply.usage)
        if reply.stop != "tool_use" or not reply.calls:
            return _ending(reply, nothing=len(hearing.kept) + len(hearing.refusals) == known), True
        results = []
        for at, call in enumerate(reply.calls):
            text, wrong = hearing.answer(call, case) if at < _MOST_CALLS else ("too many calls in one answer", True)
            results.append((call.id, text, wrong))
        messages += answers(reply.content, results)
    return f"the model didn't come to an end in {ROUNDS} answers", True


def _ending(reply: Reply, *, nothing: bool) -> str:
    """What a reader should know of how the model ended."""
    said = f": “{Redactor().redact(cut(one_line(reply.said), 160))}”" if reply.said.strip() else ""
    if reply.stop == "end_turn" and not reply.calls:
        return f"the model proposed nothing{said}" if nothing else ""
    if reply.stop == "tool_use":
        return f"the model asked for a tool and named none{said}"
    detail = f" ({one_line(reply.detail)[:120]})" if reply.detail else ""
    unknown = f"its answer ended in a way that isn't known ({reply.stop!r:.40}): nothing of it was taken"
    return f"{_ENDED.get(reply.stop, unknown)}{detail}{said}"


def _fresh(window: Window) -> int:
    return sum(number > window.after for number in window.turns)


def _best(kept: list[Candidate]) -> tuple[tuple[Candidate, ...], tuple[Refusal, ...]]:
    """The candidates in the order of the talk, five and those in quarantine; the rest as refusals."""
    ready = sorted((each for each in kept if not each.quarantine), key=lambda each: (-each.score, each.turn.number))
    left = {id(each) for each in ready[MOST:]}
    reason = f"a session gives at most {MOST} entries: others have more behind them"
    refused = tuple(Refusal(each.title, reason, each.quote, each.type, id=each.id) for each in ready[MOST:])
    chosen = sorted((each for each in kept if id(each) not in left), key=lambda each: each.turn.number)
    return tuple(chosen), refused
