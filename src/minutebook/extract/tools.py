"""The tools a model is given: one `extract_<type>` for each type, generated from the registry."""

from collections.abc import Mapping
from json import dumps
from typing import Any

from minutebook.ground.memory_type import MemoryType

_OURS = frozenset(
    ("id", "type", "status", "created", "updated", "verified", "date", "stale", "sources", "relations", "supersedes")
) | {"superseded_by", "uses", "session", "records", "transcript_sha256"}
_WRITTEN_BY_US = frozenset({"session"})
_COMMON = ("title", "abstract", "tags", "anchors")
_PROVEN = {
    "turn": {"type": "integer", "minimum": 1, "description": "number of the turn that backs this"},
    "quote": {"type": "string", "minLength": 8, "description": "words of that turn, character for character"},
}
_BODY = {"type": "string", "description": "the rest, in Markdown, in as few words as it takes"}


def extraction_tools(types: Mapping[str, MemoryType]) -> list[dict[str, Any]]:
    """Name, description and input schema of each tool. Types written by compaction, and session notes, have none."""
    wanted = (mtype for mtype in types.values() if mtype.write != "derived" and mtype.name not in _WRITTEN_BY_US)
    return [_tool(mtype) for mtype in sorted(wanted, key=lambda mtype: mtype.name)]


def _tool(mtype: MemoryType) -> dict[str, Any]:
    known: Mapping[str, Any] = mtype.schema.get("properties", {})
    own = [name for name in known if name not in _OURS and name not in _COMMON]
    properties = {name: known[name] for name in (*_COMMON, *own) if name in known}
    required = ["title", *(name for name in mtype.schema.get("required", ()) if name in properties and name != "title")]
    schema: dict[str, Any] = {
        "type": "object",
        "additionalProperties": False,
        "required": [*required, *_PROVEN],
        "properties": {**properties, "body": _BODY, **_PROVEN},
    }
    if "#/$defs/" in dumps(properties):
        schema["$defs"] = mtype.schema["$defs"]
    description = f"{mtype.describe} Propose one only when a person said it, or accepted it; give their words."
    return {"name": f"extract_{mtype.name.replace('-', '_')}", "description": description, "input_schema": schema}
