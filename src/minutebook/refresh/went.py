"""Where a thing that is gone may have gone: the new file or the new name most like it, by TF-IDF. A proposal."""

from posixpath import basename, splitext

from minutebook.refresh.fate import Fate
from minutebook.refresh.view import View
from minutebook.refresh.vocabulary import NO_CODE, names_defined
from minutebook.similar import similarities

_MOST_FILES = 120
_MOST_NAMES = 400
_ALIKE = 0.35
_LONGEST = 20_000
_AROUND = 600


def nearest(fate: Fate, then: View, now: View) -> str:
    """`; most like it: NAME (0.62)`, or "" when nothing new is like it."""
    if not fate.went:
        return ""
    if fate.reference.kind in ("path", "url"):
        new = _new_files(fate.went, then, now)
        return _best(_like(fate.went, then.text(fate.went)), {path: _like(path, now.text(path)) for path in new})
    if fate.reference.kind in ("symbol", "constant"):
        last = fate.reference.text.rpartition(".")[2]
        return _best(_passage(last, then.text(fate.went)), _new_names(fate.went, then, now))
    return ""


def _best(text: str, candidates: dict[str, str]) -> str:
    if not text or not candidates:
        return ""
    row = similarities([text], list(candidates.values()))[0]
    at = max(range(len(row)), key=row.__getitem__)
    return f"; most like it: {list(candidates)[at]} ({row[at]:.2f})" if row[at] >= _ALIKE else ""


def _new_files(went: str, then: View, now: View) -> list[str]:
    """Files of the same kind that weren't there, those of a like name first."""
    suffix = splitext(went)[1]
    new = [path for path in then.tree.delta if path in now.tree and path not in then.tree and path.endswith(suffix)]
    stem = basename(went)
    return sorted(new, key=lambda path: (basename(path) != stem, path))[:_MOST_FILES]


def _new_names(went: str, then: View, now: View) -> dict[str, str]:
    """Names that code defines now and didn't then, in the file and in what is new beside it, with what is around."""
    paths = [went] if went in now.tree else []
    paths += [path for path in _new_files(went, then, now) if not NO_CODE.fullmatch(path)]
    before = names_defined(then.text(went), splitext(went)[1].lstrip("."))
    found: dict[str, str] = {}
    for path in paths[:_MOST_FILES]:
        text = now.text(path)
        for name in sorted(names_defined(text, splitext(path)[1].lstrip(".")) - before):
            if len(found) < _MOST_NAMES and len(name) > 2:
                found.setdefault(name, _passage(name, text))
    return found


def _passage(name: str, text: str) -> str:
    """The name, three times, and what stands around the place where the text first has it."""
    at = text.find(name)
    return f"{name} {name} {name} {text[max(0, at - 80) : at + _AROUND]}" if at >= 0 else ""


def _like(path: str, text: str) -> str:
    return f"{basename(path)} {text[:_LONGEST]}" if text else ""
