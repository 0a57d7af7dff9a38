"""What the things that an entry names were, and what they are: the passages that a rewrite is made from."""

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from minutebook.edges.entry_touches import Touch, last_touched
from minutebook.edges.memory_history import code_files, differences, renames, text_reader
from minutebook.edges.refresh_cache import Cache, with_cache
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.memory import Memory
from minutebook.ground.nouns import singular
from minutebook.ground.words import terms
from minutebook.refresh.anchors import Reference, references
from minutebook.refresh.fate import Fate, fates
from minutebook.refresh.listing import Listing, Tree
from minutebook.refresh.passages import Passages, changed_file, vanished_file
from minutebook.refresh.resolvers import resolve
from minutebook.refresh.rewriting import Doubt
from minutebook.refresh.view import View
from minutebook.refresh.went import nearest
from minutebook.staleness.past import finder, inverted, shipped_model, spots_of, words_of
from minutebook.staleness.recall import Place, place_of
from minutebook.workspace import Workspace

_WORTH_SAYING = 0.2
_MOST_FILES = 8


@frozen
class Seen:
    """What is in doubt of an entry, and the passages of then and of now."""

    doubts: tuple[Doubt, ...]
    passages: Passages


def seen(workspace: Workspace, memory: Memory, head: str, entries: Iterable[Entry]) -> dict[Place, Seen]:
    """For each of these entries that speaks of an earlier commit what the code no longer bears out, moves apart."""
    top, roots = workspace.repo.top, workspace.config.roots or (memory.root,)
    wanted = list(entries)
    touched = last_touched(top, memory, head, {entry.path for entry in wanted})
    waiting = {place_of(each): each for each in wanted if touched.get(place_of(each), Touch(head, "")).commit != head}
    named = {place: references(entry) for place, entry in waiting.items()}
    commits = list(dict.fromkeys(touched[place].commit for place in waiting))
    base = Listing(code_files(top, head, roots) if waiting else {})
    deltas = differences(top, commits, head, roots)
    asked = {word for each in named.values() for word in words_of(each)}

    def found(cached: Cache) -> dict[Place, Seen]:
        spots = spots_of(top, cached, base, deltas, asked)
        where, read = inverted(base, spots), text_reader(top)
        now = View(head, "", Tree(base), read, finder(where, {}, spots))
        views = {
            each.commit: View(
                each.commit, each.day, Tree(base, deltas[each.commit]), read,
                finder(where, deltas[each.commit], spots),
            )
            for each in (touched[place] for place in waiting)
        }  # fmt: skip
        return {
            place: _seen(entry, named[place], views[touched[place].commit], now, top)
            for place, entry in waiting.items()
        }

    return with_cache(workspace.repo.git_dir, memory.root, found) if waiting else {}


def _seen(entry: Entry, named: tuple[Reference, ...], then: View, now: View, top: Path) -> Seen:
    home, moved = entry.path.rpartition("/")[0], renames(top, then.commit, now.commit)
    model = shipped_model()
    doubts: list[Doubt] = []
    shown: dict[str, Passages] = {}
    for reference, fate in fates(named, home, then, now, partial(_renamed, moved)):
        if fate is None:
            found = _drifted(entry, reference, home, then, now) if reference.explicit else None
            doubts += [found[0]] if found is not None else []
            shown |= found[1] if found is not None else {}
        elif fate.kind != "moved" and model.probability(fate.features) >= _WORTH_SAYING:
            hint = fate.hint or nearest(fate, then, now)
            doubts.append(Doubt(_forms(fate.reference), f"{fate.words}{hint}"))
            shown |= _of_fate(fate, moved, then, now)
    return Seen(tuple(doubts), Passages.joined(list(shown.values())[:_MOST_FILES]))


def _renamed(moved: Mapping[str, str], path: str) -> str:
    return moved.get(path, "")


def _forms(reference: Reference) -> tuple[str, ...]:
    text = reference.text
    return (text, *(text.replace(".", sign) for sign in ("::", "#") if reference.kind == "symbol" and "." in text))


def _of_fate(fate: Fate, moved: Mapping[str, str], then: View, now: View) -> dict[str, Passages]:
    """What the file that it was in held then and holds now, wherever that file lies."""
    if not fate.went:
        return {}
    place = fate.went if fate.went in now.tree else moved.get(fate.went, "")
    name = fate.reference.text.rpartition(".")[2] if fate.reference.kind == "symbol" else fate.reference.text
    if not place:
        return {fate.went: vanished_file(fate.went, then.text(fate.went), name)}
    return {fate.went: changed_file(fate.went, place, then.text(fate.went), now.text(place), name)}


def _drifted(
    entry: Entry, reference: Reference, home: str, then: View, now: View
) -> tuple[Doubt, dict[str, Passages]] | None:
    """The terms that the entry and an anchor's files both had, and that left the files."""
    was, there = resolve(reference, then, home), resolve(reference, now, home)
    if was is None or there is None:
        return None
    changed = [path for path in was.files[:_MOST_FILES] if then.tree.blob(path) != now.tree.blob(path)]
    left = (_spoken(entry.text) & _held(then, changed)) - _held(now, there.files)
    if not left:
        return None
    first = min(left)
    shown = {path: changed_file(path, path, then.text(path), now.text(path), first) for path in changed}
    return Doubt((), f"{', '.join(sorted(left))} left {reference.text}", frozenset(left)), shown


def _held(view: View, paths: Iterable[str]) -> set[str]:
    return {term for path in list(paths)[:_MOST_FILES] for term in _spoken(view.text(path))}


def _spoken(text: str) -> set[str]:
    return {singular(term) for term in terms(text)}
