"""What a compaction left out is accounted for, claim by claim; what left the live memory, entry by entry."""

from __future__ import annotations

from minutebook.checks import accounted
from minutebook.checks.accounted import LEDGER, RULE, SUMMARY, by_id, is_archived, is_certified
from minutebook.checks.originals import lines_of_expunged, originals_of, still_to_judge, tombstones
from minutebook.checks.reach import out_of_reach, united_in_part
from minutebook.ground.entry import decode
from minutebook.ground.problem import Problem
from minutebook.ground.tombstone import read_tombstone
from minutebook.ground.uris import ARCHIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from minutebook.checks.judgement import Case
    from minutebook.compact.ledger import Ledger
    from minutebook.compact.lines import Fault
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory import Memory

    Entries = Mapping[str, Entry]

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

    What lies in the archive is accounted for: a summary with a ledger stands for it that no other entry hides, or an
    entry of its own type that says all of it, or it says itself that it no longer holds. What a merge or a hand put
    there with nothing to stand for it is refused, and so is an archived original that is gone. An original that was
    expunged, by the hash that its ledger names, is left aside, and its summary says no more of it than before.

    A note that isn't in the archive may be edited, and deleted: no promise is made of what is no append-only type. When
    something that binds goes in that way, by `git rm` or by an edit on the way to the archive, a warning quotes it.

    Severity: error. A warning: what binds was deleted, or edited away; an original was expunged.
    """
    gone = accounted.left(case)
    if case.base is not None and not gone and not any(_matters(case, path) for path in case.changed_paths):
        return
    entries, before = by_id(case.result), by_id(case.base) if case.base is not None else {}
    told, digests = set[str](), dict[str, str]()
    whole: list[tuple[Entry, list[Entry]]] = []
    summaries = [entry for entry in entries.values() if is_certified(entry)]
    for entry in summaries:
        if not _is_judged(case, entry, entries):
            continue
        problems = list(_judged(case, entry, entries, before, digests))
        yield from problems
        told.update(name for name in entry.ids("derived_from") if name not in entries)
        if not any(problem.severity == "error" for problem in problems):
            whole.append((entry, [entries[name] for name in entry.ids("derived_from")]))
    for problem, names in (*_taken_away(case, entries, summaries), *_summaries_gone(case, entries, before)):
        yield problem
        told.update(names)
    yield from accounted.unaccounted_for(case, told)
    if case.base is not None:
        yield from accounted.vanished(case, case.base, [each for each in gone if each.id not in entries], told)
        yield from accounted.deleted(case, case.base, [each for each in gone if each.id not in entries])
        yield from tombstones(case, before, digests)
        yield from out_of_reach(case, case.base, whole)
        yield from united_in_part(case, case.base, entries)


def _matters(case: Case, path: str) -> bool:
    """Whether the path is one of the archive, of a summary by the types of either side (a change of one makes
    summaries strangers where they lie), or of an entry that says it supersedes something."""
    if case.result.inner(path).startswith(ARCHIVE) or any(_is_of_summaries(side, path) for side in _sides(case)):
        return True
    file = case.result.files.get(path)
    return file is not None and SUMMARY in file.text and "supersede" in file.text.casefold()


def _sides(case: Case) -> tuple[Memory, ...]:
    return (case.result,) if case.base is None else (case.result, case.base)


def _is_of_summaries(side: Memory, path: str) -> bool:
    mtype = side.type_at(path)
    return mtype is not None and mtype.name == SUMMARY


def _is_judged(case: Case, entry: Entry, entries: Entries) -> bool:
    places = [entry.path, case.result.outer(str(entry.fields[LEDGER]))]
    places += [entries[name].path for name in entry.ids("derived_from") if name in entries]
    return any(name not in entries for name in entry.ids("derived_from")) or any(map(case.is_changed, places))


def _judged(case: Case, entry: Entry, entries: Entries, before: Entries, digests: dict[str, str]) -> Iterator[Problem]:
    """What is wrong with a summary; what its ledger says of its originals' texts is put into `digests`."""
    from minutebook.compact.ledger import read_ledger

    place = case.result.outer(str(entry.fields[LEDGER]))
    file = case.tree.get(place)
    if file is None:
        yield _problem(entry, entry.line_of(LEDGER), f"its ledger {place} is gone", _REMAKE)
        return
    ledger = read_ledger(decode(file.data))
    if ledger is None:
        yield Problem(place, 0, RULE, "this is no ledger of a compaction", _REMAKE, entry.id)
        return
    digests.update(ledger.originals)
    names = entry.ids("derived_from")
    yield from originals_of(case, entry, ledger, entries, before)
    if set(names) != ledger.originals.keys():
        words = "`derived_from` names other originals than its ledger"
        yield _problem(entry, entry.line_of("relations"), words, _REMAKE)
        return
    originals = [entries[name] for name in names if name in entries]
    if len(originals) == len(names) and still_to_judge(ledger, originals, case):
        for fault in _faults(case, entry, ledger, originals, before)[:_MOST]:
            yield _problem(entry, fault.line, fault.message, _REMAKE)


