"""The sessions of checkpoints, as the Entire CLI keeps them on a branch of its own."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path

from minutebook.edges import blobs, checkpoints, git
from minutebook.ground.nouns import counted
from minutebook.ground.session import Session
from minutebook.tally import Tally, sum_up, tried
from minutebook.transcripts import UnknownTranscript, read_transcript
from minutebook.transcripts.united import files_touched, with_files

ENTIRE = "entire"


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
    sum_up(unclaimed, ENTIRE, tally)


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
        session = tried(partial(read_transcript, pieces, each.name), each.name, tally)
        met |= beginnings.seen
        if isinstance(session, Session):
            yield with_files(session, files)
        elif session is not None:
            unclaimed[each.name] = session
