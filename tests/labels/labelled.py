"""The labelled turns, the sessions that they are from, and what counts as finding one of them."""

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minutebook.extract.stance import words
from minutebook.ground.session import Candidate, Session, Turn
from minutebook.transcripts import UnknownTranscript, read_transcript

HERE = Path(__file__).parent
DATA = Path(os.environ.get("MINUTEBOOK_SHARED") or HERE.parents[2] / "shared") / "data"
OVERLAP = 0.5
"""Share of a labelled quote's content words that a proposal has to hold, where neither quotes the other."""


@dataclass(frozen=True)
class Memory:
    """What a judge found worth remembering; `agent` where the words are the agent's and the turn accepts them."""

    type: str
    quote: str
    strength: str
    agent: bool


@dataclass(frozen=True)
class Label:
    """One labelled turn. `sha256` is of its text without blanks around it."""

    repo: str
    part: str
    file: str
    turn: int
    sha256: str
    memories: tuple[Memory, ...]


def labels(part: str) -> list[Label]:
    """The labelled turns of a part: `work` or `measured`."""
    rows = map(json.loads, (HERE / "turns.jsonl").read_text("utf-8").splitlines())
    return [_label(row) for row in rows if row["part"] == part]


def _label(row: dict[str, Any]) -> Label:
    found = tuple(Memory(m["type"], m["quote"], m["strength"], m.get("of") == "agent") for m in row["memories"])
    return Label(row["repo"], row["part"], row["file"], row["turn"], row["sha256"], found)


def sessions(rows: Sequence[Label]) -> Iterator[tuple[str, Session]]:
    """The sessions of labelled turns, by file; one that no format claims is named on standard error."""
    for name in dict.fromkeys(row.file for row in rows):
        with (DATA / name).open("rb") as content:
            try:
                session = read_transcript(content, name)
            except UnknownTranscript as error:
                print(error, file=sys.stderr)
                continue
        yield name, session


def label_of(turn: Turn, file: str, rows: Sequence[Label]) -> Label | None:
    """The label of a turn: by its words (the same words in two sessions are one labelled turn), else, where a secret
    was replaced in them since, by its number in its file."""
    said = digest(turn)
    known = next((row for row in rows if row.sha256 == said), None)
    return known or next((row for row in rows if (row.file, row.turn) == (file, turn.number)), None)


def digest(turn: Turn) -> str:
    return hashlib.sha256(turn.text.strip().encode("utf-8", "surrogatepass")).hexdigest()


def heard(candidate: Candidate) -> Turn:
    """The person's turn: theirs, or the one that accepts what the agent says."""
    return candidate.accepted or candidate.turn


def found_in(candidate: Candidate, label: Label | None) -> Memory | None:
    """The labelled memory that a candidate of that turn holds, the undisputed first; None when it holds none."""
    known = sorted(label.memories, key=lambda memory: memory.strength == "disputed") if label else []
    return next((memory for memory in known if _holds(candidate, memory)), None)


def by_words(candidate: Candidate, memory: Memory) -> bool:
    """Whether one quotes the other, or the proposal has half of the labelled quote's content words."""
    said, wanted = _plain(candidate.quote), _plain(memory.quote)
    if not memory.agent and (wanted in said or said in wanted):
        return True
    whole = words(f"{candidate.quote}\n{candidate.title}\n{candidate.body}")
    known = words(memory.quote)
    return bool(known) and len(known & whole) >= OVERLAP * len(known)


def _holds(candidate: Candidate, memory: Memory) -> bool:
    """By words; or since the turn makes one choice, and the proposal is the option that it picks."""
    return by_words(candidate, memory) or (memory.agent and candidate.signal == "option")


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
