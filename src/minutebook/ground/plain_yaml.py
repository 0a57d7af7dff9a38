"""The YAML that people write in front matter, read without a YAML library: block mappings and lists of plain or simply
quoted values, and such lists and mappings on one line. Whatever else stands there is left to libyaml, so that this
reader never has to say what is wrong with a text, and never differs from libyaml over one that it reads.
"""

from __future__ import annotations

from functools import lru_cache

from minutebook.ground.strict_yaml import BOOLS, MAX_BYTES, NULLS, Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Step = str | int
    Lines = dict[tuple[Step, ...], int]

_MOST_OPEN = 12
_LONGEST_KEY = 100
_RESERVED = NULLS | BOOLS.keys()
_STARTS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./(+$^;<=~")
_NOT_IN_FLOW = frozenset("[]{}:?#")


def read_plain(text: str, lines: Lines | None = None, first: int = 1) -> dict[str, Any] | None:
    """The mapping at the top of `text` as `strict_yaml.load` gives it; None for what isn't surely read the same.

    With `lines`, the line of each key and item goes there, by its path; `first` is the line on which `text` starts.
    """
    # No tabs, no other line ends, nothing invisible: what a line holds is what a person sees.
    if len(text) > MAX_BYTES or not text.replace("\n", " ").isprintable():
        return None
    top: dict[str, Any] = {}
    found: Any = top  # the block that is open: a mapping or a list,
    column = 0  # where it stands,
    path: tuple[Step, ...] = ()
    step: Step = 0
    waiting = ""  # and the key in it that still has no value
    outer: list[tuple[int, Any, tuple[Step, ...]]] = []
    for number, line in enumerate(text.split("\n"), first):
        bare = line.lstrip(" ")
        if not bare or bare[0] == "#":
            continue
        at = len(line) - len(bare)
        dash = bare[:2] == "- "
        if waiting and (at > column or (dash and at == column)):
            if len(outer) > _MOST_OPEN:
                return None
            inner: Any = [] if dash else {}
            found[waiting] = inner
            outer.append((column, found, path))
            column, found, path = at, inner, (*path, waiting)
        while at < column or (at == column and not dash and found.__class__ is list):
            column, found, path = outer.pop()
        waiting = ""
        if at != column or dash is not (found.__class__ is list):
            return None
        if dash:
            bare = bare[2:].lstrip(" ")
            step = len(found)
        key, colon, value = bare.partition(":")
        if not colon or (value and value[0] != " "):
            if not dash:
                return None
            value = bare
        else:
            key = _key(key)
            if not key:
                return None
            if dash:
                item: dict[str, Any] = {}
                found.append(item)
                outer.append((column, found, path))
                if lines is not None:
                    lines[(*path, step)] = number
                column, found, path = len(line) - len(bare), item, (*path, step)
            if key in found:
                return None
            step = key
        value = value.strip(" ")
        if value:
            read = _value(value)
            if read is None:
                return None
        elif dash and found.__class__ is list:
            return None
        else:
            read, waiting = Plain(), key
        if found.__class__ is list:
            found.append(read)
        else:
            found[step] = read
        if lines is not None:
            lines.setdefault((), number)
            lines[(*path, step)] = number
            if not isinstance(read, str):
                lines.update(
                    ((*path, step, each), number) for each in (read if isinstance(read, dict) else range(len(read)))
                )
    return top


@lru_cache(maxsize=1024)
def _key(text: str) -> str:
    """The key, the same object each time (a memory has few keys and many entries); "" for what isn't surely one."""
    word = text.isascii() and text.replace("-", "_").isidentifier() and text[0] != "-"
    return text if word and len(text) <= _LONGEST_KEY and text not in _RESERVED else ""


def _value(text: str) -> Any:
    first = text[0]
    if first in _STARTS or first > "\x7f":
        return None if ": " in text or " #" in text or text[-1] == ":" else Plain(text)
    if first == "[":
        return _flow_list(text)
    return _flow_mapping(text) if first == "{" else _quoted(text)


def _quoted(text: str) -> str | None:
    inner = text[1:-1]
    if len(text) < 2 or text[0] != text[-1]:
        return None
    if text[0] == '"':
        return None if '"' in inner or "\\" in inner else inner
    if text[0] == "'":
        return None if "'" in inner.replace("''", "") else inner.replace("''", "'")
    return None


def _flow_list(text: str) -> list[str] | None:
    items: list[str] = []
    for piece in _pieces(text):
        item = _flow_value(piece)
        if item is None:
            return None
        items.append(item)
    return items if text[-1] == "]" else None


def _flow_mapping(text: str) -> dict[str, str] | None:
    found: dict[str, str] = {}
    for piece in _pieces(text):
        said, _, value = piece.partition(":")
        key = _key(said.strip(" "))
        item = _flow_value(value) if key and value[:1] == " " else None
        if item is None or key in found:
            return None
        found[key] = item
    return found if text[-1] == "}" else None


def _pieces(text: str) -> list[str]:
    """What stands between commas. A quoted value with a comma in it comes in pieces that are no values."""
    inner = text[1:-1]
    return inner.split(",") if inner.strip(" ") else []


def _flow_value(text: str) -> str | None:
    bare = text.strip(" ")
    if not bare:
        return None
    if bare[0] in _STARTS or bare[0] > "\x7f":
        return Plain(bare) if _NOT_IN_FLOW.isdisjoint(bare) else None
    return _quoted(bare)
