"""`minutebook trace`: from an entry back to the words that it rests on."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from minutebook.commands import options
from minutebook.commands.show import named
from minutebook.commands.verify_sources import proven, sessions_around
from minutebook.edges import origin
from minutebook.edges.found import read_found
from minutebook.edges.origin import Origin
from minutebook.ground.entry import Entry
from minutebook.ground.errors import CannotJudge
from minutebook.ground.memory import Memory
from minutebook.pages.report import json_text, one_line
from minutebook.provenance.links import candidate_of, entry_of, note_of, records_of, sources_of
from minutebook.provenance.proof import Proof
from minutebook.workspace import Workspace, open_workspace

Link = Mapping[str, Any]
_CANDIDATE = "cand-"


@click.command()
@click.argument("name", metavar="ID")
@options.form()
@options.root
def trace(name: str, form: str, root: str | None) -> int:
    """The chain behind the entry with this ID, or that the candidate with this ID (cand-…) became: the commit that
    brought it in, and for each of its sources the candidate, the turn, the hash of its record, the transcript and the
    version of the extractor.

    What memory doesn't say and what is no longer there is named as missing. An entry without sources was written by
    hand.
    """
    workspace = open_workspace(root)
    entry = _traced(workspace, name)
    listed = sources_of(entry)
    wanted = {source.session: [each for each in listed if each.session == source.session] for source in listed}
    proofs = {proof.source: proof for proof in proven(wanted, sessions_around(workspace.repo, wanted))}
    links = [_link(proofs[source], workspace.memory) for source in listed]
    brought = _brought_in(workspace, entry)
    if form == "json":
        about = {"id": entry.id, "type": entry.type, "title": entry.title, "path": entry.path, "line": entry.line}
        click.echo(json_text(about | {"commit": _commit(brought), "sources": links}), nl=False)
        return 0
    rows = [f"{entry.id} ({entry.type}): {entry.title}", f"  {entry.path}:{entry.line}"]
    rows += _written(workspace, entry, brought, by_hand=not links)
    for number, link in enumerate(links, 1):
        rows += _rows(number, link)
    for row in rows:
        click.echo(one_line(row))
    return 0


def _traced(workspace: Workspace, name: str) -> Entry:
    """The entry of that name, or that a candidate of that name became. Raises CannotJudge when there is none."""
    if not name.startswith(_CANDIDATE):
        return named(workspace.memory, workspace.account, name)[0]
    row = read_found(workspace.repo.git_dir).get(name, {})
    entry = entry_of(name, row, workspace.memory.entries(archived=True))
    if entry is None:
        known = "was found, but is in no entry" if row else "is no candidate of an entry here"
        hint = f"extract … --accept {name} writes it" if row else "candidates are known where they were found"
        raise CannotJudge(f"{one_line(name)} {known}", hint)
    return entry


def _brought_in(workspace: Workspace, entry: Entry) -> Origin | None:
    named_by_file = not entry.in_log and entry.id not in entry.text
    file = entry.path if named_by_file else ""
    return origin.brought_in(workspace.repo.top, workspace.memory.root, entry.id, file)


def _link(proof: Proof, memory: Memory) -> dict[str, Any]:
    """All that is known of one source; "" and 0 for what isn't."""
    source = proof.source
    note = note_of(source, memory)
    fields = note.fields if note is not None else {}
    return {
        "candidate": candidate_of(source),
        "accepts": source.accepts,
        "extractor": source.extractor or str(fields.get("extractor", "")),
        "turn": source.turn,
        "role": source.role,
        "at": source.at or (proof.turn.at if proof.turn is not None else ""),
        "quote": source.quote,
        "record_sha256": source.sha256,
        "session": source.session,
        "format": str(fields.get("transcript", "")),
        "note": note.id if note is not None else "",
        "note_path": note.path if note is not None else "",
        "records_read": records_of(note) if note is not None else 0,
        "transcript_sha256": str(fields.get("transcript_sha256", "")),
        "transcript": proof.where,
        "state": proof.state,
        "why": proof.why,
    }


def _commit(brought: Origin | None) -> dict[str, str] | None:
    if brought is None:
        return None
    return {"id": brought.commit, "at": brought.at, "author": brought.author, "subject": brought.subject}


def _written(workspace: Workspace, entry: Entry, brought: Origin | None, *, by_hand: bool) -> Sequence[str]:
    """The commit, or why there is none."""
    hand = "written by hand" if by_hand else "brought in"
    if brought is not None:
        return [f"  {hand}, in commit {brought.commit[:12]} of {brought.at} by {brought.author}: {brought.subject}"]
    if workspace.memory.is_private(entry.path):
        return [f"  {hand}; it lies in a private owner space, which stays out of git"]
    return [f"  {hand}, in no commit yet"]


def _rows(number: int, link: Link) -> Sequence[str]:
    turn = f"turn {link['turn']}" if link["turn"] else "no turn named"
    said = ", ".join(filter(None, (turn, link["role"], link["at"] or "time not kept")))
    accepts = f"accepts turn {link['accepts']}, the source before" if link["accepts"] else ""
    read = f"{link['records_read']} records read" if link["records_read"] else ""
    note = f"note {link['note']} ({link['note_path']})" if link["note"] else "its note is missing"
    about = ", ".join(filter(None, (link["format"] or "format not kept", read, note)))
    state = f"{link['state']}{': ' if link['why'] else ''}{link['why']}"
    return [
        f"source {number}",
        f"  candidate   {accepts or link['candidate'] or 'not kept'}",
        f"  extractor   {link['extractor'] or 'not kept'}",
        f"  turn        {said}",
        f"  quote       {link['quote'] or 'none'}",
        f"  record      {'sha256 ' + link['record_sha256'] if link['record_sha256'] else 'no hash'}",
        f"  session     {link['session']} ({about})",
        f"  transcript  {'sha256 ' + link['transcript_sha256'] if link['transcript_sha256'] else 'hash not kept'}",
        f"  here        {link['transcript'] or 'not found'} ({state})",
    ]
