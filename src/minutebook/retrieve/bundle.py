"""What is handed to an agent for a task: the entries, each at a level, what was left out, and the count of tokens."""

from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen


@frozen
class Served:
    """An entry as given. `text` is the level's text, `block` what is printed, `tokens` those of the block."""

    entry: Entry
    uri: str
    level: str
    score: float
    tokens: int
    why: str
    flags: tuple[str, ...]
    text: str
    block: str


@frozen
class LeftOut:
    """An entry that came up and isn't given; `why` is a few words."""

    id: str
    uri: str
    title: str
    score: float
    why: str


@frozen
class Bundle:
    """`total` is the tokens of the page, at most `budget`; `known` counts the entries that the reader may read."""

    task: str
    budget: int
    total: int
    phases: tuple[str, ...]
    known: int
    served: tuple[Served, ...]
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]
