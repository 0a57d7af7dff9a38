"""One YAML file a type: where its entries live, how they may change, what they need, what the model is told."""

from __future__ import annotations

from functools import lru_cache

from minutebook.ground import shipped
from minutebook.ground.errors import CannotJudge
from minutebook.ground.frozen import frozen
from minutebook.ground.strict_yaml import StrictYamlError, load, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

LIMITS = {"abstract": 100, "overview": 500, "body": 5000}
_HOURS = {"h": 1, "d": 24}
_IN_FIELDS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


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
    compact_over: Mapping[str, int]
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
    return "_".join("".join(sign if sign in _IN_FIELDS else " " for sign in section.lower()).split())


def read_type(text: str, source: str) -> MemoryType:
    """Parse one type file. Raises CannotJudge naming `source` and the line."""
    try:
        document = load(text)
    except StrictYamlError as error:
        raise CannotJudge(f"{source}:{error.line}: {error}", error.hint) from None
    value = {key: item for key, item in typed(document.value, shipped.MEMORY_TYPE).items() if item is not None}
    from minutebook.ground.schema import schema_fault, violations

    for found in violations(value, shipped.MEMORY_TYPE):
        raise CannotJudge(f"{source}:{found.line(document.lines)}: {found.message}")
    fault = schema_fault(value.get("schema", {}))
    if fault:
        raise CannotJudge(f"{source}:{document.lines[('schema',)]}: `schema`: {fault}")
    return _memory_type(value, source)


@lru_cache(maxsize=1)
def builtin_types() -> Mapping[str, MemoryType]:
    """The types that ship with minutebook, by name. A test judges them, once, and not every start."""
    found = (_memory_type(value, f"builtin:{name}") for name, value in shipped.TYPES.items())
    return {mtype.name: mtype for mtype in found}


def _memory_type(value: Mapping[str, Any], source: str) -> MemoryType:
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
        compact_over=value.get("compact_over", {}),
        merge=value.get("merge", {}),
        limits=LIMITS | value.get("limits", {}),
        sections=tuple(value.get("sections", ())),
        schema=_with_common(value.get("schema", {})),
        source=source,
    )


def _hours(duration: str | None) -> int | None:
    return int(duration[:-1]) * _HOURS[duration[-1]] if duration else None


def _with_common(own: dict[str, Any]) -> dict[str, Any]:
    common = shipped.ENTRY
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
