"""What is published in an append-only log stays, word for word, in order, for ever."""

from collections.abc import Callable, Iterator
from itertools import zip_longest

from minutebook.checks.judgement import Case
from minutebook.checks.log_order import displaced, misplaced
from minutebook.checks.newcomers import newcomers
from minutebook.checks.pairing import Pairing, paired, promised_files
from minutebook.checks.parts import sealed_text
from minutebook.checks.sealed import breaches, survives
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import replace
from minutebook.ground.memory import Memory
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.problem import Problem, Severity
from minutebook.ground.standing import closed_as
from minutebook.ground.uris import ARCHIVE

RULE = "append-only"
_NAMED = 5


def append_only(case: Case) -> Iterator[Problem]:
    """Every sealed entry of the base stands exactly once in the result, unchanged, in its order.

    Allowed: new entries at the open end of a log; text after an entry where its type takes addenda; the fields that
    the type lets amend, and one marker such as `> SUPERSEDED by DEC-…`, set once; a log split into others of its
    type; what is superseded moved to the archive; drafts in any way. A change of mind is a new entry. In a merge,
    what each side holds survives too, and nothing else comes in. White space at line ends is a warning, unless the
    config says `seal: bytes`. A file that turns into something else than a log loses its entries.
    """
    if case.base is None:
        return
    kept = case.kept
    pairing = paired(case.base, kept)
    yield from _gone(case.base, kept, pairing)
    yield from _changes(pairing, case, case.base, lambda old, new: False)
    for new, other in pairing.twice:
        message = f"{new.id} stands twice: also in {other.path}" if other.path != new.path else f"{new.id} stands twice"
        yield _problem(new, message, "keep the entry as it was and give the new one an id of its own")
    yield from displaced(pairing, case.base)
    yield from misplaced(pairing, kept, [*case.parents, *case.merged])
    yield from newcomers(pairing, case)
    yield from _merge(case)


def _merge(case: Case) -> Iterator[Problem]:
    """What the sides of a merge hold is in the result, in order; and the merge itself brings nothing in."""
    for parent in case.parents:
        others = [other for other in case.parents if other is not parent]
        pairing = _without(paired(parent, case.kept), _settled_elsewhere(parent, others, case.forks))

        def joins_two(old: Entry, new: Entry, others: list[Memory] = others) -> bool:
            """Whether another side holds the entry in other words: then the result may hold the words of both."""
            said = [entry for other in others for entry in other.entries(archived=True) if entry.id == old.id]
            differs = any(sealed_text(entry.text) != sealed_text(old.text) for entry in said)
            return differs and survives(old, new, case.kept.types[old.type])

        yield from _gone(parent, case.kept, pairing)
        yield from _changes(pairing, case, parent, joins_two)
        yield from displaced(pairing, parent)


def _settled_elsewhere(parent: Memory, others: list[Memory], forks: tuple[Memory, ...]) -> frozenset[str]:
    """The ids of entries that this side left alone since the sides parted, and another side didn't: what becomes of
    those is between that side and what is published."""

    def texts(memory: Memory) -> dict[str, str]:
        return {entry.id: sealed_text(entry.text) for file in promised_files(memory) for entry in file.entries}

    mine, before, theirs = texts(parent), [texts(fork) for fork in forks], [texts(other) for other in others]
    left = {name for name, text in mine.items() if before and all(fork.get(name) == text for fork in before)}
    return frozenset(name for name in left if any(other.get(name) != mine[name] for other in theirs))


def _without(pairing: Pairing, names: frozenset[str]) -> Pairing:
    kept = tuple((old, new) for old, new in pairing.kept if old.id not in names)
    return replace(pairing, kept=kept, gone=tuple(old for old in pairing.gone if old.id not in names))


def _gone(base: Memory, result: Memory, pairing: Pairing) -> Iterator[Problem]:
    lost: dict[str, list[Entry]] = {}
    for old in pairing.gone:
        if base.type_of(old).stage(old.status) != "draft":
            lost.setdefault(old.path, []).append(old)
    for path, entries in lost.items():
        if len(entries) > _NAMED:
            names = ", ".join(entry.id for entry in entries[:_NAMED])
            message = f"{len(entries)} sealed entries are gone: {names} …; {_whereabouts(entries[0], result)}"
            yield Problem(path, _line_in(path, result), RULE, message, f"git checkout HEAD -- {path}", entries[0].id)
            continue
        for old in entries:
            message = f"{old.id} is sealed and is gone: {_whereabouts(old, result)}"
            yield Problem(path, _line_in(path, result), RULE, message, _way(old), old.id)


