"""What became of a reference between two views: it stands, it moved, it is gone, or a manifest says another thing."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import log1p
from posixpath import basename
from typing import Literal

from minutebook.ground.frozen import frozen
from minutebook.refresh.anchors import Reference
from minutebook.refresh.believable import is_believable, is_telling
from minutebook.refresh.resolvers import resolve
from minutebook.refresh.resolvers.manifests import version_said
from minutebook.refresh.view import DEFINED, Resolution, View

Renamed = Callable[[str], str]
"""From a path then to where git says that the file lies now, "" where it says nothing."""
FateKind = Literal["gone", "moved", "changed"]
_MOST_FILES = 50
_COMMON = 20
_PAST = re.compile(
    r"(?i)\b(?:removed?|removes|renamed|deprecated|formerly|previously|used to|no longer|legacy|obsolete|was called"
    r"|replaced|dropped|historical|originally)\b"
)
_ASIDE = re.compile(
    r"(?i)(?:^|/)(?:tests?|__tests__|testing|examples?|docs?|benchmarks?|fixtures?|demos?|samples?|vendor|third_party)/"
    r"|(?:^|/)(?:test_[^/]*|[^/]*[._-](?:test|spec)\.[a-z]+|conftest\.py)$"
)
_EXAMPLE = re.compile(
    r"(?i)(?<![\w.])(?:for instance|e\.g\.|examples?|such as|suppose|imagine|hypothetical)(?!\w|\.\w|[/-])"
)


@frozen
class Fate:
    """`features` are what the model weighs; `words` is the reason; `target` is where it lies now, if that is known;
    `went` is the file that it was and
    `hint` what may have taken its place."""

    kind: FateKind
    reference: Reference
    features: Mapping[str, float]
    words: str
    target: str = ""
    went: str = ""
    hint: str = ""


def fates(
    references: Iterable[Reference], home: str, then: View, now: View, renamed: Renamed
) -> Iterator[tuple[Reference, Fate | None]]:
    """Each reference with what became of it. A token that can be read in several ways (a package, a name) isn't gone
    while one of them still leads somewhere."""
    readings: dict[str, list[Reference]] = {}
    for reference in references:
        readings.setdefault(reference.text, []).append(reference)
    for several in readings.values():
        if then.reach is not None and not any(map(then.reach.may_touch, several)):
            yield from ((reference, None) for reference in several)
            continue
        found = [(reference, compare(reference, home, then, now, renamed)) for reference in several]
        stands = any(
            fate is None and resolve(reference, now, home) is not None
            for reference, fate in (found if len(found) > 1 else ())
        )
        yield from ((reference, None if stands else fate) for reference, fate in found)


def compare(reference: Reference, home: str, then: View, now: View, renamed: Renamed) -> Fate | None:
    """None while it stands, and when it never resolved: that is unknown. A plain word, or the
    name of a file, that dozens of files had says nothing either. `renamed` is what git says of moved files."""
    was = resolve(reference, then, home)
    if was is None or _says_nothing(reference, was):
        return None
    there = resolve(reference, now, home)
    if there is not None and not _less(was, there):
        return None
    features = {f"gone {reference.kind}": 1.0} | _circumstances(reference, was, there)
    if reference.kind == "symbol" and "." in reference.text and _parent_stands(reference, now):
        features["what it belongs to stands"] = 1.0
    if reference.kind == "version" and (said := version_said(reference.text.rpartition(" ")[0], now)):
        words = (
            f"{reference.text} is no longer what a manifest says: it says {said}, and said {was.says} at {_at(then)}"
        )
        return Fate("changed", reference, features | {"another version": 1.0}, words)
    target = _moved_to(reference, was, then, now, renamed)
    if target:
        words, went = f"{reference.text} moved to {target}", _only_file(reference, was)
        return Fate("moved", reference, features | {"moved": 1.0}, words, target, went)
    return _gone(reference, was, there, features, then, now)


def _says_nothing(reference: Reference, was: Resolution) -> bool:
    plain = reference.kind == "word"
    return (plain and was.foreign) or ((plain or was.loose) and len(was.files) > _COMMON)


def _less(was: Resolution, there: Resolution) -> bool:
    """Whether it resolves now in a weaker way than it did."""
    return _strength(there) < _strength(was)


def _strength(found: Resolution) -> int:
    return 0 if found.foreign else 1 if found.loose else 2


def _parent_stands(reference: Reference, now: View) -> bool:
    """Whether the class is still there: what it had, it may have from another class now."""
    return any(bits & DEFINED for bits in now.spots(reference.text.split(".")[-2]).values())


def _circumstances(reference: Reference, was: Resolution, there: Resolution | None) -> dict[str, float]:
    names = reference.kind in ("symbol", "word", "constant", "flag")
    found = {
        "was found by its end": float(was.loose),
        "came from outside": float(was.foreign),
        "is found by its end": float(there is not None and there.loose),
        "is still used": float(there is not None and there.foreign),
        "stood for several files": log1p(max(0, len(was.files) - 1)),
        "told as past": float(bool(_PAST.search(reference.said))),
        "given as an example": float(bool(_EXAMPLE.search(reference.said))),
        "has parts": float(reference.kind == "symbol" and "." in reference.text),
        "lay in tests or examples": float(bool(names and was.files) and all(map(_ASIDE.search, was.files))),
        "set as an anchor": float(reference.explicit),
    }
    return {name: value for name, value in found.items() if value}


def _gone(
    reference: Reference, was: Resolution, there: Resolution | None, features: dict[str, float], then: View, now: View
) -> Fate:
    if reference.kind in ("path", "dir", "glob", "url") and was.files:
        went = next((path for path in was.files if path not in now.tree), was.files[0])
        alike = now.tree.named(basename(went)) if len(was.files) == 1 else []
        features |= {"a file of that name is elsewhere": 1.0} if alike else {}
        hint = f"; a file of that name is at {alike[0]}" if len(alike) == 1 else ""
        return Fate("gone", reference, features, f"{reference.text} is gone", "", went, hint)
    still = "" if there is None else ", and only a part of its name is left" if there.loose else ", though still used"
    words = f"`{reference.text}` is gone: it was there at {_at(then)}{still}"
    return Fate("gone", reference, features, words, "", was.files[0] if was.files else "")


def _at(view: View) -> str:
    return f"{view.commit[:8]} ({view.day})"


def _moved_to(reference: Reference, was: Resolution, then: View, now: View, renamed: Renamed) -> str:
    """Where a file, a folder or the folder of a glob lies now, when there is one such place: for a folder, where most
    of its files went. The same bytes in one new place say so; else git itself says of each file where it went."""
    if reference.kind not in ("path", "dir", "url", "glob") or was.loose or not was.files:
        return ""
    place = _only_file(reference, was) or _folder(reference)
    target = _went_to(place, was.files[:_MOST_FILES], then, now, renamed) if place else ""
    return target + reference.text[len(place) :] if target and reference.kind == "glob" else target


def _only_file(reference: Reference, was: Resolution) -> str:
    """The file that is named, as it lay; "" for a reference to several, and for a folder."""
    return was.files[0] if len(was.files) == 1 and basename(was.files[0]) == basename(reference.text) else ""


def _folder(reference: Reference) -> str:
    """What a reference to several files names as a folder: a glob up to its first wildcard, "" where it has none."""
    head = re.split(r"[*?]", reference.text, maxsplit=1)[0] if reference.kind == "glob" else f"{reference.text}/"
    return head.rpartition("/")[0]


def _went_to(place: str, looked_at: tuple[str, ...], then: View, now: View, renamed: Renamed) -> str:
    """Where most of these files, which lay at or under `place`, lie now, less what follows the place in their paths.
    A file whose bytes can't say where it went, since an empty one looks like any other, is no vote against a place."""
    homes: Counter[str] = Counter()
    doubtful = 0
    for path in looked_at:
        if not path.startswith(place):  # a folder that was named from the entry's own place
            return ""
        rest = path[len(place) :]
        after = _same_bytes(path, rest, then, now) or (renamed(path) if then.tree.has_new else "")
        if after.endswith(rest) and after not in ("", path) and is_believable(path, after, then, now):
            homes[after.removesuffix(rest)] += 1
        elif path not in now.tree and not is_telling(path, then):
            doubtful += 1
    best = homes.most_common(1)
    return best[0][0] if best and best[0][1] * 2 > len(looked_at) - doubtful else ""


def _same_bytes(path: str, rest: str, then: View, now: View) -> str:
    if path in now.tree:
        return ""
    same = [each for each in now.tree.holding(then.tree.blob(path)) if each.endswith(rest) and each not in then.tree]
    same = [each for each in same if is_believable(path, each, then, now)]
    named = [each for each in same if basename(each) == basename(path)]
    chosen = named if len(named) == 1 else same
    return chosen[0] if len(chosen) == 1 else ""
