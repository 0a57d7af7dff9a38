"""File names that mean the same on every machine."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator

from minutebook.checks.judged import appears
from minutebook.checks.judgement import Case
from minutebook.ground.entry import encode
from minutebook.ground.problem import Problem

_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")
_ALSO = "._-+@() ,=~"
_LONGEST = 200


def names(case: Case) -> Iterator[Problem]:
    """Beneath the memory root, names are of letters, digits and `._-+@() ,=~`, in NFC, at most 200 bytes a part; none
    starts with `-` or a space, ends with a dot or a space, or is reserved on Windows (CON, aux.md). No two paths
    differ in case or in Unicode form alone: on some machines they are one file."""
    inside = f"{case.result.root}/"
    paths = [path for path in case.tree if path.startswith(inside)]
    for path in paths:
        if appears(case, path):
            for fault in dict.fromkeys(filter(None, map(_fault, path.removeprefix(inside).split("/")))):
                yield Problem(path, 0, "names", fault, "rename it: letters, digits, `-`, `_` and `.`")
    yield from _collisions(case, paths)


def _fault(part: str) -> str:
    strange = next((c for c in part if not (c in _ALSO or unicodedata.category(c)[0] in "LMN")), None)
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
    if unicodedata.normalize("NFC", part) != part:
        return "the name isn't in Unicode's composed form (NFC)"
    return "the name is longer than 200 bytes" if len(encode(part)) > _LONGEST else ""


def _collisions(case: Case, paths: list[str]) -> Iterator[Problem]:
    spelled: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        parts = path.split("/")
        for end in range(1, len(parts) + 1):
            place = "/".join(parts[:end])
            spelled[_folded(place)].add(place)
    for path in paths:
        parts = path.split("/")
        for end in range(1, len(parts) + 1):
            place = "/".join(parts[:end])
            others = spelled[_folded(place)] - {place}
            if others and appears(case, path):
                message = f"{place} and {min(others)} are one name on some machines"
                yield Problem(path, 0, "names", message, "rename one of them")
                break


def _folded(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