def _whereabouts(old: Entry, result: Memory) -> str:
    moved = next((entry for entry in result.entries(archived=True) if entry.id == old.id), None)
    if moved is not None:
        return f"{moved.path} is not a place of its type, {old.type}"
    if old.path in result.files:
        return f"it no longer stands in {old.path}"
    return f"there is no {old.path} any more"


def _line_in(path: str, result: Memory) -> int:
    return 1 if path in result.files else 0


def _changes(pairing: Pairing, case: Case, base: Memory, excused: Callable[[Entry, Entry], bool]) -> Iterator[Problem]:
    slight: list[Entry] = []
    ends: list[tuple[Entry, Entry]] = []
    for old, new in pairing.kept:
        mtype = base.types[old.type]
        if mtype.stage(old.status) == "draft":
            continue
        if old.path != new.path:
            yield from _moved(old, new, mtype, case)
        for breach in breaches(old, new, mtype):
            if breach.at_end:
                ends.append((old, new))
            elif breach.slight:
                slight.append(new)
            elif not excused(old, new):
                yield _problem(new, f"{old.id} is sealed: {breach.message}", _way(old), breach.offset, entry=old.id)
    if ends:
        # What stands at its end belongs to the next entry too: it changes when another one comes after it.
        before, after = _followers(base), _followers(case.kept)
        slight += [new for old, new in ends if before[old.path, old.id] == after[new.path, new.id]]
    yield from _slight(slight, "error" if "bytes" in base.config.seal else "warning")


def _slight(entries: list[Entry], severity: Severity) -> Iterator[Problem]:
    """White space changed: one problem a file, since it's a whole file that a tool goes over."""
    by_path: dict[str, list[Entry]] = {}
    for entry in entries:
        by_path.setdefault(entry.path, []).append(entry)
    for path, found in by_path.items():
        names = ", ".join(entry.id for entry in found[:_NAMED]) + (" …" if len(found) > _NAMED else "")
        message = f"only white space changed (line ends, spaces or blank lines at an end) in {names}"
        yield Problem(path, found[0].line, RULE, message, f"git checkout HEAD -- {path}", found[0].id, severity)


def _followers(memory: Memory) -> dict[tuple[str, str], tuple[str, str]]:
    """By path and id of an entry, the path and the id of the one that comes next ("" at the end)."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for file in promised_files(memory):
        for entry, after in zip_longest(file.entries, file.entries[1:]):
            found[file.path, entry.id] = file.path, after.id if after is not None else ""
    return found


def _moved(old: Entry, new: Entry, mtype: MemoryType, case: Case) -> Iterator[Problem]:
    kept = case.kept
    was, now = (kept.inner(entry.path).startswith(ARCHIVE) for entry in (old, new))
    if new.type != old.type:
        message = f"{old.id} was moved to {new.path}, which is a place of {new.type} and not of {old.type}"
        yield _problem(new, message, f"move it back to {old.path}")
    elif now and not was and not closed_as(new, mtype) and mtype.durability != "ephemeral":
        fix = "set `> SUPERSEDED by …` on it first, or leave it where it was"
        yield _problem(new, f"{old.id} is active and was moved to the archive", fix)
    elif not old.in_log and any(entry.id != old.id for entry in _at(old.path, kept)):
        message = f"{old.id} was renamed to {new.path} and another entry stands in its old place"
        fix = f"move it back to {old.path} and give the new entry a name of its own"
        yield Problem(old.path, 1, RULE, message, fix, old.id)


def _at(path: str, memory: Memory) -> tuple[Entry, ...]:
    file = memory.files.get(path)
    return file.entries if file is not None else ()


def _way(old: Entry) -> str:
    """The lawful way to change one's mind."""
    command = f"minutebook new {old.type} --supersedes {old.id}"
    return f"restore it, and append a new entry with `Supersedes: {old.id}`: {command}"


def _problem(at: Entry, message: str, fix: str, offset: int = 0, *, entry: str = "") -> Problem:
    return Problem(at.path, at.line + offset, RULE, message, fix, entry or at.id)
