"""The YAML head of an entry file: read strictly, written in one canonical form, edited line by line."""

from __future__ import annotations

import re
from functools import cache

from minutebook.ground.markdown import split_lines
from minutebook.ground.plain_yaml import read_plain
from minutebook.ground.strict_yaml import StrictYamlError, load, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from minutebook.ground.memory_type import MemoryType
    from minutebook.ground.strict_yaml import Document

FENCE = "---"
_LONGEST = 256 << 10
_GAAI_NAMES = {"created_at": "created", "updated_at": "updated"}
_OLD_NAMES = {ours: theirs for theirs, ours in _GAAI_NAMES.items()}
_ORDER = (
    "type", "id", "title", "abstract", "tags", "status", "date", "created", "updated", "verified", "stale",
    "supersedes", "superseded_by", "anchors", "sources", "relations",
)  # fmt: skip


def split(text: str) -> tuple[str, str, int] | None:
    """(YAML, rest, line on which the rest starts) when `text` opens with a closed front matter block."""
    found = bounds(text)
    return (text[found[0] : found[1]], text[found[2] :], first_line(text, found)) if found is not None else None


def bounds(text: str) -> tuple[int, int, int] | None:
    """Where the YAML starts and ends and where the rest starts, when `text` opens with a closed front matter block."""
    if not opens(text):
        return None
    start = text.find("\n") + 1
    closing = _closing().search(text, start - 1) if start else None
    return (start, closing.start() + 1, min(closing.end() + 1, len(text))) if closing is not None else None


def opens(text: str) -> bool:
    """Whether a front matter block is opened, closed or not."""
    return text.startswith(FENCE) and text[: text.find("\n") + 1 or len(text)].rstrip() == FENCE


@cache
def _closing() -> re.Pattern[str]:
    return re.compile(rf"\n{FENCE}[^\S\n]*+(?=\n|\Z)")


def first_line(text: str, found: tuple[int, int, int]) -> int:
    """The line on which the rest starts, `bounds` found."""
    return text.count("\n", 0, found[1]) + 2


def read_values(yaml_text: str, mtype: MemoryType) -> dict[str, Any]:
    """Front matter that starts at line 2, as typed fields. Raises StrictYamlError."""
    value = read_plain(yaml_text) if len(yaml_text) <= _LONGEST else None
    return _fields(_load(yaml_text, 2).value if value is None else value, mtype)


def read_fields(yaml_text: str, mtype: MemoryType) -> tuple[dict[str, Any], dict[tuple[str | int, ...], int]]:
    """What `read_values` gives, and the line of each field."""
    document = _load(yaml_text, 2)
    lines = {(_GAAI_NAMES.get(str(path[0]), path[0]), *path[1:]): line for path, line in document.lines.items() if path}
    return _fields(document.value, mtype), lines


def _load(yaml_text: str, first: int) -> Document:
    if len(yaml_text) > _LONGEST:
        message = f"more than {_LONGEST} characters of front matter"
        raise StrictYamlError(message, first, "write what is long beneath the closing ---")
    return load(yaml_text, first_line=first)


def _fields(value: dict[str, Any], mtype: MemoryType) -> dict[str, Any]:
    if not _GAAI_NAMES.keys().isdisjoint(value):
        value = {_GAAI_NAMES.get(key, key): item for key, item in value.items()}
    fields: dict[str, Any] = typed(value, mtype.schema)
    return {key: item for key, item in fields.items() if item is not None} if None in fields.values() else fields


def dump_fields(fields: Mapping[str, Any]) -> str:
    """Front matter lines for these fields in the house's order: what `read_fields` gives back."""
    known = [key for key in _ORDER if key in fields]
    ordered = {key: fields[key] for key in [*known, *(key for key in fields if key not in _ORDER)]}
    from minutebook.ground.yaml_dump import dump

    return dump(ordered)


def compose(fields: Mapping[str, Any], body: str) -> str:
    """The text of a new one-entry file."""
    inner = body.strip("\n")
    return f"{FENCE}\n{dump_fields(fields)}{FENCE}\n" + (f"{inner}\n" if inner else "")


def set_fields(text: str, updates: Mapping[str, Any]) -> str:
    """The file's text with these top-level fields set (None removes one); every other line stays as it is.

    A field that the file calls by its GAAI name keeps that name. Raises StrictYamlError when the front matter can't
    be read: nobody edits what nobody understands.
    """
    found = split(text)
    if found is None:
        return compose({key: value for key, value in updates.items() if value is not None}, "") + text
    opening = text[: text.index("\n") + 1]
    newline = "\r\n" if opening.endswith("\r\n") else "\n"
    rows = split_lines(found[0])
    starts = _key_starts(found[0], rows)
    ends = dict(zip(starts, [*list(starts.values())[1:], len(rows)], strict=True))
    added: list[str] = []
    for key, value in updates.items():
        name = key if key in starts else _OLD_NAMES.get(key, key)
        name = name if name in starts else key
        dumped = dump_fields({name: value}).replace("\n", newline) if value is not None else ""
        if name not in starts:
            added.append(dumped)
            continue
        end = ends[name]
        while end > starts[name] + 1 and _is_aside(rows[end - 1]):
            end -= 1
        rows[starts[name] : end] = [dumped, *[""] * (end - starts[name] - 1)]
    return opening + "".join(rows) + "".join(added) + text[len(opening) + len(found[0]) :]


def _key_starts(yaml_text: str, rows: list[str]) -> dict[str, int]:
    """The index of the line on which each top-level key stands, in the order of the file."""
    lines = _load(yaml_text, 0).lines
    starts = {str(path[0]): line for path, line in lines.items() if len(path) == 1}
    if any(rows[start][:1] in " \t{?" for start in starts.values()):
        raise StrictYamlError("fields can't be set here: write each key at the start of a line of its own", 2)
    return dict(sorted(starts.items(), key=lambda item: item[1]))


def _is_aside(row: str) -> bool:
    """Whether a line holds nothing, or nothing but a comment that starts it."""
    return not row.strip() or row.startswith("#")
