"""Front matter as minutebook writes it. Importing a YAML library costs more than a hook does: only what writes comes
here."""

from __future__ import annotations

import re

import yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_OTHER_BREAKS = re.compile("[\x85\u2028\u2029\r\ufeff]")


def dump(fields: dict[str, Any]) -> str:
    """Block mappings in the order given, lists of plain values on one line, dates without quotes."""
    return yaml.dump(fields, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110) if fields else ""


class _Dumper(yaml.SafeDumper):
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
