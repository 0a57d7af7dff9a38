"""The texts of the scenes, and small edits of a world's work tree."""

from collections.abc import Callable

from cases.world import World
from conftest import FIRST, LOG, LOG_HEAD, SECOND, THIRD

Edit = Callable[[World], object]

NEW = """### DEC-2026-11-04-01 — Backups every night
**Context:** A disk broke.
**Decision:** The database is dumped every night.
**Date:** 2026-11-04
"""
OTHER = """### DEC-2026-11-05-01 — Restores are rehearsed
**Context:** Nobody has ever restored a backup.
**Decision:** A restore is rehearsed every month.
**Date:** 2026-11-05
"""
DRAFT = NEW.replace("**Date:**", "**Status:** proposed\n**Date:**")
OLD = f"{THIRD}\n{SECOND}\n{FIRST}"
EVIL = OLD.replace("Every schema", "Some schema")
DOMAIN = ".memory/decisions/database.md"
ARCHIVE = ".memory/archive/decisions/_log.md"
CONFIG = ".minutebook.yaml"
CHANGED = ("DEC-2026-11-02-01 is sealed: its text was changed", "[-Every-]{+Some+} schema change is", f"{LOG}:",
           "append a new entry with `Supersedes: DEC-2026-11-02-01`",
           "minutebook new decision --supersedes DEC-2026-11-02-01")  # fmt: skip
"""What every refusal of EVIL says: entry, why, the words that changed, where, and the lawful way."""


def log(*entries: str, path: str = LOG) -> Edit:
    return lambda world: world.work.write(path, LOG_HEAD + "\n".join(entries))


def write(path: str, data: str | bytes) -> Edit:
    return lambda world: world.work.write(path, data)


def append(path: str, text: str) -> Edit:
    return lambda world: world.work.write(path, world.work.read(path) + text)


def swap(old: str, new: str, path: str = LOG) -> Edit:
    def edit(world: World) -> None:
        before = world.work.read(path)
        assert old in before
        world.work.write(path, before.replace(old, new))

    return edit


def move(source: str, target: str) -> Edit:
    def edit(world: World) -> None:
        (world.work.path / target).parent.mkdir(parents=True, exist_ok=True)
        (world.work.path / source).rename(world.work.path / target)

    return edit


def remove(path: str) -> Edit:
    return lambda world: (world.work.path / path).unlink()


def git(*arguments: str) -> Edit:
    return lambda world: world.work.git(*arguments)


def staged(*edits: Edit) -> Edit:
    """The edits, and `git add --all`."""

    def play(world: World) -> None:
        for each in edits:
            each(world)
        world.work.git("add", "--all")

    return play


def published(*edits: Edit) -> Edit:
    """The edits as a part of what is published."""

    def play(world: World) -> None:
        for each in edits:
            each(world)
        world.publish()

    return play


def from_scratch(*edits: Edit) -> Edit:
    """The edits and what is there as the first commit of what is published."""
    return then(*edits, git("update-ref", "-d", "HEAD"), lambda world: world.publish())


def then(*steps: Edit) -> Edit:
    def play(world: World) -> None:
        for each in steps:
            each(world)

    return play
