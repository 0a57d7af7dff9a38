"""File names that mean the same on every machine."""

from __future__ import annotations

from minutebook.checks.judged import appears
from minutebook.ground.entry import encode
from minutebook.ground.lazy import lazy
from minutebook.ground.problem import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from minutebook.checks.judgement import Case

_RESERVED = lazy(r"(?i)(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\..*)?")
_ALSO = "._-+@() ,=~"
_LONGEST = 200
_PLAIN = dict.fromkeys(map(ord, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" + _ALSO))
_DEEPEST = 40
_RENAME = "rename one of them"


def names(case: Case) -> Iterator[Problem]:
    """File and folder names beneath the memory root mean the same on every machine.

    A name is of letters, digits and `._-+@() ,=~`, in NFC, at most 200 bytes long; it doesn't start with `-` or a
    space, doesn't end with a dot or a space, and is neither reserved on Windows (`CON`, `aux.md`) nor git's own. No
    path lies deeper than 40 folders, and no two differ in case or in Unicode form alone: on some machines they are one
    file. Names that were there before are left alone.

    Severity: error.
    """
    inside = f"{case.result.root}/"
    paths = [path for path in case.tree if path.startswith(inside)]
    new = [path for path in paths if appears(case, path)]
    for path in new:
        if path.count("/") >= _DEEPEST:
            yield Problem(path, 0, "names", f"it lies deeper than {_DEEPEST} folders", "put it further up")
            continue
        for fault in dict.fromkeys(filter(None, map(_fault, path.removeprefix(inside).split("/")))):
            yield Problem(path, 0, "names", fault, "rename it: letters, digits, `-`, `_` and `.`")
    yield from _collisions(new, paths) if new else ()


def _fault(part: str) -> str:
    strange = next((c for c in part if not (c in _ALSO or _is_word(c))), None) if part.translate(_PLAIN) else None
    if strange is not None:
        return f"U+{ord(strange):04X} doesn't belong into a file name"
    if part.startswith(("-", " ")):
        return "a name can't start with `-` or a space"
    if part.endswith((".", " ")):
        return "a name can't end with a dot or a space"
    if _RESERVED.fullmatch(part):
        return "the name is reserved on Windows"
    if part.casefold() in (".git", "git~1"):
        return "the name is git's own"
    if _composed(part) != part:
        return "the name isn't in Unicode's composed form (NFC)"
    return "the name is longer than 200 bytes" if len(encode(part)) > _LONGEST else ""


def _collisions(new: list[str], paths: list[str]) -> Iterator[Problem]:
    places = _with_folders(path for path in paths if path.count("/") < _DEEPEST)
    folded = {place: _folded(place) for place in places}
    if len(set(folded.values())) == len(places):
        return
    spelled: dict[str, list[str]] = {}
    for place in sorted(places):
        spelled.setdefault(folded[place], []).append(place)
    for path in new:
        parts = path.split("/")
        for place in ("/".join(parts[:end]) for end in range(1, len(parts) + 1)):
            other = next((each for each in spelled.get(folded.get(place, ""), ()) if each != place), "")
            if other:
                yield Problem(path, 0, "names", f"{place} and {other} are one name on some machines", _RENAME)
                break


def _with_folders(paths: Iterable[str]) -> set[str]:
    places = set(paths)
    for folder in {path.rpartition("/")[0] for path in places}:
        while folder and folder not in places:
            places.add(folder)
            folder = folder.rpartition("/")[0]
    return places


def _is_word(character: str) -> bool:
    if character.isascii():
        return character.isalnum()
    from unicodedata import category

    return category(character)[0] in "LMN"


def _folded(name: str) -> str:
    return name.lower() if name.isascii() else _composed(_composed(name).casefold())


def _composed(name: str) -> str:
    if name.isascii():
        return name
    from unicodedata import normalize

    return normalize("NFC", name)
