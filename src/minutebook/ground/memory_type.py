"""One YAML file a type: where its entries live, how they may change, what they need, what the model is told."""

import re
from collections.abc import Mapping
from functools import lru_cache
from json import loads
from pathlib import Path
from typing import Any

from minutebook.ground.builtin import shipped
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen
from minutebook.ground.schema import schema_fault, violations
from minutebook.ground.strict_yaml import StrictYamlError, load, typed

LIMITS = {"abstract": 100, "overview": 500, "body": 5000}
_DURATION = re.compile(r"([1-9][0-9]{0,4})([hd])")


@frozen
class MemoryType:
    """What `schemas/memory-type.schema.json` describes. `stale_after` and `compact_after` are hours, or None for
    never; `limits` are tokens a level and, as `lines`, the length of a page; `schema` includes the common fields."""

    name: str
    title: str
    memory: str
    describe: str
    place: str
    layout: str
    write: str
    id: str
    load: str
    durability: str
    order: str
    status: Mapping[str, tuple[str, ...]]
    amend: tuple[str, ...]
    addenda: str
    stale_after: int | None
    compact_after: int | None
    merge: Mapping[str, str]
    limits: Mapping[str, int]
    sections: tuple[str, ...]
    schema: Mapping[str, Any]
    source: str

    @property
    def append_only(self) -> bool:
        return self.write == "append"

    def stage(self, status: str) -> str:
        """draft, sealed or closed; no status, or one that the type doesn't know, is sealed. `Superseded by DEC-…` is
        read by its first word."""
        said = status.lower()
        first = (said.split() or [""])[0].strip(".,:;")
        known = {name: stage for stage, names in self.status.items() for name in names}
        return known.get(said) or known.get(first, "sealed")


@lru_cache(maxsize=1024)
def section_field(section: str) -> str:
    """The field that a section or label fills: `Done when` fills `done_when`."""
    return re.sub(r"[^a-z0-9]+", "_", section.lower()).strip("_")


def read_type(text: str, source: str) -> MemoryType:
    """Parse one type file. Raises CannotJudge naming `source` and the line."""
    try:
        document = load(text)
    except StrictYamlError as error:
        raise CannotJudge(f"{source}:{error.line}: {error}", error.hint) from None
    meta = _json_schema("memory-type.schema.json")
    value = {key: item for key, item in typed(document.value, meta).items() if item is not None}
    if not source.startswith("builtin:"):  # ours are judged by a test, once, and not at every start
        for found in violations(value, meta):
            raise CannotJudge(f"{source}:{found.line(document.lines)}: {found.message}")
        fault = schema_fault(value.get("schema", {}))
        if fault:
            raise CannotJudge(f"{source}:{document.lines[('schema',)]}: `schema`: {fault}")
    return MemoryType(
        name=value["name"],
        title=value["title"],
        memory=value["memory"],
        describe=" ".join(value["describe"].split()),
        place=value["place"],
        layout=value["layout"],
        write=value["write"],
        id=value["id"],
        load=value["load"],
        durability=value["durability"],
        order=value.get("order", "newest-first"),
        status={stage: tuple(names) for stage, names in value.get("status", {}).items()},
        amend=tuple(value.get("amend", ())),
        addenda=value.get("addenda", "none"),
        stale_after=_hours(value.get("stale_after")),
        compact_after=_hours(value.get("compact_after")),
        merge=value.get("merge", {}),
        limits=LIMITS | value.get("limits", {}),
        sections=tuple(value.get("sections", ())),
        schema=_with_common(value.get("schema", {})),
        source=source,
    )


@lru_cache(maxsize=1)
def builtin_types() -> Mapping[str, MemoryType]:
    """The types that ship with minutebook, by name."""
    folder = shipped("schemas") / "types"
    found = (read_type(path.read_text("utf-8"), f"builtin:{path.name}") for path in sorted(folder.glob("*.yaml")))
    return {mtype.name: mtype for mtype in found}


def _hours(duration: str | None) -> int | None:
    match = _DURATION.fullmatch(duration or "")
    return int(match[1]) * (24 if match[2] == "d" else 1) if match else None


@lru_cache(maxsize=8)
def _json_schema(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = loads(Path(shipped("schemas") / name).read_text("utf-8"))
    return schema


def _with_common(own: dict[str, Any]) -> dict[str, Any]:
    common = _json_schema("entry.schema.json")
    # JSON Schema lets `true` and `false` describe a field; as objects they mean the same to it, and are read as one.
    plain = {
        name: spec if isinstance(spec, dict) else {} if spec else {"not": {}}
        for name, spec in own.get("properties", {}).items()
    }
    return {
        **common,
        **own,
        "properties": {**common["properties"], **plain},
        "$defs": {**common["$defs"], **own.get("$defs", {})},
        "required": sorted({*common["required"], *own.get("required", ())}),
    }
