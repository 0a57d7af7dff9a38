"""`minutebook expunge ID`: take a text that must not exist out of an append-only log."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

import click

from minutebook.checks.expunged import repeats
from minutebook.checks.parts import sealed_hash
from minutebook.commands import options
from minutebook.compact.ledger import hash_of
from minutebook.edges import git
from minutebook.edges.bases import staged_bases
from minutebook.edges.snapshots import PREFIX
from minutebook.edges.traces import Traces, blobs_with, cached_files, traces_of
from minutebook.ground.change import File, Plan, with_changes
from minutebook.ground.entry import Entry
from minutebook.ground.errors import CannotJudge, Refused
from minutebook.ground.frozen import replace
from minutebook.ground.memory import memory_after, read_file
from minutebook.ground.nouns import counted
from minutebook.ground.tombstone import MOST_WORDS, Tombstone, read_tombstone
from minutebook.ground.unseen import one_line
from minutebook.moves.expunge import is_original, plan_expunge, quotes, stone_hash, telling
from minutebook.redaction.redact import find_secrets
from minutebook.settle import settle
from minutebook.workspace import Workspace, open_workspace, today_or, workspace_at

_MOST = 10
_STASH = "refs/stash"
_REWRITE = """
1. write the words to take out into a file outside of the repository, one a line
2. git filter-repo --replace-text FILE
3. git push --force --all && git push --force --tags
4. have every clone and fork made anew: a merge with an old one brings it back
5. pull request refs and caches are the host's: ask its support"""


@click.command()
@click.argument("name", metavar="ID")
@click.option("--reason", default="", metavar="WORDS", help="Why it must not exist, in words that don't repeat it.")
@options.dry_run
@options.form()
@options.root
@options.today
def expunge(name: str, reason: str, dry_run: bool, form: str, root: str | None, today: str | None) -> int:
    """Take a text that must not exist (a secret, personal data) out of an append-only type, or out of the archive.

    A tombstone takes its place: the id, the hash of the text, the reason, who and when. The check accepts it when the
    hash is that of the published text, and reports it. Only the text as it is published can be expunged. Of a note
    that was compacted, the lines of its summary and the claims in its ledger go too.

    What is said then is where else the text still is, and how to purge each place; run it again with the ID alone
    to see what is left. The text itself is never printed.
    """
    workspace = open_workspace(root)
    entry = _entry(workspace, name)
    if read_tombstone(entry) is not None:
        if reason:
            raise Refused(f"{entry.id} is a tombstone already, and stays as it is", f"minutebook expunge {entry.id}")
        text = _text_that_stood(workspace, entry)
        notes = tuple(_left(workspace, Plan(), entry, text)) if text is not None else ()
        plan = Plan(notes=notes or (f"this repository holds nothing of {entry.id} any more",))
        return settle(workspace, plan, today_or(today), dry_run=dry_run, form=form)
    _must_be_published(workspace, entry)
    stone = Tombstone(
        stone_hash(workspace.memory, entry), _reason(reason, entry), _who(workspace), today_or(today).isoformat()
    )
    plan = plan_expunge(workspace.memory, workspace.tree, entry, stone)
    plan = replace(plan, notes=tuple(_left(workspace, plan, entry, entry.text)))
    return settle(workspace, plan, today_or(today), dry_run=dry_run, form=form)


def _entry(workspace: Workspace, name: str) -> Entry:
    entries = list(workspace.memory.entries(archived=True))
    found = [entry for entry in entries if entry.id == name]
    if not found:
        close = get_close_matches(name, [entry.id for entry in entries], 1)
        raise CannotJudge(f"no entry {name!r}", f"did you mean {close[0]}?" if close else "minutebook search WORDS")
    if len(found) > 1:
        places = ", ".join(f"{entry.path}:{entry.line}" for entry in found)
        raise Refused(f"{name} stands more than once: {places}", "give each an id of its own first")
    entry, mtype = found[0], workspace.memory.type_of(found[0])
    if is_original(workspace.memory, entry):
        return entry
    if not mtype.append_only or mtype.stage(entry.status) == "draft":
        what = "a draft" if mtype.append_only else f"a {mtype.name}"
        raise Refused(f"{name} is {what}, and may be edited", f"take the words out: {entry.path}:{entry.line}")
    return entry


def _must_be_published(workspace: Workspace, entry: Entry) -> None:
    """What a tombstone names is the text that the gate compares with: no draft of it, and no edit on top."""
    texts = [text for base in staged_bases(workspace.repo) for text in _texts_at(workspace, base.commit, entry.id)]
    if not texts:
        hint = f"delete it ({entry.path}:{entry.line}), and take it out of your own commits: git rebase --interactive"
        if is_original(workspace.memory, entry):
            hint = f"minutebook expand {entry.id} --back, take the words out, and out of your own commits"
        raise Refused(f"{entry.id} was never published: it needs no tombstone", hint)
    if not is_original(workspace.memory, entry) and any(sealed_hash(text) != sealed_hash(entry.text) for text in texts):
        hint = f"put the published text back: git log --oneline -- {entry.path}"
        raise Refused(f"{entry.id} reads otherwise here than where it is published", hint)


