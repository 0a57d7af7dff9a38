"""The text of log entries as minutebook writes it, and where in a log a new one goes."""

from __future__ import annotations

from minutebook.ground.errors import CannotJudge
from minutebook.ground.lazy import lazy
from minutebook.ground.log_lines import entry_heading, escaped, escaped_title, id_prefix, joined_list, opens_block
from minutebook.ground.markdown import read_lines
from minutebook.ground.memory_type import section_field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from minutebook.ground.entry import MemoryFile
    from minutebook.ground.memory_type import MemoryType

_LABELS = (
    ("date", "Date"),
    ("status", "Status"),
    ("supersedes", "Supersedes"),
    ("superseded_by", "Superseded by"),
    ("tags", "Tags"),
    ("anchors", "Anchors"),
)
_RELATIONS = (("related_to", "Related"), ("derived_from", "Derived from"), ("contradicts", "Contradicts"))
_ELSEWHERE = frozenset({"type", "id", "title", "created", "updated", "stale", "sources", "relations"})
_SESSION = lazy(r"[^,\s]{1,200}")
_AT = lazy(r"[0-9][0-9A-Za-z:.+-]{9,39}")
_HEADING = lazy(r"#{1,6}")


def compose_log_entry(fields: Mapping[str, Any], mtype: MemoryType, level: int = 3) -> str:
    """The text of a new log entry with labels in the type's order; what `read_log` gives back.

    Left out are `type`, `created`, `updated` and `stale` (a log has no place for them) and an abstract that the type
    does not ask for. Lines that would be read as headings, labels or open fences get a backslash. Raises CannotJudge
    for an id that is no heading's, and for list items that a line can't hold.
    """
    heading = f"{'#' * level} {fields['id']} — {escaped_title(str(fields['title']))}".rstrip()
    opened = entry_heading(next(read_lines(heading)), id_prefix(mtype.id))
    if opened is None or opened["id"] != fields["id"]:
        raise CannotJudge(f"{fields['id']!r} can't be the id of a log entry; write it like {mtype.id}")
    out = [heading]
    sections = {section_field(section): section for section in mtype.sections}
    for name, section in sections.items():
        out += _section(section, str(fields.get(name) or ""))
    for name, label in _LABELS:
        out += _line(label, fields.get(name))
    relations = fields.get("relations") or {}
    for name, label in _RELATIONS:
        out += _line(label, relations.get(name))
    for name in _others(fields, mtype):
        label = name.replace("_", " ").capitalize()
        text = isinstance(fields[name], str)
        out += _section(label, fields[name]) if text else _line(label, fields[name])
    for source in fields.get("sources") or ():
        out += _source(source)
    return "\n".join(out) + "\n"


def log_page(mtype: MemoryType, order: str) -> str:
    """The first page of a log: what it is and where new entries go; no entry."""
    end = "at the end" if order == "oldest-first" else "at the top"
    promise = (
        "What is published here stays, word for word. A change of mind is a new entry that says\n"
        "`**Supersedes:**` and the old entry's id.\n"
    )
    return (
        f"# {mtype.title} log\n\n"
        f"One entry each, with a heading of its own; new ones {end}: `minutebook new {mtype.name}`.\n"
        f"{promise if mtype.append_only else ''}"
    )


def with_new_entry(file: MemoryFile | None, text: str, order: str, preamble: str = "") -> str:
    """The log's text with a new entry at its open end; every other byte stays.

    The entry takes the heading level and the line ends of the log. Raises CannotJudge when it would disappear in a
    fence or a comment that the log leaves open.
    """
    old = file.text if file is not None else preamble
    if file is not None and file.entries:
        level = next(read_lines(file.entries[0].text)).level
        text = _HEADING.sub("#" * level, text, count=1)
    newline = "\r\n" if old.partition("\n")[0].endswith("\r") else "\n"
    text = text.replace("\r\n", "\n").replace("\n", newline)
    at = len(file.head) if file is not None and file.entries and order == "newest-first" else len(old)
    before, after = old[:at], old[at:]
    if before and not before.endswith("\n"):
        before += newline
    if before and not before.endswith((f"{newline}{newline}", "\n\n")):
        before += newline
    result = f"{before}{text}{newline}{after}" if after else f"{before}{text}"
    number = before.count("\n")
    if not any(row.level for row in read_lines(result) if row.number == number + 1):
        where = file.path if file is not None else "the log"
        raise CannotJudge(f"{where} leaves a code fence or a comment open; a new entry would disappear in it")
    return result


def _section(label: str, value: str) -> list[str]:
    value = value.strip()
    if not value:
        return []
    first, newline, rest = value.partition("\n")
    if opens_block(first):
        return [f"**{label}:**", escaped(value)]
    return [f"**{label}:** {first}{newline}{escaped(rest)}"]


def _line(label: str, value: Any) -> list[str]:
    if value is None or value == "" or value == [] or value == ():
        return []
    if isinstance(value, list | tuple):
        for item in value:
            if "`" in str(item) or "\n" in str(item) or not str(item).strip():
                raise CannotJudge(f"a log's {label} can't hold {item!r}")
        return [f"**{label}:** {joined_list([str(item) for item in value])}"]
    shown = str(value).lower() if isinstance(value, bool) else str(value)
    return [f"**{label}:** {' '.join(shown.split())}"]


def _others(fields: Mapping[str, Any], mtype: MemoryType) -> Iterator[str]:
    done = {*_ELSEWHERE, *(name for name, _ in _LABELS), *(section_field(section) for section in mtype.sections)}
    wanted = mtype.schema.get("required", ())
    for name, value in fields.items():
        if name not in done and not isinstance(value, dict) and (name != "abstract" or name in wanted):
            yield name


def _source(source: Mapping[str, Any]) -> list[str]:
    session = str(source["session"])
    if not _SESSION.fullmatch(session):
        raise CannotJudge(f"a log's source can't name the session {session!r}")
    parts = [f"session {session}"]
    parts += [f"turn {source['turn']}"] if "turn" in source else []
    parts += [source["role"]] if "role" in source else []
    parts += [f"at {source['at']}"] if _AT.fullmatch(str(source.get("at", ""))) else []
    parts += [f"sha256 {source['sha256']}"] if "sha256" in source else []
    parts += [f"extractor {source['extractor']}"] if _SESSION.fullmatch(str(source.get("extractor", ""))) else []
    quote = str(source.get("quote", ""))
    lines = [f"> {line}" if line else ">" for line in quote.split("\n")] if quote.strip() else []
    return [f"**Source:** {', '.join(parts)}", *lines]
