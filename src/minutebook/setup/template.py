"""What `minutebook new` writes: a type's template, filled as far as values were given."""

from collections.abc import Mapping
from datetime import date
from difflib import get_close_matches
from typing import Any

from minutebook.ground.change import Change, File, Proposal
from minutebook.ground.entry import Entry, encode
from minutebook.ground.errors import CannotJudge, Refused
from minutebook.ground.front_matter import compose
from minutebook.ground.frozen import frozen
from minutebook.ground.log_lines import split_list
from minutebook.ground.log_text import compose_log_entry, log_page, with_new_entry
from minutebook.ground.memory import Memory, memory_type_of, read_file
from minutebook.ground.memory_type import MemoryType, section_field
from minutebook.ground.strict_yaml import Plain, typed
from minutebook.ground.uris import new_id, place_of, slug

# Stands for what is still to be written while the text is composed; no text that people give contains it.
_BLANK = "minutebook-blank-7f3a"
_PLACES = ("domain", "slug", "user", "agent")
_RELATIONS = ("related_to", "derived_from", "contradicts")


@frozen
class Wanted:
    """What is known of the new entry: `given` are fields by name as text, `owner` the user's and the agent's name by
    `user` and `agent`, `supersedes` an id or ""."""

    title: str
    given: Mapping[str, str]
    owner: Mapping[str, str]
    today: date
    supersedes: str = ""


@frozen
class Draft:
    """A new entry as text, the change that adds it, the line to open, and the required fields left to fill in."""

    id: str
    text: str
    change: Change
    line: int
    missing: Mapping[str, str]


def draft_entry(memory: Memory, tree: Mapping[str, File], mtype: MemoryType, wanted: Wanted) -> Draft:
    """The new entry of this type. The same wishes on the same memory give the same draft.

    Raises CannotJudge for a field that the type doesn't have, an id that is superseded and isn't there, a value that
    can't stand where it belongs; Refused when the place is taken.
    """
    fields = _fields(mtype, wanted)
    places = _placeholders(mtype, wanted, fields)
    taken = {name for entry in memory.entries(archived=True) for name in (entry.id, entry.id.casefold())}
    one_file = memory.alone(mtype)
    seed = "\0".join([mtype.name, wanted.title, *sorted(f"{name}={value}" for name, value in wanted.given.items())])
    fields["id"] = new_id(mtype, places, seed, taken)
    if one_file and mtype.layout == "log":
        places["domain"] = fields["id"]
    inner = place_of(mtype, places)
    path = memory.outer(inner)
    if memory_type_of(inner, memory.types) != mtype:
        raise CannotJudge(f"{path} is no place for a {mtype.name}: files of that name hold something else")
    if one_file and path in tree:
        raise Refused(f"{path} exists", "edit it, or choose another name with --slug")
    _check_supersedes(memory, wanted.supersedes)
    missing = _missing(mtype, fields)
    text = _file_text(mtype, fields, missing) if one_file else _log_text(mtype, fields, missing)
    old = memory.files.get(path)
    whole = text if one_file else with_new_entry(old, text, memory.order(mtype), log_page(mtype, memory.order(mtype)))
    new = File(encode(whole))
    entry = _read_back(path, new, mtype, fields, missing)
    proposal = Proposal("create", mtype.name, fields["id"], wanted.title or "(no title yet)", "asked for", text)
    line = min((entry.lines[(name,)] for name in missing if (name,) in entry.lines), default=entry.line)
    change = Change(path, tree.get(path), new, f"a new {mtype.name}", (proposal,))
    return Draft(fields["id"], text, change, line, missing)


def _fields(mtype: MemoryType, wanted: Wanted) -> dict[str, Any]:
    """The entry's fields without its id, typed as the schema says."""
    properties = mtype.schema["properties"]
    sections = [section_field(section) for section in mtype.sections]
    day = wanted.today.isoformat()
    fields: dict[str, Any] = {"type": mtype.name}
    if wanted.title:
        fields["title"] = wanted.title
    if "date" in mtype.schema["required"] or "{date}" in mtype.place:
        fields["date"] = day
    if mtype.layout != "log" and mtype.write != "append":
        fields["created"] = day
    for name, value in wanted.given.items():
        if name in _PLACES and name not in properties:
            continue
        if name in _RELATIONS:
            fields.setdefault("relations", {})[name] = split_list(value)
        elif name in sections or name == "body":
            fields[name] = value
        elif name in properties and name not in ("id", "type", "relations"):
            fields[name] = _value(value, properties[name])
        else:
            close = get_close_matches(name, [*properties, *sections, "body"], 1)
            hint = f"did you mean {close[0]}?" if close else f"minutebook types {mtype.name}"
            raise CannotJudge(f"{mtype.name} has no field {name!r} that can be set", hint)
    if wanted.supersedes:
        fields["supersedes"] = wanted.supersedes
    return fields


