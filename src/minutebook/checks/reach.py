"""What a compaction took out of the live memory is still found, and still said."""

from __future__ import annotations

from minutebook.checks.accounted import RULE, SUMMARY, is_archived
from minutebook.ground.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from minutebook.checks.judgement import Case
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory import Memory


def out_of_reach(case: Case, base: Memory, whole: list[tuple[Entry, list[Entry]]]) -> Iterator[Problem]:
    """Whether the change that compacts loses more of what found the notes than it may."""
    live = {each.id: each for each in base.entries()}
    gone = [
        (entry, [each for each in notes if each.id in live and is_archived(case.result, each)])
        for entry, notes in whole
    ]
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
        fix = "minutebook compact, or leave the notes where they are"
        yield Problem(worst.path, 0, RULE, words, fix, worst.id)


def united_in_part(case: Case, base: Memory, entries: Mapping[str, Entry]) -> Iterator[Problem]:
    """Entries that stand for one that this change archives, and don't say all that it says."""
    live = {each.id for each in base.entries()}
    moved = {each.id for each in case.changed_entries() if each.id in live and is_archived(case.result, each)}
    for entry in entries.values() if moved else ():
        if entry.type == SUMMARY or is_archived(case.result, entry) or "derived_from" not in entry.text:
            continue
        from minutebook.compact.uniting import unsaid

        for name in entry.ids("derived_from"):
            other = entries.get(name)
            if other is None or name not in moved or other.type != entry.type:
                continue
            if words := unsaid(other, entry):
                message = f"it took the place of {name:.128}, and doesn't say: {words:.120}"
                fix = "say it, or leave the other where it was"
                yield Problem(entry.path, entry.line_of("relations"), RULE, message, fix, entry.id)
