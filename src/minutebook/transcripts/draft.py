"""A session while it is being read: whatever a reader says to it has been redacted."""

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from operator import is_

from minutebook.ground.session import Session, Turn
from minutebook.redaction.redact import Redactor
from minutebook.transcripts.decoding import Json, encoder
from minutebook.transcripts.records import Record, RecordStream, mended
from minutebook.transcripts.said import Said, bounded, cut, relative, replaced, string, text_of, whole
from minutebook.transcripts.turns import Turns

__all__ = ["RECORD_MOST", "Draft", "Said", "relative", "string", "text_of"]
RECORD_MOST = 1000
"""Turns that one record gives at most."""
SECRETS_MOST, APART_LEAST = 4_000, 1_000
"""Different secrets of a transcript: where there are more, and more than one in as many characters, nobody said it, and
the rest isn't read."""
_WAIT_MOST, _WAIT_RECORDS = 2**18, 2_000
_PATH_MOST, _FILES_MOST = 4_096, 10_000
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


_Told = tuple[int, str, str, int, list[Said]]
"""What waits to be redacted: line, name, time and branch of a record, and what it says."""


@dataclass(slots=True)
class Draft:
    """Collects the turns of a session. `redactor` is the only one of the transcript.

    What `tell` is told waits, so that many short texts are searched for secrets at once; it is redacted in its order.
    """

    format: str
    source: str
    redactor: Redactor = field(default_factory=Redactor)
    id: str = ""
    cwd: str = ""
    branch: str = ""
    started: str = ""
    ended: str = ""
    _day: str = ""
    _turns: Turns = field(default_factory=Turns)
    _waiting: list[_Told] = field(default_factory=list)
    _length: int = 0
    _told: int = 0
    _crowded: bool = False
    _files: dict[str, None] = field(default_factory=dict)
    _encode: Callable[[object], bytes] = field(default_factory=encoder)

    def redacted(self, value: Json) -> Json:
        """The value redacted now, after all that was told before: secrets are numbered in the order of the talk, so
        that a transcript that grew gives the turns it had before the numbers that they had."""
        self._redact_waiting()
        if self._crowded:
            return {}
        clean = self.redactor.redact_json(value)
        return clean if isinstance(clean, dict) else {}

    def place(self, id: object, cwd: object, branch: object) -> None:
        """Who, where: the first of each that a record names stays."""
        self.id = self.id or self._clean(id)
        self.cwd = self.cwd or self._clean(cwd)
        self.branch = self.branch or self._clean(branch)

    def time(self, stamp: object) -> str:
        """The record's own time, or "" when it has none that is one; the session spans them all."""
        if not isinstance(stamp, str) or not _TIME.fullmatch(stamp):
            return ""
        if stamp[:10] != self._day:
            if not _is_day(stamp[:10]):
                return ""
            self._day = stamp[:10]
        if stamp > self.ended:
            self.ended = stamp
        if stamp < self.started or not self.started:
            self.started = stamp
        return stamp

    def say(self, record: Record, redacted: Json, said: Iterable[Said], at: str) -> None:
        """Add what a record says, which is redacted already."""
        self._redact_waiting()
        name = string(redacted, "uuid") or string(redacted, "id")
        if told := [whole(one) for one in islice(said, RECORD_MOST)]:
            self._add(record.line, mended(name), at, 0, told)

    def tell(self, line: int, name: str, said: Sequence[Said], at: str, branch: int = 0) -> None:
        """Add what the record `name` on a line says, as it stands there: it is redacted here. `branch` is what `prune`
        knows it by."""
        if not said:
            return
        if self._crowded:
            self._turns.dropped["too-many-secrets"] += len(said)
            return
        if len(said) > RECORD_MOST:
            self._turns.dropped["too-many-turns"] += len(said) - RECORD_MOST
        told = [cut(one) for one in said[:RECORD_MOST]]
        self._waiting.append((line, name, at, branch, told))
        for one in told:
            self._length += len(one.text)
        if self._length > _WAIT_MOST or len(self._waiting) > _WAIT_RECORDS:
            self._redact_waiting()

    def wrote(self, path: str) -> None:
        if path and len(path) <= _PATH_MOST and len(self._files) < _FILES_MOST and not _CONTROL.search(path):
            self._files[path] = None

    def drop_spare(self) -> None:
        """Forget what was said as a spare copy only; the others are numbered as if it had never been."""
        self._redact_waiting()
        self._turns.without_spare()

    def prune(self, stays: Callable[[int], object]) -> int:
        """Forget the branches that don't stay; how many turns hung on them. The others keep their numbers."""
        self._redact_waiting()
        return self._turns.prune(stays)

    def session(self, stream: RecordStream) -> Session:
        self._redact_waiting()
        files = dict.fromkeys(relative(self.redactor.redact(path), self.cwd) for path in self._files)
        return Session(
            id=self.id,
            format=self.format,
            source=self.source,
            cwd=self.cwd,
            branch=self.branch,
            started=self.started,
            ended=self.ended,
            records=stream.records,
            sha256=stream.sha256(),
            turns=self._turns.taken(),
            skipped=dict(stream.skipped + self._turns.dropped),
            redacted=dict(self.redactor.counts),
            files=tuple(files),
        )

    def _redact_waiting(self) -> None:
        """One search over all that waits: mostly there is nothing to replace."""
        if not self._waiting:
            return
        self._told += self._length
        waiting, self._waiting, self._length = self._waiting, [], 0
        pieces: list[str] = []
        for _, name, _, _, said in waiting:
            pieces.append("" if _UUID.fullmatch(name) else name)
            for one in said:
                pieces.append(one.text)
                pieces.extend(one.detail.values())
        clean = self.redactor.redact_all(pieces)
        redacted = None if all(map(is_, pieces, clean)) else iter(clean)
        secrets = sum(self.redactor.counts.values())
        self._crowded = self._crowded or secrets > max(SECRETS_MOST, self._told // APART_LEAST)
        for line, name, at, branch, said in waiting:
            if redacted is not None:
                name, said = next(redacted) or name, [replaced(one, redacted) for one in said]
            self._add(line, name, at, branch, said)

    def _add(self, line: int, name: str, at: str, branch: int, said: Iterable[Said]) -> None:
        cwd, turns = self.cwd, self._turns
        kept = [bounded(one, cwd) for one in said]
        spelled = self._encode((name, at, [(one.role, one.kind, one.text, one.detail or {}) for one in kept]))
        digest = hashlib.sha256(spelled).hexdigest()
        for one in kept:
            turn = Turn(turns.number(), one.role, one.kind, one.text, at, line, digest, one.detail)
            turns.add(turn, branch, one.spare)

    def _clean(self, value: object) -> str:
        if not isinstance(value, str) or not value:
            return ""
        self._redact_waiting()
        return _CONTROL.sub(" ", self.redactor.redact(value[:_PATH_MOST]))


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