def _value(text: str, schema: Mapping[str, Any]) -> Any:
    if schema.get("type") != "array":
        return typed(Plain(text), schema)
    needed = schema.get("items", {}).get("required", ())
    return [{needed[0]: part} if needed else part for part in split_list(text)]


def _placeholders(mtype: MemoryType, wanted: Wanted, fields: Mapping[str, Any]) -> dict[str, str]:
    """What fills the type's place and id."""
    pattern = f"{mtype.place} {mtype.id}"
    values = {name: str(value) for name, value in fields.items() if isinstance(value, str)}
    values |= {name: value for name, value in wanted.owner.items() if value}
    values |= {name: wanted.given[name] for name in _PLACES if wanted.given.get(name)}
    values["date"] = str(fields.get("date", wanted.today.isoformat()))[:10]
    if wanted.title:
        values.setdefault("slug", slug(wanted.title))
    for name, hint in (("slug", '--title "…" or --slug NAME'), ("agent", "--agent NAME")):
        if f"{{{name}}}" in pattern and not values.get(name):
            raise CannotJudge(f"a new {mtype.name} needs a name for {{{name}}} in {mtype.place}", hint)
    for name in _PLACES:
        if name in wanted.given and f"{{{name}}}" not in pattern and name not in fields:
            raise CannotJudge(f"{mtype.name} has no {{{name}}} in its place {mtype.place}")
    return values


def _check_supersedes(memory: Memory, old: str) -> None:
    ids = [entry.id for entry in memory.entries(archived=True)]
    if old and old not in ids:
        close = get_close_matches(old, ids, 1)
        hint = f"did you mean {close[0]}?" if close else "minutebook search WORDS"
        raise CannotJudge(f"--supersedes {old}: there is no such entry", hint)


def _missing(mtype: MemoryType, fields: Mapping[str, Any]) -> dict[str, str]:
    """The required fields that have no value yet, with what they are for, in the order of the text."""
    order = ["title", *(section_field(section) for section in mtype.sections)]
    required = [name for name in mtype.schema["required"] if name not in fields]
    return {name: _words(mtype, name) for name in sorted(required, key=lambda n: (n in order and order.index(n)) or 0)}


def _words(mtype: MemoryType, name: str) -> str:
    described = mtype.schema["properties"].get(name, {}).get("description")
    return " ".join(str(described or name.replace("_", " ")).split())


def _log_text(mtype: MemoryType, fields: Mapping[str, Any], missing: Mapping[str, str]) -> str:
    """The entry with its labels; an incomplete one shows every label of the type, the empty ones to fill in."""
    blank = dict.fromkeys([section_field(section) for section in mtype.sections] if missing else (), _BLANK)
    text = compose_log_entry({"title": "", **blank, **fields}, mtype)
    return "\n".join(line.replace(_BLANK, "").rstrip() for line in text.split("\n"))


def _file_text(mtype: MemoryType, fields: Mapping[str, Any], missing: Mapping[str, str]) -> str:
    sections = {section_field(section): section for section in mtype.sections}
    head = {name: value for name, value in fields.items() if name not in sections and name != "body"}
    asked = {name: f"{_BLANK}-{name}" for name in missing if name not in sections}
    body = [
        f"## {section}\n{fields.get(name, '')}".rstrip() + "\n"
        for name, section in sections.items()
        if name in fields or missing
    ]
    text = compose({**head, **asked}, "\n".join([*filter(None, [str(fields.get("body", "")).strip("\n")]), *body]))
    for name, prompt in asked.items():
        text = text.replace(f"{name}: {prompt}\n", f"{name}:   # <{missing[name]}>\n", 1)
    return text


def _read_back(
    path: str, file: File, mtype: MemoryType, fields: Mapping[str, Any], missing: Mapping[str, str]
) -> Entry:
    """The entry as it will be read: what was given must be what comes back, or else a value means something in the
    place where it stands."""
    entry = next((each for each in read_file(path, file, mtype).entries if each.id == fields["id"]), None)
    if entry is None:
        raise CannotJudge(f"this title can't stand in a {mtype.name}", "write it on one line, without heading marks")
    for name, value in fields.items():
        read = entry.fields.get(name)
        same = read == value or str(read).strip() == str(value).strip()
        if name not in ("type", "body") and name not in missing and not same:
            raise CannotJudge(f"{name}: this value can't stand in a {mtype.name} as it is: {str(value)[:80]!r}")
    return entry
