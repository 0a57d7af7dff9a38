"""The tools that a model is given: three that read memory, and one `extract_<type>` a type, from the registry.

They aren't `strict`: the service compiles all strict schemas of a request into one grammar and refuses a dozen of this
size, and what a repository's own type may say in JSON Schema is more than that grammar knows. `ground/schema` judges
every input instead.
"""

import re
from collections.abc import Mapping
from json import dumps
from typing import Any

from minutebook.ground.memory_type import MemoryType

PREFIX = "extract_"
READING = ("read", "list", "get_relations")
SHORTEST_QUOTE, LONGEST_QUOTE = 8, 500
_OURS = frozenset(
    ("id", "type", "status", "created", "updated", "verified", "date", "stale", "sources", "relations", "supersedes")
) | {"superseded_by", "uses", "session", "records", "transcript_sha256"}
_WRITTEN_BY_US = frozenset({"session"})
_COMMON = ("title", "abstract", "tags", "anchors")
_PROVEN = {
    "turn": {"type": "integer", "minimum": 1, "description": "number of the turn that backs this"},
    "quote": {
        "type": "string",
        "minLength": SHORTEST_QUOTE,
        "description": f"words of that turn, character for character, at most {LONGEST_QUOTE} characters",
    },
}
_BODY = {"type": "string", "description": "the rest, in Markdown, in as few words as it takes"}
_REPLACES = {
    "type": "string",
    "description": "id or ctx:// URI of the entry of this type that this takes the place of; read it first",
}
_URI = {
    "type": "object",
    "additionalProperties": False,
    "required": ["uri"],
    "properties": {"uri": {"type": "string", "minLength": 1, "maxLength": 500, "description": "a ctx:// URI"}},
}
_TOLD = {
    "read": "Read one entry of the existing memory, or the list of entries of a log.",
    "list": "List the entries whose URIs start with this one: ctx://ACCOUNT/ lists all.",
    "get_relations": "What an entry supersedes, is superseded by, relates to, derives from or contradicts.",
}
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
"""What the Messages API allows as the name of a tool, and of a property of its input."""


def memory_tools() -> list[dict[str, Any]]:
    """Name, description and input schema of the tools that read memory."""
    return [{"name": name, "description": _TOLD[name], "input_schema": _URI} for name in READING]


def extraction_tools(types: Mapping[str, MemoryType]) -> list[dict[str, Any]]:
    """Name, description and input schema of the tools that propose. Types written by compaction, session notes, and
    types with a field that no tool can have, get none."""
    return [_tool(mtype) for mtype in proposable(types).values()]


def proposable(types: Mapping[str, MemoryType]) -> dict[str, MemoryType]:
    """The types that may be proposed, by the name of their tool."""
    wanted = [mtype for mtype in types.values() if mtype.write != "derived" and mtype.name not in _WRITTEN_BY_US]
    named = {_tool_name(mtype): mtype for mtype in sorted(wanted, key=lambda mtype: mtype.name)}
    return {name: mtype for name, mtype in named.items() if _NAME.fullmatch(name) and all(map(_usable, _own(mtype)))}


def _tool_name(mtype: MemoryType) -> str:
    return f"{PREFIX}{mtype.name}"


def _usable(name: str) -> bool:
    return _KEY.fullmatch(name) is not None


def _own(mtype: MemoryType) -> list[str]:
    """The fields that the type has beyond the common ones."""
    known: Mapping[str, Any] = mtype.schema.get("properties", {})
    return [name for name in known if name not in _OURS and name not in _COMMON]


def _tool(mtype: MemoryType) -> dict[str, Any]:
    known: Mapping[str, Any] = mtype.schema.get("properties", {})
    properties = {name: known[name] for name in (*_COMMON, *_own(mtype)) if name in known}
    required = ["title", *(name for name in mtype.schema.get("required", ()) if name in properties and name != "title")]
    schema: dict[str, Any] = {
        "type": "object",
        "additionalProperties": False,
        "required": [*required, *_PROVEN],
        "properties": {**properties, "body": _BODY, **_PROVEN, "replaces": _REPLACES},
    }
    if "#/$defs/" in dumps(properties):
        schema["$defs"] = mtype.schema["$defs"]
    description = f"{mtype.describe} Propose one only when a person said it, or accepted it; give their words."
    return {"name": _tool_name(mtype), "description": description, "input_schema": schema}
