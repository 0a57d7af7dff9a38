"""Faults as they happen when summaries are rewritten: one claim of one line changes, and nothing else.

KINDS are those that the issue names. FURTHER are others, which the certificate was not written for: they were made up
afterwards, from what rewriting does to sentences.
"""

import random
import re
from collections.abc import Callable

KINDS = ("number", "unit", "not", "id", "path", "invented")
FURTHER = (
    "modal", "tense", "quantity", "word", "swapped", "clause", "character", "heading", "note", "title", "joined",
    "lost",
)  # fmt: skip
_CARRIES = re.compile(r"^- (?!\[).+ \[[0-9, ]+\]$")
_UNITS = ("MB", "ms", "seconds", "rows", "requests", "GB", "minutes", "connections", "%", "retries")
_NOT = re.compile(r"\b(?:not|never|Never|without|Without|no|nobody)\b ?|(?<=[a-z])n't\b")
_PATH = re.compile(r" ?`?[\w.-]+(?:/[\w.-]+)+`?")
_ID = re.compile(r"\b[A-Z][A-Z0-9]+-[0-9][\w-]*")
_MODALS = {"must": "may", "Never": "Rarely", "never": "rarely", "are kept": "may be kept", "get": "could get"}
_TENSES = {"is": "was", "are": "were", "was": "is", "were": "are", "takes": "took", "took": "takes", "goes": "went"}
_QUANTITIES = {"each": "some", "Each": "Some", "twice": "thrice", "half": "most", "all": "some", "two": "three"}
_INVENTED = (
    "We decided to move the billing service to Kafka.",
    "Backups must be kept for 400 days.",
    "The gateway was rewritten in Rust within a week.",
    "Never deploy on a Friday evening.",
)
_ARTICLES = ("a", "an", "the")
_SAY_NOTHING = re.compile(r"[^\w]+")


def fault(text: str, kind: str, seed: int) -> str | None:
    """The summary with one fault of the kind in it; None when it has no place for one."""
    draw = random.Random(f"{kind} {seed}")
    lines = text.split("\n")
    places = [at for at, line in enumerate(lines) if _CARRIES.match(line)]
    draw.shuffle(places)
    if kind in _OF_LINES:
        return _OF_LINES[kind](lines, places, draw)
    for at in places:
        head, _, mark = lines[at].rpartition(" [")
        changed = _CHANGES[kind](head.removeprefix("- "), draw)
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


def _replaced(words: dict[str, str]) -> Callable[[str, random.Random], str | None]:
    """One of these words becomes the other."""
    pattern = re.compile(rf"\b(?:{'|'.join(words)})\b")

    def change(line: str, draw: random.Random) -> str | None:
        found = list(pattern.finditer(line))
        match = draw.choice(found) if found else None
        return None if match is None else line[: match.start()] + words[match[0]] + line[match.end() :]

    return change


def _word(line: str, draw: random.Random) -> str | None:
    """A word that says something is gone."""
    words = line.split(" ")
    telling = [
        at for at, word in enumerate(words) if word.lower() not in _ARTICLES and not _SAY_NOTHING.fullmatch(word)
    ]
    if len(telling) < 4:
        return None
    at = draw.choice(telling)
    return " ".join((*words[:at], *words[at + 1 :]))


def _swapped(line: str, draw: random.Random) -> str | None:
    """Two words stand in each other's place: who did what to whom."""
    words = line.rstrip(".").split(" ")
    telling = [at for at, word in enumerate(words) if word.lower() not in _ARTICLES]
    first, second = draw.sample(telling, 2) if len(telling) > 3 else (0, 0)
    words[first], words[second] = words[second], words[first]
    return " ".join(words) + "." if words[first] != words[second] else None


def _clause(line: str, draw: random.Random) -> str | None:
    """The second half is cut off, at no comma."""
    words = line.split(" ")
    at = len(words) * 2 // 3
    return None if len(words) < 6 or words[at - 1][-1:] in ",;:" else " ".join(words[:at]) + "."


def _character(line: str, draw: random.Random) -> str | None:
    places = [at for at, sign in enumerate(line) if sign.isalnum() and sign.isascii()]
    at = draw.choice(places)
    other = "7" if line[at] != "7" and line[at].isdigit() else "x" if line[at] != "x" else "y"
    return line[:at] + other + line[at + 1 :]


def _invented(lines: list[str], places: list[int], draw: random.Random) -> str | None:
    if not places:
        return None
    _, _, mark = lines[places[0]].rpartition(" [")
    return "\n".join((*lines[: places[0]], f"- {draw.choice(_INVENTED)} [{mark}", *lines[places[0] :]))


def _heading(lines: list[str], places: list[int], draw: random.Random) -> str | None:
    """A line stands under another heading: what was open is decided."""
    heads = [at for at, line in enumerate(lines) if line.startswith("## ") and line != "## Originals"]
    for at in places:
        own = max((each for each in heads if each < at), default=-1)
        others = [each for each in heads if each != own]
        if others:
            to = draw.choice(others)
            rest = [line for each, line in enumerate(lines) if each != at]
            place = to - (at < to)
            return "\n".join((*rest[: place + 1], lines[at], *rest[place + 1 :]))
    return None


def _note(lines: list[str], places: list[int], draw: random.Random) -> str | None:
    """A line names another note than the one that says so."""
    last = sum(line.startswith("- [") for line in lines)
    at = places[0]
    head, _, mark = lines[at].rpartition(" [")
    others = [each for each in range(1, last + 1) if str(each) not in mark[:-1].split(", ")]
    return "\n".join((*lines[:at], f"{head} [{draw.choice(others)}]", *lines[at + 1 :])) if others else None


def _title(lines: list[str], places: list[int], draw: random.Random) -> str | None:
    named = [at for at, line in enumerate(lines) if line.startswith("- [")]
    at = draw.choice(named)
    return "\n".join((*lines[:at], re.sub(r"(\] )(\w+)", r"\1Undo", lines[at], count=1), *lines[at + 1 :]))


def _joined(lines: list[str], places: list[int], draw: random.Random) -> str | None:
    """Two lines become one that no note says."""
    if len(places) < 2:
        return None
    first, second = places[:2]
    head, _, mark = lines[first].rpartition(". [")
    more = lines[second].rpartition(" [")[0].removeprefix("- ")
    lines[first] = f"{head}, so {more} [{mark}"
    return "\n".join(lines)


def _lost(lines: list[str], places: list[int], draw: random.Random) -> str | None:
    return "\n".join((*lines[: places[0]], *lines[places[0] + 1 :])) if places else None


_CHANGES: dict[str, Callable[[str, random.Random], str | None]] = {
    "number": _number, "unit": _unit, "not": _negation, "id": _id, "path": _path, "modal": _replaced(_MODALS),
    "tense": _replaced(_TENSES), "quantity": _replaced(_QUANTITIES), "word": _word, "swapped": _swapped,
    "clause": _clause, "character": _character,
}  # fmt: skip
_OF_LINES: dict[str, Callable[[list[str], list[int], random.Random], str | None]] = {
    "invented": _invented, "heading": _heading, "note": _note, "title": _title, "joined": _joined, "lost": _lost,
}  # fmt: skip
