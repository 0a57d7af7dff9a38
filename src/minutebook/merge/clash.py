"""What two branches do to each other, as problems: which ids, and what to do about them."""

from __future__ import annotations

from shlex import quote

from minutebook.ground.change import File
from minutebook.ground.lazy import lazy
from minutebook.ground.memory import read_file
from minutebook.ground.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from minutebook.ground.memory import Memory
    from minutebook.merge.log import Merged

RULE = "merge"
_NAMED = 5
_SIDE = lazy(r"^(?:ours|theirs)\b|\((?:ours|theirs)\)")


def clashes(
    memory: Memory, path: str, versions: tuple[bytes | None, ...], found: Merged | str, rev: str
) -> Iterator[Problem]:
    """Why git alone can't merge the file; `found` is what the merge driver makes of it, or why it can't."""
    base, ours, theirs = (_ids(memory, path, data) for data in versions)
    new = [f"{_listed(side - base)} {where}" for side, where in ((ours, "here"), (theirs, f"in {rev}")) if side - base]
    if versions[1] is None or versions[2] is None:
        gone, left = ("HEAD", rev) if versions[1] is None else (rev, "HEAD")
        ids = _listed((ours | theirs) & base) or path
        yield Problem(path, 0, RULE, f"{gone} deleted or moved the file, and {left} changed it: {ids}", _settle(rev))
        return
    if isinstance(found, str):
        yield Problem(path, 1, RULE, f"it can't be merged: {found}", _settle(rev))
        return
    for each in found.renamed:
        message = f"{each.id} stands for two new entries, one here and one in {rev} (“{each.title}” is one of them)"
        yield Problem(path, 1, RULE, message, _own_id(each.id), each.id)
    for name, why in found.conflicts:
        words = _SIDE.sub(lambda match: match[0].replace("ours", "HEAD").replace("theirs", rev), why)
        yield Problem(path, 1, RULE, f"{name or 'the page'}: {words}", _settle(rev), name)
    if not found.renamed and not found.conflicts:
        message = f"both sides changed it, and git alone can't merge that: {'; '.join(new) or 'the same lines'}"
        first = min(ours - base, default="")
        yield Problem(path, 1, RULE, message, _driver(rev, first), first)


def _ids(memory: Memory, path: str, data: bytes | None) -> set[str]:
    mtype = memory.type_at(path)
    if mtype is None or data is None:
        return set()
    return {entry.id for entry in read_file(path, File(data), mtype, memory.config).entries}


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names)[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")


def _settle(rev: str) -> str:
    return f"git merge {quote(rev)}    # and settle it, before the other one is published"


def _own_id(name: str) -> str:
    return f"give the one that isn't published yet another id, and what refers to {name} on that branch too"


def _driver(rev: str, first: str) -> str:
    by_hand = f"; by hand: keep both sides, and {first} nearest to the open end" if first else ""
    return f"git merge {quote(rev)}    # after `minutebook init --merge-driver`, which merges entry by entry{by_hand}"
