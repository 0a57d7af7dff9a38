"""Sources of sessions: files, folders, globs, standard input and checkpoints, read into redacted sessions."""

import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import click

from minutebook.edges import blobs, checkpoints, git, opencode_files
from minutebook.edges.transcript_files import Listing, is_line_format, is_task, listing
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen
from minutebook.ground.nouns import counted
from minutebook.ground.session import Session
from minutebook.pages.report import one_line
from minutebook.transcripts import UnknownTranscript, read_transcript
from minutebook.transcripts.decoding import encoder
from minutebook.transcripts.united import files_touched, united, with_files, with_times

STDIN = "-"
ENTIRE = "entire"
_SLOW_FILES, _SLOW_BYTES = 20, 64 * 2**20
_STEP = 16 * 2**20
_PIECE = 2**20
_NAMED = 10


@frozen
class Reading:
    """The sessions, by the time at which they started, and how many sources no format claimed or nobody could read."""

    sessions: tuple[Session, ...]
    unread: int


@dataclass(slots=True)
class Tally:
    """What happened beside the reading: sources that count as unread, and how far a long reading has come. `silent`
    when nobody named what is read, and only what is found in it matters."""

    silent: bool = False
    unread: int = 0
    total: int = 0
    done: int = 0
    shown: bool = False

    def problem(self, words: str, *, unread: bool = True) -> None:
        self.hide()
        self.unread += unread
        if not self.silent:
            click.echo(f"minutebook: {one_line(words)}", err=True)

    def show(self, name: str) -> None:
        if self.total:
            self.shown = True
            click.echo(
                f"\r\x1b[Kreading, {100 * self.done // self.total} %: {one_line(name)[-60:]}", nl=False, err=True
            )

    def hide(self) -> None:
        if self.shown:
            self.shown = False
            click.echo("\r\x1b[K", nl=False, err=True)


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
        found = _tried(partial(read_file, file, tally), str(file), tally)
        if isinstance(found, Session):
            yield found
        elif found is not None and files.named:
            tally.problem(_why(found))
        elif found is not None:
            unclaimed[_beneath(file, source)] = found
            tally.unread += is_line_format(file)
    _sum_up(unclaimed, source, tally)


def _of_stdin(tally: Tally) -> Iterator[Session]:
    read = partial(read_transcript, standard_input(), "standard input")
    found = _tried(read, "standard input", tally)
    if isinstance(found, Session):
        yield found
    elif found is not None:
        tally.problem(_why(found))


def of_checkpoints(wanted: str, tally: Tally) -> Iterator[Session]:
    """The sessions of the checkpoints of one id, commit or range, or of all that HEAD's commits name. One that isn't in
    this clone counts as unread."""
    top = git.repository(Path.cwd()).top
    found = checkpoints.find(top, wanted)
    if found.asked and not found.checkpoints and not found.absent:
        tally.problem(f"{ENTIRE}:{wanted}: no transcript in what is kept there")
    if not found.asked:
        tally.problem(f"entire:{wanted}: no commit there names a checkpoint", unread=False)
    if found.odd:
        tally.problem(f"{counted(found.odd, 'file')} among the checkpoints with no place there: ignored", unread=False)
    if found.absent:
        tally.problem(
            f"{counted(found.absent, 'checkpoint')} that commits name, not in this clone: git fetch origin "
            f"{checkpoints.BRANCH}:{checkpoints.BRANCH}",
        )
    yield from _of_each_session(top, found.checkpoints, tally)


def of_kept_checkpoints(ids: Collection[str], tally: Tally) -> Iterator[Session]:
    """The sessions of all checkpoints that are here, but for those whose metadata names another session than one of
    these."""
    top = git.repository(Path.cwd()).top
    every = checkpoints.find_all(top).checkpoints
    named = [(each, each.about.get("session_id")) for each in every]
    here = [each for each, id in named if not isinstance(id, str) or any(one in id for one in ids)]
    yield from _of_each_session(top, here, tally)


def _of_each_session(top: Path, found: Sequence[checkpoints.Checkpoint], tally: Tally) -> Iterator[Session]:
    """The longest checkpoint of each session first: what it begins with isn't read again."""
    groups: dict[object, list[checkpoints.Checkpoint]] = {}
    for each in found:
        id = each.about.get("session_id")
        groups.setdefault(id if isinstance(id, str) else each.name, []).append(each)
    unclaimed: dict[str, UnknownTranscript] = {}
    for group in groups.values():
        yield from _of_one_session(top, sorted(group, key=lambda each: -each.size), tally, unclaimed)
    tally.unread += len(unclaimed)
    _sum_up(unclaimed, ENTIRE, tally)


def _of_one_session(
    top: Path, group: Sequence[checkpoints.Checkpoint], tally: Tally, unclaimed: dict[str, UnknownTranscript]
) -> Iterator[Session]:
    files = [file for each in group for file in files_touched(each.about)]
    met: set[str] = set()
    for at, each in enumerate(group):
        if each.blobs[0] in met:
            continue
        beginnings = blobs.Beginnings({one.blobs[0]: one.size for one in group[at + 1 :] if len(one.blobs) == 1})
        pieces = beginnings.watch(blobs.pieces_of(top, each.blobs))
        session = _tried(partial(read_transcript, pieces, each.name), each.name, tally)
        met |= beginnings.seen
        if isinstance(session, Session):
            yield with_files(session, files)
        elif session is not None:
            unclaimed[each.name] = session


def _tried(read: Callable[[], Session], name: str, tally: Tally) -> Session | UnknownTranscript | None:
    """The session, or why no format claims it, or None for what couldn't be read, which has been said then."""
    try:
        return read()
    except UnknownTranscript as error:
        return error
    except CannotJudge as error:
        tally.problem(f"{name}: {error}")
    except OSError as error:
        tally.problem(f"{name}: {error.strerror or error}")
    return None


def _why(error: UnknownTranscript) -> str:
    return f"{error}; {error.hint}" if error.hint else str(error)


def _sum_up(unclaimed: Mapping[str, UnknownTranscript], source: str, tally: Tally) -> None:
    """One line for all in a source that no format claims."""
    if len(unclaimed) == 1:
        tally.problem(_why(next(iter(unclaimed.values()))), unread=False)
    elif unclaimed:
        names = ", ".join(islice(unclaimed, _NAMED))
        more = f" and {len(unclaimed) - _NAMED} more" if len(unclaimed) > _NAMED else ""
        tally.problem(f"{source}: {len(unclaimed)} files that no format claims: {names}{more}", unread=False)


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
