"""What the sides of a merge hold is in the result, in order, and says what it said."""

from __future__ import annotations

from minutebook.checks.kept import changes, gone
from minutebook.checks.log_order import displaced
from minutebook.checks.pairing import but_for_its_id, paired, promised_files
from minutebook.checks.parts import sealed_text
from minutebook.checks.sealed import survives
from minutebook.ground.frozen import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from minutebook.checks.judgement import Case
    from minutebook.checks.pairing import Pairing
    from minutebook.ground.entry import Entry
    from minutebook.ground.memory import Memory
    from minutebook.ground.problem import Problem


def merged(case: Case) -> Iterator[Problem]:
    """Every side of the merge under judgement against the result; nothing when none is.

    An entry that another side holds in other words may say what both say. Where two sides gave one id to different
    entries, one of these may have got an id of its own, and that side's references to it follow.
    """
    for parent in case.parents:
        others = tuple(other for other in case.parents if other is not parent)
        pairing = paired(parent, case.kept)
        pairing = _without(pairing, _settled_elsewhere(pairing, others, case.forks))
        by_text = {key: entry.id for entry in pairing.new for key in but_for_its_id(entry)}
        olds = ((old.id, key) for old, _ in pairing.kept for key in but_for_its_id(old))
        renumbered = {name: by_text[key] for name, key in olds if key in by_text}

        def lawful(
            old: Entry, new: Entry, others: tuple[Memory, ...] = others, renumbered: dict[str, str] = renumbered
        ) -> bool:
            said = {sealed_text(entry.text) for entry in _named(old.id, others)} - {sealed_text(old.text)}
            if said and (old.id in renumbered or survives(old, new, case.kept.types[old.type])):
                return True
            text = old.text
            for name, other in renumbered.items():
                text = text.replace(name, other)
            return sealed_text(text) == sealed_text(new.text)

        published = (case.base,) if case.base is not None else ()
        yield from gone(parent, case.kept, pairing)
        yield from changes(pairing, case, parent, lawful, (*published, *others, *case.forks))
        yield from displaced(pairing, parent)


def _settled_elsewhere(pairing: Pairing, others: Iterable[Memory], forks: Iterable[Memory]) -> frozenset[str]:
    """The ids of entries that this side left alone since the sides parted, and another side didn't: what becomes of
    those is between that side and what is published."""
    mine = {old.id: old for old in (*(old for old, _ in pairing.kept), *pairing.gone)}
    texts = {name: sealed_text(old.text) for name, old in mine.items()}

    def held(memory: Memory) -> dict[str, str]:
        files = promised_files(memory)
        return {each.id: sealed_text(each.text) for file in files for each in file.entries if each.id in mine}

    before, theirs = [held(fork) for fork in forks], [held(other) for other in others]
    left = {name for name, text in texts.items() if before and all(fork.get(name) == text for fork in before)}
    return frozenset(name for name in left if any(other.get(name) != texts[name] for other in theirs))


def _without(pairing: Pairing, names: frozenset[str]) -> Pairing:
    kept = tuple((old, new) for old, new in pairing.kept if old.id not in names)
    return replace(pairing, kept=kept, gone=tuple(old for old in pairing.gone if old.id not in names))


def _named(name: str, memories: Iterable[Memory]) -> Iterator[Entry]:
    return (entry for memory in memories for entry in memory.entries(archived=True) if entry.id == name)
