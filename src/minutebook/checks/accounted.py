"""What left the live memory, and what stands for it: nothing goes to the archive, or out of it, unseen."""

from __future__ import annotations

from minutebook.ground.problem import Problem
from minutebook.ground.standing import closed_as, says_superseded
from minutebook.ground.uris import ARCHIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from minutebook.checks.judgement import Case
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory import Memory
    from minutebook.ground.problem import Severity

RULE = "certificate"
SUMMARY = "summary"
LEDGER = "ledger"
_NAMED = 5


def is_certified(entry: Entry) -> bool:
    """Whether it is a summary with a ledger."""
    return entry.type == SUMMARY and LEDGER in entry.text and bool(entry.fields.get(LEDGER))


def is_archived(memory: Memory, entry: Entry) -> bool:
    return memory.inner(entry.path).startswith(ARCHIVE)


def left(case: Case) -> list[Entry]:
    """The entries of the base that no longer stand in their files, those of append-only types (which have a rule of
    their own) left out. What can't be read isn't gone: that is said elsewhere."""
    if case.base is None:
        return []
    found: list[Entry] = []
    for path in sorted(case.changed_paths):
        before, after = case.base.files.get(path), case.kept.files.get(path)
        names = {entry.id for entry in after.entries} if after is not None else set[str]()
        if before is not None and (names or path not in case.tree) and not case.base.types[before.type].append_only:
            found += (entry for entry in before.entries if entry.id not in names)
    return found


def stood_for(memory: Memory) -> set[str]:
    """The ids of the entries for which a summary that is shown and has a ledger stands, or one of their own type that
    took their place: a live one, or an archived one that is accounted for itself."""
    entries = list(memory.entries(archived=True))
    summaries = [each for each in entries if is_certified(each) and not is_archived(memory, each)]
    hidden = _superseded(entries, {each.id.casefold() for each in summaries}) if summaries else set[str]()
    shown = (each for each in summaries if not memory.is_closed(each) and each.id.casefold() not in hidden)
    found = {name for each in shown for name in each.ids("derived_from")}
    types = {each.id: each.type for each in entries}
    after = [each for each in entries if each.type != SUMMARY and "derived_from" in each.text]
    waiting = {each.id: each for each in after}
    while ready := [each for each in waiting.values() if _holds(memory, each, found)]:
        for each in ready:
            del waiting[each.id]
            found.update(name for name in each.ids("derived_from") if types.get(name) == each.type)
    return found


def _superseded(entries: Iterable[Entry], names: Collection[str]) -> set[str]:
    """Those of the casefolded ids that an entry supersedes, and that are shown no more."""
    return {name for each in entries for name in says_superseded(each, names)}


def _holds(memory: Memory, entry: Entry, found: Collection[str]) -> bool:
    return not is_archived(memory, entry) or entry.id in found or memory.is_closed(entry)


def orphans(memory: Memory) -> dict[str, Entry]:
    """The archived entries by id for which nothing stands, and which don't say that they no longer hold."""
    archived = [
        entry
        for path, file in memory.files.items()
        if memory.inner(path).startswith(ARCHIVE) and file.type != SUMMARY and not memory.types[file.type].append_only
        for entry in file.entries
    ]
    known = stood_for(memory) if archived else set[str]()
    return {each.id: each for each in archived if each.id not in known and not closed_as(each, memory.type_of(each))}


def unaccounted_for(case: Case, told: Collection[str]) -> Iterator[Problem]:
    """Entries that lie in the archive and nothing stands for; of those in `told` enough was said. What lay there like
    that in the base is nobody's fault now."""
    found = orphans(case.kept)
    if found and case.base is not None:
        before = orphans(case.base)
        found = {name: entry for name, entry in found.items() if name not in before}
    severity: Severity = "warning" if case.base is None and case.result.adopted else "error"
    for path, entries in _by_folder(each for name, each in found.items() if name not in told):
        first = entries[0]
        them = "them" if len(entries) > 1 else "it"
        words = f"{_lie(entries)} in the archive, and nothing that is shown stands for {them}"
        fix = f"minutebook expand {first.id} --back, or put the summary back that stood for it"
        if case.kept.type_of(first).durability != "ephemeral":
            fix = f"minutebook expand {first.id} --back, or mark it as what no longer holds: `> OBSOLETE — why`"
        yield Problem(path, 0, RULE, words, fix, first.id, severity)


