"""Faults as they happen when summaries are rewritten: one claim of one line changes, and nothing else."""

import random
import re
from collections.abc import Callable

KINDS = ("number", "unit", "not", "id", "path", "invented")
_CARRIES = re.compile(r"^- (?!\[).+ \[[0-9, ]+\]$")
_UNITS = ("MB", "ms", "seconds", "rows", "requests", "GB", "minutes", "connections", "%", "retries")
_NOT = re.compile(r"\b(?:not|never|Never|without|Without|no|nobody)\b ?|(?<=[a-z])n't\b")
_PATH = re.compile(r" ?`?[\w.-]+(?:/[\w.-]+)+`?")
_ID = re.compile(r"\b[A-Z][A-Z0-9]+-[0-9][\w-]*")
_INVENTED = (
    "We decided to move the billing service to Kafka.",
    "Backups must be kept for 400 days.",
    "The gateway was rewritten in Rust within a week.",
    "Never deploy on a Friday evening.",
)


def fault(text: str, kind: str, seed: int) -> str | None:
    """The summary with one fault of the kind in it; None when it has no place for one."""
    draw = random.Random(f"{kind} {seed}")
    lines = text.split("\n")
    places = [at for at, line in enumerate(lines) if _CARRIES.match(line)]
    draw.shuffle(places)
    for at in places:
        head, _, mark = lines[at].rpartition(" [")
        changed = _CHANGES[kind](head.removeprefix("- "), draw)
        if kind == "invented":
            lines.insert(at, f"- {changed} [{mark}")
            return "\n".join(lines)
        if changed is not None and changed.strip() and f"- {changed}" != head:
            lines[at] = f"- {changed} [{mark}"
            return "\n".join(lines)
    return None


def _number(line: str, draw: random.Random) -> str | None:
    found = list(re.finditer(r"(?<![\w.])[0-9]+(?![\w.])", line))
    if not found:
        return None
    match = draw.choice(found)
    return f"{line[: match.start()]}{int(match[0]) + draw.choice([1, 7, 60])}{line[match.end() :]}"


def _unit(line: str, draw: random.Random) -> str | None:
    match = re.search(rf"(?<=[0-9] )(?:{'|'.join(map(re.escape, _UNITS))})(?!\w)", line)
    other = draw.choice(_UNITS)
    if match is None or other == match[0]:
        return None
    return line[: match.start()] + other + line[match.end() :]


def _negation(line: str, draw: random.Random) -> str | None:
    found = list(_NOT.finditer(line))
    if not found:
        return None
    match = draw.choice(found)
    return line[: match.start()] + line[match.end() :]


def _id(line: str, draw: random.Random) -> str | None:
    match = _ID.search(line)
    return None if match is None else f"{line[: match.start()]}ISSUE-{draw.randint(1000, 9999)}{line[match.end() :]}"


def _path(line: str, draw: random.Random) -> str | None:
    match = _PATH.search(line)
    return None if match is None else line[: match.start()] + line[match.end() :]


def _invented(line: str, draw: random.Random) -> str | None:
    return draw.choice(_INVENTED)


_CHANGES: dict[str, Callable[[str, random.Random], str | None]] = {
    "number": _number,
    "unit": _unit,
    "not": _negation,
    "id": _id,
    "path": _path,
    "invented": _invented,
}
