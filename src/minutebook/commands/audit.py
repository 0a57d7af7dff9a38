"""`minutebook audit`: the promise over the whole history."""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from datetime import time as hour
from pathlib import Path

import click

from minutebook.audit.graph import Graph
from minutebook.audit.judging import Judging
from minutebook.audit.past import Past
from minutebook.audit.report import audit_json, audit_table, audit_text, commits_named, summary
from minutebook.audit.walk import Broken, audited
from minutebook.commands import options
from minutebook.edges import git, git_objects, history
from minutebook.ground.config import CONFIG, USUAL_ROOTS, Config, read_config
from minutebook.ground.errors import CannotJudge
from minutebook.pages.report import one_line

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_QUIET = 2.0
_WIDTH = 120
"""Of a table that no terminal shows."""
_MOST_PLACES = 8
_EXAMPLE = """\b
A config for --config, of a repository that never heard of minutebook:
  places:                 # by type: files of one entry, or one log
    decision: [docs/adr/*.md, DECISIONS.md]
  order:                  # the end at which its logs grow
    decision: oldest-first
  status:                 # status words beside those of the type
    decision: {draft: [in review], closed: [rejected]}
Without `places`, memory lies in .memory (or `roots:` of the config).
"""


@click.command(epilog=_EXAMPLE)
@click.argument("rev", default="HEAD")
@options.form("table")
@click.option("--since", metavar="REV|DATE", help="Only what REV doesn't reach, or commits of this day and later.")
@click.option(
    "--config", "given", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="A config that counts for every commit, in place of the repository's own.",
)  # fmt: skip
def audit(rev: str, form: str, since: str | None, given: Path | None) -> int:
    """Judge every commit that REV reaches, merges included: was anything published ever broken?

    Published is what the first-parent line of REV holds. A commit on it is compared with its first parent, a merge
    with each of its sides too, and a commit on a branch with what was published when the branch left the line: a
    branch may change entries of its own as it likes.

    Exit code 0: nothing published was broken; what was broken on a branch alone is shown. 1: something was, even if it
    was restored later. 2: it can't be judged, never a pass.
    """
    repo = git.repository(Path.cwd())
    head = git.commit_id(repo.top, rev)
    if head is None:
        raise CannotJudge(f"{rev} is no commit of this clone", _fetch(repo.top))
    own = read_config(given.read_bytes(), str(given)) if given is not None else None
    graph = Graph(history.commits(repo.top, head))
    asked = _asked(repo.top, graph, since)
    _whole(repo.top, graph, asked, since)
    known = [own] if own is not None else _configs(repo.top, head)
    rows, entries = _judged(repo.top, graph, asked, tuple(known), own)
    named = history.named(repo.top, commits_named(rows))
    count = len(graph.commits if asked is None else asked)
    if form == "json":
        click.echo(audit_json(rows, named, head, count, entries), nl=False)
        return 1 if any(row.published_by for row in rows) else 0
    width = shutil.get_terminal_size((_WIDTH, 1)).columns
    click.echo(audit_table(rows, named, width) if form == "table" else audit_text(rows, named), nl=False)
    said = summary(rows, count, entries, since) if count else f"no commit since {since}: nothing was judged"
    click.echo(f"minutebook: {said}", err=True)
    return 1 if any(row.published_by for row in rows) else 0


def _judged(
    top: Path, graph: Graph, asked: frozenset[str] | None, known: tuple[Config, ...], given: Config | None
) -> tuple[tuple[Broken, ...], int]:
    """(what was broken, how many entries the head holds). Raises CannotJudge when no commit held any: that the places
    are wrong is likelier than that nobody ever wrote one."""
    folders = _folders(known)
    walked = [commit for commit in graph.commits if asked is None or commit.id in asked]
    edits = history.edits(top, walked, folders)
    with history.Blobs(top) as blobs, _progress(len(graph.commits)) as done:
        past = Past(edits, blobs, lambda commit: history.listed_at(top, commit, folders), known, given)
        blobs.expect(past.order(commit.id for commit in walked))
        judging = Judging(past)
        rows = audited(graph, past, judging, asked, done)
        entries = judging.entries(graph.commits[-1].id)
        if walked and not (rows or entries) and not any(judging.entries(each.id) for each in reversed(walked)):
            words = f"no commit of {len(walked)} holds an entry, so nothing was judged; looked at {_places(known)}"
            raise CannotJudge(words, "write where entries lie under `places:`: minutebook audit --help")
        return rows, entries


def _places(known: tuple[Config, ...]) -> str:
    """Where entries were looked for, as the configs write it."""
    every = [
        each for config in known for each in (*config.places, *(glob for of in config.mapped.values() for glob in of))
    ]
    named = [one_line(each) for each in dict.fromkeys(every)]
    return ", ".join(named[:_MOST_PLACES]) + (" …" if len(named) > _MOST_PLACES else "")


def _fetch(top: Path) -> str:
    return history.UNSHALLOW if git.is_shallow(top) else "git fetch"


def _configs(top: Path, head: str) -> Iterator[Config]:
    """Every config that ever counted, and the one that counts where there is none; a broken one counts nowhere."""
    yield Config()
    for data in git_objects.read_blobs(top, history.config_blobs(top, head)).values():
        try:
            yield read_config(data)
        except CannotJudge:
            continue


def _folders(known: tuple[Config, ...]) -> tuple[str, ...]:
    folders = [each for config in known for each in (*config.places, *config.folders)]
    return tuple(dict.fromkeys((CONFIG, *USUAL_ROOTS, *folders)))


def _asked(top: Path, graph: Graph, since: str | None) -> frozenset[str] | None:
    """The commits to judge; None for all of them."""
    if since is None:
        return None
    if _DAY.fullmatch(since):
        try:
            day = date.fromisoformat(since)
        except ValueError:
            raise CannotJudge(f"{since!r} is no date; write YYYY-MM-DD") from None
        first = datetime.combine(day, hour(tzinfo=UTC)).timestamp()
        return frozenset(commit.id for commit in graph.commits if commit.when >= first)
    start = git.commit_id(top, since)
    if start is None:
        raise CannotJudge(f"{since} is no commit of this clone", _fetch(top))
    return frozenset(graph.place) - history.reached(top, start)


def _whole(top: Path, graph: Graph, asked: frozenset[str] | None, since: str | None) -> None:
    """Raises CannotJudge when this clone lacks commits that it takes to judge those that were asked for."""
    edges = history.edges_of_clone(top).intersection(graph.place)
    if edges and asked is None:
        words = "this clone is shallow: the history ends before its beginning (--since judges what is here)"
        raise CannotJudge(words, history.UNSHALLOW)
    if edges and asked is not None and any(each in edges or not graph.left[each] for each in asked):
        raise CannotJudge(f"this clone is too shallow to judge everything since {since}", history.UNSHALLOW)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None]]:
    """Tells people who wait at a terminal how far it is; nobody else."""
    shown = False
    started = said = time.monotonic()
    terminal = sys.stderr.isatty()

    def done(count: int) -> None:
        nonlocal said, shown
        if terminal and (now := time.monotonic()) - said > 1 / 5 and now - started > _QUIET:
            said, shown = now, True
            click.echo(f"\r{count} of {total} commits", nl=False, err=True)

    try:
        yield done
    finally:
        if shown:
            click.echo(f"\r{' ' * (len(f'{total} of {total} commits'))}\r", nl=False, err=True)
