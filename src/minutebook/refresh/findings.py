"""Why an entry looks stale, as values, and what a judgement of it is made from."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import Memory
from minutebook.refresh.anchors import Reference, references
from minutebook.refresh.claims import claims
from minutebook.refresh.contradictions import Contradiction, contradictions
from minutebook.refresh.drifted import Drift
from minutebook.refresh.fate import Fate
from minutebook.refresh.view import View

FindingKind = Literal[
    "superseded", "gone", "moved", "changed", "expired", "drift", "marked", "contradiction", "rests on superseded"
]
Drifting = Callable[[Entry, Sequence[str], Sequence[str]], Drift]
"""From an entry and the blobs of an anchor then and now to how far they moved."""

THRESHOLD = 0.5
"""The score from which an entry is said to look stale."""


@frozen
class Signal:
    """One reason in words, with the probability that it alone gives and its line in the entry's file. `moved` is
    (from, to, the file that it was, how many of its first lines are as they were) when what is named lies elsewhere
    now; `anchor` says whether an anchor names it."""

    kind: FindingKind
    weight: float
    reason: str
    line: int
    moved: tuple[str, str, str, int] | None = None
    anchor: bool = False


@frozen
class Finding:
    """An entry that looks stale. `score` is 0 to 1; `kind` and `line` are those of its strongest signal."""

    id: str
    type: str
    path: str
    line: int
    kind: FindingKind
    score: float
    signals: tuple[Signal, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        return tuple(signal.reason for signal in self.signals)


@frozen
class Past:
    """What is known of the time before.

    `then` gives the view that an entry speaks of (None when it was never committed), `touched_on` the day of its
    commit ("" for none), `now` the view at HEAD. `gone_since` says in words when a path went ("" if unknown), `renamed`
    where git finds a view's file now, `nearest` what may have taken the place of what is gone. `references` and
    `contradictions` read entries, or know what was read of them. `remembered` gives what the code said of an entry when
    nothing that it names has changed since somebody looked, and `remember` keeps what it says now.
    """

    then: Callable[[Entry], View | None]
    now: View | None
    gone_since: Callable[[str], str]
    renamed: Callable[[View, str], str] = lambda *_: ""
    nearest: Callable[[Fate, View], str] = lambda *_: ""
    references: Callable[[Entry], tuple[Reference, ...]] = references
    contradictions: Callable[[Memory], Iterable[Contradiction]] = lambda memory: contradictions(memory, claims)
    touched_on: Callable[[Entry], str] = lambda _: ""
    remembered: Callable[[Entry], tuple[Signal, ...] | None] = lambda _: None
    remember: Callable[[Entry, tuple[Signal, ...]], None] = lambda *_: None
