"""`minutebook verify-sources`: do the transcripts still say what memory says that they said?"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import file_digest
from pathlib import Path

import click

from minutebook.checkpoint_reading import of_kept_checkpoints
from minutebook.commands import options
from minutebook.edges import agent_folders, checkpoints, git
from minutebook.edges.agent_folders import Kept
from minutebook.extract import session_key
from minutebook.ground.entry import Entry
from minutebook.ground.nouns import counted
from minutebook.ground.session import Session
from minutebook.pages.report import json_text, one_line
from minutebook.provenance.links import Source, by_session
from minutebook.provenance.proof import Proof, State, best, prove, unread
from minutebook.reading import each_session, must_be_able_to_read, read_file
from minutebook.tally import Tally
from minutebook.transcripts import UnknownTranscript
from minutebook.workspace import open_workspace

_KEY_LENGTH = 32
_STATES: tuple[State, ...] = ("proven", "broken", "gone", "named")
_MOST_SHOWN = 50


@click.command(name="verify-sources")
@click.argument("arguments", nargs=-1, metavar="[SOURCE|ID]...")
@click.option("--strict", is_flag=True, help="Exit 1 for sources without a transcript, too.")
@options.form()
@options.root
def verify_sources(arguments: tuple[str, ...], strict: bool, form: str, root: str | None) -> int:
    """Prove every source of every entry again, or of the entries with these IDs: in the transcript of its session there
    is a record with the same hash, by the same role, and the quote stands in it word for word.

    SOURCE is what `extract` takes: a transcript, a folder, a glob, `-`, `entire`. By default those of this project in
    the agents' own folders, .specstory/history and all of Entire's checkpoints that are in this clone. A source without
    a transcript is gone, which is no failure: transcripts are deleted. One that differs is broken, and that is exit 1.
    """
    workspace = open_workspace(root)
    entries = list(workspace.memory.entries(archived=True))
    ids = {entry.id for entry in entries}.intersection(arguments)
    places = [each for each in arguments if each not in ids]
    wanted = by_session(entry for entry in entries if not ids or entry.id in ids)
    tally = Tally()
    sessions = each_session(places, tally) if places else sessions_around(workspace.repo, wanted)
    proofs = proven(wanted, sessions)
    counts: Counter[State] = Counter(proof.state for proof in proofs)
    if form == "json":
        figures: dict[str, object] = {state: counts[state] for state in _STATES}
        click.echo(json_text({"sources": [_row(proof) for proof in proofs]} | figures), nl=False)
    else:
        _say(proofs, counts, entries if not ids else [entry for entry in entries if entry.id in ids])
    if counts["broken"] or (strict and counts["gone"]):
        return 1
    return 2 if tally.unread and places else 0


def proven(wanted: Mapping[str, Sequence[Source]], sessions: Iterator[Session]) -> list[Proof]:
    """What the sessions say of each source, by the entries' places; each session is looked at once and let go."""
    found = {source: unread(source) for sources in wanted.values() for source in sources}
    for session in sessions:
        for source in wanted.get(session_key(session), ()):
            found[source] = best((found[source], prove(source, session)))
    return sorted(found.values(), key=lambda proof: (proof.source.path, proof.source.line, proof.source.turn))


def sessions_around(repo: git.Repository, ids: Collection[str]) -> Iterator[Session]:
    """The sessions with these ids among the transcripts of this project: in the agents' own folders, in the project
    itself, in Entire's checkpoints. Files that don't name one of the ids where a session does aren't read.

    Raises CannotJudge where the maintain extra is missing: what is here may be what proves all.
    """
    if not ids:
        return
    must_be_able_to_read()
    for each in agent_folders.kept(agent_folders.home_here(repo)):
        if _may_be_one(each, ids):
            with suppress(UnknownTranscript, OSError):  # none after all, or it went away: nothing to prove by
                yield read_file(each.path)
    if checkpoints.are_here(repo.top):
        yield from of_kept_checkpoints(ids, Tally(silent=True))


def _may_be_one(kept: Kept, ids: Collection[str]) -> bool:
    """Whether it may be the transcript of such a session; without a plain name it goes by the hash of its file."""
    hashed = any(len(id) == _KEY_LENGTH for id in ids)
    return agent_folders.may_be(kept, ids) or (hashed and _sha256(kept.path)[:_KEY_LENGTH] in ids)


def _sha256(path: Path) -> str:
    with suppress(OSError), path.open("rb") as content:
        return file_digest(content, "sha256").hexdigest()
    return ""


def _row(proof: Proof) -> dict[str, object]:
    source = proof.source
    return {
        "entry": source.entry,
        "path": source.path,
        "line": source.line,
        "session": source.session,
        "turn": source.turn,
        "role": source.role,
        "state": proof.state,
        "why": proof.why,
        "transcript": proof.where,
    }


def _say(proofs: Sequence[Proof], counts: Counter[State], entries: Sequence[Entry]) -> None:
    """What differs, each on a line; then what is gone, as far as it goes; then the count."""
    shown = [proof for proof in proofs if proof.state == "broken"]
    gone = [proof for proof in proofs if proof.state == "gone"]
    for proof in (*shown, *gone[:_MOST_SHOWN]):
        source = proof.source
        place = f"{source.path}:{source.line}: {source.entry}"
        turn = f", turn {source.turn}" if source.turn else ""
        where = f" ({proof.where})" if proof.state == "broken" else ""
        click.echo(one_line(f"{place}: {proof.state}: session {source.session}{turn}: {proof.why}{where}"))
    if len(gone) > _MOST_SHOWN:
        click.echo(f"… and {len(gone) - _MOST_SHOWN} more that are gone")
    told = f"{counted(len(proofs), 'source')} of {counted(len(entries), 'entry')}"
    click.echo(f"{told}: {', '.join(f'{counts[state]} {state}' for state in _STATES if counts[state]) or 'none'}")
