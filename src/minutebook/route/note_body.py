"""What a session's note says below its head: how much was read, what came of it, what is open. Pure."""

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import islice

from minutebook.extract.anchors import LONGEST
from minutebook.extract.prose import plain_line
from minutebook.ground.change import Plan, Proposal
from minutebook.ground.memory import Memory
from minutebook.ground.nouns import counted
from minutebook.ground.session import Session
from minutebook.redaction.redact import Redactor
from minutebook.route.note_words import Words, an

_MOST_FILES = 30
_MOST_OPEN = 3


def body_of(session: Session, plan: Plan, memory: Memory, since: int, words: Words, told: Sequence[str] = ()) -> str:
    turns = [turn for turn in session.turns if turn.number > since]
    people = sum(turn.role == "user" for turn in turns)
    read = f"{an(session)}: {counted(len(turns), 'turn')} read, {people} of them by a person."
    parts = [read if turns else "Nothing new was read; a person accepted what had been held back.", words.asked]
    held_back = _held_back(plan)
    parts += [
        _listed("What came of it", _came(plan, memory)),
        f"Held back: {held_back}." if held_back else "",
        _listed("Open questions", _questions(plan, memory)),
        _listed("Files changed", [f"`{file}`" for file in files_of(session, told, _MOST_FILES)]),
        _listed("Left open", words.left_open),
    ]
    return "\n\n".join(filter(None, parts))


def _listed(heading: str, rows: Sequence[str]) -> str:
    return "\n".join((f"### {heading}", *(f"- {row}" for row in rows))) if rows else ""


def _came(plan: Plan, memory: Memory) -> list[str]:
    shared, private = came_of_it(plan, memory)
    rows = [f"{each.id}: {plain_line(each.title)} ({each.verb})" for each in shared]
    return [*rows, f"{private} more in owner spaces"] if private else rows


def came_of_it(plan: Plan, memory: Memory) -> tuple[list[Proposal], int]:
    """(entries that may be named in a shared note, how many lie in owner spaces that stay out of git)."""
    shared: list[Proposal] = []
    private = 0
    for change in plan.changes:
        hidden = memory.is_private(change.path)
        private += len(change.entries) if hidden else 0
        shared += () if hidden else change.entries
    return shared, private


def _held_back(plan: Plan) -> str:
    """How much was found and not written, by what keeps it back."""
    kinds = {"quarantine": "in quarantine", "question": "with an open question", "rejected": "rejected before"}
    count = Counter(refusal.kind for refusal in plan.refusals)
    return ", ".join(f"{count[kind]} {words}" for kind, words in kinds.items() if count[kind])


def _questions(plan: Plan, memory: Memory) -> list[str]:
    """What a person has to say before it can be written, but for what lies in private owner spaces."""
    private = memory.private_types
    found = [each for each in plan.refusals if each.kind == "question" and each.type not in private]
    return [Redactor().redact(plain_line(f"{each.id}: {each.reason}")) for each in found[:_MOST_OPEN]]


def files_of(session: Session, known: Collection[str], most: int) -> list[str]:
    """The first changed files inside of the repository that aren't known, with names that can be written down."""
    told = frozenset(known)
    found = list(islice((f for f in session.files if f not in told and _is_plain(f)), most))
    return [f for f, redacted in zip(found, Redactor().redact_all(found), strict=True) if f == redacted]


def _is_plain(file: str) -> bool:
    odd = file.startswith(("/", "~", "..")) or bool(set(file) & set(":`\\"))
    return not odd and len(file) <= LONGEST and plain_line(file) == file
