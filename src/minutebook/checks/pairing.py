"""Which entry of the base is which entry of the result."""

from collections import defaultdict
from collections.abc import Iterator

from minutebook.checks.parts import sealed_text
from minutebook.ground.entry import Entry, MemoryFile
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import Memory


@frozen
class Pairing:
    """`kept` are (old, new); `gone` has no counterpart in the result, `new` none in the base; `twice` are
    (a second copy in the result, the entry that it repeats). Files that are the same in both are left out."""

    kept: tuple[tuple[Entry, Entry], ...]
    gone: tuple[Entry, ...]
    new: tuple[Entry, ...]
    twice: tuple[tuple[Entry, Entry], ...]


def paired(base: Memory, result: Memory) -> Pairing:
    """Pair the entries of the append-only types by id, the unchanged ones first. Both are read with the same types."""
    olds = _by_id(_changed(base, result))
    news = _by_id(_changed(result, base))
    fixed = {entry.id: entry for file in _same(base, result) for entry in file.entries}
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


def _changed(here: Memory, there: Memory) -> Iterator[Entry]:
    for file in promised_files(here):
        other = there.files.get(file.path)
        if other is None or other.text != file.text or other.type != file.type:
            yield from file.entries


def _same(here: Memory, there: Memory) -> Iterator[MemoryFile]:
    for file in promised_files(here):
        other = there.files.get(file.path)
        if other is not None and other.text == file.text and other.type == file.type:
            yield file


def _by_id(entries: Iterator[Entry]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        found[entry.id].append(entry)
    return found


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
    known = {_but_for_its_id(entry): entry for entry in rest} if gone else {}
    pairs = list(kept)
    lost = []
    for old in gone:
        new = known.pop(_but_for_its_id(old), None)
        if new is not None:
            pairs.append((old, new))
        else:
            lost.append(old)
    taken = {id(new) for _, new in pairs}
    return pairs, lost, [entry for entry in rest if id(entry) not in taken]


def _but_for_its_id(entry: Entry) -> tuple[str, str]:
    text = sealed_text(entry.text)
    return entry.type, text.replace(entry.id, "", 1) if entry.in_log or "id" in entry.fields else text
