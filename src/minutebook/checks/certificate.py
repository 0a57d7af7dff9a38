"""What a compaction left out is accounted for, claim by claim."""

from __future__ import annotations

from minutebook.ground.entry import decode
from minutebook.ground.problem import Problem
from minutebook.ground.uris import ARCHIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from minutebook.checks.judgement import Case
    from minutebook.compact.certificate import Ledger
    from minutebook.ground.entry import Entry

_TYPE = "summary"
_FIELD = "ledger"
_LEDGERS = "archive/ledgers/"
_MOST = 20
_REMAKE = "take the summary as it was compacted: git checkout, or minutebook restore"


def certificate(case: Case) -> Iterator[Problem]:
    """A summary made by compaction carries what binds in its originals, and its ledger accounts for the rest.

    The ledger (`ledger:` in the summary, a file beneath `archive/ledgers/`) is made again from the originals in the
    archive and from the summary, without a model. Refused are: an original that isn't what was compacted, byte for
    byte; a decision, a constraint, an open question, a negation or a modal that no line carries; a line that no
    original says as it stands (90 became 30, a `not` is gone, an id is another one, a claim was invented); a claim that
    the ledger doesn't account for; and a ledger that was taken away. In the change that compacts, the questions that
    found the notes must find them or their summary: more than 2 in 100 may not be lost. An original that was expunged
    is left aside.

    Severity: error.
    """
    if case.base is not None and not any(_matters(case, path) for path in case.changed_paths):
        return
    entries = {entry.id: entry for entry in case.result.entries(archived=True)}
    named = set[str]()
    for entry in list(entries.values()):
        if entry.type == _TYPE and _FIELD in entry.text and entry.fields.get(_FIELD):
            named.add(case.result.outer(str(entry.fields[_FIELD])))
            if _is_judged(case, entry, entries):
                yield from _judged(case, entry, entries)
    yield from _taken_away(case, entries, named)


def _matters(case: Case, path: str) -> bool:
    inner = case.result.inner(path)
    mtype = case.result.type_at(path)
    return inner.startswith(ARCHIVE) or (mtype is not None and mtype.name == _TYPE)


def _is_judged(case: Case, entry: Entry, entries: Mapping[str, Entry]) -> bool:
    places = [entry.path, case.result.outer(str(entry.fields[_FIELD]))]
    places += [entries[name].path for name in entry.ids("derived_from") if name in entries]
    return any(name not in entries for name in entry.ids("derived_from")) or any(map(case.is_changed, places))


def _judged(case: Case, entry: Entry, entries: Mapping[str, Entry]) -> Iterator[Problem]:
    from minutebook.compact.certificate import abstract_faults, certify, read_ledger, unaccounted
    from minutebook.ground.tombstone import read_tombstone

    place = case.result.outer(str(entry.fields[_FIELD]))
    file = case.tree.get(place)
    if file is None:
        yield _problem(entry, entry.line_of(_FIELD), f"its ledger {place} is gone", _REMAKE)
        return
    ledger = read_ledger(decode(file.data))
    if ledger is None:
        yield Problem(place, 0, "certificate", "this is no ledger of a compaction", _REMAKE, entry.id)
        return
    names = entry.ids("derived_from")
    yield from _changed_originals(case, entry, ledger, entries)
    if any(name not in entries for name in names) or set(names) != ledger.originals.keys():
        if set(names) != ledger.originals.keys():
            words = "`derived_from` names other originals than its ledger"
            yield _problem(entry, entry.line_of("relations"), words, _REMAKE)
        return
    originals = [entries[name] for name in names]
    if any(read_tombstone(each) is not None for each in originals):
        return
    found = certify(originals, entry)
    faults = [*found.faults, *abstract_faults(originals, entry)] or list(unaccounted(ledger, found))
    for fault in faults[:_MOST]:
        yield _problem(entry, fault.line, fault.message, _REMAKE)
    if not faults:
        yield from _out_of_reach(case, entry, originals)


def _changed_originals(case: Case, entry: Entry, ledger: Ledger, entries: Mapping[str, Entry]) -> Iterator[Problem]:
    """The originals that aren't what was compacted: by the ledger, and by what was there before the change."""
    from minutebook.compact.certificate import hash_of
    from minutebook.ground.tombstone import read_tombstone

    before = {each.id: each for each in case.base.entries()} if case.base is not None else {}
    for name, digest in ledger.originals.items():
        original = entries.get(name)
        if original is None:
            yield _problem(
                entry, 0, f"its original {name:.128} is in no archive", "git log --all -- the note; put it back"
            )
        elif read_tombstone(original) is None:
            moved = before.get(name)
            if hash_of(original) != digest or (moved is not None and hash_of(moved) != digest):
                words = f"its original {name:.128} isn't what was compacted, byte for byte"
                yield _problem(entry, 0, words, f"put the text back that {original.path} was moved with")


def _out_of_reach(case: Case, entry: Entry, originals: list[Entry]) -> Iterator[Problem]:
    """Whether the change that compacts loses more of what found the notes than it may."""
    live = {each.id for each in case.base.entries()} if case.base is not None else set()
    moved = [each for each in originals if each.id in live and case.result.inner(each.path).startswith(ARCHIVE)]
    if not moved or case.base is None:
        return
    from minutebook.compact.recall import corpus, recall

    notes = [each for each in case.base.entries() if each.id in {one.id for one in moved}]
    found = recall(notes, corpus(case.base), corpus(case.result), entry.id, case.result.config.budget)
    if found.lost:
        words = f"of {found.asked} questions {found.before} found its originals, and {found.after} still do"
        yield _problem(entry, 0, words, "minutebook compact, or leave the notes where they are")


def _taken_away(case: Case, entries: Mapping[str, Entry], named: set[str]) -> Iterator[Problem]:
    """Ledgers that no summary names, and summaries that should have one and don't."""
    for path in sorted(case.tree if case.base is None else case.changed_paths):
        if path.startswith(case.result.outer(_LEDGERS)) and path in case.tree and path not in named:
            yield Problem(path, 0, "certificate", "no summary names this ledger", _REMAKE)
    if case.base is None:
        return
    live = {each.id for each in case.base.entries()}
    olds = {each.id: each for each in case.base.entries(archived=True) if each.type == _TYPE}
    for entry in entries.values():
        if entry.type != _TYPE or entry.path not in case.changed_paths or entry.fields.get(_FIELD):
            continue
        old = olds.get(entry.id)
        sources = [entries[name] for name in entry.ids("derived_from") if name in entries and name in live]
        if old is not None and old.fields.get(_FIELD):
            yield _problem(entry, entry.line, "its ledger was taken away", _REMAKE)
        elif old is None and any(case.result.inner(each.path).startswith(ARCHIVE) for each in sources):
            words = "it stands for notes that this change archives, and has no ledger"
            yield _problem(entry, entry.line_of("relations"), words, "minutebook compact writes one")


def _problem(entry: Entry, line: int, message: str, fix: str) -> Problem:
    return Problem(entry.path, line, "certificate", message, fix, entry.id)
