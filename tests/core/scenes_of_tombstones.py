"""The one way in which a sealed text may go."""

from conftest import CASE, FIRST, MEMORY, SECOND
from core.edits import ARCHIVED, DOMAIN, NEW, OLD, both, hash_of, log, move, stone, swap, write
from core.scene import Scene

STONE = stone(SECOND)
NUMBERED = SECOND.replace("by hand.", "by hand at ada@example.org, number 4711.")
DATED = SECOND.replace("by hand.", "by hand on 2026-10-24 it of DEC-2026-11-02-01 so.")
CASE_STONE = f"""---
id: case-reviewer-2026-11-02-flaky-upload
title: Expunged
---
> EXPUNGED 2026-11-20 by Ada Example.
> reason: it holds a private address
> sha256 of the text that stood here: {hash_of(MEMORY[CASE])}
"""
EXPUNGED = log(OLD.replace(SECOND, STONE))
RETRACTED = FIRST.replace("SQL\n", "SQL\n> RETRACTED\n", 1)


def put(text: str, of: str = SECOND) -> Scene:
    """This takes the place of the second decision."""
    return Scene(log(OLD.replace(SECOND, text)), log(OLD.replace(SECOND, of)))


def becomes(text: str) -> Scene:
    """The tombstone of the second decision turns into something else."""
    return Scene(log(OLD.replace(SECOND, text)), EXPUNGED)


