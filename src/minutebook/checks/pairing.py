"""Which entry of the base is which entry of the result."""

from __future__ import annotations

import re
from collections import defaultdict

from minutebook.checks.parts import sealed_text
from minutebook.ground.frozen import EMPTY, frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from minutebook.ground.entry import Entry, MemoryFile
    from minutebook.ground.memory import Memory

    Entries = Sequence[Entry]


@frozen
class Pairing:
    """`kept` are (old, new); `gone` has no counterpart in the result, `new` none in the base; `twice` are
    (a second copy in the result, the entry that it repeats). What is the same in both is left out: whole files, and
    the entries at a file's beginning and end up to the first that differs."""

    kept: tuple[tuple[Entry, Entry], ...]
    gone: tuple[Entry, ...]
    new: tuple[Entry, ...]
    twice: tuple[tuple[Entry, Entry], ...]


def paired(base: Memory, result: Memory, ends: Mapping[str, tuple[int, int]] = EMPTY) -> Pairing:
    """Pair the entries of the append-only types by id, the unchanged ones first. Both are read with the same types;
    `ends` is what `same_ends` says of files, where that is known already."""
    olds, news, fixed = _apart(base, result, ends)
    kept: list[tuple[Entry, Entry]] = []
    gone: list[Entry] = []
    for name, entries in olds.items():
        found, lost = _matched(entries, news.get(name, []))
        copies = [*(new for _, new in found), *([fixed[name]] if name in fixed else [])]
        kept += found
        # The base may hold an entry twice, from before it was checked: dropping a copy loses nothing.
        gone += [old for old in lost if not any(_equal(old, copy) for copy in copies)]
    rest = [entry for entries in news.values() for entry in entries]
    kept, gone, rest = _renamed(kept, gone, rest)
    held = {old.id: new for old, new in kept} | fixed
    twice = tuple((entry, held[entry.id]) for entry in rest if entry.id in held)
    return Pairing(tuple(kept), tuple(gone), tuple(entry for entry in rest if entry.id not in held), twice)


def promised_files(memory: Memory) -> Iterator[MemoryFile]:
    """The files of the append-only types, archive included."""
    return (file for file in memory.files.values() if memory.types[file.type].append_only)


def _apart(
    base: Memory, result: Memory, ends: Mapping[str, tuple[int, int]]
) -> tuple[dict[str, list[Entry]], dict[str, list[Entry]], dict[str, Entry]]:
    """By id what differs in the base, what differs in the result, and what is the same in both."""
    olds: dict[str, list[Entry]] = defaultdict(list)
    news: dict[str, list[Entry]] = defaultdict(list)
    fixed: dict[str, Entry] = {}
    for file in promised_files(base):
        mine, other = file.entries, result.files.get(file.path)
        theirs: Entries = other.entries if other is not None and other.type == file.type else ()
        if other is not None and other.type == file.type and other.text == file.text:
            start, end = len(mine), 0
        else:
            start, end = ends[file.path] if file.path in ends and theirs else same_ends(mine, theirs)
        fixed |= {entry.id: entry for entry in (*theirs[:start], *theirs[len(theirs) - end :])}
        for entry in mine[start : len(mine) - end]:
            olds[entry.id].append(entry)
        for entry in theirs[start : len(theirs) - end]:
            news[entry.id].append(entry)
    for file in promised_files(result):
        other = base.files.get(file.path)
        for entry in file.entries if other is None or other.type != file.type else ():
            news[entry.id].append(entry)
    return olds, news, fixed


def same_ends(mine: Entries, theirs: Entries) -> tuple[int, int]:
    """How many entries are the same at the beginning, and how many of the rest at the end."""
    most = min(len(mine), len(theirs))
    start = 0
    while start < most and mine[start].text == theirs[start].text:
        start += 1
    end = 0
    while end < most - start and mine[-1 - end].text == theirs[-1 - end].text:
        end += 1
    return start, end


def _equal(old: Entry, new: Entry) -> bool:
    return old.type == new.type and (old.text == new.text or sealed_text(old.text) == sealed_text(new.text))


def _matched(olds: list[Entry], news: list[Entry]) -> tuple[list[tuple[Entry, Entry]], list[Entry]]:
    """Pair the entries of one id, best fit first; what is paired is taken out of `news`."""
    if len(olds) == 1 and len(news) == 1:
        return [(olds[0], news.pop())], []
    pairs: list[tuple[Entry, Entry]] = []
    left = list(olds)
    for fits in (
        lambda old, new: _equal(old, new) and old.path == new.path,
        _equal,
        lambda old, new: old.path == new.path,
        lambda old, new: True,
    ):
        for old in list(left):
            new = next((each for each in news if fits(old, each)), None)
            if new is not None:
                pairs.append((old, new))
                left.remove(old)
                news.remove(new)
    return pairs, left


def _renamed(
    kept: list[tuple[Entry, Entry]], gone: list[Entry], rest: list[Entry]
) -> tuple[list[tuple[Entry, Entry]], list[Entry], list[Entry]]:
    """An entry whose text is the same but for its id: the id was changed, or it is the name of a renamed file."""
    known = {key: entry for entry in rest for key in but_for_its_id(entry)} if gone else {}
    pairs = list(kept)
    lost = []
    taken = {id(new) for _, new in pairs}
    for old in gone:
        alike = (known[key] for key in but_for_its_id(old) if key in known)
        new = next((each for each in alike if id(each) not in taken), None)
        if new is not None:
            pairs.append((old, new))
            taken.add(id(new))
        else:
            lost.append(old)
    return pairs, lost, [entry for entry in rest if id(entry) not in taken]


def but_for_its_id(entry: Entry) -> tuple[tuple[str, str], ...]:
    """By what an entry is known when it has got another id, or its file another name."""
    named = entry.in_log or "id" in entry.fields
    return tuple((entry.type, text) for text in (unnamed(entry) if named else (sealed_text(entry.text),)))


def unnamed(entry: Entry) -> tuple[str, ...]:
    """What an entry says without its id: without the first mention, and without any, if it names itself again. Whoever
    gives it another id may change the other mentions too, or leave them."""
    text = sealed_text(entry.text)
    first = text.replace(entry.id, "", 1)
    if entry.id not in first:
        return (first,)
    return first, re.sub(rf"(?<![\w-]){re.escape(entry.id)}(?![\w-])", "", text)