def vanished(case: Case, base: Memory, gone: Sequence[Entry], told: Collection[str]) -> Iterator[Problem]:
    """Archived originals that are nowhere any more: what a compaction took away it must be able to give back."""
    known = stood_for(base) if any(is_archived(base, each) for each in gone) else set[str]()
    lost = [each for each in gone if is_archived(base, each) and each.id in known and each.id not in told]
    for path, entries in _by_folder(lost):
        first = ", ".join(f"{entry.id:.128}" for entry in entries[:_NAMED])
        more = f" … ({len(entries)} entries)" if len(entries) > 1 else ""
        words = f"{first}{more}: gone from the archive, which kept what a compaction took away"
        fix = "put it back where it lay (git checkout, or minutebook restore); minutebook expunge takes a text out"
        yield Problem(path, 0, RULE, words, fix, entries[0].id)


def deleted(case: Case, base: Memory, gone: Sequence[Entry]) -> Iterator[Problem]:
    """What was deleted, and what bound in it: no rule forbids it, and nobody should overlook it.

    What the same file says now under another id is an edit, and what another file says now was moved.
    """
    if not gone:
        return
    from minutebook.compact.statements import body_of

    kept = stood_for(base)
    bodies = {body_of(entry).strip() for entry in case.changed_entries()}
    found: list[tuple[Entry, list[str]]] = []
    for entry in gone:
        held = is_certified(entry) or (is_archived(base, entry) and entry.id in kept)
        edited = not entry.in_log and entry.path in case.tree
        if held or edited or base.is_closed(entry) or body_of(entry).strip() in bodies:
            continue
        if binding := bound(entry):
            found.append((entry, binding))
    binds = {entry.id: binding for entry, binding in found}
    for path, entries in _by_folder(entry for entry, _ in found):
        total = sum(len(binds[each.id]) for each in entries)
        more = f" (and {total - 1} more)" if total > 1 else ""
        who = f"{len(entries)} entries, {entries[0].id} …" if len(entries) > 1 else entries[0].id
        words = f"{who}: deleted, with what binds in it: {binds[entries[0].id][0]:.160}{more}"
        fix = "leave it to minutebook compact, which keeps what binds and the original"
        yield Problem(path, 0, RULE, words, fix, entries[0].id, "warning")


def bound(entry: Entry, but: Entry | None = None) -> list[str]:
    """The sentences that bind in an entry; those that `but` says too are left out."""
    from minutebook.compact.statements import key, statements

    said = {(each.group, key(each.text)) for each in statements(but)} if but is not None else set()
    return [each.text for each in statements(entry) if each.binds and (each.group, key(each.text)) not in said]


def no_longer_said(old: Entry, new: Entry, how: str) -> Iterator[Problem]:
    """What bound in an entry that was edited on its way into the archive, or out of it."""
    lost = bound(old, new) if old.text != new.text else []
    if lost:
        more = f" (and {len(lost) - 1} more)" if len(lost) > 1 else ""
        words = f"{new.id} was edited {how}, and no longer says: {lost[0]:.160}{more}"
        yield Problem(new.path, new.line, RULE, words, f"git log -p -- {old.path}    # who did", new.id, "warning")


def _by_folder(entries: Iterable[Entry]) -> Iterator[tuple[str, list[Entry]]]:
    """(a path, the entries to name there): one by one, or all of a folder at once where there are many."""
    folders: dict[str, list[Entry]] = {}
    for entry in entries:
        folders.setdefault(entry.path.rpartition("/")[0], []).append(entry)
    for folder, found in folders.items():
        if len(found) > _NAMED:
            yield folder, found
        else:
            yield from ((each.path, [each]) for each in found)


def _lie(entries: Sequence[Entry]) -> str:
    first = ", ".join(f"{entry.id:.128}" for entry in entries[:_NAMED])
    return f"{first} … ({len(entries)} entries) lie" if len(entries) > 1 else f"{first} lies"


def by_id(memory: Memory) -> Mapping[str, Entry]:
    """All entries, archived ones too; of two with one id the live one."""
    return {entry.id: entry for entry in memory.entries(archived=True)}
