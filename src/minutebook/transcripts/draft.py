"""A session while it is being read: whatever a reader says to it has been redacted."""

import hashlib
import json
import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from minutebook.ground.frozen import EMPTY, frozen, replace
from minutebook.ground.session import Kind, Role, Session, Turn
from minutebook.redaction.redact import Redactor
from minutebook.transcripts.records import Json, Record, RecordStream

SAID_MOST = 200_000
TOOL_MOST = 4_000
"""Characters of a turn's text that are kept: what people and agents say, and what tools print."""
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@frozen
class Said:
    """What one record says: a turn without its place. `spare`: a copy, wanted only if the other is missing."""

    role: Role
    kind: Kind
    text: str
    detail: Mapping[str, str] = EMPTY
    spare: bool = False


@dataclass(slots=True)
class Draft:
    """Collects the turns of a session. `redactor` is the only one of the transcript."""

    format: str
    source: str
    redactor: Redactor = field(default_factory=Redactor)
    id: str = ""
    cwd: str = ""
    branch: str = ""
    started: str = ""
    ended: str = ""
    _turns: list[tuple[int, Said, str, str]] = field(default_factory=list)
    _files: dict[str, None] = field(default_factory=dict)

    def redacted(self, value: Json) -> Json:
        clean = self.redactor.redact_json(value)
        return clean if isinstance(clean, dict) else {}

    def place(self, id: object, cwd: object, branch: object) -> None:
        """Who, where: the first of each that a record names stays."""
        self.id = self.id or self._clean(id)
        self.cwd = self.cwd or self._clean(cwd)
        self.branch = self.branch or self._clean(branch)

    def time(self, stamp: object) -> str:
        """The record's own time, or "" when it has none that is one; the session spans them all."""
        at = stamp if isinstance(stamp, str) and _TIME.fullmatch(stamp) and _is_day(stamp[:10]) else ""
        if at:
            self.started = min(self.started or at, at)
            self.ended = max(self.ended, at)
        return at

    def say(self, record: Record, redacted: Json, said: Iterable[Said], at: str) -> None:
        """Add what a record says. The turns carry the SHA-256 of the record as redacted: of its JSON with sorted
        keys, no spaces, nothing escaped that needn't be, in UTF-8."""
        said = [_bounded(one, self.cwd) for one in said]
        if said:
            digest = record_sha256(redacted)
            self._turns += [(record.line, one, at, digest) for one in said]

    def wrote(self, path: str) -> None:
        if path and not _CONTROL.search(path):
            self._files[path] = None

    def drop_spare(self) -> None:
        """Forget what was said as a spare copy only."""
        self._turns = [turn for turn in self._turns if not turn[1].spare]

    def session(self, stream: RecordStream) -> Session:
        turns = (
            Turn(number, said.role, said.kind, said.text, at, line, digest, said.detail)
            for number, (line, said, at, digest) in enumerate(self._turns, 1)
        )
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
            turns=tuple(turns),
            skipped=dict(stream.skipped),
            redacted=dict(self.redactor.counts),
            files=tuple(dict.fromkeys(relative(path, self.cwd) for path in self._files)),
        )

    def _clean(self, value: object) -> str:
        return _CONTROL.sub(" ", self.redactor.redact(value)) if isinstance(value, str) else ""


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def record_sha256(redacted: Json) -> str:
    """SHA-256 of a record's canonical JSON, as hex."""
    text = json.dumps(redacted, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def relative(path: str, cwd: str) -> str:
    """A path as seen from `cwd` when it lies beneath it, with `/` between its parts; else the path as it is. Works on
    the text alone, so that a transcript of another system reads the same everywhere."""
    if _DRIVE.match(path) or _DRIVE.match(cwd):
        path, cwd = path.replace("\\", "/"), cwd.replace("\\", "/")
    whole = posixpath.normpath(path)
    base = posixpath.normpath(cwd) if cwd else ""
    beneath = base not in ("", ".", "/") and whole.startswith(base + "/")
    return whole[len(base) + 1 :] if beneath else whole


def text_of(content: object) -> str:
    """The text of a tool's result: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text for block in content if (text := string(block, "text")))
    return ""


def string(value: Any, *keys: str) -> str:
    """The string at value[key][key]…, or "" when anything on the way is missing or of another kind."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _bounded(said: Said, cwd: str) -> Said:
    most = TOOL_MOST if said.kind in ("tool-call", "tool-result") else SAID_MOST
    detail = {name: value[:SAID_MOST] for name, value in said.detail.items()}
    if "path" in detail:
        detail["path"] = relative(detail["path"], cwd)
    return replace(said, text=said.text[:most], detail=detail)
