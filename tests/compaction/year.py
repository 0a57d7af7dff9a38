"""A year of session notes, made up from a seed: what was decided, what binds, what was done, what is open."""

import random
from collections.abc import Iterator
from datetime import date, timedelta

START = date(2025, 11, 1)
TODAY = date(2026, 11, 1)
_PARTS = (
    "uploader", "queue", "scheduler", "importer", "ledger page", "search index", "mail sender", "login form",
    "exporter", "rate limiter", "session cache", "migration runner", "audit log", "image resizer", "webhook relay",
    "report builder",
)  # fmt: skip
_THINGS = ("batch", "request", "row", "record", "file", "message", "session", "page", "job", "report")
_UNITS = ("MB", "ms", "seconds", "rows", "requests", "GB", "minutes", "connections", "%", "retries")
_TOOLS = ("PostgreSQL", "Redis", "Alembic", "pytest", "SQLite", "nginx", "Celery", "Vite", "Terraform", "Docker")
_WHO = ("the operators", "the reviewers", "the mobile team", "the support desk", "the customers")
_DID = (
    "The {part} was measured with {n} {unit} of load, and the figures went into a sheet next to last week's.",
    "A profile of the {part} showed that {pct} % of the time goes into encoding each {thing} twice.",
    "The tests of the {part} were split into {small} files, since one file had grown over {big} lines.",
    "The {part} logs each {thing} with its size and its origin now, in one line that grep finds.",
    "{tool} was upgraded to {version}, and the {part} started {pct} % faster on the small machine.",
    "The fixture of the {part} came from a copy of last month's data, with names taken out by hand.",
    "After lunch the same run was repeated on the second machine, with much the same outcome.",
    "The code that reads a {thing} moved from `{path}` into a module of its own with a short docstring.",
    "A colleague had tried the same thing in spring, and the notes of that attempt were read once more.",
    "The dashboard of the {part} shows {n} {unit} at noon, and about half of that in the evening.",
    "Most of the afternoon went into reading the traces of the {part}, line by line, with coffee.",
    "The build took {n} seconds before the change and {small} seconds less after it, on both machines.",
    "The {part} had been written in a hurry, and its names were made to match those of the {other}.",
    "Two branches of the {part} were merged, and the conflicts in `{path}` were settled by hand.",
)
_DECIDED = (
    "We decided to keep the {part} in {tool} rather than in files.",
    "The {part} is built on {tool} {version} from now on.",
    "Each {thing} of the {part} is written to `{path}` first, and sent afterwards.",
    "We agreed that {who} get the figures of the {part} once a week.",
)
_BINDS = (
    "A {thing} of the {part} must not be larger than {n} {unit}.",
    "Never restart the {part} while {id} is open.",
    "The {part} must answer within {n} ms.",
    "Without a backup of `{path}` the {part} isn't migrated.",
    'Call it "{part} {small}" in front of {who}, never by its old name.',
)
_OPEN = ("Who rotates the keys of the {part}?", "Does the {part} need {n} {unit} at all?", "Who reads {id} first?")


def notes(number: int, seed: int = 5) -> Iterator[tuple[str, str]]:
    """(path beneath the memory root, text) of so many notes, spread over the year; one in twenty is nearly the one
    before it."""
    draw = random.Random(seed)
    last: list[str] = []
    for at in range(number):
        day = START + timedelta(days=at * 364 // max(1, number))
        part = draw.choice(_PARTS)
        if not last or draw.random() > 0.05:
            last = _body(draw, part)
        slug = f"{part.replace(' ', '-')}-{at}"
        yield f"sessions/{day}-{slug}.md", _note(draw, f"{day}-{slug}", part, day, last)


def log(number: int, seed: int = 6) -> str:
    """A log of so many decisions, newest first; one in four is superseded by the one above it."""
    draw = random.Random(seed)
    entries: list[str] = []
    for at in range(number):
        day = START + timedelta(days=at * 364 // max(1, number))
        ids = [f"DEC-{START + timedelta(days=each * 364 // max(1, number))}-{each:04d}" for each in (at, at + 1)]
        part, other = draw.sample(_PARTS, 2)
        text = (
            f"### {ids[0]} — {draw.choice(_TOOLS)} for the {part}\n"
            f"**Context:** {_filled(draw, draw.choice(_DID), part)} {_filled(draw, draw.choice(_DID), other)}\n"
            f"**Decision:** {_filled(draw, draw.choice(_DECIDED), part)}\n"
            f"**Rationale:** {_filled(draw, draw.choice(_DID), part)}\n"
            f"**Impact:** {_filled(draw, draw.choice(_BINDS), part)}\n"
            f"**Date:** {day}\n"
        )
        closed = at % 4 == 3 and at + 1 < number
        entries.insert(0, text + (f"\n> SUPERSEDED by {ids[1]}\n" if closed else ""))
    return "# Decisions\n\n" + "\n".join(entries)


def _body(draw: random.Random, part: str) -> list[str]:
    did = [_filled(draw, each, part) for each in draw.sample(_DID, 11)]
    decided = [_filled(draw, each, part) for each in draw.sample(_DECIDED, draw.randint(0, 1))]
    binds = [_filled(draw, each, part) for each in draw.sample(_BINDS, draw.randint(0, 1))]
    opened = [_filled(draw, each, part) for each in draw.sample(_OPEN, draw.choice([0, 0, 1]))]
    out = ["## Overview", " ".join(did[:3]), ""]
    out += ["## Decisions", *(f"- {each}" for each in decided), ""] if decided else []
    out += [
        "## What was done",
        *did[3:7],
        *binds,
        *did[7:],
        "",
        "```sh",
        f"make {part.split()[0]}  # {draw.randint(1, 99)}",
        "```",
    ]
    return out + (["", "## Left open", *(f"- {each}" for each in opened)] if opened else [])


def _note(draw: random.Random, name: str, part: str, day: date, body: list[str]) -> str:
    sha = f"{draw.getrandbits(256):064x}"
    head = (
        f"---\ntype: session\nid: session-{name}\ntitle: {_title(draw, part, name)}\n"
        f"abstract: A session about the {part}, with {draw.choice(_TOOLS)} and {draw.choice(_WHO)} in view.\n"
        f"created: {day}\nsession: {sha[:8]}\nrecords: {draw.randint(20, 900)}\ntranscript_sha256: {sha}\n"
        f"sources:\n  - session: {sha[:8]}\n    turn: {draw.randint(1, 90)}\n    role: assistant\n---\n"
    )
    return head + "\n".join(body) + "\n"


def _title(draw: random.Random, part: str, name: str) -> str:
    verb = draw.choice(("Measure", "Mend", "Split", "Rename", "Speed up", "Test"))
    return f"{verb} the {part}, {name.rpartition('-')[2]}"


def _filled(draw: random.Random, template: str, part: str) -> str:
    values = {
        "part": part, "other": draw.choice(_PARTS), "thing": draw.choice(_THINGS), "unit": draw.choice(_UNITS),
        "tool": draw.choice(_TOOLS), "who": draw.choice(_WHO), "n": draw.randint(2, 900), "pct": draw.randint(3, 80),
        "small": draw.randint(2, 19), "big": draw.randint(1000, 4000), "id": f"ISSUE-{draw.randint(10, 999)}",
        "version": f"{draw.randint(1, 19)}.{draw.randint(0, 9)}.{draw.randint(0, 9)}",
        "path": f"src/{part.split()[0]}/{draw.choice(_THINGS)}_{draw.randint(1, 99)}.py",
    }  # fmt: skip
    return template.format(**values)