SCENES: dict[str, Scene] = {
    "a tombstone": put(STONE),
    "a tombstone of one file": Scene(write(CASE, CASE_STONE)),
    "a tombstone of one file, with a field more": Scene(
        write(CASE, CASE_STONE.replace("title:", "tags: [ci]\ntitle:"))
    ),
    "a tombstone in the archive": Scene(
        write(ARCHIVED, stone(RETRACTED)), both(log(OLD.replace(f"\n{FIRST}", "")), write(ARCHIVED, RETRACTED))
    ),
    "a tombstone, moved": Scene(both(log(OLD.replace(f"{SECOND}\n", "")), write(DOMAIN, STONE))),
    "a tombstone, moved to the archive": Scene(both(log(OLD.replace(f"{SECOND}\n", "")), write(ARCHIVED, STONE))),
    "a tombstone and a trailing rule": put(f"{STONE}\n---\n\n"),
    "a tombstone with CRLF": put(STONE.replace("\n", "\r\n")),
    "a tombstone that names the text as it was written, with spaces": put(
        stone(SECOND), SECOND.replace("hand.\n", "hand. \n")
    ),
    "a wrong hash": put(STONE.replace(hash_of(SECOND), hash_of(FIRST))),
    "no hash": put(STONE.rsplit("> sha256", 1)[0]),
    "no reason": put("".join(line for line in STONE.splitlines(keepends=True) if "reason" not in line)),
    "text below": put(f"{STONE}It was a mistake.\n"),
    "text above": put(STONE.replace("> EXPUNGED", "Gone.\n> EXPUNGED")),
    "another title": put(stone(SECOND, title="Alembic")),
    "two reasons": put(STONE.replace("> sha256", "> reason: more\n> sha256")),
    "no tombstone at all": put(SECOND.split("\n", 1)[0] + "\n"),
    "a bold sign": put(STONE.replace("> EXPUNGED", "> **EXPUNGED**")),
    "a sign within a word": put(STONE.replace("> EXPUNGED", "> EXPUNGEDLY")),
    "a sign in the text alone": put(SECOND.replace("by hand.", "by hand and EXPUNGED.")),
    "the reason repeats four words": put(stone(SECOND, "because schema changes are applied by all")),
    "the reason repeats three words": put(stone(SECOND, "because schema changes are bad")),
    "the reason repeats four words in other letters": put(
        stone(SECOND, "because (SCHEMA changes) *are* “applied” by all")
    ),
    "the reason repeats an address": put(stone(NUMBERED, "it named ada@example.org"), NUMBERED),
    "the reason repeats a number": put(stone(NUMBERED, "it named 4711"), NUMBERED),
    "the reason names another number": put(stone(NUMBERED, "see ticket 4712"), NUMBERED),
    "the reason repeats a short number": put(
        stone(SECOND.replace("by hand.", "by 471."), "it named 471"), SECOND.replace("by hand.", "by 471.")
    ),
    "the reason repeats a long word": put(
        stone(SECOND.replace("by hand.", "by Schifffahrtsamt."), "of the Schifffahrtsamt"),
        SECOND.replace("by hand.", "by Schifffahrtsamt."),
    ),
    "the reason repeats a longer word": put(
        stone(SECOND.replace("by hand.", "by Schifffahrtsamts."), "of the Schifffahrtsamts"),
        SECOND.replace("by hand.", "by Schifffahrtsamts."),
    ),
    "the reason repeats four words but the second": put(stone(SECOND, "the schema hated are applied")),
    "the reason repeats four words but the third": put(stone(SECOND, "the schema changes were applied")),
    "the reason repeats three words and the fifth": put(stone(SECOND, "the schema changes are not by")),
    "the reason has a day where the text has one": put(stone(DATED, "hand on 2026-12-24 it"), DATED),
    "the reason has the id where the text has it": put(stone(DATED, "it of DEC-2026-11-02-01 so"), DATED),
    "the reason names the day and the id": put(stone(SECOND, "DEC-2026-11-02-01 of 2026-11-02 holds an address")),
    "an old addendum about it": Scene(
        log(OLD.replace(SECOND, f"{SECOND}**Addendum:** A tombstone begins so:\n> EXPUNGED on some day\n"))
    ),
    "an addendum to a text that begins so": Scene(
        log(OLD.replace(SECOND, f"{SECOND}> EXPUNGED on some day\n**Addendum:** B.\n")),
        log(OLD.replace(SECOND, f"{SECOND}> EXPUNGED on some day\n")),
    ),
    "two at once": Scene(log(OLD.replace(SECOND, STONE).replace(FIRST, stone(FIRST)))),
    "of an id that is changed": put(STONE.replace("11-02-01", "11-02-09")),
    "of what was never there": Scene(log(f"{stone(NEW)}\n{OLD}")),
    "of a draft": Scene(log(f"{stone(NEW)}\n{OLD}"), log(f"{NEW}**Status:** draft\n\n{OLD}")),
    # later
    "it stays": becomes(STONE),
    "it stays, with a blank line more": becomes(f"{STONE}\n"),
    "it stays, with spaces": becomes(STONE.replace("address\n", "address  \n")),
    "later: another reason": becomes(stone(SECOND, "nobody knows why")),
    "later: another hash": becomes(STONE.replace(hash_of(SECOND), hash_of(FIRST))),
    "later: an addendum": becomes(f"{STONE}**Addendum:** It was nothing.\n"),
    "later: a marker": becomes(STONE.replace("> EXPUNGED", "> RETRACTED\n> EXPUNGED")),
    "later: a status": becomes(f"{STONE}**Status:** superseded\n"),
    "later: the old text": becomes(SECOND),
    "later: nothing": becomes(""),
    "later: a tombstone of the tombstone": becomes(stone(STONE)),
    "later: moved to the archive": Scene(both(log(OLD.replace(f"{SECOND}\n", "")), write(ARCHIVED, STONE)), EXPUNGED),
    "later: moved and edited": Scene(
        both(log(OLD.replace(f"{SECOND}\n", "")), write(ARCHIVED, stone(SECOND, "no"))), EXPUNGED
    ),
    "later: superseded": Scene(
        log(f"{NEW.rstrip()}\n**Supersedes:** DEC-2026-11-02-01\n\n{OLD.replace(SECOND, STONE)}"), EXPUNGED
    ),
    "later: one file, another reason": Scene(swap("private", "secret", CASE), write(CASE, CASE_STONE)),
    "later: one file, renamed": Scene(move(CASE, CASE.replace("flaky", "slow")), write(CASE, CASE_STONE)),
}
