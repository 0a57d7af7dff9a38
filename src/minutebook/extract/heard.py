"""How much of a session is listened to: what people say in thirty long ones, and the run says where it stopped.

The longest of the sampled sessions has 54 sentences of a person's, 3,200 letters together, and 19 clauses with a cue.
Without bounds ten megabytes of short turns would take half a minute.
"""

from collections.abc import Iterable, Iterator

from minutebook.extract.clause import Clause
from minutebook.extract.prose import sentences
from minutebook.ground.session import Session

MOST_HEARD = 2_000
"""Sentences of one session that are listened to; a long one counts as several, one for each hundred letters."""
MOST_WEIGHED = 200
"""Clauses of one session that are weighed; a long one counts as several, one for each hundred letters."""
TOO_LONG = f"people say more than {MOST_HEARD:,} sentences in it; nothing was heard after turn {{}}"
TOO_MUCH = f"it states more than {MOST_WEIGHED:,} things; the rest was not weighed"
_SENTENCE = 100
_PASTED = 1_000
"""Letters of what was pasted that cost as much as a sentence."""


def last_heard(session: Session, after: int = 0) -> int:
    """The number of the last turn of a person that is listened to; `after` where there is none after that one."""
    left, last = MOST_HEARD, after
    for turn in session.turns:
        if turn.role == "user" and turn.number > after:
            left -= _cost(turn.text)
            if left < 0:
                break
            last = turn.number
    return last


def unheard(session: Session, last: int) -> str:
    """That people say more after turn `last`, which wasn't listened to; "" where they don't."""
    end = next((turn.number for turn in reversed(session.turns) if turn.role == "user"), 0)
    return TOO_LONG.format(last) if end > last else ""


class Allowance:
    """What may still be weighed in a session."""

    def __init__(self) -> None:
        self._left = MOST_WEIGHED

    @property
    def spent(self) -> bool:
        """Whether the session states more than is weighed."""
        return self._left < 0

    def of(self, found: Iterable[Clause]) -> Iterator[Clause]:
        """As many of the clauses as may be weighed."""
        for clause in found if self._left >= 0 else ():
            self._left -= _parts(clause.danger)
            if self._left < 0:
                return
            yield clause


def _cost(text: str) -> int:
    said = sum(_parts(each.text) for each in sentences(text))
    return max(1, len(text) // _PASTED, said)


def _parts(text: str) -> int:
    return 1 + len(text) // _SENTENCE
