"""Texts of a decision log, and small edits of a work tree."""

from hashlib import sha256

from conftest import CASE, FIRST, LOG, LOG_HEAD, SECOND, THIRD
from core.sketch import Edit, WorkTree

NEW = """### DEC-2026-11-04-01 — Backups every night
**Context:** A disk broke.
**Decision:** The database is dumped every night.
**Date:** 2026-11-04
"""
OTHER = NEW.replace("11-04-01", "11-04-02").replace("Backups every night", "Restores are rehearsed")
OLD = f"{THIRD}\n{SECOND}\n{FIRST}"
DRAFT = NEW.replace("**Date:**", "**Status:** proposed\n**Date:**")
DOMAIN = ".memory/decisions/database.md"
ARCHIVED = ".memory/archive/decisions/_log.md"
MOVED_CASE = CASE.replace("flaky-upload", "slow-upload")
CONFIG = ".minutebook.yaml"
FILE_DECISION = ".memory/decisions/DEC-2026-11-05-01.md"
FILE_TEXT = """---
type: decision
id: DEC-2026-11-05-01
title: Uploads go to object storage
abstract: Uploads are stored in object storage, not on the server's disk.
date: 2026-11-05
decision: Uploads are stored in object storage.
---
## Overview
The disk of the server is too small.
"""
DECISION_TYPE = ".memory/types/decision.yaml"
DECISION_MERGES = """name: decision
title: Decision
memory: episodic
describe: A choice that may be rewritten whenever somebody likes to.
place: decisions/{domain}.md
layout: log
write: merge
id: DEC-{date}-{hash:4}
load: selective
durability: durable
"""
MINUTES = (
    DECISION_MERGES.replace("name: decision", "name: minutes")
    .replace("{domain}", "_log")
    .replace("DEC-{date}-{hash:4}", "minutes-{date}")
)
RULING = """name: ruling
title: Ruling
memory: episodic
describe: A ruling that stands for good in this house.
place: rulings/{slug}.md
layout: file
write: append
id: RUL-{date}
load: selective
durability: durable
status: {draft: [proposed], sealed: [accepted]}
amend: [superseded_by]
addenda: end
sections: [Status, Ruling]
"""
RULING_TYPE = ".memory/types/ruling.yaml"
ONE_RULING = ".memory/rulings/one.md"


def log(text: str, head: str = LOG_HEAD) -> Edit:
    return lambda tree: tree.write(LOG, head + text)


def write(path: str, text: str) -> Edit:
    return lambda tree: tree.write(path, text)


def append(path: str, text: str) -> Edit:
    return lambda tree: tree.write(path, tree.read(path) + text)


def swap(old: str, new: str, path: str = LOG) -> Edit:
    def edit(tree: WorkTree) -> None:
        before = tree.read(path)
        assert old in before
        tree.write(path, before.replace(old, new))

    return edit


def move(source: str, target: str) -> Edit:
    return lambda tree: tree.move(source, target)


def remove(path: str) -> Edit:
    return lambda tree: tree.remove(path)


def both(*edits: Edit) -> Edit:
    def edit(tree: WorkTree) -> None:
        for each in edits:
            each(tree)

    return edit


def nothing(tree: WorkTree) -> None:
    """What stays as it is."""


def entry(number: int, words: str = "so") -> str:
    day = f"2026-10-{number:02d}"
    return f"### DEC-{day}-01 — Choice {number}\n**Decision:** We do it {words}.\n**Date:** {day}\n"


def hash_of(text: str) -> str:
    """What a tombstone names, worked out apart from the code under test."""
    return sha256(text.rstrip("\n").encode()).hexdigest()


def stone(text: str, reason: str = "it holds a private address", title: str = "Expunged") -> str:
    """The tombstone of an entry of a log."""
    heading = text.split("\n", 1)[0].split(" — ")[0]
    return (
        f"{heading} — {title}\n> EXPUNGED 2026-11-20 by Ada Example.\n> reason: {reason}\n"
        f"> sha256 of the text that stood here: {hash_of(text)}\n"
    )
