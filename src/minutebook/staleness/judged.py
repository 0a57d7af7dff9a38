"""Which entries look stale: judged anew where something changed since the last run, remembered where nothing did.

A run says byte for byte what one without a cache says. What was found of an entry is kept until its own text or lines
change, a commit touches it, the code that it names changes, or an entry that shares an id with it does.
"""

import json
import re
import sys
from datetime import date, timedelta
from hashlib import sha256
from pathlib import Path

from minutebook import refresh
from minutebook.edges import entry_rows, git
from minutebook.edges.entry_rows import count, doubt, every_row, keep, marked, numbers_of, set_mark, to_judge
from minutebook.edges.memory_history import follows
from minutebook.edges.refresh_cache import Cache, with_cache
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen, replace
from minutebook.ground.memory import Memory
from minutebook.refresh.drifted import UNMOVED
from minutebook.refresh.findings import Finding, Past
from minutebook.refresh.stale import find_stale
from minutebook.staleness.by_change import by_change
from minutebook.staleness.doubtful import doubted_by_code, judged_with
from minutebook.staleness.held import UNREAD, Held, as_given, in_work_tree, only
from minutebook.staleness.past import shipped_model
from minutebook.staleness.recall import GONE, Place, finding_in, finding_text, speaks_of_something_gone
from minutebook.staleness.reread import reread, retouch
from minutebook.staleness.then_and_now import Ground, drifting, past_of
from minutebook.workspace import Workspace

_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_A_WHILE = timedelta(days=30)


@frozen
class Judged:
    """`unread` are the files of memory that hold no entry because they can't be read: nobody judged them."""

    findings: list[Finding]
    unread: tuple[str, ...] = ()


def stale_entries(workspace: Workspace, memory: Memory | None, today: date, rev: str = "HEAD") -> list[Finding]:
    """The findings of `judged`."""
    return judged(workspace, memory, today, rev).findings


def judged(
    workspace: Workspace, memory: Memory | None, today: date, rev: str = "HEAD", since: str | None = None
) -> Judged:
    """Every finding, whatever its score, of the memory of the work tree, or of `memory` if one is given, against the
    code at `rev`; with `since` what the change from there on makes doubtful.

    Raises CannotJudge in a shallow clone, where what was there before is unknown, and when `since` is no commit.
    """
    top = workspace.repo.top
    if git.is_shallow(top):
        raise CannotJudge("the clone is shallow, so what the entries were about can't be told", "git fetch --unshallow")
    head = git.commit_id(top, rev)
    start = _start(top, since, head) if since is not None else ""
    if head is None:
        past = Past(lambda _: None, None, lambda _: "")
        whole = memory or workspace.memory
        unread = tuple(path for path, file in whole.files.items() if file.problems and not file.entries)
        return Judged(find_stale(whole, past, today, lambda *_: UNMOVED, shipped_model()), unread)

    def found(cached: Cache) -> Judged:
        cached.made_by(_rules())
        held = in_work_tree(workspace, cached) if memory is None else as_given(memory, cached)
        around = Ground(top, head, workspace.config.roots or (held.bare.root,), cached)
        with git.Batch(top):
            findings = _judged(around, held, today)
            findings = by_change(around, held.whole(), today, start) if start else findings
        return Judged(findings, tuple(json.loads(cached.said("state", UNREAD) or "[]")))

    return with_cache(workspace.repo.git_dir, workspace.store.within, found)


def _start(top: Path, since: str, head: str | None) -> str:
    """The commit that a change started from: where it left the branch that `since` names."""
    start = git.commit_id(top, since) if since else None
    if start is None or head is None:
        raise CannotJudge(f"--since {since!r}: no such commit", "git fetch, or name a commit that is here")
    bases = git.merge_bases(top, start, head)
    if not bases:
        raise CannotJudge(f"--since {since}: HEAD has no commit in common with it", "name a commit of this history")
    return bases[0]


def _rules() -> str:
    """The digest of all that decides what is read and said, so that nobody remembers what older rules made of it."""
    package = Path(refresh.__file__).parents[1]
    folders = [package / name for name in ("ground", "refresh", "staleness", "edges")]
    sources = [path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".json")]
    return sha256(b"\0".join([sys.version.encode(), *(path.read_bytes() for path in sorted(sources))])).hexdigest()


def _judged(around: Ground, held: Held, today: date) -> list[Finding]:
    cached = around.cached
    old = cached.notes("state")
    irregular = bool(old.get("irregular"))
    if held.changed or held.gone or irregular:
        all_of_it = irregular or 2 * len(held.changed) > count(cached.connection)
        cached.note("state", {"irregular": reread(around, held, all_of_it=all_of_it)})
    irregular = bool(cached.said("state", "irregular"))
    if irregular:
        doubt(cached.connection, numbers_of(every_row(cached.connection)))
    before = old.get("head", "")
    there = bool(_COMMIT.fullmatch(before)) and git.commit_id(around.top, before) is not None
    straight = there and follows(around.top, before, around.head)
    retouch(around, held, before if straight else "")
    if not straight:
        doubt(cached.connection, marked(cached.connection, [GONE]))
    doubted = doubted_by_code(around, before) if there else numbers_of(every_row(cached.connection))
    doubt(cached.connection, doubted)
    cached.note("state", {"head": around.head})
    found_now = _judge(around, held, today)
    if irregular:
        return found_now
    found = [finding_in(text) for text in entry_rows.findings(cached.connection)]
    return sorted(found, key=lambda finding: (-finding.score, finding.path, finding.line, finding.id))


def _judge(around: Ground, held: Held, today: date) -> list[Finding]:
    """Judge what isn't known, and keep it: for a while, where time alone will change nothing about it until then."""
    cached, connection = around.cached, around.cached.connection
    waiting = to_judge(connection, today.isoformat())
    if not waiting:
        return []
    many = 2 * len(waiting) > count(connection)
    beside = every_row(connection) if many else judged_with(around, waiting)
    rows = {row.place: row for row in (*beside, *waiting)}
    memory = held.whole() if many else only(held.some({path for path, _ in rows}), rows.keys())
    past = past_of(around, memory, rows, [row.place for row in waiting])
    drift, model, until = drifting(around.top, cached), shipped_model(), _later(today)
    found = find_stale(memory, past, today, drift, model)
    now, then = _by_place(found), _by_place(find_stale(memory, past, until, drift, model))
    after = []
    for place in dict.fromkeys(row.place for row in waiting):
        finding = finding_text(now.get(place))
        last = until if finding == finding_text(then.get(place)) else today
        after.append(replace(rows[place], finding=finding, quiet=f"{today} {last}"))
    keep(connection, after)
    lost = numbers_of(row for row in after if speaks_of_something_gone(row))
    set_mark(connection, GONE, lost, numbers_of(after) - lost)
    return found


def _later(today: date) -> date:
    return today + _A_WHILE if date.max - today > _A_WHILE else today


def _by_place(findings: list[Finding]) -> dict[Place, Finding]:
    return {(each.path, each.id): each for each in findings}