def _faults(case: Case, entry: Entry, ledger: Ledger, originals: Sequence[Entry], before: Entries) -> Sequence[Fault]:
    from minutebook.compact.certificate import certify
    from minutebook.compact.front import front_faults
    from minutebook.compact.ledger import unaccounted
    from minutebook.compact.lines import Fault

    expunged = {at for at, each in enumerate(originals, 1) if read_tombstone(each) is not None}
    found = certify(originals, entry, expunged)
    kinds = {case.result.type_of(each).title for each in originals}
    faults = list(found.faults)
    if not expunged or (case.base is not None and _front(entry) != _front(before.get(entry.id))):
        faults += front_faults(originals, entry, kinds)
    if expunged and case.base is not None:
        faults += (Fault(*each) for each in lines_of_expunged(entry, originals, expunged, before))
    return faults or list(unaccounted(ledger, originals, entry, found, expunged))


def _front(entry: Entry | None) -> str:
    return entry.text.partition("\n---\n")[0] if entry is not None else ""


def _summaries_gone(case: Case, entries: Entries, before: Entries) -> Iterator[tuple[Problem, Collection[str]]]:
    """Summaries that stood for archived notes, and that no other one of the same notes took the place of; with the
    notes."""
    for old in before.values():
        if old.id in entries or not is_certified(old):
            continue
        left = {name for name in old.ids("derived_from") if name in entries and is_archived(case.result, entries[name])}
        summaries = (each for each in entries.values() if each.type == SUMMARY) if left else ()
        left -= {name for each in summaries for name in each.ids("derived_from")}
        if left:
            words = f"the summary {old.id:.128} is gone, and {min(left):.128} lies in the archive"
            fix = f"put it back, or the notes where they were: minutebook expand {min(left):.128} --back"
            yield Problem(old.path, 0, RULE, words, fix, old.id), left


def _taken_away(case: Case, entries: Entries, summaries: Sequence[Entry]) -> Iterator[tuple[Problem, Collection[str]]]:
    """Ledgers that no summary names, and summaries that should have one and don't; with the notes that these name."""
    named = {case.result.outer(str(each.fields[LEDGER])) for each in summaries}
    for path in sorted(case.tree if case.base is None else case.changed_paths):
        if path.startswith(case.result.outer(_LEDGERS)) and path in case.tree and path not in named:
            yield Problem(path, 0, RULE, "no summary names this ledger", _REMAKE), ()
    if case.base is None:
        return
    live = {each.id for each in case.base.entries()}
    olds = {each.id: each for each in case.base.entries(archived=True) if each.type == SUMMARY}
    for entry in entries.values():
        if entry.type != SUMMARY or entry.path not in case.changed_paths or entry.fields.get(LEDGER):
            continue
        old, names = olds.get(entry.id), entry.ids("derived_from")
        archived = [name for name in names if name in entries and is_archived(case.result, entries[name])]
        if old is not None and old.fields.get(LEDGER):
            yield _problem(entry, entry.line, "its ledger was taken away", _REMAKE), names
        elif old is None and any(name in live for name in archived):
            words = "it stands for notes that this change archives, and has no ledger"
            yield _problem(entry, entry.line_of("relations"), words, "minutebook compact writes one"), names


def _problem(entry: Entry, line: int, message: str, fix: str) -> Problem:
    return Problem(entry.path, line, RULE, message, fix, entry.id)
