"""The originals of a summary: byte for byte what was compacted, or a tombstone that says what stood there."""

from __future__ import annotations

from minutebook.checks.accounted import RULE, is_archived, no_longer_said
from minutebook.checks.expunged import repeats
from minutebook.checks.parts import sealed_hash
from minutebook.ground.problem import Problem
from minutebook.ground.tombstone import read_tombstone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from minutebook.checks.judgement import Case
    from minutebook.compact.ledger import Ledger
    from minutebook.ground.entry import Entry
    from minutebook.ground.tombstone import Tombstone

    Entries = Mapping[str, Entry]


def originals_of(case: Case, entry: Entry, ledger: Ledger, entries: Entries, before: Entries) -> Iterator[Problem]:
    """What is wrong with the originals of a summary: by its ledger, and by what stood there before the change.

    A note may have been edited before it was compacted in the same change: then the archive holds the text that it
    had last. What lay in the archive before stays to the byte.
    """
    from minutebook.compact.ledger import hash_of

    back = f"minutebook expand {entry.id} --back, and compact again"
    for name, digest in ledger.originals.items():
        original, old = entries.get(name), before.get(name)
        if original is None:
            yield _problem(
                entry, f"its original {name:.128} is in no archive", "git log --all -- the note; put it back"
            )
        elif (stone := read_tombstone(original)) is not None:
            if stone.sha256 != digest:
                words = f"the tombstone of {name:.128} names another text than the one that was compacted"
                yield _problem(entry, words, f"put the text back, then minutebook expunge {name:.128} --reason …")
        elif not is_archived(case.result, original):
            if hash_of(original) != digest:
                words = f"its original {name:.128} is live again and says something else"
                yield _problem(entry, words, back)
        elif hash_of(original) != digest or _was_touched(case, original, old):
            words = f"its original {name:.128} isn't what was compacted, byte for byte"
            yield _problem(entry, words, f"put the text back that {original.path} was moved with, or {back}")
        elif old is not None:
            yield from no_longer_said(old, original, "before it went to the archive")


def _was_touched(case: Case, original: Entry, old: Entry | None) -> bool:
    """Whether it lay in the archive before the change already, and with another text."""
    return old is not None and case.base is not None and old.text != original.text and is_archived(case.base, old)


def still_to_judge(ledger: Ledger, originals: Sequence[Entry], case: Case) -> bool:
    """Whether the summary can be held against its originals: not when one is live again and was edited since."""
    from minutebook.compact.ledger import hash_of

    return all(is_archived(case.result, each) or hash_of(each) == ledger.originals[each.id] for each in originals)


def lines_of_expunged(
    summary: Entry, originals: Sequence[Entry], expunged: Collection[int], before: Entries
) -> Iterator[tuple[int, str]]:
    """(line, message) of what a summary says of originals that were expunged, and didn't say before the change:
    nobody can tell any more whether they said so."""
    from minutebook.compact.lines import ORIGINALS, read_summary, title_in_line

    old = before.get(summary.id)
    known = set[tuple[str, str, str]]()
    if old is not None:
        names = old.ids("derived_from")
        titles = [title_in_line(before[name]) if name in before else "" for name in names]
        for line in read_summary(old, titles)[0]:
            known.update((line.section, line.text, names[at - 1]) for at in line.of if 1 <= at <= len(names))
    for line in read_summary(summary, list(map(title_in_line, originals)))[0]:
        for at in (at for at in line.of if at in expunged):
            each = originals[at - 1]
            own = line.section == ORIGINALS and line.text == title_in_line(each) and not line.terms
            if not own and (line.section, line.text, each.id) not in known:
                yield line.number, f"original {at} was expunged, and nothing tells that it said so: {line.text:.80}"


def tombstones(case: Case, before: Entries, digests: Mapping[str, str]) -> Iterator[Problem]:
    """Tombstones that this change puts in place of an entry outside of append-only types: lawful when they name the
    text that stood there, and said loudly. `digests` are those of the ledgers, by id: what was compacted in the same
    change stood there last."""
    for entry in case.changed_entries():
        old = before.get(entry.id)
        if old is None or old.text == entry.text or case.kept.types[entry.type].append_only:
            continue
        stone = read_tombstone(entry)
        if read_tombstone(old) is not None:
            words = f"{entry.id} was expunged, and its tombstone was changed: it stays as it is"
            yield _problem(entry, words, "put the tombstone back as it was")
        elif stone is not None:
            last = "" if case.base is None or is_archived(case.base, old) else digests.get(entry.id, "")
            yield _said_of(entry, old, stone, last)


def _said_of(entry: Entry, old: Entry, stone: Tombstone, last: str) -> Problem:
    from minutebook.compact.ledger import hash_of

    if stone.sha256 not in (hash_of(old), sealed_hash(old.text), last):
        words = f"the tombstone of {entry.id} names another text than the one that stood there"
        return _problem(entry, words, f"put the text back, then minutebook expunge {entry.id} --reason …")
    if repeats(stone.reason, [old.text], old.id):
        words = f"{entry.id}: the reason in its tombstone repeats what it takes away"
        return _problem(entry, words, "give the reason in words of your own")
    words = f"{entry.id} was expunged by {stone.who} on {stone.day} ({stone.reason}); git's history still holds it"
    fix = f"minutebook expunge {entry.id}    # says where, and how to purge it"
    return Problem(entry.path, entry.line, RULE, words, fix, entry.id, "warning")


def _problem(entry: Entry, message: str, fix: str) -> Problem:
    return Problem(entry.path, 0, RULE, message, fix, entry.id)
