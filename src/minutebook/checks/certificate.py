"""What a compaction left out is accounted for, claim by claim."""

from __future__ import annotations

from minutebook.ground.entry import decode
from minutebook.ground.problem import Problem
from minutebook.ground.uris import ARCHIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from minutebook.checks.judgement import Case
    from minutebook.compact.ledger import Ledger
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory import Memory

    Entries = Mapping[str, Entry]

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
    original says as it stands (90 became 30, a `not` is gone, an id is another one, a claim was invented), or that
    stands under another heading (what was open became a decision); a detail with more left out than whole clauses on
    which nothing hangs; front matter that says more; a claim that the ledger doesn't account for, or its counts and
    its order; a ledger, or a summary, that was taken away while the notes lie in the archive. In the change that
    compacts, the questions that found the notes must find them or their summary: more than 2 in 100 may not be lost.
    An original that was expunged is left aside.

    Severity: error.
    """
    if case.base is not None and not any(_matters(case, path) for path in case.changed_paths):
        return
    entries = {entry.id: entry for entry in case.result.entries(archived=True)}
    before = {entry.id: entry for entry in case.base.entries(archived=True)} if case.base is not None else {}
    named = set[str]()
    whole: list[tuple[Entry, list[Entry]]] = []
    for entry in list(entries.values()):
        if entry.type == _TYPE and _FIELD in entry.text and entry.fields.get(_FIELD):
            named.add(case.result.outer(str(entry.fields[_FIELD])))
            if _is_judged(case, entry, entries):
                problems = list(_judged(case, entry, entries, before))
                yield from problems
                whole += [] if problems else [(entry, [entries[name] for name in entry.ids("derived_from")])]
    yield from _taken_away(case, entries, named)
    yield from _summaries_gone(case, entries, before)
    if case.base is not None:
        yield from _out_of_reach(case, case.base, whole)
        yield from _united_in_part(case, case.base, entries)


def _matters(case: Case, path: str) -> bool:
    inner = case.result.inner(path)
    mtype = case.result.type_at(path)
    return inner.startswith(ARCHIVE) or (mtype is not None and mtype.name == _TYPE)


def _is_judged(case: Case, entry: Entry, entries: Entries) -> bool:
    places = [entry.path, case.result.outer(str(entry.fields[_FIELD]))]
    places += [entries[name].path for name in entry.ids("derived_from") if name in entries]
    return any(name not in entries for name in entry.ids("derived_from")) or any(map(case.is_changed, places))


def _judged(case: Case, entry: Entry, entries: Entries, before: Entries) -> Iterator[Problem]:
    from minutebook.compact.certificate import certify
    from minutebook.compact.front import front_faults
    from minutebook.compact.ledger import read_ledger, unaccounted
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
    yield from _changed_originals(entry, ledger, entries, before)
    if any(name not in entries for name in names) or set(names) != ledger.originals.keys():
        if set(names) != ledger.originals.keys():
            words = "`derived_from` names other originals than its ledger"
            yield _problem(entry, entry.line_of("relations"), words, _REMAKE)
        return
    originals = [entries[name] for name in names]
    expunged = {at for at, each in enumerate(originals, 1) if read_tombstone(each) is not None}
    found = certify(originals, entry, expunged)
    kinds = {case.result.type_of(each).title for each in originals}
    faults = [*found.faults, *(front_faults(originals, entry, kinds) if not expunged else ())]
    faults = faults or list(unaccounted(ledger, originals, entry, found, expunged))
    for fault in faults[:_MOST]:
        yield _problem(entry, fault.line, fault.message, _REMAKE)


def _changed_originals(entry: Entry, ledger: Ledger, entries: Entries, before: Entries) -> Iterator[Problem]:
    """The originals that aren't what was compacted: by the ledger, and by what was there before the change."""
    from minutebook.compact.ledger import hash_of
    from minutebook.ground.tombstone import read_tombstone

    for name, digest in ledger.originals.items():
        original = entries.get(name)
        if original is None:
            yield _problem(
                entry, 0, f"its original {name:.128} is in no archive", "git log --all -- the note; put it back"
            )
        elif read_tombstone(original) is None:
            moved = before.get(name)
            if hash_of(original) != digest or (moved is not None and moved.text != original.text):
                words = f"its original {name:.128} isn't what was compacted, byte for byte"
                yield _problem(entry, 0, words, f"put the text back that {original.path} was moved with")


def _out_of_reach(case: Case, base: Memory, whole: list[tuple[Entry, list[Entry]]]) -> Iterator[Problem]:
    """Whether the change that compacts loses more of what found the notes than it may."""
    live = {each.id: each for each in base.entries()}
    gone = [(entry, [each for each in notes if each.id in live and _is_archived(case, each)]) for entry, notes in whole]
    gone = [(entry, notes) for entry, notes in gone if notes]
    if not gone:
        return
    from minutebook.compact.recall import Recall, corpus, ranked, recall, sought

    known = corpus(base)
    then, now = sought(base, lambda _: ranked(known)), sought(case.result)
    each = [(entry, recall([live[note.id] for note in notes], known, then, now, entry.id)) for entry, notes in gone]
    total = Recall()
    for _, found in each:
        total = total.and_of(found)
    if total.lost:
        worst = max(each, key=lambda pair: pair[1].before - pair[1].after)[0]
        words = (
            f"of {total.asked} questions {total.before} found the notes that are archived, and {total.after} still do"
        )
        yield _problem(worst, 0, words, "minutebook compact, or leave the notes where they are")


def _united_in_part(case: Case, base: Memory, entries: Entries) -> Iterator[Problem]:
    """Entries that took the place of one that this change archives, and don't say all that it says."""
    live = {each.id for each in base.entries()}
    for entry in case.changed_entries():
        if entry.type == _TYPE or _is_archived(case, entry) or "derived_from" not in entry.text:
            continue
        from minutebook.compact.uniting import unsaid

        for name in entry.ids("derived_from"):
            other = entries.get(name)
            if other is None or name not in live or other.type != entry.type or not _is_archived(case, other):
                continue
            if words := unsaid(other, entry):
                message = f"it took the place of {name:.128}, and doesn't say: {words:.120}"
                yield _problem(entry, entry.line_of("relations"), message, "say it, or leave the other where it was")


def _summaries_gone(case: Case, entries: Entries, before: Entries) -> Iterator[Problem]:
    """Summaries that stood for archived notes, and that no other one of the same notes took the place of."""
    summaries = [each for each in entries.values() if each.type == _TYPE]
    for old in before.values():
        if old.type != _TYPE or old.id in entries or not old.fields.get(_FIELD):
            continue
        left = {name for name in old.ids("derived_from") if name in entries and _is_archived(case, entries[name])}
        left -= {name for each in summaries for name in each.ids("derived_from")} if left else set()
        if left:
            words = f"the summary {old.id:.128} is gone, and {min(left):.128} lies in the archive"
            yield Problem(old.path, 0, "certificate", words, "put it back, or the notes where they were", old.id)


def _is_archived(case: Case, entry: Entry) -> bool:
    return case.result.inner(entry.path).startswith(ARCHIVE)


def _taken_away(case: Case, entries: Entries, named: set[str]) -> Iterator[Problem]:
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
        elif old is None and any(_is_archived(case, each) for each in sources):
            words = "it stands for notes that this change archives, and has no ledger"
            yield _problem(entry, entry.line_of("relations"), words, "minutebook compact writes one")


def _problem(entry: Entry, line: int, message: str, fix: str) -> Problem:
    return Problem(entry.path, line, "certificate", message, fix, entry.id)
