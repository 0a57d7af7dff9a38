"""What is append-only is decided by the base: a change that narrows it is a problem of its own."""

from collections.abc import Iterator

from minutebook.checks.judgement import Case
from minutebook.ground.config import CONFIG, Config
from minutebook.ground.memory import TYPES, Memory, memory_type_of, read_file
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.problem import Problem

_WAY = "leave it as it is; a change of the promise itself is merged by a maintainer, on purpose, past this check"


def scope(case: Case) -> Iterator[Problem]:
    """The config and the types may not narrow what the base promises to keep.

    No append-only type may stop being one, lose files that it covers, or let more of a sealed entry change; no
    memory root may be dropped; `seal` and `published` may not be loosened. Entries are judged by the base's config
    and types in any case.
    """
    if case.base is None or case.base is case.result:
        return
    yield from _config(case.base, case.result)
    for name, before in case.base.types.items():
        if before.append_only:
            for message in _narrowed(before, case.result.types.get(name)):
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


def _narrowed(before: MemoryType, after: MemoryType | None) -> Iterator[str]:
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
    for status in sorted({status for names in after.status.values() for status in names}):
        was, now = before.stage(status), after.stage(status)
        if now == "draft" and was != "draft":
            yield f"a {name} of status `{status}` would no longer be sealed"
        elif now == "closed" and was == "sealed" and status in before.status.get("sealed", ()):
            yield f"a {name} of status `{status}` could be moved to the archive"
    if before.durability != "ephemeral" and after.durability == "ephemeral":
        yield f"{name} is no longer durable: its entries could be moved to the archive"


def _uncovered(case: Case) -> Iterator[Problem]:
    """Files of an append-only type that another type, or none, would cover from now on, or in which the type would no
    longer find the entries that are there."""
    assert case.base is not None
    for path, file in case.base.files.items():
        if not file.entries or not case.base.types[file.type].append_only:
            continue
        after = memory_type_of(case.base.inner(path), case.result.types)
        if after is None or after.name != file.type:
            covers = f"the type {after.name}" if after is not None else "no type"
            message = f"{path} holds entries of {file.type}, and {covers} would cover it from now on"
            yield _problem(_source(case, case.base.types[file.type]), message, file.type)
        elif (after.layout, after.id) != (case.base.types[file.type].layout, case.base.types[file.type].id):
            found = {(entry.id, entry.text) for entry in read_file(path, case.base_tree[path], after).entries}
            lost = next((entry for entry in file.entries if (entry.id, entry.text) not in found), None)
            if lost is not None:
                message = f"{lost.id} in {path} would no longer be read as an entry"
                yield _problem(_source(case, case.base.types[file.type]), message, file.type)


def _source(case: Case, mtype: MemoryType) -> str:
    """The file to name: the changed type file, if there is one."""
    folder = case.result.outer(TYPES)
    changed = sorted(path for path in case.changed_paths if path.startswith(folder))
    named = [path for path in changed if path.rsplit("/", 1)[-1].startswith(f"{mtype.name}.")]
    return next(iter(named or changed), CONFIG)


def _problem(path: str, message: str, entry: str = "", *, warning: bool = False) -> Problem:
    text = f"{message}: this narrows what the published memory promises to keep" if not warning else message
    return Problem(path, 0, "scope", text, _WAY if not warning else "", entry, "warning" if warning else "error")
