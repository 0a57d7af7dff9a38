"""A session while it is being read: whatever a reader says to it has been redacted."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from minutebook.ground.session import Session
from minutebook.redaction.redact import Redactor
from minutebook.transcripts.decoding import Json
from minutebook.transcripts.fresh import Fresh
from minutebook.transcripts.records import RecordStream
from minutebook.transcripts.said import Said, Told, relative, string, text_of
from minutebook.transcripts.turns import Turns

__all__ = ["RECORD_MOST", "Draft", "Said", "relative", "string", "text_of"]
RECORD_MOST = 1000
"""Turns that one record gives at most."""
SECRETS_MOST, APART_LEAST = 4_000, 1_000
"""Different secrets of a transcript: where there are more, and more than one in as many characters, nobody said it, and
the rest isn't read."""
_PATH_MOST, _FILES_MOST = 4_096, 10_000
_time = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?").fullmatch
_MARKS, _END = slice(4, 20, 3), slice(23, None)
_from_iso = datetime.fromisoformat
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


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
    _turns: Turns = field(default_factory=Turns)
    _fresh: Fresh = field(default_factory=lambda: Fresh(0))
    _told: int = 0
    _crowded: bool = False
    _files: dict[str, None] = field(default_factory=dict)

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
        if not isinstance(stamp, str):
            return ""
        usual = stamp[_MARKS] == "--T::." and stamp[_END] == "Z"  # which is told in a third of the time
        if not (usual and _is_iso(stamp)) and not (_time(stamp) and _is_iso(stamp[:10])):
            return ""
        if stamp > self.ended:
            self.ended = stamp
            if not self.started:
                self.started = stamp
        elif stamp < self.started:
            self.started = stamp
        return stamp

    def tell(self, line: int, name: str, said: Sequence[Told], at: str, branch: int = 0) -> None:
        """Add what the record `name` on a line says, as it stands there: it is redacted here. `branch` is what `prune`
        knows it by."""
        if self._crowded or len(said) > RECORD_MOST:
            said = self._taken(said)
        if said and self._fresh.tell(line, name, said, at, branch):
            self._redact_waiting()

    def _taken(self, said: Sequence[Told]) -> Sequence[Told]:
        """As much of it as is taken; the rest is counted."""
        most, reason = (0, "too-many-secrets") if self._crowded else (RECORD_MOST, "too-many-turns")
        self._turns.dropped[reason] += len(said[most:])
        return said[:most]

    def wrote(self, path: str) -> None:
        if path and len(path) <= _PATH_MOST and len(self._files) < _FILES_MOST and not _CONTROL.search(path):
            self._files[path] = None

    def drop_spare(self) -> None:
        """Forget what was said as a spare copy only; the others are numbered as if it had never been."""
        self._redact_waiting()
        self._fresh.number -= self._turns.without_spare()

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
        fresh = self._fresh
        if not fresh.turns:
            return
        self._fresh = Fresh(fresh.number)
        self._told += sum(map(len, fresh.pieces))
        self._turns.extend(fresh.settled(self.redactor.redact_all, self.cwd), fresh.beside)
        secrets = sum(self.redactor.counts.values())
        self._crowded = self._crowded or secrets > max(SECRETS_MOST, self._told // APART_LEAST)

    def _clean(self, value: object) -> str:
        if not isinstance(value, str) or not value:
            return ""
        self._redact_waiting()
        return _CONTROL.sub(" ", self.redactor.redact(value[:_PATH_MOST]))


def _is_iso(stamp: str) -> bool:
    try:
        _from_iso(stamp)
    except ValueError:
        return False
    return True
