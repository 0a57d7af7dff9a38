"""The YAML head of an entry file: read strictly, written in one canonical form, edited line by line."""

import re
from collections.abc import Mapping
from typing import Any

import yaml

from minutebook.ground.markdown import split_lines
from minutebook.ground.memory_type import MemoryType
from minutebook.ground.strict_yaml import StrictYamlError, load, typed

FENCE = "---"
_OTHER_BREAKS = re.compile("[\x85\u2028\u2029\r\ufeff]")
_ASIDE = re.compile(r"(?:#.*|\s*)\n?")
_GAAI_NAMES = {"created_at": "created", "updated_at": "updated"}
_OLD_NAMES = {ours: theirs for theirs, ours in _GAAI_NAMES.items()}
_ORDER = (
    "type", "id", "title", "abstract", "tags", "status", "date", "created", "updated", "verified", "stale",
    "supersedes", "superseded_by", "anchors", "sources", "relations",
)  # fmt: skip


def split(text: str) -> tuple[str, str, int] | None:
    """(YAML, rest, line on which the rest starts) when `text` opens with a closed front matter block."""
    parts = split_lines(text)
    if not parts or parts[0].rstrip() != FENCE:
        return None
    for index, line in enumerate(parts[1:], 1):
        if line.rstrip() == FENCE:
            return "".join(parts[1:index]), "".join(parts[index + 1 :]), index + 2
    return None


def unclosed(text: str) -> bool:
    """Whether front matter is opened and never closed."""
    return text.partition("\n")[0].rstrip() == FENCE and split(text) is None


def read_fields(yaml_text: str, mtype: MemoryType) -> tuple[dict[str, Any], dict[tuple[str | int, ...], int]]:
    """Front matter that starts at line 2, as typed fields and their lines. Raises StrictYamlError."""
    document = load(yaml_text, first_line=2)
    lines = {(_GAAI_NAMES.get(str(path[0]), path[0]), *path[1:]): line for path, line in document.lines.items() if path}
    renamed = {_GAAI_NAMES.get(key, key): value for key, value in document.value.items()}
    value = typed(renamed, mtype.schema)
    return {key: item for key, item in value.items() if item is not None}, lines


def dump_fields(fields: Mapping[str, Any]) -> str:
    """Front matter lines for these fields in the house's order: what `read_fields` gives back."""
    known = [key for key in _ORDER if key in fields]
    ordered = {key: fields[key] for key in [*known, *(key for key in fields if key not in _ORDER)]}
    return yaml.dump(ordered, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110) if ordered else ""


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
        while end > starts[name] + 1 and _ASIDE.fullmatch(rows[end - 1]):
            end -= 1
        rows[starts[name] : end] = [dumped, *[""] * (end - starts[name] - 1)]
    return opening + "".join(rows) + "".join(added) + text[len(opening) + len(found[0]) :]


def _key_starts(yaml_text: str, rows: list[str]) -> dict[str, int]:
    """The index of the line on which each top-level key stands, in the order of the file."""
    lines = load(yaml_text, first_line=0).lines
    starts = {str(path[0]): line for path, line in lines.items() if len(path) == 1}
    if any(rows[start][:1] in " \t{?" for start in starts.values()):
        raise StrictYamlError("fields can't be set here: write each key at the start of a line of its own", 2)
    return dict(sorted(starts.items(), key=lambda item: item[1]))


class _Dumper(yaml.SafeDumper):
    """Block mappings, lists of plain values on one line, dates without quotes."""

    yaml_implicit_resolvers = {  # noqa: RUF012  (PyYAML reads it from the class)
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
        for first, resolvers in yaml.SafeDumper.yaml_implicit_resolvers.items()
    }

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def _mapping(dumper: yaml.SafeDumper, value: dict[str, Any]) -> yaml.Node:
    return dumper.represent_mapping("tag:yaml.org,2002:map", value.items(), flow_style=False)


def _sequence(dumper: yaml.SafeDumper, value: list[Any] | tuple[Any, ...]) -> yaml.Node:
    flow = not any(isinstance(item, dict | list) for item in value)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=flow)


def _string(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    # YAML folds U+0085, U+2028 and U+2029 as line ends; only double quotes keep them as written.
    block = "\n" in value and value == value.strip()
    style = '"' if _OTHER_BREAKS.search(value) else "|" if block else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(value), style=style)


_Dumper.add_representer(dict, _mapping)
_Dumper.add_representer(list, _sequence)
_Dumper.add_representer(tuple, _sequence)
_Dumper.add_representer(str, _string)
_Dumper.add_multi_representer(str, _string)
