"""Where a thing that is gone may have gone: the new file or the new name most like it, by TF-IDF. A proposal.

What is new since a commit is read and weighed once for all that went since then (`View.compared`). What a question is
told depends on the two commits and on the thing alone, so that a run that remembers says what a fresh one says.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import partial
from itertools import islice
from posixpath import basename, splitext
from typing import TypeVar

from minutebook.refresh.drifted import counts_of
from minutebook.refresh.fate import Fate
from minutebook.refresh.likeness import Corpus, Counts, most_like
from minutebook.refresh.view import View
from minutebook.refresh.vocabulary import NO_CODE, names_defined

_MOST_FILES = 300
_MOST_NAMES = 1000
_MOST_KEPT = 600
_MOST_CORPORA = 24
_ALIKE = 0.35
_LONGEST = 20_000
_AROUND = 600
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def nearest(fate: Fate, then: View, now: View) -> str:
    """`; most like it: NAME (0.62)`, or "" when nothing new is like it."""
    if not fate.went:
        return ""
    if fate.reference.kind in ("path", "url"):
        return _told(_file_like(fate.went, then, now))
    if fate.reference.kind in ("symbol", "constant"):
        return _told(_name_like(fate.reference.text.rpartition(".")[2], fate.went, then, now))
    return ""


def _told(found: tuple[str, float]) -> str:
    name, score = found
    return f"; most like it: {name} ({score:.2f})" if name and score >= _ALIKE else ""


def _file_like(went: str, then: View, now: View) -> tuple[str, float]:
    text = then.text(went)
    new = _new_files(went, then, now) if text else ()
    if not new:
        return "", 0.0
    corpus = _kept(now.compared.corpora, ("files", *new), lambda: Corpus(_files(new, now)), _MOST_CORPORA)
    return most_like(_file_counts(went, text), corpus)


def _files(new: tuple[str, ...], now: View) -> dict[str, Counts]:
    found = {path: _kept(now.compared.files, path, partial(_counts_at, path, now)) for path in new}
    return {path: counts for path, counts in found.items() if counts}


def _counts_at(path: str, now: View) -> Counts:
    return _file_counts(path, now.text(path))


def _file_counts(path: str, text: str) -> Counts:
    return counts_of(f"{basename(path)} {text[:_LONGEST]}") if text else {}


def _new_files(went: str, then: View, now: View) -> tuple[str, ...]:
    """Files of the same kind that weren't there, those first whose name a file has that is gone."""
    suffix = splitext(went)[1]

    def found() -> tuple[str, ...]:
        delta = then.tree.delta
        new = [path for path, blob in delta.items() if not blob and path.endswith(suffix) and path in now.tree]
        gone = {basename(path) for path, blob in delta.items() if blob and path not in now.tree} if new else set()
        return tuple(sorted(new, key=lambda path: (basename(path) not in gone, path))[:_MOST_FILES])

    return _kept(now.compared.new, (then.commit, suffix), found)


def _name_like(name: str, went: str, then: View, now: View) -> tuple[str, float]:
    """Of the names that code defines now and didn't then, in the file itself and in what is new beside it."""
    text = then.text(went)
    passage = _passage(name, text)
    if not passage:
        return "", 0.0
    asked, before = counts_of(passage), _defined(went, then, now)
    own = _kept(
        now.compared.corpora,
        ("own", went, then.tree.blob(went), now.tree.blob(went)),
        lambda: Corpus({each: counts for each, counts in _names(went, now).items() if each not in before}),
        _MOST_CORPORA,
    )
    new = tuple(path for path in _new_files(went, then, now) if not NO_CODE.fullmatch(path))
    others = _kept(now.compared.corpora, ("names", *new), lambda: Corpus(_new_names(new, now)), _MOST_CORPORA)
    return max(most_like(asked, own), most_like(asked, others, before), key=lambda found: found[1])


def _new_names(new: tuple[str, ...], now: View) -> dict[str, Counts]:
    found: dict[str, Counts] = {}
    for name, counts in islice(_each_name(new, now), _MOST_NAMES):
        found.setdefault(name, counts)
    return found


def _each_name(paths: tuple[str, ...], now: View) -> Iterator[tuple[str, Counts]]:
    for path in paths:
        yield from _names(path, now).items()


def _names(path: str, now: View) -> Mapping[str, Counts]:
    """What a file defines now, each name with the terms of what is around it."""

    def found() -> Mapping[str, Counts]:
        text = now.text(path)
        names = sorted(name for name in names_defined(text, splitext(path)[1].lstrip(".")) if len(name) > 2)
        return {name: counts_of(_passage(name, text)) for name in names[:_MOST_NAMES]}

    return _kept(now.compared.names, path, found)


def _defined(path: str, then: View, now: View) -> frozenset[str]:
    """What a file defined then."""
    suffix = splitext(path)[1].lstrip(".")
    return _kept(now.compared.defined, then.tree.blob(path) + suffix, lambda: names_defined(then.text(path), suffix))


def _passage(name: str, text: str) -> str:
    """The name, three times, and what stands around the place where the text first has it."""
    at = text.find(name)
    return f"{name} {name} {name} {text[max(0, at - 80) : at + _AROUND]}" if at >= 0 else ""


def _kept(store: dict[Key, Value], key: Key, make: Callable[[], Value], most: int = _MOST_KEPT) -> Value:
    """What the store has, made if it has none; the oldest goes when there are too many."""
    if key not in store:
        if len(store) >= most:
            del store[next(iter(store))]
        store[key] = make()
    return store[key]
