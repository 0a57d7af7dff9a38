"""A transcript, whatever its format: who said what when, with the record it came from."""

from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from json import JSONEncoder, dumps
from operator import attrgetter
from typing import Any, Literal, NamedTuple, Self

from minutebook.ground.change import Refusal
from minutebook.ground.frozen import EMPTY, frozen

Role = Literal["user", "assistant", "tool"]
Kind = Literal["text", "answer", "plan-approved", "plan-corrected", "tool-refused", "tool-call", "tool-result"]
_CANONICAL = JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


class _Turn(NamedTuple):
    number: int
    role: Role
    kind: Kind
    text: str
    at: str
    record: int
    sha256: str
    detail: Mapping[str, str] = EMPTY


class Turn(_Turn):
    """One thing said, already redacted.

    `number` counts turns of the session from 1, in the order of the talk, with gaps where turns were dropped or taken
    back. `record` is the 1-based line of the record in the file (in formats that aren't lines: of the message).
    `sha256` is the SHA-256 of the canonical JSON (RFC 8785) of `[record id, at, [[role, kind, text, detail], …]]`, of
    all turns of its record, redacted and cut as they are kept. `at` is the record's own timestamp (ISO 8601) or "".
    `detail` carries what a structured kind needs:
      answer          question, answer
      plan-approved   plan
      plan-corrected  plan, correction
      tool-refused    tool, reason
      tool-call       tool, path (when the call names a file) and writes ("yes" when it changes that file)

    Beneath it is a tuple, unlike other records: a transcript has turns by the hundred thousand, and this is made in a
    sixth of the time. Where a list stands for the hash it is worked out when it is asked for, which few turns are.
    """

    __slots__ = ()

    @property
    def sha256(self) -> str:
        held: Any = self[6]
        if isinstance(held, str):
            return held
        if len(held) == 1:
            held.append(_hex(_CANONICAL((held[0], self.at, [(self.role, self.kind, self.text, dict(self.detail))]))))
        return held[1]  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Turn) and _values(self) == _values(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(_values(self))

    def __repr__(self) -> str:
        return f"Turn{_values(self)!r}"

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), _values(self)


_values = attrgetter(*Turn.__match_args__)


sole_turn: Callable[[tuple[int, Role, Kind, str, str, int, list[str], Mapping[str, str]]], Turn]
sole_turn = partial(tuple.__new__, Turn)
"""The turn that alone comes of a record, of its fields in order, with the record's id in a list for the hash. Its texts
can be written: there is no half of a surrogate pair in them."""


@frozen
class Session:
    """A whole transcript. `records` counts decoded records, `skipped` what could not be read, by reason;
    `redacted` counts secrets replaced, by kind; `files` are the paths that the session changed."""

    id: str
    format: str
    source: str
    cwd: str
    branch: str
    started: str
    ended: str
    records: int
    sha256: str
    turns: tuple[Turn, ...]
    skipped: Mapping[str, int]
    redacted: Mapping[str, int]
    files: tuple[str, ...] = ()


@frozen
class Candidate:
    """Something worth remembering, with the verbatim quote and the turn that back it.

    `quote` occurs in the text of turn `turn`, character for character. `fields` holds what the type's schema
    asks for beyond title and abstract. `signal` names what was seen (answer, plan-approved, cue:adoption, …),
    `score` ranks within a session, `why` says in short what made it, the weightiest first. `accepted` is the user's
    turn that accepts what an assistant's turn says. `extractor` names what found it, with its version. `target` is the
    id of the entry that it updates or supersedes, where the extractor names one. `quarantine`, where it isn't empty, is
    why a person has to ask for it by its `id` before it may be written.
    """

    type: str
    title: str
    abstract: str
    body: str
    quote: str
    turn: Turn
    session: str
    signal: str
    score: float
    fields: Mapping[str, object] = EMPTY
    anchors: tuple[str, ...] = ()
    accepted: Turn | None = None
    why: tuple[str, ...] = ()
    extractor: str = ""
    target: str = ""
    quarantine: str = ""

    @property
    def id(self) -> str:
        """A name that the same statement on the same words has in every run: that of the words, and 8 hex digits of
        the statement. Whoever accepts it by this name accepts what they read, and nothing else on these words."""
        own = {name: value for name, value in self.fields.items() if name != "date"}
        said = dumps([self.title, self.abstract, self.body, own, self.target], sort_keys=True, default=str)
        return f"{self.words_id}-{_hex(said)[:8]}"

    @property
    def words_id(self) -> str:
        """A name for the same words of the same turn, whatever is made of them: `cand-` and 10 hex digits."""
        return f"cand-{_hex(chr(0).join((self.type, self.session, self.turn.sha256, self.quote)))[:10]}"


@frozen
class Found:
    """What an extractor found in a session: what it proposes (in the order of the talk), what it saw and must not
    propose, what a reader should know, and figures such as tokens spent. `whole` is False when it didn't come to the
    end of the session: then it is read again."""

    candidates: tuple[Candidate, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    notes: tuple[str, ...] = ()
    figures: Mapping[str, int] = EMPTY
    whole: bool = True


def _hex(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()
