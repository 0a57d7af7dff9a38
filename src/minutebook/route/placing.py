"""The text that a candidate becomes: a new entry in a log or a file of its own, or an old one merged or replaced."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from minutebook.ground import front_matter
from minutebook.ground.change import Refusal
from minutebook.ground.entry import Entry
from minutebook.ground.frozen import frozen
from minutebook.ground.log_text import compose_log_entry, log_page, with_new_entry
from minutebook.ground.memory import Memory, memory_type_of
from minutebook.ground.memory_type import MemoryType, section_field
from minutebook.ground.session import Candidate
from minutebook.ground.uris import ARCHIVE, new_id, place_of, slug
from minutebook.route.known import Known
from minutebook.route.matching import Owner
from minutebook.route.provenance import rows_of, sources_of

_MOST_SOURCES = 20


@frozen
class Written:
    """`text` is the whole file at `path` (from the top of the repository) afterwards, `entry_text` what a reviewer
    reads: the new entry, or the merged one."""

    path: str
    text: str
    verb: str
    id: str
    entry_text: str
    reason: str = ""
    supersedes: tuple[str, ...] = ()


def appended(
    candidate: Candidate, known: Known, today: date, owner: Owner, olds: Sequence[Entry] = (), why: str = ""
) -> Written:
    """A new entry of an append-only type; with `olds`, one that supersedes them for the reason `why`."""
    memory = known.memory
    mtype = memory.types[candidate.type]
    if mtype.layout != "log":
        return created(candidate, known, today, owner, olds, why, apart=True)
    fields = _fields(candidate, known, today, owner) | _superseding(olds)
    verb, reason = _told(olds, why, "append")
    if memory.alone(mtype):
        path = memory.outer(place_of(mtype, {"domain": fields["id"]}))
        text = _page(fields, candidate, mtype)
        return Written(path, text, verb, fields["id"], text, reason, _ids(olds))
    path = memory.outer(place_of(mtype, owner))
    file = memory.files.get(path)
    entry = compose_log_entry(fields, mtype)
    text = with_new_entry(file, entry, memory.order(mtype), log_page(mtype, memory.order(mtype)))
    return Written(path, text, verb, fields["id"], entry, reason, _ids(olds))


def created(
    candidate: Candidate,
    known: Known,
    today: date,
    owner: Owner,
    olds: Sequence[Entry] = (),
    why: str = "",
    *,
    apart: bool = False,
) -> Written:
    """A file of its own."""
    mtype = known.memory.types[candidate.type]
    path, names = placed(candidate, known.memory, today, owner, apart=apart)
    fields = _fields(candidate, known, today, names)
    if not mtype.append_only:
        fields["created"] = today.isoformat()
        fields.pop("date", None)
    fields |= _superseding(olds)
    text = _page(fields, candidate, mtype)
    verb, reason = _told(olds, why, "create")
    return Written(path, text, verb, fields["id"], text, reason, _ids(olds))


def placed(
    candidate: Candidate, memory: Memory, today: date, owner: Owner, *, apart: bool = False
) -> tuple[str, dict[str, str]]:
    """The path of a file of its own, and the names in it. With `apart` it is one that no file has yet; else it may be
    that of an old entry."""
    mtype = memory.types[candidate.type]
    names = dict(owner) | {"date": str(candidate.fields.get("date", today.isoformat()))}
    base = slug(candidate.title)
    for attempt in range(1, 1000):
        names["slug"] = base if attempt == 1 else f"{base[:56]}-{attempt}"
        inner = place_of(mtype, names)
        taken = apart and (memory.outer(inner) in memory.files or memory.outer(ARCHIVE + inner) in memory.files)
        # A name such as readme is no place for an entry.
        if not taken and memory_type_of(inner, memory.types) == mtype:
            break
    return memory.outer(inner), names


def merged(old: Entry, candidate: Candidate, memory: Memory, today: date) -> Written | None:
    """The old entry with what is new in the candidate, field by field as the type says; None when nothing is."""
    mtype = memory.types[candidate.type]
    new = _stated(candidate, mtype) | {"sources": sources_of(candidate)}
    updates: dict[str, Any] = {}
    # Where what is said is replaced, its name is: the old one may say the contrary.
    rules = ({"title": "replace"} if mtype.merge.get("abstract") == "replace" else {}) | dict(mtype.merge)
    for name, value in new.items():
        kept = merge_value(rules.get(name, ""), old.fields.get(name), value)
        if kept != old.fields.get(name):
            updates[name] = kept
    if len(rows_of(old)) >= _MOST_SOURCES:
        updates.pop("sources", None)
    body = _merged_body(mtype.merge.get("body", ""), old, candidate.body)
    if not updates and body is None:
        return None
    updates["updated"] = today.isoformat()
    text = front_matter.set_fields(old.text, updates)
    if body is not None:
        text = _with_body(text, body, append=mtype.merge.get("body") == "append")
    said = ", ".join(sorted({*updates} - {"updated"} | ({"body"} if body is not None else set())))
    return Written(old.path, text, "merge", old.id, text, f"adds to {old.id}: {said}")


def replaced(page: Entry, candidate: Candidate, memory: Memory, today: date) -> Written | Refusal:
    """The one page of its type, taken over by newer facts; refused when the page knows newer ones."""
    since = str(page.fields.get("updated") or page.fields.get("created") or "")[:10]
    day = str(candidate.fields.get("date", today.isoformat()))
    if day < since:
        return Refusal(candidate.title, f"{page.id} is newer ({since}) than what was said on {day}", candidate.quote)
    if page.abstract == candidate.abstract and candidate.body.strip() in page.text:
        return Refusal(candidate.title, f"already known: {page.id}", candidate.quote)
    mtype = memory.types[candidate.type]
    stated = _stated(candidate, mtype) | {"updated": day}
    union = merge_value("union", page.fields.get("sources"), sources_of(candidate))
    text = front_matter.set_fields(page.text, stated | {"sources": union[-_MOST_SOURCES:]})
    text = _with_body(text, _sections(candidate, mtype), append=False)
    return Written(page.path, text, "replace", page.id, text, f"newer than what {page.id} said")


def merge_value(rule: str, old: Any, new: Any) -> Any:
    """One field of an old entry after merging: `rule` is immutable, replace, union, append, sum, or "" (lists are
    united, anything else stays as it is once it is there)."""
    if old is None:
        return new
    if rule == "replace":
        return new
    if rule == "sum":
        return (old if isinstance(old, int) else 0) + int(new)
    if rule == "append":
        return old if str(new) in str(old) else f"{old}\n\n{new}"
    if rule == "union" or (rule == "" and isinstance(old, list) and isinstance(new, list)):
        return [*old, *(item for item in new if item not in old)]
    return old


def _superseding(olds: Sequence[Entry]) -> dict[str, Any]:
    if not olds:
        return {}
    return {"supersedes": olds[0].id if len(olds) == 1 else [old.id for old in olds]}


def _ids(olds: Sequence[Entry]) -> tuple[str, ...]:
    return tuple(old.id for old in olds)


def _told(olds: Sequence[Entry], why: str, otherwise: str) -> tuple[str, str]:
    """The verb, and the reason."""
    return ("supersede", f"{', '.join(_ids(olds))}: {why}") if olds else (otherwise, "")


def _fields(candidate: Candidate, known: Known, today: date, names: Owner) -> dict[str, Any]:
    mtype = known.memory.types[candidate.type]
    day = str(candidate.fields.get("date", today.isoformat()))
    seed = f"{candidate.session}\0{candidate.turn.number}\0{candidate.quote}"
    parts = {"date": day, "slug": slug(candidate.title), **names}
    return {
        "type": mtype.name,
        "id": new_id(mtype, parts, seed, known.taken),
        **_stated(candidate, mtype),
        "date": day,
        "sources": sources_of(candidate),
    }


def _stated(candidate: Candidate, mtype: MemoryType) -> dict[str, Any]:
    """What the candidate says of itself: title, abstract, anchors, and the fields that aren't kept in sections."""
    sections = {section_field(section) for section in mtype.sections} if mtype.layout != "log" else set()
    own = {name: value for name, value in candidate.fields.items() if name not in sections and name != "date"}
    if "sum" in mtype.merge.values():
        own = {name: 1 for name, rule in mtype.merge.items() if rule == "sum"} | own
    return {
        "title": candidate.title,
        "abstract": candidate.abstract,
        **({"anchors": list(candidate.anchors)} if candidate.anchors else {}),
        **own,
    }


def _page(fields: Mapping[str, Any], candidate: Candidate, mtype: MemoryType) -> str:
    in_sections = {section_field(section) for section in mtype.sections}
    kept = {name: value for name, value in fields.items() if name not in in_sections}
    return front_matter.compose(kept, _sections(candidate, mtype))


def _sections(candidate: Candidate, mtype: MemoryType) -> str:
    parts = []
    for section in mtype.sections:
        value = str(candidate.fields.get(section_field(section), "")).strip()
        if value:
            parts.append(f"## {section}\n{value}")
    return "\n\n".join(parts) if parts else candidate.body.strip()


def _merged_body(rule: str, old: Entry, body: str) -> str | None:
    """What is to be put into the body; None when nothing is."""
    new = body.strip()
    if rule not in ("append", "replace") or not new or new in old.text:
        return None
    return new


def _with_body(text: str, body: str, *, append: bool) -> str:
    found = front_matter.split(text)
    if append or found is None:
        return f"{text.rstrip()}\n\n{body}\n"
    return text[: len(text) - len(found[1])] + f"{body}\n"
