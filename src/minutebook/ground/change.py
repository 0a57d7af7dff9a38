"""What differs and why: what git saw, and what minutebook means to write. One noun for both."""

from __future__ import annotations

from minutebook.ground.frozen import EMPTY, frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
else:
    Mapping = dict

REGULAR, EXECUTABLE, LINK, SUBMODULE = "100644", "100755", "120000", "160000"


@frozen
class File:
    """The bytes of a file and its git mode: REGULAR, EXECUTABLE, LINK or SUBMODULE."""

    data: bytes
    mode: str = REGULAR

    @property
    def is_regular(self) -> bool:
        """Whether it is a file with bytes of its own, executable or not."""
        return self.mode in (REGULAR, EXECUTABLE)


Tree = Mapping[str, File]
"""Files by path from the top of the repository, with `/` as separator."""


@frozen
class Evidence:
    """Words that back an entry: verbatim, from a turn of a session. `sha256` is of the record as redacted."""

    session: str
    turn: int
    role: str
    quote: str
    sha256: str
    at: str = ""
    extractor: str = ""


@frozen
class Proposal:
    """What happens to one entry.

    `verb` is create, append, supersede, merge or replace (something was learned), edit (a mark or a mended anchor),
    compact (a summary is written), archive (it leaves the live files) or note (what was read of a session).
    `candidate` is the id of the candidate that it comes from, `why` what made the extractor propose it, `supersedes`
    the ids of the entries whose place it takes.
    """

    verb: str
    type: str
    id: str
    title: str
    reason: str
    text: str = ""
    evidence: tuple[Evidence, ...] = ()
    tokens_before: int = 0
    tokens_after: int = 0
    candidate: str = ""
    why: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()


@frozen
class Change:
    """One file before and after; None is no file. `entries` says what that means for the entries in it."""

    path: str
    old: File | None
    new: File | None
    why: str = ""
    entries: tuple[Proposal, ...] = ()


@frozen
class Refusal:
    """What was not done, and why. `reason` is a sentence; `what` names a candidate, an entry or a file; `type` is the
    type that a candidate would have had, where that is known: it says whose space the words belong in.

    `kind` is refused, quarantine (nothing that a person said carries it, or it is dangerous: written only when
    somebody asks for it by its id), rejected (a person rejected it before) or question (it contradicts an entry, and a
    person has to say which holds). `id` is the candidate's.
    """

    what: str
    reason: str
    quote: str = ""
    type: str = ""
    kind: str = "refused"
    id: str = ""


@frozen
class Plan:
    """Everything that is to be written, all or nothing, with what was refused and the figures."""

    changes: tuple[Change, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    notes: tuple[str, ...] = ()
    figures: Mapping[str, int] = EMPTY


def digest(file: File | None) -> str:
    """Hex sha256 of the bytes; "" when there is no file."""
    from hashlib import sha256

    return sha256(file.data).hexdigest() if file is not None else ""


def changes_between(old: Tree, new: Tree, why: str = "") -> tuple[Change, ...]:
    """The files that differ, by path."""
    paths = sorted({*old, *new})
    return tuple(Change(path, old.get(path), new.get(path), why) for path in paths if old.get(path) != new.get(path))


def with_changes(tree: Tree, changes: tuple[Change, ...]) -> dict[str, File]:
    """The tree after the changes."""
    after = dict(tree)
    for change in changes:
        if change.new is None:
            after.pop(change.path, None)
        else:
            after[change.path] = change.new
    return after


def joined(first: Plan, second: Plan) -> Plan:
    """One plan that does `first`, then `second` (which was planned on what `first` leaves)."""
    merged: dict[str, Change] = {change.path: change for change in first.changes}
    for change in second.changes:
        before = merged.get(change.path)
        if before is not None:
            why = "; ".join(dict.fromkeys(filter(None, (before.why, change.why))))
            change = Change(change.path, before.old, change.new, why, before.entries + change.entries)
        merged[change.path] = change
    figures = dict(first.figures)
    for name, value in second.figures.items():
        figures[name] = figures.get(name, 0) + value
    kept = tuple(merged[path] for path in sorted(merged) if merged[path].old != merged[path].new)
    return Plan(kept, first.refusals + second.refusals, first.notes + second.notes, figures)
