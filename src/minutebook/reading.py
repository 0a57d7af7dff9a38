"""Sources of sessions: files and folders, read into redacted sessions."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen
from minutebook.ground.session import Session
from minutebook.transcripts import UnknownTranscript, read_transcript

_SLOW = 20


@frozen
class Reading:
    """The sessions, by the time at which they started, and how many sources no format claimed."""

    sessions: tuple[Session, ...]
    unread: int


def read_sources(sources: Sequence[str]) -> Reading:
    """The sessions in files and folders; a file that no format claims is named on standard error and left out."""
    files = [file for source in sources for file in _files(Path(source))]
    show = sys.stderr.isatty() and len(files) >= _SLOW
    sessions, unread = [], 0
    for number, file in enumerate(files, 1):
        if show:
            click.echo(f"\rreading {number} of {len(files)}", nl=number == len(files), err=True)
        with file.open("rb") as content:
            try:
                session = read_transcript(content, str(file))
            except UnknownTranscript as error:
                click.echo(f"minutebook: {error}", err=True)
                unread += 1
                continue
        sessions.append(session)
    return Reading(tuple(sorted(sessions, key=lambda each: (each.started, each.id, each.records))), unread)


def _is_ours(file: Path, folder: Path) -> bool:
    """Whether a file beneath the folder is git's own, or the record of what `retrieve` served."""
    return ".git" in file.relative_to(folder).parts or file.absolute().parts[-2:] == ("minutebook", "loads.jsonl")


def _files(path: Path) -> list[Path]:
    if not path.exists():
        raise CannotJudge(f"{path} does not exist", "name a transcript, or a folder of transcripts")
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.rglob("*.jsonl") if file.is_file() and not _is_ours(file, path))
    if not found:
        raise CannotJudge(f"{path} holds no *.jsonl file")
    return found
