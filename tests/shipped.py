"""Writes src/minutebook/ground/shipped.py from schemas/; `make docs` runs it, a test holds them in step.

A hook that reads eleven YAML files and two JSON schemas at every commit spends more on them than on judging.
"""

import json
from pathlib import Path
from pprint import pformat
from typing import Any

from minutebook.ground.strict_yaml import load, typed

CHECKOUT = Path(__file__).parents[1]
SCHEMAS = CHECKOUT / "schemas"
MODULE = CHECKOUT / "src" / "minutebook" / "ground" / "shipped.py"
HEAD = '''# ruff: noqa: E501
# fmt: off
"""The schemas and the built-in types of `schemas/`, as Python loads them fastest. `make docs` writes this file."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
'''


def schema(name: str) -> dict[str, Any]:
    """One of the JSON schemas in schemas/."""
    found: dict[str, Any] = json.loads((SCHEMAS / name).read_text("utf-8"))
    return found


def built_in_types() -> dict[str, dict[str, Any]]:
    """What each type file says, by the file's name."""
    meta = schema("memory-type.schema.json")
    files = sorted((SCHEMAS / "types").glob("*.yaml"))
    read = {path.name: typed(load(path.read_text("utf-8")).value, meta) for path in files}
    return {name: {key: item for key, item in value.items() if item is not None} for name, value in read.items()}


def module() -> str:
    """The text of the module."""
    parts = {
        "ENTRY": schema("entry.schema.json"),
        "MEMORY_TYPE": schema("memory-type.schema.json"),
        "CONFIG": schema("config.schema.json"),
        "TYPES": built_in_types(),
    }
    return HEAD + "".join(f"\n{name}: dict[str, Any] = {_literal(value)}\n" for name, value in parts.items())


def _literal(value: Any) -> str:
    return pformat(value, width=118, sort_dicts=False)


if __name__ == "__main__":
    MODULE.write_text(module(), "utf-8", newline="\n")