def _texts_at(workspace: Workspace, commit: str | None, name: str) -> list[str]:
    if commit is None:
        return []
    try:
        there = workspace_at(workspace.repo, commit, workspace.memory.root)
    except CannotJudge:
        return []
    return [entry.text for entry in there.memory.entries(archived=True) if entry.id == name]


def _reason(given: str, entry: Entry) -> str:
    reason = one_line(given)
    if not reason:
        raise click.UsageError("--reason says why the text must not exist")
    if len(reason) > MOST_WORDS:
        raise Refused(f"the reason is longer than {MOST_WORDS} characters")
    if find_secrets(reason) or repeats(reason, [entry.text], entry.id):
        raise Refused("the reason repeats what is to be taken out", "say of what kind it is: `an API key`")
    return reason


def _who(workspace: Workspace) -> str:
    names = (git.asked(workspace.repo.top, "config", key) for key in ("user.name", "user.email"))
    return next((name for each in names if (name := one_line(each or "")[:MOST_WORDS])), "somebody")


def _text_that_stood(workspace: Workspace, entry: Entry) -> str | None:
    """The text that the tombstone names, if any object of this clone holds it still."""
    stone, memory = read_tombstone(entry), workspace.memory
    for _, data in blobs_with(workspace.repo.top, [entry.id]):
        for old in read_file(entry.path, File(data), memory.type_of(entry), memory.config).entries:
            if stone is not None and old.id == entry.id and stone.sha256 in (sealed_hash(old.text), hash_of(old)):
                return old.text
    return None


def _left(workspace: Workspace, plan: Plan, entry: Entry, text: str) -> Iterator[str]:
    """Where the text is when the plan is done, each place with the way to purge it."""
    pieces = telling(text, entry.id)
    if not pieces:
        yield "its words are too few to look for them elsewhere: look for yourself"
        return
    memory, top = workspace.memory, workspace.repo.top
    left = with_changes(workspace.tree, plan.changes)
    for quote in quotes(memory_after(memory, workspace.tree, plan.changes), left, pieces, entry.id):
        where = f"{quote.path}:{quote.line}" + (f" ({quote.entry})" if quote.entry else "")
        yield f"{where} repeats some of it: {_mend(workspace, quote.path, quote.entry)}"
    yield from _in_git(traces_of(top, {oid for oid, _ in blobs_with(top, pieces)}))
    for path in cached_files(workspace.repo.git_dir, pieces):
        yield f"{path} may hold it: delete it (an index is made anew when it is needed)"
    yield "what agents and CI have read of it (transcripts, logs, caches) lies elsewhere; a secret has to be rotated"


def _mend(workspace: Workspace, path: str, name: str) -> str:
    file = workspace.memory.files.get(path)
    entry = next((each for each in file.entries if each.id == name), None) if file is not None else None
    sealed = name and file is not None and workspace.memory.types[file.type].append_only
    sealed = sealed or (entry is not None and is_original(workspace.memory, entry))
    return f"minutebook expunge {name} --reason …" if sealed else "edit it"


def _in_git(traces: Traces) -> Iterator[str]:
    refs = sorted({ref for arrival in traces.arrivals for ref in arrival.refs})
    apart = [ref for ref in refs if ref.startswith(PREFIX) or ref == _STASH]
    history = [ref for ref in refs if ref not in apart]
    if history:
        first = [arrival for arrival in traces.arrivals if set(arrival.refs) & set(history)][-1]
        where = f"in {_some(history)}, at {_some(traces.paths)}"
        yield f"git's history holds it since {first.commit[:12]} ({first.day}), {where}{_REWRITE}"
    for ref in apart:
        if ref != _STASH:
            yield f"the snapshot {ref.removeprefix(PREFIX)} holds it: git update-ref -d {ref}"
    if _STASH in apart:
        yield "a stash holds it: git stash list, then git stash drop"
    alone = [arrival.commit[:12] for arrival in traces.arrivals if not arrival.refs]
    if alone:
        yield f"reflogs alone keep {_some(alone)}: git reflog expire --expire=now --all && git gc --prune=now"
    if traces.loose:
        yield f"{counted(traces.loose, 'object')} that no commit names (the index, or leftovers): git gc --prune=now"
    if traces.unread:
        yield f"{counted(traces.unread, 'object')} too large to be looked into"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST]) + (f" and {len(names) - _MOST} more" if len(names) > _MOST else "")
