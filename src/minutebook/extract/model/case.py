"""What a proposal is judged against, and how the judgement comes out."""

from collections.abc import Mapping
from datetime import date

from minutebook.extract.model.memory import Shelf
from minutebook.extract.model.turns import Window
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.session import Candidate, Session


@frozen
class Case:
    """`owner` are the slugs of the user and the agent, `session_key` is the session's name in sources, `extractor`
    what candidates say they were found by."""

    session: Session
    window: Window
    shelf: Shelf
    today: date
    owner: Mapping[str, str]
    session_key: str
    extractor: str


@frozen
class Judged:
    """A candidate, or why there is none: a `refusal` in words, or entries that have to be read before (`unread`)."""

    candidate: Candidate | None = None
    refusal: str = ""
    unread: tuple[Entry, ...] = ()
