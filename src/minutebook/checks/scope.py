"""What is append-only is decided by the base: a change that narrows it is a problem of its own."""

from collections.abc import Collection, Iterator

from minutebook.checks.judgement import Case
from minutebook.ground.config import CONFIG, Config
from minutebook.ground.memory import TYPES, Memory, read_file
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.problem import Problem

_WAY = "leave it as it is; a change of the promise itself is merged by a maintainer, on purpose, past this check"


def scope(case: Case) -> Iterator[Problem]:
    """The config and the types may not narrow what the base promises to keep.

    No append-only type may stop being one, lose files that it covers, or let more of a sealed entry change; no
    memory root may be dropped; `seal` and `published` may not be loosened; no other meaning of a status may free an
    entry that is there, hide or revive it. Entries are judged by the base's config and types in any case, so a change
    can't excuse itself.

    Severity: error. A warning when the end of a log at which new entries go changes.
    """
    if case.base is None or case.base is case.result:
        return
    yield from _config(case.base, case.result)
    if case.result.types is case.base.types and case.result.config == case.base.config:
        return
    said = _statuses(case.base)
    for name, before in case.base.types.items():
        if before.append_only:
            for message in _narrowed(before, case.result.types.get(name), said.get(name, ()) if said else None):
                yield _problem(_source(case, before), message, name)
    yield from _uncovered(case)


def _config(base: Memory, result: Memory) -> Iterator[Problem]:
    old, new = base.config, result.config
    if any(True for _ in base.entries(archived=True)) and not _names(new, base.root):
        yield _problem(CONFIG, f"the config no longer names {base.root} as a memory root")
    for lost in sorted(old.seal - new.seal):
        yield _problem(CONFIG, f"`seal: {lost}` is dropped")
    for lost in sorted(set(old.published) - set(new.published)):
        yield _problem(CONFIG, f"`{lost}` is no longer a published branch")
    for name, before in base.types.items():
        after = result.types.get(name)
        if before.append_only and after is not None and base.order(before) != result.order(after):
            message = f"the open end of {name} logs changes from {base.order(before)} to {result.order(after)}"
            yield _problem(CONFIG, message, name, warning=True)


def _names(config: Config, root: str) -> bool:
    return root in config.places


def _statuses(base: Memory) -> dict[str, set[str]]:
    """By type, the statuses of the base's entries."""
    found: dict[str, set[str]] = {}
    for entry in base.entries(archived=True):
        found.setdefault(entry.type, set()).add(entry.status)
    return found


def _narrowed(before: MemoryType, after: MemoryType | None, said: Collection[str] | None) -> Iterator[str]:
    """`said` are the statuses of the base's entries of the type; None when the base has no entries at all."""
    name = before.name
    if after is None:
        yield f"the append-only type {name} is gone"
        return
    if not after.append_only:
        yield f"{name} is no longer append-only (`write: {after.write}`)"
        return
    for more in sorted(set(after.amend) - set(before.amend)):
        yield f"`{more}` of a sealed {name} could be changed"
    if before.addenda != "end" and after.addenda == "end":
        yield f"text could be added to a sealed {name}"
    if said is not None:
        yield from _restaged(before, after, said)
    if before.durability != "ephemeral" and after.durability == "ephemeral":
        yield f"{name} is no longer durable: its entries could be moved to the archive"


def _restaged(before: MemoryType, after: MemoryType, said: Collection[str]) -> Iterator[str]:
    """The statuses whose stage changes so that an entry is freed, hidden or revived: of those that the base's entries
    have or its type names. A word that nobody used yet may come to mean anything."""
    named = {status for names in before.status.values() for status in names}
    told: set[tuple[str, str, str]] = set()
    for status in sorted({*named, *said}):
        was, now = before.stage(status), after.stage(status)
        what = (was, now, status.partition(" ")[0])  # each `superseded by DEC-…` is the same
        if was == now or was == "draft" or what in told:
            continue
        if now == "draft":
            message = "would no longer be sealed"
        elif now == "closed":
            message = "could be moved to the archive"
        elif status in said:
            message = "would count as valid again"
        else:
            continue
        told.add(what)
        yield f"a {before.name} of status `{status}` {message}"


def _uncovered(case: Case) -> Iterator[Problem]:
    """Files of an append-only type that another type, or none, would cover from now on, or in which the type would no
    longer find the entries that are there."""
    assert case.base is not None
    for path, file in case.base.files.items():
        if not file.entries or not case.base.types[file.type].append_only:
            continue
        after = case.result.type_at(path)
        if after is None or after.name != file.type:
            covers = f"the type {after.name}" if after is not None else "no type"
            message = f"{path} holds entries of {file.type}, and {covers} would cover it from now on"
            yield _problem(_source(case, case.base.types[file.type]), message, file.type)
        elif _reads(case.base, file.path, case.base.types[file.type]) != _reads(case.result, file.path, after):
            found = {
                (entry.id, entry.text)
                for entry in read_file(path, case.base_tree[path], after, case.result.config).entries
            }
            lost = next((entry for entry in file.entries if (entry.id, entry.text) not in found), None)
            if lost is not None:
                message = f"{lost.id} in {path} would no longer be read as an entry"
                yield _problem(_source(case, case.base.types[file.type]), message, file.type)


def _reads(memory: Memory, path: str, mtype: MemoryType) -> object:
    """What decides how the entries of a file are read."""
    return mtype.layout, mtype.id, memory.config.mapped_as(path)


def _source(case: Case, mtype: MemoryType) -> str:
    """The file to name: the changed type file, if there is one."""
    folder = case.result.outer(TYPES)
    changed = sorted(path for path in case.changed_paths if path.startswith(folder))
    named = [path for path in changed if path.rsplit("/", 1)[-1].startswith(f"{mtype.name}.")]
    return next(iter(named or changed), CONFIG)


def _problem(path: str, message: str, entry: str = "", *, warning: bool = False) -> Problem:
    text = f"{message}: this narrows what the published memory promises to keep" if not warning else message
    return Problem(path, 0, "scope", text, _WAY if not warning else "", entry, "warning" if warning else "error")
