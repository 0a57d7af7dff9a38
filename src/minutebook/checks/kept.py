"""What is sealed in the base is still there, in its place, and says what it said."""

from __future__ import annotations

from itertools import zip_longest

from minutebook.checks.expunged import expunged
from minutebook.checks.pairing import promised_files
from minutebook.checks.parts import sealed_text
from minutebook.checks.sealed import breaches
from minutebook.ground.problem import Problem, Severity
from minutebook.ground.record import is_stated
from minutebook.ground.standing import closed_as
from minutebook.ground.tombstone import looks_expunged, read_tombstone
from minutebook.ground.uris import ARCHIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from minutebook.checks.judgement import Case
    from minutebook.checks.pairing import Pairing
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory import Memory
    from minutebook.ground.memory_type import MemoryType

RULE = "append-only"
# How a way out begins that takes old text back. No commit is named here: `verdict` knows what was compared.
RESTORE = "restore "
_NAMED = 5


def gone(base: Memory, result: Memory, pairing: Pairing) -> Iterator[Problem]:
    """Sealed entries that stand nowhere any more, or in no place of their type."""
    lost: dict[str, list[Entry]] = {}
    for old in pairing.gone:
        if base.type_of(old).stage(old.status) != "draft":
            lost.setdefault(old.path, []).append(old)
    for path, entries in lost.items():
        if len(entries) > _NAMED:
            names = ", ".join(entry.id for entry in entries[:_NAMED])
            message = f"{len(entries)} sealed entries are gone: {names} …; {_whereabouts(entries[0], result)}"
            yield Problem(path, _line_in(path, result), RULE, message, f"{RESTORE}them", entries[0].id)
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


def changes(
    pairing: Pairing,
    case: Case,
    base: Memory,
    excused: Callable[[Entry, Entry], bool] = lambda old, new: False,
    others: tuple[Memory, ...] = (),
) -> Iterator[Problem]:
    """Sealed entries that were changed, or moved where they may not be.

    In a merge `base` is one side and `others` are the other ones and what is published: an entry may be `excused`
    for what these did to it, and a tombstone may name what stood there in any of them.
    """
    slight: list[Entry] = []
    ends: list[tuple[Entry, Entry]] = []
    for old, new in pairing.kept:
        mtype = base.types[old.type]
        if (old.text == new.text and old.path == new.path) or mtype.stage(old.status) == "draft":
            continue
        if old.path != new.path:
            yield from _moved(old, new, mtype, case)
        found = list(breaches(old, new, mtype))
        if not any(breach.slight for breach in found) and _is_about_a_tombstone(old, new, lawful=not found):
            yield from expunged(old, new, others)
            continue
        for breach in found:
            if breach.at_end:
                ends.append((old, new))
            elif breach.slight:
                slight.append(new)
            elif not excused(old, new):
                yield problem(new, f"{old.id} is sealed: {breach.message}", _way(old), breach.offset, entry=old.id)
    if ends:
        # What stands at its end belongs to the next entry too: it changes when another one comes after it.
        before, after = _followers(base), _followers(case.kept)
        slight += [new for old, new in ends if before[old.path, old.id] == after[new.path, new.id]]
    yield from _slight(slight, "error" if "bytes" in base.config.seal else "warning")


def _is_about_a_tombstone(old: Entry, new: Entry, *, lawful: bool) -> bool:
    """Whether one was set, or is meant to be, or was touched; what is lawful anyway needs none."""
    return (not lawful and looks_expunged(new)) or (old.text != new.text and read_tombstone(old) is not None)


def _slight(entries: list[Entry], severity: Severity) -> Iterator[Problem]:
    """White space changed: one problem a file, since it's a whole file that a tool goes over."""
    by_path: dict[str, list[Entry]] = {}
    for entry in entries:
        by_path.setdefault(entry.path, []).append(entry)
    for path, found in by_path.items():
        names = ", ".join(entry.id for entry in found[:_NAMED]) + (" …" if len(found) > _NAMED else "")
        message = f"only white space changed (line ends, spaces or blank lines at an end) in {names}"
        yield Problem(path, found[0].line, RULE, message, f"{RESTORE}their lines as they were", found[0].id, severity)


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
        yield problem(new, message, f"move it back to {old.path}")
    elif now and not was and not closed_as(new, mtype) and mtype.durability != "ephemeral":
        fix = "set `> SUPERSEDED by …` on it first, or leave it where it was"
        yield problem(new, f"{old.id} is active and was moved to the archive", fix)
    elif not old.in_log and any(entry.id != old.id for entry in _at(old.path, kept)):
        message = f"{old.id} was renamed to {new.path} and another entry stands in its old place"
        fix = f"move it back to {old.path} and give the new entry a name of its own"
        yield Problem(old.path, 1, RULE, message, fix, old.id)
    elif old.id != new.id and is_stated(old, "id") and sealed_text(old.text) == sealed_text(new.text):
        fix = f"rename it back to {old.path}: its number is what others know it by"
        yield problem(new, f"{old.id} is sealed: its id was changed to {new.id}", fix, entry=old.id)


def _at(path: str, memory: Memory) -> tuple[Entry, ...]:
    file = memory.files.get(path)
    return file.entries if file is not None else ()


def _way(old: Entry) -> str:
    """The lawful way to change one's mind."""
    command = f"minutebook new {old.type} --supersedes {old.id}"
    return f"{RESTORE}it, and append a new entry with `Supersedes: {old.id}`: {command}"


def problem(at: Entry, message: str, fix: str, offset: int = 0, *, entry: str = "") -> Problem:
    """A problem at a line of an entry, counted from 0."""
    return Problem(at.path, at.line + offset, RULE, message, fix, entry or at.id)
