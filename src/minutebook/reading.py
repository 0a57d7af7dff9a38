"""Sources of sessions: files, folders, globs, standard input and checkpoints, read into redacted sessions."""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

from minutebook.checkpoint_reading import ENTIRE, of_checkpoints
from minutebook.edges import opencode_files
from minutebook.edges.transcript_files import Listing, is_line_format, is_task, listing
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen
from minutebook.ground.nouns import counted
from minutebook.ground.session import Session
from minutebook.tally import Tally, sum_up, tried, why
from minutebook.transcripts import UnknownTranscript, read_transcript
from minutebook.transcripts.decoding import encoder
from minutebook.transcripts.united import united, with_times

STDIN = "-"
_SLOW_FILES, _SLOW_BYTES = 20, 64 * 2**20
_STEP = 16 * 2**20
_PIECE = 2**20


@frozen
class Reading:
    """The sessions, by the time at which they started, and how many sources no format claimed or nobody could read."""

    sessions: tuple[Session, ...]
    unread: int


def read_sources(sources: Sequence[str]) -> Reading:
    """The sessions in SOURCES, each once.

    A source is a transcript, a folder (what looks like one beneath it), a glob, `-`, or `entire` (the checkpoints of
    HEAD's commits), `entire:REF`, `entire:A..B`, `entire:CHECKPOINT`. What can't be read, and a named file that no
    format claims, is one line on standard error; so are all of a folder together, of which those count as unread whose
    names say that they are transcripts. The rest is read. Raises CannotJudge when a source names nothing.
    """
    tally = Tally()
    sessions, copies = united(each_session(sources, tally))
    if copies:
        tally.problem(f"{counted(copies, 'transcript')} told nothing that another doesn't: read once", unread=False)
    return Reading(tuple(sessions), tally.unread)


def each_session(sources: Sequence[str], tally: Tally) -> Iterator[Session]:
    """The sessions one by one, copies too: who needs one at a time holds one at a time. Raises CannotJudge when a
    source names nothing, or the maintain extra is missing."""
    must_be_able_to_read()
    listed = {source: listing(source) for source in sources if not is_apart(source)}
    _expect(tally, [file for each in listed.values() for file in each.files])
    for source in sources:
        if source in listed:
            yield from _of_listing(listed[source], source, tally)
        elif source == STDIN:
            yield from _of_stdin(tally)
        else:
            yield from of_checkpoints(source.partition(":")[2], tally)
    tally.hide()


def read_file(path: Path, tally: Tally | None = None) -> Session:
    """The session in a file. A Cline task takes the times of the file beside it, and an OpenCode session is put
    together from its many files. Raises UnknownTranscript for what no format claims, OSError for what can't be read."""
    if opencode_files.is_session(path):
        return read_transcript(opencode_files.exported(path), str(path))
    with path.open("rb") as content:
        watched = _watched(content, str(path), tally) if tally is not None and tally.total else content
        session = read_transcript(watched, str(path))
    return _with_times(session, path) if is_task(path) else session


def standard_input() -> BinaryIO:
    """Standard input as bytes. Raises CannotJudge where the shell has closed it."""
    if sys.stdin is None:
        raise CannotJudge("standard input is closed", "name a file")
    return sys.stdin.buffer


def must_be_able_to_read() -> None:
    """Raises CannotJudge, with the command that helps, where the maintain extra is missing: no transcript can be read
    then, and what none says must not pass for what none was there to say."""
    encoder()


def is_apart(source: str) -> bool:
    """Whether a source is neither file nor folder nor glob. A file of such a name is `./entire`."""
    return source == STDIN or source.partition(":")[0] == ENTIRE


def _of_listing(files: Listing, source: str, tally: Tally) -> Iterator[Session]:
    for problem in files.problems:
        tally.problem(problem, unread=False)
    unclaimed: dict[str, UnknownTranscript] = {}
    for file in files.files:
        found = tried(partial(read_file, file, tally), str(file), tally)
        if isinstance(found, Session):
            yield found
        elif found is not None and files.named:
            tally.problem(why(found))
        elif found is not None:
            unclaimed[_beneath(file, source)] = found
            tally.unread += is_line_format(file)
    sum_up(unclaimed, source, tally)


def _of_stdin(tally: Tally) -> Iterator[Session]:
    read = partial(read_transcript, standard_input(), "standard input")
    found = tried(read, "standard input", tally)
    if isinstance(found, Session):
        yield found
    elif found is not None:
        tally.problem(why(found))


def _beneath(file: Path, source: str) -> str:
    return str(file.relative_to(source)) if file.is_relative_to(source) else str(file)


def _with_times(session: Session, path: Path) -> Session:
    """A Cline task with the times that its other file has; as it is where that one is missing, a link, or broken."""
    shown = path.with_name("ui_messages.json")
    if shown.is_symlink() or not shown.is_file():
        return session
    with shown.open("rb") as content:
        try:
            return with_times(session, read_transcript(content, str(shown)))
        except UnknownTranscript:
            return session


def _expect(tally: Tally, files: Sequence[Path]) -> None:
    """Shows how far the reading is, on a terminal, when it will take a while."""
    size = sum(file.stat().st_size for file in files if file.exists()) if sys.stderr.isatty() else 0
    tally.total = size if len(files) >= _SLOW_FILES or size >= _SLOW_BYTES else 0


def _watched(content: BinaryIO, name: str, tally: Tally) -> Iterator[bytes]:
    told = 0
    while piece := content.read(_PIECE):
        yield piece
        tally.done += len(piece)
        told += len(piece)
        if told == len(piece) or told % _STEP < _PIECE:
            tally.show(name)
