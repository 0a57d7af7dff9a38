"""Turns as they were just told, until they are searched for secrets, many at once.

A text is cut before it is searched, and a little more of it is searched than is kept, so that a secret is seen whole
that begins within what is kept.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import is_

from minutebook.ground.session import Kind, Turn, sole_turn
from minutebook.transcripts.decoding import encoder
from minutebook.transcripts.said import MARGIN, SAID_MOST, TOOL_MOST, Told, relative
from minutebook.transcripts.turns import Kept

_TURNS_MOST, _LONG_MOST = 1_000, 2**18
"""Turns that wait, and characters of the long ones."""
_TOOL_KINDS = frozenset(("tool-call", "tool-result"))
_HEX = b"0123456789abcdef-"
_UUID_LENGTH, _ID_MOST = 36, 100
"""Of ids: that of a UUID, and of the longest that a turn holds until somebody asks for its hash."""


@dataclass(slots=True)
class Fresh:
    """What waits, as it is kept where nothing has to be replaced. `pieces` are what is to be searched: of a record its
    id, then of each turn the text and the details. `several` are the records that say several things, by the place of
    their first turn: how many, and the id; `paths` the details that name a path; `number` is that of the last turn,
    `beside` how many characters of details there are."""

    number: int
    turns: list[Kept] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    several: dict[int, tuple[int, str]] = field(default_factory=dict)
    paths: list[dict[str, str]] = field(default_factory=list)
    beside: int = 0
    _long: int = 0
    _uuids: list[str] = field(default_factory=list)
    _places: list[int] = field(default_factory=list)

    def tell(self, line: int, id: str, said: Sequence[Told], at: str, branch: int) -> bool:
        """What a record says. Whether enough waits now."""
        turns, pieces = self.turns, self.pieces
        if len(id) == _UUID_LENGTH:
            self._uuids.append(id)
            self._places.append(len(pieces))
            pieces.append("")
        else:
            pieces.append(id)
        if len(said) > 1 or len(id) > _ID_MOST:
            self.several[len(turns)] = len(said), id
            self._long += len(id)
        for role, kind, text, detail, spare in said:
            if len(text) > TOOL_MOST:
                most = _most(kind)
                pieces.append(text[: most + MARGIN])
                text = text[:most]
                self._long += len(text)
            else:
                pieces.append(text)
            if detail:
                detail = self._looked_at(detail)
            self.number += 1
            turns.append((sole_turn((self.number, role, kind, text, at, line, [id], detail)), branch, spare))
        return len(turns) > _TURNS_MOST or self._long > _LONG_MOST

    def _looked_at(self, detail: Mapping[str, str]) -> Mapping[str, str]:
        """What is kept of the details of a turn, which are searched like its text."""
        self.pieces += detail.values()
        size = sum(map(len, detail.values()))
        if size > SAID_MOST:
            self.pieces[-len(detail) :] = [value[: SAID_MOST + MARGIN] for value in detail.values()]
            detail = {name: value[:SAID_MOST] for name, value in detail.items()}
            size = sum(map(len, detail.values()))
            self._long += size
        self.beside += size
        if "path" in detail:
            detail = dict(detail)
            self.paths.append(detail)
        return detail

    def settled(self, redact: Callable[[Sequence[str]], Sequence[str]], cwd: str) -> list[Kept]:
        """The turns without secrets, with paths as seen from `cwd`."""
        if not _are_uuids(self._uuids):
            for place, id in zip(self._places, self._uuids, strict=True):
                self.pieces[place] = id
        clean = redact(self.pieces)
        if not all(map(is_, self.pieces, clean)):
            self._replace(clean)
        turns = self.turns
        for detail in self.paths:
            detail["path"] = relative(detail["path"], cwd)
        for first, (count, id) in self.several.items():
            shared = _hash(id, [turn for turn, *_ in islice(turns, first, first + count)])
            for place in range(first, first + count):
                turns[place] = turns[place][0]._replace(sha256=shared), *turns[place][1:]
        return turns

    def _replace(self, clean: Sequence[str]) -> None:
        searched = zip(self.pieces, clean, strict=True)
        self.paths.clear()
        left, id = 0, ""
        for place, (turn, branch, spare) in enumerate(self.turns):
            if not left:
                left, told = self.several.get(place, (1, ""))
                id = next(searched)[1]
                if left > 1:
                    self.several[place] = left, id or told
            left -= 1
            most = _most(turn.kind)
            text = _sure(*next(searched), most)
            detail = {name: _sure(*next(searched), SAID_MOST) for name in turn.detail}
            if "path" in detail:
                self.paths.append(detail)
            if id:
                number, role, kind, _, at, line, *_ = turn
                turn = sole_turn((number, role, kind, text, at, line, [id], detail))
            else:
                turn = turn._replace(text=text, detail=detail)
            self.turns[place] = turn, branch, spare


def _most(kind: Kind) -> int:
    return TOOL_MOST if kind in _TOOL_KINDS else SAID_MOST


def _sure(raw: str, redacted: str, most: int) -> str:
    """Without the end of a text that was cut: a secret may have lost there what it is known by."""
    return (redacted if len(raw) < most + MARGIN else redacted[:-MARGIN])[:most]


def _are_uuids(ids: list[str]) -> bool:
    """Whether ids as long as a UUID are UUIDs, and so no secrets; all at once, since there are as many as records."""
    together = "".join(ids).encode("utf-8", "replace")
    return together.count(b"-") == 4 * len(ids) and not together.translate(None, _HEX)


def _hash(id: str, turns: Sequence[Turn]) -> str:
    """What `Turn.sha256` says, of several turns."""
    said = [(turn.role, turn.kind, turn.text, dict(turn.detail)) for turn in turns]
    return hashlib.sha256(encoder()((id, turns[0].at, said))).hexdigest()
